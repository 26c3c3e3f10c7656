import type { Delivery, Priority } from '../message/delivery.ts'
import type { Reason } from '../message/reason.ts'
import type { Standing } from './standing.ts'

/** Types of requests to the venue. */
export type VenueCall =
  | ('markets' | 'market' | 'positions' | 'orders' | 'preview' | 'endings' | 'identify')
  | ('ledger' | 'balances' | 'twaps')

/** Types of inputs to the engine. */
export type InputKind = 'markets' | 'wallet' | 'orders' | 'change' | 'deadlines'

/** The venue of an event, named in a program of several. Else left out. */
interface OfVenue {
  venue?: string
}

/**
 * The event stream. Logs, health and tests read this one stream; no alert depends on it, and nothing in Perch takes a
 * logger. Events carry no secrets: no token, no API key, no claim code.
 */
export type Event =
  | { is: 'started'; version: string; venue: string; adapters: string[]; database: string }
  | { is: 'stopping'; why: string }
  | { is: 'stopped' }
  /** How this process stands to the others of its cell: at each change, and every few seconds. */
  | ({ is: 'standing' } & Standing)
  /** A leader has had no standby for so long; or (`ms` is null) has one again. */
  | { is: 'no-standby'; ms: number | null }
  | { is: 'listening'; what: string; url: string }
  /** One request to the venue, its weight and its outcome. */
  | ({ is: 'venue-request'; call: VenueCall; ms: number; weight: number; outcome: string } & OfVenue)
  /** The first element of an answer that was skipped, and how many were. */
  | ({ is: 'venue-unusable'; call: VenueCall | 'push'; what: string; why: string; count: number } & OfVenue)
  /** The venue pushes its markets (`why` is null), or has stopped doing so. */
  | ({ is: 'push'; why: string | null } & OfVenue)
  /** The simulated venue's replay is over: no price of it will move again. */
  | { is: 'venue-ended' }
  | ({ is: 'ceiling'; weightPerSecond: number; why: string } & OfVenue)
  /** Wallets are read much more seldom than is wished, and how often; or (`everyMs` is null) no longer. */
  | ({ is: 'slow'; everyMs: number | null; wishedMs: number } & OfVenue)
  /** More wallets are watched than the pace is enough for. */
  | ({ is: 'capacity'; served: number; watched: number; wishedMs: number } & OfVenue)
  | ({ is: 'markets-read'; markets: number; mono: number } & OfVenue)
  | ({ is: 'markets-failed'; why: string } & OfVenue)
  /** `complete` is false when the answer did not show everything. */
  | ({ is: 'wallet-read'; wallet: string; positions: number; complete: boolean; mono: number } & OfVenue)
  | ({ is: 'owner-failed'; wallet: string; why: string } & OfVenue)
  | {
      is: 'transition'
      kind: string
      subject: string
      from: string
      to: string
      reason: Reason
      alert: string
    }
  | { is: 'outage'; source: string; why: string }
  | { is: 'recovered'; source: string; blindMs: number }
  /** A turn of the engine was committed, or had nothing to commit: its input, and how many monitors it judged. */
  | { is: 'turn'; of: InputKind; judged: number; rows: number; ms: number; mono: number }
  | { is: 'turn-failed'; why: string; error: unknown }
  /** Nothing can be kept from now on, and why; or again (`why` is null). */
  | { is: 'store'; why: string | null }
  /** A commit has not come to an end yet, which most likely waits for another program. Its `commit` event ends that. */
  | { is: 'store-waits'; of: 'engine' | 'outbox'; ms: number }
  /** The dead man's switch takes no pings, and why; or again (`why` is null). */
  | { is: 'heartbeat'; host: string; why: string | null }
  /** From when the newest backup is (wall time; null: there is none): at the start, and when one is made. */
  | { is: 'backup'; madeAt: number | null; bytes: number }
  /** None could be made, `again`: as the last time. It is tried again in an hour. */
  | { is: 'backup-failed'; why: string; again: boolean }
  /** The write-ahead log of the database goes on growing: another program holds it open. */
  | { is: 'wal-grows'; bytes: number }
  /** Decisions (`engine`) or deliveries (`outbox`) were written to the disk, or could not be. */
  | { is: 'commit'; of: 'engine' | 'outbox'; ms: number; ok: boolean }
  | {
      is: 'delivery'
      row: number
      chat: number
      platform: string
      urgency: Priority
      outcome: Delivery['is']
      /** Attempts before this one. */
      attempts: number
      possibleRepeat: boolean
      /** `detectedMs` is from detecting the content until this request, `ms` from the request to its outcome. */
      detectedMs: number
      ms: number
      why: string | null
    }
  | { is: 'parked'; row: number; chat: number; why: string }
  | {
      is: 'command'
      platform: string
      command: string
      ms: number
      outcome: 'answered' | 'refused' | 'failed'
    }
  /** A chat platform came within reach (`why` is null) or went out of it. Every adapter says so of its own. */
  | { is: 'platform'; platform: string; why: string | null }
  /** How many of a platform's connections are up, where it divides the people among several. */
  | { is: 'shards'; platform: string; up: number; count: number }
  /** A chat platform asks us to send nothing for a while, or (`why` is null) takes messages again. */
  | { is: 'held'; platform: string; why: string | null }
  /** Something the operator should see; the bot goes on. */
  | { is: 'trouble'; where: string; why: string; error?: unknown }
  /** Nothing is wrong yet, and the operator may want to set it right. */
  | { is: 'caution'; where: string; why: string }
  /** An adapter's or its library's own words. */
  | { is: 'remark'; where: string; text: string }

/** A transition of an alert, with its reason. */
export type AlertTransition = Omit<Extract<Event, { is: 'transition' }>, 'is'>

/** The number of the alert of a transition that fired it or made it worse; null for any other transition. */
export function newsOf({ reason, alert }: AlertTransition): number | null {
  return reason === 'fired' || reason === 'worse' ? Number(alert.slice(1)) : null
}

export type Emit = (event: Event) => void

const ABOUT_A_VENUE = [
  ...(['venue-request', 'venue-unusable', 'push', 'ceiling', 'slow', 'capacity'] as const),
  ...(['markets-read', 'markets-failed', 'wallet-read', 'owner-failed'] as const),
] as const

/** Names the venue in every event about it. */
export function emitAt(venue: string, emit: Emit): Emit {
  return (event) => emit(isAboutAVenue(event) ? { ...event, venue } : event)
}

function isAboutAVenue(event: Event): event is Extract<Event, { is: (typeof ABOUT_A_VENUE)[number] }> {
  return ABOUT_A_VENUE.some((one) => one === event.is)
}

export interface Events {
  emit: Emit
  /** Calls `listener` for every event from now on; returns how to stop that. */
  listen(listener: (event: Event) => void): () => void
}

/** Creates the stream. If a listener throws, the others get a trouble event and are not affected. */
export function createEvents(): Events {
  const listeners = new Set<(event: Event) => void>()
  const emit: Emit = (event) => {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        if (event.is !== 'trouble')
          emit({ is: 'trouble', where: 'event listener', why: String(error), error })
      }
    }
  }
  return {
    emit,
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
