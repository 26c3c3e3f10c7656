import type { ArgumentType } from '../../chat/argument.ts'
import type { Choice } from '../../chat/bot.ts'
import type { Form } from '../../chat/declaration.ts'
import type { Command } from '../../command/command.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { type Button, item, type Message, message } from '../../message/message.ts'
import { choices } from './choices.ts'
import type { Field } from './fields.ts'
import type { Misread } from './misread.ts'
import { lineOf, saidBack } from './phrases.ts'
import { match, type Vocabulary } from './vocabulary.ts'

/** More buttons than this are no help on a phone. */
const BUTTONS = 8

/** Answers for people who have nothing of the requested type to name. */
const NONE_YET: Partial<Record<ArgumentType, string>> = {
  rule: 'You have no rule yet. /alert sets one, for example /alert ETH below 2400',
  wallet: 'I watch no wallet for you yet. Add one with /watch 0x… and a label.',
  alert: 'Nothing fires for you now. /history lists what has fired.',
}

/**
 * Says why a line was not understood, with an example. Buttons complete the typed words with likely choices, or correct
 * them. `start` is the command with its form.
 */
export function misread(
  { why, missing, said, meant, each }: Misread,
  form: Form,
  start: string,
  vocabulary: Vocabulary,
): Message {
  const buttons: Button[] = []
  if (missing) {
    const likely = choices(missing.meta, vocabulary).filter(({ value }) =>
      isTaken(missing, value, form, vocabulary),
    )
    const none = likely.length === 0 ? NONE_YET[missing.meta.argument] : undefined
    if (none !== undefined) return message([item('plain', none)])
    for (const { label, value } of likely.slice(0, BUTTONS)) {
      // A move is two words in a line.
      const typed = missing.meta.argument === 'moves' ? value.split(' ') : [value]
      buttons.push({ label, line: `${start} ${lineOf([...said, ...typed])}`, replace: true })
    }
  }
  for (const words of meant.slice(0, BUTTONS)) {
    const line = `${start} ${lineOf(words)}`
    buttons.push({ label: line, line, replace: each === undefined })
  }
  const [example] = form.examples
  const whole = example === undefined || meant.length > 1 ? why : `${why} For example: ${example}`
  return message([item('plain', whole)], { buttons })
}

/** Whether the form takes this value: a button must not lead to a refusal. */
function isTaken({ name, meta }: Field, typed: string, form: Form, vocabulary: Vocabulary): boolean {
  const found = match(meta, typed, vocabulary)
  const type = form.args.shape[name] as { safeParse(value: unknown): { success: boolean } } | undefined
  return found.is !== 'value' || LISTED.has(meta.argument) || type?.safeParse(found.value).success !== false
}

/** Several words make one value of these, so one word alone shows nothing. */
const LISTED: ReadonlySet<ArgumentType> = new Set(['percents', 'sums', 'moves'])

const NEW_ALERT = { label: 'New alert', line: '/alert', replace: true }
const POSITIONS = { label: 'Positions', line: '/positions', replace: true }
const MENU = { label: 'Menu', line: '/menu', replace: true }

/** Offers what most people look for. */
export function notUnderstood(typed: string, { view, personId }: Vocabulary): Message {
  const shown = `I didn’t understand “${saidBack(typed)}”.`
  return view.watches(personId).length === 0
    ? message([item('plain', `${shown} Paste a wallet address (0x…) and I’ll watch it.`)], {
        buttons: [NEW_ALERT, MENU],
      })
    : message([item('plain', shown)], { buttons: [POSITIONS, NEW_ALERT, MENU] })
}

/** Asks whether this line is meant. */
export function didYouMean(line: string): Message {
  const buttons = [{ label: line, line, replace: true }]
  return message([item('plain', `Did you mean ${line}?`)], { buttons })
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
      label: `Remove ${label}`,
      line: `/remove ${value}`,
      replace: true,
    })),
    { label: 'Mute for 8 h', line: '/mute 8h', replace: true },
    // Somebody may mean a kind of alert by that word.
    ...partlyNamed(forms, typed).map((form) => {
      const line = `/${name} ${lineOf([form.name, ...rest])}`
      return { label: line, line, replace: true }
    }),
  ]
  const more = rules.length > shown.length ? ['/alerts shows all your rules.'] : []
  return message([item('plain', 'Which alert should end? I have changed nothing.', more)], { buttons })
}

function partlyNamed(forms: readonly Form[], word: string): Form[] {
  return forms.filter(({ name }) => name.split('-').includes(word.toLowerCase()))
}

/** Asks which of several forms is meant. The buttons are the full lines. */
export function whichForm({ name }: Command, lines: readonly string[], odd: string | null = null): Message {
  const [only, ...others] = lines
  const what = odd === null ? '' : ` by “${saidBack(odd)}”`
  const [first, ...more] = [...new Set(lines)].slice(0, BUTTONS)
  const why =
    others.length === 0
      ? `I am not sure what you mean${what}. Did you mean ${only}?`
      : `I am not sure which /${name} you mean. ${more.length === 1 ? 'One of these two' : 'One of these'}?`
  const buttons = [first, ...more].flatMap((line) =>
    line === undefined ? [] : [{ label: line, line, replace: true }],
  )
  return message([item('plain', why)], { buttons })
}

/** Asks for a form if none was named. The buttons are the forms, or the nearest line that is understood. */
export function unknownForm(command: Command, which: string, near: string | null = null): Message {
  const absent = command.absent?.get(which.toLowerCase())
  if (absent !== undefined) return message([item('plain', absent)])
  const { name, forms } = command
  const meant =
    near ??
    (which === ''
      ? null
      : nearest(
          which,
          forms.flatMap((form) => [form.name, ...form.aliases]),
        ))
  const odd = `I do not know “${saidBack(which)}”`
  const [first, ...others] = examplesOf(forms)
  const buttonOf = (label: string, line = `/${name} ${label}`) => ({ label, line, replace: true })
  if (meant !== null) {
    return message([item('plain', `${odd}. Did you mean /${name} ${meant}?`)], { buttons: [buttonOf(meant)] })
  }
  const offered = spokenFirst(forms).map((form) => form.name)
  const all = offered.length > BUTTONS ? [buttonOf('All', `/help ${name}`)] : []
  const why = which === '' ? `Say what it is about` : odd
  return message(
    [
      item(
        'plain',
        `${why}. For example: ${first}`,
        others.map((example) => `or ${example}`),
      ),
    ],
    { buttons: [...offered.slice(0, BUTTONS - all.length).map((one) => buttonOf(one)), ...all] },
  )
}

/** Number of examples in the answer. */
const EXAMPLES = 4

/** Puts the forms first that take a sentence: they are the best examples. */
export function spokenFirst(forms: readonly Form[]): readonly Form[] {
  const isSpoken = ({ cues }: Form) => cues !== undefined && cues.length > 0
  return [...forms.filter(isSpoken), ...forms.filter((form) => !isSpoken(form))]
}

function examplesOf(forms: readonly Form[]): string[] {
  return spokenFirst(forms)
    .flatMap(({ examples: [example] }) => example ?? [])
    .slice(0, EXAMPLES)
}
