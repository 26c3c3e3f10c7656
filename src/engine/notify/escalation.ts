import { COPY_TO_MARKER } from '../../alert/timeline.ts'
import { type Text, words } from '../../message/message.ts'
import type { Reason } from '../../message/reason.ts'
import { type Chat, reasonText } from '../../people/chat.ts'
import type { EscalatedTo, Escalation, EscalationStep } from '../../people/escalation.ts'
import type { Step } from '../../people/person.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { fallbackOf, otherChat, privateChats } from '../memory/people.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import type { CopyTo, Decision, Notice } from '../monitors/decision.ts'
import { forAnother, overItem, recipientsOf } from '../monitors/recipients.ts'
import type { DecidedTurn } from '../monitors/turn.ts'

/** Where a person is told, and where that goes as well when it fails or nobody answers. */
export function escalationOf(drawers: Pick<Memory, 'people' | 'run'>, personId: number): Escalation {
  const first = firstChat(drawers, personId)
  const other = drawers.people.chats.get((first && otherChat(drawers, first)) ?? -1) ?? null
  const own = [...fallbackStep(drawers, personId, other), ...chosenSteps(drawers, personId)]
  const steps: EscalationStep[] = []
  for (const step of own.sort((a, b) => a.from - b.from || Number(b.isFallback) - Number(a.isFallback))) {
    // A chat that is told sooner, or as the fallback, is not told twice.
    const told = new Set([first, ...steps.flatMap(({ chats }) => chats)].map((chat) => chat?.id))
    const chats = step.chats.filter(({ id }) => !told.has(id))
    if (chats.length > 0 || step.wrong !== null) steps.push({ ...step, chats })
  }
  return {
    first,
    wrong: first && wrongWith(drawers, first),
    other,
    steps,
    handovers: handedSteps(drawers, personId),
  }
}

function firstChat(drawers: Pick<Memory, 'people'>, personId: number): Chat | null {
  const own = privateChats(drawers, personId)
  const preferred = drawers.people.persons.get(personId)?.defaultChat
  return own.find(({ id }) => id === preferred) ?? own[0] ?? null
}

function fallbackStep(
  drawers: Pick<Memory, 'people' | 'run'>,
  personId: number,
  other: Chat | null,
): EscalationStep[] {
  const { fallbackChat = null, escalateFrom: from = 0 } = drawers.people.persons.get(personId) ?? {}
  const wanted = drawers.people.chats.get(fallbackChat ?? -1) ?? other
  if (!wanted) return []
  const shared = { from, name: wanted.address.platform, isFallback: true, delegateId: null }
  const wrong = wrongWith(drawers, wanted)
  const isReplaced = wrong !== null && other !== null && other.id !== wanted.id
  return [
    {
      ...shared,
      chats: other ? [other] : [],
      wrong: isReplaced ? words('wrong.replaced', { wrong, platform: other.address.platform }) : wrong,
    },
  ]
}

function chosenSteps(drawers: Pick<Memory, 'people' | 'run'>, personId: number): EscalationStep[] {
  return (drawers.people.persons.get(personId)?.steps ?? []).flatMap(({ to, from }): EscalationStep[] => {
    if (to.is === 'person') return [{ from, ...personStep(drawers, personId, to) }]
    const chat = drawers.people.chats.get(to.chatId)
    if (!chat?.private || chat.personId !== personId) return []
    const wrong = wrongWith(drawers, chat)
    const shared = { from, name: chat.address.platform, isFallback: false, delegateId: null }
    return [{ ...shared, chats: wrong === null ? [chat] : [], wrong }]
  })
}

function handedSteps(drawers: Pick<Memory, 'people' | 'run'>, personId: number): EscalationStep[] {
  return [...drawers.people.delegatesOf.of(personId).values()].flatMap(
    ({ delegateId, delegateName, handoverUntil }) =>
      handoverUntil === null
        ? []
        : [
            {
              from: 0,
              ...personStep(drawers, personId, { is: 'person', personId: delegateId, name: delegateName }),
            },
          ],
  )
}

