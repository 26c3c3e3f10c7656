import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Standing } from '../runtime/standing.ts'
import type { Forgotten, Store } from './store.ts'

/** The default export of `stores/<name>/lead.ts`, where several processes share a store: one leads, the others follow. */
export type TakeLead = (asked: {
  url: string
  clock: Clock
  emit: Emit
  /** Ends the wait: the promise rejects with its reason. */
  signal: AbortSignal
  /** Names of the venues that this process would open. It rejects with a sentence if it could not lead with them. */
  venues?: readonly string[]
}) => Promise<Lead>

/** Whether this process may act, where several share a store. */
export interface Leadership {
  /**
   * False as soon as another process may lead, by this machine's monotonic clock. Ask it directly before each act that
   * others see.
   */
  holds(): boolean
  /**
   * Whether people may be told that nothing can be kept: also while the database does not say who leads. It must have been
   * asked lately, so that a process that was stopped meanwhile asks first.
   */
  mayAlarm(): boolean
  /** How this process stood last; null where it has the store to itself. */
  standing(): Standing | null
}

/** One process has the store to itself. */
export const ALONE: Leadership = {
  holds: () => true,
  mayAlarm: () => true,
  standing: () => null,
}

/**
 * This process leads: it alone writes. Another one takes over when this one has let go of its lease, or has not renewed it in
 * time. It may be stopped for that long and go on then, in the middle of anything.
 */
export interface Lead extends Omit<Leadership, 'standing'> {
  readonly epoch: number
  /** Resolves with a sentence for the operator when this process must end at once. Calls of the store do not end then. */
  readonly over: Promise<string>
  /** The same as `ForgetVenue`, before the store is opened. */
  forget(name: string, venues: readonly string[]): Promise<Forgotten>
  /** Opens what it leads. Closing it lets another process lead at once. */
  open(venues: readonly string[]): Promise<Store>
  /** Lets another process lead at once: for a start that fails, or is called off. Closing the store does the same. */
  close(): Promise<void>
}
