import { z } from 'zod'

import { argument } from '../argument.ts'
import type { Command, Context } from '../command.ts'
import { item, message, say } from '../message.ts'
import type { Message } from '../message.ts'
import { NUMBER_STYLES } from '../person.ts'
import type { Chat } from '../person.ts'

const forms = [
  { name: '', aliases: [], summary: 'shows your settings', examples: ['/settings'], args: z.object({}) },
  {
    name: 'zone',
    aliases: [],
    summary: 'sets the time zone in which I write times',
    examples: ['/settings zone Europe/Berlin'],
    args: z.object({ zone: argument.text() }),
  },
  {
    name: 'numbers',
    aliases: [],
    summary: 'sets how I write numbers',
    examples: ['/settings numbers 1.234,5'],
    args: z.object({ style: argument.choice(NUMBER_STYLES, 'a style: 1,234.5 or 1.234,5 or "1 234,5"') }),
  },
  {
    name: 'chat',
    aliases: [],
    summary: 'sets the platform on which alerts reach you',
    examples: ['/settings chat terminal'],
    args: z.object({ platform: argument.text() }),
  },
  {
    name: 'fallback',
    aliases: [],
    summary: 'sets the platform that takes over when the first one fails',
    examples: ['/settings fallback terminal'],
    args: z.object({ platform: argument.text() }),
  },
]

/** What a person may choose for themselves. */
const settings: Command = {
  name: 'settings',
  aliases: [],
  summary: 'shows and sets your time zone, numbers and chats',
  who: 'person',
  audience: 'person',
  forms,
  run(context, form, args) {
    const { zone, style, platform } = args as {
      zone?: string
      style?: (typeof NUMBER_STYLES)[number]
      platform?: string
    }
    if (zone !== undefined) return setZone(context, zone)
    if (style !== undefined) return set(context, { numbers: style }, `Numbers read like ${style} now`)
    if (platform !== undefined) return setChat(context, form.name === 'fallback', platform)
    return show(context)
  },
}

export default settings

async function set(
  { person, change }: Context,
  to: Parameters<typeof settingsOf>[0],
  done: string,
): Promise<Message> {
  const { refused } = await change({ is: 'settings', personId: person.id, to: settingsOf(to) })
  return say(refused ?? done)
}

function settingsOf(to: {
  zone?: string
  numbers?: (typeof NUMBER_STYLES)[number]
  defaultChat?: number
  fallbackChat?: number
}) {
  return to
}

function setZone(context: Context, zone: string): Promise<Message> | Message {
  const names = Intl.supportedValuesOf('timeZone')
  const lower = zone.toLowerCase().replaceAll(' ', '_')
  const known = ['UTC', ...names].find(
    (name) => name.toLowerCase() === lower || name.toLowerCase().endsWith(`/${lower}`),
  )
  if (known === undefined)
    return say(
      `I do not know the time zone “${zone.slice(0, 40)}”. For example: /settings zone Europe/Berlin`,
    )
  return set(context, { zone: known }, `I write times in ${known} now`)
}

function setChat(context: Context, fallback: boolean, platform: string): Promise<Message> | Message {
  const own = privateChats(context)
  const chat = own.find(({ address }) => address.platform === platform.toLowerCase())
  if (!chat) {
    const names = own.map(({ address }) => address.platform).join(', ')
    return say(`I know you on: ${names}. To add another platform: /link.`)
  }
  const name = chat.address.platform
  return fallback
    ? set(context, { fallbackChat: chat.id }, `When your first chat fails, I write to you on ${name}`)
    : set(context, { defaultChat: chat.id }, `Alerts reach you on ${name} now`)
}

function privateChats({ person, view }: Context): Chat[] {
  return view.chats(person.id).filter((chat) => chat.private)
}

function show(context: Context): Message {
  const { person } = context
  const nameOf = (id: number | null) =>
    privateChats(context).find((chat) => chat.id === id)?.address.platform ?? 'none'
  return message([
    item('plain', 'Your settings', [
      `times in ${person.zone}: /settings zone`,
      `numbers like ${person.numbers}: /settings numbers`,
      `alerts on ${nameOf(person.defaultChat)}: /settings chat`,
      `fallback ${nameOf(person.fallbackChat)}: /settings fallback`,
    ]),
  ])
}
