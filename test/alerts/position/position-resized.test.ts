import { describe, expect, test } from 'vitest'

import { fromJson, toJson } from '../../../src/lib/text/json.ts'
import { message, plainLines, plainText } from '../../../src/message/message.ts'
import type { ClosedPosition } from '../../../src/venue/closed-position.ts'
import { type Position, positionKey } from '../../../src/venue/position.ts'
import { NOON } from '../../support/clock.ts'
import { eventNamed, occurrences, titleOf } from '../../support/engine.ts'
import { aMarket, aPosition, exact, holding } from '../../support/fixtures.ts'
import { set } from '../../support/kinds.ts'

const kind = eventNamed('position-resized')
const sized = (size: string, over: Partial<Position> = {}) => aPosition({ size: exact(size), ...over })
const usual = kind.armedByWatch
const HOUR_MS = 3_600_000
/** A look an hour. */
const story = (readings: Position[][]) =>
  occurrences(
    kind,
    usual,
    readings.map((positions, hour) => holding(positions, { positionAt: NOON + hour * HOUR_MS })),
  )

describe('a position that changes its size', () => {
  test.each([
    ['is told once', [[sized('2')], [sized('3')], [sized('3')]], '1:resized'],
    ['is not told at the first look', [[sized('2')]], ''],
    ['is not told when it is new', [[], [sized('2')]], ''],
    ['is not told when it is gone', [[sized('2')], []], ''],
    ['is not told when it turns round: that is another position', [[sized('2')], [sized('-2')]], ''],
    ['is not told of dust', [[sized('2')], [sized('2.000000000000000001')]], ''],
    ['is not told below 1% and $50', [[sized('2')], [sized('2.019')]], ''],
    ['is told from 1% on, however little it is worth', [[sized('0.001')], [sized('0.00101')]], '1:resized'],
    ['is told from $50 on, however small its share', [[sized('200')], [sized('200.02')]], '1:resized'],
    [
      'is told when dust has become much, against what was told last',
      [[sized('2')], [sized('2.015')], [sized('2.03')]],
      '2:resized',
    ],
    [
      'is told of the one that did',
      [
        [sized('2'), sized('5', { accountId: '2' })],
        [sized('2'), sized('4', { accountId: '2' })],
      ],
      '1:resized',
    ],
    [
      'is not told when only its liquidation price moves',
      [[sized('2')], [sized('2', { liquidationPrice: exact('1') })]],
      '',
    ],
  ])('%s', (_what, readings, told) => expect(story(readings)).toBe(told))
})

describe('a position that has the same size and another entry', () => {
  const entered = (entry: string, over: Partial<Position> = {}) =>
    sized('2', { entryPrice: exact(entry), openedAt: NOON, ...over })
  test.each([
    [
      'is told once: it was closed and opened again',
      [[entered('100')], [entered('105')], [entered('105')]],
      '1:traded back',
    ],
    [
      'is told when its time of entry says so',
      [[entered('100')], [entered('100.01', { openedAt: NOON + 1 })]],
      '1:traded back',
    ],
    ['is not told when only a rounding moved it', [[entered('100')], [entered('100.01')]], ''],
    [
      'is not told when the venue does not say the entry',
      [[entered('100')], [entered('105', { entryPrice: null })]],
      '',
    ],
    [
      'is told as larger when it is',
      [[entered('100')], [sized('3', { entryPrice: exact('105') })]],
      '1:resized',
    ],
  ] satisfies [string, Position[][], string][])('%s', (_what, readings, told) =>
    expect(story(readings)).toBe(told),
  )

  test('is told with both entries, and is no news to a state of an earlier version', () => {
    const { state } = kind.detect(usual, undefined, holding([entered('100')]))
    const now = holding([entered('105')])
    const [told] = kind.detect(usual, state, now).occurrences
    const said = told && kind.tell(usual, told, now)
    expect(said && plainLines(message([said]), { now: NOON, zone: 'UTC' }).slice(0, 2)).toEqual([
      '[INFO] ETH long: reopened, or traded back',
      '  entry $100.00 → $105.00, same size as before',
    ])
    const { entries: _new, ...old } = state as { entries: object }
    expect(kind.detect(usual, old, now).occurrences).toEqual([])
  })
})

