import { fromNumber, magnitude, multiply } from '../../amount.ts'
import type { Amount } from '../../amount.ts'
import { createHeap } from '../../lib/heap.ts'
import type { Heap } from '../../lib/heap.ts'
import type { Owner } from '../../owner.ts'
import { accountOf } from './catalogue.ts'
import { collateralFor } from './collateral.ts'
import { positionIn } from './exchange/account.ts'
import type { Account } from './exchange/account.ts'
import { deposit } from './exchange/cash.ts'
import { openAccount } from './exchange/exchange.ts'
import type { PositionStart } from './exchange/exchange.ts'
import type { Market } from './exchange/market.ts'
import type { Exchange } from './exchange/state.ts'
import { submit } from './exchange/submit.ts'
import type { Lane } from './lane.ts'
import { bell, createDraws, uniform } from './random.ts'
import type { Draws } from './random.ts'
import { OPEN_UPPER } from './wire/range.ts'

/**
 * Wallets that trade by themselves, as people do: now and then somebody sits down, trades a few times within minutes in
 * one of the few markets that are theirs, and is away again for hours. Some trade a hundred times as often as others.
 */
export interface Traders {
  /** By when each trades next, in market seconds. */
  next: Heap<Trader>
  draws: Draws
}

interface Trader {
  account: Account
  markets: readonly Market[]
  sittingsPerDay: number
}

const CHANGES_PER_DAY = 6
const CHANGES_PER_SITTING = 4
const BETWEEN_SECONDS = 240
/** Of the logarithm of how often a wallet trades. */
const SPREAD = 1.2
const MARKETS_EACH = 5
const OPEN_AT_FIRST = 0.75
/** The share of orders in an open position that adds to it, and that takes from it; the others close it. */
const ADDS = 0.35
const REDUCES = 0.35
/** Of orders that take: by one of the buttons of an order form, the others by a typed size. */
const BY_BUTTON = 0.5
const BUTTONS = [0.25, 0.5, 0.75]
const USUAL_USD = 5_000
/** How far away what is bought would be liquidated by itself. */
const LIQUIDATES_AT = { from: 0.12, to: 0.8 }
const DAY_SECONDS = 86_400
/** Behind the accounts of the venue's own wallets. */
const FIRST = 100

export function createTraders(
  exchange: Exchange,
  { owners, traders: trading }: { owners: number; traders: number },
  lanes: readonly Lane[],
  seed: number,
): Traders {
  const traders: Traders = { next: createHeap(), draws: createDraws(seed + 0x7ade) }
  const traded = lanes.filter(({ spec }) => spec.trades24h > 0)
  const { draws } = traders
  for (let index = 0; index < owners; index++) {
    const markets = chosen(traded, draws).map(({ market }) => market)
    const often = Math.exp(SPREAD * bell(draws) - SPREAD ** 2 / 2)
    const account = opened(exchange, index, markets, draws)
    const trader = { account, markets, sittingsPerDay: (often * CHANGES_PER_DAY) / CHANGES_PER_SITTING }
    if (index < trading) traders.next.set(trader, away(trader, draws))
  }
  return traders
}

function opened(exchange: Exchange, index: number, markets: readonly Market[], draws: Draws): Account {
  let collateralUsd = 0n
  const positions = markets.flatMap((market): PositionStart[] => {
    if (uniform(draws) >= OPEN_AT_FIRST) return []
    const [size, entryPrice] = [deltaFor(0n, 'opens', market, draws), market.indexPrice]
    collateralUsd += collateralOf(exchange, market, size, draws)
    return [{ marketId: market.terms.id, size, entryPrice, enteredAtSeconds: exchange.nowSeconds }]
  })
  const start = { id: accountOf(FIRST + index), owner: traderOwner(index), collateralUsd, positions }
  const account = openAccount(exchange, start)
  if (!account) throw new Error(`Account ${start.id} of a trader cannot be opened.`)
  return account
}

