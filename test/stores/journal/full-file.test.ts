import { join } from 'node:path'

import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'

import { systemClock } from '../../../src/runtime/clock.ts'
import { StoreBusy, type Write } from '../../../src/store/store.ts'
import { createCommits } from '../../../src/stores/journal/commits.ts'
import { FORM } from '../../../src/stores/journal/encode.ts'
import { createEntries } from '../../../src/stores/journal/postgres/entries.ts'
import { createLease } from '../../../src/stores/journal/postgres/lease.ts'
import { openLink } from '../../../src/stores/journal/postgres/link.ts'
import { makeTables } from '../../../src/stores/journal/postgres/tables.ts'
import { follow } from '../../../src/stores/journal/standby.ts'
import { openJournaled } from '../../../src/stores/sqlite/journaled/file.ts'
import { breathe, handClock } from '../../support/clock.ts'
import { eventually } from '../../support/patience.ts'
import { sharedPostgres } from '../../support/postgres/shared.ts'
import { temporaryFolder } from '../../support/store.ts'

test('a standby whose file can take nothing does not lead: another one may', async () => {
  const { file, lease, entries } = await leader(0)
  await lease.release((await lease.look(0)).epoch)
  let isFull = true
  const said: (string | null)[] = []
  const following = follow({
    ...{ lease, entries, clock: systemClock(), leaseMs: 1_000, signal: new AbortController().signal },
    file: {
      ...file,
      draft: () => (isFull ? Promise.reject(new StoreBusy('the disk is full')) : file.draft()),
    },
    venues: null,
    heard: () => new Promise(() => {}),
    stands: ({ why }) => void said.push(why),
  })
  await eventually(() => said.includes('the disk is full'))
  expect(await lease.look(0)).toMatchObject({ epoch: 1, isFree: true })
  isFull = false
  expect((await following).epoch).toBe(2)
})

test('a leader whose file takes nothing lets another one lead, where there is one', async () => {
  const { clock, commit, fill, follow, why } = await leader(0)
  await commit('before')
  fill()
  for (let seconds = 0; seconds < 60; seconds++) {
    await expect(commit('zebra')).rejects.toThrow('the disk is full')
    clock.stop(1_000)
  }
  expect(why()).toBe(null)
  follow()
  void commit('zebra')
  await eventually(() => why() !== null)
  expect(why()).toMatch(/^its file takes nothing, and another Perch may lead: .*the disk is full$/)
})

const input = (id: string): Write => ({ is: 'input', input: { platform: 'telegram', id }, at: 1 })
let cells = 0

/** A leader whose file refuses its next `refusals` commits, each after the journal has them. */
async function leader(refusals: number) {
  const clock = handClock()
  const cell = `full${process.pid}-${++cells}`
  const { url } = await sharedPostgres()
  const link = openLink({ server: url, name: 'test', answerMs: 3_000 })
  await makeTables(link, cell, FORM)
  const lease = createLease(link, { cell, name: 'test', leaseMs: 60_000 })
  const { id } = await lease.look(0)
  const epoch = (await lease.take()) ?? 0
  const file = openJournaled(join(temporaryFolder(), 'perch.sqlite'), clock)
  await file.draft()
  file.keep({ journal: id, cell, seq: 0, epoch: 0 })
  onTestFinished(async () => {
    file.close()
    await link.close()
  })
  let left = refusals
  let isFollowed = false
  const refusing = {
    ...file,
    keep(position: Parameters<typeof file.keep>[0]) {
      if (left-- > 0) throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL')
      file.keep(position)
    },
  }
  let why: string | null = null
  const term = {
    ...{ epoch, leaseMs: 3_000, holds: () => true, mayAlarm: () => true, holdsWithin: async () => true },
    ...{ over: new Promise<string>(() => {}), stop: async () => {} },
    isOver: () => why !== null,
    end: (said: string) => void (why ??= said),
  }
  const entries = createEntries(link, cell)
  const commits = createCommits({ file: refusing, entries, term, clock, isFollowed: () => isFollowed })
  return {
    follow: () => (isFollowed = true),
    fill: () => (refusing.draft = () => Promise.reject(new StoreBusy('the disk is full'))),
    ...{ file, clock, lease, entries },
    commit: (word: string) => commits.do((draft) => draft.commit([input(word)])),
    why: () => why,
  }
}

/** Turns the clock until this is so. */
async function until(clock: ReturnType<typeof handClock>, so: () => boolean): Promise<void> {
  while (!so()) {
    await breathe()
    await clock.advance(50)
  }
}

test('a file that is full for a moment takes what the journal has, once there is room', async () => {
  const { file, clock, commit, why } = await leader(5)
  let isKept = false
  void Promise.all([commit('a'), commit('b')]).then(() => (isKept = true))
  await until(clock, () => isKept)
  for (const id of ['a', 'b']) expect(await file.reads.memory.seen({ platform: 'telegram', id })).toBe(true)
  expect([file.position()?.seq, why()]).toEqual([2, null])
})

test('a file that stays full ends the process, with nothing of it in the file: the journal has it for the next start', async () => {
  const { file, clock, entries, commit, why } = await leader(Infinity)
  let isSettled = false
  commit('a').then(
    () => (isSettled = true),
    () => (isSettled = true),
  )
  await until(clock, () => why() !== null)
  expect(why()).toMatch(/^the journal has an entry that the file cannot take: .*full/)
  expect(isSettled).toBe(false)
  expect(await file.reads.memory.seen({ platform: 'telegram', id: 'a' })).toBe(false)
  expect([file.position()?.seq, (await entries.after(0)).length]).toEqual([0, 1])
})
