import { describe, expect, test } from 'vitest'

import { message, plainLines } from '../../../src/message/message.ts'
import type { WalletSubject } from '../../../src/alert/subject.ts'
import type { ClosedPosition } from '../../../src/venue/closed-position.ts'
import { positionKey } from '../../../src/venue/position.ts'
import type { CloseRecord } from '../../../src/venue/venue.ts'
import { NOON } from '../../support/clock.ts'
import { desk, eventNamed, occurrences } from '../../support/engine.ts'
import { aMonitor, ALICE, aMarket, aPosition, aRule, exact, holding } from '../../support/fixtures.ts'

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

const record: CloseRecord = {
  ...{ accountId: '1', marketId: '100', side: 'long', how: 'closed', size: exact('2'), price: exact('2300') },
  ...{ realisedPnlUsd: exact('-400'), feesUsd: exact('2'), at: NOON },
}

function linesOf(subject: WalletSubject): string[] {
  const items = kind
    .detect({}, [positionKey(eth)], subject)
    .occurrences.map((one) => kind.tell({}, one, subject))
  return plainLines(message(items), { now: NOON, zone: 'UTC' })
}

describe('a position that a waiting order closed', () => {
  test.each([
    ['stop-loss', '[WARNING] ETH long was closed by its stop loss'],
    ['take-profit', '[INFO] ETH long was closed by its take profit'],
    ['limit', '[INFO] ETH long was closed by a limit order'],
  ] as const)('%s is named, with what it brought', (by, title) => {
    const closed = { ...gone('closed'), ending: { ...record, by }, by }
    expect(linesOf(holding([], { gone: [closed] })).slice(0, 3)).toEqual([
      title,
      '  lost $402 at $2,300.00 on average, $2.00 fee included',
      '  2 ETH · main',
    ])
  })

  test.each([
    ['stop-loss', 'lost', '[WARNING] ETH stop loss filled: sold 1.5 ETH at $2,300.00'],
    ['take-profit', 'made', '[INFO] ETH take profit filled: sold 1.5 ETH at $2,300.00'],
  ] as const)('in part by its %s says what is left', (how, verb, title) => {
    const tradeUsd = how === 'stop-loss' ? '-300' : '304'
    const part = {
      ...{ key: positionKey(eth), position: aPosition({ size: exact('0.5') }), how, from: exact('2') },
      ...{ size: exact('1.5'), price: exact('2300'), realisedPnlUsd: exact(tradeUsd), feesUsd: exact('2') },
      at: NOON,
    }
    const subject = holding([part.position], { taken: [part] })
    const [told, brought, left] = linesOf(subject)
    expect(told).toBe(title)
    expect(brought).toBe(`  ${verb} $302, $2.00 fee included`)
    expect(left).toMatch(/^ {2}left: 0\.5 ETH/)
    expect(kind.detect({}, [positionKey(eth)], subject).occurrences).toMatchObject([
      { what: `partly ${how}`, closing: { how: 'reduced', tradeUsd: exact(tradeUsd) } },
    ])
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
