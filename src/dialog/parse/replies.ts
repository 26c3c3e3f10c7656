import type { Choice } from '../../chat/bot.ts'
import type { Form } from '../../chat/declaration.ts'
import type { Command } from '../../command/command.ts'
import { nearest } from '../../lib/text/nearest.ts'
import {
  type Button,
  item,
  type Message,
  message,
  type Question,
  type Text,
  words,
} from '../../message/message.ts'
import { isKey, type Key } from '../../words/words.ts'
import { choices } from './choices.ts'
import { asking } from '../../message/question.ts'
import { askFor } from './missing.ts'
import type { Misread } from './misread.ts'
import { lineOf, saidBack } from './phrases.ts'
import type { Vocabulary } from './vocabulary.ts'

/** More buttons than this are no help on a phone. */
const BUTTONS = 8

/**
 * Says why a line was not understood, with an example. Buttons complete the typed words with likely choices, or correct
 * them. `start` is the command with its form.
 */
export function misread(
  { why, missing, usual, found = {}, said, meant, labels, each, guard }: Misread,
  form: Form,
  start: string,
  vocabulary: Vocabulary,
): Message {
  if (missing) return askFor({ field: missing, found, form, start, said }, vocabulary)
  if (usual) {
    const asked = askFor({ field: usual, found, form, start, said }, vocabulary)
    return { ...asked, items: [item('plain', why), ...asked.items] }
  }
  const buttons: Button[] = []
  for (const [at, one] of meant.slice(0, BUTTONS).entries()) {
    const line = `${start} ${lineOf(one)}`.trimEnd()
    buttons.push({ label: labels?.[at] ?? line, line, replace: each === undefined })
  }
  if (guard !== undefined) buttons.push({ label: words('wallets.button.guard'), line: guard, replace: true })
  const [example] = form.examples
  const whole =
    example === undefined || buttons.length > 0 ? why : words('parse.example', { why, line: example })
  return message([item('plain', whole)], { buttons })
}

const NEW_ALERT = { label: words('parse.button.new-alert'), line: '/alert', replace: true }
const POSITIONS = { label: words('parse.button.positions'), line: '/positions', replace: true }
const MENU = { label: words('parse.button.menu'), line: '/menu', replace: true }

/** Offers what most people look for. */
export function notUnderstood(typed: string, { view, personId }: Vocabulary): Message {
  const isNew = view.watches(personId).length === 0
  const title = words(isNew ? 'parse.lost.new' : 'parse.lost', { typed: saidBack(typed) })
  return message([item('plain', title)], { buttons: [...(isNew ? [] : [POSITIONS]), NEW_ALERT, MENU] })
}

/** Asks whether this line is meant. */
export function didYouMean(line: string): Message {
  const buttons = [{ label: line, line, replace: true }]
  return message([item('plain', words('parse.did-you-mean', { line }))], { buttons })
}

/** Answers somebody who wants fewer alerts: offers their rules to remove, and a pause. Nothing is set. */
export function opposite(
  { name, forms }: Command,
  typed: string,
  rest: readonly string[],
  vocabulary: Vocabulary,
): Message {
  const rules = choices({ argument: 'rule', asks: '', words: [] }, vocabulary)
  const said = new Set(rest.map((word) => word.toLowerCase()))
  const isMeant = ({ label }: Choice) => label.split(' ').some((word) => said.has(word.toLowerCase()))
  const meant = rules.filter(isMeant)
  const shown = (meant.length > 0 ? meant : rules).slice(0, BUTTONS - 2)
  const buttons = [
    ...shown.map(({ label, value }) => ({
      label: words('parse.button.remove', { rule: label }),
      line: `/remove ${value}`,
      replace: true,
    })),
    { label: words('parse.button.mute'), line: '/mute 8h', replace: true },
    // Somebody may mean a kind of alert by that word.
    ...partlyNamed(forms, typed).map((form) => {
      const line = `/${name} ${lineOf([form.name, ...rest])}`
      return { label: line, line, replace: true }
    }),
  ]
  const more = rules.length > shown.length ? [words('parse.end.more')] : []
  return message([item('plain', words('parse.end'), more)], { buttons })
}

function partlyNamed(forms: readonly Form[], word: string): Form[] {
  return forms.filter(({ name }) => name.split('-').includes(word.toLowerCase()))
}

/** Asks which of several forms is meant. The buttons are the full lines. */
export function whichForm({ name }: Command, lines: readonly string[], odd: string | null = null): Message {
  const [only, ...others] = lines
  const [first, ...more] = [...new Set(lines)].slice(0, BUTTONS)
  const why =
    others.length > 0
      ? words('parse.unsure.many')
      : odd === null
        ? words('parse.unsure', { line: only ?? `/${name}` })
        : words('parse.unsure.word', { word: saidBack(odd), line: only ?? `/${name}` })
  const buttons = [first, ...more].flatMap((line) =>
    line === undefined ? [] : [{ label: labelOf(line), line, replace: true }],
  )
  return message([item('plain', why)], { buttons })
}

