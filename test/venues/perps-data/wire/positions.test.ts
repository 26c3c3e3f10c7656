import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { VenueError } from '../../../../src/venue/venue.ts'
import { readPositions } from '../../../../src/venues/perps-data/wire/positions.ts'
import { ACCOUNT, guard, OWNER, position, positions, STRANGER } from '../records.ts'
import { troubleIn } from '../server.ts'

const read = (body: unknown) => readPositions(body, 8008, OWNER)

test('a position arrives in our units', () => {
  expect(read(positions([position()]))).toEqual({
    unusable: [],
    failedParts: [],
    totalCount: 1,
    accounts: [],
    protectiveOrders: [],
    positions: [
      {
        wallet: OWNER,
        accountId: ACCOUNT,
        marketId: '100',
        size: 1_500_000_000_000_000_001n,
        entryPrice: 3_050_250_000_000_000_000_000n,
        liquidationPrice: 2_480_125_000_000_000_000_000n,
        margin: null,
        leverage: null,
        fundingUsd: -329_000_000_000_000_000n,
        breakEvenPrice: 3_054_900_000_000_000_000_000n,
        realisedPnlUsd: -1_700_000_000_000_000_000n,
        openedAt: 1_765_432_100_000,
      },
    ],
  })
})

describe('every plausible envelope', () => {
  test.each([
    ['owner, positions, totalCount', positions([position()]), 1],
    ['chainId, positions, totalCount', { chainId: 8008, positions: [position()], totalCount: 1 }, 1],
    ['without a count', { positions: [position()] }, null],
    ['a bare list', [position()], null],
    ['in data', { data: positions([position()]) }, 1],
    ['a list in data', { data: [position()] }, null],
    ['the owner in lower case', positions([position()], { wallet: OWNER.toLowerCase() }), 1],
    ['the owner in upper case', positions([position()], { owner: OWNER.toUpperCase() }), 1],
    ['no owner', positions([position()], { owner: null }), 1],
    ['a count in quotes', positions([position()], { totalCount: '1' }), 1],
    ['a count that is none', positions([position()], { totalCount: -1 }), null],
    ['unknown fields', positions([position({ newField: { a: [1] } })], { page: 1, message: 'ok' }), 1],
  ])('%s', (_what, body, totalCount) => {
    const answer = read(body)
    expect(answer.positions.map((each) => each.marketId)).toEqual(['100'])
    expect([answer.unusable, answer.totalCount]).toEqual([[], totalCount])
  })

  test.each([
    ['another owner', positions([position()], { owner: STRANGER }), 'another owner'],
    ['an owner that is no text', positions([position()], { owner: 7 }), 'another owner'],
    ['another chain', { chainId: 1, positions: [] }, 'it is about chain 1, not 8008'],
    ['no list', { owner: OWNER, totalCount: 0 }, 'it should be a list of positions'],
    ['null for a list', { owner: OWNER, positions: null }, 'it should be a list of positions'],
    ['an object for a list', { owner: OWNER, positions: {} }, 'it should be a list of positions'],
    [
      'an error beside a list',
      positions([], { error: 'index is behind' }),
      'it is an error: index is behind',
    ],
  ])('%s is not an empty list', (_what, body, why) => {
    expect(() => read(body)).toThrow(VenueError)
    expect(() => read(body)).toThrow(why)
  })
})

test.each([null, undefined, '0', '-1', 'n/a'])('an entry price of %j is left out', (avgEntryPrice) => {
  const { positions: shown, unusable } = read(positions([position({ avgEntryPrice })]))
  expect(unusable).toEqual([])
  expect(shown).toMatchObject([{ entryPrice: null, liquidationPrice: 2_480_125_000_000_000_000_000n }])
})

test.each([2.6e21, '2.6e+21', '2600000000000000000000'])('a liquidation price of %j is $2,600', (at) => {
  const { positions: shown, unusable } = read(positions([position({ liquidationPrice: at })]))
  expect(unusable).toEqual([])
  expect(shown).toMatchObject([{ liquidationPrice: 2_600n * 10n ** 18n }])
})

