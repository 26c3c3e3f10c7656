import { describe, expect, test } from 'vitest'

import { message, plainLines } from '../../../src/message/message.ts'
import type { Market } from '../../../src/venue/market.ts'
import { NOON } from '../../support/clock.ts'
import { eventNamed, occurrences } from '../../support/engine.ts'
import { aMarket, aPosition, listing } from '../../support/fixtures.ts'

const kind = eventNamed('market-removed')
const seen = (symbols: string[], sureOf: 'nothing' | 'some' | 'all' = 'some') => {
  const listed = new Map(symbols.map((symbol) => [symbol, symbol]))
  return listing([], { dexes: new Map([['', { symbols: listed, sureOf }]]) })
}

describe('a market that the venue removes', () => {
  test.each([
    ['is told once', [seen(['BTC', 'ETH', 'OLD']), seen(['BTC', 'ETH']), seen(['BTC', 'ETH'])], '1:removed'],
    ['is no news when it comes', [seen(['BTC']), seen(['BTC', 'NEW'])], ''],
    [
      'while nothing ran is told when that is sure',
      [
        seen(['BTC', 'ETH', 'OLD']),
        seen(['BTC', 'ETH'], 'nothing'),
        seen(['BTC', 'ETH'], 'nothing'),
        seen(['BTC', 'ETH']),
      ],
      '3:removed',
    ],
    [
      'with most of the others is told only when that is quite sure',
      [seen(['A', 'B', 'C', 'D']), seen(['A']), seen(['A'], 'all')],
      '2:removed',
    ],
    [
      'for a moment after a start is not told',
      [seen(['A', 'B', 'C']), seen(['A', 'B'], 'nothing'), seen(['A', 'B', 'C'])],
      '',
    ],
  ])('%s', (_what, lists, what) => expect(occurrences(kind, {}, lists)).toBe(what))
})

describe('the words', () => {
  const told = (held: ReturnType<ReturnType<typeof listing>['held']>, over: Partial<Market> = {}) => {
    const before = kind.detect({}, undefined, seen(['BTC', 'ETH', 'X'])).state
    const subject = { ...seen(['BTC', 'X']), held: () => held, market: () => aMarket(over) }
    const [occurrence] = kind.detect({}, before, subject).occurrences
    if (!occurrence) throw new Error('nothing happened')
    const words = plainLines(message([kind.tell({}, occurrence, subject)]), { now: NOON, zone: 'UTC' })
    return { severity: kind.severity({}, occurrence), words }
  }

  test('are quiet where nothing is held', () => {
    expect(told([])).toEqual({
      severity: 'info',
      words: ['[INFO] No longer listed: ETH'],
    })
  })

  test('say that it is delisted where the venue says so', () => {
    expect(told([], { delisted: true }).words[0]).toBe('[INFO] Delisted: ETH')
  })

  test('warn of what is held', () => {
    const held = ['1', '2', '3'].map((accountId) => ({ position: aPosition({ accountId }), label: 'main' }))
    expect(told(held)).toEqual({
      severity: 'warning',
      words: [
        '[WARNING] No longer listed: ETH',
        '  You hold long 2 ETH, $5,000 · main',
        '  You hold long 2 ETH, $5,000 · main',
        '  and 1 more position',
      ],
    })
  })
})