function personStep(
  drawers: Pick<Memory, 'people' | 'run'>,
  personId: number,
  { personId: delegateId, name }: Extract<Step['to'], { is: 'person' }>,
): Omit<EscalationStep, 'from'> {
  const delegation = drawers.people.delegatesOf.of(personId).get(delegateId)
  const shared = { name: `@${delegation?.delegateName ?? name}`, isFallback: false, delegateId }
  if (!delegation) return { ...shared, chats: [], wrong: words('wrong.not-backup', { name }) }
  const chats = chatsOfDelegate(drawers, delegateId)
  const first = firstChat(drawers, delegateId)
  const why = first === null ? words('wrong.no-chat') : wrongWith(drawers, first)
  return { ...shared, chats, wrong: chats.length > 0 ? null : why }
}

/** Where somebody is told what is critical for another: where it would be told at once if it were their own. */
export function chatsOfDelegate(drawers: Pick<Memory, 'people' | 'run'>, delegateId: number): Chat[] {
  const first = firstChat(drawers, delegateId)
  if (!first) return []
  const { fallbackChat = null, escalateFrom = 0, steps = [] } = drawers.people.persons.get(delegateId) ?? {}
  const atOnce = steps.flatMap(({ to, from }) => (to.is === 'chat' && from === 0 ? [to.chatId] : []))
  const ids = [fallbackOf(drawers, first.id), ...(escalateFrom === 0 ? [fallbackChat] : []), ...atOnce]
  return [...new Set(ids)].flatMap((id) => {
    const chat = drawers.people.chats.get(id ?? -1)
    const isOwn = chat?.private === true && chat.personId === delegateId
    return isOwn && wrongWith(drawers, chat) === null ? [chat] : []
  })
}

/** Why nothing reaches a chat; null while it does. */
function wrongWith(
  { run: { platforms } }: Pick<Memory, 'run'>,
  { address: { platform }, brokenBecause }: Chat,
): Text | null {
  if (platforms && !platforms.has(platform)) return words('wrong.not-set-up', { platform })
  return brokenBecause === null ? null : words('wrong.unwritable', { why: reasonText(brokenBecause) })
}

/** These tell that an alert is over: the chats that it was escalated to hear of the end anyway. */
const ENDS: ReadonlySet<Reason> = new Set(['ended', 'resolved'])

/** Names the other chats that get a critical notice: it was not acknowledged in time, or its alerts were handed over. */
export function escalate(look: EvaluationContext, turn: DecidedTurn): DecidedTurn {
  const decisions = turn.decisions.map((decision) => {
    const chat = look.memory.people.chats.get(decision.chatId)
    const isAlert = ({ severity, alertIds }: Notice) => severity === 'critical' && alertIds.length > 0
    if (!chat || !decision.notices.some(isAlert)) return decision
    const said = decision.notices.map((one) =>
      isAlert(one) ? { ...one, copiesTo: alsoIn(look, chat, one) } : one,
    )
    return { ...decision, notices: said, steps: decision.steps.map((step) => noted(step, said)) }
  })
  return { ...turn, decisions }
}

/**
 * Adds the recipients of copies to the timeline: a reader of /why may wonder whether anybody else was told.
 */
function noted(step: Decision['steps'][number], said: readonly Notice[]): Decision['steps'][number] {
  const there = said.flatMap(({ alertIds, copiesTo = [] }) =>
    alertIds.includes(step.alertId) ? copiesTo : [],
  )
  const names = [...new Set(there.map(({ name }) => name))]
  return names.length === 0 ? step : { ...step, what: `${step.what}${COPY_TO_MARKER}${names.join(', ')}` }
}

function alsoIn({ memory, now }: EvaluationContext, chat: Chat, said: Notice): CopyTo[] {
  const { reminders = 0, reason, alertIds } = said
  const fallback = otherChat(memory, chat)
  const all = [
    ...(isDue(memory, chat, reminders) && fallback !== null ? [toFallback(memory, chat, fallback)] : []),
    // Alerts of a bound chat are no one's own: its binder is told, and no list of people.
    ...(chat.private ? [...chosen(memory, chat, reminders), ...handovers(memory, chat, now)] : []),
  ]
  const known = alertIds.flatMap((id) => [...(memory.monitors.escalatedTo.get(id) ?? [])])
  const told = new Set([chat.id, fallbackOf(memory, chat.id), ...(ENDS.has(reason) ? known : [])])
  return all.filter(({ chatId }) => {
    const isNew = !told.has(chatId)
    told.add(chatId)
    return isNew
  })
}

/** Others read what is asked in a bound chat: whose private chat it is stays theirs. */
function toFallback(
  { people: { chats } }: Pick<Memory, 'people'>,
  { private: own }: Chat,
  chatId: number,
): CopyTo {
  const name = own ? (chats.get(chatId)?.address.platform ?? '') : 'whoever bound this chat'
  return { chatId, whose: null, takesOver: true, name }
}

