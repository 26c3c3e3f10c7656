import { createDice, type Dice } from '../../test/support/seed.ts'
import { walletOf } from './crowd.ts'

/** A venue's markets and wallets of which each week has the same prices: what grows from week to week is not their doing. */
export interface SoakWorld {
  marketsBody(now: number): string
  /** Positions as the venue sends them. */
  wallet(wallet: string, now: number): Record<string, unknown>[]
  /** Positions that were opened, closed and liquidated until now. */
  counts: { opened: number; closed: number; liquidated: number }
}

interface Slot {
  accountId: string
  market: number
  /** Null while nothing is open there. */
  open: { size: number; entry: number; liquidation: number; since: number } | null
  /** Of the next opening, resizing or closing. */
  nextAt: number
}

export const SOAK_MARKETS = 20
const HOUR_MS = 3_600_000
const SLOTS = 2
/** Hours of each swing, all of which a week is a multiple of, and how far it goes. */
const SWINGS = [
  [168, 0.05],
  [42, 0.03],
  [12, 0.02],
  [3, 0.01],
  [0.7, 0.005],
] as const
const OPEN_HOURS = 240
const CLOSED_HOURS = 60
const CLOSES_SHARE = 0.5

export function createSoakWorld(wallets: number, since: number, seed: number): SoakWorld {
  const dice = createDice(seed)
  const counts = { opened: 0, closed: 0, liquidated: 0 }
  const all = new Map<string, Slot[]>()
  for (let wallet = 1; wallet <= wallets; wallet++)
    all.set(
      walletOf(wallet),
      Array.from({ length: SLOTS }, (_, place) => ({
        ...{ accountId: String(wallet), market: (wallet * 7 + place) % SOAK_MARKETS, open: null },
        // As many are open from the beginning as later.
        nextAt: dice.often(OPEN_HOURS / (OPEN_HOURS + CLOSED_HOURS))
          ? since
          : since + hours(dice, CLOSED_HOURS),
      })),
    )

  function advance(slot: Slot, now: number): void {
    const price = priceOf(slot.market, now)
    if (slot.open && (price - slot.open.liquidation) * slot.open.size < 0) {
      slot.open = null
      slot.nextAt = now + hours(dice, CLOSED_HOURS)
      counts.liquidated++
    }
    if (now < slot.nextAt) return
    if (slot.open === null) {
      const side = dice.often(0.5) ? 1 : -1
      const away = 0.15 + 0.8 * dice.next()
      const size = side * (1 + dice.below(20))
      slot.open = { size, entry: price, liquidation: price * (1 - side * away), since: now }
      counts.opened++
    } else if (dice.often(CLOSES_SHARE)) {
      slot.open = null
      counts.closed++
    } else {
      slot.open.size *= dice.often(0.5) ? 1.5 : 1 / 1.5
    }
    slot.nextAt = now + hours(dice, slot.open ? OPEN_HOURS * CLOSES_SHARE : CLOSED_HOURS)
  }

  return {
    counts,
    marketsBody(now) {
      for (const slots of all.values()) for (const slot of slots) advance(slot, now)
      const markets = Array.from({ length: SOAK_MARKETS }, (_, market) => marketJson(market, now))
      return JSON.stringify({ data: [{ chainId: 8008, markets }] })
    },
    wallet(wallet, now) {
      const slots = all.get(wallet.toLowerCase()) ?? []
      for (const slot of slots) advance(slot, now)
      return slots.flatMap((slot) => (slot.open ? [positionJson(slot, slot.open)] : []))
    },
  }
}

/** On average so many, and never less than a quarter of an hour. */
function hours(dice: Dice, mean: number): number {
  return Math.max(0.25, -mean * Math.log(1 - dice.next())) * HOUR_MS
}

function priceOf(market: number, now: number): number {
  const swing = SWINGS.reduce(
    (sum, [period, far], place) =>
      sum + far * Math.sin((2 * Math.PI * now) / (period * HOUR_MS) + market * (place + 1)),
    0,
  )
  return (100 + market) * Math.exp(swing)
}

function marketJson(market: number, now: number): Record<string, unknown> {
  const rate = 0.0008 * Math.sin((2 * Math.PI * now) / (84 * HOUR_MS) + market)
  return {
    ...{ marketId: String(market), symbol: `M${market}`, price: priceOf(market, now) },
    ...{ currentFundingRate: fixed(rate), currentFundingVelocity: '0', tradesCount24h: 100 },
    ...{ skew: '0', currentOI: fixed(1_000), longOI: fixed(500), shortOI: fixed(500) },
    ...{ makerFeeRatio: '0', takerFeeRatio: fixed(0.0005), tradesVolume24h: '0' },
  }
}

function positionJson({ accountId, market }: Slot, open: NonNullable<Slot['open']>): Record<string, unknown> {
  return {
    ...{ accountId, chainId: 8008, marketId: String(market), size: fixed(open.size) },
    ...{ avgEntryPrice: fixed(open.entry), liquidationPrice: fixed(open.liquidation) },
    ...{ entryTimestamp: Math.floor(open.since / 1_000), tpsl: null },
    ...{ totalRealisedFundingUsd: '0', unrealisedFundingUsd: fixed(1), totalRealisedPnlUsd: '0' },
  }
}

/** What a preview answers, whatever is asked. */
export const PREVIEW = JSON.stringify({
  ...{ totalFees: fixed(1.11), ammFees: fixed(1), settlementReward: fixed(0.11), fillPrice: fixed(100) },
  ...{ liquidationPrice: fixed(60), newHealthFactor: 4, newMarginUsage: 25, feasible: true, errorMsg: null },
})

function fixed(value: number): string {
  return String(BigInt(Math.round(value * 1e9)) * 10n ** 9n)
}
