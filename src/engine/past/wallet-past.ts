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
}

/** A position as it is judged; `missing` while one answer has lacked it. */
export type Known = Position & { missing: boolean }

export interface OpenWallet {
  known: Map<string, Known>
  unseenSince: number | null
  rows: WalletRow[]
  kept: number
}

/** Nothing is judged by it, and it changes with every answer. */
const SHOWN_ONLY: ReadonlySet<string> = new Set(['fundingUsd'])
/** It drifts with every answer. */
const DRIFTS = 'liquidationPrice'

export function openWallet(): OpenWallet {
  return { known: new Map(), unseenSince: null, rows: [], kept: 0 }
}

/**
 * The row that an answer leads to; null where nothing has changed. A liquidation price that has drifted by less than this part
 * of the price at which its position was entered has not.
 */
export function rowOf(
  { known, rows }: Pick<OpenWallet, 'known' | 'rows'>,
  now: ReadonlyMap<string, Known>,
  at: number,
  drift: number,
): WalletRow | null {
  const whole = rows.length === 0
  const positions: WalletRow['positions'] = {}
  for (const [key, position] of now) {
    const before = whole ? undefined : known.get(key)
    const changed = before ? changes(before, position, drift) : position
    if (changed) positions[key] = changed
  }
  if (!whole) for (const key of known.keys()) if (!now.has(key)) positions[key] = null
  return whole || Object.keys(positions).length > 0 ? { at, whole, positions } : null
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

/** What is known of it when a row has been taken. */
export function takeRow(wallet: Pick<OpenWallet, 'known' | 'unseenSince'>, row: WalletRow): void {
  if (row.whole) wallet.known.clear()
  for (const [key, changed] of Object.entries(row.positions)) {
    if (changed === null) wallet.known.delete(key)
    // Of what a record that is gone by now began with only the changes are known.
    else if (wallet.known.has(key) || changed.size !== undefined)
      wallet.known.set(key, { ...wallet.known.get(key), ...changed } as Known)
  }
  if (row.unseenSince !== undefined) wallet.unseenSince = row.unseenSince
}

/** What an hour begins with: it can be read without the one before it. */
export function wholeRow({ known, unseenSince }: OpenWallet, at: number): WalletRow {
  return { at, whole: true, positions: Object.fromEntries(known), unseenSince }
}

export function rowsToBytes(rows: readonly WalletRow[]): Uint8Array {
  return new TextEncoder().encode(toJson(rows))
}

export function rowsFromBytes(bytes: Uint8Array): WalletRow[] {
  return fromJson(new TextDecoder().decode(bytes)) as WalletRow[]
}
