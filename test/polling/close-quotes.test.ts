import { describe, expect, test } from 'vitest'

import type { AtRisk } from '../../src/alert/deleverage.ts'
import { plainText } from '../../src/message/message.ts'
import { createCloseQuotes } from '../../src/polling/close-quotes.ts'
import type { AlertTransition } from '../../src/runtime/event.ts'
import type { Change } from '../../src/store/change.ts'
import type { OrderDraft, Preview } from '../../src/venue/order.ts'
import { venueOf } from '../../src/venue/venue-name.ts'
import { VenueError, type VenueFailure } from '../../src/venue/venue.ts'
import { handClock, NOON } from '../support/clock.ts'
import { aMarket, aPosition, exact } from '../support/fixtures.ts'

type Told = Extract<Change, { is: 'quoted' }>

const preview: Preview = {
  ...{ estimate: false, fillPrice: exact('2090'), liquidationPrice: exact('1800') },
  ...{
    totalFeesUsd: exact('1.5'),
    marginUsagePercent: null,
    marginRatio: 0.25,
    feasible: true,
    refusal: null,
  },
}

const transition = (alertId: number, reason: 'fired' | 'worse' | 'better' = 'fired'): AlertTransition => ({
  ...{ kind: 'liquidation-distance', subject: 'x', from: 'tier 0', to: 'tier 3' },
  ...{ reason, alert: `A${alertId}` },
})

/** Alerts on positions of their own, or of the same account, that stand as the test says. */
function quoting() {
  const clock = handClock()
  const stopping = new AbortController()
  const stands = new Map<number, AtRisk>()
  const asked: { draft: OrderDraft; answers(failure?: VenueFailure): void; gaveUp(): boolean }[] = []
  const told: Told[] = []
  const { transitioned, inputTaken, idle } = createCloseQuotes({
    ...{ clock, signal: stopping.signal },
    endangered: (alertId) => stands.get(alertId) ?? null,
    ask: (draft, _limitMs, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        const answers = (failure?: VenueFailure) =>
          failure ? reject(new VenueError(failure, 'no')) : resolve(preview)
        asked.push({ draft, answers, gaveUp: () => signal.aborted })
      }),
    venueOf: (accountId) => venueOf(accountId, ['lighter']),
    waits: () => 0,
    tell: async (change) => void told.push(change),
  })
  const market = { value: aMarket({ price: exact('2100') }), at: NOON, mono: 0 }
  return {
    ...{ clock, asked, told, stopping, idle },
    /** It stands there, of the position of this account. */
    stands(alertId: number, over: Partial<AtRisk> = {}, accountId = '1') {
      const position = aPosition({ accountId })
      const whose = { chatId: 1, pool: null, isOfAccount: false }
      const standing = {
        tier: 3,
        severity: 'critical',
        room: 0.04,
        position,
        market,
        ...whose,
        ...over,
      } as const
      stands.set(alertId, { alertId, ...standing })
    },
    over: (alertId: number) => void stands.delete(alertId),
    async fires(...alertIds: number[]) {
      for (const alertId of alertIds) transitioned(transition(alertId))
      inputTaken()
      await clock.advance(0)
    },
    transitioned,
    inputTaken,
    /** All that is asked now is answered, and what is asked for then. */
    async answers() {
      for (let round = 0; round < 2; round++) {
        for (const one of asked) one.answers()
        await clock.advance(0)
      }
    },
    lines: () =>
      told
        .flatMap(({ alerts }) => alerts)
        .map(({ lines }) => lines.map((line) => plainText(line, { now: NOON, zone: 'UTC' }))),
  }
}