describe('what closing a part of it brought', () => {
  const charging = aMarket({ takerFee: exact('0.0005') })
  const part = (size: string, realised: string | null, over: Partial<Position> = {}) =>
    holding([sized(size, { realisedPnlUsd: realised === null ? null : exact(realised), ...over })], {
      market: (id) => (id === '100' ? charging : id === '300' ? aMarket() : undefined),
    })
  const told = (...readings: ReturnType<typeof part>[]) => {
    let memo: unknown
    const all: string[] = []
    for (const subject of readings) {
      const detected = kind.detect({}, memo, subject)
      memo = detected.state
      for (const occurrence of detected.occurrences) {
        const lines = plainLines(message([kind.tell({}, occurrence, subject)]), { now: NOON, zone: 'UTC' })
        const of = lines.filter((one) => /^ {2}(made|lost|estimated) /.test(one)).map((one) => one.trim())
        all.push(
          `${of.length === 0 ? 'nothing of money' : of.join(': ')} (${occurrence.closing?.tradeUsd ?? 'unknown'})`,
        )
      }
    }
    return all
  }

  test.each([
    [
      'is what the venue says more than before',
      [part('2', '10'), part('1', '110.5')],
      ['made $101, before fees and funding (100500000000000000000)'],
    ],
    [
      'may be a loss',
      [part('2', '0'), part('1', '-40')],
      ['lost $40.00, before fees and funding (-40000000000000000000)'],
    ],
    [
      'counts the dust since it was told last',
      [part('2', '0'), part('1.99', '1'), part('1', '100')],
      ['made $100, before fees and funding (100000000000000000000)'],
    ],
    [
      'is estimated at the price of now where the venue does not say it',
      [part('2', null, { entryPrice: exact('2400') }), part('1', null, { entryPrice: exact('2400') })],
      [
        'made about $98.75 (my estimate): estimated at $2,500.00, $1.25 fee included, before funding (100000000000000000000)',
      ],
    ],
    [
      'is estimated where the venue had not said it before',
      [part('2', null), part('1', '110')],
      ['lost about $1.25 (my estimate): estimated at $2,500.00, $1.25 fee included, before funding (0)'],
    ],
    [
      'says that the fees are missing where the venue does not tell them',
      [part('2', null, { marketId: '300' }), part('1', null, { marketId: '300' })],
      ['made about $0.00 before fees: estimated at $2,500.00, before fees and funding (0)'],
    ],
    [
      'is unknown where nobody knows a price',
      [part('2', null, { marketId: '200' }), part('1', null, { marketId: '200' })],
      ['nothing of money (unknown)'],
    ],
    [
      'is unknown of one that was closed and opened anew meanwhile',
      [part('2', '10'), part('1', '0')],
      ['nothing of money (unknown)'],
    ],
    ['is not spoken of when it grows', [part('1', '10'), part('2', '10')], ['nothing of money (unknown)']],
  ])('%s', (_what, readings, words) => expect(told(...readings)).toEqual(words))

  test('of a short is a gain when the price fell', () => {
    const short = (size: string) => part(size, null, { entryPrice: exact('2600') })
    expect(told(short('-3'), short('-1'))).toEqual([
      expect.stringMatching(/^made about \$198 \(my estimate\)/),
    ])
  })

  test('is no more than an estimate where an earlier version has kept the size alone', () => {
    const subject = part('1', '110')
    const key = positionKey(sized('1'))
    const { occurrences: happened, state: memo } = kind.detect({}, { [key]: String(exact('2')) }, subject)
    expect(happened).toMatchObject([{ what: 'resized' }])
    expect(happened[0]?.closing).toMatchObject({ estimate: true })
    expect(memo).toMatchObject({ sizes: { [key]: `${exact('1')} ${exact('110')}` } })
  })
})

describe('a part that was closed and waits to be told', () => {
  const anEnd = (position: Position): ClosedPosition => ({
    ...{ key: positionKey(position), position, symbol: 'ETH', cause: 'closed', ending: null, takerFee: null },
    ...{
      lastSeenAt: NOON,
      awaySince: null,
      lastPrice: 2_500,
      lastDistance: 0.2,
      worstPrice: 2_480,
      orders: [],
    },
  })
  const at = (minute: number, size: string, realised: string, isGone = false) => {
    const position = sized(size, { realisedPnlUsd: exact(realised) })
    const over = { positionAt: NOON + minute * 60_000 }
    return isGone ? holding([], { ...over, gone: [anEnd(position)] }) : holding([position], over)
  }
  const told = (readings: ReturnType<typeof at>[]) => {
    let memo = kind.detect(usual, undefined, holding([])).state
    return readings.flatMap((subject) => {
      const detected = kind.detect(usual, memo, subject)
      memo = detected.state
      return detected.occurrences.map((occurrence) =>
        plainLines(message([kind.tell(usual, occurrence, subject)]), { now: NOON, zone: 'UTC' }).join('|'),
      )
    })
  }

  test('is told with the end of it, once, with what it brought', () => {
    const readings = [at(0, '2', '0'), at(3, '1', '80'), at(5, '1', '80', true), at(6, '1', '80', true)]
    expect(told(readings)).toEqual([
      expect.stringMatching(/ETH long shrank by 50%.*made \$80\.00, before fees.*before it ended · main/),
    ])
  })

  test.each([
    ['was dust', [at(0, '2', '0'), at(3, '1.999', '0.1'), at(5, '1.999', '0.1', true)]],
    ['made it larger', [at(0, '2', '0'), at(3, '3', '0'), at(5, '3', '0', true)]],
    ['is none, as it was told', [at(0, '2', '0'), at(5, '2', '0', true)]],
  ])('is not where it %s', (_what, readings) => expect(told(readings)).toEqual([]))
})

