import { ACKNOWLEDGED_FOR_MS } from '../alert/alert-state.ts'
import type { ActionPress } from '../chat/action-link.ts'
import type { Bot, Inbound } from '../chat/bot.ts'
import type { Conversation } from '../chat/conversation.ts'
import type { CriticalAlerts, Notifier } from '../chat/notifier.ts'
import type { Command } from '../command/command.ts'
import type { Context, Firing, Place, View } from '../command/context.ts'
import type { Address } from '../message/address.ts'
import { type Text, words } from '../message/message.ts'
import { FULL } from '../people/cell.ts'
import { type Chat, NOT_SET_UP } from '../people/chat.ts'
import { type Drill, DRILL_LIVES_MS } from '../people/drill.ts'
import { GUEST, type Person, STRANGER } from '../people/person.ts'
import { ASSISTANT_PLATFORM, isSession } from '../people/session.ts'
import { type Clock, within } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change, InputId } from '../store/change.ts'

/** The person who speaks, and the chat that the command is about. */
export interface Speaker {
  person: Person | null
  /** The person's preferred private chat. */
  own: Chat | null
  /** The bound chat where the person spoke; null in a private or unbound one. */
  bound: Chat | null
  local: boolean
  /** Anybody may come, but there is room for nobody new. */
  isFull: boolean
}

type Admission =
  | { is: 'admitted'; person: Person; chat: Chat | null }
  /** A sentence, with what to do instead. */
  | { is: 'refused'; why: Text }

/** Decides whether somebody may run a command here, and in whose name. Pure. */
export function admit(
  command: Command,
  from: Inbound,
  { person, own, bound, local, isFull }: Speaker,
): Admission {
  const { name, who, audience } = command
  const stranger = person === null
  const unreached = outOfReach(command, from, stranger)
  if (unreached !== null) return { is: 'refused', why: unreached }
  const isGuest = (who === 'guest' || who === 'trusted') && bound !== null
  if (stranger && who !== 'stranger' && !isGuest) return { is: 'refused', why: isFull ? FULL : STRANGER }
  if (stranger && who === 'trusted' && !from.mayConfigure && bound?.acksBy !== 'anybody') {
    return { is: 'refused', why: words('dialog.administrators') }
  }
  if (who === 'operator' && !person?.operator) {
    return { is: 'refused', why: words('dialog.operator', { command: name }) }
  }
  if (who === 'local' && !local) {
    return { is: 'refused', why: words('dialog.terminal', { command: name }) }
  }
  // In a bound chat, people who may not configure it act on their own alerts, if others cannot see the answer.
  if (audience === 'bound' && !from.private && bound && (from.mayConfigure || !from.whisper)) {
    return from.mayConfigure
      ? { is: 'admitted', person: person ?? GUEST, chat: bound }
      : { is: 'refused', why: words('dialog.may-not-configure') }
  }
  if (audience === 'bound' && !from.private && !from.whisper && bound === null)
    return { is: 'refused', why: NOT_SET_UP }
  const open = audience === 'chat' || audience === 'place'
  if (!open && !from.private && !from.whisper) {
    return { is: 'refused', why: words('dialog.private', { command: name }) }
  }
  return { is: 'admitted', person: person ?? GUEST, chat: own }
}

/** Why a page or an assistant may not run this; null if it may, and for people in a chat. */
function outOfReach({ name, reach }: Command, { by, tellsNobody }: Inbound, stranger: boolean): Text | null {
  if (!tellsNobody && !isSession(by)) return null
  if (stranger) return words('dialog.signed-out')
  if (by.platform === ASSISTANT_PLATFORM && reach !== 'assistant')
    return words('dialog.assistant', { command: name })
  return reach === 'chat' ? words('dialog.chat-alone', { command: name }) : null
}

const LOOK_LIMIT_MS = 10_000

/** Asks a platform for the rights of a person and of the bot, in this chat or in the one they name. */
export function createInspection(world: {
  conversations: ReadonlyMap<string, Conversation>
  clock: Clock
  signal: AbortSignal
}): (from: Inbound, named: string | null) => Promise<Place | null> {
  const { conversations, clock, signal: stopping } = world
  return (from, named) => {
    const { platform } = from.by
    const conversation = conversations.get(platform)
    const address = named === null ? from.chat : { platform, chat: named.trim(), thread: null }
    return within(clock, LOOK_LIMIT_MS, stopping, async (signal) => {
      const rights = (await conversation?.inspect(from.by, address, signal)) ?? null
      return rights && { ...rights, mentions: conversation?.mentions === true }
    })
  }
}

