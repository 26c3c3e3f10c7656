import { createHeap } from '../../lib/heap.ts'
import type { Heap } from '../../lib/heap.ts'
import { parseOwner } from '../../owner.ts'
import type { Owner } from '../../owner.ts'
import { accountOf } from './catalogue.ts'
import { liquidationPrice, marginFor } from './isolated.ts'
import { bell, createDraws, uniform } from './random.ts'
import type { Draws } from './random.ts'
import { walletTrades } from './trading.ts'
import type { Holding, MarketState } from './holding.ts'

/**
 * Wallets that trade by themselves, as people do: now and then somebody sits down, trades a few times within minutes in
 * one of the few markets that are theirs, and is away again for hours. Some trade a hundred times as often as others.
 */
export interface Traders {
  holdings: Holding[]
  /** By when each trades next, in market seconds. */
  next: Heap<Trader>
  draws: Draws
}

interface Trader {
  holdings: Holding[]
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
const LIQUIDATES_AT = { from: 0.12, to: 0.8 }
const DAY_SECONDS = 86_400

export function createTraders(
  many: number,
  markets: readonly MarketState[],
  seed: number,
  firstKey: number,
): Traders {
  const traders: Traders = { holdings: [], next: createHeap(), draws: createDraws(seed + 0x7ade) }
  const traded = markets.filter(({ spec }) => spec.trades24h > 0)
  for (let index = 0; index < many; index++) {
    const { draws } = traders
    const holdings = chosen(traded, draws).map((market, place): Holding => ({
      key: firstKey + index * MARKETS_EACH + place,
      spec: {
        ...{ owner: traderOwner(index), accountId: accountOf(3 + index), symbol: market.spec.symbol },
        ...{ size: 0, liquidationAt: 1, enteredAt: 1, reopens: false, takeProfitAt: null },
      },
      ...{ market, open: null, liquidations: 0, reopensAt: Infinity },
    }))
    const often = Math.exp(SPREAD * bell(draws) - SPREAD ** 2 / 2)
    const trader = { holdings, sittingsPerDay: (often * CHANGES_PER_DAY) / CHANGES_PER_SITTING }
    for (const holding of holdings) if (uniform(draws) < OPEN_AT_FIRST) change(holding, draws, 0, 'opens')
    traders.holdings.push(...holdings)
    traders.next.set(trader, away(trader, draws))
  }
  return traders
}

/** Everything that they do until then. */
export function trade({ next, draws }: Traders, seconds: number): void {
  for (let first = next.peek(); first && first.priority <= seconds; first = next.peek()) {
    const trader = first.key
    const holding = trader.holdings[Math.floor(uniform(draws) * trader.holdings.length)]
    if (holding) change(holding, draws, seconds, holding.open ? ordered(uniform(draws)) : 'opens')
    const staysSeated = uniform(draws) >= 1 / CHANGES_PER_SITTING
    next.set(trader, first.priority + (staysSeated ? waits(BETWEEN_SECONDS, draws) : away(trader, draws)))
  }
}

/** The wallet of a trader by its number, from 0 on. */
export function traderOwner(index: number): Owner {
  const parse = parseOwner(`0x7ade${index.toString(16).padStart(36, '0')}`)
  if (!parse.ok) throw new Error(parse.why)
  return parse.owner
}

type Order = 'opens' | 'adds' | 'reduces' | 'closes'

function ordered(draw: number): Order {
  return draw < ADDS ? 'adds' : draw < ADDS + REDUCES ? 'reduces' : 'closes'
}

function change(holding: Holding, draws: Draws, seconds: number, order: Order): void {
  const { market, open } = holding
  const before = open?.size ?? 0
  const size = exactly(sizeAfter(before, order, market.price, draws))
  if (size === before) return
  walletTrades(market.trading, before, size, { seconds, price: market.price })
  if (size === 0) {
    holding.open = null
    return
  }
  const grown = order === 'opens' || order === 'adds'
  const entryPrice = grown && open ? (open.entryPrice + market.price) / 2 : (open?.entryPrice ?? market.price)
  const { from, to } = LIQUIDATES_AT
  const share = from + (to - from) * uniform(draws)
  const marginUsd = marginFor(size, entryPrice, market.price * (1 - Math.sign(size) * share))
  const isolated = { size, entryPrice: Number(entryPrice.toPrecision(10)), marginUsd }
  const openedAt = grown ? seconds : (open?.openedAt ?? seconds)
  const fundingUsd = open?.fundingUsd ?? 0
  holding.open = { ...isolated, liquidationPrice: liquidationPrice(isolated), openedAt, fundingUsd }
}

function sizeAfter(before: number, order: Order, price: number, draws: Draws): number {
  if (order === 'closes') return 0
  const typed = Number(((USUAL_USD * Math.exp(bell(draws))) / price).toPrecision(3))
  if (order === 'opens') return uniform(draws) < 0.55 ? typed : -typed
  if (order === 'adds') return before + Math.sign(before) * typed
  const button = uniform(draws) < BY_BUTTON ? BUTTONS[Math.floor(uniform(draws) * BUTTONS.length)] : undefined
  if (button !== undefined) return before - exactly(before * button)
  const part = Number((Math.abs(before) * uniform(draws)).toPrecision(2))
  return before - Math.sign(before) * Math.min(part, Math.abs(before))
}

/** Binary fractions: closing 12.5 of 12.5 must leave exactly nothing. */
function exactly(size: number): number {
  return Number(size.toPrecision(12))
}

/** Their own few markets, those where most happens more often. */
function chosen(markets: readonly MarketState[], draws: Draws): MarketState[] {
  const left = [...markets]
  return Array.from({ length: Math.min(MARKETS_EACH, markets.length) }, () => {
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
