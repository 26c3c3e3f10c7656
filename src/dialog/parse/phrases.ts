import type { ArgumentMeta } from '../../chat/argument.ts'

/** Other words for those that a choice may have. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  above: ['>', '>=', '=>', '≥', 'over', 'more', 'higher', 'greater'],
  below: ['<', '<=', '=<', '≤', 'under', 'less', 'lower'],
}
const MEANT: ReadonlyMap<string, string> = new Map(
  Object.entries(SAME).flatMap(([word, others]) => others.map((other) => [other, word])),
)

/** `<` as `below`: the usual word for one that somebody has typed. */
export function usualWord(word: string): string {
  const lower = word.toLowerCase()
  return MEANT.get(lower) ?? lower
}

export function isWay(word: string): boolean {
  return usualWord(word) in SAME
}

/**
 * Words that tie a sentence together and say nothing of their own. Only as they stand here: in capitals they could be
 * markets, and a market that is passed over would make a rule wider than it was meant.
 */
const TIES: ReadonlySet<string> = new Set(['for', 'in', 'at', 'is', 'when', 'if', 'and', 'or', 'the'])

export function isTie(word: string): boolean {
  return TIES.has(word)
}

/** How people begin who ask a person. It says nothing of what they ask for. */
const ASKING =
  /^(?:please )?(?:(?:tell|alert|warn|notify|ping|remind|message) me|let me know)(?: (?:when|if|once|about|as soon as))?(?: the)?(?: |$)/
/** The most words that this takes. */
const ASKING_WORDS = 9

/** `tell me when ETH …` without what stands before ETH. */
export function withoutAsking(words: readonly string[]): readonly string[] {
  const [asked] = ASKING.exec(`${words.slice(0, ASKING_WORDS).join(' ').toLowerCase()} `) ?? ['']
  const count = asked.split(' ').filter((word) => word !== '').length
  return words.slice(count)
}

const LOSS = /^(?:loss|losses|loses?|losing)$/i
const GAIN = /^(?:gains?|gaining)$/i
const UNSIGNED = /^\$?\d[\d.,]*[kmb%]?\$?$/i

/** `loss 5k` as -5k, and `gain 5k` as 5k; as it stands where its sign says the opposite. */
function withWays(words: readonly string[]): readonly string[] {
  const isLoss = words.some((word) => LOSS.test(word))
  if (!isLoss && !words.some((word) => GAIN.test(word))) return words
  const against = isLoss ? /^\+\$?\d/ : /^\$?[-−–—]\$?\d/
  if (words.some((word) => against.test(word))) return words
  const isSum = (word: string, at: number) => UNSIGNED.test(word) && words[at - 1]?.toLowerCase() !== 'for'
  const signed = isLoss ? words.map((word, at) => (isSum(word, at) ? `-${word}` : word)) : words
  return signed.filter((word) => !LOSS.test(word) && !GAIN.test(word))
}

const SIGNS = /(<=|>=|=<|=>|[<>≤≥])/
const FIGURE = /^[-+−–—]?\$?\d[\d.,]*[kmb]?\$?$/i
const PERCENT = /\d\s?%$/
const PERIOD = /^(?:per|a|each|every|\/)$/i
const YEARLY = /^(?:p\.?a\.?|apr|annually|yearly)$/i
const TIME = /^(?:days?|d|hours?|hrs?|h|minutes?|mins?|seconds?|secs?)$/i
const DOLLARS = /^(?:\$|usd|usd[ct]|dollars?)$/i
const MOVES = /^(?:is|goes|gets|falls|drops|rises|climbs)$/i

/** What is one thing in several words, or several in one, where these fields take it: `ETH<2400`, `50% a year`, `2 hours`. */
export function phrased(words: readonly string[], metas: readonly ArgumentMeta[]): string[] {
  const takes = (...types: string[]) => metas.some(({ argument }) => types.includes(argument))
  const ways = metas.some((meta) => meta.words.some((word) => word in SAME))
  const rates = metas.some(({ per }) => per !== undefined)
  const signed = takes('sums') ? withWays(words) : words
  const apart = ways ? signed.flatMap((word) => signsApart(word)) : signed
  const joined: string[] = []
  for (let at = 0; at < apart.length; at++) {
    const word = apart[at] ?? ''
    const [next = '', afterwards = ''] = apart.slice(at + 1)
    if (ways && MOVES.test(word) && isWay(next)) continue
    if (ways && next.toLowerCase() === 'than' && isWay(word)) {
      joined.push(usualWord(word))
      at += 1
    } else if (rates && PERCENT.test(word) && PERIOD.test(next) && afterwards !== '') {
      joined.push(`${word}/${afterwards}`)
      at += 2
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

/** `ETH<2400` in three words. What is a word of its own with a space in it was put together by whoever typed it. */
function signsApart(word: string): string[] {
  return /\s/.test(word) ? [word] : word.split(SIGNS).filter((part) => part !== '')
}