describe('one unusable position among good ones is skipped and named', () => {
  test.each([
    ['no account', { accountId: undefined }, 'accountId is missing or of another type'],
    [
      'an account that lost digits',
      { accountId: 1.2e38 },
      'accountId is no identifier, or has lost digits as a JSON number',
    ],
    ['no size', { size: null }, 'size is missing or of another type'],
    ['a size in words', { size: 'long' }, 'size is not an exact 18-decimal integer'],
    ['a size with a fraction', { size: '0.5' }, 'size is not an exact 18-decimal integer'],
    [
      'a size that lost digits',
      { size: 1_500_000_000_000_000_000 },
      'size is not an exact 18-decimal integer',
    ],
    [
      'no liquidation price',
      { liquidationPrice: undefined },
      'liquidationPrice is missing or of another type',
    ],
    ['an empty one', { liquidationPrice: '' }, 'liquidationPrice is not an 18-decimal integer from 0 on'],
    ['a negative one', { liquidationPrice: '-1' }, 'liquidationPrice is not an 18-decimal integer from 0 on'],
    [
      'one in words',
      { liquidationPrice: 'Infinity' },
      'liquidationPrice is not an 18-decimal integer from 0 on',
    ],
  ])('%s', (_what, over, why) => {
    const answer = read(positions([position(), position({ marketId: '200', ...over })]))
    expect(answer.positions.map((each) => each.marketId)).toEqual(['100'])
    expect(answer.unusable).toEqual([
      { what: 'position 2 of 2 (market 200)', why, part: 'accountId' in over ? null : ACCOUNT },
    ])
    expect(answer.totalCount).toBe(2)
  })

  test('without a market, by its place', () => {
    const answer = read(positions([null, position({ marketId: null }), position()]))
    expect(answer.unusable.map((each) => each.what)).toEqual(['position 1 of 3', 'position 2 of 3'])
    expect(answer.positions).toHaveLength(1)
  })

  test('listed twice: two readings of one position cannot both be true', () => {
    const answer = read(positions([position(), position({ size: '7' }), position({ size: '-7' })]))
    expect(answer.positions.map((each) => each.size)).toEqual([1_500_000_000_000_000_001n, -7n])
    expect(answer.unusable).toEqual([
      { what: 'position 2 of 3 (market 100)', why: 'this position is listed twice', part: ACCOUNT },
    ])
  })
})

test('a size of zero is not open; it was received, so it does not look like one that was kept from us', () => {
  const answer = read(positions([position(), position({ marketId: '200', size: '0', avgEntryPrice: null })]))
  expect([answer.positions.length, answer.unusable, answer.totalCount]).toEqual([1, [], 1])
})

test('a position of another chain is not ours, and not unusable', () => {
  const answer = read(positions([position({ chainId: 1, size: 'x' }), position({ chainId: '8008' })]))
  expect([answer.positions.length, answer.unusable, answer.totalCount]).toEqual([1, [], 1])
})

test('a position that does not say its chain is ours', () => {
  expect(read(positions([position({ chainId: undefined })])).positions).toHaveLength(1)
})

test('what we do not use of a record may be anything', () => {
  const needed = ['accountId', 'chainId', 'marketId', 'size', 'avgEntryPrice', 'liquidationPrice']
  const shown = [
    'entryTimestamp',
    'tpsl',
    'totalRealisedFundingUsd',
    'totalRealisedPnlUsd',
    'unrealisedFundingUsd',
    'breakEvenPriceIncludingClosingFee',
  ]
  const used = new Set([...needed, ...shown])
  const rest = Object.keys(position()).filter((name) => !used.has(name))
  const usual = read(positions([position()]))
  for (const value of [undefined, null, '', 'n/a', '7', {}, [], true, 0.5, guard()]) {
    const over = Object.fromEntries(rest.map((name) => [name, value]))
    expect(read(positions([position(over)]))).toEqual(usual)
  }
})

test('what guards a position is the order that it carries, whatever that leaves unsaid', () => {
  const guards = (tpsl: unknown) => read(positions([position({ tpsl })])).protectiveOrders ?? []
  const place = { accountId: ACCOUNT, marketId: '100', isProtective: true, state: 'open' }
  expect(guards(guard())).toEqual([expect.objectContaining({ ...place, id: '40300' })])
  expect(guards(guard())[0]?.stopLoss?.upper).toBe(2_700n * 10n ** 18n)
  expect(guards({ shape: 'unknown' })).toEqual([
    expect.objectContaining({ ...place, takeProfit: null, stopLoss: null }),
  ])
  for (const none of [null, undefined, '', 0]) expect(guards(none)).toEqual([])
})

test('a time of entry that cannot be read becomes null, never 0', () => {
  for (const entryTimestamp of [undefined, null, '', 'n/a', {}, [], true, 0]) {
    expect(read(positions([position({ entryTimestamp })])).positions[0]?.openedAt).toBeNull()
  }
})

test('funding and break-even that cannot be read are not known, and the position is there all the same', () => {
  for (const value of [undefined, null, '', 'n/a', {}, [], true, 0.5, '1.5']) {
    const [unfunded, uneven] = [
      position({ unrealisedFundingUsd: value }),
      position({ breakEvenPriceIncludingClosingFee: value }),
    ].map((one) => read(positions([one])).positions[0])
    expect([unfunded?.fundingUsd, uneven?.breakEvenPrice]).toEqual([null, null])
  }
  const none = position({ breakEvenPriceIncludingClosingFee: '0' })
  expect(read(positions([none])).positions[0]?.breakEvenPrice).toBeNull()
})

test('whatever comes, it is positions or a VenueError', () => {
  const wild = fc.dictionary(
    fc.constantFrom('owner', 'positions', 'data', 'totalCount', 'chainId', 'error', 'message'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), wild), (body) => {
      expect(troubleIn(() => read(body))).toBeNull()
    }),
    { numRuns: 1_000 },
  )
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(position())), fc.jsonValue(), (name, value) => {
      const answer = read(positions([position({ [name]: value }), position({ marketId: 'other' })]))
      expect(answer.positions.some((each) => each.marketId === 'other')).toBe(true)
      for (const each of answer.positions) expect(each.size).not.toBe(0n)
    }),
    { numRuns: 1_000 },
  )
})
