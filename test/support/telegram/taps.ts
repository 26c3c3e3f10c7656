import type { Button } from './markup.ts'
import { badRequest } from './refusal.ts'
import type { Args } from './request.ts'
import { chatWire, messageWire, userWire } from './wire.ts'
import type { Message, Person, Tap, World } from './world.ts'

/** How long an update about a tap is kept: `add_update(CallbackQuery, ..., 150, ...)` in tdlib/telegram-bot-api, Client.cpp. */
const KEPT_MS = 150_000
/** https://core.telegram.org/bots/api#answercallbackquery */
const LONGEST_ANSWER = 200

/** Somebody taps a button. A message that is gone by then is told as inaccessible, with date 0. */
export function tap(world: World, by: Person, message: Message, button: Button): Tap {
  const id = String(4_000_000_000_000_000 + world.next.tap++)
  const tapped: Tap = { id, by, message, button, mono: world.clock.monotonic(), answers: [] }
  world.taps.set(id, tapped)
  const { chat } = message
  const gone = { message_id: message.id, chat: chatWire(chat), date: 0 }
  const update = {
    id,
    from: userWire(by),
    message: message.deleted ? gone : messageWire(message),
    chat_instance: String(chat.id * 31 + 7),
    data: button.data,
  }
  world.updates.push('callback_query', update, KEPT_MS)
  return tapped
}

export function answerCallbackQuery(world: World, args: Args): unknown {
  const tapped = world.taps.get(args.text('callback_query_id'))
  if (!tapped || world.clock.monotonic() - tapped.mono > world.tapLifeMs) {
    throw badRequest('query is too old and response timeout expired or query ID is invalid')
  }
  const text = args.text('text')
  if ([...text].length > LONGEST_ANSWER) throw badRequest('MESSAGE_TOO_LONG')
  tapped.answers.push({ text, alert: args.flag('show_alert'), mono: world.clock.monotonic() })
  world.touch()
  return true
}
