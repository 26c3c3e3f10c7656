import { describe, expect, test } from 'vitest'

import type { View } from '../../src/command/context.ts'
import { createPolling } from '../../src/polling/polling.ts'
import type { Reading } from '../../src/runtime/clock.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { WalletDemand, WalletReading, Readings } from '../../src/venue/reading.ts'
import type { Hearing, MarketsAnswer, Push } from '../../src/venue/venue.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { handClock } from '../support/clock.ts'
import { aMarket, aPosition } from '../support/fixtures.ts'
import { aWallet, DOWN, holdings, NEVER, type Script, scriptedVenue } from '../support/polling.ts'

const ALL: MarketsAnswer = { markets: [aMarket()], unusable: [], failedParts: [] }
const VIEW = { status: () => ({ wallets: 0 }) } as View

/** Everything that asks a venue, before one that tells what the test says. */
function startPolling(wallets: Partial<WalletDemand>[] = [], script: Script = {}, pushes = true) {
  const clock = handClock()
  const events: Event[] = []
  const { venue, calls } = scriptedVenue(clock, script)
  let hearing: Hearing | null = null
  const followed: (readonly Wallet[])[] = []
  let allowed = 2
  let heardMono: number | null = null
  const push: Push = {
    start: (hear) => void (hearing = hear),
    follow: (some) => void followed.push(some),
    readEveryMs: null,
    heardSince: () => heardMono,
    status: () => ({
      ...{ open: true, since: 0, why: null, subscriptions: 1, marketsAt: null },
      wallets: { followed: 0, allowed },
    }),
    stop: () => Promise.resolve(),
  }
  const demand = wallets.map((over, index): WalletDemand => ({
    wallet: aWallet(index),
    nearDanger: false,
    confirm: false,
    endedSince: over.confirm === true ? 0 : null,
    againMono: null,
    rememberedDistance: Infinity,
    ...over,
  }))
  const distances = demand.map(({ wallet }, index) => ({ wallet, distance: 0.1 * (index + 1) }))
  const markets: Reading<MarketsAnswer>[] = []
  const read: WalletReading[] = []
  const readings: Readings = {
    markets: (reading) => void markets.push(reading),
    wallet: (reading) => void read.push(reading),
    orders() {},
    readers: () => [],
    awaited: () => [],
    failed() {},
    demandOf: (wallet) => demand.find((one) => one.wallet === wallet) ?? null,
    changed: () => demand.map(({ wallet }) => wallet),
    nearest: () => distances,
    needed: () => ['100'],
  }
  const polling = createPolling({
    ...{ venue: { ...venue, push: pushes ? push : null }, readings, view: VIEW, clock },
    emit: (event) => void events.push(event),
    signal: new AbortController().signal,
    settings: { marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs: 60_000, requestsPerSecond: 20 },
  })
  polling.start()
  const began = clock.monotonic()
  const hears = () => hearing ?? newAck()
  return {
    clock,
    polling,
    markets,
    read,
    demand,
    distances,
    followed,
    hear: (since: number | null) => void (heardMono = since),
    allow: (most: number) => void (allowed = most),
    tells: (whole = true, answer = ALL) => hears().markets(answer, whole),
    tellsOf: (index: number, answer = holdings(aPosition({ wallet: aWallet(index) })), whole = true) =>
      hears().wallet(aWallet(index), answer, whole),
    /** When it was asked, in milliseconds since the start. */
    asked: (what: 'markets' | 'positions', index = 0) =>
      calls
        .filter((call) => call.what === what && (call.wallet === null || call.wallet === aWallet(index)))
        .map(({ mono }) => mono - began),
  }
}

function newAck(): never {
  throw new Error('nobody listens')
}

describe('markets that the venue tells by itself', () => {
  test('are readings of the moment at which they come', async () => {
    const { clock, polling, markets, tells } = startPolling()
    await clock.advance(700)
    tells()
    expect(markets.at(-1)).toEqual({ value: ALL, at: clock.now(), mono: clock.monotonic() })
    await polling.stop()
  })

  test('are not asked for while they come, and are as soon as they have been silent for four seconds', async () => {
    const { clock, polling, asked, tells } = startPolling()
    for (let second = 0; second < 60; second++) {
      await clock.advance(second === 0 ? 500 : 1_000)
      tells()
    }
    expect(asked('markets')).toEqual([0])
    await clock.advance(10_000)
    expect(asked('markets')).toEqual([0, 63_500, 65_500, 67_500, 69_500])
    tells()
    await clock.advance(3_500)
    expect(asked('markets')).toHaveLength(5)
    await polling.stop()
  })

  test('show nothing of whether the venue answers: wallets whose reads fail are tried no sooner for them', async () => {
    const fails = () => Promise.reject(DOWN)
    const { clock, polling, asked, tells } = startPolling([{}], { markets: fails, positions: fails })
    for (let second = 0; second < 60; second++) {
      await clock.advance(1_000)
      tells(false)
    }
    expect(asked('markets').length).toBeGreaterThan(20)
    expect(asked('positions').length).toBeLessThan(8)
    await polling.stop()
  })

  test('that are not all that is needed are asked for at their usual pace', async () => {
    const { clock, polling, asked, tells } = startPolling()
    tells()
    await clock.advance(2_500)
    expect(asked('markets')).toEqual([0])
    tells(false)
    for (let half = 0; half < 12; half++) {
      await clock.advance(500)
      tells(false)
    }
    expect(asked('markets')).toEqual([0, 2_501, 4_501, 6_501])
    await polling.stop()
  })
})

