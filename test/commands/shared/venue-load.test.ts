import { describe, expect, test } from 'vitest'

import { venueLoadItem } from '../../../src/commands/shared/venue-load.ts'
import { message, plainLines } from '../../../src/message/message.ts'
import type { VenueLoad } from '../../../src/venue/venue-load.ts'
import { NOON } from '../../support/clock.ts'

const turns = { everyMs: null, wishedMs: 60_000 }
const spent = { markets: 600, wallets: 60, asked: 40, atMost: 1_020, coversMs: 60_000 }
const push = {
  open: true,
  since: NOON - 3_600_000,
  why: null,
  subscriptions: 12,
  wallets: { followed: 3, allowed: 10 },
  marketsAt: NOON - 800,
}
const reads = (over: Partial<VenueLoad>, watched = 20) =>
  plainLines(
    message([
      venueLoadItem({ venue: null, push: null, weighed: true, spent, turns, ...over }, watched, NOON),
    ]),
    {
      now: NOON,
      zone: 'UTC',
    },
  )

describe('how the venue is read is said', () => {
  test('by asking: what it costs, and for how many wallets that is enough', () => {
    expect(reads({})).toEqual([
      'Polling the venue',
      '  weight 700 of 1,020 in the last minute',
      '  markets 600, wallets 60, asked 40',
      '  enough for about 140 wallets every 60 s',
    ])
  })

  test('what each purpose costs, the dearest first, and nothing of what costs nothing', () => {
    const each = {
      markets: 60,
      wallets: 510,
      orders: 300,
      followed: 25,
      records: 80,
      asked: 15,
      atMost: 1_200,
    }
    expect(reads({ spent: { ...spent, ...each } }).slice(1, 3)).toEqual([
      '  weight 690 of 1,200 in the last minute',
      '  orders 300, wallets 210, records 80, markets 60, followed 25, asked 15',
    ])
    const nothing = { markets: 0, wallets: 0, asked: 0.2 }
    expect(reads({ spent: { ...spent, ...nothing } })).not.toContainEqual(expect.stringContaining('asked'))
  })

  test('by being told: since when, how old, and how many wallets', () => {
    expect(reads({ push }).slice(0, 3)).toEqual([
      'Pushed by the venue since 11:00 UTC',
      '  pushed prices live',
      '  12 subscriptions; 3 of at most 10 wallets pushed',
    ])
  })

  test('how seldom wallets are read, where that is more seldom than is wished', () => {
    const slow = { everyMs: 240_000, wishedMs: 60_000 }
    expect(reads({ turns: slow })).toContain('  wallets are read every 4 min now (wanted: 60 s)')
    expect(reads({ turns: { ...slow, everyMs: 60_000 } }).join()).not.toContain('are read every')
  })

  test('by the public trades: how many wallets, and how often each is read all the same', () => {
    const trades = { heard: 255, markets: 255, since: NOON - 600_000 }
    const lines = (everyMs: number | null) =>
      reads({ push: { ...push, trades }, turns: { everyMs, wishedMs: 600_000 } }, 2_000).slice(3, 6)
    expect(lines(420_000)).toEqual([
      '  1997 wallets by the public trades of 255 markets since 11:50 UTC',
      '  each of them is read in turn too, every 7 min now',
      '  weight 700 of 1,020 in the last minute',
    ])
    expect(lines(null)[1]).toBe('  weight 700 of 1,020 in the last minute')
    expect(lines(700_000).join()).not.toContain('in turn too')
  })

  test('while public trades are not heard everywhere, nobody is said to be seen by them', () => {
    const trades = { heard: 120, markets: 255, since: null }
    expect(reads({ push: { ...push, trades } })[3]).toBe(
      '  public trades heard in 120 of 255 markets: wallets are read in turn',
    )
    expect(reads({ push: { ...push, trades } }, 3).join()).not.toContain('public trades')
  })

  test('what regular reads may take while trades are heard, not the whole limit, says for how many it is enough', () => {
    const last = (over: object) => reads({ spent: { ...spent, ...over } }).at(-1)
    expect(last({ calmAtMost: 720 })).toBe('  enough for about 40 wallets every 60 s')
    expect(last({ calmAtMost: null })).toBe('  enough for about 140 wallets every 60 s')
  })

  test('a connection that is gone, and why', () => {
    const why = 'it said nothing for 10 s'
    expect(reads({ push: { ...push, open: false, why } }).slice(0, 2)).toEqual([
      'No push since 11:00 UTC: polling',
      `  ${why}`,
    ])
  })

  test('a connection through which too little comes: since then is asked as well, and it claims nothing else', () => {
    const why = 'no prices were told for 10 s'
    expect(reads({ push: { ...push, why, marketsAt: NOON - 25_000 } }).slice(0, 3)).toEqual([
      'Push falls short: polling too',
      `  ${why}`,
      '  12 subscriptions; 3 of at most 10 wallets pushed',
    ])
  })

  test('where requests do not weigh differently they are counted', () => {
    expect(reads({ weighed: false })[1]).toBe('  700 requests in the last minute, limit 1,020 a minute')
    expect(reads({ weighed: false }).join()).not.toContain('asked 40')
  })

  test('after a start nothing is promised', () => {
    expect(reads({ spent: { ...spent, coversMs: 20_000 } })).toEqual([
      'Polling the venue',
      '  weight 700 of 1,020 since the start',
      '  markets 600, wallets 60, asked 40',
    ])
  })

  test('what is too little is said as such', () => {
    expect(reads({ spent: { ...spent, wallets: 900 } }).at(-1)).toBe(
      '  too little for 20 wallets: enough for about 9 every 60 s',
    )
  })
})
