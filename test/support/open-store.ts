import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import type { Store } from '../../src/store/store.ts'
import takeLead from '../../src/stores/journal/lead.ts'
import { openSqlite } from '../../src/stores/sqlite/index.ts'
import { breathe, type HandClock } from './clock.ts'
import { databaseUrl } from './database-url.ts'
import { onInstantDisk } from './instant-disk.ts'

/** It is let go when the store is closed. A crowded machine may take a second for an answer. */
const USUAL_LEASE_S = 9

/**
 * Opens the store in this file, on a journal where `npm run test:journal` or a server asks for it. There a clock that is turned by hand waits
 * until PostgreSQL has answered.
 */
export async function openStore(
  file: string,
  venues: string | readonly string[],
  clock: Clock | HandClock = systemClock(),
  server?: string,
): Promise<Store> {
  const url = databaseUrl(file, server, USUAL_LEASE_S)
  if (url === file) return openSqlite(file, venues, onInstantDisk, clock)
  // By a clock that is turned by hand, the lease would run out while an answer is on its way.
  const { signal } = new AbortController()
  const lead = await takeLead({ url, clock: systemClock(), emit() {}, signal })
  void lead.over.then((why) => process.stderr.write(`The store of ${file} is over: ${why}\n`))
  const store = await lead.open([venues].flat())
  const asked = new Set<Promise<unknown>>()
  if ('restsWhen' in clock)
    clock.restsWhen(async () => {
      while (asked.size > 0) {
        await Promise.allSettled(asked)
        await breathe()
      }
    })
  const { memory, outbox, history, recording, admin } = store
  return {
    memory: watched(memory, asked),
    outbox: watched(outbox, asked),
    history: watched(history, asked),
    recording: watched(recording, asked),
    admin,
  }
}

/** A port whose calls can be seen until they are answered. */
function watched<Port extends object>(port: Port, asked: Set<Promise<unknown>>): Port {
  const calls = Object.entries(port) as [string, (...values: unknown[]) => Promise<unknown>][]
  const all = calls.map(([name, call]) => [
    name,
    (...values: unknown[]) => {
      const answer = call(...values)
      asked.add(answer)
      const done = () => void asked.delete(answer)
      void answer.finally(done).catch(() => {})
      return answer
    },
  ])
  return Object.fromEntries(all) as Port
}
