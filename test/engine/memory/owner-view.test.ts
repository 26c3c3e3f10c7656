import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { missing, type WalletView, restoredView } from '../../../src/engine/memory/wallet-view.ts'
import { merge } from '../../../src/engine/observe/merge.ts'
import { type Position, positionKey } from '../../../src/venue/position.ts'
import {
  type CloseRecord,
  incompleteness,
  OTHER_ACCOUNTS,
  type PositionsAnswer,
} from '../../../src/venue/venue.ts'
import { NOON } from '../../support/clock.ts'
import { ALICE, anEnding, aPosition, exact } from '../../support/fixtures.ts'

const eth = aPosition()
const btc = aPosition({ marketId: '200' })

const missingOf = (view: WalletView) => missing(view)[0]?.missingSince ?? null

type Asked = { closeRecords?: CloseRecord[]; unsolicited?: boolean; second?: number }
type Answer = Position[] | (Partial<PositionsAnswer> & Asked)

/** Answers in, a second apart unless told; what is held and what is gone after each. */
function detect(...answers: Answer[]) {
  let view: WalletView | undefined
  return answers.map((answer, second) => {
    const {
      closeRecords = null,
      unsolicited = false,
      second: told = second,
      ...given
    } = Array.isArray(answer) ? ({ positions: answer } as Exclude<Answer, Position[]>) : answer
    const value = { positions: [], accounts: [], unusable: [], failedParts: [], totalCount: null, ...given }
    const reading = {
      wallet: ALICE,
      value,
      orders: null,
      closeRecords,
      unsolicited,
      at: NOON + told * 1_000,
      mono: told * 1_000,
    }
    const merged = merge(view, reading, (id) => (id === '100' ? 2500 : null))
    ;({ view } = merged)
    const marketsOf = (all: Iterable<{ position: Position }>) =>
      [...all].map(({ position }) => position.marketId)
    return { ...merged, held: marketsOf(merged.view.held.values()), gone: marketsOf(merged.gone) }
  })
}
const passing = { unsolicited: true }
const cut = (positions: Position[]) => ({ positions, totalCount: 5 })
const story = (...answers: Parameters<typeof detect>) =>
  detect(...answers)
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
    [
      'is not gone by an answer beside which nobody asked how',
      [[eth], [], passing, []],
      '100 | 100 | 100 | - gone 100',
    ],
    [
      'is gone by any answer when it is missing for half a minute',
      [[eth], [], { ...passing, second: 31 }, { ...passing, second: 32 }],
      '100 | 100 | 100 | - gone 100',
    ],
    [
      'is gone when the venue’s record has its end',
      [[eth], [], { closeRecords: [anEnding()] }],
      '100 | 100 | - gone 100',
    ],
    [
      'is looked for once more where the record does not have it yet',
      [[eth], [], { closeRecords: [] }, { closeRecords: [anEnding({ side: 'short' })] }, []],
      '100 | 100 | 100 | - gone 100 | -',
    ],
    ['and turned round is another', [[eth], [aPosition({ size: exact('-1') })]], '100 | 100+100'],
  ])('%s', (_what, answers, told) => expect(story(...answers)).toBe(told))

  test('keeps what was last seen of it', () => {
    const [, second] = detect([eth], [])
    const kept = second?.view.held.get(positionKey(eth))
    expect(kept).toMatchObject({ position: eth, seenAt: NOON, seenMono: 0, price: 2500, missingSince: 1_000 })
    expect(second && missingOf(second.view)).toBe(1_000)
  })

  test('is missed since the first time', () => {
    expect(detect([eth, btc], [btc], cut([])).map(({ view }) => missingOf(view))).toEqual([
      null,
      1_000,
      1_000,
    ])
  })

  test('is not gone by what the venue tells by itself, though it comes several times', () => {
    const told: Answer = { positions: [], unsolicited: true }
    const looks = detect([eth], told, told, told, [])
    expect(looks.map(({ gone }) => gone.length)).toEqual([0, 0, 0, 0, 1])
    expect(looks.map(({ view }) => missingOf(view)).slice(0, 4)).toEqual([null, 1_000, 1_000, 1_000])
  })

  test('is not gone by the very answer that missed it first, taken twice', () => {
    const [first] = detect([eth])
    const reading = {
      wallet: ALICE,
      value: { positions: [], accounts: [], unusable: [], failedParts: [], totalCount: 0 },
      orders: null,
      closeRecords: null,
      unsolicited: false,
      at: NOON,
      mono: 9,
    }
    const once = merge(first?.view, reading, () => null)
    expect(merge(once.view, reading, () => null).gone).toEqual([])
  })
})

