import { remember } from '../../lib/data/remember.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type Amount, divide, formatDecimal, magnitude, multiply, ONE, toNumber } from '../../venue/amount.ts'
import type { OrderDraft, Preview } from '../../venue/order.ts'
import type { Asking } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { unreadable } from '../http/reply.ts'
import type { Info } from './info.ts'
import type { Dexes } from './markets.ts'
import { isolatedOf, ratioOf } from './rules/accounts.ts'
import {
  afterOrder,
  coverOf,
  fillPriceOf,
  initialMargin,
  liquidationOf,
  type Stand,
} from './rules/estimate.ts'
import { inTime } from './rules/parts.ts'
import type { Wallets } from './wallets.ts'
import { dexOf, type ListedDex } from './wire/dexes.ts'
import { maintenance, type MarginTier } from './wire/margin.ts'
import type { Terms } from './wire/markets.ts'
import type { Spot } from './wire/spot.ts'
import type { DexState, Held } from './wire/state.ts'
import type { Chosen } from './wire/trading.ts'

/** Fee rates follow the traded volume of two weeks, so an hour is fresh enough. */
const FEES_EVERY_MS = 3_600_000
const MAX_REMEMBERED_FEES = 1_000

interface Fee {
  rate: Amount
  discount: Amount
}

/**
 * Estimates the effect of an order. The venue offers no preview: this uses its order book, fees and formulas.
 */
export function createPreview(world: { info: Info; dexes: Dexes; wallets: Wallets; clock: Clock }) {
  const { info, dexes, wallets, clock } = world
  const fees = new Map<Wallet, { fee: Fee; mono: number }>()

  async function feeOf(wallet: Wallet, asking: Asking): Promise<Fee> {
    const known = fees.get(wallet)
    if (known && clock.monotonic() - known.mono < FEES_EVERY_MS) return known.fee
    const fee = await info.takerFee(wallet, asking)
    remember(fees, wallet, { fee, mono: clock.monotonic() }, MAX_REMEMBERED_FEES)
    return fee
  }

  return async ({ wallet, marketId, sizeDelta }: OrderDraft, asking: Asking): Promise<Preview> => {
    const within = inTime(clock, asking)
    const { market, terms, listedDex } = await dexes.market(marketId, 'preview', within())
    const mode = await wallets.mode(wallet, 'preview', within())
    const own = dexOf(marketId)
    // With unified collateral, positions in other dexes need some of the same cover.
    const others = mode === 'unified' ? wallets.heldDexes(wallet).filter((dex) => dex !== own) : []
    const state = await info.state(wallet, own, 'preview', within())
    const held = state.held.find(({ position }) => position.marketId === marketId)
    const [depth, fee, chosen, spot, ...shared] = await Promise.all([
      info.depth(marketId, within()),
      feeOf(wallet, within()),
      // A reducing order is always accepted, so its limits need not be read.
      held && reduces(held.position.size, sizeDelta) ? null : info.chosen(wallet, marketId, within()),
      mode === 'single' || mode === null ? null : info.spot(wallet, 'preview', within()),
      ...others.map((dex) => info.state(wallet, dex, 'preview', within())),
    ])
    const funds = fundsOf(state, shared, spot, dexes.collateral(own) ?? 0, dexes)
    const stand = standOf({ held, chosen, terms, mark: held?.mark ?? market.price, funds })
    const fill =
      sizeDelta === 0n ? stand.mark : fillPriceOf(sizeDelta, sizeDelta > 0n ? depth.asks : depth.bids)
    if (fill === null) return beyondTheOrderBook(marketId)
    const paid = multiply(multiply(magnitude(sizeDelta), fill), takerRate(fee, listedDex, terms))
    const after = afterOrder(stand, sizeDelta, fill, paid)
    const used = funds.used - usedBy(stand, held) + usedBy(after)
    const refusal = market.delisted
      ? 'this market is delisted and takes no orders'
      : refusalOf({ stand, after, sizeDelta, fill, paid, used, funds, chosen })
    return {
      estimate: true,
      fillPrice: fill,
      liquidationPrice: liquidationOf(after) ?? 'none',
      totalFeesUsd: paid,
      marginUsagePercent:
        after.by.is === 'cross' && funds.equity > 0n ? 100 * toNumber(divide(used, funds.equity)) : null,
      marginRatio:
        mode === 'single' || mode === 'unified' ? ratioAfter(stand, after, funds, fill, paid) : null,
      feasible: refusal === null,
      refusal,
    }
  }
}

/** The cover that all cross positions of the account share, and the used part of it. */
interface Funds {
  equity: Amount
  /** The initial margin of all cross positions. */
  used: Amount
  maintenance: Amount
}

