import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'

import { say } from '../../../../src/message/message.ts'
import openBackups from '../../../../src/stores/sqlite/backups.ts'
import { openSqlite } from '../../../../src/stores/sqlite/index.ts'
import { newDatabase } from '../../../support/new-database.ts'
import { aRow, chatsOfAlice, sends, temporaryFolder } from '../../../support/store.ts'

const NIGHT = Date.UTC(2026, 10, 23, 4, 15)
const DAY_MS = 86_400_000

/** A backup each, by a clock that shows this, after so many messages in all. */
async function backups(file: string, ...made: { now: number; messages: number }[]): Promise<void> {
  const store = openSqlite(file, 'sim')
  await store.memory.commit(chatsOfAlice(1))
  let sent = 0
  for (const { now, messages } of made) {
    for (; sent < messages; sent++) await store.memory.commit(sends(aRow({ id: sent + 1 })))
    await store.memory.commit([{ is: 'alive', at: now, pricesAt: null, holes: [] }])
    await openBackups({ url: file }).make({ now, to: null })
  }
  await store.admin.close()
}
const restore = (file: string) =>
  openBackups({ url: file }).restore({
    ...{ now: NIGHT + 2 * DAY_MS, from: null, venues: ['sim'] },
    words: () => say('restored'),
  })

test('without a name the one that knows most is put back, and one of a clock that was ahead is named as passed over', async () => {
  const file = newDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const ahead = { now: Date.UTC(2031, 0, 1), messages: 1 }
  await backups(file, ahead, { now: NIGHT, messages: 2 }, { now: NIGHT + DAY_MS, messages: 3 })
  const { from, until, unsound } = await restore(file)
  expect([from, until]).toEqual([
    join(dirname(file), 'backups', 'perch-20261124T041500Z.sqlite'),
    NIGHT + DAY_MS,
  ])
  expect(unsound.map(({ why }) => why)).toEqual([
    expect.stringMatching(/perch-20310101T000000Z\.sqlite has a later name and knows less/),
  ])
})

test('of two that know as much the one with the later name is put back', async () => {
  const file = newDatabase(join(temporaryFolder(), 'perch.sqlite'))
  await backups(file, { now: NIGHT, messages: 1 }, { now: NIGHT + DAY_MS, messages: 1 })
  const { until, unsound } = await restore(file)
  expect([until, unsound]).toEqual([NIGHT + DAY_MS, []])
})
