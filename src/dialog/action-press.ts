import { isPressable, type ActionPress, type ActionResult } from '../chat/action-link.ts'
import type { Bot, Inbound } from '../chat/bot.ts'
import { inOrder } from '../lib/flow/in-order.ts'
import { say, words } from '../message/message.ts'
import type { InputId } from '../store/change.ts'

/**
 * Runs the command of a button outside a conversation, e.g. a link in a notification, in the name of the person who
 * gets the messages there. A button takes effect once, however often it is pressed. Resolves with null if nobody gets
 * messages there any more.
 */
export function createActionPress(world: {
  line: Bot['line']
  /** The person who gets the messages there, as the sender of a command; null if there is none. */
  senderAt(press: ActionPress): Inbound | null
  seen(input: InputId): Promise<boolean>
}): (press: ActionPress) => Promise<ActionResult | null> {
  const inTurn = inOrder()
  return (press) =>
    inTurn(press.id, async () => {
      const from = world.senderAt(press)
      if (from === null) return null
      if (!isPressable(press.line)) return { done: false, says: say(words('page.chat-only')) }
      const input = inputOf(from, 0)
      if (await world.seen(input)) return { done: true, says: say(words('page.done-before')) }
      const says = await world.line(from, press.line)
      return { done: await world.seen(input), says }
    })
}

/** Numbers the changes of one command, so that a repeated delivery of it changes nothing twice. */
export function inputOf({ id, by }: Inbound, change: number): InputId {
  return { platform: by.platform, id: `${id}#${change}` }
}
