import type { Acknowledgement } from '../../alert/alert-state.ts'
import { findKind, type Kind, type LevelKind, type Severity } from '../../alert/alert.ts'
import type { MonitorId } from '../../alert/monitor.ts'
import { subjectKey, subjectOfPosition } from '../../alert/subject-id.ts'
import type { Glance, OpenPosition, StandingAlert } from '../../chat/holdings.ts'
import type { Firing, View } from '../../command/context.ts'
import { inWords } from '../../message/message.ts'
import { languageOfPerson, type Person } from '../../people/person.ts'
import { toNumber } from '../../venue/amount.ts'
import { fundingPerDay, notional, positionKey, side, unrealisedPnl } from '../../venue/position.ts'
import { distanceOf, marketOf, type ShownPosition, worstFirst } from '../look/position-lines.ts'
import { positionsIn, sourceName } from './pinned-status.ts'

type Seen = Parameters<typeof positionsIn>[0] &
  Pick<
    View,
    | ('positionSeenAt' | 'marketsAt' | 'status' | 'watches' | 'rules' | 'monitor')
    | ('firing' | 'helping' | 'pending' | 'blind')
  >

/** The positions and alerts of somebody, as data. /positions, /status and the live card say the same in words. */
export function glanceOf(
  view: Seen,
  kinds: readonly Kind[],
  person: Person,
  { now, simulated }: { now: number; simulated: boolean },
): Glance {
  const { zone, numbers } = person
  const language = languageOfPerson(person)
  const watches = view.watches(person.id)
  const { marketStaleMs, failure } = view.status()
  const tiersOf = guardsOf(view, kinds, person)
  const firing = [...view.firing(person.id), ...view.helping(person.id)]
  // Wallet by wallet: what is known of one is read from its columns once.
  const read = watches.map((watch) => {
    const answer = view.positions(watch.wallet)
    const held = positionsIn(view, watch, answer).map((one) => {
      const key = positionKey(one.position)
      return { ...one, key, readAt: view.positionSeenAt(watch.wallet, key) ?? answer?.at ?? now }
    })
    return { label: watch.label, readAt: answer?.at ?? null, held }
  })
  return {
    at: now,
    simulated,
    reader: { zone, language, numbers },
    prices: { at: view.marketsAt()?.at ?? null, staleMs: marketStaleMs },
    wallets: read.map(({ label, readAt }) => ({ label, readAt })),
    positions: worstFirst(read.flatMap(({ held }) => held)).map((held) => positionOf(held, tiersOf(held))),
    firing: firing.map(standing).toSorted((a, b) => WORST.indexOf(a.severity) - WORST.indexOf(b.severity)),
    pending: view.pending(person.id).map(({ kind, subject, about, leftMs }) => ({
      ...{ kind, subject: subjectKey(subject), about, leftMs: finite(leftMs) ?? 0 },
    })),
    blind: view.blind(person.id).own.map(({ source, since, why }) => ({
      what: inWords(sourceName(source, watches, view), language),
      since,
      why,
    })),
    failure: failure && { since: failure.since, why: failure.why },
  }
}

const WORST: readonly Severity[] = ['critical', 'warning', 'info']

function positionOf(
  held: ShownPosition & Pick<OpenPosition, 'key' | 'readAt'>,
  tiers: OpenPosition['tiers'],
): OpenPosition {
  const { position, symbol, wallet, key, readAt } = held
  const market = marketOf(held)
  const liquidation = position.liquidationPrice
  return {
    key,
    wallet,
    symbol,
    market: position.marketId,
    side: side(position),
    // A size beyond the reach of a double is not unknown.
    size: Math.min(Math.abs(toNumber(position.size)), Number.MAX_VALUE),
    price: market ? finite(toNumber(market.price)) : null,
    priceName: market?.priceName ?? null,
    value: market ? finite(notional(position, market.price)) : null,
    liquidation: liquidation === null ? null : finite(toNumber(liquidation)),
    distance: finite(distanceOf(held)),
    entry: position.entryPrice === null ? null : finite(toNumber(position.entryPrice)),
    pnl: market ? finite(unrealisedPnl(position, market.price)) : null,
    fundingPerDay: market ? finite(fundingPerDay(position, market)) : null,
    tiers,
    readAt,
  }
}

/** JSON knows no infinity, and no zero below zero. */
function finite(figure: number | null): number | null {
  return figure !== null && Number.isFinite(figure) ? figure + 0 : null
}

type Tiers = OpenPosition['tiers']

/**
 * Returns a function that gives the lines of a position: those at which this person is alerted in any chat, the largest
 * distance first.
 */
function guardsOf(view: Seen, kinds: readonly Kind[], { id }: Person): (held: ShownPosition) => Tiers {
  const guards = new Map<string, { kind: LevelKind<unknown>; of: Omit<MonitorId, 'subject'> }>()
  for (const { chatId, kind: name, identity } of view.rules(id)) {
    const kind = findKind(kinds, name)
    if (kind?.is === 'level' && kind.lines)
      guards.set(`${chatId} ${name} ${identity}`, { kind, of: { chatId, kind: name, identity } })
  }
  return ({ position }) => {
    const subject = subjectOfPosition(position)
    const found: Tiers[] = []
    for (const { kind, of } of guards.values()) {
      const monitor = view.monitor({ ...of, subject })
      if (monitor) found.push(tiersOf(kind, monitor.params))
    }
    const [only = [], ...others] = found
    if (others.length === 0) return only
    const tiers = new Map(found.flat().map((tier) => [tier.at, tier]))
    return [...tiers.values()].toSorted((a, b) => b.at - a.at)
  }
}

/** Rules share their parameters, which never change. So their lines are found once, not for each glance. */
const known = new WeakMap<Kind, WeakMap<object, Tiers>>()

function tiersOf(kind: LevelKind<unknown>, params: unknown): Tiers {
  const ofKind = known.get(kind) ?? new WeakMap<object, Tiers>()
  known.set(kind, ofKind)
  const shared = typeof params === 'object' ? params : null
  const before = shared && ofKind.get(shared)
  if (before) return before
  const lines = kind.lines?.(params) ?? []
  const tiers = new Map(lines.map((at, line) => [at, { at, severity: kind.severity(params, line + 1) }]))
  const made = [...tiers.values()].toSorted((a, b) => b.at - a.at)
  if (shared) ofKind.set(shared, made)
  return made
}

function standing({
  alertId,
  kind,
  severity,
  subject,
  about,
  since,
  acknowledgement,
}: Firing): StandingAlert {
  return {
    ...{ alertId, kind, severity, about, since },
    subject: subjectKey(subject),
    heed: heedOf(acknowledgement),
  }
}

/** Reminders that have ended without an answer leave the alert waiting for one. */
function heedOf(acknowledgement: Acknowledgement): StandingAlert['heed'] {
  if (acknowledgement.is !== 'acknowledged' && acknowledgement.is !== 'snoozed') return { is: 'waiting' }
  const { is, by, until } = acknowledgement
  return { is, by, until }
}
