import { join } from 'node:path'

import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'

import { openSqlite } from '../../../src/stores/sqlite/index.ts'
import { StoreBusy } from '../../../src/store/store.ts'
import { handClock } from '../../support/clock.ts'
import { onInstantDisk } from '../../support/instant-disk.ts'
import { aTurn, chatsOfAlice, temporaryFolder } from '../../support/store.ts'

/** A store on a clock that is turned by hand, and another program that can lock its file. */
function shared() {
  const file = join(temporaryFolder(), 'perch.sqlite')
  const clock = handClock()
  const store = openSqlite(file, 'sim', onInstantDisk, clock)
  const other = new Database(file)
  onTestFinished(async () => {
    other.close()
    await store.admin.close()
  })
  /** How long a commit waits, and how it ends. */
  async function commit(): Promise<[ms: number, outcome: string]> {
    const began = clock.monotonic()
    let outcome = ''
    const work = store.memory.commit(chatsOfAlice(1)).then(
      () => void (outcome = 'kept'),
      (error: unknown) => void (outcome = error instanceof StoreBusy ? 'busy' : String(error)),
    )
    while (outcome === '') {
      await new Promise((resolve) => setImmediate(resolve))
      if (outcome === '') await clock.advance(50)
    }
    await work
    return [clock.monotonic() - began, outcome]
  }
  return { store, other, clock, commit }
}

test('a file that another program locks is waited for once: later calls give up soon while it stays locked', async () => {
  const { store, other, clock, commit } = shared()
  other.exec('BEGIN IMMEDIATE')
  const first = await commit()
  expect(first[1]).toBe('busy')
  expect(first[0]).toBeGreaterThanOrEqual(5_000)
  for (let call = 0; call < 3; call++) {
    await clock.advance(2_000)
    const [ms, outcome] = await commit()
    expect([outcome, ms <= 600]).toEqual(['busy', true])
  }
  await expect(store.outbox.upcoming()).resolves.toMatchObject({ nextDueAt: null })
  other.exec('ROLLBACK')
  expect(await commit()).toEqual([0, 'kept'])
  await expect(store.outbox.round(aTurn())).resolves.toEqual([])
})

test('the next lock, later, is waited for as long as the first', async () => {
  const { other, clock, commit } = shared()
  for (let time = 0; time < 2; time++) {
    other.exec('BEGIN IMMEDIATE')
    const [ms, outcome] = await commit()
    expect([outcome, ms >= 5_000]).toEqual(['busy', true])
    other.exec('ROLLBACK')
    await clock.advance(60_000)
  }
})
