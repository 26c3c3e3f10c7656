import { z } from 'zod'

import { findKind, type Kind, type Rule } from '../../alert/alert.ts'
import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { View } from '../../command/context.ts'
import { isPlaceName } from '../../message/address.ts'
import { codePoints } from '../../message/fit.ts'
import {
  type Button,
  item,
  type Item,
  ITEM_CODE_POINTS,
  joined,
  message,
  type Text,
  words,
} from '../../message/message.ts'
import { typedAfter } from '../../people/escalation.ts'
import type { Person } from '../../people/person.ts'
import { historyExport } from '../alerts/history-export.ts'
import { exportFile } from './export-file.ts'
import { pageButtons, pageOf } from '../shared/pages.ts'
import { ruleLine } from '../shared/rule-lines.ts'
import { typedZone } from '../you/zones.ts'

/** Pieces per page: with the introduction a message has ten items. */
const PAGE = 8
/** Left for a piece's title. */
const TITLE_CODE_POINTS = 80
const MAX_NAMED_ALERTS = 2

const AS_FILE: Button = { label: words('export.button.file'), line: '/export file', replace: false }
const IN_PRIVATE = words('export.private')

/** Gives everything of a person as JSON: the commands that would make it again, and where to say them. */
export default command({
  name: 'export',
  summary: words('menu.export'),
  examples: ['/export', '/export 2', '/export file', '/export history'],
  args: z.object({
    what: argument.choice(['file', 'history'], words('export.what.asks')).optional(),
    page: argument.page().default(1),
  }),
  async run(context, { what, page: asked }) {
    if (what === 'history') return historyExport(context)
    if (what === 'file') return exportFile(context)
    const { person, view, kinds } = context
    const places = exported(person, view, kinds)
    const lines = places.reduce((sum, { say }) => sum + say.length, 0)
    const page = pageOf(
      places.flatMap(({ where, say }) => pieces(where, say)),
      asked,
      PAGE,
    )
    const head = item('plain', words('export.title', { n: lines }), [
      words('export.how'),
      ...disarmed(person, view, kinds),
      ...namedPlaces(person, view),
      ...others(person, view),
      ...ofAssistants(person, view),
    ])
    return message([head, ...page.shown], {
      footnote: words('export.page', { page: page.page, pages: page.pages }),
      buttons: [...pageButtons(page, (to) => `/export ${to}`), AS_FILE],
    })
  },
})

/** The commands that make a new person's Perch like this one: in private, and in each bound chat. */
function exported(person: Person, view: View, kinds: readonly Kind[]): { where: Text; say: string[] }[] {
  const bound = view.chats(person.id).filter((chat) => !chat.private)
  const own = view.rules(person.id).filter(({ armedByWatch }) => !armedByWatch)
  const linesOf = (rules: readonly Rule[]) => rules.flatMap((rule) => ruleLine(rule, kinds, view) ?? [])
  const here = own.filter(({ chatId }) => bound.every(({ id }) => id !== chatId))
  return [
    {
      where: IN_PRIVATE,
      say: [
        `/settings zone ${typedZone(person.zone)}`,
        `/settings numbers "${person.numbers}"`,
        // Before the wallets, which follow it from their beginning.
        ...(person.preset === null || person.preset.name === 'normal'
          ? []
          : [`/preset ${person.preset.name}`]),
        ...view.watches(person.id).map(({ wallet, label }) => `/watch ${wallet} "${label}"`),
        ...followLines(person, view, kinds, ({ chatId }) => bound.every(({ id }) => id !== chatId)),
        ...linesOf(here),
      ],
    },
    ...bound.map(({ id, title, address }) => {
      const lines = [
        ...followLines(person, view, kinds, ({ chatId }) => chatId === id),
        ...linesOf(own.filter(({ chatId }) => chatId === id)),
      ]
      const chat = title ?? address.chat
      const where = words('export.in', { chat, platform: address.platform })
      // Nobody can say anything by name in a channel.
      return address.thread === null && isPlaceName(address.chat)
        ? { where: words('export.private.for', { chat }), say: named(address.chat, lines) }
        : { where, say: ['/channel bind', ...lines] }
    }),
  ]
}

