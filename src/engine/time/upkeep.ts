import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import type { Write } from '../../store/store.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { Recording } from '../memory/recording.ts'
import { type EvaluationContext, pricesSeenAt } from '../monitors/context.ts'
import { walletsLeft } from '../observe/wallet-row.ts'

/** The engine writes down that it lives at least this often, so that "while I was away" has a beginning. */
export const ALIVE_EVERY_MS = 10_000
export const PRUNE_EVERY_MS = 600_000

const DAY_MS = 86_400_000
/** History is kept for three months, the ids of inputs until no platform can hand them over again. */
const KEEP_HISTORY_MS = 90 * DAY_MS
const KEEP_INPUTS_MS = 7 * DAY_MS
/** What was seen is kept for a month, and each single price for as long as a week can be asked for. */
const KEEP_PAST_MS = { prices: 8 * DAY_MS, bars: 30 * DAY_MS, wallet: 30 * DAY_MS, dark: 30 * DAY_MS }
/** Who was away for less was restarted. */
export const AWAY_MS = 60_000
/** A wall clock that is this far from where even time would have it has jumped. */
export const JUMP_MS = 2_000

export function alive(look: {
  memory: Pick<Memory, 'markets' | 'monitors'>
  now: number
  mono: number
}): Write {
  const {
    markets: { holes },
    monitors: { pending },
  } = look.memory
  return { is: 'alive', at: look.now, pricesAt: pricesSeenAt(look), holes: pending.size > 0 ? holes : [] }
}

/** What the next run begins with. */
export function atStop(look: EvaluationContext, recording: Pick<Recording, 'due'>): Effect[] {
  return [alive(look), ...walletsLeft(look.memory), ...recording.due()]
}

export function pruneAt(now: number): Write {
  const { prices, bars, wallet, dark } = KEEP_PAST_MS
  return {
    is: 'prune',
    ...{ inputsBefore: now - KEEP_INPUTS_MS, historyBefore: now - KEEP_HISTORY_MS },
    pastBefore: { prices: now - prices, bars: now - bars, wallet: now - wallet, dark: now - dark },
  }
}

/** The time in which no run of the bot was alive is one that nobody saw. */
export function awayGap(aliveAt: number | null, begunAt: number): Write[] {
  if (aliveAt === null || begunAt - aliveAt < AWAY_MS) return []
  return [{ is: 'gap', gap: { chatId: null, source: null, since: aliveAt, until: begunAt } }]
}

/** Watches the wall clock: a jump changes no interval, but the operator should know of it. By how many milliseconds. */
export function createJumpWatch(clock: Clock, emit: Emit): () => number {
  let wallOffset = clock.now() - clock.monotonic()
  return () => {
    const offset = clock.now() - clock.monotonic()
    const jumpedMs = Math.round(offset - wallOffset)
    if (Math.abs(jumpedMs) < JUMP_MS) return 0
    const text = `the wall clock jumped by ${jumpedMs} ms; no interval changes`
    emit({ is: 'remark', where: 'clock', text })
    wallOffset = offset
    return jumpedMs
  }
}
