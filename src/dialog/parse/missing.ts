import type { ArgumentType } from '../../chat/argument.ts'
import type { Choice } from '../../chat/bot.ts'
import type { Form } from '../../chat/declaration.ts'
import { figureText } from '../../lib/text/format.ts'
import {
  type Button,
  item,
  type Message,
  message,
  type Question,
  type Text,
  words,
} from '../../message/message.ts'
import { price } from '../../message/figure.ts'
import { asking } from '../../message/question.ts'
import { fromNumber, toNumber } from '../../venue/amount.ts'
import { typedPrice } from '../../chat/argument.ts'
import type { Market } from '../../venue/market.ts'
import type { Key } from '../../words/words.ts'
import { choices } from './choices.ts'
import type { Field, Found } from './fields.ts'
import { lineOf } from './phrases.ts'
import { match, type Vocabulary } from './vocabulary.ts'

/** With [Other…] and [Cancel], eight: more buttons are no help on a phone. */
const MOST_CHOICES = 6

/** Answers for people who have nothing of the requested type to name, with what leads to it. */
const NONE_YET: Partial<Record<ArgumentType, { says: Key; button: Key; line: string }>> = {
  rule: { says: 'ask.no-rule', button: 'ask.button.alert', line: '/alert' },
  wallet: { says: 'ask.no-wallet', button: 'ask.button.watch', line: '/watch' },
  alert: { says: 'ask.no-alert', button: 'ask.button.history', line: '/history' },
}

/** The questions for an argument: of one form, of one command, or of its type. */
const QUESTIONS = {
  'alert price-move.share': 'ask.move',
  'alert price-move.within': 'ask.within',
  'alert liquidation-distance.tiers': 'ask.liquidation',
  'alert pnl.of': 'ask.share-of',
  'alert margin-ratio.tiers': 'ask.margin-ratio',
  'alert funding-cost.lines': 'ask.funding-cost',
  'alert funding-rate.line': 'ask.funding-rate',
  'alert funding-rate.way': 'ask.funding-way',
  'unwatch.wallet': 'ask.unwatch',
  'remove.rule': 'ask.remove',
  'why.alert': 'ask.why',
  'settings zone.zone': 'ask.zone',
  'settings numbers.style': 'ask.numbers',
  'settings chat.platform': 'ask.platform',
  'settings fallback.platform': 'ask.fallback',
  'settings escalate.after': 'ask.fallback-after',
  'channel acks.by': 'ask.acks-by',
  'agree end.who': 'ask.agree-end',
  size: 'ask.size',
  market: 'ask.market',
  wallet: 'ask.wallet',
  address: 'ask.address',
  alert: 'ask.alert',
  rule: 'ask.rule',
  price: 'ask.price',
  sums: 'ask.profit-or-loss',
  moves: 'ask.moves',
  percent: 'ask.percent',
  percents: 'ask.percent',
  duration: 'ask.duration',
  time: 'ask.time',
  span: 'ask.span',
  choice: 'ask.choice',
} as const satisfies Record<string, Key>

/** The word before the cursor in a terminal, by argument or by the name of its field. */
const PROMPTS: Partial<Record<string, Key>> = {
  price: 'ask.word.price',
  market: 'ask.word.market',
  wallet: 'ask.word.wallet',
  address: 'ask.word.address',
  alert: 'ask.word.alert',
  rule: 'ask.word.rule',
  percent: 'ask.word.percent',
  percents: 'ask.word.percent',
  sums: 'ask.word.amount',
  usd: 'ask.word.amount',
  moves: 'ask.word.move',
  size: 'ask.word.size',
  duration: 'ask.word.time',
  time: 'ask.word.time',
  zone: 'ask.word.city',
  platform: 'ask.word.platform',
  who: 'ask.word.who',
}

/** Answers that would be taken, where no choice shows one. */
const EXAMPLES: Readonly<Record<string, string>> = {
  address: '0x…',
  zone: 'Berlin',
  price: '2300',
  market: 'BTC',
}

/** A form with the words that were understood, and the field that they leave open. */
export interface Missing {
  field: Field
  /** By field, as far as the words name them. */
  found: Found
  /** The command with its form, and the words. */
  form: Form
  start: string
  said: readonly string[]
}

/** Asks for the missing argument, and offers the likely values. */
export function askFor(missing: Missing, vocabulary: Vocabulary): Message {
  const { field, form, start, said } = missing
  const { argument } = field.meta
  const line = `${start} ${lineOf(said)}`.trimEnd()
  const market = marketIn(missing.found, vocabulary)
  const likely = choices(field.meta, vocabulary).filter(({ value }) =>
    isTaken(field, value, form, vocabulary),
  )
  const none = likely.length === 0 ? NONE_YET[argument] : undefined
  if (none) {
    const button = { label: words(none.button), line: none.line, replace: true }
    return message([item('plain', words(none.says))], { buttons: [button] })
  }
  const buttonOf = ({ label, value }: Choice): Button => ({
    label,
    // A move is two words in a line.
    line: `${line} ${lineOf(argument === 'moves' ? value.split(' ') : [value])}`,
    replace: true,
  })
  const question: Question = {
    start: line,
    prompt: words(PROMPTS[field.name] ?? PROMPTS[argument] ?? 'ask.word.answer'),
    placeholder: likely[0]?.value ?? EXAMPLES[field.name] ?? EXAMPLES[argument] ?? '',
  }
  const level = askForLevel(missing, market, line, vocabulary)
  if (level) return level
  const only = LISTED_WHOLE.has(argument) && likely.length <= MOST_CHOICES
  return asking(titleOf(missing), question, likely.slice(0, MOST_CHOICES).map(buttonOf), { only })
}

