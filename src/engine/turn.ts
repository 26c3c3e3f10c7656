import type { Gone } from '../gone.ts'
import type { Decision } from './decision.ts'
import type { Effect } from './effect.ts'
import type { Guard } from './guards.ts'
import { judge } from './judge.ts'
import type { Look } from './look.ts'
import { seenSubject } from './subjects.ts'

/** What an input leads to: what was learned, and what is to be said and kept in each chat. */
export interface Turn {
  /** Kept with the first of the chats: a crash must not leave a told end beside an open position. */
  learned: Effect[]
  decisions: Decision[]
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
