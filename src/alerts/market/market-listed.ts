import { z } from 'zod'

import { eventKind } from '../../alert/define-kind.ts'
import { percent, price } from '../../message/figure.ts'
import { item, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { type KnownMarkets, listedSince } from '../../venue/listing.ts'
import { listingLines, listingTitle } from './listing-lines.ts'

/** Alerts when the venue lists a new market. */
export default eventKind({
  name: 'market-listed',
  aliases: ['listed', 'listing', 'listings', 'new-market', 'new-markets'],
  summary: words('kind.listed.summary'),
  example: 'market-listed',
  on: 'venue',
  params: z.object({}),
  severity: 'info',
  detect(_params, state: KnownMarkets | undefined, { dexes }) {
    const { known, listed } = listedSince(state ?? [], dexes)
    const detail = { markets: listed }
    const occurrences = [{ what: 'listed', value: listed.length, position: null, detail }]
    return { state: known, occurrences: listed.length > 0 ? occurrences : [] }
  },
  tell(_params, { detail: { markets } }, subject) {
    const [first, ...others] = markets
    const market = first && others.length === 0 ? subject.market(first.id) : undefined
    const figures = market
      ? [
          words('kind.listing.figures', {
            kind: market.priceName,
            price: price(toNumber(market.price)),
            rate: percent(toNumber(market.fundingRatePerDay) * 365),
          }),
        ]
      : []
    return item('info', listingTitle(markets, 'listed'), [...figures, ...listingLines(markets, subject)])
  },
})
