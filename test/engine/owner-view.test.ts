import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evidence, merge, missingSince, recalledView } from '../../src/engine/owner-view.ts'
import type { OwnerView, SeenPosition } from '../../src/engine/owner-view.ts'
import { positionKey } from '../../src/position.ts'
import type { Position } from '../../src/position.ts'
import { incompleteness } from '../../src/venue.ts'
import type { PositionsAnswer } from '../../src/venue.ts'
import { NOON } from '../support/clock.ts'
import { ALICE, anOrder, aPosition, exact } from '../support/fixtures.ts'

const eth = aPosition()
const btc = aPosition({ marketId: '200' })

/** Answers in, a second apart; what is held and what is gone after each. */
function fold(...answers: (Position[] | Partial<PositionsAnswer>)[]) {
  let view: OwnerView | undefined
  return answers.map((answer, second) => {
    const given = Array.isArray(answer) ? { positions: answer } : answer
    const value = { positions: [], accounts: [], unusable: [], unread: [], totalCount: null, ...given }
    const reading = {
      owner: ALICE,
      value,
      orders: null,
      pushed: false,
      at: NOON + second * 1_000,
      tick: second * 1_000,
    }
    const merged = merge(view, reading, (id) => (id === '100' ? 2500 : null))
    ;({ view } = merged)
    const marketsOf = (all: Iterable<{ position: Position }>) =>
      [...all].map(({ position }) => position.marketId)
    return { ...merged, held: marketsOf(merged.view.held.values()), gone: marketsOf(merged.gone) }
  })
}
const cut = (positions: Position[]) => ({ positions, totalCount: 5 })
const story = (...answers: Parameters<typeof fold>) =>
  fold(...answers)
    .map(({ held, gone }) => `${held.join('+') || '-'}${gone.length > 0 ? ` gone ${gone.join('+')}` : ''}`)
    .join(' | ')

describe('a position that is missing', () => {
  test.each([
    ['once is kept', [[eth], []], '100 | 100'],
    ['twice is gone, once', [[eth], [], [], []], '100 | 100 | - gone 100 | -'],
    ['once and then there is no story', [[eth], [], [eth], []], '100 | 100 | 100 | 100'],
    ['beside one that is there', [[eth, btc], [btc], [btc]], '100+200 | 200+100 | 200 gone 100'],
    ['counts only where everything was shown', [[eth], cut([]), cut([]), cut([])], '100 | 100 | 100 | 100'],
    [
      'is not forgiven by an answer that shows less than all',
      [[eth], [], cut([]), []],
      '100 | 100 | 100 | - gone 100',
    ],
    ['is back when even such an answer shows it', [[eth], [], cut([eth]), []], '100 | 100 | 100 | 100'],
    ['and turned round is another', [[eth], [aPosition({ size: exact('-1') })]], '100 | 100+100'],
  ])('%s', (_what, answers, told) => expect(story(...answers)).toBe(told))

  test('keeps what was last seen of it', () => {
    const [, second] = fold([eth], [])
    const kept = second?.view.held.get(positionKey(eth))
    expect(kept).toMatchObject({ position: eth, seenAt: NOON, seenTick: 0, price: 2500, missingSince: 1_000 })
    expect(second && missingSince(second.view)).toBe(1_000)
  })

  test('is missed since the first time', () => {
    expect(fold([eth, btc], [btc], cut([])).map(({ view }) => missingSince(view))).toEqual([
      null,
      1_000,
      1_000,
    ])
  })

  test('is not gone by what the venue tells by itself, however often it is not in it', () => {
    const reading = (second: number, positions: Position[], pushed: boolean) => ({
      ...{ owner: ALICE, orders: null, pushed, at: NOON + second * 1_000, tick: second * 1_000 },
      value: { positions, accounts: [], unusable: [], unread: [], totalCount: null },
    })
    let merged = merge(undefined, reading(0, [eth], true), () => null)
    for (const second of [1, 2, 3]) merged = merge(merged.view, reading(second, [], true), () => null)
    expect([merged.gone, missingSince(merged.view)]).toEqual([[], 1_000])
    merged = merge(merged.view, reading(4, [], false), () => null)
    expect(merged.gone).toHaveLength(1)
  })

  test('is not gone by the very answer that missed it first, taken twice', () => {
    const [first] = fold([eth])
    const reading = {
      owner: ALICE,
      value: { positions: [], accounts: [], unusable: [], unread: [], totalCount: 0 },
      orders: null,
      pushed: false,
      at: NOON,
      tick: 9,
    }
    const once = merge(first?.view, reading, () => null)
    expect(merge(once.view, reading, () => null).gone).toEqual([])
  })
})

