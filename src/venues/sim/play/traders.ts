import { createHeap, type Heap } from '../../../lib/data/heap.ts'
import { type Amount, magnitude, multiply, toNumber } from '../../../venue/amount.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import { type Account, positionIn } from '../exchange/account.ts'
import { deposit } from '../exchange/cash.ts'
import { openAccount } from '../exchange/exchange.ts'
import type { Market } from '../exchange/market.ts'
import type { Exchange } from '../exchange/state.ts'
import { submit } from '../exchange/submit.ts'
import { standing } from '../maths/margin.ts'
import { OPEN_UPPER } from '../wire/range.ts'
import { accountOf } from './catalogue.ts'
import { digits, type Habits, habitsOf, marginWanted, sizeToOpen, startOf, typedSize } from './holdings.ts'
import type { Lane } from './lane.ts'
import { bell, createDraws, type Draws, uniform } from './random.ts'

/**
 * Wallets that trade by themselves, as people do. Now and then somebody trades a few times within minutes, in
 * one of their few markets, and then is away for hours. Some trade a hundred times as often as others.
 */
export interface Traders {
  /** By when each trades next, in market seconds. */
  next: Heap<Trader>
  draws: Draws
}

interface Trader {
  account: Account
  habits: Habits
  sittingsPerDay: number
}

const CHANGES_PER_DAY = 6
const CHANGES_PER_SITTING = 4
const SECONDS_BETWEEN_TRADES = 240
/** The spread of the logarithm of how often a wallet trades. */
const FREQUENCY_SPREAD = 1.2
/** The shares of orders that add to an open position and that reduce it. The others close it. */
const ADDING_SHARE = 0.35
const REDUCING_SHARE = 0.35
/** The share of reducing orders by a button of the order form. The others have a typed size. */
const BUTTON_SHARE = 0.5
const BUTTON_SHARES_OF_POSITION = [0.25, 0.5, 0.75]
const DAY_SECONDS = 86_400
/** Account numbers after those of the venue's own wallets. */
const FIRST_ACCOUNT_NUMBER = 100

export function createTraders(
  exchange: Exchange,
  { walletCount, traders: trading }: { walletCount: number; traders: number },
  lanes: readonly Lane[],
  seed: number,
): Traders {
  const traders: Traders = { next: createHeap(), draws: createDraws(seed + 0x7ade) }
  const traded = lanes.filter(({ spec }) => spec.trades24h > 0)
  const { draws } = traders
  for (let index = 0; index < walletCount; index++) {
    const habits = habitsOf(traded, draws)
    const often = Math.exp(FREQUENCY_SPREAD * bell(draws) - FREQUENCY_SPREAD ** 2 / 2)
    const account = opened(exchange, index, habits, draws)
    const trader = { account, habits, sittingsPerDay: (often * CHANGES_PER_DAY) / CHANGES_PER_SITTING }
    if (index < trading) traders.next.set(trader, away(trader, draws))
  }
  return traders
}

function opened(exchange: Exchange, index: number, habits: Habits, draws: Draws): Account {
  const start = { id: accountOf(FIRST_ACCOUNT_NUMBER + index), wallet: traderWallet(index) }
  const account = openAccount(exchange, { ...start, ...startOf(habits, exchange.nowSeconds, draws) })
  if (!account) throw new Error(`Account ${start.id} of a trader cannot be opened.`)
  return account
}

/** Plays all trades until this market second. */
export function trade(exchange: Exchange, { next, draws }: Traders, seconds: number): void {
  for (let first = next.peek(); first && first.priority <= seconds; first = next.peek()) {
    const trader = first.key
    const { markets } = trader.habits
    const market = markets[Math.floor(uniform(draws) * markets.length)]
    if (market) order(exchange, trader, market, draws)
    const staysSeated = uniform(draws) >= 1 / CHANGES_PER_SITTING
    next.set(
      trader,
      first.priority + (staysSeated ? waits(SECONDS_BETWEEN_TRADES, draws) : away(trader, draws)),
    )
  }
}

/** The address of a trader's wallet. It has decimal digits alone, so it is its own checksum. */
export function traderWallet(index: number): Wallet {
  return `0x7777${String(index).padStart(36, '0')}`
}

type Wish = 'opens' | 'adds' | 'reduces' | 'closes'

function order(exchange: Exchange, { account, habits }: Trader, market: Market, draws: Draws): void {
  const before = positionIn(account, market)?.size ?? 0n
  const draw = uniform(draws)
  const wish: Wish =
    before === 0n
      ? 'opens'
      : draw < ADDING_SHARE
        ? 'adds'
        : draw < ADDING_SHARE + REDUCING_SHARE
          ? 'reduces'
          : 'closes'
  const sizeDelta = deltaFor(before, wish, habits, market, draws)
  if (wish === 'opens' || wish === 'adds') {
    const has = standing(exchange.terms, account, exchange.nowSeconds).availableMargin
    deposit(exchange, account, marginWanted(habits, account.positions, market, sizeDelta) - has)
  }
  const acceptablePrice = sizeDelta > 0n ? OPEN_UPPER : 1n
  const place = { accountId: account.id, marketId: market.terms.id }
  submit(exchange, { is: 'market', ...place, sizeDelta, acceptablePrice, takeProfit: null, stopLoss: null })
}

function deltaFor(before: Amount, wish: Wish, habits: Habits, market: Market, draws: Draws): Amount {
  if (wish === 'closes') return -before
  if (wish === 'opens') return sizeToOpen(habits, market, draws)
  if (wish === 'adds') {
    const typed = typedSize(habits, market, draws)
    return before > 0n ? typed : -typed
  }
  const button =
    uniform(draws) < BUTTON_SHARE
      ? BUTTON_SHARES_OF_POSITION[Math.floor(uniform(draws) * BUTTON_SHARES_OF_POSITION.length)]
      : undefined
  if (button !== undefined) return -multiply(before, digits(button, 2))
  const part = digits(toNumber(magnitude(before)) * uniform(draws), 2)
  const taken = part > magnitude(before) ? magnitude(before) : part
  return before > 0n ? -taken : taken
}

function away({ sittingsPerDay }: Trader, draws: Draws): number {
  return waits(DAY_SECONDS / sittingsPerDay, draws)
}

/** A random wait with this average. */
function waits(seconds: number, draws: Draws): number {
  return -seconds * Math.log(1 - uniform(draws))
}
