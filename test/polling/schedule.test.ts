import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { dueTick, schedule } from '../../src/polling/schedule.ts'
import type { PolledOwner } from '../../src/polling/schedule.ts'
import { anOwner } from '../support/polling.ts'

const AGES = { minMs: 2_000, maxMs: 60_000 }
const NOW = 1_000_000

function polled(index: number, over: Partial<PolledOwner> = {}): PolledOwner {
  const read = { readTick: NOW - 1_000, triedTick: NOW - 1_000, toldTick: null, failures: 0 }
  const calm = { nearDanger: false, confirm: false, endedSince: null, reading: false }
  return { owner: anOwner(index), ...calm, ...read, ...over }
}

describe('an owner is due', () => {
  test.each<[string, Partial<PolledOwner>, number]>([
    ['at once when nobody has ever looked', { readTick: null, triedTick: null }, -Infinity],
    ['early enough that the answer is there before it is too old', {}, NOW - 1_000 + 45_000],
    ['as often as allowed when near danger', { nearDanger: true }, NOW - 1_000 + 2_000],
    ['rarely near danger while the venue tells of it', { nearDanger: true, toldTick: NOW }, NOW + 12_000],
    [
      'at its turn near danger however lately the venue has told of it',
      { nearDanger: true, toldTick: NOW, readTick: NOW - 44_000 },
      NOW + 1_000,
    ],
    [
      'for a second look though the venue tells of it',
      { nearDanger: true, confirm: true, toldTick: NOW },
      NOW - 1_000 + 250,
    ],
    ['for a second look when a position is missing', { confirm: true }, NOW - 1_000 + 250],
    ['again after a failure, but not at once', { failures: 1, triedTick: NOW }, NOW + 2_000],
    ['later after each failure', { failures: 4, triedTick: NOW }, NOW + 8_000],
    ['no later than its turn would come anyway', { failures: 30, triedTick: NOW }, NOW + 45_000],
    [
      'no faster than allowed, also when near danger',
      { failures: 9, nearDanger: true, triedTick: NOW },
      NOW + 2_000,
    ],
    [
      'rarely after failures near danger while the venue tells of it',
      { failures: 3, nearDanger: true, triedTick: NOW, toldTick: NOW },
      NOW + 12_000,
    ],
    [
      'after failures at its turn, however lately the venue has told of it',
      { failures: 3, nearDanger: true, triedTick: NOW - 44_000, toldTick: NOW },
      NOW + 1_000,
    ],
    [
      'soon after a failed second look though the venue tells of it',
      { confirm: true, failures: 1, triedTick: NOW, toldTick: NOW },
      NOW + 2_000,
    ],
    ['after a failed first look, too', { readTick: null, triedTick: NOW, failures: 2 }, NOW + 2_000],
    ['also when the second look failed', { confirm: true, failures: 1, triedTick: NOW }, NOW + 2_000],
  ])('%s', (_name, over, expected) => {
    expect(dueTick(polled(1, over), AGES)).toBe(expected)
  })

  test('not sooner than allowed where the two ages are one', () => {
    expect(dueTick(polled(1), { minMs: 10_000, maxMs: 10_000 })).toBe(NOW - 1_000 + 10_000)
  })
})

describe('who is asked', () => {
  test('second looks first, then who was never read, then whoever is most overdue for what they need', () => {
    const all = [
      polled(1, { readTick: NOW - 50_000 }),
      polled(2, { readTick: NOW - 90_000 }),
      polled(3, { readTick: NOW - 4_500, nearDanger: true }),
      polled(4, { readTick: null, triedTick: null }),
      polled(5, { readTick: NOW - 300, confirm: true }),
      polled(6, { readTick: NOW - 90_000, reading: true }),
      polled(7),
      polled(8, { readTick: NOW - 900_000, triedTick: NOW - 60_000, failures: 9 }),
      polled(9, { readTick: null, triedTick: NOW - 46_000, failures: 9 }),
    ]
    const { due, nextTick } = schedule(all, NOW, AGES)
    expect(due.map(({ owner }) => Number(owner))).toEqual([5, 4, 3, 2, 8, 1, 9])
    expect(nextTick).toBe(NOW - 1_000 + 45_000)
  })

  test('nobody, when nobody is watched or all are being read', () => {
    expect(schedule([], NOW, AGES)).toEqual({ due: [], nextTick: null })
    expect(schedule([polled(1, { reading: true, readTick: null })], NOW, AGES)).toEqual({
      due: [],
      nextTick: null,
    })
  })
})

test('with requests enough, nobody is ever older than the hard maximum, near danger or not', () => {
  const owners = fc.array(fc.record({ nearDanger: fc.boolean() }), {
    minLength: 1,
    maxLength: 40,
  })
  const ages = fc.record({
    minMs: fc.integer({ min: 500, max: 5_000 }),
    maxMs: fc.integer({ min: 8_000, max: 60_000 }),
  })
  fc.assert(
    fc.property(owners, ages, fc.integer({ min: 50, max: 400 }), (people, limits, latencyMs) => {
      // Enough: what the limits ask for, and half as much again, from a venue that answers in time.
      const needed = people.reduce(
        (sum, { nearDanger }) => sum + 1 / (nearDanger ? limits.minMs : limits.maxMs * 0.75),
        0,
      )
      const everyMs = Math.floor(1 / (needed * 1.5))
      const all = people.map(({ nearDanger }, index) =>
        polled(index, { nearDanger, readTick: null, triedTick: null }),
      )
      const slack = latencyMs + everyMs * people.length
      for (let tick = NOW; tick < NOW + 5 * limits.maxMs; tick += Math.max(everyMs, 1)) {
        const next = schedule(all, tick, limits).due[0]
        const place = all.findIndex(({ owner }) => owner === next?.owner)
        const now = tick + latencyMs
        if (next) all[place] = { ...next, readTick: tick, triedTick: tick }
        if (tick < NOW + slack) continue
        for (const { readTick, nearDanger } of all) {
          const limit = nearDanger ? limits.minMs + slack : limits.maxMs
          expect(now - (readTick ?? -Infinity)).toBeLessThanOrEqual(limit)
        }
      }
    }),
    { numRuns: 60 },
  )
})
