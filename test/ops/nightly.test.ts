import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { getTasks, parse, validate } from 'node-cron'
import { expect, onTestFinished, test, vi } from 'vitest'

import { backUpNightly } from '../../src/ops/nightly.ts'
import type { Event } from '../../src/runtime/event.ts'
import { noticeText } from '../support/notices.ts'
import type { Backup } from '../../src/store/backup.ts'
import { openSqlite } from '../../src/stores/sqlite/index.ts'
import { handClock } from '../support/clock.ts'
import { newDatabase } from '../support/new-database.ts'
import { temporaryFolder } from '../support/store.ts'

const HOUR_MS = 3_600_000
const QUARTER_PAST_TEN = Date.UTC(2026, 10, 23, 10, 15)

/** The bot from a quarter past ten on, looking every hour; `makes` is what happens when a copy is to be made. */
async function nights(given: { newest: number | null; makes?: () => void }) {
  const clock = handClock(QUARTER_PAST_TEN)
  const events: Event[] = []
  const backups: Backup[] = []
  const made = (at: number) => {
    backups.push({ file: `${at}`, at, bytes: 7 })
    backups.sort((a, b) => b.at - a.at)
  }
  if (given.newest !== null) made(given.newest)
  let look = async () => {}
  let stopped = 0
  const expressions: string[] = []
  const { stop } = backUpNightly({
    ...{ clock, emit: (event) => events.push(event), list: async () => backups },
    async make() {
      given.makes?.()
      made(clock.now())
    },
    every(expression, run) {
      expressions.push(expression)
      look = run
      return { stop: () => stopped++ }
    },
  })
  await clock.advance(0)
  return {
    ...{ clock, events, expressions, made, stop, stopped: () => stopped },
    /** When a copy was made in so many hours, as hours of the first day. */
    async passes(hours: number) {
      const times: number[] = []
      for (let hour = 0; hour < hours; hour++) {
        const before = backups.length
        await look()
        if (backups.length > before) times.push((clock.now() - Date.UTC(2026, 10, 23)) / HOUR_MS)
        await clock.advance(HOUR_MS)
      }
      return times
    },
    told: () => events.map(noticeText).filter((words) => words !== null),
  }
}

test('a copy is made after four every night, and at once when that was missed', async () => {
  const bot = await nights({ newest: Date.UTC(2026, 10, 22, 4, 15) })
  expect(await bot.passes(3 * 24)).toEqual([10.25, 28.25, 52.25, 76.25])
  expect(bot.events.filter(({ is }) => is === 'backup')).toHaveLength(5)
})

test('nothing is made anew when last night’s is there, and where there is none yet the first does not wait for the night', async () => {
  expect(await (await nights({ newest: Date.UTC(2026, 10, 23, 4, 15) })).passes(12)).toEqual([])
  expect(await (await nights({ newest: null })).passes(12)).toEqual([10.25])
})

test('one from a clock that was ahead stands for no night, and hides from nobody how old the newest is', async () => {
  const bot = await nights({ newest: Date.UTC(2027, 10, 23) })
  expect(await bot.passes(24)).toEqual([10.25, 28.25])
  const said = bot.events.flatMap((event) => (event.is === 'backup' ? [event.madeAt] : []))
  expect(said).toEqual([null, Date.UTC(2026, 10, 23, 10, 15), Date.UTC(2026, 10, 24, 4, 15)])
})

test('the start says from when the newest is, or that there is none', async () => {
  expect((await nights({ newest: 5 })).events).toEqual([{ is: 'backup', madeAt: 5, bytes: 7 }])
  expect((await nights({ newest: null })).events).toEqual([{ is: 'backup', madeAt: null, bytes: 0 }])
})

test('what fails is tried every hour, and told to the operator once, and once more after one was made', async () => {
  let full = true
  const makes = () => {
    if (full) throw new Error('there is no room for a copy')
  }
  const bot = await nights({ newest: null, makes })
  await bot.passes(5)
  expect(bot.events.filter(({ is }) => is === 'backup-failed')).toHaveLength(5)
  expect(bot.told()).toEqual([
    'No backup could be made: there is no room for a copy. I try again every hour, and stay silent about it until one was made.',
  ])
  full = false
  expect(await bot.passes(1)).toEqual([15.25])
  full = true
  await bot.passes(24)
  expect(bot.told()).toHaveLength(2)
})

test('one that was made by hand meanwhile is known of within the hour, and said once', async () => {
  const bot = await nights({
    newest: null,
    makes() {
      throw new Error('no room')
    },
  })
  await bot.passes(2)
  const madeAt = bot.clock.now()
  bot.made(madeAt)
  bot.events.splice(0)
  await bot.passes(3)
  expect(bot.events).toEqual([{ is: 'backup', madeAt, bytes: 7 }])
})

test('it looks once an hour, in words that cron knows, and no more when the bot stops', async () => {
  const bot = await nights({ newest: null })
  const [expression = ''] = bot.expressions
  expect(validate(expression)).toBe(true)
  expect(parse(expression)).toMatchObject({ second: [0], minute: [15] })
  bot.stop()
  expect(bot.stopped()).toBe(1)
})

test('the hours are counted when the start is over, and no more by a bot that has stopped', async () => {
  const clock = handClock(QUARTER_PAST_TEN)
  const begun = () => backUpNightly({ clock, emit() {}, list: async () => [], async make() {} })
  const others = getTasks().size
  const bot = begun()
  const brief = begun()
  await clock.advance(9_999)
  brief.stop()
  expect(getTasks().size).toBe(others)
  await clock.advance(1)
  expect(getTasks().size).toBe(others + 1)
  bot.stop()
  expect(getTasks().size).toBe(others)
})

test('it is made by what npm run backup starts, of the database that the bot has, and why there is none is that one’s sentence', async () => {
  const file = join(temporaryFolder(), 'perch.sqlite')
  vi.stubEnv('DATABASE_URL', file)
  onTestFinished(() => void vi.unstubAllEnvs())
  const events: Event[] = []
  let look = async () => {}
  backUpNightly({
    ...{ clock: handClock(), emit: (event) => events.push(event), list: async () => [] },
    every: (_expression, run) => ((look = run), { stop() {} }),
  })
  await look()
  expect(events.at(-1)).toEqual({
    ...{ is: 'backup-failed', again: false },
    why: `There is no database at ${file} yet. Check DATABASE_URL.`,
  })
  await openSqlite(newDatabase(file), 'sim').admin.close()
  await look()
  expect(readdirSync(join(file, '../backups'))).toEqual([expect.stringMatching(/^perch-\w+\.sqlite$/)])
  expect(events.at(-1)).toEqual({ is: 'backup', madeAt: null, bytes: 0 })
})
