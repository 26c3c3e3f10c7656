import type { PollPeriods } from '../../src/engine/outage/sources.ts'
import type { Site } from '../../src/command/context.ts'
import { ALICE, BOB, type BotUnderTest, CLAIM_CODE, startBot } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'
import { NOON } from '../support/clock.ts'
import type { Place } from '../support/recorder.ts'

/** The operator, in their private chat and in a group that they may configure. */
export const trader = { platform: 'terminal', user: 'trader' }
export const GROUP: Place = { chat: '@traders', mayConfigure: true, whisper: true }

const DAY_S = 86_400
const noon = NOON / 1_000

/** A trader's evening: two wallets, three positions, an alert that fires, orders, a bound group. */
export async function openDesk(
  periods: Partial<PollPeriods> = {},
  options: { crowded?: boolean; site?: Site } = {},
): Promise<BotUnderTest> {
  const settings = { version: '0.1.0', ...periods }
  const bot = await startBot({ platforms: [trader.platform], settings, clock: handClock(), ...options })
  const { stage } = bot
  const fees = { makerFee: 0.0002, takerFee: 0.0005 }
  stage.market('BTC', { price: 97_678, funding: 0.0002, velocity: -0.0006, ...fees })
  stage.market('BTC', { priceDayAgo: 96_500, volume: 12_400_000, trades: 1_834 })
  stage.market('BTC', { long: 85, short: 53, cap: 20_000_000 })
  stage.market('ETH', { price: 2_634.97, funding: -0.0004, velocity: -0.0001, ...fees })
  stage.market('ETH', { priceDayAgo: 2_700, volume: 7_900_000, trades: 920 })
  stage.market('ETH', { long: 900, short: 1_400, cap: 10_000_000 })
  stage.market('Sol', { price: 171.3, funding: 0.0011, priceDayAgo: 160, volume: 48_000, trades: 12 })
  stage.positions(ALICE, [
    { symbol: 'BTC', size: 1.5, entry: 95_000, liquidation: 92_500, openedAt: noon - 2 * DAY_S - 15_000 },
    { symbol: 'ETH', size: -20, entry: 2_700, liquidation: 3_400, openedAt: noon - 5_000 },
  ])
  stage.positions(BOB, [{ symbol: 'Sol', size: 300, entry: 150, liquidation: 0 }])
  stage.orders(ALICE, [
    limitOrder(stageId('BTC'), noon * 1_000 - 3_600_000),
    stopLoss(stageId('ETH'), noon * 1_000 - 60_000),
  ])
  bot.platforms
    .get('terminal')
    ?.groups.set('@traders', { title: 'Traders', mayPost: true, configurers: ['trader'] })
  await bot.pass(0)
  await bot.says(`/start ${CLAIM_CODE}`, trader)
  await bot.says(`/settings zone Europe/Berlin`, trader)
  await bot.says(`/watch ${ALICE} main`, trader)
  await bot.says(`/watch ${BOB} hedge`, trader)
  await bot.says('/channel bind', { ...trader, place: GROUP })
  await bot.says('/alert flip BTC', { ...trader, place: GROUP })
  await bot.pass(20_000)
  bot.hears('trader')
  return bot
}

/** The stage numbers its markets in the order in which they are named. */
function stageId(symbol: 'BTC' | 'ETH'): string {
  return symbol === 'BTC' ? '100' : '200'
}

const unset = { priceA: '0', priceB: '0', acceptablePrice: '0' }
const OPEN_LOWER = '1'
const OPEN_UPPER = (2n ** 255n - 1n).toString()
const WHOLE = (2n ** 127n - 2n).toString()
const scaled = (value: number) => (BigInt(Math.round(value * 1e6)) * 10n ** 12n).toString()

function limitOrder(marketId: string, timestamp: number) {
  return {
    orderType: 'Limit',
    orderId: 7_001,
    status: 'Committed',
    marketId,
    accountId: '1',
    chainId: 8008,
    size: scaled(0.25),
    timestamp,
    expiry: timestamp + 30 * DAY_S * 1_000,
    hasLimitOrder: true,
    hasTpSlOrder: false,
    tpPriceRange: unset,
    slPriceRange: unset,
    priceRange: {
      priceA: OPEN_LOWER,
      priceB: scaled(91_000),
      acceptablePrice: scaled(95_550),
    },
    surprise: { nobody: 'knows this field' },
  }
}

function stopLoss(marketId: string, timestamp: number) {
  return {
    orderType: 'Limit',
    orderId: 8_002,
    status: 'LimitExecuted',
    marketId,
    accountId: '1',
    chainId: 8008,
    size: `-${WHOLE}`,
    timestamp,
    expiry: timestamp + 30 * DAY_S * 1_000,
    hasLimitOrder: false,
    hasTpSlOrder: true,
    priceRange: unset,
    tpPriceRange: unset,
    slPriceRange: {
      priceA: scaled(2_900),
      priceB: OPEN_UPPER,
      acceptablePrice: scaled(3_045),
    },
  }
}
