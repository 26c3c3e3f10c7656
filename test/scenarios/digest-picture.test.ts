import { describe, expect, test } from 'vitest'

import type { DayPicture, DrawingOrder } from '../../src/message/picture.ts'
import { ALICE, BOB } from '../support/bot.ts'
import { PNG } from '../support/pictures.ts'
import { CLAIM, startTelegramBot } from '../support/telegram/bot.ts'

const MINUTE_MS = 60_000
const SLOW = { marketPollMs: 20_000, walletPollMinMs: 20_000, walletPollMaxMs: 40_000 }
const BTC = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }
const ETH = { symbol: 'ETH', size: -3, entry: 50, liquidation: 80 }

type Options = Partial<Parameters<typeof startTelegramBot>[0]>

/** At noon Ann watches a wallet that is long BTC and short ETH. Her digest comes at 12:15. */
async function watching(options: Options = {}) {
  const orders: DrawingOrder[] = []
  const bot = await startTelegramBot({
    periods: SLOW,
    async draw(order, isUrgent) {
      expect(isUrgent).toBe(false)
      orders.push(order)
      return PNG
    },
    ...options,
  })
  const { stage, telegram } = bot
  stage.market('BTC', { price: 130, funding: 0.001 })
  stage.market('ETH', { price: 60, funding: 0 })
  stage.positions(ALICE, [BTC, ETH])
  await bot.pass(MINUTE_MS)
  const ann = telegram.user('Ann')
  await bot.says(ann, `/start ${CLAIM}`)
  await bot.says(ann, '/settings zone UTC')
  await bot.says(ann, `/watch ${ALICE} main`)
  await bot.says(ann, '/digest 12:15')
  await bot.pass(3 * MINUTE_MS)
  const sends = (to: { id: number } = ann) => telegram.ledger.sends.filter(({ chat }) => chat === to.id)
  const photos = (to?: { id: number }) => sends(to).filter(({ method }) => method === 'sendPhoto')
  const digests = (to?: { id: number }) => sends(to).filter(({ text }) => text.startsWith('Daily digest'))
  const days = () => orders.flatMap(({ picture }) => (picture.is === 'day' ? [picture] : []))
  return Object.assign(bot, { ann, orders, sends, photos, digests, days })
}

test('the words of a digest come first, and the picture of the day follows silently, with its figures', async () => {
  await using bot = await watching()
  bot.stage.market('BTC', { price: 126, funding: 0.001 })
  await bot.pass(6 * MINUTE_MS)
  bot.stage.market('BTC', { price: 128, funding: 0.001 })
  bot.stage.market('ETH', { price: 62, funding: 0 })
  await bot.pass(6 * MINUTE_MS)
  const all = bot.sends()
  const [words] = bot.digests()
  const [photo, ...others] = bot.photos()
  expect(others).toEqual([])
  expect(all.findIndex((one) => one === words)).toBeLessThan(all.findIndex((one) => one === photo))
  expect(photo?.silent).toBe(true)
  // 1.5 × (128 − 130) − 3 × (62 − 60)
  expect(photo?.text).toMatch(
    /^Your day, .*12:0\d UTC to .*12:15 UTC: PnL -\$9\.00 from prices, funding about -<?\$0\.01\. Nearest: ETH short, 29\.0% from liquidation\.$/,
  )
  expect(bot.days()).toMatchObject([
    {
      ...{ pnl: -9, isWhole: true, fired: { critical: 0, warning: 0, info: 0 }, marks: [] },
      nearest: { symbol: 'ETH', side: 'short', distance: 18 / 62 },
    },
  ])
  const [order] = bot.orders
  expect(order).toMatchObject({ format: 'card', simulated: false, reader: { zone: 'UTC', theme: 'dark' } })
  expect(Math.min(...(order?.course.prices ?? []))).toBe(-9)
  expect(order?.course.prices.at(-1)).toBe(-9)
  expect(order?.course.prices).toContain(-6)
})

