import { item, message, words } from '../../message/message.ts'
import { type Delegation, handoverName, MAX_DELEGATIONS } from '../../people/delegation.ts'
import type { Change } from '../../store/change.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { Numbers } from '../memory/run.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { monitorNamed } from '../monitors/monitors.ts'
import { forAnother } from '../monitors/recipients.ts'
import { chatsOfDelegate } from '../notify/escalation.ts'
import { notifyPerson, notifyQuietly, tell } from '../notify/notice.ts'
import { restate } from '../notify/restate.ts'
import { INVALID, validCode } from './codes.ts'
import { type Decided, doing, nothing } from './decided.ts'
import { goneWords } from './others.ts'

type Of<Is extends Change['is']> = Extract<Change, { is: Is }>

/** The person who takes over is named only so many firing alerts, the worst. */
const NAMED = 3

/** The person who made this request, and their name; null when there is no such request, or it is used. */
export function delegationAsked(
  drawers: Pick<Memory, 'people'>,
  text: string,
  now: number,
): { personId: number; name: string } | null {
  const code = validCode(drawers, text, now)
  if (code?.is !== 'agree' || !drawers.people.persons.has(code.personId)) return null
  return { personId: code.personId, name: code.name ?? 'somebody' }
}

/** The request is used; who made it hears of it. */
export function agree(
  drawers: Pick<Memory, 'people' | 'run'>,
  numbers: Numbers,
  { code, personId: delegateId, name }: Of<'agree'>,
  now: number,
): Decided {
  const asked = delegationAsked(drawers, code, now)
  const hash = validCode(drawers, code, now)?.hash
  if (!asked || hash === undefined) return nothing(INVALID)
  const { personId } = asked
  if (personId === delegateId) return nothing(words('change.code.own-backup'))
  const before = drawers.people.delegatesOf.of(personId).get(delegateId)
  const isFull = (all: ReadonlyMap<number, Delegation>) => !before && all.size >= MAX_DELEGATIONS
  if (isFull(drawers.people.delegatesOf.of(personId)) || isFull(drawers.people.coveredBy.of(delegateId))) {
    return nothing(words('change.backup.limit', { most: MAX_DELEGATIONS }))
  }
  if (!drawers.people.persons.get(delegateId)?.defaultChat) return nothing(words('change.backup.no-chat'))
  const told = message([
    item(
      'info',
      words('change.backup.agreed.title', { name }),
      [words('change.backup.agreed.next', { name })],
      [{ label: words('change.backup.button.after'), line: `/escalate P${delegateId} 15m`, replace: true }],
    ),
  ])
  const delegation = { ...{ personId, name: asked.name, delegateId, delegateName: name, at: now } }
  return doing([
    { is: 'code-gone', hash },
    { is: 'delegation', delegation: { ...delegation, handoverUntil: before?.handoverUntil ?? null } },
    ...notifyPerson(drawers, numbers, personId, told, now),
  ])
}

/** From now on nothing of the one reaches the other; the other one of the two hears of it. */
export function disagree(
  drawers: Pick<Memory, 'people' | 'run'>,
  numbers: Numbers,
  { personId, delegateId, byId }: Of<'disagree'>,
  now: number,
): Decided {
  const delegation = drawers.people.delegatesOf.of(personId).get(delegateId)
  const person = drawers.people.persons.get(personId)
  if (!delegation || !person || (byId !== personId && byId !== delegateId))
    return nothing(words('change.backup.none'))
  const gone: Effect = { is: 'delegation-gone', personId, delegateId }
  // The delegate has ended it: the person sees in their list that it is gone, until they take it out.
  if (byId === delegateId)
    return doing([gone, ...notifyPerson(drawers, numbers, personId, goneWords(delegation), now)])
  const steps = person.steps.filter(({ to }) => to.is !== 'person' || to.personId !== delegateId)
  const told = message([
    item('info', words('change.backup.ended.title', { name: delegation.name }), [
      words('change.backup.ended.alerts'),
    ]),
  ])
  return doing([
    gone,
    { is: 'person', person: { ...person, steps } },
    ...notifyQuietly(drawers, numbers, delegateId, told, now),
  ])
}

/** Tells the person who takes over, with the alerts that fire unacknowledged. */
export function handover(look: EvaluationContext, { personId, delegateId, until }: Of<'handover'>): Decided {
  const { memory, numbers, now } = look
  const delegation = memory.people.delegatesOf.of(personId).get(delegateId)
  if (!delegation) return nothing(words('change.handover.not-agreed'))
  const { name, handoverUntil } = delegation
  const kept: Effect = { is: 'delegation', delegation: { ...delegation, handoverUntil: until } }
  if (until === null) {
    if (handoverUntil === null) return nothing(words('change.handover.nothing'))
    const lines = [words('change.handover.back.rest')]
    const told = message([item('info', words('change.handover.back.title', { name }), lines)])
    return doing([kept, ...notifyQuietly(memory, numbers, delegateId, told, now)])
  }
  const [chat] = chatsOfDelegate(memory, delegateId)
  if (!chat) return nothing(words('change.handover.unreachable'))
  const title = words('change.handover.title', { name, until: { time: until, as: 'clock' } })
  const fires = waiting(look, personId).slice(0, NAMED)
  const items = [
    item('info', title, [
      words('change.handover.how', { name }),
      words('change.handover.ack', { name }),
      words('change.handover.outage', { name }),
    ]),
    ...fires.map(({ item: one }) => forAnother(one, name)),
  ]
  const row = tell(numbers, chat.id, message(items), 'notice', now)
  if (row.is !== 'send') return nothing()
  const alertIds = fires.map(({ alertId }) => alertId)
  const about = [handoverName({ personId, delegateId })]
  // They know of the handover and of the alerts: another end of it must not wake them again.
  const isAgain = handoverUntil !== null && handoverUntil > now
  const copy = alertIds.length === 0 ? null : { alertIds, chatId: chat.id }
  return doing([
    kept,
    { ...row, row: { ...row.row, alertIds, about, silent: isAgain || row.row.silent } },
    ...(copy ? [{ is: 'copied', rowId: row.row.id, at: now, copy } as const] : []),
  ])
}

/** The critical alerts that fire unacknowledged in a person's private chats, the least headroom first. */
function waiting(look: EvaluationContext, personId: number) {
  const { memory } = look
  const chats = [...memory.people.chatsOf.of(personId).values()].filter((chat) => chat.private)
  return chats
    .flatMap(({ id }) => [...memory.monitors.monitorsIn.of(id).values()])
    .flatMap((id) => {
      const monitor = monitorNamed(look, id)
      const known = monitor && restate(look, monitor)
      return known?.rings && known.severity === 'critical' ? [known] : []
    })
    .sort((a, b) => a.room - b.room)
}