function titleOf({ field, start }: Missing): Text {
  const { meta, name } = field
  const form = start.slice(1)
  const [command = ''] = form.split(' ')
  const known: Partial<Record<string, Key>> = QUESTIONS
  const key = known[`${form}.${name}`] ?? known[`${command}.${name}`] ?? known[meta.argument]
  return key === undefined ? words('ask.anything', { what: meta.asks }) : words(key as 'ask.choice')
}

function marketIn(found: Found, { view }: Vocabulary): Market | undefined {
  const id = Object.values(found).find((value) => typeof value === 'string' && view.listed().has(value))
  return id === undefined ? undefined : view.listed().get(id as string)?.value
}

/** How far around the present price a level is offered. */
const STEPS = [0.01, 0.02, 0.05, 0.1]
const SIGNIFICANT = 3

type Way = 'above' | 'below'

/**
 * A price level is one question, since the levels around the present price say the direction as well. Null for other
 * arguments, and for a market without a price.
 */
function askForLevel(
  { field: { meta }, found, form, said }: Missing,
  market: Market | undefined,
  line: string,
  vocabulary: Vocabulary,
): Message | null {
  const now = market ? toNumber(market.price) : 0
  const isWay = meta.words.includes('above')
  if (!market || now <= 0 || !('level' in form.args.shape) || !(isWay || meta.argument === 'price'))
    return null
  const { symbol } = market
  const below = isWay || found['way'] === 'below'
  const example = rounded(now * (below ? 0.95 : 1.05)).typed
  const question = {
    start: line,
    prompt: words('ask.word.price'),
    placeholder: isWay ? `below ${example}` : example,
  }
  if (!isWay) {
    const buttons = STEPS.map((step) =>
      stepButton({ line, now, step, way: below ? 'below' : 'above' }, vocabulary),
    )
    return asking(words('ask.price-of', { market: symbol, price: price(now) }), question, buttons)
  }
  const level = found['level']
  if (typeof level !== 'bigint') {
    const buttons = STEPS.flatMap((step) =>
      WAYS.map((way) => stepButton({ line, now, step, way, mark: true }, vocabulary)),
    )
    return asking(words('ask.way-of', { market: symbol, price: price(now) }), question, buttons)
  }
  const typed = said.at(-1) ?? ''
  const ways = toNumber(level) < now ? WAYS.toReversed() : WAYS
  const buttons = ways.map((way) => ({
    label: words(`ask.${way}`, { level: typed }),
    line: `${line} ${way}`,
    replace: true,
  }))
  return asking(
    words('ask.way-of-level', { market: symbol, level: typed, price: price(now) }),
    question,
    buttons,
    {
      only: true,
    },
  )
}

const WAYS: readonly Way[] = ['above', 'below']

function stepButton(
  {
    line,
    now,
    step,
    way,
    mark = false,
  }: { line: string; now: number; step: number; way: Way; mark?: boolean },
  { numbers }: Vocabulary,
): Button {
  const { value, typed } = rounded(now * (1 + (way === 'above' ? step : -step)))
  const figure = figureText(value, 'price', numbers).replace(/[.,]00$/, '')
  const by = figureText(value / now - 1, 'signed-percent', numbers)
  // Where both directions are offered, the button says which.
  if (!mark) return { label: `${figure} ${by}`, line: `${line} ${typed}`, replace: true }
  return {
    label: `${way === 'above' ? '▲' : '▼'} ${figure} ${by}`,
    line: `${line} ${way} ${typed}`,
    replace: true,
  }
}

/** The level in a few digits, and how people type it. */
function rounded(value: number): { value: number; typed: string } {
  const short = Number(value.toPrecision(SIGNIFICANT))
  return { value: short, typed: typedPrice(fromNumber(short) ?? 0n) }
}

/** Whether the form takes this value: a button must not lead to a refusal. */
function isTaken({ name, meta }: Field, typed: string, form: Form, vocabulary: Vocabulary): boolean {
  const found = match(meta, typed, vocabulary)
  const type = form.args.shape[name] as { safeParse(value: unknown): { success: boolean } } | undefined
  return found.is !== 'value' || LISTED.has(meta.argument) || type?.safeParse(found.value).success !== false
}

/** Nothing else can be named than what is offered, if all of it is. */
const LISTED_WHOLE: ReadonlySet<ArgumentType> = new Set([
  'choice',
  'wallet',
  'rule',
  'alert',
  'dex',
  'command',
])

/** Several words make one value of these, so one word alone shows nothing. */
const LISTED: ReadonlySet<ArgumentType> = new Set(['percents', 'sums', 'moves'])