describe('an account that an answer could not read', () => {
  const far = aPosition({ accountId: 'xyz', marketId: '300' })
  const failedParts = [{ part: 'xyz', why: 'status 500' }]
  const without = (positions: Position[]) => ({ positions, failedParts })

  test.each([
    [
      'keeps what was in it, while the others are judged',
      [[eth, far], without([]), without([]), without([])],
      '100+300 | 100+300 | 300 gone 100 | 300',
    ],
    [
      'makes nothing missing, and forgives nothing',
      [[far], [], without([]), without([]), []],
      '300 | 300 | 300 | 300 | - gone 300',
    ],
    [
      'may show some of what is in it',
      [
        [far, aPosition({ accountId: 'xyz' })],
        { positions: [far], unusable: [{ what: 'position 2 of 2', why: 'no size', part: 'xyz' }] },
        { positions: [far], unusable: [{ what: 'position 2 of 2', why: 'no size', part: 'xyz' }] },
      ],
      '300+100 | 300+100 | 300+100',
    ],
    [
      'may be any that is not shown, where the venue has not named them yet',
      [
        [eth, far],
        { positions: [eth], failedParts: [{ part: OTHER_ACCOUNTS, why: 'status 500' }] },
        { positions: [eth], failedParts: [{ part: OTHER_ACCOUNTS, why: 'status 500' }] },
      ],
      '100+300 | 100+300 | 100+300',
    ],
  ] as [string, Parameters<typeof detect>, string][])('%s', (_what, answers, told) =>
    expect(story(...answers)).toBe(told),
  )

  test('is not looked for: what was missing there waits', () => {
    expect(detect([far], [], without([])).map(({ view }) => missingOf(view))).toEqual([null, 1_000, null])
  })

  test('holds something or nothing, as far as that is known', () => {
    const [, second] = detect([far], { failedParts: [...failedParts, { part: 'flx', why: 'status 500' }] })
    expect([...(second?.view.failedParts ?? [])].map(([account, { holds }]) => [account, holds])).toEqual([
      ['xyz', true],
      ['flx', false],
    ])
  })
})

test('whatever the answers, a position is gone after two complete ones without it and none with it in between', () => {
  const answers = fc.array(fc.record({ shown: fc.boolean(), complete: fc.boolean() }), { maxLength: 20 })
  fc.assert(
    fc.property(answers, (sequence) => {
      const detected = detect(
        [eth],
        ...sequence.map(({ shown, complete }) => (complete ? (shown ? [eth] : []) : cut(shown ? [eth] : []))),
      )
      let [held, missed] = [true, 0]
      for (const [place, { shown, complete }] of sequence.entries()) {
        if (shown) [held, missed] = [true, 0]
        else if (complete && held && ++missed === 2) held = false
        expect(detected[place + 1]?.held).toEqual(held ? ['100'] : [])
      }
    }),
  )
})

describe('a liquidation price that is no more', () => {
  const none = aPosition({ liquidationPrice: null })
  const prices = (...answers: Position[][]) =>
    detect(...answers).map(({ view }) => view.held.get(positionKey(eth))?.position.liquidationPrice)
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
    const [, second] = detect([eth], [aPosition({ size: exact('9'), liquidationPrice: null })])
    expect(second?.view.held.get(positionKey(eth))).toMatchObject({
      position: { size: exact('9'), liquidationPrice: twoThousand },
      seenMono: 1_000,
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
      { unusable: [{ what: 'position 1 of 2', why: 'no size', part: null }] },
      'position 1 of 2: no size',
    ],
  ])('%s', (_what, answer, why) => {
    const whole = { positions: [], accounts: [], unusable: [], failedParts: [], totalCount: null, ...answer }
    expect(incompleteness(whole)).toBe(why)
    expect(detect(whole)[0]).toMatchObject({
      complete: why === null,
      view: { completeMono: why === null ? 0 : null },
    })
  })

  test('and the last one that did is remembered', () => {
    expect(detect([eth], cut([eth])).map(({ view }) => [view.mono, view.completeMono])).toEqual([
      [0, 0],
      [1_000, 0],
    ])
  })
})

test('what an earlier run knew is there, and none of it is fresh', () => {
  const view = restoredView({
    wallet: ALICE,
    at: NOON,
    positions: [eth, btc],
    prices: { 100: 2500 },
    symbols: {},
    gone: [],
    touchedLiquidation: {},
  })
  expect(view).toMatchObject({ mono: -Infinity, completeMono: null, at: NOON })
  const [first, second] = view.held
  expect(first).toMatchObject({ seenMono: -Infinity, price: 2500, missingSince: null })
  expect(second).toMatchObject({ price: null })
})
