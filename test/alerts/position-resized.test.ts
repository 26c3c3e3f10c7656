import { describe, expect, test } from 'vitest'
import { message, plainLines, plainText } from '../../src/message.ts'
import type { Position } from '../../src/position.ts'
import { NOON } from '../support/clock.ts'
import { eventNamed, happenings } from '../support/engine.ts'
import { aPosition, exact, holding } from '../support/fixtures.ts'
import { set } from '../support/kinds.ts'

const kind = eventNamed('position-resized')
const sized = (size: string, over: Partial<Position> = {}) => aPosition({ size: exact(size), ...over })
const story = (readings: Position[][]) =>
  happenings(
    kind,
    {},
    readings.map((positions) => holding(positions)),
  )

describe('a position that changes its size', () => {
  test.each([
    ['is told once', [[sized('2')], [sized('3')], [sized('3')]], '1:resized'],
    ['is not told at the first look', [[sized('2')]], ''],
    ['is not told when it is new', [[], [sized('2')]], ''],
    ['is not told when it is gone', [[sized('2')], []], ''],
    ['is not told when it turns round: that is another position', [[sized('2')], [sized('-2')]], ''],
    ['is not told of dust', [[sized('2')], [sized('2.000000000000000001')]], ''],
    ['is not told below 1 % and $50', [[sized('2')], [sized('2.019')]], ''],
    ['is told from 1 % on, however little it is worth', [[sized('0.001')], [sized('0.00101')]], '1:resized'],
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

describe('what closing a part of it brought', () => {
  const part = (size: string, realised: string | null) =>
    holding([sized(size, { realisedPnlUsd: realised === null ? null : exact(realised) })])
  const told = (...readings: ReturnType<typeof part>[]) => {
    let memo: unknown
    const all: string[] = []
    for (const subject of readings) {
      const folded = kind.fold({}, memo, subject)
      memo = folded.memo
      for (const happening of folded.happened) {
        const lines = plainLines(message([kind.tell({}, happening, subject)]), { now: NOON, zone: 'UTC' })
        const line = lines.find((one) => one.includes('by that'))?.trim() ?? 'nothing of money'
        all.push(`${line} (${happening.closing?.tradeUsd ?? 'unknown'})`)
      }
    }
    return all
  }

  test.each([
    [
      'is what the venue says more than before',
      [part('2', '10'), part('1', '110.5')],
      ['made $101 by that, without fees and funding (100500000000000000000)'],
    ],
    [
      'may be a loss',
      [part('2', '0'), part('1', '-40')],
      ['lost $40.00 by that, without fees and funding (-40000000000000000000)'],
    ],
    [
      'counts the dust since it was told last',
      [part('2', '0'), part('1.99', '1'), part('1', '100')],
      ['made $100 by that, without fees and funding (100000000000000000000)'],
    ],
    [
      'is unknown where the venue has not said it before',
      [part('2', null), part('1', '110')],
      ['nothing of money (unknown)'],
    ],
    [
      'is unknown where the venue says it no more',
      [part('2', '10'), part('1', null)],
      ['nothing of money (unknown)'],
    ],
    ['is not spoken of when it grows', [part('1', '10'), part('2', '10')], ['nothing of money (unknown)']],
  ])('%s', (_what, readings, words) => expect(told(...readings)).toEqual(words))

  test('is unknown where an earlier version has kept the size alone', () => {
    const subject = part('1', '110')
    const [key = ''] = Object.keys(kind.fold({}, undefined, subject).memo as object)
    const { happened, memo } = kind.fold({}, { [key]: String(exact('2')) }, subject)
    expect(happened).toMatchObject([{ what: 'resized' }])
    expect(happened[0]?.closing).toBeUndefined()
    expect(memo).toEqual({ [key]: `${exact('1')} ${exact('110')}` })
  })
})

describe('how much matters is for everybody to set', () => {
  const told = (line: string, before: string, after: string) =>
    happenings(kind, set(kind, `position-resized ${line}`).params, [
      holding([sized(before)]),
      holding([sized(after)]),
    ])

  test.each([
    ['without a word it is from 1 % or $50 on', '', '2', '2.019', ''],
    ['without a word it is from 1 % or $50 on, as it was', '', '2', '2.02', '1:resized'],
    ['who names a share asks for that alone', '10%', '200', '219', ''],
    ['who names a share hears of it from there on', '10%', '200', '220', '1:resized'],
    ['who names dollars asks for those alone', '$500', '0.01', '0.1', ''],
    ['who names dollars hears of it from there on', '$500', '2', '2.2', '1:resized'],
    ['who names both hears of either', '10% $500', '200', '200.2', '1:resized'],
    ['nothing is too small for nothing', '$0', '2', '2.000000000000000001', '1:resized'],
  ])('%s', (_what, line, before, after, heard) => expect(told(line, before, after)).toBe(heard))

  test('of several rules the one counts that tells more', () => {
    expect(kind.merge([{ share: 0.1 }, { share: 0.2 }])).toEqual({ share: 0.1 })
    expect(kind.merge([{ share: 0.1 }, { usd: 500 }])).toEqual({ share: 0.1, usd: 500 })
    expect(kind.merge([{ share: 0.1 }, {}])).toEqual(kind.armedByWatch)
  })

  test.each([['-1%'], ['1001%'], ['-$5']])('“%s” is refused', (line) =>
    expect(() => told(line, '1', '2')).toThrow('A change is'),
  )

  test('is said', () => {
    const words = (params: unknown) => plainText(kind.describe(params), { now: NOON, zone: 'UTC' })
    expect([{}, { share: 0.1 }, { usd: 500 }].map(words)).toEqual([
      'from 1 % or $50.00 on',
      'from 10 % on',
      'from $500 on',
    ])
  })
})

test('it judges wallets and nothing else', () => {
  expect(() => kind.fold({}, undefined, { is: 'market' } as never)).toThrow('owners')
})

describe('the words', () => {
  const told = (before: Position, after: Position, over = {}) => {
    const { memo } = kind.fold({}, undefined, holding([before]))
    const subject = holding([after], over)
    const [happening] = kind.fold({}, memo, subject).happened
    if (!happening) throw new Error('nothing has happened')
    expect(kind.severity({}, happening)).toBe('info')
    return plainLines(message([kind.tell({}, happening, subject)]), { now: NOON, zone: 'UTC' })
  }

  test('say from what to what, and where its liquidation is now', () => {
    expect(told(sized('2'), sized('3'))).toEqual([
      '[INFO] ETH long grew by 50 %',
      '  2 → 3 ETH, $7,500',
      '  liquidation at $2,000.00, 20.0 % away · main',
      '  position 2.0 s old',
    ])
  })

  test.each([
    ['2', '1', 'ETH long shrank by 50 %'],
    ['-2', '-3', 'ETH short grew by 50 %'],
    ['-2', '-0.5', 'ETH short shrank by 75 %'],
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
