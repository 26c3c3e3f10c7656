import type { Acknowledgement } from '../../alert/alert-state.ts'
import { findKind, type Kind, type Severity } from '../../alert/alert.ts'
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
  const guards = guardsOf(view, kinds, person)
  const firing = [...view.firing(person.id), ...view.helping(person.id)]
  return {
    at: now,
    simulated,
    reader: { zone, language, numbers },
    prices: { at: view.marketsAt()?.at ?? null, staleMs: marketStaleMs },
    wallets: watches.map(({ wallet, label }) => ({ label, readAt: view.positions(wallet)?.at ?? null })),
    positions: worstFirst(watches.flatMap((watch) => positionsIn(view, watch))).map((held) => ({
      ...figuresOf(held),
      tiers: guards(held),
      readAt: readAt(view, held) ?? now,
    })),
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

function readAt(view: Seen, { position }: ShownPosition): number | null {
  const { wallet } = position
  return view.positionSeenAt(wallet, positionKey(position)) ?? view.positions(wallet)?.at ?? null
}

function figuresOf(held: ShownPosition): Omit<OpenPosition, 'tiers' | 'readAt'> {
  const { position, symbol, wallet } = held
  const market = marketOf(held)
  const liquidation = position.liquidationPrice
  return {
    key: positionKey(position),
    ...{ wallet, symbol },
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
  }
}

/** JSON knows no infinity, and no zero below zero. */
function finite(figure: number | null): number | null {
  return figure !== null && Number.isFinite(figure) ? figure + 0 : null
}

/**
 * Returns a function that gives the lines of a position: those at which this person is alerted in any chat, the largest
 * distance first.
 */
function guardsOf(
  view: Seen,
  kinds: readonly Kind[],
  { id }: Person,
): (held: ShownPosition) => OpenPosition['tiers'] {
  const guards = new Map<string, Omit<MonitorId, 'subject'>>()
  for (const { chatId, kind: name, identity } of view.rules(id)) {
    const kind = findKind(kinds, name)
    if (kind?.is === 'level' && kind.lines)
      guards.set(`${chatId} ${name} ${identity}`, { chatId, kind: name, identity })
  }
  return ({ position }) => {
    const tiers = new Map<number, Severity>()
    const subject = subjectOfPosition(position)
    for (const guard of guards.values()) {
      const monitor = view.monitor({ ...guard, subject })
      const kind = findKind(kinds, guard.kind)
      if (!monitor || kind?.is !== 'level') continue
      const lines = kind.lines?.(monitor.params) ?? []
      for (const [at, line] of lines.entries()) tiers.set(line, kind.severity(monitor.params, at + 1))
    }
    return [...tiers].map(([at, severity]) => ({ at, severity })).toSorted((a, b) => b.at - a.at)
  }
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
