import { typedPrice } from '../../chat/argument.ts'
import { price as priceFigure } from '../../message/figure.ts'
import { item, message, words as sentence } from '../../message/message.ts'
import { type Amount, toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { coinCalled } from './coins.ts'
import { understood } from './forms.ts'
import { isFiller, isWay, lineOf, LONGEST_SENTENCE } from './phrases.ts'
import type { Asker, Spoken } from './small-talk.ts'
import { match, nameableIn, type Vocabulary } from './vocabulary.ts'

// A rule in a sentence: `alert me when eth hits 2k`. It is set at once only where the sentence asks for an alert.

const POLITE =
  /^(?:hey|hi|hello|ok|okay|so|and|perch|bot|please|pls|plz|bitte|kindly|just|now|can you|could you|would you|will you|can u|i would like(?: you)?(?: to)?|i['’]?d like(?: you)?(?: to)?|i want(?: you)?(?: to)?|i wanna|i need(?: you)?(?: to)?|set(?: up)?|create|make|add|new|give me|give|get|an?|the|another|price(?= (?:alert|alarm))) /
const ASKED =
  /^(?:(alerts?|alarm|warne?|wecke?|notify|notification|warn|warning|ping|wake|remind|reminder|buzz|dm)|tell|message|text|call|let|shout|say)(?: (?:me|us|up|know|mich|mir))*((?: (?:when|wenn|sobald|falls|if|once|as soon as|whenever|every time|anytime|in case|before))*)(?: (?:for|on|about|at|that|the|my|a|an|is))* /
const CONDITION = / (?:when|if|once|whenever|above|below|over|under|hits?|reaches|drops?|falls?|rises?) /
const ALERT = /^(?:alert|alarm|notification)$/i
/** A sentence that begins with one of these asks about something, and sets nothing. */
const QUESTION =
  /^(?:what|whats|what['’]s|how|hows|how['’]s|why|where|who|which|is|are|am|do|does|did|will|was|were|has|have|show|list)$/i

/** Returns the words that describe the alert, and whether the sentence asks for one. */
function wishOf(words: readonly string[]): { wished: readonly string[]; isAsked: boolean } {
  let said = `${words.map((word) => word.toLowerCase().replace(/[,;:!.]+$/, '')).join(' ')} `
  let skipped = 0
  const skip = (found: string) => {
    said = said.slice(found.length)
    skipped += found.trim().split(/ +/).length
  }
  for (let polite = POLITE.exec(said); polite; polite = POLITE.exec(said)) skip(polite[0])
  const asked = ASKED.exec(said)
  if (asked) skip(asked[0])
  const rest = words.slice(skipped)
  const isAlert = asked?.[1] !== undefined || rest.some((word) => ALERT.test(word))
  const isAsked = isAlert || (asked !== null && ((asked[2] ?? '') !== '' || CONDITION.test(` ${said}`)))
  return { wished: rest.filter((word) => !ALERT.test(word)), isAsked }
}

/** Reads a sentence as a rule: as its line, as a question, or as null where it is about something else. */
export function sentenceRule(typed: readonly string[], { vocabulary }: Asker): Spoken | null {
  const alert = vocabulary.commands.find(({ name }) => name === 'alert')
  if (!alert || typed.length > LONGEST_SENTENCE) return null
  const { wished, isAsked } = wishOf(typed)
  const [first = ''] = typed
  if (!isAsked && (QUESTION.test(first) || !wished.some((word) => /\d/.test(word)))) return null
  if (wished.length === 0) return { is: 'line', line: '/alert' }
  const words = withThousands(wished).map((word) => symbolOf(word.replace(/(?<=\S)[,;!?]+$/, ''), vocabulary))
  const level = levelIn(words, vocabulary)
  if (level !== null && level.isBare && !isAsked) return level.more.length === 0 ? whichWay(level) : null
  const meant = level?.words ?? mendedSum(words)
  const ways = variants(meant)
  for (const variant of ways) {
    const found = understood(alert, variant, vocabulary)
    if (found.is === 'form' && found.parsed.ok) return { is: 'line', line: `/alert ${lineOf(variant)}` }
  }
  const isRule = isAsked || words.some(isWay)
  return isRule ? { is: 'line', line: `/alert ${lineOf(ways.at(-1) ?? meant)}`.trimEnd() } : null
}

/** `120 000` is one figure: its side would be wrong otherwise. */
function withThousands(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const word of words) {
    const last = joined.at(-1) ?? ''
    if (/^\$?[1-9]\d{0,2}(?:\d{3})*$/.test(last) && /^\d{3}$/.test(word))
      joined[joined.length - 1] = last + word
    else joined.push(word)
  }
  return joined
}

/** `bitcoin` is unmistakable within a sentence. */
function symbolOf(word: string, { view }: Vocabulary): string {
  return coinCalled(word, nameableIn(view))?.symbol ?? word
}

const SOFT = /^(?:position|positions|price|market|wallet|account|something|anything|usd|dollars?)$/i
const INFLECTED: ReadonlyMap<string, string> = new Map([
  ['flips', 'flip'],
  ['flipped', 'flip'],
  ['closes', 'closed'],
  ['opens', 'opened'],
  ['fills', 'filled'],
  ['liquidated', 'liquidation'],
  ['liq.', 'liq'],
  ['away', ''],
  ['within', ''],
  ['close', ''],
  ['near', ''],
  ['distance', ''],
])

/** The same words with fewer of those that say nothing. The first variant that is understood counts. */
function variants(words: readonly string[]): string[][] {
  const plain = words.filter(
    (word, at) => !isFiller(word) || (word === 'for' && /\d/.test(words[at + 1] ?? '')),
  )
  const inflected = plain
    .flatMap((word) => INFLECTED.get(word.toLowerCase()) ?? word)
    .filter((word) => word !== '')
  const hard = inflected.filter((word) => !SOFT.test(word))
  return [[...words], plain, inflected, hard].filter((one) => one.length > 0)
}

/** `pnl below -1000`: the sign says the same. */
function mendedSum(words: readonly string[]): readonly string[] {
  if (!words.some((word) => /^(?:pnl|profit|loss)$/i.test(word))) return words
  const isLoss = words.some((word) => /^\$?[-−–—]\$?\d/.test(word))
  const way = isLoss ? /^(?:below|under|<|less)$/i : /^(?:above|over|>|more)$/i
  return words.filter((word) => !way.test(word))
}

/** A market and one price without `above` or `below`. */
interface Level {
  market: Market
  level: Amount
  now: number
  /** No word such as `hits` says that a price is meant. */
  isBare: boolean
  /** Words beside the market and the price, such as `for 5m`. */
  more: readonly string[]
  words: readonly string[]
}

const REACHES =
  /^(?:hits?|hitting|reach|reaches|reaching|touch|touches|cross|crosses|crossing|break|breaks|passes|gets|goes|falls?|drops?|dumps?|dips?|rises?|climbs?|pumps?|back)$/i
/** A figure beside one of these is no price. */
const OF_POSITIONS =
  /^(?:pnl|profit|loss|losses|loses?|losing|gains?|gaining|liq\w*|funding|margin|size|stop)$/i
const JOINS = /^(?:to|at|=|==|@|is|down|up|usd|usd[ct]|dollars?|price|the)$/i

/** Finds the price that a market is to reach; its side follows from the present price. */
function levelIn(words: readonly string[], vocabulary: Vocabulary): Level | null {
  if (words.some((word) => isWay(word) || word.includes('%') || OF_POSITIONS.test(word))) return null
  const read = (argument: 'market' | 'price', word: string) => {
    const found = match({ argument, asks: '', words: [] }, word, vocabulary)
    return found.is === 'value' || found.is === 'likely' ? found.value : null
  }
  const names = words.filter(
    (word) => !isFiller(word) && !/^[\d.,]+$/.test(word) && read('market', word) !== null,
  )
  const figures = words.filter(
    (word, at) => /\d/.test(word) && words[at - 1]?.toLowerCase() !== 'for' && read('price', word) !== null,
  )
  const [name, ...otherNames] = names
  const [figure, ...otherFigures] = figures
  if (name === undefined || figure === undefined || otherNames.length + otherFigures.length > 0) return null
  const market = vocabulary.view.listed().get(read('market', name) as string)?.value
  if (!market) return null
  const rest = words.filter((word) => word !== name && word !== figure)
  const more = rest.filter(
    (word) => !REACHES.test(word) && !JOINS.test(word) && !(isFiller(word) && word !== 'for'),
  )
  const [level, now] = [read('price', figure) as Amount, toNumber(market.price)]
  const way = toNumber(level) > now ? 'above' : 'below'
  return {
    ...{ market, level, now },
    more,
    isBare: !rest.some((word) => REACHES.test(word)),
    words: [market.symbol, way, typedPrice(level), ...more],
  }
}

function whichWay({ market: { symbol }, level, now }: Level): Spoken {
  const at = toNumber(level)
  const way = at > now ? 'above' : 'below'
  const title = sentence('parse.level', {
    market: symbol,
    now: priceFigure(now),
    way,
    level: priceFigure(at),
  })
  const buttons = [
    {
      label: sentence('parse.button.alert-me'),
      line: `/alert price ${symbol} ${way} ${typedPrice(level)}`,
      replace: true,
    },
    { label: sentence('parse.button.show', { what: symbol }), line: `/market ${symbol}`, replace: true },
  ]
  return { is: 'answer', answer: message([item('plain', title)], { buttons }) }
}
