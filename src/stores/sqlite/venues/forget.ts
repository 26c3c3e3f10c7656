import { existsSync } from 'node:fs'

import type { ForgetVenue, Forgotten } from '../../../store/store.ts'
import { fileOf } from '../backup/place.ts'
import { openDatabase, type Sqlite } from '../file/database.ts'
import { refuseCopy } from '../journaled/position.ts'
import { metaReader } from '../statements.ts'
import { nameOf, venuesIn, venuesText, whyForeign } from './list.ts'
import { takeAway } from './records.ts'

/** Takes the records of a venue out of the file, all of them or none. No bot may run meanwhile. */
export default (async ({ url, name, venues }) => {
  const file = fileOf(url)
  if (!existsSync(file)) throw new Error(`There is no database at ${file} yet. Check DATABASE_URL.`)
  const { sqlite, close } = openDatabase(file)
  try {
    refuseCopy(sqlite, file)
    return sqlite.transaction(() => forgetIn(sqlite, file, name, venues)).immediate()
  } finally {
    close()
  }
}) satisfies ForgetVenue

/** Call it inside a transaction. Throws a sentence for the operator. */
export function forgetIn(sqlite: Sqlite, file: string, name: string, venues: readonly string[]): Forgotten {
  if (venues.some((identity) => nameOf(identity) === name))
    throw new Error(`VENUE names ${name}: leave it out there to take its records away.`)
  const [first = '', ...others] = venuesIn(metaReader(sqlite, 'venue')() ?? '')
  if (nameOf(first) === name)
    throw new Error(
      `The database ${file} belongs to ${name}, the first venue: only another file can do without it.`,
    )
  // The start would be refused after it, with the records gone.
  const foreign = whyForeign([first], venues)
  if (foreign !== null) throw new Error(`The database ${file} ${foreign}.`)
  const identity = others.find((one) => nameOf(one) === name)
  if (identity === undefined) {
    const there = others.length === 0 ? 'only of its first venue' : `of ${others.map(nameOf).join(', ')}`
    throw new Error(`The database ${file} has no records of ${name}, ${there}.`)
  }
  const taken = takeAway(sqlite, name)
  const left = venuesText([first, ...others.filter((one) => one !== identity)])
  sqlite.prepare("UPDATE meta SET value = ? WHERE name = 'venue'").run(left)
  return { identity, ...taken }
}
