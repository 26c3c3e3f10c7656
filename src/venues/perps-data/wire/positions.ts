import { z } from 'zod'

import type { Amount } from '../../../venue/amount.ts'
import type { Order } from '../../../venue/order.ts'
import { type Position, positionKey } from '../../../venue/position.ts'
import type { Unusable } from '../../../venue/record/lacking.ts'
import type { PositionsAnswer } from '../../../venue/venue.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import { isFields, leaveOut } from '../../http/reply.ts'
import { count, exactFixed, fixedPrice, identifier, instant } from './numbers.ts'
import { readOrder } from './orders.ts'
import { failOnOtherChain, failOnOtherWallet, isElsewhere, listIn } from './shape.ts'

const wire = z.union([z.string(), z.number()])

/** The fields that we use. The rest of the record is ignored. */
const positionSchema = z.compile(
  z.object({
    accountId: wire,
    marketId: wire,
    size: wire,
    avgEntryPrice: z.unknown().optional(),
    liquidationPrice: wire,
    totalRealisedPnlUsd: z.unknown().optional(),
    totalRealisedFundingUsd: z.unknown().optional(),
    unrealisedFundingUsd: z.unknown().optional(),
    breakEvenPriceIncludingClosingFee: z.unknown().optional(),
    entryTimestamp: z.unknown().optional(),
  }),
)

/** Reads the answer of `GET /positions/v2` into the open positions of our chain. */
export function readPositions(body: unknown, chainId: number, wallet: Wallet): PositionsAnswer {
  const { list, envelope } = listIn(body, 'positions')
  failOnOtherWallet(envelope, wallet)
  failOnOtherChain(envelope, chainId)
  const positions: Position[] = []
  const unusable: Unusable[] = []
  const protectiveOrders: Order[] = []
  const isRepeated = createRepeats()
  let passedOver = 0
  for (const [place, element] of list.entries()) {
    const read = isElsewhere(element, chainId) ? 'not ours' : readPosition(element, wallet)
    if (read === 'not ours' || read === 'not open') {
      passedOver++
      continue
    }
    if (typeof read === 'string') {
      const part = isFields(element) ? identifier(element['accountId']) : null
      leaveOut(unusable, { what: positionInList(element, place, list.length), why: read, part })
      continue
    }
    if (isRepeated(read)) {
      leaveOut(unusable, {
        what: positionInList(element, place, list.length),
        why: 'this position is listed twice',
        part: read.accountId,
      })
      continue
    }
    positions.push(read)
    const protectiveOrder = isFields(element) ? protectiveOrderOf(element['tpsl'], read) : null
    if (protectiveOrder) protectiveOrders.push(protectiveOrder)
  }
  const totalCount = count(envelope['totalCount'])
  // Skipped elements were received: they must not look like positions that the venue withheld.
  return {
    positions,
    accounts: [],
    unusable,
    failedParts: [],
    protectiveOrders,
    totalCount: totalCount === null ? null : Math.max(0, totalCount - passedOver),
  }
}

const NOTHING_SAID: Omit<Order, 'id'> = {
  ...{ state: null, venueStatus: null, type: null, accountId: null, marketId: null, size: 'all' },
  ...{ limit: null, takeProfit: null, stopLoss: null, reduceOnly: null, isProtective: true },
  ...{ createdAt: null, expiresAt: null },
}

/** Reads the take-profit and stop-loss of a position as a protective order. */
function protectiveOrderOf(tpsl: unknown, { accountId, marketId }: Position): Order | null {
  if (!isFields(tpsl)) return null
  const order = readOrder(tpsl) ?? { ...NOTHING_SAID, id: `tpsl ${accountId}/${marketId}` }
  return { ...order, accountId, marketId, isProtective: true, state: order.state ?? 'open' }
}

/** Returns the position, `'not open'` for a size of zero, or why it cannot be used. */
function readPosition(element: unknown, wallet: Wallet): Position | string {
  const parsed = positionSchema.safeParse(element)
  if (!parsed.success) {
    if (isFields(element) && exactFixed(element['size']) === 0n) return 'not open'
    return `${parsed.error.issues[0]?.path.join('.') || 'the record'} is missing or of another type`
  }
  const record = parsed.data
  const size = exactFixed(record.size)
  if (size === null) return 'size is not an exact 18-decimal integer'
  if (size === 0n) return 'not open'
  const accountId = identifier(record.accountId)
  const marketId = identifier(record.marketId)
  const liquidationPrice = fixedPrice(record.liquidationPrice)
  if (accountId === null) return 'accountId is no identifier, or has lost digits as a JSON number'
  if (marketId === null) return 'marketId is no identifier'
  if (liquidationPrice === null || liquidationPrice < 0n) {
    return 'liquidationPrice is not an 18-decimal integer from 0 on'
  }
  return {
    wallet,
    accountId,
    marketId,
    size,
    entryPrice: aboveZero(fixedPrice(record.avgEntryPrice)),
    liquidationPrice: liquidationPrice === 0n ? null : liquidationPrice,
    margin: null,
    leverage: null,
    fundingUsd: fundingSince(record),
    breakEvenPrice: aboveZero(exactFixed(record.breakEvenPriceIncludingClosingFee)),
    realisedPnlUsd: exactFixed(record.totalRealisedPnlUsd),
    openedAt: instant(record.entryTimestamp),
  }
}

/** Needs both parts: one alone says nothing. */
function fundingSince(record: { totalRealisedFundingUsd?: unknown; unrealisedFundingUsd?: unknown }) {
  const realised = exactFixed(record.totalRealisedFundingUsd)
  const unrealised = exactFixed(record.unrealisedFundingUsd)
  return realised === null || unrealised === null ? null : realised + unrealised
}

/** The venue writes zero for none. */
function aboveZero(price: Amount | null): Amount | null {
  return price !== null && price > 0n ? price : null
}

/** Detects a position that was already read. Most are alone in their market, and then no key is built. */
function createRepeats(): (position: Position) => boolean {
  const firsts = new Map<string, Position>()
  const others = new Set<string>()
  return (position) => {
    const first = firsts.get(position.marketId)
    if (!first) {
      firsts.set(position.marketId, position)
      return false
    }
    const key = positionKey(position)
    const repeated = key === positionKey(first) || others.has(key)
    others.add(key)
    return repeated
  }
}

function positionInList(element: unknown, place: number, of: number): string {
  const market = isFields(element) ? identifier(element['marketId']) : null
  return `position ${place + 1} of ${of}${market === null ? '' : ` (market ${market})`}`
}
