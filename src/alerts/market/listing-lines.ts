import type { VenueSubject } from '../../alert/subject.ts'
import { age } from '../../message/figure.ts'
import { joined, type Text, text } from '../../message/message.ts'
import { awayText } from '../../venue/closed-position.ts'
import type { Listed } from '../../venue/listing.ts'

/** In a title, and in a line; thousands at once are one message. */
const TITLED = 3
const NAMED = 6
/** A venue may call a market anything. */
const LONGEST = 20

/** `NEW is listed`, `NEW and OLD are listed`, `12 markets are listed`. */
export function listingTitle(markets: readonly Listed[], what: string): string {
  const names = markets.map(shown)
  if (names.length > TITLED) return `${names.length} markets are ${what}`
  const last = names.pop() ?? ''
  return names.length === 0 ? `${last} is ${what}` : `${names.join(', ')} and ${last} are ${what}`
}

/** Their names where the title has none, and how old the list is. */
export function listingLines(markets: readonly Listed[], subject: VenueSubject): Text[] {
  const { now, marketsAt, awaySince } = subject
  const names = markets.slice(0, NAMED).map(shown)
  const more = markets.length > NAMED ? ` and ${markets.length - NAMED} more` : ''
  return [
    ...(markets.length > TITLED ? [text`${joined(names, ', ')}${more}`] : []),
    text`list ${age(now - marketsAt)} old`,
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
}

function shown({ symbol }: Listed): string {
  return symbol.length > LONGEST ? `${symbol.slice(0, LONGEST - 1)}…` : symbol
}
