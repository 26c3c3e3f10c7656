import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Limits } from '../../src/chat/notifier.ts'
import type { Rate } from '../../src/lib/time/token-bucket.ts'
import { createPace } from '../../src/outbox/pace.ts'

const LIMITS: Limits = {
  platform: { burst: 30, perSecond: 30 },
  chat: { burst: 2, perSecond: 1 },
  group: { burst: 20, perSecond: 20 / 60 },
}

describe('the pace of a platform', () => {
  test('lets a burst go at once, and then one at a time', () => {
    const pace = createPace({ ...LIMITS, platform: { burst: 3, perSecond: 10 } })
    for (const chat of ['a', 'b', 'c']) pace.spend(chat, false, 0)
    expect([pace.room(0), pace.roomAt(0), pace.room(99)]).toEqual([0, 100, 0])
    expect([pace.room(100), pace.room(200), pace.room(10_000)]).toEqual([1, 2, 3])
  })

  test('paces a private chat by its own rate and a group by both', () => {
    const pace = createPace(LIMITS)
    let seconds = 0
    for (; pace.freeAt('group', seconds * 1_000) <= seconds * 1_000; seconds++) {
      pace.spend('group', true, seconds * 1_000)
      pace.spend('private', false, seconds * 1_000)
    }
    // The group's twenty, and what came back meanwhile.
    expect(seconds).toBe(29)
    expect(pace.freeAt('private', 29_000)).toBe(29_000)
    expect(pace.tired(29_000)).toEqual(['group'])
  })

  test('a chat that turns out to be a group is paced as one from then on', () => {
    const pace = createPace({ ...LIMITS, group: { burst: 1, perSecond: 0.1 } })
    pace.spend('x', false, 0)
    pace.spend('x', true, 0)
    expect(pace.freeAt('x', 0)).toBe(10_000)
  })

  test('nobody is tired who was never sent to, nor for ever', () => {
    const pace = createPace(LIMITS)
    pace.spend('a', false, 0)
    pace.spend('a', false, 0)
    expect([pace.freeAt('b', 0), pace.freeAt('a', 0), pace.tired(0)]).toEqual([0, 1_000, ['a']])
    expect([pace.freeAt('a', 1_000), pace.tired(1_000), pace.tired(60_000)]).toEqual([1_000, [], []])
  })

  test('names who was served lately, as long as the platform takes little', () => {
    const pace = createPace({ ...LIMITS, platform: { burst: 4, perSecond: 1 } })
    pace.spend('a', false, 0)
    expect(pace.served(0)).toEqual([])
    pace.spend('b', false, 0)
    expect(pace.served(0)).toEqual(['a', 'b'])
    expect(pace.served(1_000)).toEqual([])
  })

  test('who was sent to long ago was not served lately, though their share of weeks is not whole yet', () => {
    const platform = { burst: 2, perSecond: 1 }
    const pace = createPace({ ...LIMITS, platform, share: { burst: 3, perSecond: 0.000_001 } })
    pace.spend('a', false, 0)
    pace.spend('b', false, 600_000)
    expect(pace.served(600_000)).toEqual(['b'])
  })

  test('leaves nobody more than their share of a limit that is counted over weeks', () => {
    const pace = createPace({ ...LIMITS, share: { burst: 3, perSecond: 0.001 } })
    for (const seconds of [0, 10, 20]) pace.spend('a', false, seconds * 1_000)
    expect([pace.tired(20_000), pace.tired(900_000), pace.tired(1_100_000)]).toEqual([['a'], ['a'], []])
    expect(pace.freeAt('b', 20_000)).toBe(20_000)
  })

  test('a clock that stands still or goes back gives nothing away', () => {
    const pace = createPace({ ...LIMITS, platform: { burst: 1, perSecond: 1 } })
    pace.spend('a', false, 5_000)
    expect([pace.room(4_000), pace.room(5_999), pace.room(6_000)]).toEqual([0, 0, 1])
  })
})

test('never are there more than burst + rate · t sends in any stretch of time, of platform, chat or group', () => {
  const rate = fc.record({
    burst: fc.integer({ min: 1, max: 20 }),
    perSecond: fc.double({ min: 0.05, max: 50, noNaN: true }),
  })
  const limits = fc.record({ platform: rate, chat: rate, group: fc.option(rate) })
  const step = fc.record({ wait: fc.integer({ min: 0, max: 3_000 }), chat: fc.integer({ min: 0, max: 3 }) })
  fc.assert(
    fc.property(limits, fc.array(step, { maxLength: 120 }), (given, steps) => {
      const pace = createPace(given)
      const sends: { chat: number; at: number }[] = []
      let mono = 0
      for (const { wait, chat } of steps) {
        mono += wait
        const isGroup = chat % 2 === 1
        if (pace.room(mono) < 1 || pace.freeAt(`${chat}`, mono) > mono) continue
        pace.spend(`${chat}`, isGroup, mono)
        sends.push({ chat, at: mono })
        if (wait % 7 === 0) pace.tired(mono)
      }
      expectWithin(
        sends.map(({ at }) => at),
        given.platform,
      )
      for (const chat of [0, 1, 2, 3]) {
        const own = sends.filter((one) => one.chat === chat).map(({ at }) => at)
        expectWithin(own, given.chat)
        if (chat % 2 === 1 && given.group) expectWithin(own, given.group)
      }
    }),
    { numRuns: 300 },
  )
})

test('and whoever waits until it is free may send then', () => {
  const rate = fc.record({
    burst: fc.integer({ min: 1, max: 5 }),
    perSecond: fc.double({ min: 0.05, max: 50, noNaN: true }),
  })
  fc.assert(
    fc.property(rate, fc.integer({ min: 1, max: 30 }), (given, count) => {
      const pace = createPace({ platform: given, chat: given, group: null })
      let mono = 0.1
      for (let sent = 0; sent < count; sent++) {
        // A rounding error may cost one more look, never more.
        for (let look = 0; look < 2; look++) mono = Math.max(pace.freeAt('a', mono), pace.roomAt(mono))
        expect(pace.room(mono)).toBeGreaterThan(0)
        pace.spend('a', false, mono)
      }
      const fastest = ((count - given.burst) / given.perSecond) * 1_000
      expect(mono).toBeLessThan(Math.max(fastest, 0) + 2 * count + 1)
    }),
  )
})

function expectWithin(times: number[], { burst, perSecond }: Rate): void {
  for (let first = 0; first < times.length; first++) {
    for (let last = first; last < times.length; last++) {
      const stretch = ((times[last] ?? 0) - (times[first] ?? 0)) / 1_000
      expect(last - first + 1).toBeLessThanOrEqual(burst + perSecond * stretch + 1e-6)
    }
  }
}
