import type { ArgumentMeta } from '../../chat/argument.ts'
import { legible } from '../../lib/text/legible.ts'
import { spansJoined } from '../../lib/time/span-text.ts'

/** Other words for the words of a choice. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  above: ['>', '>=', '=>', '≥', 'over', 'more', 'higher', 'greater', 'über', 'ueber'],
  below: ['<', '<=', '=<', '≤', 'under', 'less', 'lower', 'unter'],
}
const MEANT: ReadonlyMap<string, string> = new Map(
  Object.entries(SAME).flatMap(([word, others]) => others.map((other) => [other, word])),
)

/** Returns the usual word for a typed one: `below` for `<`. */
export function usualWord(word: string): string {
  const lower = word.toLowerCase()
  return MEANT.get(lower) ?? lower
}

export function isWay(word: string): boolean {
  return usualWord(word) in SAME
}

/**
 * Words that join a sentence and have no meaning of their own. Case matters: in capitals they could be markets, and
 * ignoring a market would make a rule wider than intended.
 */
const TIES: ReadonlySet<string> = new Set(['for', 'in', 'at', 'is', 'when', 'if', 'and', 'or', 'the'])

export function isTie(word: string): boolean {
  return TIES.has(word)
}

/** Polite beginnings of a request. They have no meaning for the rule. */
const ASKING =
  /^(?:please )?(?:(?:tell|alert|warn|notify|ping|remind|message) me|let me know)(?: (?:when|if|once|about|as soon as))?(?: the)?(?: |$)/
/** Longest such beginning, in words. */
const ASKING_WORDS = 9

/** Drops the beginning: `tell me when ETH …` becomes `ETH …`. */
export function withoutAsking(words: readonly string[]): readonly string[] {
  const [asked] = ASKING.exec(`${words.slice(0, ASKING_WORDS).join(' ').toLowerCase()} `) ?? ['']
  const count = asked.split(' ').filter((word) => word !== '').length
  return words.slice(count)
}

/** Small words of a sentence that say nothing to a command. In capitals they could be markets. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    "a an the my mine me i im i’m i'm you your u ur it its it’s it's this these those there here " +
    'please pls plz plss kindly just hey hi hello perch bot so well actually maybe ' +
    'can could would will shall should do does did dont is are was be been being am have has had got get gets getting ' +
    "what whats what’s what's how hows how’s how's which where who when if why much many " +
    'show see give gimme tell know let lemme list check view look want wanna need like try make put set ' +
    'at up for of on in about with to into from by as and or than then that now right currently today atm rn ' +
    'wie was wo wann wer ist sind bin hast habe ich mein meine meinen meiner mir mich du bitte zeig zeige gib der die das den dem ein eine und für bei von auf um an im in wenn sobald falls geht jetzt gerade ' +
    'any some again more still doing going go looking trading worth it? their our we us one ones'
  ).split(' '),
)

export function isFiller(word: string): boolean {
  return FILLERS.has(word.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase()))
}

const LOSS = /^(?:loss|losses|loses?|losing)$/i
const GAIN = /^(?:gains?|gaining)$/i
const UNSIGNED = /^\$?\d[\d.,]*[kmb%]?\$?$/i

/** Reads `loss 5k` as -5k and `gain 5k` as 5k. A contradicting sign leaves the words as they are. */
function withWays(words: readonly string[]): readonly string[] {
  const isLoss = words.some((word) => LOSS.test(word))
  if (!isLoss && !words.some((word) => GAIN.test(word))) return words
  const against = isLoss ? /^\+\$?\d/ : /^\$?[-−–—]\$?\d/
  if (words.some((word) => against.test(word))) return words
  const isSum = (word: string, at: number) => UNSIGNED.test(word) && words[at - 1]?.toLowerCase() !== 'for'
  const signed = isLoss ? words.map((word, at) => (isSum(word, at) ? `-${word}` : word)) : words
  return signed.filter((word) => !LOSS.test(word) && !GAIN.test(word))
}

const BUYS = /^(?:buy|buying|long|add)$/i
const SELLS = /^(?:sell|selling|short|close|reduce)$/i

/** Reads `buy 1` as 1 and `sell 1` as -1. */
function withSides(words: readonly string[]): readonly string[] {
  const isSale = words.some((word) => SELLS.test(word))
  if (!isSale && !words.some((word) => BUYS.test(word))) return words
  const isSize = (word: string) => /^\$?\d[\d.,]*[kmb%]?\$?$/i.test(word)
  const signed = isSale ? words.map((word) => (isSize(word) ? `-${word}` : word)) : words
  return signed.filter((word) => !SELLS.test(word) && !BUYS.test(word))
}

const SIGNS = /(<=|>=|=<|=>|[<>≤≥])/
const FIGURE = /^[-+−–—]?\$?\d[\d.,]*[kmb]?\$?$/i
const PERCENT = /\d\s?%$/
const PERIOD = /^(?:per|a|each|every|\/)$/i
const YEARLY = /^(?:p\.?a\.?|apr|annually|yearly)$/i
const DAILY = /^daily$/i
const HOURLY = /^hourly$/i
const TIME =
  /^(?:days?|tagen?|tage?|d|hours?|hrs?|stunden?|std|h|minute[ns]?|mins?|seconds?|secs?|sekunden?)$/i
