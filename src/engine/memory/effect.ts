import type { Bounds } from '../../alert/alert.ts'
import type { Kept, RecordingPiece } from '../../alert/backtest.ts'
import type { MonitorId, MonitorKey } from '../../alert/monitor.ts'
import type { Reading } from '../../runtime/clock.ts'
import type { Hole } from '../../store/snapshot.ts'
import type { Write } from '../../store/store.ts'
import type { Listing } from '../../venue/listing.ts'
import type { Market } from '../../venue/market.ts'
import type { Position } from '../../venue/position.ts'
import type { WalletReading } from '../../venue/reading.ts'
import type { SourceKey } from '../../venue/source.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { WalletView, SeenOrders } from './wallet-view.ts'

/** Changes that only memory takes, beside those that are stored: a start finds them out anew. */
type Observation =
  /** A monitor was judged: its value, and the bounds that could change it. */
  | {
      is: 'judged'
      key: MonitorKey
      monitor: MonitorId
      value: number | null
      /** The monitor is about liquidation and stands at warning or worse. */
      danger: boolean
      /** Null where no market's figures can change it. */
      marketId: string | null
      until: Bounds | undefined
      /** No answer that shows the same positions would change it. */
      still?: boolean
      /** By what only an earlier run has read: this one has not looked at it yet. */
      remembered?: boolean
    }
  /** A monitor that is ok stays so, with these new bounds. It is known by its slot (monitor-index.ts). */
  | { is: 'bounds'; slot: number; marketId: string; until: Bounds | undefined }
  /** A monitor that cannot be judged before its market is seen. */
  | { is: 'waits'; key: MonitorKey; monitor: MonitorId; marketId: string }
  /** A danger waits for a fresh read of its wallet; then it waits no longer. */
  | { is: 'unconfirmed'; chatId: number; wait: Unconfirmed }
  | { is: 'settled'; chatId: number; key: MonitorKey }
  /** A monitor is no more. */
  | { is: 'forgotten'; key: MonitorKey; monitor: MonitorId }
  /**
   * A view of one venue, the first where it is left out. `entered`: the markets that it has come into, all that it is in
   * where it is left out.
   */
  | { is: 'view'; view: WalletView; venue?: string; entered?: readonly string[] }
  /** A wallet was read, and holds the same positions as before. */
  | { is: 'same'; reading: WalletReading }
  /** The venue shows no position of a wallet that held some. `doubted`: nor of others, so that this says nothing. */
  | { is: 'emptied'; wallet: Wallet; venue?: string; mono: number; doubted: boolean }
  | { is: 'emptied-believed'; wallet: Wallet; venue?: string }
  /** These positions were found to be gone. `isUnrecorded`: the venue's records were asked, and have no end of them. */
  | { is: 'ended'; positions: readonly Position[]; mono: number; isUnrecorded: boolean }
  /** The known orders of a wallet. */
  | { is: 'orders'; wallet: Wallet; seen: SeenOrders }
  /** A look at it has failed, or did not show everything. */
  | { is: 'trouble'; source: SourceKey; why: string | null; mono: number }
  | { is: 'seen'; source: SourceKey; at: number; mono: number }
  | { is: 'unwanted'; source: SourceKey }
  /** `at`: when it was found out (wall time); left out where an earlier run did. */
  | { is: 'outage'; source: SourceKey; since: number; why: string; at?: number }
  | { is: 'recovered'; source: SourceKey; mono: number }
  /** The newest figures of these markets. Those of before `staleMs` are too old to judge by. */
  | { is: 'prices'; markets: readonly Market[]; at: number; mono: number; staleMs: number }
  /** The newest answer about markets has come. `hole`: the time before it in which no prices were seen. */
  | { is: 'prices-seen'; venue?: string; at: number; mono: number; hole: Hole | null }
  /** Earlier runs have recorded this of a market. Times are by the clock of this run, rates per day. */
  | {
      is: 'samples-found'
      marketId: string
      samples: readonly { mono: number; price: number; rate: number }[]
      gaps: readonly { sinceMono: number; untilMono: number }[]
    }
  | { is: 'listing'; listing: Listing; mono: number }
  /** Something could not be committed: the next list of each dex counts as a changed one. */
  | { is: 'listings-doubted' }
  /** No answer from before then may be passed over because it is like the last one; all of them where it is left out. */
  | { is: 'answers-doubted'; untilMono?: number }
  /** The platforms that this run has opened, and the names of its kinds that judge accounts and orders. */
  | {
      is: 'run-begun'
      platforms: Strings
      onAccounts: Strings
      onOrders: Strings
      onTwaps: Strings
      firstVenue: string | null
      showsCloseRecords: ReadonlySet<string | undefined>
      hidesOrders: ReadonlySet<string | undefined>
    }
  /** The recording that the store has by the minute. */
  | { is: 'recording-found'; pieces: readonly Kept<RecordingPiece>[] }
  /** A minute of the recording may be over, or an hour. `'all'`: before a stop, however little there is. */
  | { is: 'recording-due'; at: number; much?: 'all' }
  /** A platform has taken a message for this chat (wall time). */
  | { is: 'taken'; chatId: number; at: number }
  /** The machine slept, and nothing was seen (wall times). */
  | { is: 'slept'; since: number; until: number }
  /** Nothing ran for so long: no source was looked at, so none was missed. */
  | { is: 'stood-still'; sinceMono: number; ms: number }
  /** This process was suspended, and had last run then. */
  | { is: 'suspended'; ranMono: number }
  /** Everything from before a suspension counts as left by an earlier run (wall times). */
  | { is: 'run-resumed'; since: number; until: number; pricesAt: LastPrices }
  /** The suspension notice was stored, and was sent to every chat. */
  | { is: 'suspension-kept' }
  /** The wall clock has jumped, and wall times in memory go along with it. Somebody has set it by `setMs`. */
  | { is: 'clock-shifted'; byMs: number; setMs: number }
  /** Effects that follow from a clock that was set. */
  | { is: 'prices-shifted'; byMs: number }
  | { is: 'sources-shifted'; setMs: number }
  /** Effects that follow from a resumed run. */
  | { is: 'prices-missed'; since: number; until: number; pricesAt: LastPrices }
  | { is: 'all-unevaluated' }
  /** The suspension notice was stored, or was sent to this chat. */
  | { is: 'suspension-told'; chatId: number | null }
  /** The operator hears of the trouble of this person's chats. */
  | { is: 'operator-told-of'; personId: number; at: number }
  /** An effect that follows: markets have these symbols. */
  | { is: 'symbols'; symbols: Readonly<Record<string, string>> }
  /** An effect that follows: a wallet was answered for, so the venue answers. */
  | { is: 'wallets-answered'; venue?: string }
  /** An effect that follows: no monitor warns of this wallet any more. */
  | { is: 'danger-gone'; wallet: Wallet }
  /** An effect that follows: no alert is escalated to this chat any more. */
  | { is: 'copies-gone'; chatId: number }

