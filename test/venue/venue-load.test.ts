import { describe, expect, test } from 'vitest'

import { type VenueLoad, walletsServed } from '../../src/venue/venue-load.ts'
import { NOON } from '../support/clock.ts'

const turns = { everyMs: null, wishedMs: 60_000 }
const spent = { markets: 600, wallets: 60, asked: 40, atMost: 1_000, coversMs: 60_000 }
const polled: VenueLoad = { venue: null, push: null, weighed: true, spent, turns }
const push = {
  open: true,
  since: NOON,
  why: null,
  subscriptions: 12,
  wallets: { followed: 10, allowed: 10 },
  marketsAt: NOON,
}

describe('how many wallets can be served', () => {
  test('is what the markets leave, by what each has cost in the last minute', () => {
    expect(walletsServed(polled, 20)).toBe(133)
  })

  test('is more by those that the venue tells of itself', () => {
    const told = { ...polled, push, spent: { ...spent, markets: 0 } }
    expect(walletsServed(told, 20)).toBe(10 + 166)
  })

  test('counts on nothing that the venue would tell while there is no connection', () => {
    expect(walletsServed({ ...polled, push: { ...push, open: false } }, 20)).toBe(133)
  })

  test('is fewer than are watched when that is so', () => {
    expect(walletsServed({ ...polled, spent: { ...spent, wallets: 900 } }, 20)).toBe(8)
  })

  test('is all of them while they are read in time, however often some are', () => {
    const inTime = { ...polled, turns: { ...turns, everyMs: 45_000 } }
    expect(walletsServed({ ...inTime, spent: { ...spent, wallets: 900 } }, 20)).toBe(20)
    expect(walletsServed({ ...inTime, push, spent: { ...spent, wallets: 900 } }, 20)).toBe(20)
  })

  test('is by how often they are wished to be read, where that is more often than they are', () => {
    const slow: VenueLoad = {
      ...polled,
      spent: { ...spent, wallets: 360 },
      turns: { ...turns, everyMs: 240_000 },
    }
    expect(walletsServed(slow, 5_000)).toBe(1_388)
  })

  test('is known also where wallets are read only because people ask for them, if each request costs the same', () => {
    const asked = { ...spent, wallets: 0, asked: 400 }
    expect(walletsServed({ ...polled, weighed: false, spent: asked }, 20)).toBe(400)
    expect(walletsServed({ ...polled, weighed: false, spent: { ...asked, wallets: 2 } }, 20)).toBe(400)
  })

  test('counts a wallet that the venue does not know as one that costs a request an hour', () => {
    const crowd = { ...polled, unknown: 600, spent: { ...spent, wallets: spent.wallets + 10 } }
    const without = { ...polled, spent: { ...spent, atMost: spent.atMost - 10, wallets: spent.wallets } }
    expect(walletsServed(crowd, 620)).toBe(600 + (walletsServed(without, 20) ?? NaN))
  })

  test.each([
    ['nobody is watched', polled, 0],
    [
      'no wallet was read, and requests weigh different amounts',
      { ...polled, spent: { ...spent, wallets: 0 } },
      20,
    ],
    ['the first minute is not over', { ...polled, spent: { ...spent, coversMs: 59_000 } }, 20],
  ])('is not known when %s', (_why, venueLoad, watched) =>
    expect(walletsServed(venueLoad, watched)).toBeNull(),
  )
})
