import { parentPort, workerData } from 'node:worker_threads'

import { openSqlite } from '../../src/stores/sqlite/index.ts'
import type { Answered, Asked, Place } from './threaded-store.ts'

// A store in a thread of its own. Calls that come in one message are answered in one.

type Ports = Record<string, Record<string, (...values: unknown[]) => Promise<unknown>>>

const { file, venue } = workerData as Place
const ports = openSqlite(file, venue) as unknown as Ports
parentPort?.on('message', (asked: Asked[]) => {
  void Promise.all(asked.map(answered)).then((answers) => parentPort?.postMessage(answers, []))
})
parentPort?.postMessage('open', [])

async function answered({ id, port, call, values }: Asked): Promise<Answered> {
  try {
    return { id, value: await ports[port]?.[call]?.(...values), why: null }
  } catch (error) {
    return { id, value: null, why: String(error) }
  }
}
