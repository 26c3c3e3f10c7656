import type { Amount } from '../amount.ts'
import type { LedgerEntry, LedgerFill, Transfer } from './ledger.ts'

/** The results of trades and positions. */
export interface Earned {
  /** The result of closed parts, before fees and funding. */
  realisedUsd: Amount
  /** Below zero: rebates were more. */
  feesUsd: Amount
  /** Both unsigned. */
  fundingPaidUsd: Amount
  fundingReceivedUsd: Amount
  /** The number of fills. */
  trades: number
  /** Fills whose fee is not in `feesUsd`, because it was not paid in USD. */
  unknownFees: number
}

/** Money that came or went without a trade: no profit and no loss. */
export interface Moved {
  /** From and to outside of the wallet, both unsigned. */
  inUsd: Amount
  outUsd: Amount
  rewardsUsd: Amount
  /** The net of vaults and staking: negative was put in. */
  vaultsUsd: Amount
  stakingUsd: Amount
  /** The net of moves between accounts of the same wallet, as the perpetuals see it. */
  withinUsd: Amount
  /** The net of other kinds. */
  otherUsd: Amount
  /** Counts transfers of unknown value, which no other field has. */
  unknownValues: number
}

export interface DaySums extends Earned, Moved {
  /** Wall times, both included. */
  since: number
  until: number
}

export interface LedgerSums extends DaySums {
  /** By market. Markets without a trade and a payment are left out. */
  markets: ReadonlyMap<string, Earned>
  /** The oldest first, and those without an entry too. */
  days: readonly DaySums[]
}

/** Wall times, both included, and the starts of days in between, ascending. */
export interface Span {
  since: number
  until: number
  dayStarts: readonly number[]
}

/** The sums of a wallet's record within a span. Entries outside of it do not count. */
export function sumLedger(entries: readonly LedgerEntry[], { since, until, dayStarts }: Span): LedgerSums {
  const all = newDay(since, until)
  const markets = new Map<string, Earned>()
  const starts = [since, ...dayStarts.filter((at) => at > since && at <= until)]
  const days = starts.map((start, place) => newDay(start, (starts[place + 1] ?? until + 1) - 1))
  for (const entry of entries) {
    if (entry.at < since || entry.at > until) continue
    const day = days.findLast((one) => one.since <= entry.at)
    for (const sums of day ? [all, day] : [all]) {
      if (entry.is === 'transfer') move(sums, entry)
      else earn(sums, entry)
    }
    if (entry.is === 'transfer') continue
    const market = markets.get(entry.marketId) ?? nothingEarned()
    markets.set(entry.marketId, market)
    earn(market, entry)
  }
  return { ...all, markets, days }
}

/** The profit or loss: realised results less fees, with funding. */
export function profitOf({ realisedUsd, feesUsd, fundingPaidUsd, fundingReceivedUsd }: Earned): Amount {
  return realisedUsd - feesUsd + fundingReceivedUsd - fundingPaidUsd
}

function newDay(since: number, until: number): DaySums {
  return {
    ...{ since, until, ...nothingEarned() },
    ...{ inUsd: 0n, outUsd: 0n, rewardsUsd: 0n, vaultsUsd: 0n, stakingUsd: 0n, withinUsd: 0n, otherUsd: 0n },
    unknownValues: 0,
  }
}

function nothingEarned(): Earned {
  return {
    ...{ realisedUsd: 0n, feesUsd: 0n, fundingPaidUsd: 0n, fundingReceivedUsd: 0n },
    ...{ trades: 0, unknownFees: 0 },
  }
}

function earn(sums: Earned, entry: Exclude<LedgerEntry, Transfer>): void {
  if (entry.is === 'fill') return trade(sums, entry)
  if (entry.usd < 0n) sums.fundingPaidUsd -= entry.usd
  else sums.fundingReceivedUsd += entry.usd
}

function trade(sums: Earned, { realisedUsd, feeUsd }: LedgerFill): void {
  sums.trades += 1
  sums.realisedUsd += realisedUsd
  if (feeUsd === null) sums.unknownFees += 1
  else sums.feesUsd += feeUsd
}

function move(sums: Moved, { what, usd }: Transfer): void {
  if (usd === null) {
    sums.unknownValues += 1
    return
  }
  const field = FIELDS[what]
  if (field !== null) sums[field] += usd
  else if (usd < 0n) sums.outUsd -= usd
  else sums.inUsd += usd
}

/** Null: in or out, by its sign. */
const FIELDS = {
  ...{ deposit: null, withdrawal: null, sent: null, received: null },
  ...{ vault: 'vaultsUsd', staking: 'stakingUsd', within: 'withinUsd' },
  ...{ reward: 'rewardsUsd', other: 'otherUsd' },
} as const satisfies Record<Transfer['what'], keyof Moved | null>
