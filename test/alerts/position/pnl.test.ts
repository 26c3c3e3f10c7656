import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Transition } from '../../../src/alert/alert.ts'
import { message, plainLines, plainText } from '../../../src/message/message.ts'
import type { Position } from '../../../src/venue/position.ts'
import { NOON } from '../../support/clock.ts'
import { levelNamed, story, titleOf } from '../../support/engine.ts'
import { aMarket, aPosition, exact, seenAt } from '../../support/fixtures.ts'
import { set } from '../../support/kinds.ts'

const kind = levelNamed('pnl')
const reader = { now: NOON, zone: 'UTC' }
const asked = (line: string) => set(kind, `pnl ${line}`).params

/** Ten bought or sold at 1000, at ten times the margin: $10,000 on $1,000. */
const long = aPosition({ size: exact('10'), entryPrice: exact('1000'), leverage: 10 })
const short = aPosition({ ...long, size: exact('-10') })
/** By what has been gained. */
const longs = (gains: number[]) => gains.map((usd) => seenAt(1000 + usd / 10, long))
const shorts = (gains: number[]) => gains.map((usd) => seenAt(1000 - usd / 10, short))

const stories: [string, string, number[], string][] = [
  ['a loss is told once, however long it lasts', '-$500', [0, -499, -500, -600, -501], '2:0>1'],
  ['a loss clears when a good part of it is back', '-$500', [-500, -430, -424], '0:0>1 2:1>0'],
  ['a loss is no gain', '-$500', [500, 5_000], ''],
  ['each line of a loss is told', '-$500 -$1k', [-600, -1_000, -900, -800, 0], '0:0>1 1:1>2 3:2>1 4:1>0'],
  ['a gap through two lines is told once', '-$500 -$1k', [0, -2_000], '1:0>2'],
  ['a gain is told once', '+$500', [0, 499, 500, 600], '2:0>1'],
  ['a gain is no loss', '+$500', [-500, -5_000], ''],
  ['a gain clears when a good part of it is gone', '+$500', [500, 430, 424], '0:0>1 2:1>0'],
  ['a share of its worth', '-5% notional', [-499, -500], '1:0>1'],
  ['a share of its margin', '-50% margin', [-499, -500], '1:0>1'],
  ['a small amount of a large position does not tremble', '-$10', [-10, 5, -10, 39, -10], '0:0>1'],
  ['a small amount clears past the entry', '-$10', [-10, 41, -10], '0:0>1 1:1>0 2:0>1'],
]

test('without an entry price nothing is known of it', () => {
  const bare = { ...long, entryPrice: null }
  expect(kind.judge(asked('-$500'), seenAt(900, bare))).toBe('unknown')
  expect(kind.notShownByVenue(asked('-$500'), bare)).toBe('no entry price is shown')
})

describe.each([
  ['long', longs],
  ['short', shorts],
])('what a %s has gained or lost', (_side, at) => {
  test.each(stories)('%s', (_what, line, gains, told) => {
    expect(story(kind, asked(line), at(gains))).toBe(told)
  })

  test('is judged by the very prices of its bounds', () => {
    for (const line of ['-$500 -$1k', '+$500', '-5% notional'])
      fc.assert(
        fc.property(fc.double({ min: -9_000, max: 9_000, noNaN: true }), (usd) => {
          const [subject] = at([usd])
          const verdict = subject && kind.judge(asked(line), subject)
          if (!subject || !verdict || verdict === 'unknown') throw new Error('no verdict')
          for (const bound of [verdict.stableWithin?.below, verdict.stableWithin?.above]) {
            if (bound === undefined) continue
            const inside = (subject.price + bound) / 2
            const { enter, stay } = verdict
            if (inside !== bound && inside !== subject.price)
              expect(kind.judge(asked(line), { ...subject, price: inside })).toMatchObject({ enter, stay })
          }
        }),
      )
  })
})

test('a share of a margin that the venue does not show is unknown, never fine', () => {
  expect(kind.judge(asked('-50% margin'), seenAt(900, aPosition({ leverage: null })))).toBe('unknown')
  expect(kind.judge(asked('-5% notional'), seenAt(900, aPosition({ leverage: null })))).not.toBe('unknown')
})

test('what was held in a market that is delisted is not judged until its wallet is read', () => {
  const market = aMarket({ delisted: true, price: exact('900') })
  const settled = { market, marketAt: NOON }
  expect(kind.judge(asked('-$1'), seenAt(900, long, settled))).toBe('unknown')
  expect(kind.judge(asked('-$1'), seenAt(900, long, { ...settled, positionAt: NOON }))).not.toBe('unknown')
})

