import type { Chat } from '../../people/chat.ts'
import type { Command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import type { NumberStyle } from '../../lib/text/format.ts'
import { firstGraphemes } from '../../lib/text/legible.ts'
import {
  type Button,
  item,
  joined,
  type Message,
  message,
  say,
  type Text,
  words,
} from '../../message/message.ts'
import type { Theme } from '../../message/picture.ts'
import { asking } from '../../message/question.ts'
import { afterText, digestKeeper, escalationTroubles } from '../../people/escalation.ts'
import type { Person } from '../../people/person.ts'
import { hoursText, timeText } from '../../lib/time/daytime.ts'
import type { Change } from '../../store/change.ts'
import type { Language } from '../../words/words.ts'
import { ESCALATIONS, settingForms } from './setting-forms.ts'
import { clockIn, readZone } from './zones.ts'
import { brokenLines, type Named, placeForm, placeLines, setPlace } from '../shared/places.ts'
import { go } from '../shared/pages.ts'

const MAX_QUOTED_GRAPHEMES = 40
/** The settings of a person. `named` are the notifiers, where people name a destination. */
export function settingsCommand(named: readonly Named[], unopened: readonly string[] = []): Command {
  return {
    name: 'settings',
    aliases: [],
    summary: words('menu.settings'),
    who: 'person',
    audience: 'person',
    forms: [...settingForms, ...named.map(placeForm)],
    absent: new Map(
      unopened.map((platform) => [platform, words('parse.platform.unopened', { platform })] as const),
    ),
    run(context, form, args) {
      const { zone, style, language, detail, pictures, theme, platform, place, after } = args as {
        zone?: string
        style?: NumberStyle
        language?: Language | 'auto'
        detail?: 'short' | 'full'
        pictures?: Person['pictures']
        theme?: Theme
        platform?: string
        place?: string
        after?: string
      }
      if (zone !== undefined) return setZone(context, zone)
      if (style !== undefined)
        return set(context, { numbers: style }, words('settings.numbers.set', { style: [{ code: style }] }))
      if (language === 'auto') return set(context, { language: null }, words('settings.language.auto'))
      if (language !== undefined) return set(context, { language }, words('settings.language.set'))
      if (detail !== undefined) return set(context, { detail }, words(`settings.detail.${detail}`))
      if (pictures !== undefined) return set(context, { pictures }, words(`settings.pictures.${pictures}`))
      if (theme !== undefined) return set(context, { theme }, words(`settings.theme.${theme}`))
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
  return message([item('plain', done, lines)], {
    buttons: [go(words('settings.button.settings'), '/settings')],
  })
}

function setZone(context: Context, typed: string): Promise<Message> | Message {
  const { now } = context.reader
  const read = readZone(typed, now)
  const shown = `“${firstGraphemes(typed, MAX_QUOTED_GRAPHEMES, MAX_QUOTED_GRAPHEMES)}”`
  if (read.is === 'zone')
    return set(context, { zone: read.zone }, words('settings.zone.set', { zone: read.zone }), [
      words('parse.zone.clock', { time: clockIn(read.zone, now) }),
    ])
  if (read.is === 'which')
    return askZone(
      words('parse.zone.which', { typed: shown }),
      read.zones.map(({ label, typed: one }) => go(label, `/settings zone ${one}`)),
    )
  if (read.near === null)
    return askZone(words('settings.zone.unknown', { typed: shown }), [], [words('ask.zone')])
  const meant = go(read.near, `/settings zone ${read.near}`)
  return askZone(words('settings.zone.near', { typed: shown, zone: read.near }), [meant])
}

/** The next message is taken for a zone. */
function askZone(title: Text, buttons: Button[], lines: Text[] = []): Message {
  const question = { start: '/settings zone', prompt: words('ask.word.city'), placeholder: 'Berlin' }
  return asking(title, question, buttons, { lines })
}

/** Everybody begins with the zone of the machine that Perch runs on. Another one was chosen. */
function originOf(zone: string): 'own' | 'chosen' {
  return zone === Intl.DateTimeFormat().resolvedOptions().timeZone ? 'own' : 'chosen'
}

function setChat(
  context: Context,
  fallback: boolean,
  platform: string,
  named: readonly Named[],
): Promise<Message> | Message {
  const own = privateChats(context)
  if (fallback && platform.toLowerCase() === 'none') {
    return set(context, { fallbackChat: null }, words('settings.backup.none'))
  }
  const chat = own.find(({ address }) => address.platform === platform.toLowerCase())
  if (!chat) {
    const names = own.map(({ address }) => address.platform).join(', ')
    return say(words('settings.chat.unknown', { platforms: names }))
  }
  const name = chat.address.platform
  if (!fallback && named.some((one) => one.name === name)) {
    return say(
      words('settings.chat.one-way', { platform: name }),
      words('settings.chat.one-way.backup', { platform: name }),
    )
  }
  if (fallback && chat.id === context.person.defaultChat) {
    return say(
      words('settings.backup.same', { platform: name }),
      own.length > 1 ? words('settings.backup.choose') : words('settings.backup.add'),
    )
  }
  return fallback
    ? set(
        context,
        { fallbackChat: chat.id },
        words('settings.backup.set', { platform: name }),
        brokenLines(chat),
      )
    : set(context, { defaultChat: chat.id }, words('settings.chat.set', { platform: name }))
}

/** Without the fallback. */
function listText({ person, view }: Context): Text[] {
  const steps = view.escalation(person.id).steps.filter(({ isFallback }) => !isFallback)
  if (steps.length === 0) return []
  const named = steps.map(({ name, from }) => words('settings.reach.step', { name, when: afterText(from) }))
  return [words('settings.reach.list', { list: joined(named, ', ') })]
}

async function setEscalation({ person, change }: Context, after: string): Promise<Message> {
  const to = { escalateFrom: ESCALATIONS.indexOf(after) }
  const { refused } = await change({ is: 'settings', personId: person.id, to })
  if (refused !== null) return say(refused)
  return say(
    after === 'now' ? words('settings.escalate.at-once') : words('settings.escalate.after', { after }),
    ...(person.fallbackChat === null ? [words('settings.escalate.no-backup')] : []),
  )
}

function privateChats({ person, view }: Context): Chat[] {
  return view.chats(person.id).filter((chat) => chat.private)
}

function platformOf(chat: Chat | undefined): Text {
  return chat?.address.platform ?? words('settings.none')
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
      item('plain', words('settings.title'), [
        words('settings.line.zone', {
          zone: person.zone,
          origin: originOf(person.zone),
          time: [{ time: reader.now, as: 'clock' }],
        }),
        words('settings.line.numbers', { style: [{ code: person.numbers }] }),
        words('settings.line.reach', { platform: platformOf(first), backup: platformOf(backup) }),
        words('settings.line.quiet', { hours: quiet ? hoursText(quiet) : words('settings.off') }),
        words('settings.line.digest', { time: digest ? timeText(digest.minute) : words('settings.off') }),
        ...troubles.slice(0, 1).map((trouble) => words('settings.warning', { trouble })),
        ...(troubles.length > 1 ? [words('settings.warning.more', { n: troubles.length - 1 })] : []),
      ]),
    ],
    {
      buttons: [
        go(words('settings.button.zone'), '/settings zone ?'),
        go(words('settings.button.numbers'), '/settings numbers'),
        go(words('settings.button.language'), '/settings language'),
        go(words('settings.button.reach'), '/settings chat'),
        go(words('settings.button.quiet'), '/quiet'),
        go(words('settings.button.digest'), '/digest'),
        go(words('settings.button.more'), '/settings more'),
        go(words('home.button.menu'), '/menu'),
      ],
    },
  )
}

/** Where alerts reach the person, in which order, and what is missing there. */
function reachScreen(context: Context, named: readonly Named[]): Message {
  const { person, view } = context
  const own = privateChats(context)
  const troubles = escalationTroubles(view.escalation(person.id))
  const chatOf = (id: number | null) => own.find((chat) => chat.id === id)
  const isNamed = (chat: Chat) => named.some(({ name }) => name === chat.address.platform)
  const others = own.filter((chat) => chat.id !== person.defaultChat)
  return message(
    [
      item('plain', words('settings.reach.title', { platform: platformOf(chatOf(person.defaultChat)) }), [
        words('settings.reach.backup', { platform: platformOf(chatOf(person.fallbackChat)) }),
        words('settings.reach.critical', { when: afterText(person.escalateFrom) }),
        ...listText(context),
        ...placeLines(own, named),
        ...troubles.map((trouble) => words('settings.warning', { trouble })),
      ]),
    ],
    {
      buttons: [
        ...others
          .filter((chat) => !isNamed(chat))
          .map(({ address }) =>
            go(
              words('settings.button.first', { platform: address.platform }),
              `/settings chat ${address.platform}`,
            ),
          ),
        ...others
          .filter(({ id }) => id !== person.fallbackChat)
          .map(({ address }) =>
            go(
              words('settings.button.backup', { platform: address.platform }),
              `/settings fallback ${address.platform}`,
            ),
          ),
        ...(person.fallbackChat === null
          ? []
          : [go(words('settings.button.no-backup'), '/settings fallback none')]),
        ...named.map(({ name }) =>
          go(
            own.some(({ address }) => address.platform === name)
              ? words('settings.button.change', { platform: name })
              : words('settings.button.add', { platform: name }),
            `/settings ${name} ?`,
          ),
        ),
        go(words('settings.button.who-else'), '/escalate'),
        go(words('settings.button.drill'), '/drill'),
        go(words('settings.button.settings'), '/settings'),
      ],
    },
  )
}

/** Buttons to what concerns the person and is rarely needed. */
function moreScreen({ person, commands }: Context): Message {
  const all = [
    go(words('settings.button.preset'), '/preset'),
    go(words('settings.button.detail'), '/settings detail'),
    go(words('settings.button.pictures'), '/settings pictures'),
    go(words('settings.button.theme'), '/settings theme'),
    go(words('settings.button.link'), '/link'),
    go(words('settings.button.who-else'), '/escalate'),
    go(words('settings.button.agree'), '/agree'),
    go(words('settings.button.drill'), '/drill'),
    go(words('settings.button.chats'), '/channel list'),
    ...(person.operator ? [go(words('settings.button.invite'), '/invite')] : []),
    go(words('settings.button.export'), '/export'),
    go(words('settings.button.forget'), '/forget'),
  ]
  const open = all.filter(({ line }) => commands.some(({ name }) => line.slice(1).split(' ')[0] === name))
  return message([item('plain', words('settings.more.title'))], {
    buttons: [...open, go(words('settings.button.settings'), '/settings')],
  })
}