describe('how much matters is for everybody to set', () => {
  const told = (line: string, before: string, after: string) =>
    occurrences(kind, set(kind, `position-resized ${line}`).params, [
      holding([sized(before)]),
      holding([sized(after)]),
    ])

  test.each([
    ['without a word it is from 1% or $50 on', '', '2', '2.019', ''],
    ['without a word it is from 1% or $50 on, as it was', '', '2', '2.02', '1:resized'],
    ['who names a share asks for that alone', '10%', '200', '219', ''],
    ['who names a share hears of it from there on', '10%', '200', '220', '1:resized'],
    ['who names dollars asks for those alone', '$500', '0.01', '0.1', ''],
    ['who names dollars hears of it from there on', '$500', '2', '2.2', '1:resized'],
    ['who names both hears of either', '10% $500', '200', '200.2', '1:resized'],
    ['nothing is too small for nothing', '$0', '2', '2.000000000000000001', '1:resized'],
  ])('%s', (_what, line, before, after, heard) => expect(told(line, before, after)).toBe(heard))

  test('of several rules the one counts that tells more', () => {
    const asked = (line: string) => set(kind, `position-resized ${line}`).params
    expect(kind.merge([asked('10%'), asked('20%')])).toEqual(asked('10%'))
    expect(kind.merge([asked('10%'), asked('$500')])).toEqual(asked('10% $500'))
    expect(kind.merge([asked('10%'), asked('')])).toEqual(usual)
    expect(kind.merge([asked('10% 1h'), asked('10% 1m')])).toEqual(asked('10% 1m'))
  })

  test.each([['-1%'], ['1001%'], ['-$5']])('“%s” is refused', (line) =>
    expect(() => told(line, '1', '2')).toThrow('A change is'),
  )

  test('is said', () => {
    const words = (params: unknown) => plainText(kind.describe(params), { now: NOON, zone: 'UTC' })
    const asked = ['', '10%', '$500', '10% 1h'].map((line) => set(kind, `position-resized ${line}`).params)
    expect(asked.map(words)).toEqual([
      'from 1% or $50.00 on',
      'from 10% on',
      'from $500 on',
      'from 10% on, in one message within 1 h',
    ])
  })
})

test('a part that waits to be told is estimated at the prices at which it was closed, not at that of the telling', () => {
  const look = (minute: number, size: string, price: string) =>
    holding([sized(size, { realisedPnlUsd: null })], {
      positionAt: NOON + minute * 60_000,
      market: () => aMarket({ price: exact(price) }),
    })
  const looks = [look(0, '2', '2500'), look(1, '4', '2500'), look(2, '2', '2600'), look(3, '1', '2900')]
  let memo: unknown
  const said = [...looks, look(4, '1', '2000'), look(12, '1', '2000')].flatMap((subject) => {
    const { state, occurrences } = kind.detect(usual, memo, subject)
    memo = fromJson(toJson(state))
    return occurrences.map((one) =>
      plainLines(message([kind.tell(usual, one, subject)]), { now: NOON, zone: 'UTC' }).join(' '),
    )
  })
  expect(said.at(-1)).toContain('estimated at $2,700.00')
})

