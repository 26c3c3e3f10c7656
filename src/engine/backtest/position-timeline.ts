import type { Position } from '../../venue/position.ts'
import {
  type Known,
  lostFrom,
  type OpenWallet,
  openWallet,
  takeRow,
  type WalletRow,
} from '../recording/wallet-series.ts'

/** A subject's known figures from this time on; null where it was not there. */
export interface Held<T> {
  at: number
  known: T | null
  unseenSince: number | null
}

/** Accounts that share a margin, as one: what they are judged by. */
export interface KnownPool {
  ratio: number | null
  /** One of its positions is missing in an answer: what became of it is not known yet. */
  missing: boolean
  positions: Position[]
}

/** So many rows between two looks at whether others wait. */
const ROWS_AT_ONCE = 500

/** The known figures of each position of a wallet, from its rows in the order of time. */
export function* suppressedIn(rows: readonly WalletRow[]): Generator<void, Map<string, Held<Known>[]>> {
  const all = new Map<string, Held<Known>[]>()
  let passed = 0
  for (const { at, wallet, named } of walk(rows)) {
    if (++passed % ROWS_AT_ONCE === 0) yield
    const { known, unseenSince } = wallet
    for (const key of named ?? new Set([...all.keys(), ...known.keys()]))
      note(all, key, { at, known: known.get(key) ?? null, unseenSince }, (a, b) => a === b)
  }
  return all
}

/** The same of each of its accounts in which positions share their margin, by the name of the pool. */
export function* poolsIn(rows: readonly WalletRow[]): Generator<void, Map<string, Held<KnownPool>[]>> {
  const all = new Map<string, Held<KnownPool>[]>()
  let passed = 0
  for (const { at, wallet } of walk(rows)) {
    if (++passed % ROWS_AT_ONCE === 0) yield
    const shared = sharedIn(wallet)
    for (const pool of new Set([...all.keys(), ...shared.keys()])) {
      const positions = shared.get(pool)
      const figures = figuresOf(wallet, pool)
      // Figures that an answer does not have are those of before.
      const unseenSince = wallet.unseenSince ?? (figures?.late ? at : null)
      const missing = positions?.some((one) => one.missing) ?? false
      const known = positions && { ratio: figures?.ratio ?? null, missing, positions }
      note(all, pool, { at, known: known ?? null, unseenSince }, isSamePool)
    }
  }
  return all
}

/** When it could not be read, or what was kept of it is damaged. */
export function unreadIn(rows: readonly WalletRow[], until: number): { since: number; until: number }[] {
  const gaps: { since: number; until: number }[] = []
  let since: number | null = null
  for (const { at, wallet } of walk(rows)) {
    const failedParts = wallet.unseenSince ?? (wallet.isWhole ? null : at)
    if (since === null) since = failedParts
    else if (failedParts === null) {
      gaps.push({ since, until: at })
      since = null
    }
  }
  return since === null ? gaps : [...gaps, { since, until }]
}

interface Walked {
  at: number
  wallet: OpenWallet
  /** The positions that may be others than before; null where all may. */
  named: readonly string[] | null
}

function* walk(rows: readonly WalletRow[]): Generator<Walked> {
  const wallet = openWallet()
  let [last, lacks] = [-Infinity, false]
  for (const row of rows) {
    // Leaves out a row that was stored twice, or by a run whose wall clock was set back. Later rows hold only
    // changes from a whole row: if that is left out, the figures are lost until the next one.
    if (row.at < last) {
      lacks ||= row.whole
      continue
    }
    last = row.at
    const isOfAll = lacks || row.whole || row.lost === true || row.unseenSince !== undefined
    if (lacks) takeRow(wallet, lostFrom(row.at))
    lacks = false
    takeRow(wallet, row)
    yield { at: row.at, wallet, named: isOfAll ? null : Object.keys(row.positions) }
  }
}

/** Every row is an answer about all of them, and what it leaves out is as it was. */
function note<T>(
  all: Map<string, Held<T>[]>,
  key: string,
  now: Held<T>,
  isSame: (before: T, after: T) => boolean,
): void {
  const held = all.get(key) ?? []
  all.set(key, held)
  const last = held.at(-1)
  const same =
    last &&
    (last.known === null || now.known === null ? last.known === now.known : isSame(last.known, now.known))
  if (!same || last.unseenSince !== now.unseenSince) held.push(now)
}

function sharedIn({ known, accounts }: OpenWallet): Map<string, Known[]> {
  const all = new Map<string, Known[]>()
  for (const one of known.values()) {
    const pool = one.margin === 'isolated' ? undefined : accounts.get(one.accountId)?.pool
    if (pool !== undefined) all.set(pool, [...(all.get(pool) ?? []), one])
  }
  return all
}

/** Those of the last answer that had some. */
function figuresOf({ accounts }: OpenWallet, pool: string) {
  const own = [...accounts.values()].filter((one) => one.pool === pool)
  return own.find(({ late }) => !late) ?? own[0]
}

function isSamePool(before: KnownPool, after: KnownPool): boolean {
  return before.ratio === after.ratio && before.missing === after.missing
}
