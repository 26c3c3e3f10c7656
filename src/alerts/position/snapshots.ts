import type { WalletSubject } from '../../alert/subject.ts'
import { toNumber } from '../../venue/amount.ts'
import { type Position, positionKey } from '../../venue/position.ts'

/** The facts behind a wallet's liquidation prices, from one read. */
export interface Snapshot {
  at: number
  /** By position. */
  held: Record<string, Part>
  /** USD, by account: only the accounts that count nothing beyond their own equity. */
  equity: Record<string, number>
}

interface Part {
  /** The account whose margin it has, or the first of the sharing ones. */
  pool: string
  /** Exact, as text. */
  size: string
  isolated: boolean
  price: number | null
  /** USD received since it was opened. */
  funding: number | null
}

/** Why there is less margin, with the amount. */
export type Cause =
  | { is: 'funding'; usd: number }
  | { is: 'lost'; position: string; usd: number }
  /**
   * A new or larger position needs more margin. A smaller or closed one may have lost some; the amount is
   * unknown.
   */
  | { is: 'changed'; position: string; to: 'opened' | 'grew' | 'shrank' | 'gone' }
  | { is: 'withdrawn'; usd: number }

export function snapshotOf(subject: WalletSubject): Snapshot {
  const parts = subject.positions.map(
    (position) => [positionKey(position), partOf(position, subject)] as const,
  )
  const equity = subject.accounts.flatMap(({ accountId, pool, mode, equityUsd }) =>
    mode === 'single' && pool === accountId && equityUsd !== null
      ? [[accountId, toNumber(equityUsd)] as const]
      : [],
  )
  return { at: subject.positionAt, held: Object.fromEntries(parts), equity: Object.fromEntries(equity) }
}

function partOf(position: Position, { market, accounts }: WalletSubject): Part {
  const { accountId, marketId, size, margin, fundingUsd } = position
  const price = market(marketId)?.price
  const pool = accounts.find((account) => account.accountId === accountId)?.pool ?? accountId
  return {
    ...{ pool, size: String(size), isolated: margin === 'isolated' },
    price: price === undefined ? null : toNumber(price),
    funding: fundingUsd === null ? null : toNumber(fundingUsd),
  }
}

/** The visible causes of less margin behind a position, the largest first. */
export function causesBetween(key: string, before: Snapshot, after: Snapshot): Cause[] {
  const own = after.held[key]
  if (!own) return []
  // An isolated position does not share its margin.
  const shares = (other: Part) => other.pool === own.pool && !other.isolated && !own.isolated
  const known = { ...before.held, ...after.held }
  const others = Object.keys(known).filter((other) => other !== key && shares(known[other] ?? own))
  const all = [key, ...others]
  const funding = sum(all.map((one) => change(before.held[one]?.funding, after.held[one]?.funding)))
  const changed = others.flatMap((position): Cause[] => {
    const to = whatBecame(before.held[position], after.held[position])
    return to === null ? [] : [{ is: 'changed', position, to }]
  })
  const gained = (position: string) => gainOf(before.held[position], after.held[position])
  const lost = others.map((position): Cause => ({ is: 'lost', position, usd: -gained(position) }))
  // While the positions stay the same, equity changes by prices, funding, deposits and withdrawals alone.
  const [was, is] = [before.equity[own.pool], after.equity[own.pool]]
  const isAlone = Object.values(known).every(({ pool, isolated }) => pool !== own.pool || !isolated)
  const isWhole = changed.length === 0 && isAlone && all.every((one) => isKnown(before, after, one))
  const withdrawn =
    isWhole && was !== undefined && is !== undefined ? sum(all.map(gained)) + funding - (is - was) : 0
  const taken: Cause[] = [...lost, { is: 'funding', usd: -funding }, { is: 'withdrawn', usd: withdrawn }]
  return [...changed, ...taken.filter((cause) => costOf(cause) > 0).toSorted((a, b) => costOf(b) - costOf(a))]
}

/** USD that it cost; 0 for a changed position. */
export function costOf(cause: Cause): number {
  return cause.is === 'changed' ? 0 : cause.usd
}

function isKnown(before: Snapshot, after: Snapshot, position: string): boolean {
  return [before, after].every(
    ({ held: { [position]: part } }) => part?.price != null && part.funding !== null,
  )
}

function whatBecame(before: Part | undefined, after: Part | undefined) {
  if (!before) return 'opened'
  if (!after) return 'gone'
  const [was, is] = [magnitude(before), magnitude(after)]
  return was === is ? null : is > was ? 'grew' : 'shrank'
}

function magnitude({ size }: Part): bigint {
  const exact = BigInt(size)
  return exact < 0n ? -exact : exact
}

/** USD by the price alone, for a position of unchanged size. */
function gainOf(before: Part | undefined, after: Part | undefined): number {
  if (!before || !after || before.size !== after.size || before.price === null || after.price === null)
    return 0
  return toNumber(BigInt(before.size)) * (after.price - before.price)
}

function change(before: number | null | undefined, after: number | null | undefined): number {
  return before === null || before === undefined || after === null || after === undefined ? 0 : after - before
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0)
}
