import type { Permissions, Place } from './guilds.ts'
import type { Message } from './messages.ts'
import { textOf } from './readable.ts'
import type { World } from './world.ts'

/** A place as tests use it. */
export interface Channel {
  readonly id: string
  readonly name: string
  messages(): readonly Message[]
  /** Resolves with the first message there whose text holds this, said already or still to come. */
  gets(what: string | RegExp, how?: { after?: Message; limitMs?: number }): Promise<Message>
  /** The same as it is now, or undefined. */
  shows(what: string | RegExp, after?: Message): Message | undefined
  /** Changes what the bot may do there. */
  permits(may: Partial<Permissions>): void
  /** Deletes the channel: 10003. */
  remove(): void
}

export function channelHandle(world: World, place: Place): Channel {
  const { id, name } = place
  const messages = () => world.messages.all().filter((one) => one.place === place)
  const shows = (what: string | RegExp, after?: Message) =>
    messages().find((one) => {
      if (one.deletedAt !== null || one.thinking || (after && BigInt(one.id) <= BigInt(after.id)))
        return false
      return typeof what === 'string' ? textOf(one).includes(what) : what.test(textOf(one))
    })
  return {
    id,
    name,
    messages,
    shows,
    gets: (what, { after, limitMs } = {}) => {
      const look = () => shows(what, after)
      const there = () => messages().map(textOf).join('\n---\n')
      return world.news.until(look, () => `${String(what)} in ${name}, which shows:\n${there()}`, limitMs)
    },
    permits: (may) => void (place.may = { ...place.may, ...may }),
    remove: () => void (place.removed = true),
  }
}
