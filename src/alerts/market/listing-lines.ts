import type { VenueSubject } from '../../alert/subject.ts'
import { age } from '../../message/figure.ts'
import { joined, type Text, text } from '../../message/message.ts'
import { awayText } from '../../venue/closed-position.ts'
import type { Listed } from '../../venue/listing.ts'

/** The most markets in a title and in a line: a venue may list thousands at once. */
const MAX_TITLED_MARKETS = 3
const MAX_NAMED_MARKETS = 6
/** A venue may give a market any name. */
const MAX_SYMBOL_LENGTH = 20

/** `NEW is listed`, `NEW and OLD are listed`, `12 markets are listed`. */
export function listingTitle(markets: readonly Listed[], what: string): string {
  const names = markets.map(shown)
  if (names.length > MAX_TITLED_MARKETS) return `${names.length} markets are ${what}`
  const last = names.pop() ?? ''
  return names.length === 0 ? `${last} is ${what}` : `${names.join(', ')} and ${last} are ${what}`
}

/** The names that the title leaves out, and the age of the list. */
export function listingLines(markets: readonly Listed[], subject: VenueSubject): Text[] {
  const { now, marketsAt, awaySince } = subject
  const names = markets.slice(0, MAX_NAMED_MARKETS).map(shown)
  const more = markets.length > MAX_NAMED_MARKETS ? ` and ${markets.length - MAX_NAMED_MARKETS} more` : ''
  return [
    ...(markets.length > MAX_TITLED_MARKETS ? [text`${joined(names, ', ')}${more}`] : []),
    text`list ${age(now - marketsAt)} old`,
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
}

function shown({ symbol }: Listed): string {
  return symbol.length > MAX_SYMBOL_LENGTH ? `${symbol.slice(0, MAX_SYMBOL_LENGTH - 1)}…` : symbol
}
