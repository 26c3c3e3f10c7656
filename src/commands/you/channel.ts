import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { type Chat, placeName } from '../../people/chat.ts'
import type { Command } from '../../command/command.ts'
import type { Context, Place, TestMessage } from '../../command/context.ts'
import { isPlaceName, sameAddress } from '../../message/address.ts'
import { item, type Message, message, say, type Text, words } from '../../message/message.ts'
import { asking } from '../../message/question.ts'
import { reachLines } from '../shared/places.ts'

/** Markets of the alerts that are offered for a chat that was just bound. */
const LIKELY = ['BTC', 'ETH']
/** Chats to choose from, as buttons. */
const OFFERED = 10

const forms = [
  {
    name: 'bind',
    aliases: [],
    summary: words('menu.channel.bind'),
    examples: ['/channel bind', '/channel bind @traders'],
    args: z.object({ chat: argument.chat().optional(), mention: argument.mention().optional() }),
  },
  {
    name: 'unbind',
    aliases: [],
    summary: words('menu.channel.unbind'),
    examples: ['/channel unbind'],
    args: z.object({
      sure: argument.choice(['yes'], words('arg.yes')).optional(),
      chat: argument.chat().optional(),
    }),
  },
  {
    name: 'test',
    aliases: [],
    summary: words('menu.channel.test'),
    examples: ['/channel test'],
    args: z.object({ chat: argument.chat().optional() }),
  },
  {
    name: 'acks',
    aliases: [],
    summary: words('menu.channel.acks'),
    examples: ['/channel acks anybody', '/channel acks known'],
    args: z.object({
      by: argument.choice(['known', 'anybody'], words('channel.by.asks')),
      chat: argument.chat().optional(),
    }),
  },
  {
    name: 'list',
    aliases: [],
    summary: words('menu.channel.list'),
    examples: ['/channel list'],
    args: z.object({}),
  },
]

/** Groups, channels and threads as places for alerts. */
const channel: Command = {
  name: 'channel',
  aliases: [],
  summary: words('menu.channel'),
  who: 'person',
  // Without a name, it is about the chat where it was typed.
  audience: 'place',
  forms,
  run(context, form, args) {
    const { chat = null, mention = null, sure, by } = args as Given
    if (form.name === 'list') return list(context)
    if (by !== undefined) return acks(context, chat, by)
    return form.name === 'bind'
      ? bind(context, chat, mention)
      : change(context, form.name === 'test' ? 'test' : 'unbind', chat, sure === 'yes')
  },
}

export default channel

interface Given {
  chat?: string
  mention?: string
  sure?: string
  by?: Chat['acksBy']
}

/** The person who bound the chat decides, as for its other settings. */
async function acks(context: Context, named: string | null, by: Chat['acksBy']): Promise<Message> {
  const { person, view, change } = context
  const bound = view.chats(person.id).filter((chat) => !chat.private)
  const chosen = await meant(context, bound, named)
  if (!chosen) return which(context, bound, `acks ${by}`)
  const { refused } = await change({ is: 'acks', chatId: chosen.id, by })
  if (refused !== null) return say(refused)
  return say(words(`channel.acks.${by}`, { chat: nameOf(chosen) }))
}

async function bind(
  { from, person, inspect, change, sendTest, view }: Context,
  named: string | null,
  mention: string | null,
): Promise<Message> {
  if (named === null && from.private)
    return asking(words('ask.chat'), { start: '/channel bind', ...ASKS_CHAT }, [])
  const found = await inspect(named)
  // Numbers can be guessed: a chat of others looks as if there were none.
  if (!found || (!found.mayConfigure && named !== null)) return unknown(from)
  if (!found.mayConfigure) return say(words('channel.not-yours'))
  if (!found.mayPost) return say(...notAllowed(found))
  const { address, title } = found
  const { refused } = await change({ is: 'bind', personId: person.id, address, title, mention })
  if (refused !== null) return say(refused)
  const bound = view.chats(person.id).find((chat) => sameAddress(chat.address, address))
  const testMessage: TestMessage = bound ? await sendTest(bound.id) : { is: 'waits', why: null }
  const works = testMessage.is !== 'refused'
  const name = [named ?? '', bound ? placeName(bound) : ''].find(isPlaceName) ?? null
  const head = words(testMessage.is === 'sent' ? 'channel.bound.tested' : 'channel.bound', { chat: title })
  const lines = [
    ...reachLines(testMessage),
    name !== null && from.private
      ? words('channel.bound.name', { line: `/alert ${name} funding-flip BTC` })
      : words('channel.bound.here', { line: '/alert funding-flip BTC' }),
    ...(mention === null || !works ? [] : [callLine(found)]),
    words('channel.bound.private'),
  ]
  const start = from.private ? name && `/alert ${name}` : '/alert'
  const symbols = start === null ? [] : [...view.markets().values()].map(({ symbol }) => symbol)
  const buttons = LIKELY.filter((symbol) => symbols.includes(symbol)).map((symbol) => ({
    label: words('channel.bound.button', { symbol }),
    line: `${start} price-move ${symbol} 5% 1h`,
    replace: false,
  }))
  return message([item('plain', head, lines)], { buttons })
}

