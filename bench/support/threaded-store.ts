import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import type { Store } from '../../src/store/store.ts'
import { openReader } from '../../src/stores/sqlite/file/database.ts'
import { openReads } from '../../src/stores/sqlite/session.ts'

export interface Place {
  file: string
  venue: string
}

export interface Asked {
  id: number
  port: string
  call: string
  values: unknown[]
}

export interface Answered {
  id: number
  value: unknown
  why: string | null
}

const CALLS = {
  memory: ['commit', 'seen'],
  outbox: ['sentSince', 'round', 'interrupted', 'undelivered', 'backlog', 'upcoming', 'loudCriticals'],
  history: ['alert', 'timeline', 'alerts', 'messageOf', 'dailySummary', 'deliveryStatus'],
  recording: ['blocks', 'pieces'],
  admin: ['check', 'size', 'close'],
}

/**
 * A SQLite store in a thread of its own, as far as a benchmark needs it. Calls of one moment share a message. What a start
 * reads comes by a connection of the loop's thread.
 */
export async function openThreaded(file: string, venue: string): Promise<Store> {
  const place: Place = { file, venue }
  const thread = new Worker(new URL('store-thread.ts', import.meta.url), { workerData: place })
  await once(thread, 'message')
  thread.unref()
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last = 0
  let asked: Asked[] = []
  thread.on('message', (answers: Answered[]) => {
    for (const { id, value, why } of answers) {
      const one = waiting.get(id)
      waiting.delete(id)
      if (why === null) one?.resolve(value)
      else one?.reject(new Error(why))
    }
    if (waiting.size === 0) thread.unref()
  })
  function send(): void {
    thread.postMessage(asked, [])
    asked = []
  }
  const call =
    (port: string, name: string) =>
    (...values: unknown[]) => {
      const one = Promise.withResolvers<unknown>()
      thread.ref()
      waiting.set(++last, one)
      if (asked.length === 0) queueMicrotask(send)
      asked.push({ id: last, port, call: name, values })
      return one.promise
    }
  const ports = Object.fromEntries(
    Object.entries(CALLS).map(([port, names]) => [
      port,
      Object.fromEntries(names.map((name) => [name, call(port, name)])),
    ]),
  ) as unknown as Store
  return { ...ports, memory: { ...ports.memory, load: openReads(openReader(file)).memory.load } }
}
