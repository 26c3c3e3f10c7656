import { describe, expect, test } from 'vitest'

import { ALICE, BOB, type BotUnderTest, UNHURRIED } from '../support/bot.ts'
import { onHyperliquid } from '../support/on-hyperliquid.ts'
import { titles } from '../support/watched.ts'

const MINUTE_MS = 60_000
const STRANGER = `0x${'1'.repeat(40)}`

/** What is told from now on, until nothing more can come. */
async function told(bot: BotUnderTest): Promise<string[]> {
  const heard: string[] = []
  for (let minute = 0; minute < 3; minute++) {
    await bot.pass(MINUTE_MS)
    heard.push(...bot.hears())
  }
  return heard
}

/** The same of positions that have ended. */
async function ends(bot: BotUnderTest): Promise<string[]> {
  return (await told(bot)).filter((text) => /(long|short) (was|is gone)/.test(text))
}

const long = { leverage: 20 }

describe('a position on Hyperliquid', () => {
  test('that is liquidated is told as that, once, with its price and what it cost', async () => {
    await using bot = await onHyperliquid(UNHURRIED)
    const wallet = bot.venue.account(ALICE, { usd: 3_000 })
    const { market } = wallet.trades('BTC', 0.5, long)
    await bot.answers(`/watch ${ALICE} main`)
    bot.venue.moves({ BTC: market.mark * 0.9 })
    const heard = await ends(bot)
    expect(titles(heard)).toEqual([expect.stringMatching(/^\[CRITICAL\] BTC long was liquidated/)])
    expect(heard[0]).toMatch(/lost \$3,\d{3} at \$[\d,]+ on average, no fee/)
    expect(heard[0]).toContain('by the venue’s record')
    expect(heard[0]).not.toMatch(/about|estimate/)
    expect(bot.asked('userFillsByTime')).toBe(1)
  })

  test('whose owner took the other side of a liquidation was closed, whatever stands on the trade', async () => {
    await using bot = await onHyperliquid(UNHURRIED)
    const other = bot.venue.account(BOB, { usd: 3_000 })
    const { market } = other.trades('BTC', 0.5, long)
    const wallet = bot.venue.account(ALICE, { usd: 100_000 })
    wallet.trades('BTC', -0.5)
    bot.venue.liquidator(wallet)
    await bot.answers(`/watch ${ALICE} main`)
    bot.venue.moves({ BTC: market.mark * 0.9 })
    const heard = await ends(bot)
    expect(titles(heard)).toEqual([expect.stringMatching(/^\[INFO\] BTC short was closed/)])
    expect(heard[0]).toMatch(/made \$3,\d{3} at/)
    expect(wallet.state.fills.at(-1)?.liquidation).not.toBeNull()
  })

  test('that its owner closes is told with the price and the result, and no estimate', async () => {
    await using bot = await onHyperliquid(UNHURRIED)
    const wallet = bot.venue.account(ALICE, { usd: 100_000 })
    wallet.trades('BTC', 0.5, { at: 66_000 })
    await bot.answers(`/watch ${ALICE} main`)
    wallet.trades('BTC', -0.5, { at: 67_000 })
    const heard = await ends(bot)
    expect(titles(heard)).toEqual([expect.stringMatching(/^\[INFO\] BTC long was closed/)])
    expect(heard[0]).toContain('made $485 at $67,000 on average, $15.07 fee included')
    expect(heard[0]).not.toMatch(/about|estimate/)
  })

  test('in a market that is delisted was settled, and was in no danger by the price of that', async () => {
    await using bot = await onHyperliquid(UNHURRIED)
    const wallet = bot.venue.account(ALICE, { usd: 1_000 })
    wallet.trades('ATOM', 1_000, { at: 2, leverage: 5 })
    bot.venue.moves({ ATOM: 2 })
    await bot.answers(`/watch ${ALICE} main`)
    // The price is seen first, and is beyond the liquidation price that was read before.
    bot.venue.fault({ kind: 'error', type: 'clearinghouseState', times: 3 })
    bot.venue.delists('ATOM', 0.9)
    const heard = await told(bot)
    expect(titles(heard)).toEqual([
      expect.stringMatching(/^\[WARNING\] ATOM long was settled: the market is delisted/),
    ])
    expect(heard[0]).toContain('lost $1,100 at $0.9 on average')
  })

  test('of which the venue takes a part first is told so as critical, and is liquidated once', async () => {
    await using bot = await onHyperliquid(UNHURRIED)
    const wallet = bot.venue.account(ALICE, { usd: 10_000 })
    bot.venue.moves({ BTC: 66_000 })
    wallet.trades('BTC', 2.5, { at: 66_000, ...long })
    await bot.answers(`/watch ${ALICE} main`)
    bot.venue.moves({ BTC: 62_700 })
    const first = await told(bot)
    expect(titles(first)).toContainEqual(
      expect.stringMatching(/^\[CRITICAL\] BTC long was partly liquidated/),
    )
    expect(first.join('\n')).toMatch(/lost \$1,6\d\d(\.\d+)? on 0\.5 of 2\.5 BTC at \$62,6\d\d/)
    bot.venue.moves({ BTC: 61_000 })
    const heard = await ends(bot)
    // Whoever was warned of the account's margin hears in the same message that it is over.
    expect(heard).toHaveLength(1)
    expect(titles(heard)).toEqual([
      expect.stringMatching(/^\[CRITICAL\] BTC long was liquidated/),
      expect.stringMatching(/^\[INFO\] main: margin alert ended/),
    ])
    expect(heard[0]).toMatch(/lost \$10k at \$61,000 on average/)
  })

  test('that turned round ended as one and began as another', async () => {
    await using bot = await onHyperliquid(UNHURRIED)
    const wallet = bot.venue.account(ALICE, { usd: 100_000 })
    wallet.trades('BTC', 0.5, { at: 66_000 })
    await bot.answers(`/watch ${ALICE} main`)
    wallet.trades('BTC', -0.8, { at: 67_000 })
    const heard = await ends(bot)
    expect(titles(heard).filter((title) => title.includes('was'))).toEqual([
      expect.stringMatching(/BTC long was closed/),
    ])
    expect(heard[0]).toContain('made $485 at $67,000 on average')
  })

  test('that was liquidated while the bot was down is told as that, and that it was away', async () => {
    await using bot = await onHyperliquid(UNHURRIED)
    const wallet = bot.venue.account(ALICE, { usd: 3_000 })
    const { market } = wallet.trades('BTC', 0.5, long)
    await bot.answers(`/watch ${ALICE} main`)
    const { mark } = market
    bot.clock.wakeAt(bot.clock.monotonic() + 5 * MINUTE_MS, () => {
      bot.venue.moves({ BTC: mark * 0.9 })
      bot.venue.moves({ BTC: mark })
    })
    await bot.restart(10 * MINUTE_MS)
    const heard = await ends(bot)
    expect(titles(heard)).toEqual([expect.stringMatching(/BTC long was liquidated/)])
    expect(heard[0]).toMatch(/ended 5 min ago, by the venue’s record[^]*while I was away/)
  })

  test('whose end is in no record yet is looked for once more', async () => {
    await using bot = await onHyperliquid(UNHURRIED)
    const wallet = bot.venue.account(ALICE, { usd: 100_000 })
    wallet.trades('BTC', 0.5, { at: 66_000 })
    await bot.answers(`/watch ${ALICE} main`)
    wallet.trades('BTC', -0.5, { at: 67_000 })
    const late = wallet.state.fills.splice(-1)
    for (const before = bot.asked('userFillsByTime'); bot.asked('userFillsByTime') === before;)
      await bot.pass(1_000)
    expect(bot.hears()).toEqual([])
    wallet.state.fills.push(...late)
    const heard = await ends(bot)
    expect(heard[0]).toContain('made $485 at $67,000 on average')
    expect([heard.length, bot.asked('userFillsByTime')]).toEqual([1, 2])
  })

  test('whose record cannot be read is told by what the price says, as that', async () => {
    await using bot = await onHyperliquid(UNHURRIED)
    const wallet = bot.venue.account(ALICE, { usd: 100_000 })
    wallet.trades('BTC', 0.5)
    await bot.answers(`/watch ${ALICE} main`)
    wallet.closes('BTC')
    bot.venue.fault({ kind: 'error', type: 'userFillsByTime', times: Infinity })
    const heard = await ends(bot)
    expect(titles(heard)).toEqual([expect.stringMatching(/BTC long was closed/)])
    expect(heard[0]).toMatch(/(lost|made) about .* before fees$/m)
  })
})

