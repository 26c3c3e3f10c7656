import type { Wallet } from '../../../src/venue/wallet.ts'

/** Records in the shape of the venue, with values of our own. */
export const OWNER: Wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
export const STRANGER: Wallet = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
export const ACCOUNT = '120000000000000000000000000000000007431'

type Fields = Record<string, unknown>

export function market(over: Fields = {}): Fields {
  return {
    marketId: '100',
    symbol: 'ETH',
    skew: '-2000000000000000000',
    price: 3120.75,
    currentOI: '42000000000000000000',
    currentFundingRate: '240000000000000',
    currentFundingVelocity: '-180000000000000',
    makerFeeRatio: '200000000000000',
    takerFeeRatio: '500000000000000',
    skewScale: '100000000000000000000000',
    maxMarketSize: '900000000000000000000',
    maxMarketValue: '2500000000000000000000000',
    tradesCount24h: 311,
    tradesVolume24h: 1204888.25,
    price24HrAgo: 3098.5,
    longOI: '20000000000000000000.00',
    shortOI: '22000000000000000000.00',
    currentSkew: '-2000000000000000000',
    positiveSkew: '47.62',
    negativeSkew: '52.38',
    availableLiquidityLong: '2437585000000000000000000',
    availableLiquidityShort: '2431343500000000000000000',
    currentInterestRate1HInPercentage: '0',
    ...over,
  }
}

export function position(over: Fields = {}): Fields {
  return {
    orderType: 'DelayedOffchain',
    accountId: ACCOUNT,
    chainId: 8008,
    marketId: '100',
    size: '1500000000000000001',
    totalRealisedFundingUsd: '21000000000000000',
    totalRealisedPnlUsd: '-1700000000000000000',
    unrealisedFundingUsd: '-350000000000000000',
    totalVolumeUsd: '9361125000000000000000',
    avgEntryPrice: '3050250000000000000000',
    latestInteractionPrice: '3055000000000000000000',
    liquidationPrice: '2480125000000000000000',
    entryTimestamp: 1_765_432_100,
    breakEvenPriceIncludingClosingFee: '3054900000000000000000',
    breakEvenPriceExcludingClosingFee: '3053300000000000000000',
    totalRealisedInterestUsd: '0',
    unrealisedInterestUsd: '-12000000000000000',
    tpsl: null,
    ...over,
  }
}

export const OPEN_UPPER = (2n ** 255n - 1n).toString()
export const OPEN_LOWER = '1'
export const WHOLE_POSITION = (2n ** 127n - 2n).toString()

export function range(priceA: string, priceB: string, acceptablePrice: string): Fields {
  const number = (value: string) => Number(value) / 1e18
  return {
    priceA,
    priceB,
    acceptablePrice,
    priceANum: number(priceA),
    priceBNum: number(priceB),
    acceptablePriceNum: number(acceptablePrice),
  }
}

export const UNSET = range('0', '0', '0')

export function order(over: Fields = {}): Fields {
  return {
    orderType: 'Limit',
    user: '0xDE709F2102306220921060314715629080E2FB77',
    accountId: ACCOUNT,
    marketId: '100',
    chainId: 8008,
    size: '250000000000000000',
    signature: null,
    expiry: 1_796_000_000_000,
    priceRange: range(OPEN_LOWER, '2900000000000000000000', '3045000000000000000000'),
    tpPriceRange: UNSET,
    slPriceRange: UNSET,
    status: 'LimitSubmitted',
    orderId: 40_211,
    onchain: false,
    hasLimitOrder: true,
    hasTpSlOrder: false,
    tpSlExecutionType: null,
    limitOrderExecutionDetails: null,
    tpslOrderExecutionDetails: null,
    submissionTxDetails: {
      chainId: 8008,
      blockNumber: 7,
      blockHash: '0x1',
      txHash: '0x2',
      logIndex: 0,
      timestamp: 1_765_000_000,
    },
    updateTxDetails: null,
    timestamp: 1_765_000_001_500,
    ...over,
  }
}

/** The take-profit and stop-loss of a long: what a position carries in `tpsl`. */
export function guard(over: Fields = {}): Fields {
  return order({
    size: WHOLE_POSITION,
    priceRange: UNSET,
    tpPriceRange: range('3600000000000000000000', OPEN_UPPER, '3420000000000000000000'),
    slPriceRange: range(OPEN_LOWER, '2700000000000000000000', '2565000000000000000000'),
    status: 'LimitExecuted',
    orderId: 40_300,
    hasLimitOrder: false,
    hasTpSlOrder: true,
    ...over,
  })
}

export function preview(over: Fields = {}): Fields {
  return {
    totalFees: '131500000000000000',
    fillPrice: '3121100000000000000000',
    newHealthFactor: 3.2,
    settlementReward: '130000000000000000',
    ammFees: '1500000000000000',
    nonVipAmmFees: '1500000000000000',
    priceImpact: '721000000000000',
    newMarginUsage: 31.25,
    feasible: true,
    isPriceImpactProfitable: false,
    liquidationPrice: '2399000000000000000000',
    errorMsg: null,
    ...over,
  }
}

export function positions(list: unknown[], over: Fields = {}): Fields {
  return { wallet: OWNER, positions: list, totalCount: list.length, ...over }
}

export function markets(list: unknown[], chainId = 8008): unknown {
  return [{ chainId, markets: list }]
}
