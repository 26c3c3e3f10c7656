import { ALICE, BOB } from '../bot.ts'
import { type OnHyperliquid, onHyperliquid } from '../on-hyperliquid.ts'
import { MINUTE_MS, type Section } from './scene.ts'

/** The first line of a message about an end. The long form alone names the record where somebody closed it. */
const ENDED = /^.* (?:was (?:closed|liquidated|settled)|stop loss filled)/

/** What is said of positions that have ended, after this has happened to a BTC long of mine, or to what I hold else. */
function ends(
  title: string,
  words: string,
  happens: (bot: OnHyperliquid, wallet: ReturnType<OnHyperliquid['venue']['account']>) => void,
  { usd = 100_000, coin = 'BTC', size = 0.5, at = 66_000, leverage = 20 } = {},
): Section {
  let bot: OnHyperliquid | null = null
  return {
    title,
    words,
    async begin() {
      bot = await onHyperliquid()
      return bot
    },
    async play() {
      if (bot === null) throw new Error('it has not begun')
      const wallet = bot.venue.account(ALICE, { usd })
      bot.venue.moves({ [coin]: at })
      wallet.trades(coin, size, { at, leverage })
      await bot.answers(`/watch ${ALICE} main`)
      happens(bot, wallet)
      await bot.pass(2 * MINUTE_MS)
      return bot.hears().filter((text) => ENDED.test(text))
    },
  }
}

/** How positions ended where the venue keeps a record of it that anybody may read. */
export const recorded: readonly Section[] = [
  ends(
    'It is closed, by the venue’s record',
    'If the venue shows how a position ended, its figures are no estimate.',
    (_bot, wallet) => wallet.trades('BTC', -0.5, { at: 67_000 }),
  ),
  ends(
    'Its stop loss closes it',
    'Every watched wallet has this alert. It needs no rule about orders: the record names the order.',
    ({ venue }, wallet) => {
      wallet.places({ coin: 'BTC', side: 'sell', trigger: { price: 64_000, is: 'stopLoss' } })
      venue.moves({ BTC: 63_950 })
    },
  ),
  ends('Its stop loss closes a part of it', '', ({ venue }, wallet) => {
    wallet.places({ coin: 'BTC', side: 'sell', size: 0.2, trigger: { price: 64_000, is: 'stopLoss' } })
    venue.moves({ BTC: 63_950 })
  }),
  ends('It is liquidated, by the venue’s record', '', ({ venue }) => venue.moves({ BTC: 60_000 }), {
    usd: 3_000,
  }),
  ends(
    'It takes the other side of somebody’s liquidation',
    'The venue marks both trades alike, and names the liquidated wallet. This one was only closed.',
    ({ venue }, wallet) => {
      venue.account(BOB, { usd: 3_000 }).trades('BTC', 0.5, { at: 66_000, leverage: 20 })
      venue.liquidator(wallet)
      venue.moves({ BTC: 60_000 })
    },
    { size: -0.5 },
  ),
  ends(
    'Its market is delisted',
    'No price is a danger to it now.',
    ({ venue }) => venue.delists('ATOM', 1.7),
    { usd: 1_000, coin: 'ATOM', size: 1_000, at: 2, leverage: 5 },
  ),
]
