import type { Acknowledgement } from '../../alert/alert-state.ts'
import type { Kind, Severity } from '../../alert/alert.ts'
import { subjectKey } from '../../alert/subject-id.ts'
import type { Glance, StandingAlert } from '../../chat/holdings.ts'
import type { Firing, View } from '../../command/context.ts'
import { inWords } from '../../message/message.ts'
import { languageOfPerson, type Person } from '../../people/person.ts'
import { positionKey } from '../../venue/position.ts'
import { figuresOf, finite, tiersFor } from '../shared/open-position.ts'
import { worstFirst } from '../shared/position-lines.ts'
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
  const tiersOf = tiersFor(view, kinds, person.id)
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
    positions: worstFirst(read.flatMap(({ held }) => held)).map((held) => {
      const { key, readAt } = held
      return { ...figuresOf(held), key, tiers: tiersOf(held), readAt }
    }),
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
