import type { Market } from './state.ts'

type Listed = [
  symbol: string,
  price: number,
  sizeDecimals: number,
  priceDecimals: number,
  margins: [initial: number, least: number, maintenance: number, closeOut: number],
]

/** The first is as recorded. Ids are places in the list. */
const PERPS: readonly Listed[] = [
  ['ETH', 3_550.69, 4, 2, [500, 200, 120, 80]],
  ['BTC', 101_250, 5, 1, [500, 200, 120, 80]],
  ['SOL', 162.4, 3, 3, [500, 400, 240, 160]],
  ['DOGE', 0.1764, 0, 6, [1_000, 1_000, 600, 400]],
  ['1000PEPE', 0.00612, 0, 6, [1_000, 1_000, 600, 400]],
  ['HYPE', 41.3, 2, 4, [1_000, 1_000, 600, 400]],
  ['XAU', 4_012.5, 4, 2, [1_000, 500, 300, 200]],
  ['XPL', 0.255, 1, 5, [2_000, 2_000, 1_200, 800]],
]
/** Nobody trades it any more, and it stays in the list. */
const ENDED: Listed = ['MKR', 1_800, 3, 2, [2_000, 2_000, 1_200, 800]]
/** Spot has ids from here on (facts). */
const FIRST_SPOT = 2_048
/** Symbols of perpetuals come again among them (facts). */
const SPOTS: readonly Listed[] = [
  ['ETH', 3_549.2, 4, 2, [10_000, 10_000, 10_000, 10_000]],
  ['LIT', 2.9, 2, 4, [10_000, 10_000, 10_000, 10_000]],
]

/** The markets of a new stand-in; as many perpetuals as that, more than the usual ones where a test asks for more. */
export function marketsOf(perps = PERPS.length): Market[] {
  const more = Array.from({ length: Math.max(0, perps - PERPS.length) }, (_, n): Listed => {
    return [`C${n + 1}`, 10 + n, 2, 4, [1_000, 1_000, 600, 400]]
  })
  const listed = [...PERPS.slice(0, perps), ...more]
  return [
    ...listed.map((one, id) => newMarket(id, one)),
    newMarket(listed.length, ENDED, 'perp', 'inactive'),
    ...SPOTS.map((one, n) => newMarket(FIRST_SPOT + n, one, 'spot')),
  ]
}

export function newMarket(
  id: number,
  [symbol, price, sizeDecimals, priceDecimals, [initial, least, maintenance, closeOut]]: Listed,
  kind: Market['kind'] = 'perp',
  status = 'active',
): Market {
  return {
    ...{ id, symbol, kind, status, sizeDecimals, priceDecimals },
    margins: { initial, least, maintenance, closeOut },
    ...{ mark: price, index: price, last: price, dayBefore: price * 0.99 },
    ...{ openInterest: 40_000_000 / price, dayVolume: 5_000_000 / price, funding: 0.0012, payments: [] },
  }
}
