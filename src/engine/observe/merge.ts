import { type Amount, magnitude } from '../../venue/amount.ts'
import { isPast, type Position, positionKey, side } from '../../venue/position.ts'
import type { WalletReading } from '../../venue/reading.ts'
import type { CloseRecord } from '../../venue/venue.ts'
import {
  CLOCKS_APART_MS,
  doubtful,
  NONE_PASSED,
  NOTHING_LEFT,
  type SeenAccounts,
  type SeenPosition,
  type WalletView,
} from '../memory/wallet-view.ts'

interface Merged {
  view: WalletView
  /** But for the accounts that the view calls unread. */
  complete: boolean
  /** Not in two complete answers: gone for certain. */
  gone: SeenPosition[]
}

const NOBODY: ReadonlyMap<string, SeenPosition> = new Map()
const NONE: WalletView['reduced'] = new Map()
/** A position that is missing for longer is gone without anybody having been asked how it ended. */
const UNASKED_MS = 30_000

/**
 * Merges an answer into the view. Positions in a part that failed are neither counted as missing nor cleared
 * of it.
 */
export function merge(
  before: WalletView | undefined,
  reading: WalletReading,
  priceOf: (marketId: string) => number | null,
  /** The worth of an answer without positions. A doubted one counts as incomplete. */
  empty: 'believed' | 'waits' | 'doubted' = 'believed',
): Merged {
  const { whole, accounts } = doubtful(reading.value, before?.held ?? NOBODY)
  const complete = whole === null && empty !== 'doubted'
  const held = new Map<string, SeenPosition>()
  for (const position of reading.value.positions) {
    const key = positionKey(position)
    const known = before?.held.get(key)
    const doubted =
      position.liquidationPrice === null && known?.position.liquidationPrice != null && !known.doubtedNone
    held.set(key, {
      position: doubted ? { ...position, liquidationPrice: known.position.liquidationPrice } : position,
      seenAt: reading.at,
      seenMono: reading.mono,
      price: priceOf(position.marketId) ?? known?.price ?? null,
      missingSince: null,
      endSought: false,
      doubtedNone: doubted,
      kept: known?.kept ?? null,
    })
  }
  const gone: SeenPosition[] = []
  for (const [key, known] of before?.held ?? []) {
    if (held.has(key)) continue
    if (empty !== 'believed') {
      const missingSince = empty === 'waits' && complete ? (known.missingSince ?? reading.mono) : null
      held.set(key, { ...known, missingSince })
      continue
    }
    const judged = complete && !accounts.has(known.position.accountId)
    const confirmed = judged && decides(known.missingSince, reading)
    if (confirmed && lacksItsEnd(known, reading))
      held.set(key, { ...known, missingSince: reading.mono, endSought: true })
    else if (confirmed) gone.push(known)
    else held.set(key, judged ? { ...known, missingSince: known.missingSince ?? reading.mono } : known)
  }
  const completeMono = complete ? reading.mono : (before?.completeMono ?? null)
  return {
    view: {
      ...{ wallet: reading.wallet, at: reading.at, mono: reading.mono, completeMono, held },
      accounts: takeAccounts(before?.accounts, reading),
      failedParts: complete ? accounts : new Map([...(before?.failedParts ?? []), ...accounts]),
      unasked: reading.value.unasked ?? [],
      reduced: before?.reduced ?? NONE,
      left: leftNow(before, gone),
      touchedLiquidation: stillPassed(before, held),
      // A position that is there again is a position like any other.
      gone: before?.gone.filter(({ key }) => !held.has(key)) ?? [],
    },
    complete,
    gone,
  }
}

/** One that is there yet, with the price where it would not be liquidated, has outlived that. */
function stillPassed(
  before: WalletView | undefined,
  held: WalletView['held'],
): WalletView['touchedLiquidation'] {
  const all = Object.entries(before?.touchedLiquidation ?? NONE_PASSED)
  if (all.length === 0) return NONE_PASSED
  const still = all.filter(([key]) => {
    const seen = held.get(key)
    return (
      seen !== undefined &&
      (seen.missingSince !== null || seen.price === null || isPast(seen.position, seen.price))
    )
  })
  return still.length === all.length ? (before?.touchedLiquidation ?? NONE_PASSED) : Object.fromEntries(still)
}

function leftNow(before: WalletView | undefined, gone: readonly SeenPosition[]): WalletView['left'] {
  const left = gone.flatMap(({ position, kept }) =>
    kept?.symbol == null ? [] : [[position.marketId, kept.symbol] as const],
  )
  const known = before?.left ?? NOTHING_LEFT
  return left.length === 0 ? known : { ...known, ...Object.fromEntries(left) }
}

/** A position as it was last seen. */
interface LastSeen {
  position: Position
  seenAt: number
}

/**
 * The position's end by the venue's record: not another position's end, nor one from before it was last seen.
 * Trades that had reduced it to the size last seen are not part of that end.
 */
export function endingOf(
  { position, seenAt }: LastSeen,
  closeRecords: readonly CloseRecord[] | null,
): CloseRecord | null {
  let last: CloseRecord | null = null
  for (const ending of closeRecords ?? []) {
    if (ending.left !== undefined || !isOf(ending, position) || ending.at < seenAt - CLOCKS_APART_MS) continue
    if (last === null || ending.at >= last.at) last = ending
  }
  return last && ofWhatWasLeft(last, magnitude(position.size))
}

function ofWhatWasLeft({ later = [], ...ending }: CloseRecord, left: Amount): CloseRecord {
  return { ...ending, ...later.find(({ size }) => size === left) }
}

function isOf({ accountId, marketId, side: towards }: CloseRecord, position: Position): boolean {
  return accountId === position.accountId && marketId === position.marketId && towards === side(position)
}

/**
 * Whether a complete answer without a missing position proves that it is gone. If nobody asked how it ended,
 * the next answer decides.
 */
function decides(missingSince: number | null, { mono, unsolicited }: WalletReading): boolean {
  if (missingSince === null || mono <= missingSince) return false
  return !unsolicited || mono - missingSince > UNASKED_MS
}

/**
 * Whether the venue's record may still follow: it was read, and shows no end of the missing position. It is
 * asked once more.
 */
function lacksItsEnd(held: LastSeen & { endSought: boolean }, { closeRecords }: WalletReading): boolean {
  return closeRecords !== null && !held.endSought && endingOf(held, closeRecords) === null
}

/** An account that an answer leaves out stays as it was: its figures may be missing beside its positions. */
function takeAccounts(before: SeenAccounts | undefined, { value, at, mono }: WalletReading): SeenAccounts {
  const all = new Map(before)
  for (const account of value.accounts) {
    const said = account.marginRatio === null ? (before?.get(account.accountId)?.known ?? null) : { at, mono }
    all.set(account.accountId, { account, seenAt: at, seenMono: mono, known: said })
  }
  return all
}
