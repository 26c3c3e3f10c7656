import type { Until } from '../../alert/alert.ts'
import type { GuardId, GuardKey } from '../../alert/monitor.ts'
import type { Write } from '../../store/store.ts'
import type { OwnerReading } from '../../venue/reading.ts'
import type { FeedKey } from '../../venue/source.ts'
import type { Owner } from '../../venue/wallet.ts'
import type { Unconfirmed } from './memory.ts'
import type { OwnerView, SeenOrders } from './wallet-view.ts'

/** What only memory takes, with what is written beside it: a start finds it out anew. */
type Note =
  /** A guard was looked at: this is its value, and what could change it. */
  | {
      is: 'judged'
      key: GuardKey
      guard: GuardId
      value: number | null
      /** Of a kind that endangers: stands at warning or worse. */
      danger: boolean
      /** Null where no market's figures can change it. */
      marketId: string | null
      until: Until | undefined
      /** No answer that shows the same positions would change it. */
      still?: boolean
      /** By what only an earlier run has read: this one has not looked at it yet. */
      remembered?: boolean
    }
  /** One that is ok was, and what could change it is this now. It is known by its slot (guard-roll.ts). */
  | { is: 'bounds'; slot: number; marketId: string; until: Until | undefined }
  /** A guard that cannot be judged before its market is seen. */
  | { is: 'waits'; key: GuardKey; guard: GuardId; marketId: string }
  /** A danger waits for a fresh read of its owner; then it does not any more. */
  | { is: 'unconfirmed'; chatId: number; wait: Unconfirmed }
  | { is: 'settled'; chatId: number; key: GuardKey }
  /** A guard is no more. */
  | { is: 'forgotten'; key: GuardKey; guard: GuardId }
  /** `entered`: the markets that it has come into, all that it is in where it is left out. */
  | { is: 'view'; view: OwnerView; entered?: readonly string[] }
  /** An owner was read, and holds what it held. */
  | { is: 'same'; reading: OwnerReading }
  /** What is known of an owner's orders. */
  | { is: 'orders'; owner: Owner; seen: SeenOrders }
  /** A look at it has failed, or did not show everything. */
  | { is: 'trouble'; feed: FeedKey; why: string | null; tick: number }
  | { is: 'seen'; feed: FeedKey; at: number; tick: number }
  | { is: 'unwanted'; feed: FeedKey }
  /** `at`: when it was found out (wall time); left out where an earlier run did. */
  | { is: 'blind'; feed: FeedKey; since: number; why: string; at?: number }
  | { is: 'sighted'; feed: FeedKey; tick: number }
  /** That this process was stopped is kept, or is told in this chat. */
  | { is: 'stop-told'; chatId: number | null }

/** One change of memory. The store keeps those that are writes. */
export type Effect = Write | Note

const NOTES: { [Is in Note['is']]: true } = {
  judged: true,
  bounds: true,
  waits: true,
  unconfirmed: true,
  settled: true,
  forgotten: true,
  view: true,
  same: true,
  orders: true,
  trouble: true,
  seen: true,
  unwanted: true,
  blind: true,
  sighted: true,
  'stop-told': true,
}

export function isWrite(effect: Effect): effect is Write {
  return !(effect.is in NOTES)
}
