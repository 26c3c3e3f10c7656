import type { Delivery, Priority } from '../../message/delivery.ts'
import type { Reason } from '../../message/reason.ts'
import type { InputKind, VenueCall } from '../../runtime/event.ts'

/**
 * Restricts a label to known values and maps all others to `other`. An unrestricted label would sooner or later hold a
 * wallet, with one series for each.
 */
export function among(names: readonly string[]): (name: string) => string {
  const known = new Set(names)
  return (name) => (known.has(name) ? name : OTHER)
}

const OTHER = 'other'

const CALLS: Record<VenueCall | 'push', true> = {
  ...{ markets: true, market: true, positions: true, orders: true, preview: true, endings: true },
  ...{ identify: true, push: true, ledger: true, balances: true, twaps: true },
}

/** Dashboards know these reasons by the words of the first versions. */
const REASONS: Record<Reason, string> = {
  ...{ fired: 'entered', worse: 'worse', better: 'better', resolved: 'cleared', unconfirmed: 'unconfirmed' },
  ...{
    reminder: 'repeated',
    'gave-up': 'unheeded',
    'snooze-ended': 'reminded',
    acknowledged: 'acknowledged',
  },
  ...{ snoozed: 'snoozed', summary: 'summed', coalesced: 'merged', digest: 'digest', occurred: 'happened' },
  ...{ ended: 'ended', outage: 'blind', recovered: 'sighted', notice: 'notice', test: 'test' },
}

const TURNS: Record<InputKind, string> = {
  markets: 'markets',
  wallet: 'owner',
  orders: 'orders',
  change: 'change',
  deadlines: 'deadlines',
}

const DELIVERIES: Record<Delivery['is'], true> = {
  ...{ sent: true, delayed: true, gone: true, moved: true, rejected: true },
}

/** As people know them. */
const URGENCIES: Record<Priority, string> = {
  0: 'critical',
  1: 'warning',
  2: 'info',
  3: 'tidying',
  4: 'picture',
}

const ANSWERS = ['ok', 'network', 'timeout', 'queued', 'limited', 'unreadable', 'aborted', 'failed']

/** The committers, and the outcomes of commands. */
export const COMMITTERS = ['engine', 'outbox']
const COMMANDS = ['answered', 'refused', 'failed']

export const callOf = among(Object.keys(CALLS))
export const reasonOf = (reason: Reason): string => REASONS[reason]
export const turnOf = (input: InputKind): string => TURNS[input]
export const committerOf = among(COMMITTERS)
export const commandOf = among(COMMANDS)
export const DELIVERY_NAMES = Object.keys(DELIVERIES)
export const deliveryOf = among(DELIVERY_NAMES)
export const urgencyOf = (urgency: Priority): string => URGENCIES[urgency] ?? OTHER
export const URGENCY_NAMES = Object.values(URGENCIES)

const answerOf = among(ANSWERS)

/** A venue may refuse with any status: what kind of refusal it is, is enough. */
export function outcomeOf(outcome: string): string {
  const [, hundreds] = /^refused ([1-5])\d\d$/.exec(outcome) ?? []
  return hundreds === undefined ? answerOf(outcome) : `refused ${hundreds}xx`
}

/** The kinds of sources, as dashboards know them. */
export const sourceLabel = (source: string): string => (source === 'wallet' ? 'owner' : source)
