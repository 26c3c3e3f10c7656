import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../src/venue/amount.ts'
import { exact } from '../../support/fixtures.ts'
import { aDex, aContext, aLeg, anEmptyState, aState, OWNER } from './records.ts'
import { type InfoUnderTest, startInfo } from './server.ts'

/** A wallet with two ETH at 100, cross, in a market of ten times; ten of it can be had at 100. */
async function started(state: unknown = aState([aLeg()])): Promise<InfoUnderTest> {
  const bot = await startInfo()
  bot.answers('metaAndAssetCtxs', ({ dex }) =>
    aDex([{ name: dex === undefined ? 'ETH' : `${dex}:NVDA` }], [aContext()]),
  )
  bot.answers('clearinghouseState', () => state)
  bot.answers('l2Book', () => ({ levels: [[{ px: '100.0', sz: '10.0' }], [{ px: '100.0', sz: '10.0' }]] }))
  bot.answers('userFees', () => ({ userCrossRate: '0.0005', activeReferralDiscount: '0.2' }))
  bot.answers('activeAssetData', () => ({
    leverage: { type: 'cross', value: 10 },
    maxTradeSzs: ['3.0', '7.0'],
  }))
  return bot
}

const asks = (bot: InfoUnderTest, size: string, marketId = 'ETH') =>
  bot.venue.preview(
    { wallet: OWNER, accountId: marketId === 'ETH' ? 'main' : 'xyz', marketId, sizeDelta: exact(size) },
    bot.asking({ patience: 'person' }),
  )

test('an order of nothing gives back the liquidation price that was sent', async () => {
  await using bot = await started()
  const preview = await asks(bot, '0')
  expect(preview).toMatchObject({ estimate: true, totalFeesUsd: 0n, feasible: true })
  expect(toNumber(preview.liquidationPrice as bigint)).toBeCloseTo(60, 12)
})

test('more of a position brings liquidation nearer, for its fees and its fill', async () => {
  await using bot = await started()
  const preview = await asks(bot, '1')
  expect(preview).toMatchObject({
    fillPrice: exact('100'),
    totalFeesUsd: exact('0.04'),
    feasible: true,
    refusal: null,
  })
  // Cover is 10% / 2 of 2 at 60, and the 80 that lie between; of three at x: 0.15·x = cover + 3(x − 100).
  const cover = 0.05 * 2 * 60 - 2 * (60 - 100) - 0.04
  expect(toNumber(preview.liquidationPrice as bigint)).toBeCloseTo((300 - cover) / (3 - 0.15), 9)
  expect(preview.marginUsagePercent).toBeCloseTo((100 * 30) / 86, 9)
})

test('where the account’s own equity says nothing, what the venue sent says what covers a position', async () => {
  const nothing = { crossMarginSummary: { accountValue: '0.0', totalMarginUsed: '0.0' } }
  await using bot = await started(aState([aLeg()], nothing))
  expect(toNumber((await asks(bot, '0')).liquidationPrice as bigint)).toBeCloseTo(60, 12)
})

test('an account with another leverage than the market’s owes what its own demands', async () => {
  await using bot = await started(aState([aLeg({ maxLeverage: 50 })]))
  const cover = 0.01 * 2 * 60 - 2 * (60 - 100) - 0.04
  const preview = await asks(bot, '1')
  expect(toNumber(preview.liquidationPrice as bigint)).toBeCloseTo((300 - cover) / (3 - 0.03), 9)
})

test('closing all leaves none', async () => {
  await using bot = await started()
  expect(await asks(bot, '-2')).toMatchObject({ liquidationPrice: 'none', feasible: true })
})

describe('an order is not possible', () => {
  test('where the venue lets less be bought, or sold', async () => {
    await using bot = await started()
    expect(await asks(bot, '3.5')).toMatchObject({ feasible: false, refusal: 'at most 3 can be bought now' })
    expect(await asks(bot, '-9')).toMatchObject({ feasible: false, refusal: 'at most 7 can be sold now' })
  })

  test('where there is not the margin for it', async () => {
    await using bot = await started(anEmptyState())
    expect(await asks(bot, '1')).toMatchObject({ feasible: false, refusal: 'not enough margin for it' })
  })

  test('in a market that is delisted', async () => {
    await using bot = await started()
    bot.answers('metaAndAssetCtxs', () => aDex([{ name: 'ETH', isDelisted: true }]))
    expect((await asks(bot, '1')).refusal).toBe('this market is delisted and takes no orders')
  })
})

test('making a position smaller is always possible', async () => {
  await using bot = await started(
    aState([aLeg()], { crossMarginSummary: { accountValue: '1.0', totalMarginUsed: '20.0' } }),
  )
  expect((await asks(bot, '-1')).feasible).toBe(true)
})

test('more than the order book shows has no price, and it is not said whether it can be done', async () => {
  await using bot = await started()
  expect(await asks(bot, '11')).toMatchObject({ fillPrice: null, liquidationPrice: null, feasible: null })
})

test('a builder’s book takes its own fees beside the venue’s, a growing market a tenth of them', async () => {
  await using bot = await started(anEmptyState())
  expect((await asks(bot, '1', 'xyz:NVDA')).totalFeesUsd).toBe(exact('0.08'))
  bot.answers('metaAndAssetCtxs', () => aDex([{ name: 'xyz:NVDA', growthMode: 'enabled' }]))
  await bot.clock.advance(10_000)
  expect((await asks(bot, '1', 'xyz:NVDA')).totalFeesUsd).toBe(exact('0.008'))
})

test('a new position is covered by spot where collateral lies there', async () => {
  await using bot = await started(anEmptyState())
  bot.answers('userAbstraction', () => 'unifiedAccount')
  bot.answers('spotClearinghouseState', () => ({ balances: [{ coin: 'USDC', token: 0, total: '50.0' }] }))
  const preview = await asks(bot, '1')
  expect(preview.feasible).toBe(true)
  expect(toNumber(preview.liquidationPrice as bigint)).toBeCloseTo((100 - 50 + 0.04) / 0.95, 9)
})

test('fee rates are asked once an hour', async () => {
  await using bot = await started()
  await asks(bot, '1')
  bot.news()
  bot.spent()
  await asks(bot, '1')
  expect(bot.news()).toEqual(['activeAssetData', 'clearinghouseState', 'l2Book'])
  expect(bot.spent()).toBe(24)
  await asks(bot, '-1')
  expect(bot.news()).toEqual(['clearinghouseState', 'l2Book'])
})
