import { type Acknowledgement, rangAt } from '../../alert/alert-state.ts'
import { monitorOf } from '../../alert/monitor.ts'
import type { SentRef } from '../../message/address.ts'
import { item, message, type Text, words } from '../../message/message.ts'
import type { Delegation } from '../../people/delegation.ts'
import { digestKeeper } from '../../people/escalation.ts'
import { questionKey } from '../../people/question.ts'
import type { Change } from '../../store/change.ts'
import type { NewRow } from '../../store/store.ts'
import { positionKey } from '../../venue/position.ts'
import type { Effect } from '../memory/effect.ts'
import { otherChat, personOf, privateChats, fallbackOf } from '../memory/people.ts'
import type { Memory } from '../memory/memory.ts'
import type { Numbers } from '../memory/run.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { chatsToldOf, forAnother, overItem, recipientsOf } from '../monitors/recipients.ts'
import { nameOfSubject } from '../monitors/subjects.ts'
import type { Acknowledged } from '../monitors/turn.ts'
import { coalesce } from '../notify/coalesce.ts'
import { chatsOfDelegate } from '../notify/escalation.ts'
import { notifyPerson, notifyQuietly, quietly, tell } from '../notify/notice.ts'
import { acksFrom, back, bind, broken, moved, notice, testChat, unbind, undeliverable } from './chats.ts'
import { answerLink, askLink, putCode, redeem } from './codes.ts'
import { type Decided, doing, nothing, together } from './decided.ts'
import { agree, disagree, handover } from './delegations.ts'
import { drill, acknowledgeDrill } from './drill.ts'
import { forget, meet, settings, takeOver } from './people.ts'
import { pictureLost, queuePictures } from './pictures.ts'
import { place } from './places.ts'
import { renameMarket } from './rehome.ts'
import {
  choosePreset,
  drafted,
  dropRules,
  isOneTooMany,
  misplaced,
  setRule,
  unwatch,
  watch,
} from './rules.ts'
import { addRule } from './assistants.ts'
import { endSome, openSession } from './sessions.ts'
import { copied } from './undelivered.ts'

type Deciders = {
  [Is in Change['is']]: (look: EvaluationContext, change: Extract<Change, { is: Is }>) => Decided
}

const DECIDERS: Deciders = {
  meet: ({ memory, numbers, now }, change) => meet(memory, numbers, change, now),
  code: ({ memory, now }, change) => putCode(memory, change, now),
  redeem: ({ memory, numbers, now }, change) => redeem(memory, numbers, change, now),
  'ask-link': ({ memory, numbers, now }, change) => askLink(memory, numbers, change, now),
  'answer-link': ({ memory, numbers, now }, change) => answerLink(memory, numbers, change, now),
  agree: ({ memory, numbers, now }, change) => agree(memory, numbers, change, now),
  disagree: ({ memory, numbers, now }, change) => disagree(memory, numbers, change, now),
  handover,
  settings,
  'open-session': ({ memory, numbers, now }, change) => openSession(memory, numbers, change, now),
  'end-sessions': ({ memory }, change) => endSome(memory, change),
  forget: (look, { personId }) => forget(look, personId),
  watch,
  unwatch,
  rule: (look, { personId, chatId, draft, setBy, most = Infinity }) => {
    const rule = drafted(look, personId, chatId, draft)
    const why = misplaced(look, rule)
    if (why !== null) return nothing(why)
    if (isOneTooMany(look.memory, rule, most)) return nothing(words('alert.full', { rules: most }))
    return setBy === undefined ? setRule(rule) : addRule(look, { ...rule, setBy })
  },
  preset: choosePreset,
  import: takeOver,
  'market-renamed': renameMarket,
  remove(look, { personId, ruleId }) {
    const rule = look.memory.rules.all.get(ruleId)
    return rule?.personId === personId ? dropRules(look, [rule]) : nothing()
  },
  place,
  question: ({ memory }, change) => question(memory, change),
  pin: ({ memory }, { chatId }) => pin(memory, chatId),
  pinned: ({ memory }, { chatId, ref }) => pinned(memory, chatId, ref),
  unpin: ({ memory }, { chatId }) => unpin(memory, chatId),
  acknowledgement,
  quiet: ({ memory }, change) => quiet(memory, change),
  mute: ({ memory }, change) => mute(memory, change),
  digest,
  weekly,
  drill,
  'drill-acknowledged': acknowledgeDrill,
  unmute: ({ memory }, change) => unmute(memory, change),
  bind: ({ memory, numbers }, change) => bind(memory, numbers, change),
  unbind: (look, { chatId }) => unbind(look, chatId),
  acks: ({ memory }, { chatId, by }) => acksFrom(memory, chatId, by),
  test: ({ memory, numbers, now }, { chatId }) => testChat(memory, numbers, chatId, now),
  'chat-broken': (look, { chatId, why }) =>
    together(broken(look.memory, look.numbers, { chatId, why, now: look.now }), lost(look, chatId, why)),
  'chat-back': (look, { chatId }) => together(back(look.memory, chatId), found(look, chatId)),
  'chat-moved': (look, { chatId, to }) => moved(look, chatId, to),
  notice: ({ memory, numbers, now }, change) => notice(memory, numbers, change, now),
  quoted,
  pictures: ({ memory, numbers, now }, change) => queuePictures(memory, numbers, change, now),
  'picture-lost': ({ memory, now }, change) => pictureLost(memory, change, now),
  undelivered: ({ memory, numbers, now }, change) => copied(memory, numbers, change, now),
  merge: merged,
  undeliverable: ({ memory, numbers, now }, change) => undeliverable(memory, numbers, change, now),
}

