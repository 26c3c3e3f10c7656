import { z } from 'zod'

import { findKind, type Kind } from '../../alert/alert.ts'
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
import { protectionItem } from '../shared/protection.ts'
import { ruleLine } from '../shared/rule-lines.ts'
import { walletName } from '../shared/wallet-names.ts'
import {
  alsoChanged,
  bareText,
  bareWallets,
  changeText,
  kindName,
  ownLines,
  presetChanges,
  presetRules,
  rulesBefore,
  settingsText,
} from './preset-changes.ts'

/** Buttons that undo one kind each; `/preset undo` covers the others too. */
const MAX_UNDO_BUTTONS = 6
/** Wallets without a liquidation alert that get a button. */
const MAX_GUARD_BUTTONS = 2

const OTHER_WORDS = new Map<string, PresetName | 'undo' | 'show'>([
  ...(['quiet', 'relaxed', 'ruhig'] as const).map((word) => [word, 'calm'] as const),
  ...(['default', 'usual', 'standard'] as const).map((word) => [word, 'normal'] as const),
  ...(['scalp', 'scalping', 'daytrading'] as const).map((word) => [word, 'scalper'] as const),
  ...(['changes', 'changed', 'details', 'änderungen'] as const).map((word) => [word, 'show'] as const),
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
    examples: ['/preset', '/preset calm', '/preset show', '/preset undo', '/preset undo liq'],
    implied: new Set(['mode', 'modus', 'to', 'the', 'auf', 'alerts']),
    args: z.object({
      preset: argument.choice([...PRESETS, 'undo', 'show'], words('preset.asks'), OTHER_WORDS).optional(),
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
      if (preset === 'show') return listed(context)
      if (preset === 'undo') return undo(context, kind ?? null)
      return kind === undefined ? choose(context, preset) : say(words('preset.one-kind', { preset }))
    },
  })
}

/** The name as people read it. */
const nameOf = (preset: PresetName): Text => words('preset.name', { preset })

/** Says which preset is on, and what each of them means. */
function overview(context: Context): Message {
  const { person, kinds, view } = context
  const on = person.preset?.name ?? 'normal'
  const undone = Object.keys(person.preset?.except ?? {}).map((name) => kindName(name))
  const bare = barenessOf(context)
  const head = item('plain', words('preset.on', { preset: nameOf(on) }), [
    ...bare.texts,
    ...(undone.length === 0 ? [] : [words('preset.except', { kinds: joined(undone, ', ') })]),
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
        ...bare.buttons,
        ...PRESETS.filter((name) => name !== on).map((name) => go(nameOf(name), `/preset ${name}`)),
        ...wayBack(context),
      ],
    },
  )
}

/** The first thing that a preset sets: how near a liquidation is. */
function tiersOf(kinds: readonly Kind[], name: PresetName): Text {
  const [first] = armedBy(kinds, { name, except: {}, before: null })
  const kind = first && findKind(kinds, first.kind)
  return first && kind
    ? words('preset.sets', { kind: kindName(kind.name), rule: settingsText(kind, first) })
    : ''
}

/** Names the wallets without a liquidation alert, with buttons that set what the preset would. */
function barenessOf({ person, kinds, view }: Context): { texts: Text[]; buttons: Button[] } {
  const watches = view.watches(person.id)
  const bare = bareWallets(view.rules(person.id), watches)
  const armed = armedBy(kinds, person.preset).find(({ kind }) => kind === 'liquidation-distance')
  if (bare.length === 0 || !armed) return { texts: [], buttons: [] }
  const none = { id: 0, personId: person.id, chatId: 0, identity: '', market: null, armedByWatch: false }
  const buttons = bare.slice(0, MAX_GUARD_BUTTONS).flatMap(({ wallet }) => {
    const line = ruleLine({ ...none, ...armed, wallet }, kinds)
    const label = words('preset.button.guard', { wallet: walletName(wallet, watches) })
    return line === null ? [] : [go(label, line)]
  })
  return { texts: [bareText(bare, watches)], buttons }
}

