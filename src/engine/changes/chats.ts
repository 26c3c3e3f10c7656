import type { Chat } from '../../people/chat.ts'
import type { Address } from '../../message/address.ts'
import { bounded } from '../../message/fit.ts'
import { item, ITEMS_PER_MESSAGE, type Message, message, words } from '../../message/message.ts'
import type { Step } from '../../people/person.ts'
import type { Change } from '../../store/change.ts'
import type { Effect } from '../memory/effect.ts'
import { chatAt, otherChat, privateChats } from '../memory/people.ts'
import type { Memory } from '../memory/memory.ts'
import type { Numbers } from '../memory/run.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { tell } from '../notify/notice.ts'
import { type Decided, doing, nothing, together } from './decided.ts'
import { rehome } from './rehome.ts'
import { dropRules } from './rules.ts'

function putChat(chat: Chat, copiesTo: Effect[] = []): Decided {
  return doing([{ is: 'chat', chat }, ...copiesTo])
}

/**
 * Messages that wait for a broken private chat go to the person's other chat, and they are told why. The
 * notice left in the broken chat shows, sooner or later, that it works again.
 */
export function broken(
  drawers: Pick<Memory, 'people' | 'run'>,
  numbers: Numbers,
  { chatId, why, now }: { chatId: number; why: string; now: number },
): Decided {
  const chat = drawers.people.chats.get(chatId)
  if (!chat) return nothing()
  const told = message([item('blind', words('change.chat.broken.title', { chat: chatName(chat) }), [why])])
  const to = chat.brokenBecause === null ? elsewhere(drawers, chat) : undefined
  const copiesTo: Effect[] = to ? tellOf(drawers, numbers, chat, { to, words: told, urgency: 1, now }) : []
  const other = chat.private ? otherChat(drawers, chat) : null
  if (other !== null && chat.brokenBecause === null) {
    const since = words('change.chat.again.since', { at: { time: now, as: 'clock' }, why })
    const again = message([item('info', words('change.chat.again.title'), [since])])
    copiesTo.push(
      { is: 'rows-moved', from: chat.id, to: other, withoutCopiesAt: now },
      tell(numbers, chat.id, again, 'notice', now),
    )
  }
  return putChat({ ...chat, brokenBecause: why }, copiesTo)
}

/** A chat that moves to where we know another one already becomes that one: its rules and messages go along. */
export function moved(look: EvaluationContext, chatId: number, to: Address): Decided {
  const { memory } = look
  const chat = memory.people.chats.get(chatId)
  if (!chat) return nothing()
  const there = chatAt(memory, to)
  // A pinned message in the old place cannot be edited from the new one.
  const pin = chat.pin && { ref: null }
  if (!there || there.id === chatId) return putChat({ ...chat, address: to, brokenBecause: null, pin })
  const blind = [...memory.sources.outageNoticesByChat.of(chatId)].flatMap(([source, row]): Effect[] =>
    memory.sources.outageNotices.of(source).has(there.id)
      ? []
      : [{ is: 'source', row: { ...row, chatId: there.id } }],
  )
  return together(
    rehome(look, chatId, there.id),
    doing(rest(memory, chat, there)),
    doing([...blind, { is: 'rows-moved', from: chatId, to: there.id }, ...renamed(memory, chatId, there.id)]),
    doing([{ is: 'chat-gone', chatId }]),
  )
}

/** The settings of the old chat hold in the new one, unless that has its own. */
function rest({ silences: { mutesIn } }: Pick<Memory, 'silences'>, from: Chat, to: Chat): Effect[] {
  const [quiet, digest, weekly, mention] = [
    to.quiet ?? from.quiet,
    to.digest ?? from.digest,
    to.weekly ?? from.weekly,
    to.mention ?? from.mention,
  ]
  const mutes = [...mutesIn.of(from.id)].flatMap(([key, mute]): Effect[] => {
    const until = Math.max(mute.until, mutesIn.of(to.id).get(key)?.until ?? 0)
    return [{ is: 'mute', mute: { ...mute, chatId: to.id, until } }]
  })
  return [{ is: 'chat', chat: { ...to, quiet, digest, weekly, mention } }, ...mutes]
}

/** Replaces a chat in its person's settings, or removes it where there is no other. */
export function renamed(drawers: Pick<Memory, 'people'>, from: number, to: number | null): Effect[] {
  const person = drawers.people.persons.get(drawers.people.chats.get(from)?.personId ?? 0)
  if (!person) return []
  const swap = (id: number | null) => (id === from ? to : id)
  const [defaultChat, fallbackChat] = [swap(person.defaultChat), swap(person.fallbackChat)]
  const isTouched = ({ to: place }: Step) => place.is === 'chat' && place.chatId === from
  if (defaultChat === person.defaultChat && fallbackChat === person.fallbackChat) {
    if (!person.steps.some(isTouched)) return []
  }
  const steps = person.steps.flatMap((step): Step[] => {
    if (!isTouched(step)) return [step]
    return to === null ? [] : [{ ...step, to: { is: 'chat', chatId: to } }]
  })
  return [{ is: 'person', person: { ...person, defaultChat, fallbackChat, steps } }]
}

export function acksFrom(drawers: Pick<Memory, 'people'>, chatId: number, acksBy: Chat['acksBy']): Decided {
  const chat = drawers.people.chats.get(chatId)
  return chat ? putChat({ ...chat, acksBy }) : nothing(words('change.chat.not-bound'))
}

export function back(drawers: Pick<Memory, 'people'>, chatId: number): Decided {
  const chat = drawers.people.chats.get(chatId)
  return chat ? putChat({ ...chat, brokenBecause: null }) : nothing()
}

