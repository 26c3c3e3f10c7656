import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { openPostgres } from './server.ts'

/** So many files have a store open at once, with two connections each. */
const MOST_CONNECTIONS = '400'

// Runs the suite, or the files that are named, with each store on a journal. The store's own tests stay as they are.
const opened = await openPostgres({ max_connections: MOST_CONNECTIONS })
if ('lacks' in opened) throw new Error(opened.lacks)
const named = process.argv.slice(2)
const all = [
  'test/scenarios',
  'test/outbox',
  'test/adapters',
  'test/torture',
  'test/commands',
  'test/disasters',
]
const child = spawn('npx', ['vitest', 'run', ...(named.length > 0 ? named : all)], {
  stdio: 'inherit',
  env: { ...process.env, STORE_SERVER: opened.server.url },
})
const [code] = (await once(child, 'exit')) as [number | null]
await opened.server[Symbol.asyncDispose]()
process.exitCode = code ?? 1