describe('what people ask for', () => {
  test.each([
    ['-5k', 'from -$5,000 on', 'loss usd'],
    ['-5k -10k', 'from -$5,000 / -$10k on', 'loss usd'],
    ['10k', 'from +$10k on', 'gain usd'],
    ['-20% margin', 'from -20% of margin on', 'loss margin'],
    ['+7.5% notional', 'from +7.5% of notional on', 'gain notional'],
  ])('%s', (line, words, identity) => {
    expect(plainText(kind.describe(asked(line)), reader)).toBe(words)
    expect(kind.identity(asked(line))).toBe(identity)
    expect(asked(kind.typed(asked(line)))).toEqual(asked(line))
  })

  test.each([
    ['-5k +10k', 'Losses and gains are two rules'],
    ['-5k -20%', 'Dollars and percentages are two rules'],
    ['-20%', 'What a percentage is a share of?'],
    ['-5k margin', 'Only a percentage is a share of something'],
    ['0', 'Zero is break-even'],
    ['', 'At which profit or loss'],
  ])('“%s” is refused with what to say instead', (line, why) => {
    expect(() => asked(line)).toThrow(why)
  })

  test('goes together with what another rule asks for: each line once, the mildest first', () => {
    const both = kind.merge([asked('-5k -10k'), asked('-1k -10k')])
    expect(both).toEqual(asked('-1k -5k -10k'))
    expect(kind.tierUnder(asked('-10k'), 1, both)).toBe(3)
    expect(kind.tierUnder(asked('-10k'), 1, asked('-20k'))).toBe(0)
  })

  test('rings when it is lost, and does not when it is gained', () => {
    expect(kind.severity(asked('-5k'), 1)).toBe('warning')
    expect(kind.severity(asked('5k'), 1)).toBe('info')
  })
})

describe('the words', () => {
  const told = (line: string, position: Position, change: Partial<Transition>, over = {}) => {
    const value = change.value ?? -600
    const subject = seenAt(1000 + value / (position.size < 0n ? -10 : 10), position, over)
    const step = { reason: 'fired', from: 0, to: 1, value, at: NOON, alertId: 41, reminders: 0 } as const
    return plainLines(message([kind.tell(asked(line), { ...step, ...change }, subject)]), reader)
  }

  test('of a loss', () => {
    expect(told('-$500', long, {})).toEqual([
      '[WARNING] ETH long is down $600',
      '  10 ETH, $9,400 · main',
      '  past your -$500',
      '  index price $940.00, entry $1,000.00',
      '  liquidation at $2,000.00',
      '  before funding and fees',
      '  price live, position live',
    ])
  })

  test.each([
    ['-50% margin', short, {}, '[WARNING] ETH short is down $600', 'past your -50% of margin (-60%)'],
    ['+$500', long, { value: 600 }, '[INFO] ETH long is up $600', 'past your +$500'],
    [
      '-$500 -$1k',
      long,
      { from: 2, to: 1, value: -800 },
      '[INFO] ETH long: PnL now -$800',
      '-$1,000 cleared, still past your -$500',
    ],
    [
      '-$500',
      long,
      { value: -450 },
      '[WARNING] ETH long is down $450',
      'just short of your -$500, clears at -$425',
    ],
    [
      '-50% margin',
      short,
      { value: -450 },
      '[WARNING] ETH short is down $450',
      'just short of your -50% of margin (-45%), clears at -$425',
    ],
    [
      '-$500 -$1k',
      long,
      { from: 2, to: 1, value: -450 },
      '[INFO] ETH long: PnL now -$450',
      '-$1,000 cleared, just short of your -$500, clears at -$425',
    ],
    [
      '-$500',
      long,
      { from: 1, to: 0, value: -100 },
      '[RESOLVED] ETH long is back at PnL -$100',
      'back from your -$500',
    ],
    [
      '+$500',
      long,
      { from: 1, to: 0, value: 100 },
      '[INFO] ETH long is back at PnL +$100',
      'back from your +$500',
    ],
  ])('%s', (line, position, change, title, stands) => {
    const lines = told(line, position, change)
    expect(lines[0]).toBe(title)
    expect(lines[2]).toBe(`  ${stands}`)
  })

  test('say what happened while the bot was away', () => {
    expect(told('-$500', long, {}, { awaySince: NOON - 420_000 })).toContain(
      '  while I was away, 11:53 UTC to 12:00 UTC',
    )
  })

  test('fit a lock screen', () => {
    const many = aPosition({ size: exact('12345678'), entryPrice: exact('1000') })
    const value = -1_234_567_890
    const change = { reason: 'resolved', from: 1, to: 0, value, at: NOON, alertId: 41, reminders: 0 } as const
    expect(titleOf(kind.tell(asked('-$500'), change, seenAt(900, many))).length).toBeLessThan(60)
  })
})