describe('a wallet that the venue tells of by itself', () => {
  test('is read as rarely as one far from danger, and as before when that falls silent', async () => {
    const { clock, polling, asked, tellsOf } = startPolling([{ nearDanger: true }])
    for (let second = 0; second < 90; second += 5) {
      tellsOf(0)
      await clock.advance(5_000)
    }
    expect(asked('positions')).toEqual([0, 45_000, 90_000])
    await clock.advance(20_000)
    expect(asked('positions').slice(3)).toEqual([97_000, 99_000, 101_000, 103_000, 105_000, 107_000, 109_000])
    await polling.stop()
  })

  test('is read as before while it is not told in full', async () => {
    const { clock, polling, asked, tellsOf } = startPolling([{ nearDanger: true }])
    for (let second = 0; second < 20; second += 5) {
      tellsOf(0, undefined, false)
      await clock.advance(5_000)
    }
    expect(asked('positions')).toHaveLength(11)
    await polling.stop()
  })

  test('is a reading that says that nobody asked', async () => {
    const { clock, polling, read, tellsOf } = startPolling([{}])
    await clock.advance(100)
    tellsOf(0)
    expect(read.at(-1)).toMatchObject({
      wallet: aWallet(0),
      unsolicited: true,
      orders: null,
      mono: clock.monotonic(),
    })
    expect(read.at(0)).toMatchObject({ unsolicited: true })
    await polling.stop()
  })

  test('comes not between a second look at what is missing and its answer', async () => {
    const { clock, polling, read, tellsOf } = startPolling([{ confirm: true }], { latencyMs: 300 })
    await clock.advance(400)
    await clock.advance(1_000)
    const before = read.length
    tellsOf(0, holdings())
    expect(read).toHaveLength(before)
    await clock.advance(300)
    expect(read.at(-1)).toMatchObject({ unsolicited: false, orders: [] })
    await polling.stop()
  })
})

test('what is told while a second look hangs is taken when that is over, the last of it as of when it came', async () => {
  const { clock, polling, read, tellsOf } = startPolling([{ confirm: true }], { positions: () => NEVER })
  await clock.advance(3_000)
  tellsOf(0)
  await clock.advance(4_000)
  tellsOf(0, holdings())
  const mono = clock.monotonic()
  expect(read).toEqual([])
  await clock.advance(2_500)
  expect(read.map((one) => [one.mono, one.value.positions.length])).toEqual([[mono, 0]])
  await polling.stop()
  expect(clock.waiting()).toBe(0)
})

test('a venue that tells nothing by itself is asked as ever', async () => {
  const { clock, polling, asked } = startPolling([{ nearDanger: true }], {}, false)
  await clock.advance(6_000)
  expect([asked('markets'), asked('positions')]).toEqual([
    [0, 2_000, 4_000, 6_000],
    [0, 2_000, 4_000, 6_000],
  ])
  await polling.stop()
  expect(clock.waiting()).toBe(0)
})

describe('who is followed', () => {
  test('are the nearest to their end, looked at anew every five seconds', async () => {
    const { clock, polling, followed, distances } = startPolling([{}, {}, {}])
    expect(followed.at(-1)).toEqual([aWallet(0), aWallet(1)])
    distances[2] = { wallet: aWallet(2), distance: 0.01 }
    await clock.advance(5_000)
    expect(followed.at(-1)).toEqual([aWallet(2), aWallet(0)])
    await polling.stop()
  })

  test('are as many as the venue has places for', async () => {
    const { clock, polling, followed, allow } = startPolling([{}, {}, {}])
    allow(1)
    await clock.advance(5_000)
    expect(followed.at(-1)).toEqual([aWallet(0)])
    await polling.stop()
    await clock.advance(60_000)
    expect(clock.waiting()).toBe(0)
  })
})

test('when trades are heard again, wallets that may have traded meanwhile are read before their turn', async () => {
  const { clock, polling, asked, hear } = startPolling([{}, {}])
  await clock.advance(20_000)
  hear(clock.monotonic())
  await clock.advance(5_000)
  expect([asked('positions'), asked('positions', 1)]).toEqual([
    [0, 25_000],
    [0, 25_000],
  ])
  hear(null)
  await clock.advance(20_000)
  expect(asked('positions')).toHaveLength(2)
  await polling.stop()
})
