import { describe, expect, test } from 'vitest'

import { message, plainLines } from '../../../src/message/message.ts'
import type { Position } from '../../../src/venue/position.ts'
import { OTHER_ACCOUNTS } from '../../../src/venue/venue.ts'
import { NOON } from '../../support/clock.ts'
import { eventNamed, occurrences } from '../../support/engine.ts'
import { aPosition, exact, holding } from '../../support/fixtures.ts'

const kind = eventNamed('position-opened')
const eth = aPosition()
const btc = aPosition({ marketId: '200' })
const story = (readings: Position[][]) =>
  occurrences(
    kind,
    {},
    readings.map((positions) => holding(positions)),
  )

describe('a wallet that opens a position', () => {
  test.each([
    ['is told once', [[], [eth], [eth]], '1:opened'],
    [
      'is not told of what it held at the first look',
      [
        [eth, btc],
        [eth, btc],
      ],
      '',
    ],
    ['is told of each', [[], [eth, btc]], '1:opened 1:opened'],
    ['is told again after it was closed', [[eth], [], [eth]], '2:opened'],
    ['is told when a long turns into a short', [[eth], [aPosition({ size: exact('-1') })]], '1:opened'],
    [
      'is told of another account in the same market',
      [[eth], [eth, aPosition({ accountId: '2' })]],
      '1:opened',
    ],
    ['is not told of one that grows', [[eth], [aPosition({ size: exact('9') })]], ''],
    [
      'is not told of one that changes its place',
      [
        [eth, btc],
        [btc, eth],
      ],
      '',
    ],
  ])('%s', (_what, readings, told) => expect(story(readings)).toBe(told))
})

describe('an account that cannot be read', () => {
  const inXyz = aPosition({ accountId: 'xyz' })
  const both = [eth, inXyz]
  const seen = (...answers: [Position[], string[]][]) =>
    occurrences(
      kind,
      {},
      answers.map(([positions, failedParts]) => holding(positions, { failedParts })),
    )

  test.each([
    [
      'at the first look holds what was there before',
      [
        [[eth], ['xyz']],
        [[eth], ['xyz']],
        [both, []],
      ],
      '',
    ],
    [
      'at the first look tells what is opened after the first that shows it',
      [
        [[eth], ['xyz']],
        [[eth], []],
        [both, []],
      ],
      '2:opened',
    ],
    [
      'later on tells what was opened meanwhile',
      [
        [[eth], []],
        [[eth], ['xyz']],
        [both, []],
      ],
      '2:opened',
    ],
    [
      'disturbs none of the others',
      [
        [[], ['xyz']],
        [[eth], ['xyz']],
      ],
      '1:opened',
    ],
    [
      'is one of those that the venue had not named at the first look',
      [
        [[eth], [OTHER_ACCOUNTS]],
        [[eth], ['xyz']],
        [both, []],
      ],
      '',
    ],
    [
      'is not one of those that it had named',
      [
        [[eth], [OTHER_ACCOUNTS]],
        [[eth, btc], [OTHER_ACCOUNTS]],
      ],
      '1:opened',
    ],
  ] as [string, [Position[], string[]][], string][])('%s', (_what, answers, told) =>
    expect(seen(...answers)).toBe(told),
  )
})

test('it judges wallets and nothing else', () => {
  expect(() => kind.detect({}, undefined, { is: 'market' } as never)).toThrow('wallets')
})

describe('the words', () => {
  const told = (position: Position, over = {}) => {
    const subject = holding([position], over)
    const [occurrence] = kind.detect({}, [], subject).occurrences
    if (!occurrence) throw new Error('nothing has happened')
    expect(kind.severity({}, occurrence)).toBe('info')
    return plainLines(message([kind.tell({}, occurrence, subject)]), { now: NOON, zone: 'UTC' })
  }

  test.each([
    ['3100', 'past'],
    ['2500', 'at'],
  ])(
    'say of a liquidation price of %s that the price is %s it, and no negative distance',
    (liquidation, where) => {
      expect(told(aPosition({ liquidationPrice: exact(liquidation) }))[2]).toContain(
        `, the price is ${where} it · main`,
      )
    },
  )

  test('say how much, where it was entered and how far away its liquidation is', () => {
    expect(told(eth)).toEqual([
      '[INFO] ETH long opened',
      '  2 ETH, $5,000 · entry $2,500.00',
      '  liquidation at $2,000.00, 20.0% away · main',
    ])
  })

  test('do without a liquidation price', () => {
    expect(told(aPosition({ liquidationPrice: null }))[2]).toBe('  no liquidation price · main')
  })

  test('do without a market that cannot be seen', () => {
    expect(told(btc).slice(0, 3)).toEqual([
      '[INFO] market 200 long opened',
      '  2 market 200 · entry $2,500.00',
      '  liquidation at $2,000.00 · main',
    ])
  })

  test('say what happened while the bot was away', () => {
    expect(told(eth, { awaySince: NOON - 420_000 }).at(-1)).toBe('  while I was away, 11:53 UTC to 12:00 UTC')
  })
})
