import { describe, expect, test } from 'vitest'

import type { SeenPosition } from '../../../src/engine/memory/wallet-view.ts'
import { closeEvidence, isDelisted } from '../../../src/engine/observe/closing-evidence.ts'
import type { Order } from '../../../src/venue/order.ts'
import { positionKey } from '../../../src/venue/position.ts'
import type { CloseRecord } from '../../../src/venue/venue.ts'
import { NOON } from '../../support/clock.ts'
import { desk } from '../../support/engine.ts'
import { aMarket, anEnding, anOrder, aPosition, exact } from '../../support/fixtures.ts'

const eth = aPosition()
const short = aPosition({ size: exact('-2'), liquidationPrice: exact('3000') })
const none = aPosition({ liquidationPrice: null })
const away = { seenMono: -Infinity }

const held = (over: Partial<SeenPosition> = {}): SeenPosition => ({
  position: eth,
  seenAt: NOON,
  seenMono: 1_000,
  price: 2500,
  missingSince: 2_000,
  endSought: false,
  doubtedNone: false,
  kept: null,
  ...over,
})
const sources = (over: Partial<Parameters<typeof closeEvidence>[1]> = {}) => ({
  ...{ symbol: 'ETH', worstPrice: null, orders: null, closeRecords: null, aliveAt: null },
  ...{ takerFee: null, price: null },
  ...over,
})

describe('what became of a position that is gone', () => {
  test.each([
    ['the price went through its liquidation', {}, 1990, 'probably liquidated'],
    ['the price touched its liquidation', {}, 2000, 'probably liquidated'],
    ['the price was beyond it when last seen', { price: 1900 }, null, 'probably liquidated'],
    ['the price went through a short’s liquidation', { position: short }, 3001, 'probably liquidated'],
    ['the price fell, for a short', { position: short }, 1500, 'closed'],
    ['the price stayed well away', {}, 2400, 'closed'],
    ['the price came so near that a wick may have done it', {}, 2030, 'unknown'],
    ['it was so near when last seen that a wick may have done it', { price: 2030 }, 2400, 'unknown'],
    ['there was no price since', {}, null, 'unknown'],
    ['it could not be liquidated', { position: none }, 1, 'closed'],
    ['we were away, and nothing is claimed', away, 2400, 'unknown'],
    ['we were away, without a liquidation price', { ...away, position: none }, 2400, 'unknown'],
    ['we were away, and the price is beyond its liquidation', away, 1900, 'probably liquidated'],
    ['we were away, and there is no price at all', { ...away, price: null }, null, 'unknown'],
  ] as [string, Partial<SeenPosition>, number | null, string][])('%s', (_what, over, worstPrice, cause) => {
    expect(closeEvidence(held(over), sources({ worstPrice })).cause).toBe(cause)
  })

  const stop = anOrder({
    ...{ isProtective: true, state: 'filled', createdAt: NOON + 1_000 },
    stopLoss: { lower: null, upper: exact('2300'), acceptable: null },
  })
  const profit = { ...stop, stopLoss: null, takeProfit: stop.stopLoss }
  const limit = { ...anEnding(), by: 'limit' as const }
  test.each([
    ['names its filled stop loss', [stop], null, ['closed', 'stop-loss']],
    ['names its filled take profit', [profit], null, ['closed', 'take-profit']],
    ['believes the record before the orders', [stop], [limit], ['closed', 'limit']],
    ['names the filled stop where the record has no order', [stop], [anEnding()], ['closed', 'stop-loss']],
    ['names none of two', [stop, profit], [anEnding()], ['closed', undefined]],
    ['names none that waits yet', [{ ...stop, state: 'open' as const }], [anEnding()], ['closed', undefined]],
    ['names none of an earlier position', [{ ...stop, createdAt: NOON - 1 }], null, ['unknown', undefined]],
    ['names none of another market', [{ ...stop, marketId: '200' }], null, ['unknown', undefined]],
    ['names none of another account', [{ ...stop, accountId: '9' }], null, ['unknown', undefined]],
  ] as [string, Order[], CloseRecord[] | null, [string, string | undefined]][])(
    '%s',
    (_what, seenOrders, closeRecords, [cause, by]) => {
      const found = closeEvidence(held(), sources({ seenOrders, closeRecords }))
      expect([found.cause, found.by]).toEqual([cause, by])
    },
  )

  test('is a liquidation where the price went there, even with a filled stop', () => {
    expect(closeEvidence(held(), sources({ seenOrders: [stop], worstPrice: 1990 })).cause).toBe(
      'probably liquidated',
    )
  })

  test('is stated with its evidence', () => {
    expect(
      closeEvidence(held(), sources({ worstPrice: 2400, orders: [anOrder()], aliveAt: 77 })),
    ).toMatchObject({
      key: positionKey(eth),
      symbol: 'ETH',
      lastSeenAt: NOON,
      awaySince: null,
      lastPrice: 2500,
      lastDistance: 0.2,
      worstPrice: 2400,
      orders: [{ id: '1' }],
    })
  })

  test('while the bot was down is said to be so', () => {
    expect(closeEvidence(held(away), sources({ aliveAt: NOON - 5_000 })).awaySince).toBe(NOON - 5_000)
  })
})

