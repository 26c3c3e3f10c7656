import type { ArgumentType } from '../argument.ts'
import type { Choice } from '../chat.ts'
import type { Command, View } from '../command.ts'
import { nearest } from '../lib/nearest.ts'
import { parsePercent } from '../lib/quantity.ts'
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

type Matcher = (word: string, vocabulary: Vocabulary) => Match

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
  text: () => OTHER,
}

function percentOf(word: string): Match {
  if (!/\d/.test(word) || /^0x/i.test(word)) return OTHER
  const fraction = parsePercent(word)
  return fraction === null ? OTHER : value(fraction)
}

export function match(type: ArgumentType, word: string, vocabulary: Vocabulary): Match {
  return MATCHERS[type](word, vocabulary)
}

/** The likely values of an argument: for buttons, completion, and near misses. */
export function choices(type: ArgumentType, { view, personId, commands }: Vocabulary): Choice[] {
  switch (type) {
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
    case 'address':
    case 'percent':
    case 'percents':
    case 'text':
      return []
  }
}

/** What was probably meant; null when nothing is near. */
export function nearMiss(type: ArgumentType, word: string, vocabulary: Vocabulary): string | null {
  return nearest(
    word,
    choices(type, vocabulary).map((choice) => choice.value),
  )
}
