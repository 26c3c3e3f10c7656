import { type Amount, divide, fromNumber, magnitude, ONE, parseFixed } from '../../../venue/amount.ts'
import { parseWallet } from '../../../venue/wallet.ts'
import type { AccountStart, PositionStart } from '../exchange/exchange.ts'
import type { MarketStart } from '../exchange/market.ts'
import { fundingVelocity } from '../maths/amm.ts'
import { STANDARD_MARGIN } from '../maths/terms.ts'
import type { MarketRecord } from '../wire/market.ts'

/**
 * Rebuilds a venue's state from its market records. They do not name the holders of the open interest, so the
 * house holds all of it.
 */
export function readSnapshot(
  records: readonly MarketRecord[],
  nowSeconds: number,
): { markets: MarketStart[]; accounts: AccountStart[] } {
  const markets = records.map(marketStart)
  const side = (name: 'longOI' | 'shortOI', sign: bigint): PositionStart[] =>
    records.flatMap((record, at) => {
      const size = sign * integer(record[name])
      const entryPrice = markets[at]?.indexPrice ?? 0n
      const held = { marketId: record.marketId, size, entryPrice, enteredAtSeconds: nowSeconds }
      return size === 0n ? [] : [held]
    })
  return {
    markets,
    accounts: [houseAccount(1, side('longOI', 1n)), houseAccount(2, side('shortOI', -1n))],
  }
}

/** USD: more than any market can take from the house. */
const HOUSE_USD = 10_000_000_000n * ONE

/** Holds one side of all markets, so that every trader has a counterparty. */
function houseAccount(number: number, positions: readonly PositionStart[]): AccountStart {
  const parse = parseWallet(`0x40a5e${String(number).padStart(35, '0')}`)
  if (!parse.ok) throw new Error(parse.why)
  const id = `17014118346046923173168730371588410${String(number).padStart(4, '0')}`
  return { id, wallet: parse.wallet, collateralUsd: HOUSE_USD, positions }
}

function marketStart(record: MarketRecord): MarketStart {
  const makerFee = integer(record.makerFeeRatio)
  const takerFee = integer(record.takerFeeRatio)
  return {
    terms: {
      ...STANDARD_MARGIN,
      ...{ id: record.marketId, symbol: record.symbol, skewScale: integer(record.skewScale) },
      ...{ makerFee, takerFee, limitMakerFee: makerFee, limitTakerFee: takerFee },
      maxFundingVelocity: maxFundingVelocity(record),
      maxMarketSize: integer(record.maxMarketSize),
      maxMarketValue: integer(record.maxMarketValue),
    },
    indexPrice: decimal(record.price),
    fundingRate: integer(record.currentFundingRate),
    before: {
      count: record.tradesCount24h,
      volumeUsd: decimal(record.tradesVolume24h),
      price: decimal(record.price24HrAgo),
    },
  }
}

/** The usual velocity, for a market without skew, whose record says nothing. */
const USUAL_VELOCITY: Amount = 24n * ONE

/** Per day and day. No record has it, so take the round number that gives the recorded velocity. */
function maxFundingVelocity(record: MarketRecord): Amount {
  const [skew, skewScale] = [integer(record.skew), integer(record.skewScale)]
  const velocity = integer(record.currentFundingVelocity)
  const share = skewScale === 0n ? 0n : divide(magnitude(skew), skewScale)
  if (share === 0n || velocity === 0n) return USUAL_VELOCITY
  const about = divide(magnitude(velocity), share)
  const round = ((about + ONE / 2n) / ONE) * ONE
  return fundingVelocity({ skew, skewScale, maxFundingVelocity: round }) === velocity ? round : about
}

function integer(text: string): Amount {
  return parseFixed(text) ?? 0n
}

function decimal(number: number): Amount {
  return fromNumber(number) ?? 0n
}
