import Database from 'better-sqlite3'
import { expect, test } from 'vitest'

import type { Send } from '../../src/chat/notifier.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { createStats } from '../../src/stores/sqlite/session.ts'
import { ALICE, type BotUnderTest, CLAIM_CODE, startBot } from '../support/bot.ts'
import { blue, onTwoPlatforms, red } from '../support/two-platforms.ts'

const CRITICAL = 'BTC long: 4.3% to liquidation'

/** The platform answers nothing that helps until the test says so. */
function down(bot: BotUnderTest, chat: string): () => void {
  let isDown = true
  const late = (_send: Send): Delivery => ({
    ...({ is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: false } as const),
    why: 'connection refused',
  })
  const ending = (send: Send) => {
    if (isDown) bot.platforms.get('red')?.delivers(chat, ending)
    return isDown ? late(send) : (undefined as unknown as Delivery)
  }
  bot.platforms.get('red')?.delivers(chat, ending)
  return () => void (isDown = false)
}

/** Of a critical alert that nobody has acknowledged: which of its messages are there, oldest first. */
const timesTold = (heard: string[]) =>
  heard.filter((text) => text.includes(CRITICAL)).map((text) => /Reminder (\d+)/.exec(text)?.[1] ?? 'first')

const count = (heard: string[], words: string) => heard.filter((text) => text.includes(words)).length

test('a critical warning that the preferred platform does not take goes to the fallback as well, once each', async () => {
  await using bot = await onTwoPlatforms()
  const up = down(bot, 'olga')
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(55_000)
  expect(bot.hears('olga-blue', 'blue')).toEqual([])
  await bot.pass(10_000)
  const [told = ''] = bot.hears('olga-blue', 'blue')
  expect(told).toContain(CRITICAL)
  expect(told).toContain('also sent to red chat olga, which hasn’t taken it yet')

  // So does what repeats it. Once it is acknowledged no more of it, however long it lasts, and over a restart.
  await bot.pass(60_000)
  expect(timesTold(bot.hears('olga-blue', 'blue'))).toEqual(['1'])
  await bot.says('/ack', blue)
  await bot.pass(300_000)
  await bot.restart()
  await bot.pass(300_000)
  expect(bot.hears('olga-blue', 'blue')).toEqual([])
  up()
  await bot.pass(60_000)
  expect(timesTold(bot.hears('olga', 'red'))).toEqual(['first'])
})

test('a restart does not forget how long it has waited', async () => {
  await using bot = await onTwoPlatforms()
  down(bot, 'olga')
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(40_000)
  await bot.restart(10_000)
  await bot.pass(15_000)
  expect(count(bot.hears('olga-blue', 'blue'), CRITICAL)).toBe(1)
})

test('so it does when that platform is no longer configured', async () => {
  await using bot = await onTwoPlatforms()
  bot.platforms.delete('red')
  await bot.restart()
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(65_000)
  expect(count(bot.hears('olga-blue', 'blue'), CRITICAL)).toBe(1)
})

test('what a group does not take is told to whoever bound it', async () => {
  await using bot = await onTwoPlatforms()
  bot.platforms.get('red')?.groups.set('traders', { title: 'Traders', mayPost: true, configurers: ['olga'] })
  const place = { chat: 'traders', mayConfigure: true, whisper: true }
  await bot.says('/channel bind', { ...red, place })
  await bot.says('/alert liq main 5%', { ...red, place })
  await bot.pass(2_000)
  bot.hears('olga', 'red')
  down(bot, 'traders')
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(65_000)
  const own = bot.hears('olga', 'red').filter((text) => text.includes('also sent to Traders'))
  expect(count(own, CRITICAL)).toBe(1)
})

test('what a group that is gone does not take is told at once to whoever bound it', async () => {
  await using bot = await onTwoPlatforms()
  bot.platforms.get('red')?.groups.set('traders', { title: 'Traders', mayPost: true, configurers: ['olga'] })
  const place = { chat: 'traders', mayConfigure: true, whisper: true }
  await bot.says('/channel bind', { ...red, place })
  await bot.says('/alert liq main 5%', { ...red, place })
  await bot.pass(2_000)
  bot.hears('olga', 'red')
  bot.platforms.get('red')?.delivers('traders', () => ({ is: 'gone', why: 'the group was deleted' }))
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(4_000)
  const own = bot.hears('olga', 'red').filter((text) => text.includes('also sent to Traders'))
  expect(count(own, CRITICAL)).toBe(1)
})

test('what is not critical waits for its own place', async () => {
  await using bot = await onTwoPlatforms()
  const up = down(bot, 'olga')
  bot.stage.market('BTC', { price: 99 })
  await bot.pass(180_000)
  expect(bot.hears('olga-blue', 'blue')).toEqual([])
  up()
  await bot.pass(60_000)
  expect(count(bot.hears('olga', 'red'), 'BTC long: 9.1% to liquidation')).toBe(1)
})

