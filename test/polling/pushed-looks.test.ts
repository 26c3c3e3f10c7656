import { describe, expect, onTestFinished, test } from 'vitest'

import type { View } from '../../src/command/context.ts'
import { createPolling } from '../../src/polling/polling.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { WalletReading } from '../../src/venue/reading.ts'
import { walletsServed } from '../../src/venue/venue-load.ts'
import type { Hearing, PositionsAnswer, Push } from '../../src/venue/venue.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { handClock } from '../support/clock.ts'
import { aPosition } from '../support/fixtures.ts'
import { aWallet, holdings, type Script, scriptedVenue } from '../support/polling.ts'

const MINUTE = 60_000
const HALF_HOUR = 30 * MINUTE
/** As a venue that pushes wallets, and lets few be read. */
const LIMITS = { allowed: { weight: 120, perMs: MINUTE } }
const UNKNOWN: PositionsAnswer = { ...holdings(), isUnknown: true }

/** A venue that pushes every wallet and lets few be read. */
function startPolling(count: number, script: Script = {}, nearDanger = false) {
  const clock = handClock()
  const events: Event[] = []
  const { venue, calls } = scriptedVenue(clock, script)
  const hears: Hearing[] = []
  const wallets = Array.from({ length: count }, (_, index) => aWallet(index))
  const push: Push = {
    start: (hear) => void hears.push(hear),
    follow() {},
    readEveryMs: HALF_HOUR,
    status: () => ({
      ...{ open: true, since: 0, why: null, subscriptions: 1, marketsAt: null },
      wallets: { followed: 0, allowed: count },
    }),
    stop: () => Promise.resolve(),
  }
  const read: WalletReading[] = []
  const changed = [...wallets]
  const demandOf = (wallet: Wallet) => ({
    ...{ wallet, nearDanger, confirm: false, endedSince: null, againMono: null },
    rememberedDistance: Infinity,
  })
  const polling = createPolling({
    venue: { ...venue, push, limits: LIMITS },
    readings: {
      ...{ markets() {}, orders() {}, failed() {}, readers: () => [], awaited: () => [], needed: () => [] },
      ...{ demandOf, wallet: (one) => void read.push(one), changed: () => changed.splice(0) },
      nearest: () => wallets.map((wallet) => ({ wallet, distance: 1 })),
    },
    ...{ clock, emit: (event) => void events.push(event), signal: new AbortController().signal },
    view: { status: () => ({ wallets: count }) } as View,
    settings: {
      ...{ marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs: 60_000 },
      requestsPerSecond: 20,
    },
  })
  onTestFinished(() => polling.stop())
  polling.start()
  const began = clock.monotonic()
  /** Pushes all markets every two seconds, and all wallets every eight unless these are cut off. */
  const pushes = async (ms: number, isCut = false) => {
    for (let left = ms; left > 0; left -= 2_000) {
      for (const hear of hears) {
        hear.markets({ markets: [], unusable: [], failedParts: [] }, true)
        if (left % 8_000 === 0 && !isCut)
          for (const wallet of wallets) hear.wallet(wallet, holdings(aPosition({ wallet })), true)
      }
      await clock.advance(2_000)
    }
  }
  return {
    ...{ clock, polling, events, read, pushes },
    changed: (index: number) => hears[0]?.changed(aWallet(index)),
    /** How often wallets were read in each minute since the start. */
    perMinute() {
      const counts: number[] = []
      for (const { what, mono } of calls) {
        const minute = Math.floor((mono - began) / MINUTE)
        if (what === 'positions') counts[minute] = (counts[minute] ?? 0) + 1
      }
      return Array.from(
        { length: Math.ceil((clock.monotonic() - began) / MINUTE) },
        (_, at) => counts[at] ?? 0,
      )
    },
    asked: (index: number) =>
      calls.filter(({ wallet }) => wallet === aWallet(index)).map(({ mono }) => mono - began),
  }
}

