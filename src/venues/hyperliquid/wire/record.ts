import { z } from 'zod'

import type { Unusable } from '../../../venue/record/lacking.ts'
import type { LedgerEntry, LedgerFill } from '../../../venue/record/ledger.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import { coin, figure, one, whole } from '../../http/shape.ts'
import { howOf } from '../rules/close-records.ts'
import { accountOf, dexOf, isPerpetual } from './dexes.ts'
import { type Fill, fillSchema } from './fills.ts'
import { isDollar, type Moved, readMoved } from './transfers.ts'

/** An element of the venue's record. Both are null for one that moves no money, or moves it in spot. */
export interface Recorded {
  /** Unix milliseconds. */
  at: number
  entry: LedgerEntry | null
  unusable: Unusable | null
}

/** Without its time, an element has no place, and so the page cannot be used. */
const time = z.number().int().nonnegative()
const timed = z.looseObject({ time })
const timedSlice = z.looseObject({ fill: timed })
const funding = z.object({ delta: z.object({ coin, usdc: figure, szi: figure }), hash: z.string() })
const row = z.object({ delta: z.looseObject({ type: z.string() }), hash: z.string() })
/** Which market an element is about, as far as it can be read. */
const about = z.object({ coin })

/** Reads a page of `userFillsByTime`. */
export function readFillPage(body: unknown, wallet: Wallet): Recorded[] {
  return whole(z.array(timed), body, 'the fills').map((element) => fillOf(element, wallet))
}

/** Reads a page of `userTwapSliceFillsByTime`: fills of TWAPs, which the other list leaves out. */
export function readSlicePage(body: unknown, wallet: Wallet): Recorded[] {
  return whole(z.array(timedSlice), body, 'the fills of TWAPs').map(({ fill }) => fillOf(fill, wallet))
}

/** Reads a page of `userFunding`. */
export function readFundingPage(body: unknown): Recorded[] {
  return whole(z.array(timed), body, 'the funding').map((element) => {
    const at = element.time
    const read = one(funding, element)
    if (read.is === 'unusable') return broken(at, 'a payment of funding', read.why, element['delta'])
    const { delta, hash } = read.value
    const entry: LedgerEntry = {
      ...{ is: 'funding', id: `${at} ${delta.coin} ${hash}`, at },
      ...{ accountId: accountOf(dexOf(delta.coin)), marketId: delta.coin, usd: delta.usdc, size: delta.szi },
    }
    return { at, entry, unusable: null }
  })
}

/** Reads a page of `userNonFundingLedgerUpdates`. One transaction may have several rows. */
export function readTransferPage(body: unknown, wallet: Wallet): Recorded[] {
  const seen = new Map<string, number>()
  return whole(z.array(timed), body, 'the transfers').map((element) => {
    const at = element.time
    const read = one(row, element)
    if (read.is === 'unusable') return broken(at, 'a transfer', read.why)
    const { delta, hash } = read.value
    const moved = movedBy(delta, wallet)
    if (typeof moved === 'string') return broken(at, `a transfer (${delta.type.slice(0, 40)})`, moved)
    const same = `${at} ${hash} ${delta.type}`
    const place = seen.get(same) ?? 0
    seen.set(same, place + 1)
    const entry: LedgerEntry | null = moved && { is: 'transfer', id: `${same} ${place}`, at, ...moved }
    return { at, entry, unusable: null }
  })
}

function movedBy(delta: { type: string }, wallet: Wallet): Moved | null | string {
  try {
    return readMoved(delta, wallet)
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    return `${error.issues[0]?.path.join('.') || 'the row'} is missing or of another type`
  }
}

function fillOf(element: { time: number }, wallet: Wallet): Recorded {
  const at = element.time
  const named = about.safeParse(element)
  if (named.success && !isPerpetual(named.data.coin)) return { at, entry: null, unusable: null }
  const read = one(fillSchema, element)
  if (read.is === 'unusable') return broken(at, 'a fill', read.why, element)
  return { at, entry: entryOf(read.value, wallet), unusable: null }
}

function entryOf(fill: Fill, wallet: Wallet): LedgerFill {
  const { coin: marketId, time: at, side, sz, tid, oid, startPosition } = fill
  const how = howOf(fill, wallet)
  // `For a globally unique trade id, use (block_time, coin, tid)`
  // (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket/subscriptions).
  const trade = tid ?? `${startPosition} ${fill.px} ${sz}`
  return {
    ...{ is: 'fill', id: `${at} ${marketId} ${trade} ${side}`, at },
    ...{ accountId: accountOf(dexOf(marketId)), marketId, orderId: oid ? String(oid) : null },
    ...{ size: side === 'B' ? sz : -sz, price: fill.px, before: startPosition },
    ...{ realisedUsd: fill.closedPnl, feeUsd: isDollar(fill.feeToken) ? (fill.fee ?? null) : null },
    how: how === 'closed' || how === 'unknown' ? 'traded' : how,
  }
}

function broken(at: number, what: string, why: string, element?: unknown): Recorded {
  const named = about.safeParse(element)
  const part = named.success ? accountOf(dexOf(named.data.coin)) : null
  return { at, entry: null, unusable: { what, why, part } }
}
