import { z } from 'zod'

import { fromNumber } from '../../../venue/amount.ts'
import { good } from '../endpoints/endpoint.ts'
import type { VenueEvent } from '../exchange/venue-events.ts'
import type { Priced } from '../play/playback.ts'
import { plain } from '../wire/figures.ts'
import {
  door,
  fields,
  indexPrice,
  isIndexPrice,
  marketOf,
  noIndexPrice,
  type Stage,
  symbol,
  eventsJson,
} from './door.ts'

const WHICH = 'Give either price or shockPercent'

/** The venue's prices have ten digits. */
const DIGITS = 10

const body = z
  .strictObject(
    {
      symbol,
      price: indexPrice('price').optional(),
      shockPercent: z.number('shockPercent is a number').gt(-100, 'shockPercent is above -100').optional(),
    },
    'The body is a JSON object with symbol and either price or shockPercent (and nothing else)',
  )
  .refine((one) => (one.price === undefined) !== (one.shockPercent === undefined), WHICH)

export const price = door({
  ...{ method: 'POST', path: '/_sim/price', body },
  example: { symbol: 'ETH', shockPercent: -8 },
  does: 'moves the price at once, by `shockPercent` or to `price`; answers with what it was, what it is, who was liquidated, and all that happened',
  open(stage, asked) {
    const market = marketOf(stage, asked.symbol)
    if ('status' in market) return market
    const before = plain(market.indexPrice)
    const shocked = Number((before * (1 + (asked.shockPercent ?? 0) / 100)).toPrecision(DIGITS))
    const to = asked.price ?? fromNumber(shocked)
    if (to === null || !isIndexPrice(to)) return noIndexPrice(shocked)
    const happened = stage.setPrices([{ market, price: to }])
    const shown = { symbol: market.terms.symbol, before, price: plain(market.indexPrice) }
    return good({ ...shown, liquidated: liquidatedIn(stage, happened), happened: eventsJson(happened) })
  },
})

/** Moving related prices one after the other would liquidate accounts whose positions offset each other. */
export const prices = door({
  ...{ method: 'POST', path: '/_sim/prices' },
  body: fields({
    prices: z.record(symbol, indexPrice('a price'), 'prices is an object of prices by symbol'),
  }),
  example: { prices: { ETH: 2_400, BTC: 95_000 } },
  does: 'moves several prices at once; answers with who was liquidated, and all that happened',
  open(stage, asked) {
    const set: Priced[] = []
    for (const [name, to] of Object.entries(asked.prices)) {
      const market = marketOf(stage, name)
      if ('status' in market) return market
      set.push({ market, price: to })
    }
    const happened = stage.setPrices(set)
    return good({ liquidated: liquidatedIn(stage, happened), happened: eventsJson(happened) })
  },
})

function liquidatedIn({ exchange }: Stage, happened: readonly VenueEvent[]) {
  return happened.flatMap((one) => {
    if (one.is !== 'liquidated') return []
    const owner = exchange.accounts.get(one.accountId)?.wallet
    return [{ owner, symbol: exchange.markets.get(one.marketId)?.terms.symbol }]
  })
}