/** Decides what people and platforms ask to be changed. */
export function decideChange(look: EvaluationContext, change: Change): Decided {
  const decided = (DECIDERS[change.is] as (look: EvaluationContext, change: Change) => Decided)(look, change)
  return { ...decided, effects: [...takenAway(look, decided.effects), ...decided.effects] }
}

/**
 * Alerts that a person took away go out of the messages that wait. The recipients of another person's alert are told
 * that it is over.
 */
function takenAway({ memory, numbers, now }: EvaluationContext, effects: readonly Effect[]): Effect[] {
  const closed = effects.flatMap((effect) => (effect.is === 'alert-closed' ? [effect.alertId] : []))
  if (closed.length === 0) return []
  const alertIds = [...new Set(closed)]
  const told = alertIds.flatMap((alertId) =>
    recipientsOf(memory, alertId).flatMap(({ chatId, whose }) => {
      if (whose === null) return []
      const over = overItem(memory, alertId, words('change.over.rule'))
      const said = message([forAnother(over, whose)])
      return [{ alertId, row: tell(numbers, fallbackOf(memory, chatId), said, 'ended', now) }]
    }),
  )
  const ends = told.map(({ alertId, row }) => ({ alertId, rowId: row.row.id }))
  return [...told.map(({ row }) => quietly(row)), { is: 'withdrawn', alertIds, ends, at: now }]
}

/** A minute later the price is another one. */
const QUOTE_LIVES_MS = 60_000

/**
 * Adds the cost of fixing a position to the messages of its alerts. An alert that is over or at another tier
 * gets nothing, nor does one whose position has another size.
 */
function quoted(
  { memory, numbers, now }: EvaluationContext,
  { alerts, position }: Extract<Change, { is: 'quoted' }>,
): Decided {
  const effects = alerts.flatMap(({ alertId, tier, lines, details = [] }): Effect[] => {
    const key = memory.monitors.firing.get(alertId)
    const state = memory.monitors.states.get(key ?? '')?.state
    if (key === undefined || state?.is !== 'firing' || state.tier !== tier) return []
    const { subject, chatId } = monitorOf(key)
    const held = memory.wallets.views.get(position.wallet)?.held.get(positionKey(position))
    if (held?.position.size !== position.size) return []
    const own = fallbackOf(memory, chatId)
    const personId = memory.people.chats.get(chatId)?.personId ?? 0
    // Where a message cannot be edited, a new one is sent: only to the alert's person, and not once it is
    // acknowledged.
    const anew = 'by' in state.acknowledgement ? null : nameOfSubject(memory, subject, personId)
    return chatsToldOf(memory, alertId).map((to): Effect => {
      const name = to === own ? anew : null
      return { is: 'send', row: rowFor(numbers, { chatId: to, alertId, lines, details, name, now }) }
    })
  })
  return doing(effects)
}

/** It is about nothing that others wait for: what is worse must not have to wait for it. */
function rowFor(
  numbers: Numbers,
  of: {
    chatId: number
    alertId: number
    lines: readonly Text[]
    details: readonly Text[]
    name: string | null
    now: number
  },
): NewRow {
  const { chatId, alertId, lines, details, name, now } = of
  const anew =
    name === null
      ? []
      : [{ ...item('plain', words('change.quote.title', { name }), [...lines, ...details]), alertId }]
  return {
    ...{ id: ++numbers.row, chatId, urgency: 2, silent: true, message: message(anew) },
    ...{ alertIds: [alertId], about: [], reason: 'notice', note: { alertId, quote: lines, details } },
    ...{ detectedAt: now, queuedAt: now, dueAt: now, expiresAt: now + QUOTE_LIVES_MS },
  }
}

