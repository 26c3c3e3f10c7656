import { codePointsIn, startOf } from '../lib/text/legible.ts'
import { type Language, LANGUAGES, sentenceLength } from '../words/words.ts'
import {
  type Argument,
  type Item,
  linesOf,
  type Message,
  MESSAGE_CODE_POINTS,
  type Span,
  spansOf,
  type Text,
  TITLE_CODE_POINTS,
  wordsOf,
} from './message.ts'

// Nothing is cut inside: a line is shown whole or not at all, and only a long name loses its middle.

/** Shorter words are no names that a reader knows by their ends alone. */
const SHORTEST_NAME = 12
/** A number with its unit. */
const FIGURE = /^[-+±(]*[$#]?[\d.,:]+(?:%|x|[kMB])?[),.;:]*$/

/** The text within this many code points: long names lose their middle, figures and times stay whole. */
export function shortened(text: Text, most: number, shortest = SHORTEST_NAME): Text {
  let over = codePoints(text) - most
  if (over <= 0) return text
  const spans = [...spansOf(text)]
  for (const [length, at, word] of names(spans)) {
    if (over <= 0 || length <= shortest) break
    const kept = Math.max(length - over, shortest)
    spans[at] = withWords(spans[at] ?? '', (words) => words.replace(word, () => middleCut(word, kept)))
    over -= length - kept
  }
  const shorter = spans.length === 1 && typeof spans[0] === 'string' ? spans[0] : spans
  return over <= 0 ? shorter : beginning(spansOf(shorter), most)
}

/** Long words that are no numbers, the longest first, each with its length and its span. */
function names(spans: readonly Span[]): [length: number, at: number, word: string][] {
  return spans
    .flatMap((span, at) => {
      const all: string[] = []
      withWords(span, (words) => {
        all.push(...words.split(/\s+/).filter((word) => !FIGURE.test(word)))
        return words
      })
      return all.map((word): [number, number, string] => [codePoints(word), at, word])
    })
    .filter(([length]) => length > SHORTEST_NAME)
    .toSorted(([a], [b]) => b - a)
}

/** The span with its literal words changed; those of a sentence are in its arguments. */
function withWords(span: Span, change: (words: string) => string): Span {
  if (typeof span === 'string') return change(span)
  if ('strong' in span) return { strong: change(span.strong) }
  if ('code' in span) return { code: change(span.code) }
  if (!('phrase' in span)) return span
  const given = Object.entries(span.with).map(([name, value]) => {
    if (typeof value === 'number') return [name, value]
    const changed = spansOf(value).map((one) => withWords(one, change))
    return [name, Array.isArray(value) ? changed : (changed[0] ?? '')]
  })
  return { ...span, with: Object.fromEntries(given) as typeof span.with }
}

function middleCut(word: string, most: number): string {
  const points = [...word]
  const tail = Math.floor((most - 1) / 2)
  return `${points.slice(0, most - 1 - tail).join('')}…${points.slice(points.length - tail).join('')}`
}

/** The first words of a sentence that is too long without any long name. */
function beginning(spans: readonly Span[], most: number): Text {
  const kept: Span[] = []
  let left = most - 1
  for (const span of spans) {
    if (spanPoints(span) > left) {
      const whole = typeof span !== 'string' && ('time' in span || 'figure' in span)
      kept.push(whole ? '…' : startOf(wordsOf(span), left))
      break
    }
    kept.push(span)
    left -= spanPoints(span)
  }
  return kept.length === 1 && typeof kept[0] === 'string' ? kept[0] : kept
}

/** The longest time on a platform that cannot show times itself: `15. Sept. 14:02 UTC`. */
const TIME_CODE_POINTS = 19

/** The longest length of a text in any zone, style and language. */
export function codePoints(text: Text): number {
  if (typeof text === 'string') return codePointsIn(text)
  let sum = 0
  for (const span of text) sum += spanPoints(span)
  return sum
}

function spanPoints(span: Span): number {
  if (typeof span !== 'string' && 'time' in span) return TIME_CODE_POINTS
  if (typeof span === 'string' || !('phrase' in span)) return codePointsIn(wordsOf(span))
  let most = 0
  for (const language of LANGUAGES) most = Math.max(most, argumentPoints(span, language))
  return most
}

/** Sums up. To put each sentence into words only to measure it took a third of the judging of a crash. */
function argumentPoints(part: Argument, language: Language): number {
  if (typeof part === 'string') return codePointsIn(part)
  if (typeof part === 'number') return String(part).length
  if (!Array.isArray(part)) {
    const span = part as Exclude<Span, string>
    if (!('phrase' in span)) return spanPoints(span)
    return sentenceLength<Argument>(language, span.phrase, span.with, argumentPoints)
  }
  let sum = 0
  for (const span of part as readonly Span[]) sum += argumentPoints(span, language)
  return sum
}

/** How long an item is, line ends included. */
export function itemPoints(item: Item): number {
  return codePoints(item.title) + 1 + linePoints(item)
}

function linePoints(item: Item): number {
  let sum = 0
  for (const line of linesOf(item)) sum += codePoints(line) + 1
  return sum
}

/**
 * The item within this many code points: long names are shortened, and then its least important lines go, those of a list
 * counted. Details for readers of the long form have as much space again.
 */
export function bounded(item: Item, most = MESSAGE_CODE_POINTS): Item {
  const { details = [], ...short } = item
  const fit = boundedShort(short, most)
  let left = most
  const kept = details.filter((line) => (left -= codePoints(line) + 1) >= 0)
  return kept.length === 0 ? fit : { ...fit, details: kept }
}

function boundedShort(item: Item, most: number): Item {
  const room = Math.min(TITLE_CODE_POINTS, most - COUNT_POINTS)
  const titlePoints = codePoints(item.title)
  // As nearly always: nothing is measured twice.
  if (titlePoints <= room && titlePoints + 1 + linePoints(item) <= most) return item
  const titled = { ...item, title: shortened(item.title, room) }
  if (itemPoints(titled) <= most) return titled
  const named = withShortNames(titled)
  for (const shorter of leanerItems(named)) if (itemPoints(shorter) <= most) return shorter
  return { ...lean(named), lines: [], more: (item.more ?? 0) + item.lines.length }
}

const LONGEST_NAME = 24
/** Room for a count below the title: `and 12 more` in any language, and its line end. */
const COUNT_POINTS = 20

function withShortNames(item: Item): Item {
  const short = (text: Text): Text => {
    const over = names(spansOf(text)).reduce((sum, [length]) => sum + Math.max(length - LONGEST_NAME, 0), 0)
    return over > 0 ? shortened(text, codePoints(text) - over, LONGEST_NAME) : text
  }
  const { lines, figures, ways } = item
  return {
    ...item,
    lines: lines.map(short),
    ...(figures === undefined ? {} : { figures: figures.map(short) }),
    ...(ways === undefined ? {} : { ways: ways.map(short) }),
  }
}

/** The item, and then ever shorter ones. */
function* leanerItems(item: Item): Generator<Item> {
  for (const lean of LEANER) yield lean(item)
  const least = lean(item)
  for (let kept = item.lines.length - 1; kept >= 0; kept--) {
    const more = (item.more ?? 0) + item.lines.length - kept
    yield { ...least, lines: item.lines.slice(0, kept), more }
  }
}

const LEANER: readonly ((item: Item) => Item)[] = [
  (item) => item,
  ({ details: _details, ...item }) => item,
  ({ details: _details, figures: _figures, ...item }) => item,
  ({ details: _details, figures: _figures, note: _note, ways = [], ...item }) =>
    ways.length === 0 ? item : { ...item, ways: ways.slice(0, 1) },
  lean,
]

/** The title and the lines that always stay. A response that was made is one of them. */
function lean({ details: _d, figures: _f, ways: _w, note, ...item }: Item): Item {
  return note === undefined || note === '' ? item : { ...item, note }
}

/** A message with the number of its entries that were left out. */
export interface Shorter {
  message: Message
  left: number
}

/**
 * Yields the message, and then ever shorter ones. First the less important lines of all items go, then rows of the
 * table, then whole items, the last first. At the end lines of the only item go.
 */
export function* leaner(message: Message): Generator<Shorter> {
  const { items, table } = message
  const rows = table?.rows.length ?? 0
  for (const lean of LEANER) yield { message: { ...message, items: items.map(lean) }, left: 0 }
  const least = items.map(lean)
  const tabled = (kept: number) => (table && kept > 0 ? { ...table, rows: table.rows.slice(0, kept) } : null)
  for (let left = 1; left <= rows; left++)
    yield { message: { ...message, items: least, table: tabled(rows - left) }, left }
  for (let kept = items.length - 1; kept > 0; kept--)
    yield {
      message: { ...message, items: least.slice(0, kept), table: null },
      left: items.length - kept + rows,
    }
  const [first] = items
  const left = Math.max(items.length - 1, 0) + rows
  for (const one of first ? leanerItems(first) : [])
    yield { message: { ...message, items: [one], table: null }, left }
  yield { message: { ...message, items: [], table: null }, left: items.length + rows }
}