const DOLLARS = /^(?:\$|usd|usd[ct]|dollars?)$/i
/** `2400USDT`, `500usd`. */
const GLUED_DOLLARS = /^([-+−–—]?\$?\d[\d.,]*[kmb]?)(?:usd[ct]?|dollars?)$/i
const MOVES = /^(?:is|goes|gets|falls|drops|rises|climbs)$/i

/** Joins phrases and splits glued words where these fields take them: `2 hours`, `50% a year`, `ETH<2400`. */
export function phrased(words: readonly string[], metas: readonly ArgumentMeta[]): string[] {
  const takes = (...types: string[]) => metas.some(({ argument }) => types.includes(argument))
  const ways = metas.some((meta) => meta.words.some((word) => word in SAME))
  const rates = metas.some(({ per }) => per !== undefined)
  const signed = takes('sums') ? withWays(words) : takes('size') ? withSides(words) : words
  const whole = takes('span') ? spansJoined(signed) : signed
  const apart = ways ? whole.flatMap((word) => signsApart(word)) : whole
  const joined: string[] = []
  for (let at = 0; at < apart.length; at++) {
    const typed = apart[at] ?? ''
    const money = takes('price', 'size', 'usd', 'sums') ? GLUED_DOLLARS.exec(typed)?.[1] : undefined
    const word = money === undefined ? typed : money.includes('$') ? money : `${money}$`
    const [next = '', afterwards = ''] = apart.slice(at + 1)
    if (ways && MOVES.test(word) && isWay(next)) continue
    if (ways && next.toLowerCase() === 'than' && isWay(word)) {
      joined.push(usualWord(word))
      at += 1
    } else if (rates && PERCENT.test(word) && PERIOD.test(next) && afterwards !== '') {
      const unit = /^\d+$/.test(afterwards) ? (apart[at + 3] ?? '') : ''
      joined.push(`${word}/${afterwards}${unit}`)
      at += unit === '' ? 2 : 3
    } else if (rates && PERCENT.test(word) && (DAILY.test(next) || HOURLY.test(next))) {
      joined.push(`${word}/${DAILY.test(next) ? 'd' : 'h'}`)
      at += 1
    } else if (rates && PERCENT.test(word) && (YEARLY.test(next) || /^\/\w/.test(next))) {
      joined.push(`${word}${next.startsWith('/') ? next : '/y'}`)
      at += 1
    } else if (takes('duration') && /^(?:\d[\d.,]*|an?)$/.test(word) && TIME.test(next)) {
      joined.push(`${word.startsWith('a') ? '1' : word} ${next}`)
      at += 1
    } else if (takes('price', 'size', 'usd', 'sums') && FIGURE.test(word) && DOLLARS.test(next)) {
      joined.push(word.includes('$') ? word : `${word}$`)
      at += 1
    } else joined.push(word)
  }
  return joined
}

/** Splits `ETH<2400` into three words. A word with a space in it was quoted or joined before and stays. */
function signsApart(word: string): string[] {
  return /\s/.test(word) ? [word] : word.split(SIGNS).filter((part) => part !== '')
}

/** Sentences with more words are searched for an address alone, since each reading takes time. */
export const LONGEST_SENTENCE = 24

/** Longer lines are cut. Nobody types them, and parsing must stay fast. */
const LONGEST_LINE = 2_000

/** Quoted words, a figure and its `%` after a space, or a word. */
const TOKEN = /["“”„«»]([^"“”„«»]*)["“”„«»]?|(-?\d[\d.,]*\s+%)(?=\s|$|\/\p{L})|(\S+)/gu

/** Splits a line at white space. Quotes of any style keep words together; an open quote ends with the line. */
export function tokens(line: string): string[] {
  const found: string[] = []
  for (const match of legible(line.slice(0, LONGEST_LINE)).matchAll(TOKEN)) {
    const token = (match[1] ?? match[2]?.replace(/\s+/, '') ?? match[3] ?? '').trim()
    if (token !== '') found.push(NUMBER.test(token) ? asciiNumber(token) : token)
  }
  return found
}

/** A number in any script, alone or with a unit: `٢٤٠٠`, `６７．５ｋ`, `२४००`. */
const NUMBER = /^(?=.*(?!\d)\p{Nd})[\p{Nd}.,٫٬٪:+\-−–—%$kmbh．，％＄：－＋ｋｍｂ]+$/iu
const MARKS: ReadonlyMap<string, string> = new Map([
  ['٫', '.'],
  ['٬', ','],
  ['٪', '%'],
])

/** The number with the digits 0 to 9. A script has its ten digits side by side. */
function asciiNumber(token: string): string {
  return [...token.normalize('NFKC')]
    .map((sign) => {
      if (!/(?!\d)\p{Nd}/u.test(sign)) return MARKS.get(sign) ?? sign
      const code = sign.codePointAt(0) ?? 0
      let digit = 0
      while (digit < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - digit - 1))) digit += 1
      return String(digit)
    })
    .join('')
}

/** Joins words into a line that splits into the same words. */
export function lineOf(words: readonly string[]): string {
  return words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ')
}

const SAID_BACK = 24

/** Quotes a typed word in an answer, cut to a recognizable length. */
export function saidBack(words: string): string {
  const points = [...words]
  return points.length > SAID_BACK ? `${points.slice(0, SAID_BACK).join('')}…` : words
}