function fundsOf(
  state: DexState,
  shared: readonly DexState[],
  spot: Spot | null,
  collateral: number,
  dexes: Dexes,
): Funds {
  const same = [state, ...shared.filter(({ dex }) => dexes.collateral(dex) === collateral)]
  const total = (of: (state: DexState) => Amount) => same.reduce((all, each) => all + of(each), 0n)
  const inSpot = spot?.totals.get(collateral)
  const isolated = isolatedOf(same.map((each) => ({ state: each, collateral })))
  if (isolated === null) throw unreadable('the margin of an isolated position is missing')
  return {
    equity: inSpot === undefined ? state.crossEquity : inSpot - isolated,
    used: total(({ crossUsed }) => crossUsed),
    maintenance: total(({ crossMaintenance }) => crossMaintenance),
  }
}

function standOf(of: {
  held: Held | undefined
  chosen: Chosen | null
  terms: Terms
  mark: Amount
  funds: Funds
}): Stand {
  const { held, chosen, mark, funds } = of
  const size = held?.position.size ?? 0n
  const tiers = tiersOf(held, of.terms)
  const base = { size, mark, tiers, leverage: held?.position.leverage ?? chosen?.leverage ?? 1 }
  if ((held?.position.margin ?? chosen?.margin) === 'isolated') {
    return { ...base, by: { is: 'isolated', rawUsd: held?.rawUsd ?? 0n } }
  }
  const sent = held?.position.liquidationPrice ?? null
  const own = held ? maintenance(size, mark, tiers) : 0n
  const cover = sent === null ? funds.equity - (funds.maintenance - own) : coverOf(size, mark, sent, tiers)
  return { ...base, by: { is: 'cross', cover } }
}

/**
 * The share of the account's cover that is needed after the order. Null for an isolated position, which moves
 * cover in or out.
 */
function ratioAfter(stand: Stand, after: Stand, funds: Funds, fill: Amount, paid: Amount): number | null {
  if (after.by.is === 'isolated') return null
  const { size, mark, tiers } = stand
  const needed =
    funds.maintenance - maintenance(size, mark, tiers) + maintenance(after.size, mark, after.tiers)
  return ratioOf(needed, funds.equity + multiply(after.size - size, mark - fill) - paid)
}

/** Some accounts have a leverage limit that is not in the market's table. */
function tiersOf(held: Held | undefined, { tiers }: Terms): readonly MarginTier[] {
  const own = held?.maxLeverage ?? null
  if (own === null || tiers.some(({ maxLeverage }) => maxLeverage === own)) return tiers
  return [{ lowerBound: 0n, maxLeverage: own }]
}

function usedBy({ by, size, mark, leverage }: Stand, held?: Held): Amount {
  if (by.is === 'isolated') return 0n
  return held?.marginUsed ?? initialMargin(size, mark, leverage)
}

/** https://hyperliquid.gitbook.io/hyperliquid-docs/trading/fees, “Fee formula for developers”, for USDC books. */
function takerRate({ rate, discount }: Fee, listedDex: ListedDex | null, { growth }: Terms): Amount {
  if (listedDex === null) return multiply(rate, ONE - discount)
  const scale = listedDex.feeScale ?? ONE
  const scaled = multiply(rate, scale < ONE ? scale + ONE : 2n * scale)
  return multiply(growth ? scaled / 10n : scaled, ONE - discount)
}

function refusalOf(of: {
  stand: Stand
  after: Stand
  sizeDelta: Amount
  fill: Amount
  paid: Amount
  used: Amount
  funds: Funds
  chosen: Chosen | null
}): string | null {
  const { stand, after, sizeDelta, fill, paid, used, funds, chosen } = of
  const before = stand.size
  if (chosen === null || sizeDelta === 0n || reduces(before, sizeDelta)) return null
  const most = sizeDelta > 0n ? chosen.mostToBuy : chosen.mostToSell
  if (magnitude(sizeDelta) > most) {
    return `at most ${formatDecimal(most)} can be ${sizeDelta > 0n ? 'bought' : 'sold'} now`
  }
  const opened = before > 0n === sizeDelta > 0n || before === 0n ? sizeDelta : after.size
  const needed = after.by.is === 'isolated' ? used + initialMargin(opened, fill, stand.leverage) : used
  return needed > funds.equity - paid ? 'not enough margin for it' : null
}

function reduces(size: Amount, sizeDelta: Amount): boolean {
  return size !== 0n && size > 0n !== sizeDelta > 0n && magnitude(sizeDelta) <= magnitude(size)
}

/** The venue shows twenty prices a side, so a larger order cannot be estimated. */
function beyondTheOrderBook(marketId: string): Preview {
  return {
    estimate: true,
    fillPrice: null,
    liquidationPrice: null,
    totalFeesUsd: null,
    marginUsagePercent: null,
    marginRatio: null,
    feasible: null,
    refusal: `it is more than the order book of ${marketId} shows`,
  }
}
