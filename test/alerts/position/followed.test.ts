import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { WalletSubject } from '../../../src/alert/subject.ts'
import { message, plainLines } from '../../../src/message/message.ts'
import type { ClosedPosition } from '../../../src/venue/closed-position.ts'
import { type Position, positionKey } from '../../../src/venue/position.ts'
import { NOON } from '../../support/clock.ts'
import { eventNamed, occurrences } from '../../support/engine.ts'
import { aMarket, aPosition, exact, holding } from '../../support/fixtures.ts'

const kind = eventNamed('followed')
const ETH_PRICE = 2_500
const market = aMarket({ price: exact(String(ETH_PRICE)) })
const eth = (size: string, more: Partial<Position> = {}) => aPosition({ size: exact(size), ...more })
const seen = (positions: Position[], more: Partial<WalletSubject> = {}) =>
  holding(positions, { market: () => market, symbol: () => 'ETH', label: 'whale', ...more })
const story = (least: number, subjects: WalletSubject[]) => occurrences(kind, { least }, subjects)
const gone = (position: Position, more: Partial<ClosedPosition> = {}): ClosedPosition => ({
  ...{ key: positionKey(position), position, symbol: 'ETH', cause: 'closed', ending: null, takerFee: null },
  ...{
    lastSeenAt: NOON,
    awaySince: null,
    lastPrice: 2_500,
    lastDistance: 0.2,
    worstPrice: 2_480,
    orders: [],
  },
  ...more,
})
const later = (minutes: number) => ({ now: NOON + minutes * 60_000, positionAt: NOON + minutes * 60_000 })

/** Its messages, as people read them. */
function told(least: number, subjects: WalletSubject[]): string[][] {
  let state: unknown
  return subjects.flatMap((subject) => {
    const found = kind.detect({ least }, state, subject)
    state = found.state
    return found.occurrences.map((one) =>
      plainLines(message([kind.tell({ least }, one, subject)]), { now: subject.now, zone: 'UTC' }),
    )
  })
}

describe('a wallet that somebody follows', () => {
  test.each([
    ['says nothing of what it held at the first look', 0, [seen([eth('2')]), seen([eth('2')])], ''],
    ['says once that a position was opened', 0, [seen([]), seen([eth('2')]), seen([eth('2')])], '1:opened'],
    ['says nothing of a small opening', 10_000, [seen([]), seen([eth('2')])], ''],
    [
      'says that a position was closed',
      0,
      [seen([eth('2')]), seen([], { gone: [gone(eth('2'))] })],
      '1:closed',
    ],
    [
      'says nothing of the end of a small one',
      10_000,
      [seen([eth('2')]), seen([], { gone: [gone(eth('2'))] })],
      '',
    ],
    [
      'says that a large one was liquidated',
      10_000,
      [seen([eth('20')]), seen([], { gone: [gone(eth('20'), { cause: 'liquidated' })] })],
      '1:liquidated',
    ],
    ['says that it grew', 0, [seen([eth('2')]), seen([eth('3')])], '1:resized'],
    ['says nothing of a small change', 10_000, [seen([eth('20')]), seen([eth('21')])], ''],
    ['adds small changes up', 10_000, [seen([eth('20')]), seen([eth('22')]), seen([eth('25')])], '2:resized'],
    [
      'gathers the slices of a minute',
      0,
      [seen([]), seen([eth('2')], later(1)), seen([eth('3')], later(1.5)), seen([eth('4')], later(3))],
      '1:opened 3:resized',
    ],
    [
      'tells the end of a position that has shrunk below the least size, when its opening was told',
      10_000,
      [
        seen([]),
        seen([eth('20')]),
        seen([eth('2')], later(5)),
        seen([], { gone: [gone(eth('2'))], ...later(10) }),
      ],
      '1:opened 2:resized 3:closed',
    ],
  ])('%s', (_what, least, subjects, expected) => expect(story(least, subjects)).toBe(expected))

  test('turns a long into a short in one message, with what the long has brought', () => {
    const [long, short] = [eth('2'), eth('-3')]
    const subjects = [
      seen([long]),
      seen([long, short], { missing: [positionKey(long)] }),
      seen([short], { gone: [gone(long)] }),
      seen([short]),
    ]
    expect(story(0, subjects)).toBe('2:turned')
    expect(told(0, subjects)[0]?.slice(0, 3)).toEqual([
      '[INFO] whale turned short in ETH, $7,500',
      expect.stringMatching(/^ {2}3 ETH · entry /),
      expect.stringMatching(/^ {2}the long before: made about .* before fees$/),
    ])
  })

  test('names who, what and how much in its first line, and stays below five lines', () => {
    const lines = told(0, [seen([]), seen([eth('20', { leverage: 20 })])])
    expect(lines).toEqual([
      [
        '[INFO] whale opened ETH long, $50k',
        expect.stringContaining('· 20x'),
        expect.stringContaining('liquidation'),
      ],
    ])
  })

  test('its ends count in nobody’s results', () => {
    const subjects = [seen([eth('2')]), seen([], { gone: [gone(eth('2'))] })]
    let state: unknown
    const all = subjects.flatMap((subject) => {
      const found = kind.detect({ least: 0 }, state, subject)
      state = found.state
      return found.occurrences
    })
    expect(all).toHaveLength(1)
    expect(all.filter(({ closing }) => closing !== undefined)).toEqual([])
  })

  test('without a price everything is told: what is not known is not small', () => {
    const blind = (positions: Position[]) =>
      holding(positions, { market: () => undefined, symbol: () => 'ETH', label: 'whale' })
    const dark = eth('0.001', { entryPrice: null })
    expect(story(1_000_000, [blind([]), blind([dark])])).toBe('1:opened')
  })

  test('whatever it does, no message is more than quiet information of at most five lines', () => {
    const size = fc.integer({ min: -30, max: 30 })
    const cause = fc.constantFrom(
      'closed',
      'liquidated',
      'deleveraged',
      'settled',
      'probably liquidated',
      'unknown',
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(size, cause), { maxLength: 12 }), fc.nat(60_000), (walk, least) => {
        let [state, before]: [unknown, Position | null] = [undefined, null]
        for (const [at, [units, how]] of walk.entries()) {
          const now = units === 0 ? null : eth(String(units))
          const isGone = before !== null && (now === null || positionKey(now) !== positionKey(before))
          const ended = isGone && before ? [gone(before, { cause: how as ClosedPosition['cause'] })] : []
          const subject = seen(now ? [now] : [], { gone: ended, ...later(at) })
          const found = kind.detect({ least }, state, subject)
          for (const one of found.occurrences) {
            expect(kind.severity({ least }, one)).toBe('info')
            const item = kind.tell({ least }, one, subject)
            expect(item.tone).toBe('info')
            expect(item.lines.length).toBeLessThanOrEqual(4)
          }
          ;[state, before] = [found.state, now]
        }
      }),
    )
  })
})