/** Everything that they do until then. */
export function trade(exchange: Exchange, { next, draws }: Traders, seconds: number): void {
  for (let first = next.peek(); first && first.priority <= seconds; first = next.peek()) {
    const trader = first.key
    const market = trader.markets[Math.floor(uniform(draws) * trader.markets.length)]
    if (market) order(exchange, trader.account, market, draws)
    const staysSeated = uniform(draws) >= 1 / CHANGES_PER_SITTING
    next.set(trader, first.priority + (staysSeated ? waits(BETWEEN_SECONDS, draws) : away(trader, draws)))
  }
}

/** The wallet of a trader by its number, from 0 on. Of decimal digits alone, so that it is its own checksum, however many there are. */
export function traderOwner(index: number): Owner {
  return `0x7777${String(index).padStart(36, '0')}`
}

type Wish = 'opens' | 'adds' | 'reduces' | 'closes'

function order(exchange: Exchange, account: Account, market: Market, draws: Draws): void {
  const before = positionIn(account, market)?.size ?? 0n
  const draw = uniform(draws)
  const wish: Wish =
    before === 0n ? 'opens' : draw < ADDS ? 'adds' : draw < ADDS + REDUCES ? 'reduces' : 'closes'
  const sizeDelta = deltaFor(before, wish, market, draws)
  // What is bought brings its margin, and the fees with it.
  if (wish === 'opens' || wish === 'adds')
    deposit(exchange, account, collateralOf(exchange, market, sizeDelta, draws))
  const acceptablePrice = sizeDelta > 0n ? OPEN_UPPER : 1n
  const place = { accountId: account.id, marketId: market.terms.id }
  submit(exchange, { is: 'market', ...place, sizeDelta, acceptablePrice, takeProfit: null, stopLoss: null })
}

function deltaFor(before: Amount, wish: Wish, { indexPrice }: Market, draws: Draws): Amount {
  if (wish === 'closes') return -before
  const price = Number(indexPrice) / 1e18
  const typed = digits((USUAL_USD * Math.exp(bell(draws))) / price, 3)
  if (wish === 'opens') return uniform(draws) < 0.55 ? typed : -typed
  if (wish === 'adds') return before > 0n ? typed : -typed
  const button = uniform(draws) < BY_BUTTON ? BUTTONS[Math.floor(uniform(draws) * BUTTONS.length)] : undefined
  if (button !== undefined) return -multiply(before, digits(button, 2))
  const part = digits((Number(magnitude(before)) / 1e18) * uniform(draws), 2)
  const taken = part > magnitude(before) ? magnitude(before) : part
  return before > 0n ? -taken : taken
}

/** USD that what is bought is opened with. */
function collateralOf({ terms }: Exchange, market: Market, size: Amount, draws: Draws): Amount {
  const { from, to } = LIQUIDATES_AT
  const share = from + (to - from) * uniform(draws)
  const entryPrice = market.indexPrice
  const away = multiply(entryPrice, digits(share, 6))
  const line = size > 0n ? entryPrice - away : entryPrice + away
  return collateralFor(terms, market, { size, entryPrice, line }) + terms.settlementRewardUsd
}

function digits(value: number, many: number): Amount {
  return fromNumber(Number(value.toPrecision(many))) ?? 0n
}

/** Their own few markets, those where most happens more often. */
function chosen(lanes: readonly Lane[], draws: Draws): Lane[] {
  const left = [...lanes]
  return Array.from({ length: Math.min(MARKETS_EACH, lanes.length) }, () => {
    const weights = left.map(({ spec }) => Math.sqrt(spec.trades24h))
    let draw = uniform(draws) * weights.reduce((sum, one) => sum + one, 0)
    const found = weights.findIndex((weight) => (draw -= weight) < 0)
    return left.splice(found < 0 ? left.length - 1 : found, 1)
  }).flat()
}

function away({ sittingsPerDay }: Trader, draws: Draws): number {
  return waits(DAY_SECONDS / sittingsPerDay, draws)
}

/** For so long on average. */
function waits(seconds: number, draws: Draws): number {
  return -seconds * Math.log(1 - uniform(draws))
}
