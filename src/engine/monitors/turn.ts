import type { Acknowledgement } from '../../alert/alert-state.ts'
import type { MonitorKey } from '../../alert/monitor.ts'
import type { DigestTold } from '../../people/digest.ts'
import type { Listed } from '../../venue/listing.ts'
import type { ReadNow } from '../../venue/reading.ts'
import type { Effect } from '../memory/effect.ts'
import type { EvaluationContext } from './context.ts'
import type { Decision } from './decision.ts'

/** Monitors that a price has crossed, or whose hold time is over. They are not judged yet. */
export interface Crossed {
  look: EvaluationContext
  /** By name; one may come twice. */
  keys: Iterable<MonitorKey>
  /** Monitors by slot, found while they are walked over, each once. One may be among the keys as well. */
  slots: Iterable<number>
  /** Answers about these slots before all are found; left out where there are none. */
  ahead?: Ahead
  readNow: ReadNow
}

interface Ahead {
  /** Some, those furthest past their bounds first: nearly always the most urgent. About as many as that. */
  furthest(most: number): number[]
  /** Whether a slot is one of them, until it is judged. */
  has(slot: number): boolean
}

/** Reports on sources that are lost or found. They are not decided yet. */
export interface Reports {
  /** Those that hear of it, found as they are walked over, once; a chat may come twice. */
  chats: Iterable<number>
  /** Decides a chat's notices once all chats are known; empty where nobody is to hear of it any more. */
  decide(chatId: number): Decision[]
}

/** Somebody acknowledged or snoozed an alert: every chat that was told of it hears so. */
export interface Acknowledged {
  key: MonitorKey
  alertId: number
  acknowledgement: Extract<Acknowledgement, { by: string }>
  /** The chat that reads the answer to the command; null when none does. */
  readIn: number | null
}

/** The decisions of a turn: the observed effects, and the notices and effects of each chat. */
export interface DecidedTurn {
  /** Committed with the first of the chats: a crash must not leave a told end beside an open position. */
  observed: Effect[]
  decisions: Decision[]
  acknowledged?: readonly Acknowledged[]
}

/** The whole result of one input, with the parts that are decided only while it is committed. */
export interface Outcome extends DecidedTurn {
  /** Figures that memory takes before anything is judged, whether or not the rest can be committed. */
  figures?: Effect[]
  /** Markets that the venue calls by another name, as the turn has found out. */
  renamed?: readonly { from: string; to: Listed }[]
  /** A picture follows its words once they are committed. */
  digest?: DigestTold
  /** Decided in chunks while the turn is committed. */
  reports?: Reports
  crossed?: Crossed
}

/** When a turn is. */
export interface Moment {
  now: number
  mono: number
  /** Older than this and a market's figures are no basis for a judgement. */
  marketStaleMs: number
}

/** Decides all reports at once: only for the sources of a wallet, which concern few chats. */
export function decideAll({ chats, decide }: Reports): Decision[] {
  return [...new Set(chats)].flatMap(decide)
}