describe('an address that is watched on Hyperliquid', () => {
  test('and signs for another wallet leads to that one', async () => {
    await using bot = await onHyperliquid(UNHURRIED)
    bot.venue.account(BOB, { usd: 3_000 }).trades('BTC', 0.5)
    bot.venue.account(ALICE, { role: { role: 'agent', data: { user: BOB } } })
    const answer = await bot.answers(`/watch ${ALICE} main`)
    expect(answer).toContain('This address signs for 0x8617…070D: its positions are there.')
    expect(answer).toContain(`[Watch 0x8617…070D: /watch ${BOB}]`)
    expect(await bot.answers(`/watch ${BOB} real`)).toContain('BTC long')
    await bot.answers(`/unwatch main`)
    expect(await bot.answers(`/watch ${ALICE} main`)).toContain(
      'This address signs for real, which you watch already: its positions are there.',
    )
    expect(bot.asked('userRole')).toBe(1)
  })

  test('and that the venue has never seen is watched, and is to be checked', async () => {
    await using bot = await onHyperliquid(UNHURRIED)
    expect(await bot.answers(`/watch ${STRANGER} new`)).toContain(
      'The venue has never seen this address: check it. I’ll watch it anyway, it may be new.',
    )
    expect(await bot.answers(`/watch ${STRANGER} newer`)).toContain('The venue shows no open position there.')
    expect(bot.asked('userRole')).toBe(1)
  })

  test.each([
    ['with nothing at all', 0, 1],
    ['with money, which says enough', 500, 0],
  ])('and known there, %s, has nothing open at present', async (_what, usd, asked) => {
    await using bot = await onHyperliquid(UNHURRIED)
    bot.venue.account(ALICE, { usd })
    expect(await bot.answers(`/watch ${ALICE} main`)).toContain(
      'The venue knows this wallet. Nothing is open there now.',
    )
    expect(bot.asked('userRole')).toBe(asked)
  })

  test('and holds something is asked no more', async () => {
    await using bot = await onHyperliquid(UNHURRIED)
    bot.venue.account(ALICE, { usd: 3_000 }).trades('BTC', 0.5)
    expect(await bot.answers(`/watch ${ALICE} main`)).toContain('BTC long')
    expect(bot.asked('userRole')).toBe(0)
  })

  test('is watched all the same when nobody says who it is', async () => {
    await using bot = await onHyperliquid(UNHURRIED)
    bot.venue.fault({ kind: 'error', type: 'userRole', times: Infinity })
    const answer = await bot.answers(`/watch ${ALICE} main`)
    expect(answer).toContain('✓ Watching main')
    expect(answer).toContain(
      'The venue shows no open position there. If you expected one, check the address.',
    )
  })
})
