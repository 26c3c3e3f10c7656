import { describe, expect, test } from 'vitest'

import { message, plainLines } from '../../../src/message/message.ts'
import type { DexSeen } from '../../../src/venue/listing.ts'
import { NOON } from '../../support/clock.ts'
import { eventNamed, occurrences } from '../../support/engine.ts'
import { aMarket, listing } from '../../support/fixtures.ts'

const kind = eventNamed('market-listed')

const dex = (...symbols: string[]): DexSeen => ({
  symbols: new Map(symbols.map((symbol) => [symbol, symbol])),
  sureOf: 'some',
})

describe('a market that the venue lists', () => {
  const told = (...lists: string[][]) =>
    occurrences(
      kind,
      {},
      lists.map((symbols) => listing(symbols)),
    )

  test.each([
    ['is told once', [['BTC'], ['BTC', 'NEW'], ['BTC', 'NEW']], '1:listed'],
    ['is no news at first sight', [['BTC', 'NEW']], ''],
    ['and others at once are one message', [['BTC'], ['A', 'B', 'C', 'BTC']], '1:listed'],
    ['is told again when it was removed', [['BTC', 'X'], ['BTC'], ['BTC', 'X']], '2:listed'],
    [
      'is no news when it is removed',
      [
        ['BTC', 'X', 'Y'],
        ['BTC', 'Y'],
      ],
      '',
    ],
  ])('%s', (_what, lists, what) => expect(told(...lists)).toBe(what))

  test('in a book that was not seen before is no news, nor is a book that is not seen now', () => {
    const dexes = (...named: [string, DexSeen][]) => listing([], { dexes: new Map(named) })
    const lists = [
      dexes(['', dex('BTC')]),
      dexes(['', dex('BTC')], ['xyz', dex('xyz:NVDA')]),
      dexes(['xyz', dex('xyz:NVDA', 'xyz:TSLA')]),
      dexes(['', dex('BTC')], ['xyz', dex('xyz:NVDA', 'xyz:TSLA')]),
    ]
    expect(occurrences(kind, {}, lists)).toBe('2:listed')
  })

  test('by a name that means something to JavaScript is one like any other', () => {
    expect(told(['BTC'], ['BTC', '__proto__', 'constructor'])).toBe('1:listed')
  })
})

describe('the words', () => {
  const words = (listed: string[], over: Parameters<typeof listing>[1] = {}) => {
    const before = kind.detect({}, undefined, listing(['BTC'])).state
    const subject = listing(['BTC', ...listed], over)
    const { occurrences: happened } = kind.detect({}, before, subject)
    return happened.flatMap((one) =>
      plainLines(message([kind.tell({}, one, subject)]), { now: NOON, zone: 'UTC' }),
    )
  }

  test('say what it costs, and its funding', () => {
    expect(words(['NEW'], { market: () => aMarket() })).toEqual([
      '[INFO] Listed: NEW',
      '  index price $2,500.00, funding 18.3% a year',
    ])
  })

  test('name a few, and count the rest', () => {
    expect(words(['A', 'B', 'C'])).toEqual(['[INFO] Listed: A, B, C'])
    const many = Array.from({ length: 1_000 }, (_, n) => `M${n}`)
    expect(words(many).slice(0, 2)).toEqual([
      '[INFO] Listed: 1000 markets',
      '  M0, M1, M2, M3, M4, M5 and 994 more',
    ])
  })

  test('say it of what was listed while the bot was away', () => {
    expect(words(['NEW'], { awaySince: NOON - 420_000 }).at(-1)).toBe(
      '  while I was away, 11:53 UTC to 12:00 UTC',
    )
  })
})
