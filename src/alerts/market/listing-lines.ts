import type { VenueSubject } from '../../alert/subject.ts'
import { joined, type Text, text, words } from '../../message/message.ts'
import { awayText } from '../../venue/closed-position.ts'
import type { Listed } from '../../venue/listing.ts'
import { oldText } from '../../venue/reading.ts'

/** The most markets in a title and in a line: a venue may list thousands at once. */
const MAX_TITLED_MARKETS = 3
const MAX_NAMED_MARKETS = 6
/** A venue may give a market any name. */
const MAX_SYMBOL_LENGTH = 20

/** `Listed: NEW`, `Delisted: NEW, OLD`, `Listed: 12 markets`. */
export function listingTitle(markets: readonly Listed[], what: 'listed' | 'delisted' | 'removed'): Text {
  const names = markets.map(shown)
  return names.length > MAX_TITLED_MARKETS
    ? words('kind.listing.many', { what, markets: names.length })
    : words('kind.listing.title', { what, markets: names.join(', ') })
}

/** The names that the title leaves out, and the age of the list. */
export function listingLines(markets: readonly Listed[], subject: VenueSubject): Text[] {
  const { now, marketsAt, awaySince } = subject
  const names = markets.slice(0, MAX_NAMED_MARKETS).map(shown)
  const more = markets.length - names.length
  const rest = more > 0 ? [words('kind.more', { more })] : []
  const old = oldText(now - marketsAt)
  return [
    ...(markets.length > MAX_TITLED_MARKETS ? [joined([names.join(', '), ...rest], ' ')] : []),
    ...(old === null ? [] : [text`${words('kind.what.list')} ${old}`]),
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
}

function shown({ symbol }: Listed): string {
  return symbol.length > MAX_SYMBOL_LENGTH ? `${symbol.slice(0, MAX_SYMBOL_LENGTH - 1)}…` : symbol
}