describe('what closing an endangered position costs', () => {
  test('is asked for each part, and told of the alert as it was asked about', async () => {
    const bot = quoting()
    bot.stands(41)
    await bot.fires(41)
    await bot.answers()
    expect(bot.asked.map(({ draft }) => draft.sizeDelta)).toEqual([exact('-1'), exact('-0.5'), exact('-2')])
    expect(bot.told).toMatchObject([{ alerts: [{ alertId: 41, tier: 3 }] }])
    expect(bot.lines()).toEqual([['Close 25% → 14.3% away (-$205)', 'Close 50% → 14.3% away (-$410)']])
  })

  test('is asked once for all who are warned of the position', async () => {
    const bot = quoting()
    for (const alertId of [41, 42]) bot.stands(alertId)
    await bot.fires(41, 42)
    await bot.answers()
    expect(bot.asked).toHaveLength(3)
    expect(bot.told[0]?.alerts.map(({ alertId }) => alertId)).toEqual([41, 42])
  })

  test('of an account is told by what becomes of the account, of the position that was asked about', async () => {
    const bot = quoting()
    const pool = { pool: 'main', isOfAccount: true }
    bot.stands(41, pool)
    await bot.fires(41)
    // Another of its positions is the largest by the time that the venue answers.
    bot.stands(41, { ...pool, market: { value: aMarket({ symbol: 'BTC' }), at: NOON, mono: 0 } }, '2')
    await bot.answers()
    expect(bot.told).toMatchObject([{ position: { accountId: '1' } }])
    expect(bot.lines()).toEqual([
      ['Close 25% of ETH → ratio 25% (-$205)', 'Close 50% of ETH → ratio 25% (-$410)'],
    ])
  })

  test('is told of the position alone where its account is warned of in the same breath, chat by chat', async () => {
    const bot = quoting()
    bot.stands(41, { pool: 'main' })
    bot.stands(42, { pool: 'main', isOfAccount: true })
    bot.stands(43, { pool: 'main', isOfAccount: true, chatId: 2 })
    await bot.fires(41, 42, 43)
    await bot.answers()
    expect(bot.asked).toHaveLength(3)
    expect(bot.told[0]?.alerts.map(({ alertId }) => alertId)).toEqual([41, 43])
  })

  test.each<[string, (bot: ReturnType<typeof quoting>) => void]>([
    ['that is over by then', (bot) => bot.over(41)],
    ['when the bot stops', (bot) => bot.stopping.abort()],
  ])('is not told of an alert %s', async (_when, happens) => {
    const bot = quoting()
    bot.stands(41)
    await bot.fires(41)
    happens(bot)
    await bot.answers()
    expect(bot.told).toEqual([])
    await bot.idle()
  })

  test('is asked anew when it gets worse, and only the newer answer is told', async () => {
    const bot = quoting()
    bot.stands(41)
    await bot.fires(41)
    bot.stands(41, { tier: 4 })
    bot.transitioned(transition(41, 'worse'))
    bot.inputTaken()
    expect(bot.asked[0]?.gaveUp()).toBe(true)
    await bot.clock.advance(0)
    await bot.answers()
    expect(bot.told.map(({ alerts }) => alerts[0]?.tier)).toEqual([4])
  })

  test('is not asked when it gets better', async () => {
    const bot = quoting()
    bot.stands(41)
    bot.transitioned(transition(41, 'better'))
    bot.inputTaken()
    await bot.clock.advance(0)
    expect(bot.asked).toEqual([])
  })

  test('is as much as came within ten seconds; what is lacking is said, and what comes later is nobody’s', async () => {
    const bot = quoting()
    bot.stands(41)
    await bot.fires(41)
    bot.asked[0]?.answers()
    await bot.clock.advance(0)
    bot.asked[1]?.answers()
    await bot.clock.advance(9_999)
    expect(bot.told).toEqual([])
    await bot.clock.advance(1)
    expect(bot.lines()[0]).toEqual(['Close 25% → 14.3% away (-$205)', 'Close 50% → 14.3% away (-$410)'])
    await bot.answers()
    expect(bot.told).toHaveLength(1)
    expect(bot.clock.waiting()).toBe(0)
  })

  test('is nothing when the venue is silent or refuses, and it is not asked a second time', async () => {
    const bot = quoting()
    bot.stands(41)
    await bot.fires(41)
    await bot.clock.advance(600_000)
    bot.stands(42, {}, '2')
    await bot.fires(42)
    bot.asked[1]?.answers({ is: 'refused', status: 500, message: null })
    await bot.clock.advance(600_000)
    expect(bot.asked).toHaveLength(2)
    expect(bot.told).toEqual([])
  })

  test('is not asked for a minute where the venue turns it away for the number of requests', async () => {
    const bot = quoting()
    for (const alertId of [41, 42, 43, 44]) bot.stands(alertId, {}, String(alertId))
    await bot.fires(41)
    bot.asked[0]?.answers({ is: 'limited', retryAfterMs: 1_000 })
    await bot.clock.advance(59_000)
    await bot.fires(42, 43)
    expect(bot.asked).toHaveLength(1)
    await bot.clock.advance(1_000)
    await bot.fires(44)
    expect(bot.asked.at(-1)?.draft.accountId).toBe('44')
    bot.stopping.abort()
    await bot.idle()
  })
})