type Strings = ReadonlySet<string>

/** When each venue's prices were last seen (wall time). A venue is missing whose prices this run has not seen. */
export type LastPrices = ReadonlyMap<string | undefined, number>

/** A danger that a price shows on an old position, while a fresh read of its wallet is under way. It is never stored. */
export interface Unconfirmed {
  key: MonitorKey
  tier: number
  /** The figures that crossed the worst of it: it is judged by them, wherever the price has gone meanwhile. */
  market: Reading<Market>
  untilMono: number
  /** The read has ended, one way or the other. */
  answered: boolean
}

/** One change of memory. The store keeps those that are writes. */
export type Effect = Write | Observation

/**
 * How each kind of effect changes the drawer that owns it. It may read the other drawers, but not change
 * them: it returns the effects that follow for those.
 */
export type Law<Drawer, Kinds extends Effect['is'], Others = unknown> = {
  [Is in Kinds]: (
    drawer: Drawer,
    effect: Extract<Effect, { is: Is }>,
    others: Readonly<Others>,
  ) => readonly Effect[] | void
}

type ReadOnlyField<T> =
  T extends Map<infer Key, infer Value>
    ? ReadonlyMap<Key, Value extends Set<infer One> ? ReadonlySet<One> : Value>
    : T extends Set<infer Value>
      ? ReadonlySet<Value>
      : T extends (infer Value)[]
        ? readonly Value[]
        : T extends (...args: never[]) => unknown
          ? T
          : T extends object
            ? ReadOnly<T>
            : T

/** The name of a field, or never if it is a method that changes something: such methods return nothing, but for `take`. */
type Readable<Field, Value> = Value extends (...args: never[]) => infer Result
  ? [Result] extends [void]
    ? never
    : Exclude<Field, 'take'>
  : Field

/** A drawer for everyone but its law. The type checker refuses an assignment, and a method that changes something. */
export type ReadOnly<Drawer> = {
  readonly [Field in keyof Drawer as Readable<Field, Drawer[Field]>]: ReadOnlyField<Drawer[Field]>
}

const OBSERVATIONS: { [Is in Observation['is']]: true } = {
  judged: true,
  bounds: true,
  waits: true,
  unconfirmed: true,
  settled: true,
  forgotten: true,
  view: true,
  same: true,
  emptied: true,
  'emptied-believed': true,
  ended: true,
  orders: true,
  trouble: true,
  seen: true,
  unwanted: true,
  outage: true,
  recovered: true,
  prices: true,
  'prices-seen': true,
  'samples-found': true,
  listing: true,
  'listings-doubted': true,
  'answers-doubted': true,
  'run-begun': true,
  'recording-found': true,
  'recording-due': true,
  taken: true,
  slept: true,
  'stood-still': true,
  suspended: true,
  'run-resumed': true,
  'suspension-kept': true,
  'clock-shifted': true,
  'prices-shifted': true,
  'sources-shifted': true,
  'prices-missed': true,
  'all-unevaluated': true,
  'suspension-told': true,
  'operator-told-of': true,
  symbols: true,
  'wallets-answered': true,
  'danger-gone': true,
  'copies-gone': true,
}

export function isWrite(effect: Effect): effect is Write {
  return !(effect.is in OBSERVATIONS)
}
