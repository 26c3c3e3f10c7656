import { readdirSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

const SQLITE = new URL('../../../src/stores/sqlite/', import.meta.url)
const MIGRATIONS = new URL('migrations/', SQLITE)

/** A journal begins with a file that has all of these migrations: no copy ever runs them. */
const BEFORE_JOURNALS = 27

/** All that a write goes through. Two machines must make the same of it. */
const WRITERS = [
  ...['writer', 'outbox', 'messages', 'columns'],
  ...['waiting/coalesce', 'waiting/withdrawals', 'waiting/stale-reminders'],
  ...['venues/records', 'venues/forget', 'journaled/operations'],
]

const CHANCE =
  /random|uuid|unixepoch|julianday|strftime|datetime|current_(time|date)|\('now'|, 'now'[,)]|sqlite_version/i
/** These differ between machines, or between versions of Node. */
const MACHINE = /deflate|zlib|Intl\.|localeCompare|toLocale|performance|Date\.|process\./

const source = (name: string) => readFileSync(new URL(`${name}.ts`, SQLITE), 'utf8')

test('a migration is made of the rows alone: each copy of a file runs it at another time', () => {
  const later = readdirSync(MIGRATIONS).filter((file) => Number(file.slice(0, 3)) > BEFORE_JOURNALS)
  const wrong = later.filter((file) => CHANCE.test(readFileSync(new URL(file, MIGRATIONS), 'utf8')))
  expect(wrong, 'a copy that is migrated a second later would hold something else').toEqual([])
})

test.each(WRITERS)('%s draws no chance, and asks neither a clock nor the machine', (name) => {
  const lines = source(name).split('\n')
  expect(lines.filter((line) => CHANCE.test(line) || MACHINE.test(line))).toEqual([])
})

test('what changes only so many rows says which ones', () => {
  const all = [...WRITERS, 'recording'].flatMap((name) =>
    [...source(name).matchAll(/\b(?:DELETE FROM|UPDATE)\b[^`;]*?\bLIMIT\b/g)].map(([sql]) => sql),
  )
  expect(all.length).toBeGreaterThan(4)
  // By the number of a row, or by all of its key.
  const whole =
    /ORDER BY [\w, ]*\b(?:id|rowid)\b[\w, ]*LIMIT$|WHERE series = 'wallet' AND id = \? AND [^\n]* ORDER BY since LIMIT$/
  expect(all.filter((sql) => !whole.test(sql))).toEqual([])
})
