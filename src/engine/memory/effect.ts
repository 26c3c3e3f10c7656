import type { Bounds } from '../../alert/alert.ts'
import type { MonitorId, MonitorKey } from '../../alert/monitor.ts'
import type { Write } from '../../store/store.ts'
import type { WalletReading } from '../../venue/reading.ts'
import type { SourceKey } from '../../venue/source.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Unconfirmed } from './memory.ts'
import type { WalletView, SeenOrders } from './wallet-view.ts'

/** What only memory takes, with what is written beside it: a start finds it out anew. */
type Observation =
  /** A guard was looked at: this is its value, and what could change it. */
  | {
      is: 'judged'
      key: MonitorKey
      monitor: MonitorId
      value: number | null
      /** Of a kind that endangers: stands at warning or worse. */
      danger: boolean
      /** Null where no market's figures can change it. */
      marketId: string | null
      until: Bounds | undefined
      /** No answer that shows the same positions would change it. */
      still?: boolean
      /** By what only an earlier run has read: this one has not looked at it yet. */
      remembered?: boolean
    }
  /** One that is ok was, and what could change it is this now. It is known by its slot (guard-roll.ts). */
  | { is: 'bounds'; slot: number; marketId: string; until: Bounds | undefined }
  /** A guard that cannot be judged before its market is seen. */
  | { is: 'waits'; key: MonitorKey; monitor: MonitorId; marketId: string }
  /** A danger waits for a fresh read of its owner; then it does not any more. */
  | { is: 'unconfirmed'; chatId: number; wait: Unconfirmed }
  | { is: 'settled'; chatId: number; key: MonitorKey }
  /** A guard is no more. */
  | { is: 'forgotten'; key: MonitorKey; monitor: MonitorId }
  /** `entered`: the markets that it has come into, all that it is in where it is left out. */
  | { is: 'view'; view: WalletView; entered?: readonly string[] }
  /** An owner was read, and holds what it held. */
  | { is: 'same'; reading: WalletReading }
  /** What is known of an owner's orders. */
  | { is: 'orders'; wallet: Wallet; seen: SeenOrders }
  /** A look at it has failed, or did not show everything. */
  | { is: 'trouble'; source: SourceKey; why: string | null; mono: number }
  | { is: 'seen'; source: SourceKey; at: number; mono: number }
  | { is: 'unwanted'; source: SourceKey }
  /** `at`: when it was found out (wall time); left out where an earlier run did. */
  | { is: 'outage'; source: SourceKey; since: number; why: string; at?: number }
  | { is: 'recovered'; source: SourceKey; mono: number }
  /** That this process was stopped is kept, or is told in this chat. */
  | { is: 'suspension-told'; chatId: number | null }

/** One change of memory. The store keeps those that are writes. */
export type Effect = Write | Observation

const OBSERVATIONS: { [Is in Observation['is']]: true } = {
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
  outage: true,
  recovered: true,
  'suspension-told': true,
}

export function isWrite(effect: Effect): effect is Write {
  return !(effect.is in OBSERVATIONS)
}