test('whoever has only one place is warned there, by each message once, when it takes messages again', async () => {
  await using bot = await startBot({ platforms: ['red'] })
  bot.stage.market('BTC', { price: 130 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  await bot.says(`/start ${CLAIM_CODE}`, red)
  await bot.says(`/watch ${ALICE} main`, red)
  await bot.pass(2_000)
  bot.hears('olga', 'red')
  const up = down(bot, 'olga')
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(170_000)
  up()
  await bot.pass(60_000)
  expect(timesTold(bot.hears('olga', 'red'))).toEqual(['first'])
})

test('an alert that is set for a chat known not to work says so, and sends no test', async () => {
  await using bot = await onTwoPlatforms()
  expect(await bot.says('/alert liq BTC 7%', blue)).not.toContain('I can’t write there')
  bot.platforms.get('red')?.blocks('olga')
  await bot.pass(1_000)
  bot.hears('olga-blue', 'blue')
  expect(await bot.says('/alert liq BTC 6%', blue)).toMatch(/I can’t write there now: \S/)
  expect(await bot.says('/alert liq BTC 6%', blue)).toMatch(/I can’t write there now: \S/)
  await bot.pass(1_000)
  expect([...bot.hears('olga-blue', 'blue'), ...bot.hears('olga', 'red')]).toEqual([])
})

test('where a platform can call nobody, that is said instead of a promise', async () => {
  await using bot = await onTwoPlatforms()
  bot.platforms.get('red')?.groups.set('traders', { title: 'Traders', mayPost: true, configurers: ['olga'] })
  const place = { chat: 'traders', mayConfigure: true, whisper: true }
  const answer = await bot.says('/channel bind traders @crew', { ...red, place })
  expect(answer).toContain('On red I can’t call anybody: whoever you named reads it as all others do.')
  expect(answer).not.toContain('is called for')
})

test('whoever wants no fallback has none: neither what waits nor what is critical goes elsewhere', async () => {
  await using bot = await onTwoPlatforms()
  expect(await bot.says('/settings fallback none', red)).toContain('wait for it')
  // That they speak there again does not choose it again.
  await bot.says('/status', blue)
  await bot.restart()
  expect(await bot.says('/settings', blue)).toContain('backup none')
  const up = down(bot, 'olga')
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(300_000)
  expect(bot.hears('olga-blue', 'blue')).toEqual([])
  up()
  await bot.pass(60_000)
  expect(timesTold(bot.hears('olga', 'red'))).toEqual(['first'])
  bot.platforms.get('red')?.blocks('olga')
  bot.stage.market('BTC', { price: 91 })
  await bot.pass(120_000)
  // That they cannot be reached is said where it can be; no warning is.
  const [notice = '', ...more] = bot.hears('olga-blue', 'blue')
  expect(notice).toContain('I can’t write to red chat olga any longer')
  expect([notice, ...more].join('\n')).not.toContain('to liquidation')
  expect(more).toEqual([])
})

test('the trail of an alert names its copy, where it went and when', async () => {
  await using bot = await onTwoPlatforms()
  down(bot, 'olga')
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(65_000)
  const id = /\((A\d+)\)/.exec(bot.hears('olga-blue', 'blue').join())?.[1] ?? ''
  const why = await bot.says(`/why ${id}`, blue)
  expect(why).toMatch(/12:\d\d UTC copied to blue chat olga-blue: red chat olga had not taken it/)
  expect(why).toMatch(/had not taken it\n {2}queued \d+ ms, sent \d+ ms after detection/)
})

test.each([
  ['while it runs on', async () => {}],
  ['over a restart', (bot: BotUnderTest) => bot.restart()],
])('whoever was rung on the fallback hears once that it is over, %s', async (_when, meanwhile) => {
  await using bot = await onTwoPlatforms()
  const up = down(bot, 'olga')
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(65_000)
  expect(count(bot.hears('olga-blue', 'blue'), CRITICAL)).toBe(1)
  up()
  await bot.pass(60_000)
  await meanwhile(bot)
  bot.stage.market('BTC', { price: 130 })
  await bot.pass(120_000)
  expect(count(bot.hears('olga', 'red'), 'BTC long is safe again')).toBe(1)
  expect(count(bot.hears('olga-blue', 'blue'), 'BTC long is safe again')).toBe(1)
  // The next one is taken where it should be.
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(10_000)
  bot.stage.market('BTC', { price: 130 })
  await bot.pass(120_000)
  expect(bot.hears('olga-blue', 'blue')).toEqual([])
})

test('they hear of an end that something else has told', async () => {
  await using bot = await onTwoPlatforms()
  const up = down(bot, 'olga')
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(65_000)
  const id = /\((A\d+)\)/.exec(bot.hears('olga-blue', 'blue').join())?.[1] ?? ''
  up()
  await bot.pass(60_000)
  bot.stage.positions(ALICE, [])
  await bot.pass(60_000)
  expect(bot.hears('olga-blue', 'blue').join('\n')).toContain(`[RESOLVED] BTC long · main: over (${id})`)
})

test('the operator hears how long the oldest has waited, however often it was said again and made one message', async () => {
  await using bot = await onTwoPlatforms()
  down(bot, 'olga')
  const fellAt = bot.clock.now()
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(15 * 60_000)
  using sqlite = reading(bot.database)
  const [critical] = createStats(sqlite.file, sqlite.file).size(['red', 'blue']).waiting
  expect(critical).toMatchObject({ urgency: 0, rows: 1 })
  expect((critical?.oldestAt ?? 0) - fellAt).toBeLessThan(60_000)
})

/** Another program that looks into the file. */
function reading(file: string) {
  const sqlite = new Database(file, { readonly: true })
  return { file: sqlite, [Symbol.dispose]: () => void sqlite.close() }
}
