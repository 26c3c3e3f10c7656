import { createHash } from 'node:crypto'

/** The server of `npm run test:journal`, where each file is the copy of a cell. In the usual suite a file is all there is. */
const SERVER = process.env['STORE_SERVER']

/** A story about a file alone is skipped there, and one that counts how far the clock is turned: it turns while PostgreSQL answers. */
export const isOnJournal = SERVER !== undefined

/** How long one that was killed holds its lease. */
const LEASE_S = 2

/** DATABASE_URL for a store in this file. */
export function databaseUrl(file: string, server: string | undefined = SERVER, leaseS = LEASE_S): string {
  if (server === undefined || !file.startsWith('/')) return file
  const cell = `t${createHash('sha256').update(file).digest('hex').slice(0, 20)}`
  return `journal:${server}?cell=${cell}&file=${encodeURIComponent(file)}&lease=${leaseS}`
}
