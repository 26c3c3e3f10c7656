import { figure, type Row } from './rows.ts'

/** The rounds of a benchmark at one commit, each with its rows. */
export type Rounds = readonly (readonly Row[])[]

/** A row at both commits. */
export interface Compared {
  what: string
  unit: string
  better: Row['better']
  before: Measured | null
  now: Measured | null
  verdict: Verdict
}

/** The median of the rounds, and the figures between which all of them lie. */
export interface Measured {
  median: number
  least: number
  most: number
}

/** `unsure`: worse by a tenth, but the rounds of one commit differ as much. */
export type Verdict = 'better' | 'alike' | 'worse' | 'unsure' | 'new' | 'gone' | 'unmeasured'

/** A ratio that is worse by this much is a regression, and one that is better by it an improvement. */
const TENTH = 1.1

/**
 * Pairs the rows of both commits by their words, and judges each pair. Rows whose words hold figures that differ from round to
 * round are paired by the other words, in their order.
 */
export function compared(before: Rounds, now: Rounds): Compared[] {
  const keysOf = keying([...before, ...now])
  const [then, here] = [gathered(before, keysOf), gathered(now, keysOf)]
  return [...new Set([...here.keys(), ...then.keys()])].flatMap((key) => {
    const [rowsThen, rowsNow] = [then.get(key) ?? [], here.get(key) ?? []]
    const shown = rowsNow[0] ?? rowsThen[0]
    if (shown === undefined) return []
    const { what, unit, better } = shown
    const pair = { before: measured(rowsThen), now: measured(rowsNow) }
    const is = rowsThen.length === 0 ? 'new' : rowsNow.length === 0 ? 'gone' : null
    // A commit from before that field: its goal says it.
    const way = better ?? 'less'
    return [{ what, unit, better: way, ...pair, verdict: is ?? judged(pair.before, pair.now, way) }]
  })
}

/** Returns the keys of the rows of a round: equal for rows that say the same. */
function keying(all: Rounds): (rows: readonly Row[]) => string[] {
  const counts = new Map<string, number>()
  for (const rows of all)
    for (const what of new Set(rows.map((row) => row.what))) counts.set(what, (counts.get(what) ?? 0) + 1)
  return (rows) => {
    const seen = new Map<string, number>()
    return rows.map(({ what }) => {
      if (counts.get(what) === all.length) return what
      const words = what.replace(/\d[\d,.]*/g, '#')
      const place = seen.get(words) ?? 0
      seen.set(words, place + 1)
      return `${words} ${place}`
    })
  }
}

function gathered(rounds: Rounds, keysOf: (rows: readonly Row[]) => string[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>()
  for (const rows of rounds) {
    const keys = keysOf(rows)
    for (const [place, row] of rows.entries()) {
      const key = keys[place] ?? ''
      found.set(key, [...(found.get(key) ?? []), row])
    }
  }
  return found
}

function measured(rows: readonly Row[]): Measured | null {
  const values = rows.flatMap(({ found }) => (found === null ? [] : [found]))
  if (values.length === 0) return null
  // Of an even number the two in the middle count.
  const inOrder = values.toSorted((a, b) => a - b)
  const [low, high] = [(values.length - 1) / 2, values.length / 2].map(Math.floor)
  const median = ((inOrder[low ?? 0] ?? 0) + (inOrder[high ?? 0] ?? 0)) / 2
  return { median, least: Math.min(...values), most: Math.max(...values) }
}

function judged(before: Measured | null, now: Measured | null, better: Row['better']): Verdict {
  if (before === null || now === null) return 'unmeasured'
  const ratio = ratioOf(before, now)
  const worseBy = better === 'less' ? ratio : 1 / ratio
  if (worseBy <= 1 / TENTH) return 'better'
  // A tenth of 1 is no exact number.
  if (worseBy < TENTH - 1e-9) return 'alike'
  const apart = better === 'less' ? now.least > before.most : now.most < before.least
  return apart ? 'worse' : 'unsure'
}

/** Now divided by before. */
export function ratioOf(before: Measured, now: Measured): number {
  if (before.median === now.median) return 1
  return now.median / before.median
}

const WORDS: Record<Verdict, string> = {
  better: 'better',
  alike: 'alike',
  worse: '**worse**',
  unsure: 'worse? unsure: within the spread of the rounds',
  new: 'new',
  gone: 'gone',
  unmeasured: 'one of them measured nothing',
}
const [RED, PLAIN] = ['\u001B[31m', '\u001B[39m']

/** One line of the table, in Markdown; a regression is red where colours are shown. */
export function lineOf(
  { what, unit, better, before, now, verdict }: Compared,
  command: string,
  showsColour: boolean,
): string {
  const shown = (one: Measured | null) =>
    one === null ? '–' : `${figure(one.median, unit)} (${figure(one.least, '')} to ${figure(one.most, '')})`
  const ratio = before && now ? `${figure(ratioOf(before, now), '×')}, ${better} is better` : '–'
  const line = `| ${[what, shown(before), shown(now), ratio, WORDS[verdict], `\`${command}\``].join(' | ')} |`
  return verdict === 'worse' && showsColour ? `${RED}${line}${PLAIN}` : line
}