test('whatever the answers, a position is gone after two complete ones without it and none with it in between', () => {
  const answers = fc.array(fc.record({ shown: fc.boolean(), complete: fc.boolean() }), { maxLength: 20 })
  fc.assert(
    fc.property(answers, (sequence) => {
      const folded = fold(
        [eth],
        ...sequence.map(({ shown, complete }) => (complete ? (shown ? [eth] : []) : cut(shown ? [eth] : []))),
      )
      let [held, missed] = [true, 0]
      for (const [place, { shown, complete }] of sequence.entries()) {
        if (shown) [held, missed] = [true, 0]
        else if (complete && held && ++missed === 2) held = false
        expect(folded[place + 1]?.held).toEqual(held ? ['100'] : [])
      }
    }),
  )
})

describe('a liquidation price that is no more', () => {
  const none = aPosition({ liquidationPrice: null })
  const prices = (...answers: Position[][]) =>
    fold(...answers).map(({ view }) => view.held.get(positionKey(eth))?.position.liquidationPrice)
  const twoThousand = exact('2000')

  test.each([
    [
      'is believed at the second reading',
      [[eth], [none], [none], [none]],
      [twoThousand, twoThousand, null, null],
    ],
    ['is believed at once of a position that is new', [[none]], [null]],
    [
      'is an odd answer when it comes back',
      [[eth], [none], [eth], [none]],
      Array.from({ length: 4 }, () => twoThousand),
    ],
    ['may appear at any time', [[none], [eth]], [null, twoThousand]],
  ])('%s', (_what, answers, expected) => expect(prices(...answers)).toEqual(expected))

  test('leaves everything else of the answer as it is', () => {
    const [, second] = fold([eth], [aPosition({ size: exact('9'), liquidationPrice: null })])
    expect(second?.view.held.get(positionKey(eth))).toMatchObject({
      position: { size: exact('9'), liquidationPrice: twoThousand },
      seenTick: 1_000,
    })
  })
})

describe('an answer shows everything', () => {
  test.each([
    ['when it says so', { positions: [eth], totalCount: 1 }, null],
    ['when it does not say', { positions: [eth] }, null],
    ['when it says less than it sent', { positions: [eth, btc], totalCount: 1 }, null],
    [
      'not when it speaks of more',
      { positions: [eth], totalCount: 3 },
      'the venue speaks of 3 positions and sent 1',
    ],
    [
      'not when one cannot be used',
      { unusable: [{ what: 'position 1 of 2', why: 'no size' }] },
      'position 1 of 2: no size',
    ],
  ])('%s', (_what, answer, why) => {
    const whole = { positions: [], accounts: [], unusable: [], unread: [], totalCount: null, ...answer }
    expect(incompleteness(whole)).toBe(why)
    expect(fold(whole)[0]).toMatchObject({
      complete: why === null,
      view: { completeTick: why === null ? 0 : null },
    })
  })

  test('and the last one that did is remembered', () => {
    expect(fold([eth], cut([eth])).map(({ view }) => [view.tick, view.completeTick])).toEqual([
      [0, 0],
      [1_000, 0],
    ])
  })
})

test('what an earlier run knew is there, and none of it is fresh', () => {
  const view = recalledView({
    owner: ALICE,
    at: NOON,
    positions: [eth, btc],
    prices: { 100: 2500 },
    symbols: {},
    gone: [],
  })
  expect(view).toMatchObject({ tick: -Infinity, completeTick: null, at: NOON })
  const [first, second] = [...view.held.values()]
  expect(first).toMatchObject({ seenTick: -Infinity, price: 2500, missingSince: null })
  expect(second).toMatchObject({ price: null })
})

describe('what became of a position that is gone', () => {
  const held = (over: Partial<SeenPosition> = {}): SeenPosition => ({
    position: eth,
    seenAt: NOON,
    seenTick: 1_000,
    price: 2500,
    missingSince: 2_000,
    doubtedNone: false,
    ...over,
  })
  const short = aPosition({ size: exact('-2'), liquidationPrice: exact('3000') })
  const none = aPosition({ liquidationPrice: null })
  const away = { seenTick: -Infinity }

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
    expect(evidence(held(over), 'ETH', worstPrice, null, null).cause).toBe(cause)
  })

  test('is stated with its evidence', () => {
    expect(evidence(held(), 'ETH', 2400, [anOrder()], 77)).toMatchObject({
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
    expect(evidence(held(away), 'ETH', null, null, NOON - 5_000).awaySince).toBe(NOON - 5_000)
  })
})
