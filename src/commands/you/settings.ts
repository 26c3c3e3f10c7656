import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import type { Chat } from '../../people/chat.ts'
import type { Command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { NUMBER_STYLES, type NumberStyle } from '../../lib/text/format.ts'
import { firstGraphemes } from '../../lib/text/legible.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { item, type Message, message, say, type Text, words } from '../../message/message.ts'
import { afterText, escalationTroubles, REPEATED_AFTER_MIN, typedAfter } from '../../people/escalation.ts'
import type { Change } from '../../store/change.ts'
import { type Language, LANGUAGES } from '../../words/words.ts'
import { brokenLines, type Named, placeForm, placeLines, setPlace } from '../shared/places.ts'

const MAX_QUOTED_GRAPHEMES = 40
/** The choices, one per reminder. */
const ESCALATIONS = REPEATED_AFTER_MIN.map((_, from) => typedAfter(from))

/** A language is found by its own name and by its English one. */
const LANGUAGE_NAMES = new Map<string, Language | 'auto'>([
  ['english', 'en'],
  ['englisch', 'en'],
  ['deutsch', 'de'],
  ['german', 'de'],
  ['automatic', 'auto'],
])

const forms = [
  { name: '', aliases: [], summary: 'shows your settings', examples: ['/settings'], args: z.object({}) },
  {
    name: 'zone',
    aliases: [],
    summary: 'sets the time zone in which I write times',
    examples: ['/settings zone Europe/Berlin'],
    args: z.object({ zone: argument.text('a time zone') }),
  },
  {
    name: 'numbers',
    aliases: [],
    summary: 'sets how I write numbers',
    examples: ['/settings numbers 1.234,5'],
    args: z.object({ style: argument.choice(NUMBER_STYLES, 'a style: 1,234.5 or 1.234,5 or "1 234,5"') }),
  },
  {
    name: 'language',
    aliases: ['lang'],
    summary: words('settings.language.summary'),
    examples: ['/settings language de', '/settings language auto'],
    args: z.object({
      language: argument.choice([...LANGUAGES, 'auto'], words('settings.language.asks'), LANGUAGE_NAMES),
    }),
  },
  {
    name: 'detail',
    aliases: [],
    summary: words('settings.detail.summary'),
    examples: ['/settings detail full'],
    args: z.object({ detail: argument.choice(['short', 'full'], words('settings.detail.asks')) }),
  },
  {
    name: 'chat',
    aliases: [],
    summary: 'sets the platform on which alerts reach you',
    examples: ['/settings chat terminal'],
    args: z.object({ platform: argument.text('a platform') }),
  },
  {
    name: 'fallback',
    aliases: [],
    summary: 'sets the platform that takes over when the first one fails, or none',
    examples: ['/settings fallback terminal', '/settings fallback none'],
    args: z.object({ platform: argument.text('a platform, or none') }),
  },
  {
    name: 'escalate',
    aliases: [],
    summary: 'sets how soon what is critical and nobody answers goes to your fallback as well',
    examples: ['/settings escalate now', '/settings escalate 3m'],
    args: z.object({ after: argument.choice(ESCALATIONS, ESCALATIONS.join(', ')) }),
  },
]

/** The settings of a person. `named` are the notifiers, where people name a destination. */
export function settingsCommand(named: readonly Named[]): Command {
  return {
    name: 'settings',
    aliases: [],
    summary: 'shows and sets your time zone, numbers and chats',
    who: 'person',
    audience: 'person',
    forms: [...forms, ...named.map(placeForm)],
    run(context, form, args) {
      const { zone, style, language, detail, platform, place, after } = args as {
        zone?: string
        style?: NumberStyle
        language?: Language | 'auto'
        detail?: 'short' | 'full'
        platform?: string
        place?: string
        after?: string
      }
      if (zone !== undefined) return setZone(context, zone)
      if (style !== undefined)
        return set(context, { numbers: style }, ['Numbers read like ', { code: style }, ' now'])
      if (language === 'auto') return set(context, { language: null }, words('settings.language.auto'))
      if (language !== undefined) return set(context, { language }, words('settings.language.set'))
      if (detail !== undefined) return set(context, { detail }, words(`settings.detail.${detail}`))
      if (after !== undefined) return setEscalation(context, after)
      const where = named.find(({ name }) => name === form.name)
      if (where && place !== undefined) return setPlace(context, where, place)
      if (platform !== undefined) return setChat(context, form.name === 'fallback', platform, named)
      return show(context, named)
    },
  }
}

type Chosen = Extract<Change, { is: 'settings' }>['to']

async function set(
  { person, change }: Context,
  to: Chosen,
  done: Text,
  lines: Text[] = [],
): Promise<Message> {
  const { refused } = await change({ is: 'settings', personId: person.id, to })
  return refused === null ? say(done, ...lines) : say(refused)
}

function setZone(context: Context, typed: string): Promise<Message> | Message {
  const zone = zoneOf(typed)
  if (zone !== null) return set(context, { zone }, `I write times in ${zone} now${zoneNote(zone)}`)
  const names = Intl.supportedValuesOf('timeZone')
  const city = (name: string) => name.split('/').at(-1) ?? name
  const near = nearest(underscored(typed), names.map(city))
  const meant = near === null ? undefined : names.find((name) => city(name) === near)
  const shown = `“${firstGraphemes(typed, MAX_QUOTED_GRAPHEMES, MAX_QUOTED_GRAPHEMES)}”`
  if (meant === undefined) {
    return say(`I have no time zone ${shown}. For example: /settings zone Europe/Berlin`)
  }
  return message([item('plain', `I have no time zone ${shown}. Did you mean ${meant}?`)], {
    buttons: [{ label: meant, line: `/settings zone ${meant}`, replace: true }],
  })
}

/** Everybody begins with the zone of the machine that I run on: whether this is another one, hence chosen. */
function zoneNote(zone: string): string {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone === own ? ' (the zone of this machine)' : ` (chosen; this machine is in ${own})`
}

/** An IANA name or one of its cities, in any case; null when it is none. */
function zoneOf(typed: string): string | null {
  const wanted = underscored(typed)
  const name = Intl.supportedValuesOf('timeZone').find(
    (one) => one.toLowerCase() === wanted || one.toLowerCase().endsWith(`/${wanted}`),
  )
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name ?? wanted }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

function underscored(typed: string): string {
  return typed.toLowerCase().replaceAll(' ', '_')
}

function setChat(
  context: Context,
  fallback: boolean,
  platform: string,
  named: readonly Named[],
): Promise<Message> | Message {
  const own = privateChats(context)
  if (fallback && platform.toLowerCase() === 'none') {
    return set(
      context,
      { fallbackChat: null },
      'No fallback: what your first chat does not take waits for it, critical warnings too.',
    )
  }
  const chat = own.find(({ address }) => address.platform === platform.toLowerCase())
  if (!chat) {
    const names = own.map(({ address }) => address.platform).join(', ')
    return say(`I know you on: ${names}. To add another platform: /link.`)
  }
  const name = chat.address.platform
  if (!fallback && named.some((one) => one.name === name)) {
    return say(
      `On ${name} I can only tell you something: your first chat is one where you can answer.`,
      `It can be your fallback: /settings fallback ${name}`,
    )
  }
  if (fallback && chat.id === context.person.defaultChat) {
    return say(
      `Alerts reach you on ${name} already: the fallback is for when that fails.`,
      own.length > 1 ? 'Choose another platform, or none.' : 'To add another platform: /link.',
    )
  }
  return fallback
    ? set(
        context,
        { fallbackChat: chat.id },
        `When your first chat fails, I write to you on ${name}`,
        brokenLines(chat),
      )
    : set(context, { defaultChat: chat.id }, `Alerts reach you on ${name} now`)
}

function escalationText(from: number): string {
  return from === 0 ? 'goes there as well, at once' : `and unanswered goes there ${afterText(from)}`
}

/** Without the fallback. */
function listText({ person, view }: Context): string[] {
  const steps = view.escalation(person.id).steps.filter(({ isFallback }) => !isFallback)
  if (steps.length === 0) return []
  return [`and to ${steps.map(({ name, from }) => `${name} ${afterText(from)}`).join(', ')}: /escalate`]
}

async function setEscalation({ person, change }: Context, after: string): Promise<Message> {
  const to = { escalateFrom: ESCALATIONS.indexOf(after) }
  const { refused } = await change({ is: 'settings', personId: person.id, to })
  if (refused !== null) return say(refused)
  return say(
    after === 'now'
      ? 'What is critical goes to your fallback at once, as well as to your first chat'
      : `What is critical and nobody answers for ${after} goes to your fallback as well`,
    ...(person.fallbackChat === null ? ['You have no fallback yet: /settings fallback.'] : []),
  )
}

function privateChats({ person, view }: Context): Chat[] {
  return view.chats(person.id).filter((chat) => chat.private)
}

function show(context: Context, named: readonly Named[]): Message {
  const { person, reader } = context
  const own = privateChats(context)
  const wrong = escalationTroubles(context.view.escalation(person.id))
  const platformOf = (id: number | null) => own.find((chat) => chat.id === id)?.address.platform ?? 'none'
  const isNamed = (chat: Chat) => named.some(({ name }) => name === chat.address.platform)
  const others = own.filter((chat) => chat.id !== person.defaultChat && !isNamed(chat))
  return message(
    [
      item('plain', 'Your settings', [
        [
          `times in ${person.zone}${zoneNote(person.zone)}, now `,
          { time: reader.now, as: 'clock' },
          ': /settings zone',
        ],
        ['numbers like ', { code: person.numbers }, ': /settings numbers'],
        `alerts on ${platformOf(person.defaultChat)}: /settings chat`,
        `fallback ${platformOf(person.fallbackChat)}: /settings fallback`,
        `critical ${escalationText(person.escalateFrom)}: /settings escalate`,
        ...listText(context),
        ...placeLines(own, named),
      ]),
      ...(wrong.length > 0 ? [item('plain', 'What is critical may not reach whom it should', wrong)] : []),
    ],
    {
      buttons: [
        { label: 'Numbers', line: '/settings numbers', replace: false },
        ...others.map(({ address }) => ({
          label: `Alerts on ${address.platform}`,
          line: `/settings chat ${address.platform}`,
          replace: false,
        })),
      ],
    },
  )
}
