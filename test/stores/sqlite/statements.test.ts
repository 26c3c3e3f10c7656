import { join } from 'node:path'

import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'

import { createOutbox } from '../../../src/stores/sqlite/outbox.ts'
import { createMessageCache } from '../../../src/stores/sqlite/waiting/new-rows.ts'
import { createReads } from '../../../src/stores/sqlite/reads.ts'
import { createMessages } from '../../../src/stores/sqlite/messages.ts'
import { statementsOf } from '../../../src/stores/sqlite/statements.ts'
import { createWriter } from '../../../src/stores/sqlite/writer.ts'
import { newDatabase } from '../../support/new-database.ts'
import { temporaryFolder } from '../../support/store.ts'

function opened() {
  const sqlite = new Database(newDatabase(join(temporaryFolder(), 'perch.sqlite')))
  onTestFinished(() => void sqlite.close())
  return sqlite
}

test('every statement fits the schema, also those that hardly any run needs', () => {
  const sqlite = opened()
  createReads(sqlite)
  createOutbox(sqlite, createMessages(sqlite), createMessageCache())
  createWriter(sqlite, createMessageCache())
})

test('a statement is prepared once, when it is first used', () => {
  const sqlite = opened()
  let prepared = 0
  const { prepare } = statementsOf({
    prepare(sql) {
      prepared++
      return sqlite.prepare(sql)
    },
  })
  const next = prepare('SELECT ? + 1').pluck()
  expect(prepared).toBe(0)
  expect([next.get(1), next.get(2)]).toEqual([2, 3])
  expect(prepared).toBe(1)
})