function isDue(
  { people: { persons } }: Pick<Memory, 'people'>,
  { personId }: Chat,
  reminders: number,
): boolean {
  const person = persons.get(personId)
  return person !== undefined && reminders >= person.escalateFrom
}

function chosen(drawers: Pick<Memory, 'people' | 'run'>, { personId }: Chat, reminders: number): CopyTo[] {
  const due = escalationOf(drawers, personId).steps.filter(
    ({ from, isFallback }) => from <= reminders && !isFallback,
  )
  return due.flatMap(({ chats, delegateId }) =>
    chats.map((chat) => copiesTo(drawers, chat, personId, delegateId)),
  )
}

function handovers(drawers: Pick<Memory, 'people' | 'run'>, { personId }: Chat, now: number): CopyTo[] {
  return [...drawers.people.delegatesOf.of(personId).values()]
    .filter(({ handoverUntil }) => handoverUntil !== null && handoverUntil > now)
    .flatMap(({ delegateId }) =>
      chatsOfDelegate(drawers, delegateId).map((chat) => copiesTo(drawers, chat, personId, delegateId)),
    )
}

function copiesTo(
  drawers: Pick<Memory, 'people'>,
  chat: Chat,
  personId: number,
  delegateId: number | null,
): CopyTo {
  const delegation = drawers.people.delegatesOf.of(personId).get(delegateId ?? 0)
  const name = delegation ? `@${delegation.delegateName}` : chat.address.platform
  return { chatId: chat.id, whose: delegation?.name ?? null, takesOver: false, name }
}

/**
 * Tells the recipients of an escalated alert that it eases or ends. These notices are committed with the end
 * itself. An end that cannot be committed is decided again, and must not be told elsewhere each time.
 */
export function resolveForRecipients({ memory }: EvaluationContext, turn: DecidedTurn): DecidedTurn {
  return { ...turn, decisions: turn.decisions.map((decision) => withRelief(memory, decision)) }
}

function withRelief(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'wallets' | 'markets' | 'run'>,
  decision: Decision,
): Decision {
  const closed = decision.effects.flatMap((effect) => (effect.is === 'alert-closed' ? [effect.alertId] : []))
  const eased = decision.notices.flatMap(({ reason, alertIds }) => (reason === 'better' ? alertIds : []))
  const own = fallbackOf(drawers, decision.chatId)
  const elsewhere = [...new Set([...closed, ...eased])].flatMap((alertId) => {
    const told = new Map(
      recipientsOf(drawers, alertId).map(({ chatId, whose }) => [fallbackOf(drawers, chatId), whose]),
    )
    told.delete(own)
    const reason = closed.includes(alertId) ? 'ended' : 'better'
    return [...told].map(([chatId, whose]) => ({
      chatId,
      notices: reliefOf(drawers, decision, { alertId, reason }, whose),
    }))
  })
  return elsewhere.length === 0 ? decision : { ...decision, elsewhere }
}

function reliefOf(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'wallets' | 'markets'>,
  decision: Decision,
  { alertId, reason }: { alertId: number; reason: 'ended' | 'better' },
  whose: string | null,
): Notice {
  const own = decision.notices.find(({ alertIds }) => alertIds.includes(alertId))
  // Something else has told the end of it, where it is told first.
  const told = own?.item ?? overItem(drawers, alertId, words('over.see', { alertId }))
  return {
    item: whose === null ? told : forAnother(told, whose),
    reason,
    ...{ severity: own?.severity ?? 'warning', order: 0 },
    ...{ alertIds: [alertId], about: own?.about ?? `alert/${alertId}`, quiet: own?.quiet ?? true },
  }
}

/** The chats to which effects escalate alerts. Call it before memory takes them. */
export function escalationsIn(
  { monitors: { escalatedTo } }: Pick<Memory, 'monitors'>,
  effects: readonly Effect[],
): EscalatedTo[] {
  return effects.flatMap((effect) => {
    if (effect.is !== 'copied' || effect.copy === null) return []
    const { alertIds, chatId } = effect.copy
    return alertIds.map((alertId) => {
      const isNew = escalatedTo.get(alertId)?.has(chatId) !== true
      return { alertId, chatId, isNew }
    })
  })
}