test('alerts of the day are marks on it, with what they were', async () => {
  const days: DayPicture[] = []
  await using bot = await watching({
    async draw({ picture }) {
      if (picture.is === 'day') days.push(picture)
      return PNG
    },
  })
  bot.stage.market('BTC', { price: 94.5 })
  await bot.pass(6 * MINUTE_MS)
  bot.stage.market('BTC', { price: 130 })
  await bot.pass(6 * MINUTE_MS)
  expect(days).toMatchObject([{ pnl: 0, fired: { critical: 1 }, marks: [{ severity: 'critical' }] }])
  const [day] = days
  expect((day?.marks[0]?.at ?? 0) > (day?.since ?? Infinity)).toBe(true)
})

test('in a group it shows the wallets that alerts were set for there, and no others', async () => {
  await using bot = await watching()
  bot.stage.positions(BOB, [{ symbol: 'ETH', size: 2, entry: 50, liquidation: 30 }])
  const desk = bot.telegram.group('Desk', { owner: bot.ann, supergroup: true })
  for (const line of [`/watch ${BOB} club`, `/channel bind ${desk.id}`, '/digest off'])
    await bot.says(bot.ann, line)
  bot.ann.says(desk, '/alert liq club 5%')
  await bot.pass(2_000)
  bot.ann.says(desk, `/digest@${bot.telegram.botName} 12:15`)
  await bot.pass(2 * MINUTE_MS)
  bot.stage.market('ETH', { price: 61, funding: 0 })
  await bot.pass(10 * MINUTE_MS)
  expect(bot.photos()).toEqual([])
  expect(bot.photos(desk)).toHaveLength(1)
  // Ann's own short would have lost three dollars.
  expect(bot.days()).toMatchObject([{ pnl: 2, nearest: { symbol: 'ETH', side: 'long' } }])
})

describe('no picture follows', () => {
  test.each([
    ['where pictures are off', '/settings pictures off'],
    ['where only critical alerts bring one', '/settings pictures critical'],
  ])('%s', async (_what, line) => {
    await using bot = await watching()
    await bot.says(bot.ann, line)
    await bot.pass(12 * MINUTE_MS)
    expect([bot.digests().length, bot.photos()]).toEqual([1, []])
  })

  test('where nothing is held', async () => {
    await using bot = await watching()
    await bot.says(bot.ann, '/unwatch main yes')
    await bot.says(bot.ann, `/watch ${BOB} empty`)
    await bot.pass(12 * MINUTE_MS)
    expect([bot.digests().length, bot.photos()]).toEqual([1, []])
  })
})

test('a record that cannot be read costs the picture alone, and the next run repeats no words', async () => {
  let fails = false
  await using bot = await watching({
    keeps: (store) => ({
      ...store,
      recording: {
        ...store.recording,
        async blocks(...asked) {
          if (fails) throw new Error('disk gone')
          return store.recording.blocks(...asked)
        },
      },
    }),
  })
  await bot.pass(10 * MINUTE_MS)
  fails = true
  await bot.pass(3 * MINUTE_MS)
  expect([bot.digests().length, bot.photos()]).toEqual([1, []])
  expect(bot.events).toContainEqual(
    expect.objectContaining({ is: 'trouble', where: 'pictures', why: 'pictures could not be queued' }),
  )
  fails = false
  await bot.restart()
  await bot.pass(6 * MINUTE_MS)
  expect([bot.digests().length, bot.photos()]).toEqual([1, []])
})

test('an upload that fails neither repeats nor delays the words', async () => {
  await using bot = await watching()
  bot.telegram.fault({ method: 'sendPhoto', kind: 'reset' }, { method: 'sendPhoto', kind: 'reset' })
  await bot.pass(12 * MINUTE_MS)
  expect(bot.digests()).toHaveLength(1)
  const [photo, ...others] = bot.photos()
  expect([photo?.text.includes('possible repeat'), others]).toEqual([true, []])
})
