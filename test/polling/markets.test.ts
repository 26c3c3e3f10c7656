import { describe, expect, test } from 'vitest'

import { createBudget } from '../../src/polling/budget/budget.ts'
import { createMarketPoller } from '../../src/polling/markets.ts'
import type { Reading } from '../../src/runtime/clock.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { MarketsAnswer } from '../../src/venue/venue.ts'
import { handClock } from '../support/clock.ts'
import { aMarket } from '../support/fixtures.ts'
import { DOWN, LIMITED, NEVER, type Script, scriptedVenue } from '../support/polling.ts'

function startPolling(script: Script, everyMs = 2_000, told: () => void = () => {}) {
  const clock = handClock()
  const events: Event[] = []
  const emit = (event: Event) => void events.push(event)
  const venue = scriptedVenue(clock, script)
  const readings: Reading<MarketsAnswer>[] = []
  const failures: string[] = []
  const budget = createBudget({ clock, emit, pace: { weightPerSecond: 20, burst: null } })
  const poller = createMarketPoller({
    venue: venue.venue,
    budget,
    clock,
    emit,
    everyMs,
    pushedUntil: () => -Infinity,
    needed: () => [],
    read(reading) {
      readings.push(reading)
      told()
      return null
    },
    failed(why) {
      failures.push(why)
      told()
    },
  })
  const began = clock.monotonic()
  poller.start()
  const asked = () => venue.calls.map(({ mono }) => mono - began)
  return { clock, events, venue, poller, readings, failures, asked, began }
}

describe('the markets', () => {
  test('are read at once and then at their pace, each reading with the time of its request', async () => {
    const { clock, readings, asked, began, poller, events } = startPolling({ latencyMs: 300 })
    const noon = clock.now()
    await clock.advance(6_500)
    expect(asked()).toEqual([0, 2_000, 4_000, 6_000])
    expect(readings.map(({ mono, at }) => [mono - began, at - noon])).toEqual([
      [0, 0],
      [2_000, 2_000],
      [4_000, 4_000],
      [6_000, 6_000],
    ])
    expect(events[0]).toEqual({ is: 'markets-read', markets: 1, mono: began })
    await poller.stop()
  })

  test('are never asked for twice at once, however slow the venue is', async () => {
    const { clock, asked, venue, poller } = startPolling({ latencyMs: 3_200 })
    await clock.advance(10_000)
    expect(asked()).toEqual([0, 3_201, 6_402, 9_603])
    expect(venue.mostOpen()).toBe(1)
    await poller.stop()
  })

  test('are read on also when whoever hears of them breaks, and that is told', async () => {
    const { clock, asked, poller, events } = startPolling({}, 2_000, () => {
      throw new Error('out of order')
    })
    await clock.advance(5_000)
    expect(asked()).toEqual([0, 2_000, 4_000])
    expect(events.flatMap((event) => (event.is === 'trouble' ? [event.why] : []))).toEqual(
      Array(3).fill('Error: out of order'),
    )
    await poller.stop()
  })

  test('that cannot be read are told as such, and read again in their turn', async () => {
    const answers = [DOWN, null, new Error('no JSON')]
    const markets = () => {
      const failure = answers.shift()
      return failure ? Promise.reject(failure) : { markets: [aMarket()], unusable: [], failedParts: [] }
    }
    const { clock, asked, readings, failures, poller, events } = startPolling({ markets })
    await clock.advance(6_000)
    expect(asked()).toEqual([0, 2_000, 4_000, 6_000])
    expect(failures[0]).toBe('The venue answered 503.')
    expect([failures.length, readings.length]).toEqual([2, 2])
    expect(events.filter(({ is }) => is === 'markets-failed')).toHaveLength(2)
    await poller.stop()
  })

  test('are given up after five seconds without an answer', async () => {
    let first = true
    const markets = () => {
      const answer = first ? NEVER : { markets: [], unusable: [], failedParts: [] }
      first = false
      return answer
    }
    const { clock, asked, failures, venue, poller } = startPolling({ markets })
    await clock.advance(5_002)
    expect(failures).toEqual(['The venue gave no answer within 5000 ms.'])
    expect(asked()).toEqual([0, 5_001])
    expect(venue.open()).toBe(0)
    await poller.stop()
  })

  test('whose poll waited in vain take no place in the queue', async () => {
    const { clock, events, venue, poller } = startPolling({ markets: () => Promise.reject(LIMITED(60_000)) })
    await clock.advance(59_000)
    expect(venue.calls).toHaveLength(1)
    await clock.advance(1_000)
    expect(venue.calls).toHaveLength(2)
    expect(events).toContainEqual(expect.objectContaining({ is: 'ceiling', weightPerSecond: 18 }))
    await poller.stop()
  })

  test('are not read any more after the end: the request is given up, nothing is told, nothing waits', async () => {
    const { clock, readings, failures, venue, poller } = startPolling({ markets: () => NEVER })
    await clock.advance(1_000)
    expect(venue.open()).toBe(1)
    await poller.stop()
    expect([venue.open(), clock.waiting()]).toEqual([0, 0])
    await clock.advance(60_000)
    expect([readings, failures, venue.calls.length]).toEqual([[], [], 1])
  })

  test('also when it ends between two polls', async () => {
    const { clock, poller } = startPolling({})
    await clock.advance(1_000)
    await poller.idle()
    expect(clock.waiting()).toBe(1)
    await poller.stop()
    expect(clock.waiting()).toBe(0)
  })
})
