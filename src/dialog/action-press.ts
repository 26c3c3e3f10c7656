import { isPressable, type ActionPress, type ActionResult } from '../chat/action-link.ts'
import type { Bot, Inbound } from '../chat/bot.ts'
import { inOrder } from '../lib/flow/in-order.ts'
import { say } from '../message/message.ts'
import type { InputId } from '../store/change.ts'
import { inputOf } from './dialog.ts'

/**
 * A button that was offered where nobody can speak. It is the line of whoever is told there, on the way of every line;
 * it takes effect once, whoever presses it how often. Null where nobody is told any more.
 */
export function createActionPress(world: {
  line: Bot['line']
  /** Who is told there, as somebody who speaks. */
  toldAt(press: ActionPress): Inbound | null
  seen(input: InputId): Promise<boolean>
}): (press: ActionPress) => Promise<ActionResult | null> {
  const inTurn = inOrder()
  return (press) =>
    inTurn(press.id, async () => {
      const from = world.toldAt(press)
      if (from === null) return null
      if (!isPressable(press.line)) return { done: false, says: say('Say that in our chat.') }
      const input = inputOf(from, 0)
      if (await world.seen(input))
        return { done: true, says: say('That was done before: a button works once.') }
      const says = await world.line(from, press.line)
      return { done: await world.seen(input), says }
    })
}
