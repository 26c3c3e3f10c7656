import { z } from 'zod'

import { argument } from '../argument.ts'
import { sameAddress } from '../chat.ts'
import type { Command, Context } from '../command.ts'
import { item, message, say } from '../message.ts'
import type { Message } from '../message.ts'
import { count } from './words/pages.ts'

const forms = [
  {
    name: 'bind',
    aliases: [],
    summary: 'makes this chat, or the one you name, a place for alerts',
    examples: ['/channel bind', '/channel bind @traders'],
    args: z.object({ chat: argument.chat().optional(), mention: argument.mention().optional() }),
  },
  {
    name: 'unbind',
    aliases: [],
    summary: 'ends that, and the alerts of the chat with it',
    examples: ['/channel unbind'],
    args: z.object({
      sure: argument.choice(['yes'], 'a yes').optional(),
      chat: argument.chat().optional(),
    }),
  },
  {
    name: 'test',
    aliases: [],
    summary: 'sends a test message on the way that alerts take',
    examples: ['/channel test'],
    args: z.object({ chat: argument.chat().optional() }),
  },
  {
    name: 'list',
    aliases: [],
    summary: 'lists the chats that you have bound',
    examples: ['/channel list'],
    args: z.object({}),
  },
]

/** Groups, channels and threads as places for alerts. */
const channel: Command = {
  name: 'channel',
  aliases: [],
  summary: 'makes a group, channel or thread a place for alerts',
  who: 'person',
  // Said in the chat that is meant, it is about that chat.
  audience: 'place',
  forms,
  run(context, form, args) {
    const { chat = null, mention = null, sure } = args as { chat?: string; mention?: string; sure?: string }
    if (form.name === 'list') return list(context)
    return form.name === 'bind'
      ? bind(context, chat, mention)
      : change(context, form.name, chat, sure === 'yes')
  },
}

export default channel

async function bind(
  { from, person, inspect, change, view }: Context,
  named: string | null,
  mention: string | null,
): Promise<Message> {
  if (named === null && from.private)
    return say('Say it in the chat that you mean, or name it. For example: /channel bind @traders')
  const found = await inspect(named)
  if (!found) return say('I cannot find that chat. Add me to it first, then try again.')
  if (!found.mayConfigure) return say(`Only somebody who may configure ${found.title} can bind it.`)
  if (!found.mayPost)
    return say(`I may not write in ${found.title}. Give me the right to post there, then try again.`)
  const { address, title } = found
  const { refused } = await change({ is: 'bind', personId: person.id, address, title, mention })
  if (refused !== null) return say(refused)
  const bound = view.chats(person.id).find((chat) => sameAddress(chat.address, address))
  if (bound) await change({ is: 'test', chatId: bound.id })
  return say(
    `${title} is bound: I have sent a test there`,
    'Alerts that you set in that chat are told there, for example: /alert funding-flip BTC',
    ...(mention === null ? [] : ['Whoever you named is called when something is critical.']),
    'Your wallets stay yours: nothing of them is shown there unless you set such an alert.',
  )
}

async function change(context: Context, what: string, named: string | null, sure: boolean): Promise<Message> {
  const { from, person, view, inspect, change: ask } = context
  const bound = view.chats(person.id).filter((chat) => !chat.private)
  const found = named === null && from.private ? null : await inspect(named)
  const chosen = found
    ? bound.find(
        ({ address }) => address.chat === found.address.chat && address.thread === found.address.thread,
      )
    : bound.length === 1
      ? bound[0]
      : undefined
  if (!chosen) {
    return say(
      bound.length === 0
        ? 'You have bound no chat.'
        : 'Which one? Say it in that chat, or name it. See /channel list.',
    )
  }
  const rules = view.rulesIn(chosen.id).length
  if (what === 'unbind' && rules > 0 && !sure) {
    const line = ['/channel unbind', ...(named === null ? [] : [named]), 'yes'].join(' ')
    return message(
      [item('plain', `Unbind ${chosen.title ?? 'the chat'}? ${count(rules, 'alert')} would go with it.`)],
      {
        buttons: [{ label: 'Unbind', line, replace: true }],
      },
    )
  }
  const { refused } = await ask({ is: what === 'test' ? 'test' : 'unbind', chatId: chosen.id })
  if (refused !== null) return say(refused)
  return what === 'test'
    ? say(`A test is on its way to ${chosen.title ?? 'the chat'}`)
    : say(
        `${chosen.title ?? 'The chat'} is not bound any more`,
        'The alerts that were told there went with it.',
      )
}

function list({ from, person, view }: Context): Message {
  if (!from.private && !from.whisper)
    return say('That is between us: send me /channel list in our private chat.')
  const bound = view.chats(person.id).filter((chat) => !chat.private)
  if (bound.length === 0) return say('You have bound no chat. In a group or channel, say /channel bind.')
  return message(
    bound.map(({ id, title, address, brokenBecause }) => {
      const rules = view.rulesIn(id).length
      return item('plain', title ?? address.chat, [
        `${address.platform}, ${count(rules, 'alert')}`,
        ...(brokenBecause === null ? [] : [`I cannot write there: ${brokenBecause}`]),
      ])
    }),
  )
}
