import { ALICE, type BotUnderTest, PERIODS, startBot, UNHURRIED } from '../bot.ts'
import { handClock } from '../clock.ts'
import { onHyperliquid } from '../on-hyperliquid.ts'
import { monitorRecord, orderRecord } from '../order-records.ts'
import { type Chapter, forget, MINUTE_MS, passes } from './scene.ts'

const BTC = { symbol: 'BTC', size: 1.5, entry: 95_000, liquidation: 90_000 }
const ETH = { symbol: 'ETH', size: 4, entry: 2_500, liquidation: 1_500 }
const BUY = orderRecord({ orderId: 7, size: 1.5, limit: 2_400, status: 'LimitSubmitted' })
const SELL = orderRecord({ orderId: 8, size: -4, limit: 2_900, status: 'LimitSubmitted' })
const MARKET = orderRecord({ orderId: 9, size: 2, status: 'Committed' })
const STOP = monitorRecord({ orderId: 10, stopLoss: 2_300 })

const RULES = ['filled', 'expired', 'stuck', 'tpsl', 'no-stop 5000']

/** An ETH long with a stop loss and two orders, and every rule about orders there. */
async function ordering(): Promise<BotUnderTest> {
  const bot = await startBot({ clock: handClock() })
  bot.stage.market('BTC', { price: 120_000, funding: 0.0001 })
  bot.stage.market('ETH', { price: 2_600 })
  bot.stage.positions(ALICE, [BTC, ETH])
  bot.stage.orders(ALICE, [BUY, SELL, STOP])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.says('/settings zone UTC')
  for (const rule of RULES) await bot.says(`/alert ${rule} ${rule.startsWith('no-stop') ? 'ETH' : ''}`)
  await bot.pass(MINUTE_MS)
  forget(bot)
  return bot
}

/** Of the scene that was begun last. */
let fall = () => {}

/** On Hyperliquid, an ETH long whose trader is about to close it by a TWAP. */
async function slicing(): Promise<BotUnderTest> {
  const bot = await onHyperliquid({ ...PERIODS, ...UNHURRIED })
  const wallet = bot.venue.account(ALICE, { usd: 200_000 })
  const { market } = wallet.trades('ETH', 10, { leverage: 5 })
  await bot.answers(`/watch ${ALICE} main`)
  await bot.answers('/settings zone UTC')
  await bot.answers('/alert twap')
  await bot.pass(6 * MINUTE_MS)
  wallet.twaps({ coin: 'BTC', side: 'buy', size: 0.5, minutes: 6 })
  const exit = { coin: 'ETH', side: 'sell', size: 10, minutes: 60 } as const
  wallet.twaps({ ...exit, reduceOnly: true, stopAt: market.mark * 0.97 })
  forget(bot)
  fall = () => bot.venue.moves({ ETH: market.mark * 0.96 })
  return bot
}

async function ordersAre(bot: BotUnderTest, ms: number, ...records: Record<string, unknown>[]) {
  bot.stage.orders(ALICE, records)
  return passes(bot, ms)
}

export const orders: Chapter = {
  title: 'Orders',
  sections: [
    {
      title: 'An order is filled',
      words:
        'For people who asked for it, like all alerts about orders. Orders are read every fifteen seconds then.',
      begin: ordering,
      play: (bot) => ordersAre(bot, MINUTE_MS, { ...BUY, status: 'LimitExecuted' }, SELL, STOP),
    },
    {
      title: 'An order that was to close something expires',
      words: '',
      begin: ordering,
      play: (bot) => ordersAre(bot, MINUTE_MS, BUY, { ...SELL, status: 'Expired' }, STOP),
    },
    {
      title: 'An order is stuck, and goes on',
      words: 'The venue has accepted it and does nothing for more than a minute.',
      begin: ordering,
      async play(bot) {
        const stuck = await ordersAre(bot, 2 * MINUTE_MS, BUY, SELL, STOP, MARKET)
        return [
          ...stuck,
          ...(await ordersAre(bot, MINUTE_MS, BUY, SELL, STOP, { ...MARKET, status: 'Expired' })),
        ]
      },
    },
    {
      title: 'A stop loss is gone, and its position is not',
      words:
        'Reported when two looks at the orders lacked it, and the position was still there after the first.',
      begin: ordering,
      play: (bot) => ordersAre(bot, 2 * MINUTE_MS, BUY, SELL),
    },
    {
      title: 'A stop loss has closed a position',
      words: 'If the venue doesn’t say what closed it, the price must have reached it.',
      begin: ordering,
      async play(bot) {
        bot.stage.market('ETH', { price: 2_295 })
        await bot.pass(5_000)
        bot.stage.positions(ALICE, [BTC])
        return (await ordersAre(bot, 2 * MINUTE_MS, BUY, SELL)).slice(0, 2)
      },
    },
    {
      title: 'A position has nothing that closes it',
      words: 'For longer than five minutes, unless the rule names another time.',
      begin: ordering,
      async play(bot) {
        await bot.says('/remove R11')
        return (await ordersAre(bot, 7 * MINUTE_MS, BUY, SELL)).slice(-1)
      },
    },
    {
      title: 'A TWAP starts, finishes, and is stopped',
      words:
        'On Hyperliquid, which runs TWAPs. They are read every five minutes, and every minute while one runs. One that was to close a position and leaves some of it open is a warning.',
      begin: slicing,
      async play(bot) {
        const begun = await passes(bot, 12 * MINUTE_MS)
        fall()
        return [...begun, ...(await passes(bot, 2 * MINUTE_MS))].filter((one) => one.includes('TWAP'))
      },
    },
    {
      title: 'Orders cannot be read',
      words: 'Positions can be read meanwhile.',
      begin: ordering,
      async play(bot) {
        bot.stage.fails('/orders', 503)
        const blind = await passes(bot, 5 * MINUTE_MS)
        bot.stage.fails('/orders', null)
        return [...blind, ...(await passes(bot, 6 * MINUTE_MS))]
      },
    },
  ],
}
