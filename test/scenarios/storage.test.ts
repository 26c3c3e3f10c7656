import { rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import Database from 'better-sqlite3'
import { expect, test } from 'vitest'

import { ALICE, type BotUnderTest, startBot } from '../support/bot.ts'
import { isOnJournal } from '../support/database-url.ts'
import { watched } from '../support/watched.ts'

const olga = { platform: 'red', user: 'olga' }

async function watching({ unheard = false } = {}): Promise<BotUnderTest> {
  const bot = await startBot({ platforms: ['red'], unheard })
  await watched(bot, 130, { by: olga })
  return bot
}

/** Nothing can be written any more, as on a full disk; returns how to end that. */
function fills(database: string): () => void {
  const run = (sql: (table: string) => string) => {
    const sqlite = new Database(database)
    for (const table of ['meta', 'outbox', 'states', 'owners']) sqlite.exec(sql(table))
    sqlite.close()
  }
  const words = "RAISE(FAIL, 'database or disk is full')"
  run((table) => `CREATE TRIGGER full_${table} BEFORE INSERT ON ${table} BEGIN SELECT ${words}; END`)
  return () => run((table) => `DROP TRIGGER full_${table}`)
}

// With a journal behind it a process whose file is full, lost or no longer its own ends: a standby leads, or a start makes the
// file anew. So these stories are skipped there, and test/stores/journal has its own.

test.skipIf(isOnJournal)(
  'a full disk is told to the operator at once and once, by /status, and when it is over',
  async () => {
    await using bot = await watching()
    const empties = fills(bot.database)
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(2_000)
    expect(bot.hears('olga', 'red')).toEqual([
      expect.stringContaining('[BLIND] I can’t save anything now\n  database or disk is full'),
    ])
    const status = await bot.says('/status', olga)
    expect(status).toContain('[BLIND] I can’t save anything now')
    expect(status).toContain('database or disk is full')
    await bot.pass(300_000)
    expect(bot.hears('olga', 'red')).toEqual([])

    empties()
    await bot.pass(50_000)
    expect(await bot.says('/ack', olga)).toMatch(/✓ BTC long · main: quiet until/)
    await bot.pass(40_000)
    const heard = bot.hears('olga', 'red')
    expect(heard.filter((text) => text.includes('BTC long: 4.3% to liquidation'))).toHaveLength(1)
    expect(heard.filter((text) => text.includes('I can save again'))).toHaveLength(1)
    expect(await bot.says('/status', olga)).toMatch(/^I see everything/)
  },
)

test('people are warned of everything although nobody listens to events', async () => {
  await using bot = await watching({ unheard: true })
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(4_000)
  expect(bot.hears('olga', 'red')).toEqual([expect.stringContaining('BTC long: 4.3% to liquidation')])
  const seen = bot.platforms.get('red')?.sees('olga', 'olga') ?? []
  expect(seen.map(({ text }) => text)).toContainEqual(
    expect.stringContaining('Close 25% → 40.0% away (-$9.73)'),
  )

  const empties = fills(bot.database)
  bot.stage.market('BTC', { price: 92 })
  await bot.pass(4_000)
  const heard = bot.hears('olga', 'red').join('\n')
  expect(heard).toContain('[BLIND] I can’t save anything now')
  empties()
  await bot.pass(90_000)
  expect(bot.hears('olga', 'red').join('\n')).toContain('I can save again')
})

test.skipIf(isOnJournal).each<[string, (file: string) => void]>([
  ['is overwritten', (file) => writeFileSync(file, 'Dear diary')],
  ['is replaced', (file) => (rmSync(file), writeFileSync(file, ''))],
])('a database that %s is noticed although everything still seems to work', async (_how, happens) => {
  await using bot = await watching()
  happens(bot.database)
  await bot.pass(12_000)
  expect(bot.hears('olga', 'red').join()).toContain('[BLIND] I can’t save anything now\n  the database')
  expect(await bot.says('/status', olga)).toContain('I can’t save anything now')
})

test.skipIf(isOnJournal).each<[string, (file: string) => void]>([
  ['the database', (file) => rmSync(file)],
  ['its folder', (file) => rmSync(dirname(file), { recursive: true })],
  ['its log', (file) => rmSync(`${file}-wal`)],
])(
  'when somebody deletes %s, it is written anew, nothing is lost, and the operator hears of it',
  async (_what, happens) => {
    await using bot = await watching()
    happens(bot.database)
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(12_000)
    expect(bot.hears('olga', 'red').join()).toMatch(
      /\[BLIND\] I can’t save anything now\n {2}the (database|log) \S+ is not there any more: I am writing it anew/,
    )
    await bot.pass(80_000)
    expect(bot.hears('olga', 'red').join()).toContain('[RESOLVED] I can save again')
    expect(await bot.says('/ack', olga)).toMatch(/✓ BTC long · main: quiet until/)
    await bot.restart()
    await bot.pass(2_000)
    expect(await bot.says('/why A1', olga)).toContain('acknowledged by olga')
  },
)

/** Another program holds the write lock of the database; returns how to end that. */
function locks(database: string): () => void {
  const other = new Database(database)
  other.exec('BEGIN IMMEDIATE')
  return () => {
    other.exec('ROLLBACK')
    other.close()
  }
}

test.skipIf(isOnJournal)(
  'while another program holds the database, nobody is told that the venue is unseen; then each hears a critical once',
  async () => {
    await using bot = await startBot({ platforms: ['red'], settings: { access: 'open' }, crowded: true })
    const people = ['ann', 'bob', 'carl', 'dora', 'eve']
    bot.stage.market('BTC', { price: 130 })
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
    await bot.pass(2_000)
    for (const user of people) await bot.says(`/watch ${ALICE} main`, { platform: 'red', user })
    await bot.pass(20_000)
    for (const user of people) bot.hears(user, 'red')

    const unlock = locks(bot.database)
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(9_000)
    const failing = bot.events.find((event) => event.is === 'store')
    expect(failing).toMatchObject({ why: expect.stringContaining('another program keeps') })
    const turns = () => bot.events.filter((event) => event.is === 'turn-failed').length
    const before = turns()
    await bot.pass(30_000)
    // Each turn waits for half a second at most, so readings go on being taken up.
    expect(turns() - before).toBeGreaterThan(10)
    for (const user of people) expect(bot.hears(user, 'red')).toEqual([])

    unlock()
    await bot.pass(30_000)
    for (const user of people) {
      const heard = bot.hears(user, 'red')
      expect(heard.filter((text) => text.includes('BTC long: 4.3%'))).toHaveLength(1)
      expect(heard.filter((text) => text.includes('can’t see'))).toEqual([])
    }
    expect(bot.events.filter((event) => event.is === 'outage')).toEqual([])
  },
)
