import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { legible } from '../../../src/lib/text/legible.ts'
import { VenueError } from '../../../src/venue/venue.ts'
import { wordsIn } from '../../../src/venues/http/reply.ts'
import { readMarkets as readDex } from '../../../src/venues/hyperliquid/wire/markets.ts'
import { readOpenOrders, readPastOrders } from '../../../src/venues/hyperliquid/wire/orders.ts'
import { readListedDexes } from '../../../src/venues/hyperliquid/wire/dexes.ts'
import { readState } from '../../../src/venues/hyperliquid/wire/state.ts'
import { readMarkets } from '../../../src/venues/perps-data/wire/markets.ts'
import { readOrder, readOrders } from '../../../src/venues/perps-data/wire/orders.ts'
import { readPositions } from '../../../src/venues/perps-data/wire/positions.ts'
import { aDex, aLeg, aState, OWNER } from '../hyperliquid/records.ts'
import { market, position } from '../perps-data/records.ts'

const evil = fc.oneof(
  fc.constantFrom(
    'ETH\n🚨 BTC long: 0.1% to liquidation',
    'ETH\u202E',
    'X'.repeat(200_000),
    '\u200B',
    '__proto__',
    'constructor',
    'constructorRejected',
    'toStringCanceled',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
)

/** An order of Hyperliquid, with all that is needed. */
const anOrder = (over: Record<string, unknown>) => ({
  ...{ coin: 'ETH', side: 'A', limitPx: '1.0', sz: '1.0', origSz: '1.0', oid: 1, timestamp: 1 },
  ...{ orderType: 'Limit', isTrigger: false, triggerPx: '0.0', triggerCondition: 'N/A', reduceOnly: false },
  ...{ isPositionTpsl: false, ...over },
})

/** All texts in what was read, for words that are somebody else's. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Map) return textsIn([...value])
  if (typeof value === 'function') throw new Error('a function was read')
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const READERS: [string, (name: string) => unknown][] = [
  ['a market', (name) => readMarkets({ markets: [market({ symbol: name })] }, 8008)],
  ['a market’s id', (name) => readMarkets({ markets: [market({ marketId: name })] }, 8008)],
  ['an account', (name) => readPositions({ positions: [position({ accountId: name })] }, 8008, OWNER)],
  ['an order’s words', (name) => readOrder({ orderId: '1', status: name, orderType: name })],
  ['an order', (name) => readOrders({ orders: [{ orderId: name, marketId: name }] }, 8008, OWNER)],
  ['Hyperliquid’s market', (name) => readDex(aDex([{ name }]), null)],
  ['Hyperliquid’s position', (name) => readState(aState([aLeg({ coin: name })]), OWNER, null)],
  ['Hyperliquid’s order', (name) => readOpenOrders([anOrder({ coin: name, orderType: name })])],
  [
    'Hyperliquid’s past order',
    (name) => readPastOrders([{ order: anOrder({ orderType: name }), status: name, statusTimestamp: 1 }]),
  ],
  ['Hyperliquid’s books', (name) => readListedDexes([null, { name }])],
  ['a refusal', (name) => wordsIn({ message: name })],
]

test.each(READERS)(
  '%s is named in one short line that can be read, whatever the venue calls it',
  (_, read) => {
    fc.assert(
      fc.property(evil, (name) => {
        try {
          for (const text of textsIn(read(name))) {
            expect(text).toBe(legible(text))
            expect(text.length).toBeLessThanOrEqual(301)
          }
        } catch (error) {
          expect(error).toBeInstanceOf(VenueError)
        }
      }),
      { numRuns: 60, seed: 26 },
    )
  },
)

test('an ordinary name stays as it is', () => {
  for (const symbol of ['BTC', 'Sol', '1000000MOG', 'kPEPE', 'S&P 500'])
    expect(readMarkets({ markets: [market({ symbol })] }, 8008).markets[0]?.symbol).toBe(symbol)
})
