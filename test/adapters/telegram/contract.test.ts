import { createTelegram } from '../../../adapters/telegram/telegram.ts'
import type { Event } from '../../../src/runtime/event.ts'
import {
  lacks,
  type ConversationPlatform,
  type Seen,
  testConversation,
  type Where,
} from '../../contracts/adapter.ts'
import { handClock } from '../../support/clock.ts'
import { startTelegram } from '../../support/telegram/telegram.ts'
import type { Message } from '../../support/telegram/world.ts'

await testConversation('Telegram', async (): Promise<ConversationPlatform> => {
  const clock = handClock()
  const events: Event[] = []
  const telegram = await startTelegram({ clock })
  clock.restsWhen(() => telegram.idle())
  const { root, token, botName } = telegram
  const people = new Map(['Ann', 'Ben', 'Olga', 'Fred'].map((name) => [name, telegram.user(name)]))
  const person = (name: string) => {
    const user = people.get(name)
    if (!user) throw new Error(`there is no ${name}`)
    return user
  }
  const identity = (name: string) => ({ platform: 'telegram', user: String(person(name).id) })
  const user = (who: { user: string }) => {
    const found = [...people.values()].find(({ id }) => String(id) === who.user)
    if (!found) throw new Error(`there is no ${who.user}`)
    return found
  }
  const group = telegram.group('Traders', { owner: person('Olga') })
  person('Fred').joins(group)
  const place = (who: { user: string }, where: Where) => (where === 'home' ? user(who).id : group.id)
  const ann = person('Ann')
  const open = () =>
    createTelegram({ root, token, clock, emit: (event) => events.push(event), random: () => 0.5 })
  const refusal = (status: number, description: string, parameters = {}) =>
    telegram.fault({ method: '*', kind: 'json', chat: ann.id, status, description, parameters })
  const limited = () => {
    refusal(429, 'Too Many Requests: retry after 7', { retry_after: 7 })
    return 7_000
  }
  const rejected = () => refusal(400, "Bad Request: can't parse entities: Unsupported start tag")
  const fault = (kind: 'html-502' | 'html-404' | 'deliver-then-reset' | 'hang') => () =>
    telegram.fault({ method: 'sendMessage', kind, chat: ann.id })
  const seen = (message: Message): Seen => ({
    text: [
      telegram.ledger.text(message),
      ...(message.file ? [`<${message.file.name}, ${message.file.bytes} bytes>`] : []),
      ...(message.markup?.rows ?? []).map((row) => row.map(({ text }) => `[${text}]`).join(' ')),
    ].join('\n'),
    silent: message.silent,
    styled: message.entities.some(({ type }) => type !== 'date_time'),
  })
  return {
    adapter: open(),
    clock,
    events,
    secrets: [token, token.split(':')[1] ?? ''],
    ann: identity('Ann'),
    ben: identity('Ben'),
    group: {
      title: 'Traders',
      admin: identity('Olga'),
      member: identity('Fred'),
      whispers: false,
      kicks: { begins: () => group.kick(), ends: () => group.add(), told: true },
      moves: { begins: () => group.migrate(), told: true },
    },
    says(who, where, line) {
      if (where === 'home') user(who).says(line)
      else user(who).says(group, line.replace(/^(\/\w+)/, `$1@${botName}`))
    },
    writes: (who, text) => void user(who).says(text),
    // What t.me/<bot>?start=<word> makes the application send.
    follows: (who, word) => void user(who).says(`/start ${word}`),
    replies(who, where, text) {
      if (where === 'home') user(who).says(text)
      else user(who).says(group, text, { replyTo: telegram.ledger.last(group).id })
    },
    taps: (who, where, label) => void user(who).taps(label, { in: place(who, where) }),
    sees: (who, where) =>
      telegram.ledger
        .messages(place(who, where))
        .filter(({ from, service }) => from?.id === telegram.botId && !service)
        .map(seen),
    removes: () => void (telegram.ledger.last(ann).deleted = true),
    editsInPlace: true,
    silence: true,
    idempotent: lacks('Telegram knows no key of a message: tdlib/telegram-bot-api#126'),
    comesAgain: true,
    waits: true,
    faults: {
      limited,
      limitedEverywhere: lacks(
        'Telegram does not say who is too fast; that it is the bot is guessed from three chats',
      ),
      serverError: fault('html-502'),
      unreachable: lacks('the stand-in is always there; outcome.test.ts asks where nobody listens'),
      answerLost: fault('deliver-then-reset'),
      hangs: fault('hang'),
      rejected,
    },
    answerFaults: { passing: fault('html-404'), limited, rejected, gone: () => ann.blocks() },
    blocks: { begins: () => ann.blocks(), ends: () => ann.unblocks(), told: true },
    // While a command runs, new updates are looked for twice a second (poll.ts).
    settles: () => clock.advance(530),
    reopen: async () => open(),
    leftovers: () => [
      ...(clock.waiting() > 0 ? [`${clock.waiting()} wake-ups`] : []),
      ...(telegram.polled() ? ['a poll'] : []),
    ],
    close: () => telegram.stop(),
  }
})
