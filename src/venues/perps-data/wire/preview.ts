import type { Amount } from '../../../venue/amount.ts'
import type { Preview } from '../../../venue/order.ts'
import { type Fields, isFields, unreadable, wordsIn } from '../../http/reply.ts'
import { decimal, fixed, ratio } from './numbers.ts'
import { describe, failOnError } from './shape.ts'

/**
 * A JSON number from here on is no figure in USD, but an 18-decimal integer that has lost its quotes and
 * digits.
 */
const TOO_MUCH_USD = 1e12

/** Any of these identifies a record, also those that we do not use. */
const KNOWN_FIELDS = [
  'fillPrice',
  'liquidationPrice',
  'totalFees',
  'ammFees',
  'settlementReward',
  'priceImpact',
  'newHealthFactor',
  'newMarginUsage',
  'feasible',
  'errorMsg',
]

/** Reads the answer of `POST /post-trade-details`. All of its fields are optional. */
export function readPreview(body: unknown): Preview {
  const record = recordIn(body, 0)
  if (!record) throw unreadable(describe(body, 'the details of an order'))
  const liquidationPrice = figure(record['liquidationPrice'])
  return {
    estimate: false,
    fillPrice: positive(figure(record['fillPrice'])),
    liquidationPrice: liquidationPrice === 0n ? 'none' : positive(liquidationPrice),
    totalFeesUsd: figure(record['totalFees']),
    marginUsagePercent: ratio(record['newMarginUsage']),
    marginRatio: null,
    feasible: typeof record['feasible'] === 'boolean' ? record['feasible'] : null,
    refusal: wordsIn(record['errorMsg']),
  }
}

/** Finds the record itself or inside envelopes of any name, at most two deep. */
function recordIn(body: unknown, depth: number): Fields | null {
  if (Array.isArray(body)) return body.length === 1 ? recordIn(body[0], depth) : null
  if (!isFields(body)) return null
  failOnError(body)
  if (KNOWN_FIELDS.some((name) => body[name] !== undefined)) return body
  if (depth === 2) return null
  for (const inner of Object.values(body)) {
    const found = recordIn(inner, depth + 1)
    if (found) return found
  }
  return null
}

/** Quoted figures have 18 decimals. JSON numbers are unscaled, like the venue's other JSON numbers. */
function figure(value: unknown): Amount | null {
  if (typeof value === 'number') return Math.abs(value) < TOO_MUCH_USD ? decimal(value) : null
  return fixed(value)
}

function positive(amount: Amount | null): Amount | null {
  return amount !== null && amount > 0n ? amount : null
}
