import { fromJson, toJson } from '../../lib/text/json.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Position } from '../../venue/position.ts'

/** The known state of a wallet from this wall time on: only the fields that differ from the row before. */
export interface WalletRow {
  at: number
  /** All that it held is named here, and nothing else. */
  whole: boolean
  /** By position: the fields that have changed; null where it is gone. */
  positions: Changes<Known>
  /** The same of its accounts, where the venue shows them. */
  accounts?: Changes<KnownAccount>
  /** Since when it cannot be read; left out while that is as it was. */
  unseenSince?: number | null
  /** The records from here on are damaged: nobody knows the positions until the next whole row. */
  lost?: true
}

type Changes<T> = Record<string, Partial<T> | null>

/** A position as it is judged; `missing` while one answer has lacked it. */
export type Known = Position & { missing: boolean }

/** The figures that an account is judged by; `late` while answers come without them. */
export interface KnownAccount {
  pool: string
  ratio: number | null
  late: boolean
}

/** The state at one time; `accounts` is null where an answer does not speak of them. */
export interface Seen {
  positions: ReadonlyMap<string, Known>
  accounts: ReadonlyMap<string, KnownAccount> | null
}

/** A row of changes alone, as it is in memory: a row of its own shape for each wallet takes as long as all else. */
export interface ChangedRow {
  at: number
  keys: readonly string[]
  /** By place of its key: what has changed; null where nothing has. */
  changes: readonly (Partial<Known> | null)[]
}

export interface OpenWallet {
  known: Map<string, Known>
  accounts: Map<string, KnownAccount>
  unseenSince: number | null
  /** All that it holds has been named. */
  isWhole: boolean
  rows: (WalletRow | ChangedRow)[]
  kept: number
}

/** Nothing is judged by it, and it changes with every answer. */
const SHOWN_ONLY = 'fundingUsd'
const NOTHING: readonly never[] = []
/** It drifts with every answer. */
const DRIFTS = 'liquidationPrice'

export function openWallet(): OpenWallet {
  return {
    ...{ known: new Map(), accounts: new Map(), unseenSince: null, isWhole: false },
    ...{ rows: [], kept: 0 },
  }
}

/**
 * Returns the row for an answer; null where nothing has changed. A liquidation price that moved by less than
 * `drift`, as a part of the entry price, has not changed. Nor has a margin ratio that moved by less.
 */
export function rowOf(wallet: OpenWallet, now: Seen, at: number, drift: number): WalletRow | null {
  const { isWhole, unseenSince } = wallet
  const whole = !isWhole
  const none = new Map<string, never>()
  const positions = changesIn(whole ? none : wallet.known, now.positions, (before, after) =>
    changes(before, after, drift),
  )
  const accounts = now.accounts
    ? changesIn(whole ? none : wallet.accounts, now.accounts, (before, after) => moved(before, after, drift))
    : {}
  const beside = Object.keys(accounts).length > 0 ? { accounts } : {}
  if (whole) return { at, whole, positions, ...beside, unseenSince }
  const isSame = Object.keys(positions).length + Object.keys(accounts).length === 0
  return isSame ? null : { at, whole, positions, ...beside }
}

function changesIn<T>(
  before: ReadonlyMap<string, T>,
  now: ReadonlyMap<string, T>,
  changed: (before: T, after: T) => Partial<T> | null,
): Changes<T> {
  const all: Changes<T> = {}
  for (const [key, one] of now) {
    const known = before.get(key)
    const change = known === undefined ? one : changed(known, one)
    if (change) all[key] = change
  }
  for (const key of before.keys()) if (!now.has(key)) all[key] = null
  return all
}

/**
 * Takes an answer that speaks of no accounts. Returns a row for it, or null where nothing has changed. Returns undefined
 * where it does not show the known positions in their order: then it has taken nothing.
 */
export function takeAgain(
  { known, isWhole }: OpenWallet,
  positions: readonly Position[],
  at: number,
  drift: number,
): ChangedRow | null | undefined {
  const before = [...known.values()]
  if (!isWhole || before.length !== positions.length) return undefined
  if (!positions.every((position, place) => isSamePosition(before[place], position))) return undefined
  const all = positions.map((position, place) => {
    const one = before[place]
    return one ? changes(one, position, drift) : null
  })
  if (all.every((changed) => changed === null)) return null
  for (const [place, changed] of all.entries()) if (changed) Object.assign(before[place] ?? {}, changed)
  return { at, keys: [...known.keys()], changes: all }
}

