import { parseDecimal } from '../amount.ts'
import type { ArgumentMeta, ArgumentType, SizeText } from '../argument.ts'
import type { Choice } from '../chat.ts'
import type { Command, View } from '../command.ts'
import { nearest } from '../lib/nearest.ts'
import { parseFigure, parsePercent } from '../lib/quantity.ts'
import { findMarket } from '../market.ts'
import { parseOwner, shortOwner } from '../owner.ts'

/** What a word of somebody's may mean. */
export interface Vocabulary {
  view: View
  personId: number
  commands: readonly Command[]
}

export type Match =
  | { is: 'value'; value: unknown }
  /** Not of this type at all: try another. */
  | { is: 'other' }
  /** Surely meant as one, and wrong: the sentence says why. */
  | { is: 'wrong'; why: string }

const OTHER: Match = { is: 'other' }
const value = (of: unknown): Match => ({ is: 'value', value: of })
const wrong = (why: string): Match => ({ is: 'wrong', why })

type Matcher = (word: string, vocabulary: Vocabulary, words: readonly string[]) => Match

const MATCHERS: Record<ArgumentType, Matcher> = {
  address(word) {
    if (!/^0x/i.test(word)) return OTHER
    const parsed = parseOwner(word)
    return parsed.ok ? value(parsed.owner) : wrong(parsed.why)
  },
  wallet(word, { view, personId }) {
    const watches = view.watches(personId)
    const lower = word.toLowerCase()
    const exact = watches.find(
      ({ label, owner }) => label.toLowerCase() === lower || owner.toLowerCase() === lower,
    )
    if (exact) return value(exact.owner)
    if (!/^0x[0-9a-f]*$/i.test(word)) return OTHER
    const starting = watches.filter(({ owner }) => owner.toLowerCase().startsWith(lower))
    if (starting.length === 1) return value(starting[0]?.owner)
    return wrong(
      starting.length === 0
        ? `You do not watch ${word.length > 12 ? shortOwner(word) : word}. See /wallets, or add it with /watch.`
        : `${starting.length} of your wallets start with ${word}. Type more of the address, or its label.`,
    )
  },
  market(word, { view }) {
    const market = findMarket(view.markets().values(), word)
    return market ? value(market.id) : OTHER
  },
  percents: (word) => percentOf(word),
  percent: (word) => percentOf(word),
  alert(word) {
    if (/^r\d+$/i.test(word))
      return wrong(`${word.toUpperCase()} is a rule; alerts are numbered like A41. See /history.`)
    const match = /^a?(\d{1,12})$/i.exec(word)
    return match ? value(Number(match[1])) : OTHER
  },
  rule(word) {
    if (/^a\d+$/i.test(word))
      return wrong(`${word.toUpperCase()} is an alert; rules are numbered like R7. See /alerts.`)
    const match = /^r?(\d{1,12})$/i.exec(word)
    return match ? value(Number(match[1])) : OTHER
  },
  command(word, { commands }) {
    const name = word.replace(/^\//, '').toLowerCase()
    const command = commands.find((one) => one.name === name || one.aliases.includes(name))
    return command ? value(command.name) : OTHER
  },
  choice: (word, _vocabulary, words) => {
    const lower = word.toLowerCase()
    const exact = words.find((one) => one.toLowerCase() === lower)
    const starting = words.filter((one) => lower.length > 1 && one.toLowerCase().startsWith(lower))
    const meant = exact ?? (starting.length === 1 ? starting[0] : undefined)
    return meant === undefined ? OTHER : value(meant)
  },
  page: (word) => (/^[1-9]\d{0,3}$/.test(word) ? value(Number(word)) : OTHER),
  size: sizeOf,
  account: (word) => (/^\d{1,40}$/.test(word) ? value(word) : OTHER),
  code: (word) => (/^[a-z0-9]{4,5}(-[a-z0-9]{4,5}){1,3}$/i.test(word) ? value(word.toUpperCase()) : OTHER),
  chat: (word) => value(word),
  mention: (word) => value(word),
  text: () => OTHER,
}

/** `-2`, `1.5k`, `$5k`, `-$200`, `-50%`: exact, so that a preview is asked for what was typed. */
function sizeOf(word: string): Match {
  const match = /^([+-]?)(\$?)([+-]?)([^%$]+)(%?)$/.exec(word)
  if (!match) return OTHER
  const [, before = '', dollar = '', after = '', figure = '', share = ''] = match
  const text = parseFigure(figure)
  const magnitude = text === null || (before !== '' && after !== '') ? null : parseDecimal(text)
  if (magnitude === null || magnitude < 0n || (dollar !== '' && share !== '')) return OTHER
  if (magnitude === 0n) return wrong('A size of zero is no order. Say for example -2, $5k or -50%.')
  const amount = before === '-' || after === '-' ? -magnitude : magnitude
  if (dollar !== '') return value({ unit: 'usd', amount, typed: word } satisfies SizeText)
  if (share !== '') return value({ unit: 'share', amount: amount / 100n, typed: word } satisfies SizeText)
  return value({ unit: 'base', amount, typed: word } satisfies SizeText)
}

function percentOf(word: string): Match {
  if (!/\d/.test(word) || /^0x/i.test(word)) return OTHER
  const fraction = parsePercent(word)
  return fraction === null ? OTHER : value(fraction)
}

export function match({ argument, words }: ArgumentMeta, word: string, vocabulary: Vocabulary): Match {
  return MATCHERS[argument](word, vocabulary, words)
}

/** The likely values of an argument: for buttons, completion, and near misses. */
export function choices({ argument, words }: ArgumentMeta, { view, personId, commands }: Vocabulary): Choice[] {
  switch (argument) {
    case 'wallet':
      return view
        .watches(personId)
        .map(({ label, owner }) => ({ label: `${label} ${shortOwner(owner)}`, value: label }))
    case 'market':
      return [...view.markets().values()].map(({ symbol }) => ({ label: symbol, value: symbol }))
    case 'rule':
      return view.rules(personId).map(({ id, kind }) => ({ label: `R${id} ${kind}`, value: `R${id}` }))
    case 'alert':
      return view
        .firing(personId)
        .map(({ alertId, rule }) => ({ label: `A${alertId} ${rule.kind}`, value: `A${alertId}` }))
    case 'command':
      return commands.map(({ name }) => ({ label: name, value: name }))
    case 'choice':
      return words.map((word) => ({ label: word, value: word }))
    case 'percent':
    case 'percents':
      return ['20%', '10%', '5%', '2.5%'].map((word) => ({ label: word, value: word }))
    case 'size':
      return ['-25%', '-50%', '-100%'].map((word) => ({ label: word, value: word }))
    case 'address':
    case 'page':
    case 'account':
    case 'code':
    case 'chat':
    case 'mention':
    case 'text':
      return []
  }
}

/** What was probably meant; null when nothing is near. */
export function nearMiss(meta: ArgumentMeta, word: string, vocabulary: Vocabulary): string | null {
  if (!/[a-z]/i.test(word)) return null
  return nearest(
    word,
    choices(meta, vocabulary).map((choice) => choice.value),
  )
}
