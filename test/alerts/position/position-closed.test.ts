import { describe, expect, test } from 'vitest'

import { message, plainLines } from '../../../src/message/message.ts'
import type { ClosedPosition } from '../../../src/venue/closed-position.ts'
import { positionKey } from '../../../src/venue/position.ts'
import { NOON } from '../../support/clock.ts'
import { desk, eventNamed, occurrences } from '../../support/engine.ts'
import { aMonitor, ALICE, aMarket, aPosition, aRule, holding } from '../../support/fixtures.ts'

const kind = eventNamed('position-closed')
const eth = aPosition()

function gone(cause: ClosedPosition['cause'], position = eth): ClosedPosition {
  const key = positionKey(position)
  const [lastPrice, lastDistance, worstPrice] = [2500, 0.2, 2480]
  return {
    key,
    position,
    symbol: 'ETH',
    lastSeenAt: NOON,
    awaySince: null,
    cause,
    ending: null,
    takerFee: null,
    lastPrice,
    lastDistance,
    worstPrice,
    orders: [],
  }
}

describe('a position that is gone', () => {
  test.each([
    [
      'is told once, with its cause',
      [holding([eth]), holding([], { gone: [gone('closed')] }), holding([])],
      '1:closed',
    ],
    ['is not told before it is gone for certain', [holding([eth]), holding([eth]), holding([eth])], ''],
    ['is not told at the first look', [holding([], { gone: [gone('closed')] })], ''],
    ['is not told to whoever never knew it', [holding([]), holding([], { gone: [gone('unknown')] })], ''],
    [
      'is told beside another',
      [
        holding([eth, aPosition({ accountId: '2' })]),
        holding([], { gone: [gone('probably liquidated'), gone('unknown', aPosition({ accountId: '2' }))] }),
      ],
      '1:probably liquidated 1:unknown',
    ],
  ])('%s', (_what, readings, told) => expect(occurrences(kind, {}, readings)).toBe(told))

  test.each([
    ['closed', 'info'],
    ['unknown', 'warning'],
    ['probably liquidated', 'critical'],
    ['liquidated', 'critical'],
    ['settled', 'warning'],
  ] as const)('%s is %s', (cause, severity) => {
    const subject = holding([], { gone: [gone(cause)] })
    const [occurrence] = kind.detect({}, [positionKey(eth)], subject).occurrences
    if (!occurrence) throw new Error('nothing has happened')
    expect(kind.severity({}, occurrence)).toBe(severity)
    expect(occurrence).toMatchObject({ position: positionKey(eth), value: 0.2, closing: { how: cause } })
    expect(kind.tell({}, occurrence, subject).tone).toBe(severity)
  })
})

test('one that vanished while the bot was down is told after the second look, and as such', () => {
  const world = desk({
    rules: [aRule({ kind: 'position-closed', params: {}, wallet: ALICE })],
    wallets: [
      {
        wallet: ALICE,
        at: NOON - 600_000,
        positions: [eth],
        prices: { 100: 2500 },
        symbols: {},
        gone: [],
        touchedLiquidation: {},
      },
    ],
    memos: [
      {
        monitor: aMonitor({ kind: 'position-closed', subject: { is: 'wallet', wallet: ALICE } }),
        memo: [positionKey(eth)],
      },
    ],
    aliveAt: NOON - 420_000,
  })
  world.prices(aMarket())
  expect(world.reads([])).toEqual([])
  const lines = plainLines(message(world.reads([])), { now: NOON, zone: 'UTC' })
  expect(lines[0]).toBe('[WARNING] ETH long is gone, cause unknown (A41)')
  expect(lines).toContain('  while I was away, 11:53 UTC to 12:00 UTC')
})

test('it judges wallets and nothing else', () => {
  expect(() => kind.detect({}, undefined, { is: 'market' } as never)).toThrow('wallets')
})