function callLine({ mentions, address }: Place): Text {
  return mentions
    ? words('channel.bound.calls')
    : words('channel.bound.no-calls', { platform: address.platform })
}

async function change(
  context: Context,
  what: 'unbind' | 'test',
  named: string | null,
  sure: boolean,
): Promise<Message> {
  const { person, view, sendTest, change: ask } = context
  const bound = view.chats(person.id).filter((chat) => !chat.private)
  const chosen = await meant(context, bound, named)
  if (!chosen) return which(context, bound, what)
  const { id } = chosen
  const chat = nameOf(chosen)
  if (what === 'test') {
    const testMessage = await sendTest(id)
    return testMessage.is === 'sent'
      ? say(words('channel.tested', { chat }))
      : say(words('channel.test-failed', { chat }), ...reachLines(testMessage))
  }
  const rules = view.rulesIn(id).length
  if (rules > 0 && !sure) {
    const line = ['/channel unbind', ...(named === null ? [] : [placeName(chosen)]), 'yes'].join(' ')
    return message([item('plain', words('channel.unbind.ask', { chat, n: rules }))], {
      buttons: [{ label: words('channel.unbind.button'), line, replace: true }],
    })
  }
  const { refused } = await ask({ is: 'unbind', chatId: id })
  if (refused !== null) return say(refused)
  return say(words('channel.unbound', { chat }), words('channel.unbound.rules'))
}

function notAllowed({ title: chat, missing = [] }: Place): [Text, Text] {
  return missing.length === 0
    ? [words('channel.no-right', { chat }), words('channel.no-right.how')]
    : [words('channel.missing', { chat, rights: missing.join(', ') }), words('channel.missing.how')]
}

function nameOf({ title }: Chat): Text {
  return title ?? words('channel.this')
}

/** Searches the bound chats by name first: a deleted chat can be unbound, but not looked up. */
async function meant(
  { from, inspect }: Context,
  bound: readonly Chat[],
  named: string | null,
): Promise<Chat | undefined> {
  const own = bound.find((chat) => [placeName(chat), chat.title].includes(named?.trim() ?? ''))
  if (own) return own
  const found = named === null && from.private ? null : await inspect(named)
  if (found) return bound.find(({ address }) => sameAddress(address, found.address))
  return named === null && bound.length === 1 ? bound[0] : undefined
}

/** In private, the next message may name another chat. */
function unknown({ private: own }: Context['from']): Message {
  const [why, how] = [words('channel.not-found'), words('channel.not-found.how')]
  return own ? asking(why, { start: '/channel bind', ...ASKS_CHAT }, [], { lines: [how] }) : say(why, how)
}

const ASKS_CHAT = { prompt: words('ask.word.chat'), placeholder: '@traders' }

function which({ from }: Context, bound: readonly Chat[], what: string): Message {
  if (bound.length === 0) return say(words('channel.none'))
  const alone = from.private || from.whisper
  if (!alone) return say(words('channel.which.openly'))
  // Other readers of a chat must not see which chats the person has bound.
  const buttons = bound.slice(0, OFFERED).map((chat) => ({
    label: chat.title ?? placeName(chat),
    line: `/channel ${what} ${placeName(chat)}`,
    replace: true,
  }))
  return asking(words('channel.which'), { start: `/channel ${what}`, ...ASKS_CHAT }, buttons, { only: true })
}

function list({ from, person, view }: Context): Message {
  if (!from.private && !from.whisper) return say(words('channel.list.private'))
  const bound = view.chats(person.id).filter((chat) => !chat.private)
  if (bound.length === 0) return say(words('channel.none'), words('channel.none.how'))
  return message(
    bound.map(({ id, title, address, brokenBecause }) => {
      const rules = view.rulesIn(id).length
      return item('plain', title ?? address.chat, [
        words('channel.line', { platform: address.platform, n: rules }),
        ...(brokenBecause === null ? [] : [words('channel.broken', { why: brokenBecause })]),
      ])
    }),
  )
}