export function undeliverable(
  drawers: Pick<Memory, 'people' | 'run'>,
  numbers: Numbers,
  { chatId, alertIds, message: said, why }: Extract<Change, { is: 'undeliverable' }>,
  now: number,
): Decided {
  const chat = drawers.people.chats.get(chatId)
  // A notice like this one that cannot be sent either must not be told of: two such chats would never end.
  if (!chat || alertIds.length === 0) return nothing()
  const to = elsewhere(drawers, chat)
  if (!to) return nothing()
  const alerts = alertIds.map((id) => `A${id}`).join(', ')
  const title =
    alertIds.length === 1
      ? words('change.chat.unsent-one.title', { alert: alerts, chat: chatName(chat) })
      : words('change.chat.unsent.title', { chat: chatName(chat) })
  const more = alertIds.length === 1 ? [] : [alerts]
  const head = bounded(item('blind', title, [words('change.chat.unsent.why', { why }), ...more]))
  // Another person's alerts are not for the operator to read.
  const own = to.personId === chat.personId ? said.items.slice(0, ITEMS_PER_MESSAGE - 1) : []
  const told = message([head, ...own], { footnote: own.length > 0 ? said.footnote : null })
  const urgency = said.items.some(({ tone }) => tone === 'critical') ? 0 : 1
  return doing(tellOf(drawers, numbers, chat, { to, words: told, urgency, now }))
}

/** To the operator, on every platform: the one that needs mending may be mute. */
export function notice(
  drawers: Pick<Memory, 'people'>,
  numbers: Numbers,
  { title, lines, over, except }: Extract<Change, { is: 'notice' }>,
  now: number,
): Decided {
  if (drawers.people.operatorId === null) return nothing()
  const own = privateChats(drawers, drawers.people.operatorId).filter(
    ({ address }) => address.platform !== except,
  )
  const told = message([item(over ? 'good' : 'blind', title, [...lines])])
  return doing(own.map(({ id }) => tell(numbers, id, told, 'notice', now)))
}

/**
 * Makes a group or channel a destination of the person who binds it. One that somebody else bound stays
 * theirs.
 */
export function bind(
  drawers: Pick<Memory, 'people'>,
  numbers: Numbers,
  { personId, address, title, mention }: Extract<Change, { is: 'bind' }>,
): Decided {
  const known = chatAt(drawers, address)
  // It would not be a private chat any more, and wallets would lose the place where they are told.
  if (known?.private) return nothing(words('change.chat.private'))
  if (known && known.personId !== personId) return nothing(words('change.chat.others'))
  const chat: Chat = {
    id: known?.id ?? ++numbers.chat,
    address,
    title,
    personId,
    private: false,
    mention,
    brokenBecause: null,
    quiet: known?.quiet ?? null,
    digest: known?.digest ?? null,
    weekly: known?.weekly ?? null,
    pin: known?.pin ?? null,
    acksBy: known?.acksBy ?? 'known',
  }
  return putChat(chat)
}

/** The chat's rules go with it. */
export function unbind(look: EvaluationContext, chatId: number): Decided {
  const chat = look.memory.people.chats.get(chatId)
  if (!chat || chat.private) return nothing(words('change.chat.not-bound'))
  const rules = [...look.memory.rules.rulesIn.of(chatId).values()]
  const last: Effect = { is: 'chat-gone', chatId }
  return together(dropRules(look, rules), doing([...renamed(look.memory, chatId, null), last]))
}

/** Through the outbox and the adapter, as an alert would go. */
export function testChat(
  drawers: Pick<Memory, 'people'>,
  numbers: Numbers,
  chatId: number,
  now: number,
): Decided {
  const chat = drawers.people.chats.get(chatId)
  if (!chat) return nothing(words('change.chat.not-bound'))
  const title = words(chat.private ? 'change.chat.test-you.title' : 'change.chat.test.title')
  const told = message([item('info', title, [words('change.chat.test.nothing')])])
  return doing([tell(numbers, chatId, told, 'test', now)])
}

/** Where the person of a chat, or else the operator, can be told of it: another chat that works. */
function elsewhere(drawers: Pick<Memory, 'people'>, chat: Chat): Chat | undefined {
  const works = (one: Chat) => one.id !== chat.id && one.brokenBecause === null
  const chats = [chat.personId, drawers.people.operatorId ?? 0].flatMap((id) => privateChats(drawers, id))
  return chats.find(works)
}

const TOLD_OF_EVERY_MS = 3_600_000

/**
 * Tells of the trouble of a chat elsewhere. The operator hears of somebody else's without a sound, behind their own
 * alerts, and once an hour: people may block the bot and come back as often as they like.
 */
function tellOf(
  { run }: Pick<Memory, 'run'>,
  numbers: Numbers,
  { personId }: Chat,
  { to, words, urgency, now }: { to: Chat; words: Message; urgency: 0 | 1; now: number },
): Effect[] {
  const isOwn = to.personId === personId
  if (!isOwn && Math.abs(now - (run.operatorToldOf.get(personId) ?? -Infinity)) < TOLD_OF_EVERY_MS) return []
  const sent = tell(numbers, to.id, words, 'notice', now)
  if (isOwn) return [{ ...sent, row: { ...sent.row, urgency } }]
  return [
    { ...sent, row: { ...sent.row, urgency: 2, silent: true } },
    { is: 'operator-told-of', personId, at: now },
  ]
}

/** As its person knows it. */
export function chatName({ title, address: { platform, chat, thread } }: Chat): string {
  return `${title ?? `${platform} chat ${chat}`}${thread === null ? '' : ` (topic ${thread})`}`
}