describe('a wallet that the push keeps current', () => {
  test.each([false, true])('is looked at every half hour, near danger: %s', async (nearDanger) => {
    const { asked, pushes, events } = startPolling(1, {}, nearDanger)
    await pushes(2 * HALF_HOUR)
    const [first, ...later] = asked(0)
    expect(first).toBe(0)
    expect(later.length).toBeGreaterThan(0)
    expect(later.length).toBeLessThanOrEqual(3)
    expect(events.filter(({ is }) => is === 'slow')).toEqual([])
  })

  test('is looked at in its turn, however close together all were read after the start', async () => {
    const { perMinute, pushes } = startPolling(90)
    await pushes(50 * MINUTE)
    const later = perMinute().slice(15, 45)
    expect(Math.max(...later)).toBeLessThanOrEqual(5)
    expect(later.reduce((sum, one) => sum + one, 0)).toBe(90)
  })

  test('is looked at more rarely where there are many, also in the first hour', async () => {
    const { perMinute, pushes } = startPolling(600)
    await pushes(60 * MINUTE)
    const later = perMinute().slice(15)
    // An eighth of what the venue allows.
    expect(later.reduce((sum, one) => sum + one, 0) / later.length).toBeLessThanOrEqual(15)
  })

  test('is read as any other while the push is cut, and once more in turn when it is back', async () => {
    const { perMinute, pushes, events } = startPolling(60)
    await pushes(20 * MINUTE)
    await pushes(MINUTE, true)
    await pushes(15 * MINUTE)
    const [cut = 0, ...after] = perMinute().slice(20)
    expect(cut).toBeGreaterThan(50)
    // Not much more than an eighth of what the venue allows.
    expect(Math.max(...after)).toBeLessThanOrEqual(20)
    expect(after.slice(0, 8).reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(60)
    expect(events.filter(({ is }) => is === 'slow')).toEqual([])
  })

  test('is read at once when it has traded, or when its push became doubtful', async () => {
    const { asked, pushes, changed } = startPolling(1)
    await pushes(20 * MINUTE)
    const before = asked(0).length
    changed(0)
    await pushes(2_000)
    expect(asked(0)).toHaveLength(before + 1)
    expect(asked(0).at(-1)).toBe(20 * MINUTE)
  })
})

describe('a wallet that the venue does not know', () => {
  test('is a complete reading once, and is read about hourly', async () => {
    const { asked, clock, read, polling, events } = startPolling(20, { positions: () => UNKNOWN })
    await clock.advance(150 * MINUTE)
    expect(read[0]).toMatchObject({ wallet: aWallet(0), value: UNKNOWN, unsolicited: true })
    for (let index = 0; index < 20; index++) {
      const times = asked(index)
      const gaps = times.slice(1).map((one, place) => one - (times[place] ?? 0))
      expect(gaps.length).toBeGreaterThan(0)
      for (const gap of gaps) expect(Math.abs(gap - 60 * MINUTE)).toBeLessThanOrEqual(16 * MINUTE)
    }
    const [load] = polling.venueLoads()
    expect(load?.unknown).toBe(20)
    expect(load && walletsServed(load, 20)).toBeNull()
    expect(events.filter(({ is }) => is === 'slow' || is === 'capacity')).toEqual([])
  })

  test('is read at once when a trade names it, and as others from then on', async () => {
    let isKnown = false
    const positions = (wallet: Wallet) => (isKnown ? holdings(aPosition({ wallet })) : UNKNOWN)
    const { asked, clock, changed, polling } = startPolling(1, { positions })
    await clock.advance(10 * MINUTE)
    isKnown = true
    changed(0)
    await clock.advance(MINUTE)
    expect(asked(0).slice(0, 3)).toEqual([0, 10 * MINUTE, expect.any(Number)])
    expect(polling.venueLoads()[0]).not.toHaveProperty('unknown')
  })
})
