import { join } from 'node:path'

import Database from 'better-sqlite3'
import { expect, test } from 'vitest'

import { temporaryFolder } from '../store.ts'
import { differences } from './tables.ts'

function fileWith(sql: string): string {
  const file = join(temporaryFolder(), 'one.sqlite')
  const sqlite = new Database(file)
  sqlite.exec(`CREATE TABLE meta (name, value); CREATE TABLE notes (id, text); ${sql}`)
  sqlite.close()
  return file
}

const NOTES = "INSERT INTO notes VALUES (1, 'a'), (2, 'b')"

test('two files with the same rows do not differ, in whichever order and whoever holds them', () => {
  const first = fileWith(`${NOTES}; INSERT INTO meta VALUES ('holder', 'one')`)
  const second = fileWith(
    `INSERT INTO notes VALUES (2, 'b'), (1, 'a'); INSERT INTO meta VALUES ('holder', 'two')`,
  )
  expect(differences(first, second)).toEqual([])
})

test.each([
  [
    'a value',
    "UPDATE notes SET text = 'c' WHERE id = 2",
    ['notes: only in the first: 2, "b"', 'notes: only in the second: 2, "c"'],
  ],
  ['a row twice', "INSERT INTO notes VALUES (2, 'b')", ['notes: only in the second: 2, "b"']],
  [
    'a type',
    'UPDATE notes SET id = 2.0 WHERE id = 2',
    ['notes: only in the first: 2, "b"', 'notes: only in the second: 2 (real), "b"'],
  ],
  [
    'a table',
    'CREATE TABLE more (id); INSERT INTO more VALUES (NULL)',
    ['the schemas differ', 'more: only in the second: null'],
  ],
  ['a position', "INSERT INTO meta VALUES ('journal', '5')", ['meta: only in the second: "journal", "5"']],
])('%s is a difference', (_what, sql, said) => {
  expect(differences(fileWith(NOTES), fileWith(`${NOTES}; ${sql}`))).toEqual(said)
})
