import { MAIN_DEX } from '../../../venue/market.ts'
import { idWithin, venueOf } from '../../../venue/venue-name.ts'

/**
 * Where an account of a wallet with accounts at several venues is: `lighter`, or `xyz` for an inner dex of the first
 * venue, and `hyperliquid:xyz` for one of a later venue. A numbered account of a venue is named by the venue.
 */
export function accountPlace(accountId: string, [first = '', ...others]: readonly string[]): string {
  const venue = venueOf(accountId, others)
  const within = venue === undefined ? accountId : idWithin(venue, accountId)
  if (within === MAIN_DEX || /^\d+$/.test(within)) return venue ?? first
  return venue === undefined ? within : `${venue}:${within}`
}
