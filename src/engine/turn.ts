import type { Gone } from '../gone.ts'
import type { GuardKey } from '../guard.ts'
import type { ReadNow } from '../reading.ts'
import type { Decision } from './decision.ts'
import type { Effect } from './effect.ts'
import type { Guard } from './guards.ts'
import { judge } from './judge.ts'
import type { Look } from './look.ts'
import { seenSubject } from './subjects.ts'

/** Guards that a price has crossed, or that have held long enough; none of them is judged yet. */
export interface Crossed {
  look: Look
  keys: ReadonlySet<GuardKey>
  readNow: ReadNow
}

/** What an input leads to: what was learned, and what is to be said and kept in each chat. */
export interface Turn {
  /** Kept with the first of the chats: a crash must not leave a told end beside an open position. */
  learned: Effect[]
  decisions: Decision[]
  /** What is judged when it is kept, in slices. */
  crossed?: Crossed
}

/** When a turn is. */
export interface Moment {
  now: number
  tick: number
  /** Older than this and a market's figures are no basis for a judgement. */
  marketStaleMs: number
}

export function judgeAll(look: Look, guards: readonly Guard[], gone: readonly Gone[] = []): Decision[] {
  return guards
    .map((guard) => judge(look, guard, seenSubject(look, guard, gone)))
    .filter((decision) => decision !== null)
}
