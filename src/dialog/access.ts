import type { Inbound } from '../chat/bot.ts'
import type { Conversation } from '../chat/conversation.ts'
import type { Notifier } from '../chat/notifier.ts'
import type { Chat } from '../people/chat.ts'
import type { Command } from '../command/command.ts'
import type { Context, Place } from '../command/context.ts'
import { GUEST, type Person, STRANGER } from '../people/person.ts'
import { type Clock, within } from '../runtime/clock.ts'

/** The person who speaks, and the chat that the command is about. */
export interface Speaker {
  person: Person | null
  /** The person's preferred private chat. */
  own: Chat | null
  /** The bound chat in which this was said; null in a private or unbound one. */
  bound: Chat | null
  local: boolean
}

type Admission =
  | { is: 'admitted'; person: Person; chat: Chat | null }
  /** A sentence, with what to do instead. */
  | { is: 'refused'; why: string }

/** Decides whether somebody may run a command here, and in whose name. Pure. */
export function admit(command: Command, from: Inbound, { person, own, bound, local }: Speaker): Admission {
  const { name, who, audience } = command
  const stranger = person === null
  if (stranger && who !== 'stranger' && !(who === 'guest' && bound)) return { is: 'refused', why: STRANGER }
  if (who === 'operator' && !person?.operator) {
    return { is: 'refused', why: `/${name} is for the operator of this Perch.` }
  }
  if (who === 'local' && !local) {
    return { is: 'refused', why: `/${name} works only in the terminal that runs me.` }
  }
  // In a bound chat, people who may not configure it act on their own alerts, if others cannot see the answer.
  if (audience === 'bound' && !from.private && bound && (from.mayConfigure || !from.whisper)) {
    return from.mayConfigure
      ? { is: 'admitted', person: person ?? GUEST, chat: bound }
      : { is: 'refused', why: 'Only somebody who may configure this chat can do that here.' }
  }
  const open = audience === 'chat' || audience === 'place'
  if (!open && !from.private && !from.whisper) {
    return { is: 'refused', why: `That is between us: send me /${name} in our private chat.` }
  }
  return { is: 'admitted', person: person ?? GUEST, chat: own }
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
}): Context['checkDestination'] {
  const { platforms, clock, signal: stopping } = world
  return (platform, typed) =>
    within(
      clock,
      LOOK_LIMIT_MS,
      stopping,
      async (signal) => (await platforms.get(platform)?.destination?.check(typed.trim(), signal)) ?? null,
    )
}