describe('changes that follow each other', () => {
  /** Sizes by the minute at which they are seen. */
  const minutes = (looks: [number, string | null][], kept?: unknown, params = usual) => {
    let memo = kept
    return looks
      .flatMap(([minute, size]) => {
        const subject = holding(size === null ? [] : [sized(size)], { positionAt: NOON + minute * 60_000 })
        const detected = kind.detect(params, memo, subject)
        memo = fromJson(toJson(detected.state))
        return detected.occurrences.map(
          (occurrence) => `${minute}:${titleOf(kind.tell(params, occurrence, subject))}`,
        )
      })
      .join(' ')
  }

  test.each<[string, [number, string | null][], string]>([
    [
      'the first is told at once',
      [
        [0, '2'],
        [1, '3'],
      ],
      '1:ETH long grew by 50%',
    ],
    [
      'those that follow within ten minutes are told together, when these are over',
      [
        [0, '2'],
        [1, '3'],
        [2, '4'],
        [5, '5'],
        [10, '6'],
        [11, '6'],
        [12, '6'],
      ],
      '1:ETH long grew by 50% 11:ETH long grew by 100%',
    ],
    [
      'those that go on, as of a TWAP, are told ever more rarely, and the rest soon after the last one',
      Array.from({ length: 121 }, (_, minute): [number, string] => [
        minute,
        String(2 + Math.min(minute, 100)),
      ]),
      '1:ETH long grew by 50% 11:ETH long grew by 333% 31:ETH long grew by 154% 71:ETH long grew by 121% 110:ETH long grew by 39.7%',
    ],
    [
      'so are those that follow its opening',
      [
        [0, null],
        [1, '2'],
        [2, '3'],
        [3, '4'],
        [11, '4'],
        [12, '4'],
      ],
      '11:ETH long grew by 100%',
    ],
    [
      'what has come back by then is none',
      [
        [0, '2'],
        [1, '3'],
        [2, '5'],
        [3, '3'],
        [12, '3'],
      ],
      '1:ETH long grew by 50%',
    ],
    [
      'later ones are told at once',
      [
        [0, '2'],
        [1, '3'],
        [20, '2'],
      ],
      '1:ETH long grew by 50% 20:ETH long shrank by 33.3%',
    ],
    [
      'a clock that is set back makes nobody wait',
      [
        [60, '2'],
        [61, '3'],
        [1, '2'],
      ],
      '61:ETH long grew by 50% 1:ETH long shrank by 33.3%',
    ],
  ])('%s', (_what, looks, told) => expect(minutes(looks)).toBe(told))

  test('is looked at until what waits is told, whatever else is as it was', () => {
    const at = (minute: number, size: string) =>
      holding([sized(size)], { positionAt: NOON + minute * 60_000 })
    const [first, second] = [kind.detect(usual, undefined, at(0, '2')), at(1, '3')]
    expect(first.isIdempotent).toBe(true)
    const told = kind.detect(usual, first.state, second)
    expect(told.isIdempotent).toBe(true)
    expect(kind.detect(usual, told.state, at(2, '4')).isIdempotent).toBe(false)
  })

  test('go on from what an earlier version had kept', () => {
    const { state: memo } = kind.detect(usual, undefined, holding([sized('2')]))
    const { sizes } = memo as { sizes: Record<string, string> }
    expect(
      minutes(
        [
          [0, '3'],
          [1, '4'],
        ],
        sizes,
      ),
    ).toBe('0:ETH long grew by 50%')
  })

  test('are told one by one to whoever asks for that', () => {
    const params = set(kind, 'position-resized 1s').params
    const looks: [number, string][] = [
      [0, '2'],
      [1, '3'],
      [2, '4'],
    ]
    expect(minutes(looks, undefined, params)).toBe('1:ETH long grew by 50% 2:ETH long grew by 33.3%')
  })
})

test('it judges wallets and nothing else', () => {
  expect(() => kind.detect(usual, undefined, { is: 'market' } as never)).toThrow('wallets')
})

describe('the words', () => {
  const told = (before: Position, after: Position, over = {}) => {
    const { state: memo } = kind.detect(usual, undefined, holding([before]))
    const subject = holding([after], over)
    const [occurrence] = kind.detect(usual, memo, subject).occurrences
    if (!occurrence) throw new Error('nothing has happened')
    expect(kind.severity(usual, occurrence)).toBe('info')
    return plainLines(message([kind.tell(usual, occurrence, subject)]), { now: NOON, zone: 'UTC' })
  }

  test('say from what to what, and where its liquidation is now', () => {
    expect(told(sized('2'), sized('3'))).toEqual([
      '[INFO] ETH long grew by 50%',
      '  2 → 3 ETH, $7,500',
      '  liquidation at $2,000.00, 20.0% away · main',
    ])
  })

  test.each([
    ['2', '1', 'ETH long shrank by 50%'],
    ['-2', '-3', 'ETH short grew by 50%'],
    ['-2', '-0.5', 'ETH short shrank by 75%'],
  ])('from %s to %s', (before, after, title) => expect(told(sized(before), sized(after))[0]).toContain(title))

  test('do without a market and a liquidation price', () => {
    const over = { marketId: '200', liquidationPrice: null }
    expect(told(sized('2', over), sized('3', over)).slice(1, 3)).toEqual([
      '  2 → 3 market 200',
      '  no liquidation price · main',
    ])
  })

  test('say what happened while the bot was away', () => {
    const lines = told(sized('2'), sized('3'), { awaySince: NOON - 420_000 })
    expect(lines.at(-1)).toBe('  while I was away, 11:53 UTC to 12:00 UTC')
  })
})
