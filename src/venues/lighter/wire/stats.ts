import { z } from 'zod'

import type { Amount } from '../../../venue/amount.ts'
import type { Unusable } from '../../../venue/record/lacking.ts'
import { unusableMarket } from '../../../venue/venue.ts'
import { leaveOut } from '../../http/reply.ts'
import { one, whole } from '../../http/shape.ts'
import type { Figures } from './accounts.ts'
import { amount, daily, type Day, dayOf, id, isPerp, ofPercent, optional, positive } from './read.ts'

/** The pushed figures of one market. */
export interface Stat extends Day {
  id: string
  mark: Amount
  index: Amount | null
  /** A fraction for the hour; above zero longs pay. Null: the venue does not say. */
  ratePerHour: Amount | null
}

export interface StatsRead {
  stats: Stat[]
  unusable: Unusable[]
}

const element = z.object({
  market_id: id,
  mark_price: amount.refine((price) => price > 0n),
  index_price: optional,
  // The estimate of the next payment, and the last payment. In per cent of an hour.
  current_funding_rate: optional,
  funding_rate: optional,
  ...daily,
})

/** Reads the markets of a `market_stats` frame: a record by market id, or one market alone. */
export function readStats(sent: Record<string, unknown>): StatsRead {
  const isOne = 'mark_price' in sent
  const elements: [string, unknown][] = isOne ? [['the only one', sent]] : Object.entries(sent)
  const stats: Stat[] = []
  const unusable: Unusable[] = []
  for (const [name, each] of elements) {
    const parsed = one(element, each)
    if (parsed.is === 'unusable') {
      leaveOut(unusable, { what: unusableMarket(name.slice(0, 20)), why: parsed.why, part: null })
      continue
    }
    const { market_id, mark_price, index_price, current_funding_rate, funding_rate } = parsed.value
    if (!isPerp(market_id)) continue
    const percent = current_funding_rate ?? funding_rate ?? null
    stats.push({
      id: market_id,
      mark: mark_price,
      index: positive(index_price),
      ratePerHour: percent === null ? null : ofPercent(percent),
      ...dayOf(parsed.value),
    })
  }
  return { stats, unusable }
}

const part = z.object({ portfolio_value: amount, available_balance: optional })
const user = z.object({
  stats: z.object({
    portfolio_value: optional,
    available_balance: optional,
    cross_stats: part.nullish().catch(null),
    total_stats: part.nullish().catch(null),
  }),
})

/**
 * Reads the figures of a `user_stats` frame. It names no maintenance margin. Without the split, nothing says what
 * covers the cross positions.
 */
export function readUserStats(frame: unknown): Figures {
  const { stats } = whole(user, frame, 'the account’s figures')
  return {
    equity: stats.total_stats?.portfolio_value ?? stats.portfolio_value ?? null,
    crossEquity: stats.cross_stats?.portfolio_value ?? null,
    crossMaintenance: null,
    available: stats.cross_stats?.available_balance ?? stats.available_balance ?? null,
  }
}