type Of<Is extends Change['is']> = Extract<Change, { is: Is }>

function quiet({ people: { chats } }: Pick<Memory, 'people'>, { chatIds, quiet }: Of<'quiet'>): Decided {
  return doing(
    chatIds.flatMap((id): Effect[] => {
      const chat = chats.get(id)
      return chat ? [{ is: 'chat', chat: { ...chat, quiet } }] : []
    }),
  )
}

/** Somebody whom we do not know is asked nothing that waits. */
function question({ people }: Pick<Memory, 'people'>, { by, chat, question }: Of<'question'>): Decided {
  const personId = personOf({ people }, by)?.id
  if (personId !== undefined && question)
    return doing([{ is: 'question', question: { by, chat, personId, ...question } }])
  return people.questions.has(questionKey({ by, chat }))
    ? doing([{ is: 'question-gone', by, chat }])
    : nothing()
}

function mute({ people: { chats } }: Pick<Memory, 'people'>, { chatIds, of, until }: Of<'mute'>): Decided {
  const known = chatIds.filter((id) => chats.has(id))
  return doing(known.map((chatId): Effect => ({ is: 'mute', mute: { chatId, of, until } })))
}

function unmute({ silences: { mutesIn } }: Pick<Memory, 'silences'>, { chatIds }: Of<'unmute'>): Decided {
  return doing(
    chatIds.flatMap((chatId) =>
      [...mutesIn.of(chatId).keys()].map((of): Effect => ({ is: 'mute-gone', chatId, of })),
    ),
  )
}

/** A person has one digest, whichever of their private chats they ask in. */
function digest({ memory, now }: EvaluationContext, { chatId, minute }: Of<'digest'>): Decided {
  const chat = memory.people.chats.get(chatId)
  if (!chat) return nothing(words('change.card.no-chat'))
  const own = chat.private ? privateChats(memory, chat.personId) : [chat]
  const keeper = digestKeeper(own) ?? chat
  const kept = minute === null ? null : { minute, after: now, told: keeper.digest?.told ?? null }
  const others = own.filter(({ id, digest }) => id !== keeper.id && digest !== null)
  return doing([
    { is: 'chat', chat: { ...keeper, digest: kept } },
    ...others.map((other): Effect => ({ is: 'chat', chat: { ...other, digest: null } })),
  ])
}

function weekly({ memory, now }: EvaluationContext, { chatId, at }: Of<'weekly'>): Decided {
  const chat = memory.people.chats.get(chatId)
  if (!chat) return nothing(words('change.card.no-chat'))
  const own = chat.private ? privateChats(memory, chat.personId) : [chat]
  const keeper = digestKeeper(own, 'weekly') ?? chat
  const kept = at && { ...at, after: now, moneyUntil: keeper.weekly?.moneyUntil ?? null }
  const others = own.filter((one) => one.id !== keeper.id && one.weekly !== null)
  return doing([
    { is: 'chat', chat: { ...keeper, weekly: kept } },
    ...others.map((other): Effect => ({ is: 'chat', chat: { ...other, weekly: null } })),
  ])
}

/** Who acknowledges this soon after somebody else has not seen that they had. */
const AT_ONCE_MS = 60_000

/**
 * Acknowledges or snoozes firing alerts, no matter who asks; a worse tier and the end of an alert break
 * through. An alert that has rung since they could look stays as it is: a late word, or a button of an older message,
 * was about something else.
 */
function acknowledgement(
  { memory, now }: EvaluationContext,
  { as, alertIds, by, until, seenUntil, readIn }: Extract<Change, { is: 'acknowledgement' }>,
): Decided {
  let fires = false
  const acknowledged: Acknowledged[] = []
  const effects = alertIds.flatMap((alertId): Effect[] => {
    const key = memory.monitors.firing.get(alertId)
    const known = key === undefined ? undefined : memory.monitors.states.get(key)
    if (key === undefined || known?.state.is !== 'firing') return []
    fires = true
    if (rangAt(known.state) > seenUntil) return []
    if (as === 'acknowledged' && isTaken(known.state.acknowledgement, now)) return []
    const done = { is: as, by, at: now, until } as const
    acknowledged.push({ key, alertId, acknowledgement: done, readIn })
    const step = {
      ...{ alertId, at: now, reason: as, what: `by ${by}`, value: null, threshold: '' },
      ...{ dataAt: now, rowId: null },
    }
    return [
      {
        is: 'state',
        row: { ...known, monitor: monitorOf(key), state: { ...known.state, acknowledgement: done } },
      },
      { is: 'step', step },
    ]
  })
  return fires ? { ...doing(effects), acknowledged } : nothing(words('change.ended'))
}

