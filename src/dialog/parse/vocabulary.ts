import type { Kind } from '../../alert/alert.ts'
import {
  type ArgumentMeta,
  type ArgumentType,
  type Move,
  type Per,
  type SizeText,
  ratePer,
  type Sum,
  typedPrice,
  typedSize,
  typedSum,
} from '../../chat/argument.ts'
import type { Command } from '../../command/command.ts'
import type { View } from '../../command/context.ts'
import { durationText, parseDuration } from '../../lib/text/duration.ts'
import { type NumberStyle, STYLE_MARKS } from '../../lib/text/format.ts'
import { fractionOf, parseFigure, parsePercent, percentTyped, readsTheSame } from '../../lib/text/quantity.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { type Text, words } from '../../message/message.ts'
import { parseTime } from '../../lib/time/daytime.ts'
import { parseSpan } from '../../lib/time/span-text.ts'
import type { Watch } from '../../people/person.ts'
import { type Amount, parseDecimal, toNumber } from '../../venue/amount.ts'
import { dexesOf, MAIN_DEX } from '../../venue/market.ts'
import { parseWallet, shortWallet } from '../../venue/wallet.ts'
import { wrongAddress } from './addresses.ts'
import { isCoin, marketNamed, type Nameable, withoutQuote } from './coins.ts'
import { moveOf, moveTyped } from './move-words.ts'
import { usualWord } from './phrases.ts'

/** Gives words their meaning for one person. */
export interface Vocabulary {
  view: View
  personId: number
  /** The person's number style. */
  numbers: NumberStyle
  commands: readonly Command[]
  kinds: readonly Kind[]
}

type Matcher = (
  word: string,
  vocabulary: Vocabulary,
  meta: Pick<ArgumentMeta, 'words' | 'also' | 'whose'>,
) => Match

