import { z } from 'zod'

import { type Amount, divide, magnitude, toNumber } from '../../../venue/amount.ts'
import type { Unusable } from '../../../venue/record/lacking.ts'
import { leaveOut } from '../../http/reply.ts'
import { coin, one } from '../../http/shape.ts'
import { amount, optional, id, integer, isPerp, isSpot, positive } from './read.ts'

/** An open position as the venue sent it. USD, and base units for the size. */
export interface Held {
  marketId: string
  symbol: string
  /** Signed: below zero is short. */
  size: Amount
  entryPrice: Amount | null
  /** The mark price of that moment. It lacks what the venue has rounded off the position's value. */
  mark: Amount
  /** Null: no price of this market alone. */
  liquidationPrice: Amount | null
  margin: 'cross' | 'isolated' | null
  /** The collateral of an isolated position, without its gains. */
  allocated: Amount
  unrealised: Amount | null
  /** A fraction of the notional; null: the venue does not say. */
  initialFraction: Amount | null
  realised: Amount | null
}

/** The positions that were sent: open ones, the markets of closed ones, and unreadable elements. */
export interface PositionsRead {
  open: Held[]
  /** Closed positions stay listed with size zero. */
  closed: string[]
  unusable: Unusable[]
}

const MARGINS: ReadonlyMap<number, 'cross' | 'isolated'> = new Map([
  [0, 'cross'],
  [1, 'isolated'],
])

const element = z.object({
  market_id: id.refine(isPerp),
  symbol: coin,
  sign: integer.refine((sign) => sign === 1 || sign === -1),
  position: amount.refine((size) => size > 0n),
  avg_entry_price: optional,
  position_value: amount.refine((value) => value > 0n),
  unrealized_pnl: optional,
  realized_pnl: optional,
  // An empty text would be no price; it must not pass for “none”.
  liquidation_price: amount,
  margin_mode: integer.nullish().catch(null),
  allocated_margin: optional,
  initial_margin_fraction: optional,
})

const closed = z.object({ market_id: id, position: amount.refine((size) => size === 0n) })
const named = z.object({ market_id: id })

/** Reads the positions of one account: a list, or a record by market id. Spot is left out. */
export function readPositions(
  listed: readonly unknown[] | Record<string, unknown>,
  account: string,
): PositionsRead {
  const elements = Array.isArray(listed) ? listed : Object.values(listed)
  const open = new Map<string, Held>()
  const read: PositionsRead = { open: [], closed: [], unusable: [] }
  for (const [place, sent] of elements.entries()) {
    const market = named.safeParse(sent)
    if (market.success && isSpot(market.data.market_id)) continue
    const isClosed = closed.safeParse(sent)
    if (isClosed.success) {
      read.closed.push(isClosed.data.market_id)
      continue
    }
    const what = `position ${place + 1} of ${elements.length}`
    const parsed = one(element, sent)
    const why =
      parsed.is === 'unusable'
        ? parsed.why
        : open.has(parsed.value.market_id)
          ? 'this position is listed twice'
          : null
    if (parsed.is === 'read' && why === null) open.set(parsed.value.market_id, heldOf(parsed.value))
    else leaveOut(read.unusable, { what, why: why ?? '', part: account })
  }
  read.open.push(...open.values())
  return read
}

function heldOf(sent: z.output<typeof element>): Held {
  const size = sent.sign < 0 ? -sent.position : sent.position
  return {
    marketId: sent.market_id,
    symbol: sent.symbol,
    size,
    entryPrice: positive(sent.avg_entry_price),
    mark: divide(sent.position_value, magnitude(size)),
    liquidationPrice: positive(sent.liquidation_price),
    margin: MARGINS.get(sent.margin_mode ?? -1) ?? null,
    allocated: sent.allocated_margin ?? 0n,
    unrealised: sent.unrealized_pnl ?? null,
    // In per cent: `5.00` is a leverage of 20.
    initialFraction: positive(sent.initial_margin_fraction && sent.initial_margin_fraction / 100n),
    realised: sent.realized_pnl ?? null,
  }
}

/** The leverage that the trader chose; null if the venue does not say. */
export function leverageOf({ initialFraction }: Pick<Held, 'initialFraction'>): number | null {
  return initialFraction === null ? null : Number((1 / toNumber(initialFraction)).toFixed(2))
}