function isSamePosition(before: Known | undefined, { accountId, marketId, size }: Position): boolean {
  return (
    before !== undefined &&
    !before.missing &&
    before.marketId === marketId &&
    before.accountId === accountId &&
    before.size > 0n === size > 0n
  )
}

function changes<T extends Position>(before: T, after: T, drift: number): Partial<T> | null {
  const fields = changedIn(before, after)
  if (fields.every((field) => field === SHOWN_ONLY)) return null
  const isDrift = fields.every((field) => field === SHOWN_ONLY || field === DRIFTS)
  return isDrift && movedLiquidation(before, after) < drift ? null : picked(after, fields)
}

function moved(before: KnownAccount, after: KnownAccount, drift: number): Partial<KnownAccount> | null {
  const fields = changedIn(before, after)
  const [was, is] = [before.ratio, after.ratio]
  const isDrift = was !== null && is !== null && Math.abs(is - was) < drift
  return fields.length === 0 || (isDrift && fields.length === 1) ? null : picked(after, fields)
}

/** Nearly always none, of each position of each answer: nothing is made for that. */
function changedIn<T extends object>(before: T, after: T): readonly (keyof T)[] {
  let changed: (keyof T)[] | null = null
  for (const field in after) if (before[field] !== after[field]) (changed ??= []).push(field)
  return changed ?? NOTHING
}

function picked<T extends object>(all: T, fields: readonly (keyof T)[]): Partial<T> {
  const part: Partial<T> = {}
  for (const field of fields) part[field] = all[field]
  return part
}

function movedLiquidation(
  { liquidationPrice: was, entryPrice }: Position,
  { liquidationPrice: is }: Position,
): number {
  return was === null || is === null ? Infinity : Math.abs(toNumber(is - was) / toNumber(entryPrice ?? was))
}

/** Applies a row to the known state. Changes are ignored while the state that they build on is not known. */
export function takeRow(wallet: Omit<OpenWallet, 'rows' | 'kept'>, row: WalletRow): void {
  const { known, accounts } = wallet
  wallet.isWhole = row.whole || (wallet.isWhole && !row.lost)
  if (row.lost) for (const [key, one] of known) known.set(key, { ...one, missing: true })
  if (row.whole) known.clear()
  if (row.whole) accounts.clear()
  if (wallet.isWhole) take(known, row.positions)
  if (wallet.isWhole) take(accounts, row.accounts ?? {})
  if (row.unseenSince !== undefined) wallet.unseenSince = row.unseenSince
}

function take<T>(known: Map<string, T>, all: Changes<T>): void {
  for (const [key, changed] of Object.entries(all))
    if (changed === null) known.delete(key)
    else known.set(key, { ...known.get(key), ...changed } as T)
}

/** From then on nobody knows what it held. */
export function lostFrom(at: number): WalletRow {
  return { at, whole: false, positions: {}, lost: true }
}

/** When a row is of: a wall clock that was set back changes no order. */
export function inOrderAt({ rows }: Pick<OpenWallet, 'rows'>, at: number): number {
  return Math.max(at, rows.at(-1)?.at ?? at)
}

/** The first row of an hour: with it the hour can be read without the one before. */
export function wholeRow({ known, accounts, unseenSince, isWhole }: OpenWallet, at: number): WalletRow {
  if (!isWhole) return { at, whole: false, positions: {}, unseenSince }
  const beside = accounts.size > 0 ? { accounts: Object.fromEntries(accounts) } : {}
  // Known positions change in place.
  const positions = Object.fromEntries([...known].map(([key, one]) => [key, { ...one }]))
  return { at, whole: true, positions, ...beside, unseenSince }
}

/** Records keep the key of their first version. */
const WALLET = '"wallet":'
const RECORDED_WALLET = '"owner":'

export function rowsToBytes(rows: OpenWallet['rows']): Uint8Array {
  const stored = rows.map((row) => ('keys' in row ? storedRow(row) : row))
  return new TextEncoder().encode(toJson(stored).replaceAll(WALLET, RECORDED_WALLET))
}

function storedRow({ at, keys, changes: all }: ChangedRow): WalletRow {
  const changed = keys.flatMap((key, place) => (all[place] ? [[key, all[place]] as const] : []))
  return { at, whole: false, positions: Object.fromEntries(changed) }
}

export function rowsFromBytes(bytes: Uint8Array): WalletRow[] {
  return fromJson(new TextDecoder().decode(bytes).replaceAll(RECORDED_WALLET, WALLET)) as WalletRow[]
}