const MATCHERS: Record<ArgumentType, Matcher> = {
  address(word, { view, personId }, { whose }) {
    if (!/^0x/i.test(word)) return whose ? walletAmong(word, walletsMeant(view, personId, whose)) : OTHER
    const parsed = parseWallet(word)
    return parsed.ok ? value(parsed.wallet) : wrong(wrongAddress(word))
  },
  wallet: walletOf,
  market: (word, { view }) => marketOf(word, view),
  dex(word, { view }) {
    const { venues } = view.status()
    const name = [MAIN_DEX, ...dexesOf(view.listed(), venues)].find(
      (dex) => dex.toLowerCase() === word.toLowerCase(),
    )
    if (name === undefined || (name === MAIN_DEX && dexesOf(view.listed(), venues).length === 0)) return OTHER
    return value(name === venues[0] ? MAIN_DEX : name)
  },
  percents: percentsOf,
  percent: percentOf,
  moves: (word, vocabulary) =>
    moveOf(word, {
      market: (name) => MATCHERS.market(name, vocabulary, { words: [] }),
      percent: (figure) => percentOf(figure, vocabulary),
      price: (figure) => priceOf(figure, vocabulary),
      priceOf(id) {
        const seen = vocabulary.view.listed().get(id)
        return seen ? toNumber(seen.value.price) : null
      },
      symbols: () => [...vocabulary.view.listed().values()].map((reading) => reading.value.symbol),
    }),
  alert(word) {
    if (/^r\d+$/i.test(word)) return wrong(words('parse.id.rule', { id: word.toUpperCase() }))
    const match = /^a?(\d{1,12})$/i.exec(word)
    return match ? value(Number(match[1])) : OTHER
  },
  rule: ruleOf,
  command(word, { commands }) {
    const name = word.replace(/^\//, '').toLowerCase()
    const command = commands.find((one) => one.name === name || one.aliases.includes(name))
    return command ? value(command.name) : OTHER
  },
  choice(word, _vocabulary, { words, also }) {
    const lower = word.toLowerCase()
    const usual = usualWord(word)
    const exact = words.find((one) => [lower, usual].includes(one.toLowerCase())) ?? also?.get(lower)
    if (exact !== undefined) return value(exact)
    const starting = words.filter((one) => lower.length > 1 && one.toLowerCase().startsWith(lower))
    return starting.length === 1 ? likely(starting[0]) : OTHER
  },
  page: (word) => (/^[1-9]\d{0,3}$/.test(word) ? value(Number(word)) : OTHER),
  size: sizeOf,
  price: priceOf,
  usd: (word, vocabulary) => sumOf(word, vocabulary, ({ unit, value: usd }) => (unit === 'usd' ? usd : null)),
  sums: (word, vocabulary) => sumOf(word, vocabulary, (sum) => sum),
  account: (word) => (/^(?:…|\.{2,3})?\d{1,40}$/.test(word) ? value(word.replace(/^[….]+/, '')) : OTHER),
  code: (word) => (/^[a-z0-9]{4,5}(-[a-z0-9]{4,5}){1,3}$/i.test(word) ? value(word.toUpperCase()) : OTHER),
  duration(word, { numbers }) {
    const ms = parseDuration(word, numbers)
    return ms === null ? OTHER : value(ms)
  },
  time(word, _vocabulary, { words }) {
    const lower = word.toLowerCase()
    const named = words.find((one) => one === (lower === 'schlimmer' ? 'worse' : lower))
    if (named !== undefined) return value(named)
    // A bare figure may be anything else.
    const minute = /\d[:.]\d\d|\d\s?[ap]m$/i.test(word) ? parseTime(word) : null
    return minute === null ? OTHER : value(minute)
  },
  span(word) {
    const span = parseSpan(word)
    return span === null ? OTHER : value(span)
  },
  chat: (word) => value(word),
  mention: (word) => value(word),
  text: () => OTHER,
}

/** Finds a rule by its number, or by its kind or market if only one rule has it. */
function ruleOf(word: string, { view, personId, commands }: Vocabulary): Match {
  if (/^a\d+$/i.test(word)) return wrong(words('parse.id.alert', { id: word.toUpperCase() }))
  const match = /^r?(\d{1,12})$/i.exec(word)
  if (match) return value(Number(match[1]))
  const lower = word.toLowerCase()
  if (lower === 'all') return wrong(words('parse.rule.one'))
  const forms = commands.find(({ name }) => name === 'alert')?.forms ?? []
  const kind = forms.find(({ name, aliases }) => [name, ...aliases].includes(lower))?.name
  const rules = view
    .rules(personId)
    .filter((rule) => rule.kind === kind || rule.market?.symbol.toLowerCase() === lower)
  const [only, ...others] = rules
  if (!only) return kind === undefined ? OTHER : wrong(words('parse.rule.none', { kind }))
  return others.length === 0 ? likely(only.id) : { is: 'several', names: rules.map(({ id }) => `R${id}`) }
}

/** Finds a wallet by its label, its address, the start of either, or the short form `0x5290…9EE7`. */
function walletOf(
  word: string,
  { view, personId }: Vocabulary,
  { whose }: Pick<ArgumentMeta, 'whose'>,
): Match {
  const found = walletAmong(word, walletsMeant(view, personId, whose))
  if (whose === 'all' || (found.is !== 'other' && found.is !== 'wrong')) return found
  // One of the other sort is no unknown word.
  const other = walletAmong(word, whose === 'followed' ? view.watches(personId) : view.follows(personId))
  if (other.is !== 'value' && other.is !== 'likely') return found
  const label = view.named(personId).find(({ wallet }) => wallet === other.value)?.label ?? word
  if (whose === 'followed') return wrong(words('parse.wallet.own', { label }))
  return { ...wrong(words('parse.wallet.followed', { label })), guard: `/watch ${String(other.value)}` }
}

/** The wallets that such an argument may name. */
export function walletsMeant(
  view: Pick<View, 'watches' | 'follows' | 'named'>,
  personId: number,
  whose: ArgumentMeta['whose'],
): readonly Watch[] {
  if (whose === undefined) return view.watches(personId)
  return whose === 'followed' ? view.follows(personId) : view.named(personId)
}

function walletAmong(word: string, watches: readonly Watch[]): Match {
  const lower = word.toLowerCase()
  const exact = watches.find(({ label, wallet }) =>
    [label, wallet].some((one) => one.toLowerCase() === lower),
  )
  if (exact) return value(exact.wallet)
  const address = /^(0x[0-9a-f]*)(?:(?:…|\.{2,3})([0-9a-f]*))?$/i.exec(lower)
  if (!address) {
    const starting = watches.filter(({ label }) => lower.length > 1 && label.toLowerCase().startsWith(lower))
    return starting.length === 1 ? likely(starting[0]?.wallet) : OTHER
  }
  const [, start = '', end = ''] = address
  const fitting = watches
    .map(({ wallet }) => wallet)
    .filter((wallet) => wallet.toLowerCase().startsWith(start) && wallet.toLowerCase().endsWith(end))
  if (fitting.length === 1) return value(fitting[0])
  const shown = word.length > 12 ? shortWallet(word) : word
  return wrong(
    fitting.length === 0
      ? words('parse.wallet.unknown', { wallet: shown })
      : words('parse.wallet.several', { count: fitting.length, start: shown }),
  )
}

/** Reads `-2`, `1.5k`, `$5k`, `-$200`, `200$`, `-50%` exactly, so that the preview is for the typed size. */
function sizeOf(word: string, { numbers }: Vocabulary): Match {
  const size = signedIn(word, numbers)
  if ('is' in size) return size
  return size.amount === 0n ? wrong(words('parse.size.zero')) : value(size)
}

function signedIn(word: string, numbers: NumberStyle): SizeText | Match {
  const match = /^([+-]?)(\$?)([+-]?)([^%$]+)([%$]?)$/.exec(asciiMinus(word))
  if (!match) return OTHER
  const [, before = '', dollar = '', after = '', figure = '', unit = ''] = match
  if ((before !== '' && after !== '') || (dollar !== '' && unit !== '')) return OTHER
  const typed = parseFigure(figure, numbers)
  if (typed.is === 'two') return eitherWay(word, figure, typed.decimals, numbers)
  const magnitude = typed.is === 'one' ? parseDecimal(typed.decimal) : null
  if (magnitude === null || magnitude < 0n) return OTHER
  const amount = before === '-' || after === '-' ? -magnitude : magnitude
  if (unit === '%') return { unit: 'share', amount: amount / 100n, typed: word }
  return { unit: dollar !== '' || unit === '$' ? 'usd' : 'base', amount, typed: word }
}

/** Reads `-5k`, `$200`, `+2000$`, `-20%`. Without a unit it is money. */
function sumOf(word: string, { numbers }: Vocabulary, taken: (sum: Sum) => unknown): Match {
  const size = signedIn(word, numbers)
  if ('is' in size) return size
  const sum = taken({ unit: size.unit === 'share' ? 'share' : 'usd', value: toNumber(size.amount) })
  return sum === null ? OTHER : value(sum)
}

/** Reads `70000`, `70,000`, `$70k`, `70k$` exactly. */
function priceOf(word: string, { numbers }: Vocabulary): Match {
  if (/\d\s?[€£]$|^[€£]\d/.test(word)) return wrong(words('parse.price.dollars'))
  const match = /^(\$?)([^$]+)(\$?)$/.exec(asciiMinus(word))
  const [, before = '', figure = '', after = ''] = match ?? []
  if (before !== '' && after !== '') return OTHER
  const typed = parseFigure(figure, numbers)
  if (typed.is === 'two') return eitherWay(word, figure, typed.decimals, numbers)
  const price = typed.is === 'one' ? parseDecimal(typed.decimal) : null
  if (price === null) return OTHER
  return price > 0n ? value(price) : wrong(words('parse.price.zero'))
}

/** In `10,5` the comma may separate two figures, unless it is the person's decimal mark. */
function percentsOf(word: string, vocabulary: Vocabulary): Match {
  const [, first, second] = /^(\d{1,2}),(\d{1,2})\s*%?$/.exec(word) ?? []
  if (first === undefined || second === undefined || STYLE_MARKS[vocabulary.numbers].decimal === ',')
    return percentOf(word, vocabulary)
  const names = [`${first}.${second}%`, `${first}% ${second}%`]
  return { is: 'several', names, why: orText(names) }
}

function percentOf(word: string, { numbers }: Vocabulary): Match {
  if (!/\d/.test(word) || /^0x/i.test(word)) return OTHER
  const typed = parsePercent(asciiMinus(word), numbers)
  if (typed.is === 'two') return eitherWay(word, word.replace(/^\D*|\D*$/g, ''), typed.decimals, numbers)
  const fraction = typed.is === 'one' ? fractionOf(typed.decimal) : null
  return fraction === null ? OTHER : value(fraction)
}

/** Asks which figure is meant: a wrong guess would be off by a factor of a thousand. */
function eitherWay(word: string, figure: string, decimals: readonly string[], numbers: NumberStyle): Match {
  const { group, decimal } = STYLE_MARKS[numbers]
  const ways = decimals.map((one) => {
    const [whole = '', ...fraction] = one.replace(/^[+-]/, '').split('.')
    const as = (thousands: string) =>
      word.replace(figure, () => [whole.replace(/\B(?=(\d{3})+$)/g, thousands), ...fraction].join(decimal))
    return { read: as(group), typed: as('') }
  })
  const labels = ways.map((way) => way.read)
  return {
    is: 'several',
    names: ways.map((way) => way.typed),
    labels,
    why: orText(labels),
  }
}

function orText([first = '', second = '']: readonly string[]): Text {
  return words('parse.or', { first, second })
}

/** Phones replace hyphens by dashes or minus signs. */
function asciiMinus(word: string): string {
  return word.replace(/[−–—]/, '-')
}

export function match(meta: ArgumentMeta, word: string, vocabulary: Vocabulary): Match {
  const { argument, per, everywhere = false } = meta
  if (everywhere) return everywhereMeant(MATCHERS[argument](word, vocabulary, meta))
  if (per === undefined) return MATCHERS[argument](word, vocabulary, meta)
  const { percent, times } = rateTyped(word, per)
  const found = MATCHERS[argument](percent, vocabulary, meta)
  if (times === null) return found.is === 'value' && found.value !== 0 ? inWhichTime(word) : found
  if (times === 1 || found.is !== 'value') return found
  const rate = Number(found.value) * times
  return Number.isFinite(rate) ? value(rate) : OTHER
}

/** The same coin at every venue. */
function everywhereMeant(found: Match): Match {
  return found.is === 'value' || found.is === 'likely'
    ? { is: found.is, value: [found.value, ...(found.also ?? [])] }
    : found
}

/** Rewrites a word for the line of a button. It must still read the same if the person changes the number style. */
export function forLater(meta: ArgumentMeta, word: string, vocabulary: Vocabulary): string {
  if (readsTheSame(word)) return word
  const read = match(meta, word, vocabulary)
  if (read.is !== 'value') return word
  if (meta.argument === 'size') return typedSize(read.value as SizeText)
  if (meta.argument === 'sums') return typedSum(read.value as Sum)
  if (meta.argument === 'usd') return typedSum({ unit: 'usd', value: read.value as number })
  if (meta.argument === 'price') return typedPrice(read.value as Amount)
  if (meta.argument === 'duration') return durationText(read.value as number)
  if (meta.argument === 'moves') return moveTyped(word, read.value as Move)
  if (meta.per !== undefined) return ratePer(meta.per, read.value as number)
  return meta.argument === 'percent' || meta.argument === 'percents'
    ? percentTyped(read.value as number)
    : word
}

export function nameableIn(view: View): Nameable {
  const markets = [...view.listed().values()].map((reading) => reading.value)
  return { markets, venues: view.status().venues }
}

/** Finds a market by its name, in any notation. */
function marketOf(word: string, view: View): Match {
  const nameable = nameableIn(view)
  const named = marketNamed(word, nameable)
  if (named?.is === 'several') return { is: 'several', names: named.markets.map(({ symbol }) => symbol) }
  if (named) {
    const { market, isExact, elsewhere } = named
    const also = elsewhere === null ? {} : { also: elsewhere.map(({ id }) => id) }
    return { is: isExact ? 'value' : 'likely', value: market.id, ...also }
  }
  const ways = new Set([word, withoutQuote(word)].map((one) => one.toLowerCase()))
  const unreadable = view.unreadable().find((symbol) => ways.has(symbol.toLowerCase()))
  if (unreadable !== undefined) return wrong(words('parse.market.unreadable', { market: unreadable }))
  return unreadDex(word, nameable)
}

/** Whether a word is a symbol that is listed, in any notation, or the name of a coin. */
export function isMarketName(word: string, vocabulary: Vocabulary): boolean {
  const { is } = MATCHERS.market(word, vocabulary, { words: [] })
  return is === 'value' || is === 'likely' || is === 'several' || isCoin(word)
}

/** Dexes are read in turn. Until one was read, Perch cannot say that its markets do not exist. */
function unreadDex(word: string, { markets, venues: [first, ...others] }: Nameable): Match {
  const [, dex = ''] = /^(\w+):\w/.exec(word) ?? []
  if (dex.toLowerCase() === first?.toLowerCase()) return OTHER
  const isVenue = others.some((name) => name.toLowerCase() === dex.toLowerCase())
  if (!isVenue && first !== undefined && nearest(dex, [first, ...others]) !== null) return OTHER
  const inDexes = isVenue || markets.some(({ accountId }) => accountId !== null)
  const known = markets.some((market) => market.dex?.toLowerCase() === dex.toLowerCase())
  return dex === '' || !inDexes || known ? OTHER : wrong(words('parse.book.unread', { book: dex }))
}

const HOURS = { h: 1, d: 24, w: 7 * 24, m: 365 * 2, y: 365 * 24 } as const
const PERIOD = /^(.*%)\s?\/\s?(\d{1,2})?\s?(h|hrs?|hours?|d|days?|w|weeks?|mo|months?|y|yr|years?|annum)$/i

/**
 * Reads `50%/y` and `0.01%/8h` as the share and how often it is paid in the period meant; null if no period is given.
 */
function rateTyped(word: string, per: Per): { percent: string; times: number | null } {
  const [, percent, count = '1', unit = ''] = PERIOD.exec(word) ?? []
  if (percent === undefined) return { percent: word, times: null }
  const key = (unit.toLowerCase() === 'annum' ? 'y' : unit.charAt(0).toLowerCase()) as keyof typeof HOURS
  const hours = Number(count) * HOURS[key]
  return { percent, times: hours === 0 ? NaN : HOURS[per === 'year' ? 'y' : 'd'] / hours }
}

/**
 * Venues show funding per hour or per 8 hours, others per day or year. The wrong guess is off by a factor of up to 8,760, so
 * the person is asked.
 */
function inWhichTime(word: string): Match {
  const figure = word.replace(/\s?%$/, '')
  const names = ['h', '8h', 'd', 'y'].map((time) => `${figure}%/${time}`)
  return { is: 'several', names, why: words('parse.rate-time', { rate: `${figure}%` }) }
}

/** Several meanings: only the person knows which. `labels` show the names in the person's style. */
export interface Several {
  is: 'several'
  names: readonly string[]
  labels?: readonly string[]
  why?: Text
}

/** The meaning of one word for one type of argument. */
type Match =
  /** `also`: the markets of the same coin at other venues, if the word names no venue; else left out. */
  | { is: 'value'; value: unknown; also?: readonly string[] }
  /** A likely meaning, used if the word fits nothing exactly. */
  | { is: 'likely'; value: unknown; also?: readonly string[] }
  | Several
  /** Not of this type. */
  | { is: 'other' }
  | Wrong

/** Certainly of this type, but wrong. `why` is the answer, and `guard` the line that watches a followed wallet. */
type Wrong = { is: 'wrong'; why: Text; guard?: string }
const OTHER: Match = { is: 'other' }
const value = (of: unknown): Match => ({ is: 'value', value: of })
const likely = (of: unknown): Match => ({ is: 'likely', value: of })
const wrong = (why: Text): Wrong => ({ is: 'wrong', why })