/** A form in people's words; other lines as they are typed. */
function labelOf(line: string): Text {
  const [, name = '', form = ''] = /^\/(\S+) (\S+)$/.exec(line) ?? []
  return name in TOPICS ? topicLabel(form, line) : line
}

/** A form or a topic in people's words. */
function topicLabel(topic: string, otherwise: string): Text {
  const key = `parse.topic.${topic}`
  return isKey(key) ? [{ phrase: key, with: {} }] : otherwise
}

/** Commands whose forms have words of their own, with the likeliest topics first. */
const TOPICS: Readonly<Record<string, { asks: Key; likely: readonly string[] }>> = {
  alert: {
    asks: 'parse.about.alert',
    likely: ['price', 'liquidation-distance', 'pnl', 'funding', 'price-move'],
  },
  channel: { asks: 'parse.about.channel', likely: [] },
}

/** The word between a command and a topic: `/alert about funding` offers the forms of that topic. */
export const ABOUT = 'about'
const MORE = 'more'

const isOf = (form: string, topic: string) => form === topic || form.startsWith(`${topic}-`)

/** Asks for a form of one topic, or for one that the first question leaves out. */
export function formsAbout(command: Command, topic: string): Message {
  const names = namesOf(command)
  const likely = TOPICS[command.name]?.likely ?? []
  const rest = names.filter((form) => !likely.some((word) => isOf(form, word)))
  const shown = topic === MORE ? rest : names.filter((form) => isOf(form, topic))
  return asking(asksFor(command), questionOf(command), buttonsOf(command, shown.length > 0 ? shown : names))
}

function namesOf({ forms }: Command): string[] {
  return forms.map(({ name }) => name).filter((name) => name !== '')
}

function buttonsOf({ name }: Command, forms: readonly string[]): Button[] {
  return forms.map((form) => {
    const label = name in TOPICS ? topicLabel(form, form) : form
    return { label, line: `/${name} ${form}`, replace: true }
  })
}

/** The likely topics, or as many forms as there is space for. */
function topicButtons(command: Command): Button[] {
  const names = namesOf(command)
  const about = (topic: string) => ({
    label: topicLabel(topic, topic),
    line: `/${command.name} ${ABOUT} ${topic}`,
    replace: true,
  })
  const { likely = [] } = TOPICS[command.name] ?? {}
  const topics = likely.flatMap((topic) => {
    const forms = names.filter((form) => isOf(form, topic))
    // The exact name of a form is the form.
    const own = forms.length === 1 || forms.includes(topic) ? [topic] : []
    return forms.length === 0 ? [] : own.length > 0 ? buttonsOf(command, [topic]) : [about(topic)]
  })
  if (topics.length > 0) return [...topics, about(MORE)]
  return names.length <= BUTTONS
    ? buttonsOf(command, names)
    : [...buttonsOf(command, names.slice(0, BUTTONS - 3)), about(MORE)]
}

function asksFor({ name }: Command): Text {
  const key = TOPICS[name]?.asks
  return key === undefined ? words('parse.about', { command: `/${name}` }) : [{ phrase: key, with: {} }]
}

function questionOf({ name, forms }: Command): Question {
  const [example = ''] = examplesOf(forms)
  const start = `/${name}`
  return { start, prompt: name, placeholder: example.slice(start.length).trim() }
}

/** Asks for a form if none was named. The buttons are the forms, or the nearest line that is understood. */
export function unknownForm(command: Command, which: string, near: string | null = null): Message {
  const absent = command.absent?.get(which.toLowerCase())
  if (absent !== undefined) return message([item('plain', absent)])
  const { name, forms } = command
  const names = forms.flatMap((form) => [form.name, ...form.aliases])
  const meant = near ?? (which === '' ? null : nearest(which, names))
  const word = saidBack(which)
  if (meant !== null) {
    const button = { label: meant, line: `/${name} ${meant}`, replace: true }
    return message([item('plain', words('parse.odd.near', { word, near: `/${name} ${meant}` }))], {
      buttons: [button],
    })
  }
  const asks = asksFor(command)
  const question = questionOf(command)
  const example = words('parse.or-type', { line: examplesOf(forms)[0] ?? question.start })
  const [title, lines] = which === '' ? [asks, []] : [words('parse.odd', { word }), [asks, example]]
  const buttons = topicButtons(command)
  const only = buttons.length === namesOf(command).length
  return asking(title, question, buttons, { lines, only })
}

/** Puts the forms first that take a sentence: they are the best examples. */
export function spokenFirst(forms: readonly Form[]): readonly Form[] {
  const isSpoken = ({ cues }: Form) => cues !== undefined && cues.length > 0
  return [...forms.filter(isSpoken), ...forms.filter((form) => !isSpoken(form))]
}

function examplesOf(forms: readonly Form[]): string[] {
  return spokenFirst(forms).flatMap(({ examples: [example] }) => example ?? [])
}
