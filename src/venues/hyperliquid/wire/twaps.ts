import { z } from 'zod'

import { multiply, type Amount } from '../../../venue/amount.ts'
import type { Unusable } from '../../../venue/record/lacking.ts'
import type { Twap, TwapState } from '../../../venue/record/twap.ts'
import { leaveOut } from '../../http/reply.ts'
import { coin, figure, one, whole, word } from '../../http/shape.ts'
import { accountOf, dexOf, isPerpetual } from './dexes.ts'

/** Milliseconds since 1973, or seconds until the year 5138. */
const SECONDS_BELOW = 100_000_000_000

/**
 * An entry of `twapHistory`, one for each change of a TWAP's status
 * (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket/subscriptions, `WsTwapHistory`).
 */
const entry = z.object({
  /** In seconds as others have recorded it, while the state counts milliseconds. */
  time: z
    .number()
    .positive()
    .transform((time) => (time < SECONDS_BELOW ? time * 1_000 : time)),
  state: z.object({
    coin,
    side: z.enum(['A', 'B']),
    sz: figure.refine((size) => size > 0n),
    executedSz: figure,
    executedNtl: figure,
    minutes: z.number().positive(),
    reduceOnly: z.boolean(),
    timestamp: z.number().int().positive(),
    /** Since 2026-08. It starts when the mark price is there. */
    trigger: z.object({ px: figure, above: z.boolean() }).nullish(),
    /** Since 2026-08: the mark price that stops it. */
    stopPx: figure.nullish(),
  }),
  status: z.object({ status: z.string(), description: word.nullish() }),
  twapId: z.number().int(),
})
type Entry = z.output<typeof entry>

/** `waitingForTrigger` and `stopped` are not in the documentation; others have seen them. */
const STATES: Readonly<Record<string, TwapState>> = {
  waitingForTrigger: 'waiting',
  activated: 'running',
  finished: 'finished',
  terminated: 'cancelled',
  stopped: 'stopped',
  error: 'failed',
}

interface TwapsRead {
  twaps: Twap[]
  unusable: Unusable[]
  sent: number
}

/**
 * Reads the answer of `twapHistory` into the last state of each TWAP, the newest first. Spot is left out. A TWAP with
 * an unusable entry is left out as well: that entry may be its last. Unusable entries before `since` concern nobody now.
 */
export function readTwaps(body: unknown, since = -Infinity): TwapsRead {
  const elements = whole(z.array(z.unknown()), body, 'the TWAPs')
  const unusable: Unusable[] = []
  const entries = new Map<number, Entry[]>()
  const doubted = new Set<number>()
  for (const [place, element] of elements.entries()) {
    const parsed = one(entry, element)
    const why = parsed.is === 'unusable' ? parsed.why : unknownStatus(parsed.value)
    if (parsed.is === 'unusable' || why !== null) {
      const id = idOf.safeParse(element).data?.twapId
      const isSpot = coinOf.safeParse(element).data?.state.coin
      const at = timeOf.safeParse(element).data?.time ?? Infinity
      if ((isSpot !== undefined && !isPerpetual(isSpot)) || at < since) continue
      if (id !== undefined) doubted.add(id)
      const what = id === undefined ? `TWAP ${place + 1} of ${elements.length}` : `TWAP ${id}`
      leaveOut(unusable, { what, why: why ?? '', part: null })
      continue
    }
    const { twapId, state } = parsed.value
    if (isPerpetual(state.coin)) entries.set(twapId, [...(entries.get(twapId) ?? []), parsed.value])
  }
  const known = [...entries].filter(([id]) => !doubted.has(id))
  const twaps = known.map(([, all]) => twapOf(all)).toSorted((a, b) => b.startedAt - a.startedAt)
  return { twaps, unusable, sent: elements.length }
}

const idOf = z.object({ twapId: z.number().int() })
const timeOf = entry.pick({ time: true })
const coinOf = z.object({ state: z.object({ coin: z.string() }) })

function unknownStatus({ status }: Entry): string | null {
  return Object.hasOwn(STATES, status.status) ? null : `its status is ${status.status.slice(0, 40)}`
}

function stateOf({ status }: Entry): TwapState {
  return STATES[status.status] ?? 'failed'
}

/** Entries of one second may come in any order: a TWAP that has ended starts no more. */
const ORDER: readonly TwapState[] = ['waiting', 'running']
const rank = (state: TwapState) => (ORDER.includes(state) ? ORDER.indexOf(state) : ORDER.length)

function twapOf(entries: readonly Entry[]): Twap {
  const sorted = entries.toSorted((a, b) => rank(stateOf(a)) - rank(stateOf(b)) || a.time - b.time)
  const last = sorted.at(-1) as Entry
  const { coin: name, side, sz, executedSz, executedNtl, timestamp, trigger, stopPx } = last.state
  const state = stateOf(last)
  const activated = sorted.findLast((one) => stateOf(one) === 'running')
  return {
    id: String(last.twapId),
    ...{ accountId: accountOf(dexOf(name)), marketId: name, size: side === 'B' ? sz : -sz },
    // The venue rewrites these figures at a change of the status alone: while it runs they stay 0.
    filled: state === 'running' ? null : { size: executedSz, notionalUsd: executedNtl },
    ...{ priceLimit: stopPx ?? null, trigger: trigger ? { price: trigger.px, above: trigger.above } : null },
    ...{ durationMs: last.state.minutes * 60_000, reduceOnly: last.state.reduceOnly },
    startedAt: trigger && activated ? Math.max(activated.time, timestamp) : timestamp,
    // An entry of the same second as the start must not lie before it.
    ...{ state, at: Math.max(last.time, timestamp), why: last.status.description ?? null },
  }
}

/** A fill of a TWAP. */
export interface TwapFill {
  twapId: string
  /** The id of the trade. */
  tid: number
  at: number
  size: Amount
  notionalUsd: Amount
}

const slice = z.object({
  fill: z.object({ px: figure, sz: figure, time: z.number(), tid: z.number() }),
  twapId: z.number().int(),
})

/** Reads the answer of `userTwapSliceFillsByTime`, the oldest first. */
export function readTwapFills(body: unknown): { slices: TwapFill[]; sent: number } {
  const all = whole(z.array(slice), body, 'the fills of TWAPs')
  const slices = all.map(({ fill, twapId }) => ({
    ...{ twapId: String(twapId), tid: fill.tid, at: fill.time },
    ...{ size: fill.sz, notionalUsd: multiply(fill.px, fill.sz) },
  }))
  return { slices: slices.toSorted((a, b) => a.at - b.at), sent: all.length }
}
