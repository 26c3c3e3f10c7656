import { z } from 'zod'

import { percent, price } from '../figure.ts'
import { eventKind } from '../kind.ts'
import { toNumber } from '../amount.ts'
import { listedSince } from '../listing.ts'
import type { KnownMarkets } from '../listing.ts'
import { item, text } from '../message.ts'
import { listingLines, listingTitle } from './words/listing.ts'

/** Tells when the venue lists a market that it did not have. */
export default eventKind({
  name: 'market-listed',
  aliases: ['listed', 'listing', 'listings', 'new-market', 'new-markets'],
  summary: 'the venue lists a new market',
  example: 'market-listed',
  on: 'venue',
  params: z.object({}),
  severity: 'info',
  fold(_params, memo: KnownMarkets | undefined, { books }) {
    const { known, listed } = listedSince(memo ?? [], books)
    const detail = { markets: listed }
    const happened = [{ what: 'listed', value: listed.length, position: null, detail }]
    return { memo: known, happened: listed.length > 0 ? happened : [] }
  },
  tell(_params, { detail: { markets } }, subject) {
    const [first, ...others] = markets
    const market = first && others.length === 0 ? subject.market(first.id) : undefined
    const figures = market
      ? [
          text`${market.priceName} price ${price(toNumber(market.price))}, funding ${percent(toNumber(market.fundingRatePerDay) * 365)} a year`,
        ]
      : []
    return item('info', listingTitle(markets, 'listed'), [...figures, ...listingLines(markets, subject)])
  },
})
