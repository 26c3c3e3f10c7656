import { z } from 'zod'

import { findKind, type Kind, type Rule } from '../../alert/alert.ts'
import { armedBy, PRESETS, type PresetName } from '../../alert/preset.ts'
import { argument } from '../../chat/argument.ts'
import { type Command, command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
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
import { go } from '../shared/pages.ts'
import { protectionLines } from '../shared/protection.ts'
import { ruleText } from '../shared/rule-lines.ts'

const MAX_NAMED_RULES = 5
/** Buttons that undo one kind each; `/preset undo` covers the others too. */
const MAX_UNDO_BUTTONS = 6

const OTHER_WORDS = new Map<string, PresetName | 'undo'>([
  ...(['quiet', 'relaxed', 'ruhig'] as const).map((word) => [word, 'calm'] as const),
  ...(['default', 'usual', 'standard'] as const).map((word) => [word, 'normal'] as const),
  ...(['scalp', 'scalping', 'daytrading'] as const).map((word) => [word, 'scalper'] as const),
  ...(['back', 'revert', 'zurück', 'rückgängig'] as const).map((word) => [word, 'undo'] as const),
])

/** Sets tiers, hold times and minima for all guarded wallets at once, and takes that back. */
export function presetCommand(kinds: readonly Kind[]): Command {
  const named = kinds.filter((kind) => kind.armedByWatch !== null || Object.keys(kind.presets).length > 0)
  const aliases = named.flatMap(({ name, aliases: all }) => all.map((alias) => [alias, name] as const))
  return command({
    name: 'preset',
    aliases: ['presets'],
    summary: words('menu.preset'),
    examples: ['/preset', '/preset calm', '/preset undo', '/preset undo liq'],
    implied: new Set(['mode', 'modus', 'to', 'the', 'auf', 'alerts']),
    args: z.object({
      preset: argument.choice([...PRESETS, 'undo'], words('preset.asks'), OTHER_WORDS).optional(),
      kind: argument
        .choice(
          named.map(({ name }) => name) as [string, ...string[]],
          words('preset.kind.asks'),
          new Map(aliases),
        )
        .optional(),
    }),
    run(context, { preset, kind }) {
      if (preset === undefined) return overview(context)
      if (preset === 'undo') return undo(context, kind ?? null)
      return kind === undefined ? choose(context, preset) : say(words('preset.one-kind', { preset }))
    },
  })
}

/** The name as people read it. */
const nameOf = (preset: PresetName): Text => words('preset.name', { preset })

/** Says which preset is on, and what each of them means. */
function overview({ person, kinds, view }: Context): Message {
  const on = person.preset?.name ?? 'normal'
  const others = PRESETS.filter((name) => name !== on)
  const undone = Object.keys(person.preset?.except ?? {})
  const head = item('plain', words('preset.on', { preset: nameOf(on) }), [
    ...(undone.length === 0 ? [] : [words('preset.except', { kinds: undone.join(', ') })]),
    ...ownLines(view.rules(person.id)),
  ])
  return message(
    [
      head,
      ...PRESETS.map((name) =>
        item('plain', words('preset.means', { name: nameOf(name), preset: name }), [tiersOf(kinds, name)]),
      ),
    ],
    {
      buttons: [
        ...others.map((name) => go(nameOf(name), `/preset ${name}`)),
        ...(person.preset?.before ? [go(words('preset.button.undo-all'), '/preset undo')] : []),
      ],
    },
  )
}

/** The first thing that a preset sets: how near a liquidation is. */
function tiersOf(kinds: readonly Kind[], name: PresetName): Text {
  const [first] = armedBy(kinds, { name, except: {}, before: null })
  const kind = first && findKind(kinds, first.kind)
  return first && kind ? words('preset.sets', { kind: kind.name, rule: settingsText(kind, first) }) : ''
}

function settingsText(kind: Kind, { params, holdMs }: Pick<Rule, 'params' | 'holdMs'>): Text {
  const whole = {
    id: 0,
    personId: 0,
    chatId: 0,
    identity: '',
    wallet: null,
    market: null,
    armedByWatch: true,
  }
  const said = ruleText({ ...whole, kind: kind.name, params, holdMs }, kind)
  return said === '' ? words('preset.kind.on') : said
}

async function choose(context: Context, preset: PresetName): Promise<Message> {
  const { person, view } = context
  const wallets = view.watches(person.id).length
  return changed(context, { is: 'chosen', name: preset }, () =>
    wallets === 0
      ? words('preset.done.later', { preset: nameOf(preset) })
      : words('preset.done', { preset: nameOf(preset) }),
  )
}

function undo(context: Context, kind: string | null): Promise<Message> {
  const back = nameOf(context.person.preset?.before?.name ?? 'normal')
  return changed(context, { is: 'undone', kind }, () =>
    kind === null ? words('preset.undone', { preset: back }) : words('preset.undone.one', { kind }),
  )
}

type To = { is: 'chosen'; name: PresetName } | { is: 'undone'; kind: string | null }

/** Makes the change, and lists what it changed by what was there before and after. */
async function changed(context: Context, to: To, title: () => Text): Promise<Message> {
  const { person, view, change, kinds } = context
  const before = view.rules(person.id)
  const { refused } = await change({ is: 'preset', personId: person.id, to })
  if (refused !== null) return say(refused)
  const after = view.rules(person.id)
  const differences = differencesOf(kinds, before, after)
  const lines = differences.map(({ text }) => text)
  const isProtected = view.watches(person.id).length > 0
  return message(
    [
      item('plain', title(), [
        ...(lines.length === 0 && isProtected ? [words('preset.same')] : lines),
        ...ownLines(after),
        ...(isProtected ? protectionLines(context, 'liquidation-distance') : []),
      ]),
    ],
    { buttons: undoButtons(kinds, to, differences) },
  )
}

/** One for each kind that changed, and one for all of them. */
function undoButtons(kinds: readonly Kind[], to: To, differences: readonly Difference[]): Button[] {
  if (differences.length === 0 || (to.is === 'undone' && to.kind !== null)) return []
  const all = go(words('preset.button.undo-all'), '/preset undo')
  const names = [...new Set(differences.map(({ kind }) => kind))]
  const each = names.slice(0, MAX_UNDO_BUTTONS).map((name) => {
    const all = [name, ...(findKind(kinds, name)?.aliases ?? [])]
    const [short = name] = all.toSorted((a, b) => a.length - b.length)
    return go(words('preset.button.undo', { kind: short }), `/preset undo ${short}`)
  })
  return names.length === 1 ? [all] : [...each, all]
}

interface Difference {
  kind: string
  text: Text
}

/** `liquidation-distance: at 20 / 10% → at 8 / 4%`, once for all wallets that had the same. */
function differencesOf(
  kinds: readonly Kind[],
  before: readonly Rule[],
  after: readonly Rule[],
): Difference[] {
  const was = new Map(before.map((rule) => [rule.id, rule]))
  const is = new Map(after.map((rule) => [rule.id, rule]))
  const ids = [...new Set([...was.keys(), ...is.keys()])]
  const found = new Map<string, Difference>()
  for (const kind of kinds)
    for (const id of ids) {
      const [old, now] = [was.get(id), is.get(id)]
      if ((now ?? old)?.kind !== kind.name) continue
      const [from, to] = [old, now].map((rule) =>
        rule ? settingsText(kind, rule) : words('preset.kind.off'),
      )
      const key = JSON.stringify([kind.name, from, to])
      if (from === undefined || to === undefined || JSON.stringify(from) === JSON.stringify(to)) continue
      found.set(key, { kind: kind.name, text: words('preset.change', { kind: kind.name, from, to }) })
    }
  return [...found.values()]
}

/** Names the rules that people have set themselves: no preset touches them. */
function ownLines(rules: readonly Rule[]): Text[] {
  const own = rules.filter(({ armedByWatch, setBy }) => !armedByWatch || setBy !== undefined)
  if (own.length === 0) return []
  const named = own.slice(0, MAX_NAMED_RULES).map(({ id }) => `R${id}`)
  const more = own.length - named.length
  const names = more > 0 ? joined([named.join(', '), words('rule.more', { more })], ' ') : named.join(', ')
  return [words('preset.own', { n: own.length, rules: names })]
}
