import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import type { Chat } from '../../people/chat.ts'
import type { Command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { NUMBER_STYLES, type NumberStyle } from '../../lib/text/format.ts'
import { firstGraphemes } from '../../lib/text/legible.ts'
import {
  type Button,
  item,
  joined,
  type Message,
  message,
  say,
  type Text,
  text,
  words,
} from '../../message/message.ts'
import { asking } from '../../message/question.ts'
import {
  afterText,
  digestKeeper,
  escalationTroubles,
  REPEATED_AFTER_MIN,
  typedAfter,
} from '../../people/escalation.ts'
import { hoursText, timeText } from '../../lib/time/daytime.ts'
import type { Change } from '../../store/change.ts'
import { type Language, LANGUAGES } from '../../words/words.ts'
import { clockIn, readZone } from './zones.ts'
import { brokenLines, type Named, placeForm, placeLines, setPlace } from '../shared/places.ts'
import { go } from '../shared/pages.ts'

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
  {
    name: '',
    aliases: [],
    summary: words('menu.settings.show'),
    examples: ['/settings'],
    args: z.object({}),
  },
  {
    name: 'more',
    aliases: [],
    summary: words('menu.settings.more'),
    examples: ['/settings more'],
    args: z.object({}),
  },
  {
    name: 'zone',
    aliases: ['timezone', 'time-zone', 'tz'],
    summary: words('menu.settings.zone'),
    examples: ['/settings zone Europe/Berlin'],
    args: z.object({ zone: argument.text('a time zone') }),
  },
  {
    name: 'numbers',
    aliases: [],
    summary: words('menu.settings.numbers'),
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
    summary: words('menu.settings.chat'),
    examples: ['/settings chat', '/settings chat terminal'],
    args: z.object({ platform: argument.text('a platform').optional() }),
  },
  {
    name: 'fallback',
    aliases: [],
    summary: words('menu.settings.fallback'),
    examples: ['/settings fallback terminal', '/settings fallback none'],
    args: z.object({ platform: argument.text('a platform, or none').optional() }),
  },
  {
    name: 'escalate',
    aliases: [],
    summary: words('menu.settings.escalate'),
    examples: ['/settings escalate now', '/settings escalate 3m'],
    args: z.object({ after: argument.choice(ESCALATIONS, ESCALATIONS.join(', ')) }),
  },
]