/** Two who press at once: the first one has acknowledged it. */
function isTaken(before: Acknowledgement, now: number): boolean {
  return before.is === 'acknowledged' && now - before.at < AT_ONCE_MS && now < before.until
}

/**
 * The people who handed over to this chat's person count on them: they hear that nothing reaches that person
 * any more.
 */
function lost({ memory, numbers, now }: EvaluationContext, chatId: number, why: string): Decided {
  const chat = memory.people.chats.get(chatId)
  if (!chat?.private || chat.brokenBecause !== null || otherChat(memory, chat) !== null) return nothing()
  const reaches = chatsOfDelegate(memory, chat.personId)
  if (reaches.length === 0 || reaches.some(({ id }) => id !== chatId)) return nothing()
  return doing(
    handedOverTo(memory, chat.personId, now).flatMap(({ personId, delegateName }): Effect[] => {
      const lines = [why, words('change.backup.unreached.next')]
      const told = message([
        item('warning', words('change.backup.unreached.title', { name: delegateName }), lines),
      ])
      return notifyPerson(memory, numbers, personId, told, now)
    }),
  )
}

/** They hear as well that it reaches them again: they need not wake up for that. */
function found({ memory, numbers, now }: EvaluationContext, chatId: number): Decided {
  const chat = memory.people.chats.get(chatId)
  if (!chat?.private || chat.brokenBecause === null || chatsOfDelegate(memory, chat.personId).length > 0)
    return nothing()
  return doing(
    handedOverTo(memory, chat.personId, now).flatMap(({ personId, delegateName }): Effect[] => {
      const told = message([item('good', words('change.backup.reached.title', { name: delegateName }))])
      return notifyQuietly(memory, numbers, personId, told, now)
    }),
  )
}

function handedOverTo(
  { people: { coveredBy } }: Pick<Memory, 'people'>,
  delegateId: number,
  now: number,
): Delegation[] {
  return [...coveredBy.of(delegateId).values()].filter(({ handoverUntil }) => (handoverUntil ?? 0) > now)
}

/** Replaces the messages that waited in a chat by one message about all their alerts. */
function merged(look: EvaluationContext, { chats }: Extract<Change, { is: 'merge' }>): Decided {
  const { memory, now } = look
  const effects = chats.flatMap((rows): Effect[] => {
    // It may have broken since they were looked at.
    const chatId = fallbackOf(memory, rows[0].chatId)
    if (!memory.people.chats.has(chatId)) return []
    const id = ++look.numbers.row
    const row = {
      ...({ id, chatId, reason: 'coalesced', note: null, expiresAt: null, ...coalesce(look, rows) } as const),
      alertIds: [...new Set(rows.flatMap(({ alertIds }) => alertIds))],
      about: [...new Set(rows.flatMap(({ about }) => about))],
      ...{ detectedAt: Math.min(...rows.map(({ detectedAt }) => detectedAt)), queuedAt: now, dueAt: now },
    }
    const waiting = rows.filter(({ isMerged }) => !isMerged).map(({ rowId }) => rowId)
    return [
      { is: 'send', row },
      { is: 'coalesced', rowIds: waiting, into: id, at: now },
    ]
  })
  return doing(effects)
}

/** A chat has one such message at most. */
function pin(drawers: Pick<Memory, 'people'>, chatId: number): Decided {
  const chat = drawers.people.chats.get(chatId)
  if (!chat) return nothing(words('change.card.no-chat'))
  if (chat.pin !== null) return nothing(words('change.card.there'))
  return doing([{ is: 'chat', chat: { ...chat, pin: { ref: null } } }])
}

/** It stands there now; somebody may have ended it meanwhile. */
function pinned(drawers: Pick<Memory, 'people'>, chatId: number, ref: SentRef): Decided {
  const chat = drawers.people.chats.get(chatId)
  return chat?.pin ? doing([{ is: 'chat', chat: { ...chat, pin: { ref } } }]) : nothing()
}

function unpin(drawers: Pick<Memory, 'people'>, chatId: number): Decided {
  const chat = drawers.people.chats.get(chatId)
  if (!chat?.pin) return nothing(words('change.card.none'))
  return doing([{ is: 'chat', chat: { ...chat, pin: null } }])
}