/** The way back from the last change. After an undo it is the preset again, and the button says which. */
function undoAll(isUndo: boolean, preset: PresetName): Button {
  return isUndo
    ? go(words('preset.button.again', { preset: nameOf(preset) }), '/preset undo')
    : go(words('preset.button.undo-all'), '/preset undo')
}

function wayBack({ person }: Context): Button[] {
  const before = person.preset?.before
  return before ? [undoAll(before.isUndo === true, before.name)] : []
}

async function choose(context: Context, preset: PresetName): Promise<Message> {
  const isLater = context.view.watches(context.person.id).length === 0
  return changed(context, { is: 'chosen', name: preset }, (isBare) => {
    const name = { preset: nameOf(preset) }
    if (isLater) return words('preset.done.later', name)
    return isBare ? words('preset.done.bare', name) : words('preset.done', name)
  })
}

function undo(context: Context, kind: string | null): Promise<Message> {
  const before = context.person.preset?.before
  const preset = nameOf(before?.name ?? 'normal')
  return changed(context, { is: 'undone', kind }, () => {
    if (kind !== null) return words('preset.undone.one', { kind: kindName(kind) })
    return before?.isUndo ? words('preset.redone', { preset }) : words('preset.undone', { preset })
  })
}

type To = { is: 'chosen'; name: PresetName } | { is: 'undone'; kind: string | null }

/** Makes the change, and says in four lines what it changed. `/preset show` has every figure. */
async function changed(context: Context, to: To, titled: (isBare: boolean) => Text): Promise<Message> {
  const { person, view, change, kinds } = context
  const before = presetRules(view.rules(person.id))
  const { refused } = await change({ is: 'preset', personId: person.id, to })
  if (refused !== null) return say(refused)
  const rules = view.rules(person.id)
  const watches = view.watches(person.id)
  const changes = presetChanges(kinds, before, rules)
  const bare = barenessOf(context)
  const done = titled(bare.texts.length > 0)
  const [title, ...above] = bare.texts.length > 0 ? [...bare.texts, done] : [joined(['✓', done], ' ')]
  const [first, ...others] = changes
  const isUndo = to.is === 'undone' && person.preset?.before?.isUndo !== true
  return message(
    [
      item('plain', title ?? done, [
        ...above,
        ...(first
          ? [changeText(first, watches), ...alsoChanged(others)]
          : watches.length > 0
            ? [words('preset.same')]
            : []),
        ...ownLines(rules),
      ]),
    ],
    {
      buttons: [
        ...bare.buttons,
        ...(changes.length > 0 && !(to.is === 'undone' && to.kind !== null)
          ? [undoAll(isUndo, person.preset?.name ?? 'normal')]
          : []),
        ...(others.length > 0 ? [go(words('preset.button.changes'), '/preset show')] : []),
      ],
    },
  )
}

/** Every figure that the last preset changed, with a button for each kind, and what is protected now. */
function listed(context: Context): Message {
  const { person, view, kinds } = context
  const before = person.preset?.before
  if (!before) return say(words('preset.nothing-to-undo'))
  const rules = view.rules(person.id)
  const watches = view.watches(person.id)
  const changes = presetChanges(kinds, rulesBefore(before, rules), rules)
  const title = before.isUndo ? words('preset.changes.undo') : words('preset.changes')
  const lines = changes.map((one) => changeText(one, watches))
  const bare = barenessOf(context)
  return message(
    [
      item('plain', title, [
        ...bare.texts,
        ...(lines.length === 0 ? [words('preset.same')] : lines),
        ...ownLines(rules),
      ]),
      ...protectionItem(context, 'liquidation-distance', { wallet: null, market: null }),
    ],
    { buttons: [...bare.buttons, ...undoButtons(changes.map(({ kind }) => kind)), ...wayBack(context)] },
  )
}

/** One for each kind that changed. */
function undoButtons(kinds: readonly Kind[]): Button[] {
  const all = [...new Set(kinds)]
  if (all.length === 1) return []
  return all.slice(0, MAX_UNDO_BUTTONS).map(({ name, aliases }) => {
    const [short = name] = [name, ...aliases].toSorted((a, b) => a.length - b.length)
    return go(words('preset.button.undo', { kind: kindName(name) }), `/preset undo ${short}`)
  })
}
