import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Transition } from '../../../src/alert/alert.ts'
import { message, plainLines, plainText } from '../../../src/message/message.ts'
import { NOON } from '../../support/clock.ts'
import { levelNamed, story } from '../../support/engine.ts'
import { accountAt, anAccount, aPosition, exact, seenAt } from '../../support/fixtures.ts'

const kind = levelNamed('margin-ratio')
const params = { tiers: [0.3, 0.5, 0.7, 0.85] }
const reader = { now: NOON, zone: 'UTC' }

test.each<[string, (number | null)[], string]>([
  ['fires once, however long the ratio stays high', [0.2, 0.31, 0.35, 0.4, 0.31], '1:0>1'],
  ['stays silent while little is needed', [0, 0.1, 0.29, 0.05], ''],
  ['fires at the first reading, at the worst tier it is in', [0.75], '0:0>3'],
  ['gets worse at once, tier by tier', [0.1, 0.3, 0.5, 0.7, 0.85], '1:0>1 2:1>2 3:2>3 4:3>4'],
  ['tells a fall through three tiers once', [0.1, 0.72], '1:0>3'],
  ['is at the worst tier at its end, and beyond it', [0.2, 1, 3, 0.9], '1:0>4'],
  ['does not clear where it fired', [0.5, 0.499, 0.48, 0.47], '0:0>2'],
  ['clears a 50% line at 46.5%, and stays in the 30% line', [0.51, 0.466, 0.464], '0:0>2 2:2>1'],
  ['eases through several tiers at once', [0.9, 0.4], '0:0>4 1:4>1'],
  ['clears altogether when the need is small', [0.9, 0.1], '0:0>4 1:4>0'],
  [
    'does not look at a ratio that is not known: nothing clears, nothing fires',
    [0.9, null, 0.9, null],
    '0:0>4',
  ],
  ['goes on from where it was when a ratio comes again', [0.4, null, 0.6, null, 0.1], '0:0>1 2:1>2 4:2>0'],
])('an alert on the margin of an account %s', (_what, ratios, told) => {
  expect(
    story(
      kind,
      params,
      ratios.map((ratio) => accountAt(ratio)),
    ),
  ).toBe(told)
})

test.each([
  [0.53, { enter: 2, beyond: 1 }],
  [0.545, { enter: 2, beyond: 2 }],
])('a ratio of %d is as far beyond its lines as it would have to come back', (ratio, verdict) => {
  expect(kind.judge(params, accountAt(ratio))).toMatchObject(verdict)
})

test('an account that swings by half a per cent around a line is one alert, all day long', () => {
  const swings = Array.from({ length: 1_440 }, (_, minute) => accountAt(minute % 2 === 0 ? 0.502 : 0.498))
  expect(story(kind, params, [accountAt(0.1), ...swings])).toBe('1:0>2')
})

describe('of a single cross position', () => {
  const distances = levelNamed('liquidation-distance')
  /** What is needed for maintenance of each dollar of it, and where its account is liquidated. */
  const needs = fc.double({ min: 0.005, max: 0.2, noNaN: true })
  const walk = fc.array(fc.double({ min: -0.04, max: 0.04, noNaN: true }), { minLength: 5, maxLength: 60 })

  test.each([
    ['long', 1, (share: number) => 1 / share - 1],
    ['short', -1, (share: number) => 1 / share + 1],
  ])(
    'a %s is told of as often as by its distance to liquidation: the bands are the same',
    (_side, towards, slope) => {
      fc.assert(
        fc.property(needs, walk, (share, moves) => {
          const liquidation = 100
          const lines = [0.2, 0.1, 0.05]
          // The ratio at which the position is that far from liquidation.
          const ratioAt = (away: number) => 1 / (1 + slope(share) * away)
          let price = liquidation * (towards > 0 ? 1.3 : 0.77)
          const prices = moves.map((move) => (price *= 1 + move))
          const size = exact(String(towards * 2))
          const position = aPosition({ size, liquidationPrice: exact(String(liquidation)) })
          const seen = prices.map((one) => seenAt(one, position))
          const accounts = prices.map((one) => {
            const equity = share * liquidation + towards * (one - liquidation)
            return accountAt((share * one) / equity > 0 ? (share * one) / equity : Infinity)
          })
          const byRatio = story(kind, { tiers: lines.map(ratioAt) }, accounts)
          expect(byRatio).toBe(story(distances, { tiers: lines }, seen))
        }),
      )
    },
  )
})

describe('how loud a tier is', () => {
  test.each([
    [1, 'info', '30% margin line'],
    [2, 'warning', '50% margin line'],
    [3, 'critical', '70% margin line'],
    [4, 'critical', '85% margin line'],
  ])('tier %d is %s, the %s', (tier, severity, line) => {
    expect(kind.severity(params, tier)).toBe(severity)
    expect(plainText(kind.tier(params, tier), reader)).toBe(line)
  })

  test('a rule is described by its lines', () =>
    expect(plainText(kind.describe(params), reader)).toBe('at 30 / 50 / 70 / 85%'))

  test('the higher ratio is told first', () => expect(kind.headroom(0.9)).toBeLessThan(kind.headroom(0.5)))
})

