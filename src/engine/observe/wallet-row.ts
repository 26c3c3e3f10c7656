import type { WalletRow } from '../../store/snapshot.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Position } from '../../venue/position.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { Looks, WalletView, SeenPosition } from '../memory/wallet-view.ts'

/**
 * A liquidation price that has moved by less than this share of its distance is not worth a row.
 * Where accounts are liquidated as a whole it moves with every price, in every wallet.
 */
const SHARE = 0.02

/** The row from which a start knows a wallet. The symbols of markets that it has left stay known. */
export function rowOf(
  { markets: { symbols } }: Pick<Memory, 'markets'>,
  { wallet, at, held, gone, left, touchedLiquidation: passed, looks }: WalletView,
): WalletRow {
  const row: WalletRow = {
    ...{ wallet, at: looks ? (looks.get(undefined)?.at ?? 0) : at },
    ...(looks && storedLooks(looks)),
    ...{ positions: [], prices: {}, symbols: { ...left } },
    ...{ gone: [...gone], touchedLiquidation: { ...passed } },
  }
  for (const { position, price, kept } of held.values()) {
    const { marketId } = position
    row.positions.push(position)
    if (price !== null) row.prices[marketId] = price
    const symbol = symbols.get(marketId) ?? kept?.symbol
    if (symbol != null) row.symbols[marketId] = symbol
  }
  return row
}

/** Venues that have shown the wallet whole: a later run tells what is new there. */
function storedLooks(looks: Looks): Pick<WalletRow, 'looks'> {
  const others = [...looks].flatMap(([venue, { at, isNew, isUnknown }]) =>
    venue === undefined || isNew ? [] : [[venue, { at, ...(isUnknown && { isUnknown }) }] as const],
  )
  return others.length === 0 ? {} : { looks: Object.fromEntries(others) }
}

/** The view when the store has its row. */
export function keptView({ markets: { symbols } }: Pick<Memory, 'markets'>, view: WalletView): WalletView {
  const held = new Map<string, SeenPosition>()
  for (const [key, seen] of view.held) {
    const { liquidationPrice, marketId } = seen.position
    const symbol = symbols.get(marketId) ?? seen.kept?.symbol ?? null
    held.set(key, { ...seen, kept: { liquidationPrice, symbol } })
  }
  return { ...view, held }
}

/**
 * Whether a start with the stored row would be wrong about the wallet by more than it matters. The
 * stored row has the held and closed positions of the view before: a view that differs there gets a new row.
 */
export function isNews(
  { markets: { symbols } }: Pick<Memory, 'markets'>,
  before: WalletView | undefined,
  { held, gone, touchedLiquidation: passed }: WalletView,
  share = SHARE,
): boolean {
  if (held.size !== (before?.held.size ?? 0) || !sameGone(before?.gone ?? [], gone)) return true
  if (Object.keys(passed).length !== Object.keys(before?.touchedLiquidation ?? {}).length) return true
  for (const [key, { position, price, kept }] of held) {
    if (before?.held.get(key)?.position.size !== position.size) return true
    if (isOff(kept, position, { symbol: symbols.get(position.marketId), price }, share)) return true
  }
  return false
}

/** Whether the stored figures of a position are wrong by more than it matters; its size is not compared. */
export function isOff(
  kept: SeenPosition['kept'],
  { liquidationPrice: is, entryPrice }: Position,
  market: { symbol: string | undefined; price: number | null },
  share = SHARE,
): boolean {
  if (kept === null || (market.symbol !== undefined && market.symbol !== kept.symbol)) return true
  const was = kept.liquidationPrice
  if (was === is) return false
  if (was === null || is === null) return true
  const [from, to, now] = [toNumber(was), toNumber(is), market.price ?? toNumber(entryPrice ?? was)]
  return Math.abs(to - from) > share * Math.min(Math.abs(now - from), Math.abs(now - to))
}

function sameGone(before: WalletView['gone'], after: WalletView['gone']): boolean {
  if (before.length === 0 && after.length === 0) return true
  const keys = new Set(before.map(({ key }) => key))
  return keys.size === new Set(after.map(({ key }) => key)).size && after.every(({ key }) => keys.has(key))
}

/** At a stop there is time for everything that is not as it was kept. */
export function walletsLeft(drawers: Pick<Memory, 'wallets' | 'markets'>): Effect[] {
  return [...drawers.wallets.views.values()].flatMap((view): Effect[] =>
    isNews(drawers, view, view, 0) ? [{ is: 'wallet', memory: rowOf(drawers, view) }] : [],
  )
}
