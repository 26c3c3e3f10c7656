import type { Inbound } from '../chat/bot.ts'
import type { Command } from '../command/command.ts'
import type { Context, Place, View } from '../command/context.ts'
import type { Chat } from '../people/chat.ts'
import { rungBefore } from '../people/drill.ts'
import { escalationChats } from '../people/escalation.ts'
import type { Person } from '../people/person.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Change, Changed, InputId } from '../store/change.ts'
import type { createDestinationCheck } from './access.ts'
import { inputOf } from './action-press.ts'
import { armedHere } from './named-place.ts'
import { bySpeaker } from './sessions.ts'
import { type ListenToDeliveries, runDrill, sendTest } from './test-message.ts'

/** Everything that the context of a command is made of, but the speaker. */
export interface ContextWorld extends Pick<
  Context,
  | ('view' | 'read' | 'venueLoads' | 'recall' | 'past' | 'kinds' | 'introduction' | 'isPlayMoney')
  | ('cardShown' | 'newCode' | 'newToken' | 'isClaim' | 'quit' | 'limits' | 'page' | 'assistants')
  | ('nextCell' | 'platformOutages')
> {
  view: View
  clock: Clock
  listen: ListenToDeliveries
  /** Sends the rows that wait in a broken chat. */
  tryAgain(chatId: number): void
  /** Alerts in this chat wait a little for the next answer there. */
  expectAnswer(chatId: number): void
  change(change: Change, input: InputId): Promise<Changed>
  inspect(from: Inbound, chat: string | null): Promise<Place | null>
  checkDestination: ReturnType<typeof createDestinationCheck>
}

/** Everything that a command can reach, for one speaker in one place. */
export function contextOf(
  world: ContextWorld,
  from: Inbound,
  person: Person,
  chat: Chat | null,
  { commands, isFull, files }: Pick<Context, 'isFull' | 'files'> & { commands: readonly Command[] },
): Context {
  const { view, clock, limits, kinds, read, venueLoads, recall, past, introduction, isPlayMoney } = world
  const { cardShown, newCode, newToken, isClaim, quit, page, assistants, nextCell, platformOutages } = world
  let changes = 0
  const change = (asked: Change) => {
    const armed = armedHere(asked, from, view)
    if (armed) world.expectAnswer(armed.id)
    return world.change(bySpeaker(asked, from, view), inputOf(from, changes++))
  }
  return {
    ...{
      from,
      person,
      chat,
      view,
      read,
      venueLoads,
      recall,
      past,
      kinds,
      commands,
      introduction,
      isPlayMoney,
    },
    ...{
      limits,
      cardShown,
      newCode,
      newToken,
      isClaim,
      quit,
      page,
      assistants,
      nextCell,
      platformOutages,
      isFull,
      files,
      change,
    },
    // A getter, because a command may have waited for the venue: ages in its answer count to the moment of answering.
    get reader() {
      return { now: clock.now(), zone: person.zone }
    },
    inspect: (where) => world.inspect(from, where),
    checkDestination: (platform, typed) => world.checkDestination(platform, typed, person.id),
    playDrill() {
      const before = view.drill(person.id)
      const escalation = view.escalation(person.id)
      const firstId = escalation.first?.id ?? null
      const rings = (one: Chat) => rungBefore(before, one, clock.now(), firstId) === undefined
      const chatIds = escalationChats(escalation).flatMap((one) => (rings(one) ? [one.id] : []))
      return runDrill(
        world,
        chatIds,
        async () => (await change({ is: 'drill', personId: person.id })).refused,
      )
    },
    sendTest: (chatId) =>
      sendTest(world, chatId, async () => {
        const { refused } = await change({ is: 'test', chatId })
        world.tryAgain(chatId)
        return refused
      }),
  }
}