/** Asks a notifier to check the name of a destination. */
export function createDestinationCheck(world: {
  platforms: ReadonlyMap<string, Notifier>
  clock: Clock
  signal: AbortSignal
}): (platform: string, typed: string, personId: number) => ReturnType<Context['checkDestination']> {
  const { platforms, clock, signal: stopping } = world
  return (platform, typed, personId) =>
    within(
      clock,
      LOOK_LIMIT_MS,
      stopping,
      async (signal) =>
        (await platforms.get(platform)?.destination?.check(typed.trim(), signal, personId)) ?? null,
    )
}

/** Knows the people and their chats, and takes reports of platforms about chats. */
interface Directory
  extends Pick<Bot, 'chatChanged' | 'tellOperator'>, Pick<CriticalAlerts, 'rings' | 'acknowledged'> {
  /** Finds the person. Creates one if they may use the bot without an invitation. */
  meet(from: Inbound): Promise<Speaker>
  /** The same from memory, without creating anybody. */
  recognise(from: Inbound): Speaker
  /** The person who gets the messages at this notifier, as the sender of a command; null if there is none. */
  senderAt(press: ActionPress): Inbound | null
}

const CANNOT_WRITE = 'the platform says that we cannot write there'

export function createDirectory(world: {
  view: View
  access: 'claim' | 'open'
  /** Nobody new comes by themselves beyond these. */
  most: { people: number; seats: number }
  /** There are as many. */
  isFull(): boolean
  isLocal(platform: string): boolean
  /** True for notifiers: people name a destination there and cannot speak. */
  isNamed(platform: string): boolean
  emit: Emit
  /** Wall time. */
  now(): number
  /** Resolves when the change is committed. */
  change(change: Change): Promise<unknown>
  /** Sends the rows that wait in a broken chat. */
  tryAgain(chatId: number): void
}): Directory {
  const { view, access, most, isLocal, isNamed, emit, change, tryAgain } = world

  function recognise({ by, chat, answerUnread }: Inbound): Speaker {
    // A notifier knows no people: its buttons act for the person who named the destination.
    const person = answerUnread ? view.personAt(chat) : view.person(by)
    const own = person?.defaultChat == null ? null : view.chat(person.defaultChat)
    const here = view.chatAt(chat)
    const bound = here && !here.private ? here : null
    const isFull = access === 'open' && person === null && world.isFull()
    return { person, own, bound, local: isLocal(by.platform), isFull }
  }

  /**
   * The alerts that reach this destination: the person's own, delegated ones, and those of chats that they have bound.
   */
  function firing(there: Address): readonly Firing[] {
    const personId = view.chatAt(there)?.personId
    if (personId === undefined) return []
    const bound = view.chats(personId).flatMap(({ id }) => view.firingIn(id))
    return [...view.firing(personId), ...view.helping(personId), ...bound]
  }

  /** The drills that ring there and that nobody has acknowledged. */
  function drillsAt(there: Address): Drill[] {
    const chat = view.chatAt(there)
    if (!chat) return []
    const helped = view.helped(chat.personId).map(({ personId }) => personId)
    return [chat.personId, ...helped]
      .flatMap((id) => view.drill(id) ?? [])
      .filter(
        ({ at, rows, acknowledged }) =>
          acknowledged === null &&
          world.now() - at < DRILL_LIVES_MS &&
          rows.some(({ chatId }) => chatId === chat.id),
      )
  }

  /** Who acknowledged there. On behalf of somebody else, the person is named. */
  function wordOf(there: Address, alertId: number): string {
    const personId = view.chatAt(there)?.personId ?? 0
    if (!view.helping(personId).some((one) => one.alertId === alertId)) return there.platform
    const [known] = view.helped(personId)
    return `${known?.delegateName ?? ''} (${there.platform})`.trim()
  }

  /** Commits a report of a platform without waiting for it. */
  function keep(told: Change): void {
    change(told).catch((error: unknown) =>
      emit({ is: 'trouble', where: 'chat', why: 'what a platform told could not be kept', error }),
    )
  }

  return {
    recognise,
    async meet(from) {
      const { by, home } = from
      const speaker = recognise(from)
      if (from.tellsNobody) return speaker
      // An answer that only one person sees counts as private.
      const isOpen = access === 'open' && !speaker.isFull
      const welcome = speaker.local || (isOpen && (from.private || from.whisper))
      if (welcome && (!speaker.person || !view.chatAt(home)))
        await change(
          speaker.local
            ? { is: 'meet', by, home, as: 'local' }
            : { is: 'meet', by, home, as: 'person', most },
        )
      // The person may have repaired the chat. Their message does not prove it, so a waiting row is tried.
      for (const chat of [view.chatAt(from.chat), view.chatAt(home)])
        if (chat && chat.brokenBecause !== null) tryAgain(chat.id)
      return recognise(from)
    },
    senderAt({ id, there, sentAt }) {
      const { platform, chat } = there
      if (!isNamed(platform) || view.personAt(there) === null) return null
      return {
        ...{ id, by: { platform, user: chat }, name: `somebody at ${platform}`, chat: there, home: there },
        ...{
          private: true,
          mayConfigure: false,
          whisper: false,
          answersApart: true,
          language: null,
          answerUnread: true,
        },
        ...{ writtenAt: world.now(), seenUntil: sentAt },
      }
    },
    chatChanged(address: Address, to) {
      const there = view
        .chatsIn(address)
        .filter(({ address: { thread } }) => address.thread === null || thread === address.thread)
      for (const { id: chatId, address: known, brokenBecause } of there) {
        if (to === 'gone') keep({ is: 'chat-broken', chatId, why: CANNOT_WRITE })
        else if (to !== 'back') {
          const moved = address.thread === null ? { ...to.moved, thread: known.thread } : to.moved
          keep({ is: 'chat-moved', chatId, to: moved })
        } else if (brokenBecause !== null) keep({ is: 'chat-back', chatId })
      }
    },
    rings: (there, alertIds) =>
      (alertIds.length === 0 && drillsAt(there).length > 0) ||
      firing(there).some(
        ({ alertId, severity, acknowledgement }) =>
          alertIds.includes(alertId) && severity === 'critical' && acknowledgement.is === 'waiting',
      ),
    async acknowledged(there, alertIds, at) {
      const byId = view.chatAt(there)?.personId ?? 0
      for (const { personId } of alertIds.length === 0 ? drillsAt(there) : []) {
        const helped = view.helped(byId).find((one) => one.personId === personId)
        const by = helped ? `${helped.delegateName} (${there.platform})` : there.platform
        await change({ is: 'drill-acknowledged', personId, byId, by, seenUntil: at, readIn: null })
      }
      const open = firing(there).flatMap(({ alertId, acknowledgement }) =>
        alertIds.includes(alertId) && acknowledgement.is === 'waiting' ? [alertId] : [],
      )
      const until = world.now() + ACKNOWLEDGED_FOR_MS
      const acknowledgement = {
        ...({ is: 'acknowledgement', as: 'acknowledged', until, readIn: null } as const),
        seenUntil: at,
      }
      for (const [by, ids] of Map.groupBy(new Set(open), (id) => wordOf(there, id)))
        await change({ ...acknowledgement, alertIds: ids, by })
    },
    tellOperator: ({ title, lines }, except) =>
      keep({ is: 'notice', title, lines, over: false, except: except ?? null }),
  }
}

/**
 * Stores the language of the person's platform: alerts follow it until the person chooses one. Without a store the
 * command runs as before, and the next one tries again. A page's language is that of a browser, which may be anybody's.
 */
export async function hearLanguage(
  { id, by, private: alone, language, tellsNobody }: Inbound,
  person: Person,
  world: { emit: Emit; change(change: Change, input: InputId): Promise<unknown> },
): Promise<void> {
  if (!alone || tellsNobody || language === null || language === person.spoken || person.id === GUEST.id)
    return
  const heard = { is: 'settings', personId: person.id, to: { spoken: language } } as const
  await world.change(heard, { platform: by.platform, id: `${id}#language` }).catch((error: unknown) => {
    world.emit({ is: 'trouble', where: 'dialog', why: 'a language could not be kept', error })
  })
}