/** The settings of a person. `named` are the notifiers, where people name a destination. */
export function settingsCommand(named: readonly Named[]): Command {
  return {
    name: 'settings',
    aliases: [],
    summary: words('menu.settings'),
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
      if (form.name === 'chat' || form.name === 'fallback') return reachScreen(context, named)
      return form.name === 'more' ? moreScreen(context) : mainScreen(context)
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
  if (refused !== null) return say(refused)
  return message([item('plain', done, lines)], { buttons: [go('‹ Settings', '/settings')] })
}

function setZone(context: Context, typed: string): Promise<Message> | Message {
  const { now } = context.reader
  const read = readZone(typed, now)
  const shown = `“${firstGraphemes(typed, MAX_QUOTED_GRAPHEMES, MAX_QUOTED_GRAPHEMES)}”`
  if (read.is === 'zone')
    return set(context, { zone: read.zone }, `I write times in ${read.zone} now${zoneNote(read.zone)}`, [
      words('parse.zone.clock', { time: clockIn(read.zone, now) }),
    ])
  if (read.is === 'which')
    return askZone(
      words('parse.zone.which', { typed: shown }),
      read.zones.map(({ label, typed: one }) => go(label, `/settings zone ${one}`)),
    )
  if (read.near === null) return askZone(`I have no time zone ${shown}.`, [], [words('ask.zone')])
  const meant = go(read.near, `/settings zone ${read.near}`)
  return askZone(`I have no time zone ${shown}. Did you mean ${read.near}?`, [meant])
}

/** The next message is taken for a zone. */
function askZone(title: Text, buttons: Button[], lines: Text[] = []): Message {
  const question = { start: '/settings zone', prompt: words('ask.word.city'), placeholder: 'Berlin' }
  return asking(title, question, buttons, { lines })
}

/** Whether the zone was chosen, in few words. */
function zoneShort(zone: string): string {
  return zone === Intl.DateTimeFormat().resolvedOptions().timeZone ? " (this machine's)" : ' (chosen)'
}

/** Everybody begins with the zone of the machine that I run on: whether this is another one, hence chosen. */
function zoneNote(zone: string): string {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone === own ? ' (the zone of this machine)' : ` (chosen; this machine is in ${own})`
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

function escalationText(from: number): Text {
  return from === 0 ? 'goes there as well, at once' : text`and unanswered goes there ${afterText(from)}`
}

/** Without the fallback. */
function listText({ person, view }: Context): Text[] {
  const steps = view.escalation(person.id).steps.filter(({ isFallback }) => !isFallback)
  if (steps.length === 0) return []
  const named = steps.map(({ name, from }) => text`${name} ${afterText(from)}`)
  return [text`and to ${joined(named, ', ')}: /escalate`]
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

/** The most used settings, and a button for each of the other screens. */
function mainScreen(context: Context): Message {
  const { person, reader, view } = context
  const own = privateChats(context)
  const first = own.find(({ id }) => id === person.defaultChat)
  const backup = own.find(({ id }) => id === person.fallbackChat)
  const quiet = own.find((chat) => chat.quiet !== null)?.quiet
  const digest = digestKeeper(view.chats(person.id))?.digest
  const troubles = escalationTroubles(view.escalation(person.id))
  return message(
    [
      item('plain', 'Your settings', [
        [`time zone: ${person.zone}${zoneShort(person.zone)}, now `, { time: reader.now, as: 'clock' }],
        ['numbers: ', { code: person.numbers }],
        `alerts on ${first?.address.platform ?? 'none'}, backup ${backup?.address.platform ?? 'none'}`,
        `quiet hours: ${quiet ? hoursText(quiet) : 'off'}`,
        `digest: ${digest ? timeText(digest.minute) : 'off'}`,
        ...troubles.slice(0, 1).map((one) => text`⚠ ${one}`),
        ...(troubles.length > 1 ? [`and ${troubles.length - 1} more: /settings chat`] : []),
      ]),
    ],
    {
      buttons: [
        go('Time zone', '/settings zone ?'),
        go('Numbers', '/settings numbers'),
        go('Language', '/settings language'),
        go('Alerts reach you', '/settings chat'),
        go('Quiet hours', '/quiet'),
        go('Digest', '/digest'),
        go('More', '/settings more'),
        go('‹ Menu', '/menu'),
      ],
    },
  )
}

/** Where alerts reach the person, in which order, and what is missing there. */
function reachScreen(context: Context, named: readonly Named[]): Message {
  const { person, view } = context
  const own = privateChats(context)
  const troubles = escalationTroubles(view.escalation(person.id))
  const platformOf = (id: number | null) => own.find((chat) => chat.id === id)?.address.platform ?? 'none'
  const isNamed = (chat: Chat) => named.some(({ name }) => name === chat.address.platform)
  const others = own.filter((chat) => chat.id !== person.defaultChat)
  return message(
    [
      item('plain', `Alerts reach you on ${platformOf(person.defaultChat)}`, [
        `backup ${platformOf(person.fallbackChat)}`,
        text`critical ${escalationText(person.escalateFrom)}`,
        ...listText(context),
        ...placeLines(own, named),
        ...troubles.map((one) => text`⚠ ${one}`),
      ]),
    ],
    {
      buttons: [
        ...others
          .filter((chat) => !isNamed(chat))
          .map(({ address }) => go(`First on ${address.platform}`, `/settings chat ${address.platform}`)),
        ...others
          .filter(({ id }) => id !== person.fallbackChat)
          .map(({ address }) => go(`Backup ${address.platform}`, `/settings fallback ${address.platform}`)),
        ...(person.fallbackChat === null ? [] : [go('No backup', '/settings fallback none')]),
        ...named.map(({ name }) =>
          go(
            `${own.some(({ address }) => address.platform === name) ? 'Change' : 'Add'} ${name}`,
            `/settings ${name} ?`,
          ),
        ),
        go('Who else', '/escalate'),
        go('Test alert', '/drill'),
        go('‹ Settings', '/settings'),
      ],
    },
  )
}

/** Buttons to what concerns the person and is rarely needed. */
function moreScreen({ person, commands }: Context): Message {
  const all = [
    go('Length of alerts', '/settings detail'),
    go('Connect an app', '/link'),
    go('Who else', '/escalate'),
    go('Backup person', '/agree'),
    go('Test alert', '/drill'),
    go('Bound chats', '/channel list'),
    ...(person.operator ? [go('Invite somebody', '/invite')] : []),
    go('Export', '/export'),
    go('Delete my data', '/forget'),
  ]
  const open = all.filter(({ line }) => commands.some(({ name }) => line.slice(1).split(' ')[0] === name))
  return message([item('plain', 'More settings')], { buttons: [...open, go('‹ Settings', '/settings')] })
}
