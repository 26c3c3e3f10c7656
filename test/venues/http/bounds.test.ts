import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { logEvents } from '../../../src/ops/log.ts'
import { createEvents } from '../../../src/runtime/event.ts'
import type { Unusable } from '../../../src/venue/record/lacking.ts'
import { VenueError } from '../../../src/venue/venue.ts'
import { parseJson, readReply, report } from '../../../src/venues/http/reply.ts'
import { readFrame } from '../../../src/venues/hyperliquid/wire/frames.ts'
import { readMarkets as readDex } from '../../../src/venues/hyperliquid/wire/markets.ts'
import { readOpenOrders, readPastOrders } from '../../../src/venues/hyperliquid/wire/orders.ts'
import { readState } from '../../../src/venues/hyperliquid/wire/state.ts'
import { readTrades } from '../../../src/venues/hyperliquid/wire/trades.ts'
import { readMarkets } from '../../../src/venues/perps-data/wire/markets.ts'
import { readOrders } from '../../../src/venues/perps-data/wire/orders.ts'
import { readPositions } from '../../../src/venues/perps-data/wire/positions.ts'
import { aState, OWNER } from '../hyperliquid/records.ts'

const MOST_UNUSABLE = 500
const LONGEST_LIST = 5_000

/** Each reader of a list of records, with the list in its place. */
const READERS: [string, (list: unknown[]) => { unusable: Unusable[] }][] = [
  ['markets', (list) => readMarkets({ chainId: 8008, markets: list }, 8008)],
  ['positions', (list) => readPositions({ positions: list }, 8008, OWNER)],
  ['orders', (list) => readOrders({ orders: list }, 8008, OWNER)],
  ['Hyperliquid’s markets', (list) => readDex([{ universe: list }, list], null)],
  ['Hyperliquid’s positions', (list) => readState(aState(list), OWNER, null)],
  ['Hyperliquid’s open orders', readOpenOrders],
  ['Hyperliquid’s past orders', readPastOrders],
]

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    1,
    null,
    'x',
    [],
    {},
    { position: {} },
    { marketId: 1 },
    { order: {}, status: 'open' },
  ),
  fc.record({ marketId: fc.nat(), accountId: fc.nat(), name: fc.string(), coin: fc.string() }),
)

describe('work per element of somebody else’s list is bounded', () => {
  test.each([
    ['a long list', `[${'1,'.repeat(LONGEST_LIST)}1]`],
    ['a long list deep inside', `{"a":[{"b":[[${'{},'.repeat(LONGEST_LIST)}{}]]}]}`],
    ['eight megabytes of nothing', `[${'1,'.repeat(4_000_000)}1]`],
    ['many short lists', `[${`[${'1,'.repeat(99)}1],`.repeat(1_100)}1]`],
    ['a hundred thousand fields', `{${Array.from({ length: 100_002 }, (_, at) => `"${at}":1`).join()}}`],
    ['brackets without an end', '[]'.repeat(600_000)],
    ['brackets in brackets', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['a string of quotation marks without an end', `"${'\\"'.repeat(150_000)}`],
  ])('%s is not read', (_what, text) => {
    let reads = 0
    const reply = { status: 200, text, retryAfter: null }
    const read = () =>
      readReply(
        reply,
        { now: () => 0, secret: null },
        () => {},
        () => reads++,
      )
    expect(read).toThrow(VenueError)
    expect(() => readFrame(text)).toThrow(VenueError)
    expect(reads).toBe(0)
  })

  test('nor is it as a frame of trades, or as the words of a refusal', () => {
    const trade = JSON.stringify({ coin: 'ETH', time: 1, users: [OWNER] })
    const trades = (rest: string) => readTrades(`{"channel":"trades","data":[${trade}${rest}]}`)
    expect(trades('')).toMatchObject({ is: 'trades' })
    expect(trades(',1'.repeat(100_001))).toEqual({ is: 'other' })
    const text = `{"message":"no","more":[1${',1'.repeat(100_001)}]}`
    const read = () =>
      readReply({ status: 500, text, retryAfter: null }, { now: () => 0, secret: null }, () => {}, String)
    expect(read).toThrow('{"message":"no","more":[1,1,')
  })

  test('what a venue may honestly send is read', () => {
    const record = Object.fromEntries(Array.from({ length: 24 }, (_, at) => [`field${at}`, 'x,']))
    const page = JSON.stringify(Array.from({ length: 2_000 }, () => record))
    expect(parseJson(page)).toHaveLength(2_000)
    expect(parseJson(`[${'1,'.repeat(LONGEST_LIST - 1)}1]`)).toHaveLength(LONGEST_LIST)
  })

  test.each(READERS)('a list of %s that nobody can use is given up after some hundred', (_what, read) => {
    fc.assert(
      fc.property(fc.array(junk, { minLength: 1, maxLength: 4 }), fc.nat(LONGEST_LIST), (some, many) => {
        const list = Array.from({ length: many }, (_, at) => some[at % some.length])
        try {
          expect(read(list).unusable.length).toBeLessThanOrEqual(MOST_UNUSABLE)
        } catch (error) {
          expect(error).toBeInstanceOf(VenueError)
        }
      }),
      { numRuns: 20, seed: 26 },
    )
  })

  test.each(READERS)('%s: an answer with too many of them says so', (_what, read) => {
    expect(() => read(Array.from({ length: MOST_UNUSABLE + 1 }, () => ({})))).toThrow(
      'more than 500 elements',
    )
    expect(read(Array.from({ length: MOST_UNUSABLE }, () => ({}))).unusable).toHaveLength(MOST_UNUSABLE)
  })

  test('an answer makes one event, and a venue a bounded number of lines in its log', () => {
    let mono = 0
    const lines: string[] = []
    const events = createEvents()
    const destination = { write: (line: string) => lines.push(line) }
    const stop = logEvents(events, { level: 'info', secrets: [], destination, monotonic: () => mono })
    let emitted = 0
    events.listen(() => emitted++)
    const answers = 3_000
    for (let at = 0; at < answers; at++) {
      const unusable = Array.from({ length: 200 }, (_, place) => ({
        ...{ what: `position ${place} of ${at}`, why: 'size is missing', part: null },
      }))
      report(events.emit, 'positions', { unusable })
      events.emit({ is: 'owner-failed', wallet: OWNER, why: `it is about ${at}` })
      mono += 20
    }
    stop()
    expect(emitted).toBe(2 * answers)
    expect(lines).toHaveLength(30)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ what: 'position 0 of 0', count: 200 })
  })
})