test('a venue that turns a quote away leaves those of another as they are', async () => {
  const bot = quoting()
  bot.stands(41, {}, 'lighter/1')
  bot.stands(42, { room: 0.03 }, '2')
  for (const id of [43, 44, 45]) bot.stands(id, { room: 0.05 }, id === 45 ? '5' : `lighter/${id}`)
  await bot.fires(41, 42, 43, 44, 45)
  bot.asked
    .find(({ draft }) => draft.accountId === 'lighter/1')
    ?.answers({ is: 'limited', retryAfterMs: null })
  await bot.clock.advance(0)
  await bot.answers()
  const accounts = () => [...new Set(bot.asked.map(({ draft }) => draft.accountId))]
  expect(accounts()).toEqual(['2', 'lighter/1', '5'])
  bot.stands(46, {}, 'lighter/6')
  bot.stands(47, {}, '7')
  await bot.fires(46, 47)
  expect(accounts()).toEqual(['2', 'lighter/1', '5', '7'])
  await bot.clock.advance(60_000)
  bot.stands(48, {}, 'lighter/8')
  await bot.fires(48)
  expect(accounts().at(-1)).toBe('lighter/8')
  bot.stopping.abort()
  await bot.idle()
})

describe('in a crash', () => {
  test('two positions are asked about at a time, the worst first, and ten in all', async () => {
    const bot = quoting()
    const ids = Array.from({ length: 10_000 }, (_, at) => at)
    for (const id of ids) bot.stands(id, { room: id / 20_000 }, String(id))
    await bot.fires(...ids)
    const accounts = () => [...new Set(bot.asked.map(({ draft }) => draft.accountId))]
    expect(accounts()).toEqual(['0', '1'])
    for (let round = 0; round < 20; round++) await bot.answers()
    expect(accounts()).toEqual(Array.from({ length: 10 }, (_, at) => String(at)))
    expect(bot.asked).toHaveLength(30)
  })

  test('what is critical goes before a warning that leaves less', async () => {
    const bot = quoting()
    bot.stands(1, { severity: 'warning', room: 0.001 }, '1')
    bot.stands(2, { room: 0.04 }, '2')
    bot.stands(3, { room: 0.03 }, '3')
    await bot.fires(1, 2, 3)
    expect(bot.asked.map(({ draft }) => draft.accountId)).toEqual(['3', '2'])
    bot.stopping.abort()
    await bot.idle()
  })

  test('who has waited for more than twenty seconds is not asked about any more', async () => {
    const bot = quoting()
    const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    for (const id of ids) bot.stands(id, { room: id / 100 }, String(id))
    await bot.fires(...ids)
    // The venue answers none of them: each takes its ten seconds.
    await bot.clock.advance(60_000)
    expect(bot.asked.map(({ draft }) => Number(draft.accountId))).toEqual([1, 2, 3, 4, 5, 6])
    expect(bot.told).toEqual([])
  })
})