/** The wallets that the person follows in these chats, each from the size on that is told there. */
function followLines(
  person: Person,
  view: View,
  kinds: readonly Kind[],
  isThere: (rule: Rule) => boolean,
): string[] {
  return view.follows(person.id).flatMap(({ wallet, label }) =>
    view.rules(person.id).flatMap((rule) => {
      const kind = findKind(kinds, rule.kind)
      if (kind?.whose !== 'followed' || rule.wallet !== wallet || !isThere(rule)) return []
      return [`/follow ${wallet} "${label}" ${kind.typed(rule.params)}`]
    }),
  )
}

/** The lines that bind a chat and set its alerts from the private chat. */
function named(place: string, lines: readonly string[]): string[] {
  return [
    `/channel bind ${place}`,
    ...lines.map((line) => line.replace(/^\/(alert|follow) /, `/$1 ${place} `)),
  ]
}

/** Alerts that `/watch` would arm but that the person has removed. */
function disarmed(person: Person, view: View, kinds: readonly Kind[]): Text[] {
  const rules = view.rules(person.id)
  const gone = view.watches(person.id).flatMap(({ wallet, label }) =>
    kinds
      .filter(({ armedByWatch, name }) => {
        const there = rules.some(
          (rule) => rule.kind === name && rule.wallet === wallet && rule.market === null,
        )
        return armedByWatch !== null && !there
      })
      .map(({ name }) => words('export.disarmed.one', { kind: name, wallet: label })),
  )
  if (gone.length === 0) return []
  const shown = joined(gone.slice(0, MAX_NAMED_ALERTS), ', ')
  const more = gone.length - MAX_NAMED_ALERTS
  return [
    words('export.disarmed', {
      names: more > 0 ? words('export.names.more', { names: shown, n: more }) : shown,
    }),
  ]
}

/** The destinations. The full address is enough to write there, so it is never shown, and the person names it again. */
function namedPlaces(person: Person, view: View): Text[] {
  const speaks = new Set(person.identities.map(({ platform }) => platform))
  const named = view.chats(person.id).filter((chat) => chat.private && !speaks.has(chat.address.platform))
  if (named.length === 0) return []
  const places = named.map(({ title, address: { platform } }) =>
    words('export.place', { platform, name: title ?? words('export.place.unnamed') }),
  )
  return [words('export.places', { places: joined(places, ', ') })]
}

/** Escalation and delegations. Their destinations and people must exist first. */
function others(person: Person, view: View): Text[] {
  const { steps } = view.escalation(person.id)
  const list = steps.map(({ name, from }) => `/escalate ${name} ${typedAfter(from)}`)
  const delegates = view.delegates(person.id).map(({ delegateName }) => delegateName)
  const helped = view.helped(person.id).map(({ name }) => name)
  return [
    ...(list.length > 0 ? [words('export.escalate', { lines: list.join(', ') })] : []),
    ...(delegates.length > 0 ? [words('export.delegates', { names: delegates.join(', ') })] : []),
    ...(helped.length > 0 ? [words('export.helped', { names: helped.join(', ') })] : []),
  ]
}

/** The alerts that assistants have set. Said again, they are the person's own. */
function ofAssistants(person: Person, view: View): Text[] {
  const names = view
    .rules(person.id)
    .flatMap(({ id, setBy }) => (setBy === undefined ? [] : [`R${id} (${setBy})`]))
  if (names.length === 0) return []
  const shown = names.slice(0, MAX_NAMED_ALERTS).join(', ')
  const more = names.length - MAX_NAMED_ALERTS
  return [
    words('export.assistants', {
      names: more > 0 ? words('export.names.more', { names: shown, n: more }) : shown,
    }),
  ]
}

/** Lists of JSON, each small enough for an item and whole by itself. */
function pieces(where: Text, lines: readonly string[]): Item[] {
  const all: string[][] = []
  for (const line of lines) {
    const last = all.at(-1)
    if (last && codePoints(JSON.stringify([...last, line], null, 1)) <= ITEM_CODE_POINTS - TITLE_CODE_POINTS)
      last.push(line)
    else all.push([line])
  }
  return all.map((piece) => item('plain', where, [[{ code: JSON.stringify(piece, null, 1) }]]))
}