test('the price at which it is found gone is one of its end only where nobody was away', () => {
  expect(closeEvidence(held(), sources({ price: 2300 })).priceAfter).toBe(2300)
  expect(closeEvidence(held(away), sources({ price: 2300 })).priceAfter).toBeNull()
})

describe('the venue’s own record', () => {
  const minute = 60_000
  const told = (
    closeRecords: CloseRecord[],
    over: Partial<Parameters<typeof closeEvidence>[1]> = {},
    seen = held(),
  ) => {
    const { cause, ending } = closeEvidence(seen, sources({ worstPrice: 2400, closeRecords, ...over }))
    return [cause, ending?.at ?? null]
  }
  const liquidated = anEnding({ how: 'liquidated' })

  test.each<[string, ReturnType<typeof told>, ReturnType<typeof told>]>([
    ['beats what the price says: it was liquidated', told([liquidated]), ['liquidated', NOON]],
    ['beats what the price says: it was closed', told([anEnding()], { worstPrice: 1900 }), ['closed', NOON]],
    ['shows a settlement', told([anEnding({ how: 'settled' })]), ['settled', NOON]],
    [
      'is believed of what ended while we were away',
      told([liquidated], {}, held(away)),
      ['liquidated', NOON],
    ],
    ['of nothing leaves the guess', told([], { worstPrice: 1900 }), ['probably liquidated', null]],
    ['of another market is no evidence', told([{ ...liquidated, marketId: '200' }]), ['closed', null]],
    ['of another account is no evidence', told([{ ...liquidated, accountId: 'xyz' }]), ['closed', null]],
    ['of the other side is no evidence', told([{ ...liquidated, side: 'short' }]), ['closed', null]],
    [
      'of an earlier life, long before it was last seen, is no evidence',
      told([{ ...liquidated, at: NOON - minute - 1 }]),
      ['closed', null],
    ],
    [
      'just before it was last seen is one: the venue’s clock is not ours',
      told([{ ...liquidated, at: NOON - minute }]),
      ['liquidated', NOON - minute],
    ],
    [
      'counts by its last word, in whatever order it comes',
      told([{ ...liquidated, at: NOON + 9 }, anEnding({ at: NOON + 1 })]),
      ['liquidated', NOON + 9],
    ],
    ['says it no differently when it says it twice', told([liquidated, liquidated]), ['liquidated', NOON]],
    ['in a word that we do not know is an end', told([anEnding({ how: 'unknown' })]), ['closed', NOON]],
  ])('%s', (_what, seen, expected) => expect(seen).toEqual(expected))

  test.each([
    ['that was seen to be made smaller is of what was left', '2', '2'],
    ['with a size between its trades that was never seen is of all of it', '2.5', '5'],
  ])('of one %s', (_what, seen, size) => {
    const later = ['4', '2'].map((left) => ({ ...anEnding({ size: exact(left) }) }))
    const position = aPosition({ size: exact(seen) })
    const ending = anEnding({ size: exact('5'), later })
    expect(closeEvidence(held({ position }), sources({ closeRecords: [ending] })).ending?.size).toBe(
      exact(size),
    )
  })

  test('of a long that turned short is the long’s', () => {
    const turned = anEnding({ at: NOON + 5 })
    expect(told([turned, anEnding({ how: 'liquidated' }, short)])).toEqual(['closed', NOON + 5])
    expect(told([turned, anEnding({ how: 'liquidated' }, short)], {}, held({ position: short }))).toEqual([
      'liquidated',
      NOON,
    ])
  })

  test.each<[string, ReturnType<typeof told>, string]>([
    ['is settled without a record', told([], { worstPrice: 1900, market: 'delisted' }), 'settled'],
    [
      'is settled when the record has a word for it',
      told([anEnding({ how: 'settled' })], { market: 'delisted' }),
      'settled',
    ],
    [
      'is settled when that word is new to us',
      told([anEnding({ how: 'unknown' })], { market: 'delisted' }),
      'settled',
    ],
    ['had been closed before, by the record', told([anEnding()], { market: 'delisted' }), 'closed'],
    ['had been liquidated before, by the record', told([liquidated], { market: 'delisted' }), 'liquidated'],
  ])('a position in a market that is delisted %s', (_what, [cause], expected) => expect(cause).toBe(expected))
})

describe('a market', () => {
  const dex = (...ids: string[]) => ids.map((id) => aMarket({ id, dex: 'xyz' }))
  /** What is listed, and thirteen seconds later what is. */
  const later = (before: ReturnType<typeof dex>, after: ReturnType<typeof dex>) => {
    const world = desk()
    world.prices(...before)
    for (let second = 0; second < 13; second++) world.prices(...after)
    return isDelisted(world.memory, 'a', 12_000)
  }

  test.each([
    ['is delisted when the venue says so', [], [aMarket({ id: 'a', delisted: true })], true],
    ['is not while it is listed', dex('a', 'b'), dex('a', 'b'), false],
    ['is when the rest of its book is listed without it', dex('a', 'b', 'c'), dex('b', 'c'), true],
    ['is not when one other is told of alone', dex('a', 'b', 'c', 'd'), dex('b'), false],
    ['is not when its book is not read', dex('a', 'b'), [aMarket({ id: 'e' })], false],
    ['is not for being unknown', [], dex('b', 'c'), false],
  ])('%s', (_what, before, after, expected) => expect(later(before, after)).toBe(expected))
})
