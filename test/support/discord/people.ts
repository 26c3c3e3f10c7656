import { type Asked, askedFor } from './asked.ts'
import { type Channel, channelHandle } from './channels.ts'
import type { Given } from './fit.ts'
import type { Gateway } from './gateway.ts'
import { createPlace, type GuildState, type Place, type User } from './guilds.ts'
import { COMMAND, COMPLETION, SUBMIT, TAP } from './interactions.ts'
import { audience, invoke } from './invoke.ts'
import type { Message } from './messages.ts'
import { buttonsOf, textOf } from './readable.ts'
import type { Json } from './refusals.ts'
import { start } from './start.ts'
import type { Button } from './validate/components.ts'
import { messageJson } from './wire.ts'
import { directMessages, type World } from './world.ts'

type Where = { id: string }

interface Shown {
  message: Message
  buttons: readonly Button[]
}

/** A person who uses the bot: as member of a guild, or by themselves. */
export interface Person {
  readonly id: string
  readonly name: string
  /** The direct messages between this person and the bot. */
  readonly dm: Channel
  /** `/alert price-above` with its options, or a whole line as typed: `/alert price-above symbol:BTC`. */
  runs(line: string, options?: Record<string, Given>, where?: Where): Asked
  /**
   * Taps the newest button of that label that this person sees (there), or one of `shown`: what a phone shows which has
   * not heard of the last change of a message.
   */
  taps(label: string, where?: Where, shown?: Shown): Asked
  /** Fills in the dialog that was opened last, and submits it. */
  submits(answer: string): Asked
  /** Types into an option that is completed; the other options as they stand. */
  types(line: string, option: string, text: string, others?: Record<string, Given>, where?: Where): Asked
  /** A private conversation with others, which the bot does not see. */
  chatsPrivately(name: string, ...others: { id: string }[]): Where
  /** Closes or opens direct messages from the bot: 50007. */
  closesMessages(closed?: boolean): void
  /** Installs the app for themselves, or takes it off again. */
  installs(on?: boolean): void
  /** Leaves the guild; without one that is shared with the bot, 50278. */
  leaves(): void
}

/** `home` is the guild in whose first channel this person acts unless a test says otherwise. */
export function personHandle(world: World, gateway: Gateway, user: User, home: GuildState | null): Person {
  const placeOf = (where: Where | undefined): Place => {
    if (!where && !home) return directMessages(world, user)
    if (!where) {
      const first = home?.places.find(({ removed }) => !removed)
      if (!first) throw new Error(`${home?.name} has no channel yet: guild.channel('general') makes one`)
      return first
    }
    const place = world.places.get(where.id)
    if (!place) throw new Error(`There is no place ${where.id}`)
    return place
  }
  const contextOf = (place: Place): { owners: Record<string, string>; context: number } => ({
    owners: place.guild?.hasBot
      ? { '0': place.guild.id }
      : user.installed || place.kind !== 'dm'
        ? { '1': user.id }
        : { '0': '0' },
    context: place.guild ? 0 : place.kind === 'dm' ? 1 : 2,
  })
  const enter = (line: string, options: Record<string, Given>, place: Place, focus: string | null) => {
    const { registered, data, what, focused } = invoke(world, place, line, options, focus)
    const { context, owners } = audience(world, registered, user, place)
    const type = focus === null ? COMMAND : COMPLETION
    if (focus !== null && !focused?.autocomplete) throw new Error(`${what}: "${focus}" is not completed`)
    return askedFor(world, start(world, gateway, { type, what, user, place, owners, data, context, focused }))
  }
  return {
    id: user.id,
    name: user.name,
    get dm() {
      return channelHandle(world, directMessages(world, user))
    },
    runs: (line, options = {}, where) => enter(line, options, placeOf(where), null),
    types: (line, option, text, others = {}, where) =>
      enter(line, { ...others, [option]: text }, placeOf(where), option),
    taps(label, where, shown) {
      const late = shown?.buttons.find((button) => button.label === label)
      const { message, button } =
        shown && late
          ? { message: shown.message, button: late }
          : findButton(world, user, label, where && placeOf(where))
      const { place } = message
      const listed = selectWith(message, label)
      const data = listed ?? { custom_id: button.customId, component_type: 2, id: 1 }
      const how = { type: TAP, what: `[${label}]`, user, place, data, message, ...contextOf(place) } as const
      return askedFor(world, start(world, gateway, { ...how, messageJson: messageJson(world, message) }))
    },
    submits(answer) {
      const asked = [...world.interactions.values()].findLast(
        (one) => one.user === user && one.modal !== null,
      )
      const { modal } = asked ?? {}
      if (!asked || !modal) throw new Error(`${user.name} sees no dialog`)
      const [input] = modal.inputs
      if (!input || answer.length > input.maxLength) throw new Error('this does not go into the field')
      asked.modal = null
      const { place, message } = asked
      const component = { type: 4, id: 2, custom_id: input.customId, value: answer }
      const data = { custom_id: modal.customId, components: [{ type: 18, id: 1, component }] }
      const how = {
        type: SUBMIT,
        what: `‹${modal.title}› ${answer}`,
        user,
        place,
        data,
        message,
        ...contextOf(place),
      } as const
      return askedFor(
        world,
        start(world, gateway, { ...how, ...(message ? { messageJson: messageJson(world, message) } : {}) }),
      )
    },
    chatsPrivately(name, ...others) {
      const people = [user, ...others.flatMap(({ id }) => world.users.get(id) ?? [])]
      const place = createPlace(world.newId, { name, kind: 'group', people })
      world.places.set(place.id, place)
      return { id: place.id }
    },
    closesMessages: (closed = true) => void (user.open = !closed),
    installs: (on = true) => void (user.installed = on),
    leaves: () => void home?.members.delete(user.id),
  }
}

/** What Discord sends of a choice from a list; null where no list of the message has it. */
function selectWith({ rows }: Message, label: string): Json | null {
  for (const { select } of rows) {
    const option = select?.options.find((one) => one.label === label)
    if (select && option)
      return { custom_id: select.customId, component_type: 3, values: [option.value], id: 1 }
  }
  return null
}

/** An entry of a list, as if it were a button. */
function optionOf(message: Message, label: string): Button | undefined {
  const listed = selectWith(message, label)
  return listed
    ? { label, style: 2, customId: String(listed['custom_id']), url: null, disabled: false }
    : undefined
}

function findButton(
  { messages }: World,
  user: User,
  label: string,
  where: Place | undefined,
): { message: Message; button: Button } {
  const sees = ({ place, visibleTo, deletedAt }: Message) =>
    deletedAt === null &&
    !place.removed &&
    (!where || place === where) &&
    (!visibleTo || visibleTo === user) &&
    (place.guild ? place.guild.members.has(user.id) : place.people.includes(user))
  const seen = messages.all().filter(sees).toReversed()
  for (const message of seen) {
    const button = buttonsOf(message).find((one) => one.label === label) ?? optionOf(message, label)
    if (!button) continue
    if (button.disabled) throw new Error(`[${label}] is disabled`)
    if (button.customId === null)
      throw new Error(`[${label}] opens ${button.url}; the bot hears nothing of it`)
    return { message, button }
  }
  const newest = seen.slice(0, 3).map(textOf).join('\n---\n')
  throw new Error(`${user.name} sees no button [${label}]; the newest messages are:\n${newest || '(none)'}`)
}
