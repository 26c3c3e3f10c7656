import { formatDecimal } from '../../../venue/amount.ts'
import { good } from '../endpoints/endpoint.ts'
import { setFundingRate } from '../exchange/exchange.ts'
import { amount, door, fields, marketOf, symbol } from './door.ts'

export const funding = door({
  ...{ method: 'POST', path: '/_sim/funding', body: fields({ symbol, ratePerDay: amount('ratePerDay') }) },
  example: { symbol: 'ETH', ratePerDay: '-0.0004' },
  does: 'sets the funding rate, a fraction per day that longs pay; it goes on from there as the skew says',
  open(stage, { symbol: wanted, ratePerDay }) {
    const market = marketOf(stage, wanted)
    if ('status' in market) return market
    setFundingRate(stage.exchange, market, ratePerDay)
    return good({ symbol: market.terms.symbol, ratePerDay: formatDecimal(ratePerDay) })
  },
})