describe('the lines that people set', () => {
  const parsed = (...tiers: number[]) => kind.params.safeParse({ tiers })

  test('are put in order and named once', () => {
    expect(parsed(0.7, 0.5, 0.7).data).toEqual({ tiers: [0.5, 0.7] })
  })

  test.each([[], [0], [1], [1.2], Array.from({ length: 9 }, (_, n) => 0.1 + n / 20)].map((tiers) => [tiers]))(
    '%s are none',
    (tiers) => expect(parsed(...tiers).success).toBe(false),
  )

  test('of several rules hold together', () => {
    expect(kind.merge([{ tiers: [0.5] }, { tiers: [0.3, 0.7] }])).toEqual({ tiers: [0.3, 0.5, 0.7] })
  })

  test.each([
    ['keeps its tier when a milder line is added', [0.5, 0.7], 1, [0.3, 0.5, 0.7], 2],
    ['falls to the next milder line when its own goes', [0.3, 0.5, 0.7], 2, [0.3, 0.7], 1],
    ['stands at none when all that are left are worse', [0.5], 1, [0.7], 0],
  ])('an alert %s', (_what, before, tier, after, carried) => {
    expect(kind.tierUnder({ tiers: before }, tier, { tiers: after })).toBe(carried)
  })
})

describe('what is said', () => {
  const change = (from: number, to: number, value: number): Transition => ({
    ...{ reason: 'worse', from, to, value, at: NOON, alertId: 41, reminders: 0 },
  })
  const said = (
    from: number,
    to: number,
    ratio: number,
    over: Parameters<typeof accountAt>[1] = {},
  ): string[] =>
    plainLines(message([kind.tell(params, change(from, to, ratio), accountAt(ratio, over))]), reader)

  test('names the wallet, the ratio, what is left of it in dollars, and what it covers', () => {
    expect(said(2, 3, 0.8)).toEqual([
      '[CRITICAL] main: margin ratio 80%',
      '  Equity $625, $125 above the $500 minimum',
      '  Add $375 margin → ratio 50%',
      '  Add $1,042 margin → ratio 30%',
      '  Or close a part of it',
      '  covers ETH long $5,000',
      '  past the 70% alert',
      '  account live',
      '  Closing: no quote yet',
    ])
  })

  test.each<[string, number, number, string | null]>([
    ['is early', 1, 0.35, null],
    ['is a warning', 2, 0.55, 'Add $90.91 margin → ratio 50%'],
    ['has nothing left', 4, 1, 'Add at least $500 margin → ratio 50%'],
    ['has less than that', 4, 1.25, 'Add at least $600 margin → ratio 50%'],
  ])(
    'what added margin would bring is said where it is time for it: one that %s',
    (_what, tier, ratio, line) => {
      const lines = said(0, tier, ratio)
      if (line === null) expect(lines.join()).not.toContain('margin →')
      else expect(lines).toContain(`  ${line}`)
    },
  )

  test('it is worked out for the lines that are set, and not of what is out of sight', () => {
    const tell = (tiers: number[], over: Parameters<typeof accountAt>[1] = {}) => {
      const item = kind.tell({ tiers }, change(0, 1, 0.8), accountAt(0.8, over))
      return plainLines(message([item]), reader).join()
    }
    expect(tell([0.6])).toContain('Add $208 margin → ratio 60%')
    expect(tell([0.6, 0.7])).not.toContain('70% (')
    expect(tell([0.6], { unseenSince: NOON })).not.toContain('margin →')
  })

  test('does not say twice what a position says in the same message', () => {
    const beside = said(2, 3, 0.8, { toldBeside: true }).join()
    expect(beside).not.toContain('margin →')
    expect(beside).not.toContain('covers')
    expect(beside).toContain('Equity $625, $125 above')
  })

  test('names the largest positions and counts the others', () => {
    const held = (symbol: string, size: string) => ({
      ...{ position: aPosition({ size: exact(size) }), symbol, price: exact('100') },
    })
    const positions = [
      held('BTC', '90'),
      held('ETH', '-50'),
      held('SOL', '30'),
      held('X', '20'),
      held('Y', '1'),
    ]
    expect(said(2, 3, 0.8, { positions })).toContain(
      '  covers BTC long $9,000, ETH short $5,000, SOL long $3,000 and 2 more',
    )
  })

  test('at its end it does not speak of what may be lost still', () => {
    const [title, first] = said(3, 4, 1.04)
    expect(title).toBe('[CRITICAL] main: margin used up, ratio 104%')
    expect(first).toBe('  Equity no longer covers the minimum of $500')
  })

  test('eases, and is safe again', () => {
    expect(said(4, 2, 0.6)).toEqual([
      '[INFO] main recovered to a margin ratio of 60%',
      '  Equity $833, $333 above the $500 minimum',
      '  85% alert cleared, 50% alert still on',
      '  covers ETH long $5,000',
      '  past the 50% alert',
      '  account live',
    ])
    expect(said(2, 0, 0.1)[0]).toBe('[RESOLVED] main is safe again: margin ratio 10%')
  })

  test('said again between a line and its clear band, it claims no more than that', () => {
    expect(said(0, 2, 0.48)).toContain('  50% alert, clears at 46.5%')
    expect(said(4, 2, 0.48)).toContain('  50% alert, clears at 46.5%')
  })

  test('of a portfolio account nothing is computed: its equity is not all of what counts', () => {
    const account = anAccount({ mode: 'portfolio', equityUsd: null, marginRatio: 0.8 })
    expect(said(2, 3, 0.8, { account })[1]).toBe('  minimum $500')
    expect(said(2, 3, 0.8, { account }).join()).not.toContain('margin →')
  })
})
