import { toNumber } from '../../amount.ts'
import { fromJson, toJson } from '../../lib/json.ts'
import type { Position } from '../../position.ts'

/** What was known of a wallet from then on (wall time): only what is other than in the row before. */
export interface WalletRow {
  at: number
  /** All that it held is named here, and nothing else. */
  whole: boolean
  /** By position: the fields that have changed; null where it is gone. */
  positions: Record<string, Partial<Known> | null>
  /** Since when it cannot be read; left out while that is as it was. */
  unseenSince?: number | null
  /** What was kept of it from then on is damaged: until all of it is named again nobody knows what it held. */
  lost?: true
}

/** A position as it is judged; `missing` while one answer has lacked it. */
export type Known = Position & { missing: boolean }

export interface OpenWallet {
  known: Map<string, Known>
  unseenSince: number | null
  /** All that it holds has been named. */
  isWhole: boolean
  rows: WalletRow[]
  kept: number
}

/** Nothing is judged by it, and it changes with every answer. */
const SHOWN_ONLY: ReadonlySet<string> = new Set(['fundingUsd'])
/** It drifts with every answer. */
const DRIFTS = 'liquidationPrice'

export function openWallet(): OpenWallet {
  return { known: new Map(), unseenSince: null, isWhole: false, rows: [], kept: 0 }
}

/**
 * The row that an answer leads to; null where nothing has changed. A liquidation price that has drifted by less than this part
 * of the price at which its position was entered has not.
 */
export function rowOf(
  { known, isWhole, unseenSince }: OpenWallet,
  now: ReadonlyMap<string, Known>,
  at: number,
  drift: number,
): WalletRow | null {
  const whole = !isWhole
  const positions: WalletRow['positions'] = {}
  for (const [key, position] of now) {
    const before = whole ? undefined : known.get(key)
    const changed = before ? changes(before, position, drift) : position
    if (changed) positions[key] = changed
  }
  if (!whole) for (const key of known.keys()) if (!now.has(key)) positions[key] = null
  if (whole) return { at, whole, positions, unseenSince }
  return Object.keys(positions).length > 0 ? { at, whole, positions } : null
}

function changes(before: Known, after: Known, drift: number): Partial<Known> | null {
  const fields = (Object.keys(after) as (keyof Known)[]).filter((field) => before[field] !== after[field])
  if (fields.every((field) => SHOWN_ONLY.has(field))) return null
  if (fields.every((field) => SHOWN_ONLY.has(field) || field === DRIFTS) && drifted(before, after) < drift)
    return null
  return Object.fromEntries(fields.map((field) => [field, after[field]]))
}

function drifted({ liquidationPrice: was, entryPrice }: Known, { liquidationPrice: is }: Known): number {
  return was === null || is === null ? Infinity : Math.abs(toNumber(is - was) / toNumber(entryPrice))
}

/** What is known of it when a row has been taken. Changes say nothing where it is not known of what. */
export function takeRow(wallet: Omit<OpenWallet, 'rows' | 'kept'>, row: WalletRow): void {
  const { known } = wallet
  wallet.isWhole = row.whole || (wallet.isWhole && !row.lost)
  if (row.lost) for (const [key, one] of known) known.set(key, { ...one, missing: true })
  if (row.whole) known.clear()
  for (const [key, changed] of wallet.isWhole ? Object.entries(row.positions) : [])
    if (changed === null) known.delete(key)
    else known.set(key, { ...known.get(key), ...changed } as Known)
  if (row.unseenSince !== undefined) wallet.unseenSince = row.unseenSince
}

/** From then on nobody knows what it held. */
export function lostFrom(at: number): WalletRow {
  return { at, whole: false, positions: {}, lost: true }
}

/** When a row is of: a wall clock that was set back changes no order. */
export function inOrderAt({ rows }: Pick<OpenWallet, 'rows'>, at: number): number {
  return Math.max(at, rows.at(-1)?.at ?? at)
}

/** What an hour begins with: it can be read without the one before it. */
export function wholeRow({ known, unseenSince, isWhole }: OpenWallet, at: number): WalletRow {
  return { at, whole: isWhole, positions: isWhole ? Object.fromEntries(known) : {}, unseenSince }
}

export function rowsToBytes(rows: readonly WalletRow[]): Uint8Array {
  return new TextEncoder().encode(toJson(rows))
}

export function rowsFromBytes(bytes: Uint8Array): WalletRow[] {
  return fromJson(new TextDecoder().decode(bytes)) as WalletRow[]
}
