import type { View } from '../../../command/context.ts'
import { type Text, words } from '../../../message/message.ts'
import { type Market, sameCoinElsewhere } from '../../../venue/market.ts'
import { symbolAt, venueNameOf } from '../../../venue/venue-name.ts'

type Seen = Pick<View, 'listed' | 'status'>

/** More would not fit a line. */
const MOST_NAMED = 3

/** The markets of the same coin at other venues; none where there is one venue, or where the market is unknown. */
function elsewhere({ listed, status }: Seen, marketId: string): readonly Market[] {
  const { venues } = status()
  if (venues.length === 0) return []
  const all = listed()
  const market = all.get(marketId)?.value
  return market
    ? sameCoinElsewhere(
        market,
        [...all.values()].map((reading) => reading.value),
        venues,
      )
    : []
}

/**
 * `ETH on hyperliquid; also lighter:ETH`: says which market a name meant that several venues list. Empty if only one
 * does, or if the symbol names its venue.
 */
export function whichVenue(view: Seen, marketId: string): Text[] {
  const { venues } = view.status()
  const market = view.listed().get(marketId)?.value
  const [venue] = venues
  const others = elsewhere(view, marketId)
  if (!market || venue === undefined || others.length === 0 || venueNameOf(marketId, venues) !== venue)
    return []
  const named = others.slice(0, MOST_NAMED).map(({ symbol }) => symbol)
  return [words('venue.which', { symbol: market.symbol, venue, others: named.join(', ') })]
}

/** The name that means this market alone: `hyperliquid:ETH` where another venue lists the coin, else the symbol. */
export function exactName(view: Seen & Pick<View, 'symbol'>, marketId: string): string {
  const { venues } = view.status()
  const symbol = view.symbol(marketId)
  const [venue] = venues
  if (venue === undefined || venueNameOf(marketId, venues) !== venue) return symbol
  return elsewhere(view, marketId).length === 0 ? symbol : symbolAt(venue, symbol)
}

/** How a coin is called that was asked for: by the symbol of its first market, or exactly where one is meant of several. */
export function coinName(view: Seen & Pick<View, 'symbol'>, [first, ...others]: readonly string[]): string {
  if (first === undefined) return ''
  return others.length > 0 ? view.symbol(first) : exactName(view, first)
}
