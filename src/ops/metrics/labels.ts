import type { Delivery, Urgency } from '../../message/delivery.ts'
import type { Reason } from '../../message/reason.ts'
import type { TurnOf, VenueCall } from '../../runtime/event.ts'

/**
 * What a label may say. Whatever is not in its set is `other`: a label that takes what it is given would sooner or later
 * hold a wallet, and a series for each of them.
 */
export function among(names: readonly string[]): (name: string) => string {
  const known = new Set(names)
  return (name) => (known.has(name) ? name : OTHER)
}

const OTHER = 'other'

const CALLS: Record<VenueCall | 'push', true> = {
  ...{ markets: true, market: true, positions: true, orders: true, preview: true, endings: true },
  ...{ identify: true, push: true },
}

const REASONS: Record<Reason, true> = {
  ...{ entered: true, worse: true, better: true, cleared: true, unconfirmed: true, repeated: true },
  ...{ unheeded: true, reminded: true, acknowledged: true, snoozed: true, summed: true, merged: true },
  ...{ digest: true, happened: true, ended: true, blind: true, sighted: true, notice: true, test: true },
}

const TURNS: Record<TurnOf, true> = {
  markets: true,
  owner: true,
  orders: true,
  change: true,
  deadlines: true,
}

const DELIVERIES: Record<Delivery['is'], true> = {
  ...{ sent: true, delayed: true, gone: true, moved: true, rejected: true },
}

/** As people know them. */
const URGENCIES: Record<Urgency, string> = { 0: 'critical', 1: 'warning', 2: 'info', 3: 'tidying' }

const ANSWERS = ['ok', 'network', 'timeout', 'queued', 'limited', 'unreadable', 'aborted', 'failed']

/** Who commits, and how a command may end. */
export const COMMITTERS = ['engine', 'outbox']
const COMMANDS = ['answered', 'refused', 'failed']

export const callOf = among(Object.keys(CALLS))
export const reasonOf = among(Object.keys(REASONS))
export const turnOf = among(Object.keys(TURNS))
export const committerOf = among(COMMITTERS)
export const commandOf = among(COMMANDS)
export const DELIVERY_NAMES = Object.keys(DELIVERIES)
export const deliveryOf = among(DELIVERY_NAMES)
export const urgencyOf = (urgency: Urgency): string => URGENCIES[urgency] ?? OTHER
export const URGENCY_NAMES = Object.values(URGENCIES)

const answerOf = among(ANSWERS)

/** A venue may refuse with any status: what kind of refusal it is, is enough. */
export function outcomeOf(outcome: string): string {
  const [, hundreds] = /^refused ([1-5])\d\d$/.exec(outcome) ?? []
  return hundreds === undefined ? answerOf(outcome) : `refused ${hundreds}xx`
}
