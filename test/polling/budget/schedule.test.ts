import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createQueue } from '../../../src/polling/budget/read-queue.ts'
import { calmTurnMs, dueMono, type PolledWallet } from '../../../src/polling/budget/schedule.ts'
import { aWallet } from '../../support/polling.ts'

const AGES = { minMs: 2_000, maxMs: 60_000 }
const NOW = 1_000_000

function polled(index: number, over: Partial<PolledWallet> = {}): PolledWallet {
  const read = {
    readMono: NOW - 1_000,
    triedMono: NOW - 1_000,
    pushedMono: null,
    failures: 0,
    changedMono: null,
    hintedMono: null,
    opensAsOften: 1,
  }
  const calm = {
    nearDanger: false,
    confirm: false,
    endedSince: null,
    againMono: null,
    rememberedDistance: Infinity,
  }
  return { wallet: aWallet(index), ...calm, ...read, ...over }
}

describe('an owner is due', () => {
  test.each<[string, Partial<PolledWallet>, number]>([
    ['at once when nobody has ever looked', { readMono: null, triedMono: null }, -Infinity],
    ['early enough that the answer is there before it is too old', {}, NOW - 1_000 + 45_000],
    ['as often as allowed when near danger', { nearDanger: true }, NOW - 1_000 + 2_000],
    ['as soon as allowed when a list of markets speaks of it', { hintedMono: NOW }, NOW + 1_000],
    ['in its turn when it was read since', { hintedMono: NOW - 2_000 }, NOW - 1_000 + 45_000],
    ['in its turn when the venue has told of it since', { hintedMono: NOW, pushedMono: NOW }, NOW + 44_000],
    ['six times as soon when it has just changed', { changedMono: NOW - 1_000 }, NOW - 1_000 + 7_500],
    ['twice as soon when it has changed half an hour ago', { changedMono: NOW - 1_801_000 }, NOW + 21_500],
    ['three times as soon when it opens twice as often as others', { opensAsOften: 2 }, NOW + 14_000],
    ['in its turn when it opens more seldom than others', { opensAsOften: 0.2 }, NOW - 1_000 + 45_000],
    ['in its turn when it has not changed for long', { changedMono: NOW - 86_400_000 }, NOW - 1_000 + 45_000],
    ['rarely near danger while the venue tells of it', { nearDanger: true, pushedMono: NOW }, NOW + 12_000],
    [
      'at its turn near danger however lately the venue has told of it',
      { nearDanger: true, pushedMono: NOW, readMono: NOW - 44_000 },
      NOW + 1_000,
    ],
    [
      'for a second look though the venue tells of it',
      { nearDanger: true, confirm: true, pushedMono: NOW },
      NOW - 1_000 + 250,
    ],
    ['for a second look when a position is missing', { confirm: true }, NOW - 1_000 + 250],
    ['again after a failure, but not at once', { failures: 1, triedMono: NOW }, NOW + 2_000],
    ['later after each failure', { failures: 4, triedMono: NOW }, NOW + 8_000],
    ['no later than its turn would come anyway', { failures: 30, triedMono: NOW }, NOW + 45_000],
    [
      'no faster than allowed, also when near danger',
      { failures: 9, nearDanger: true, triedMono: NOW },
      NOW + 2_000,
    ],
    [
      'rarely after failures near danger while the venue tells of it',
      { failures: 3, nearDanger: true, triedMono: NOW, pushedMono: NOW },
      NOW + 12_000,
    ],
    [
      'after failures at its turn, however lately the venue has told of it',
      { failures: 3, nearDanger: true, triedMono: NOW - 44_000, pushedMono: NOW },
      NOW + 1_000,
    ],
    [
      'soon after a failed second look though the venue tells of it',
      { confirm: true, failures: 1, triedMono: NOW, pushedMono: NOW },
      NOW + 2_000,
    ],
    ['after a failed first look, too', { readMono: null, triedMono: NOW, failures: 2 }, NOW + 2_000],
    ['also when the second look failed', { confirm: true, failures: 1, triedMono: NOW }, NOW + 2_000],
  ])('%s', (_name, over, expected) => {
    expect(dueMono(polled(1, over), AGES)).toBe(expected)
  })

  /** The first moment at which a wallet of this address is looked at, of those half an hour apart. */
  const MOMENT = 1_112_461
  const looks = { sinceMono: NOW - 60_000, everyMs: 1_800_000, firstMs: 600_000 }
  test.each<[string, Partial<PolledWallet>, number]>([
    ['at its own moment of each half hour', {}, MOMENT],
    ['then also near danger', { nearDanger: true }, MOMENT],
    ['then again half an hour later', { readMono: MOMENT + 1 }, MOMENT + 1_800_000],
    ['at once where something is missing', { confirm: true }, NOW - 1_000 + 250],
    ['as soon as allowed when it has traded', { hintedMono: NOW + 1, pushedMono: NOW }, NOW + 1_000],
    ['five minutes after a failed look', { failures: 1, triedMono: MOMENT + 1 }, MOMENT + 300_001],
  ])('%s while the push that keeps it current asks for no more', (_name, over, expected) => {
    // However long from now, pushes go on until then.
    const pushedMono = over.pushedMono ?? expected
    expect(dueMono(polled(1, { looks, pushedMono, ...over }), AGES)).toBeCloseTo(expected, 0)
  })

  test('once more after the push had a gap, each wallet at another moment', () => {
    const gap = { ...looks, sinceMono: NOW }
    const dues = Array.from({ length: 60 }, (_, index) =>
      dueMono(polled(index, { looks: gap, pushedMono: Infinity }), AGES),
    )
    const minutes = dues.map((due) => Math.floor((due - NOW) / 60_000))
    const most = Math.max(...minutes.map((minute) => minutes.filter((one) => one === minute).length))
    expect([Math.min(...minutes), Math.max(...minutes)]).toEqual([0, 9])
    expect(most).toBeLessThanOrEqual(9)
  })

  test('about hourly where the venue does not know it, each at another moment', () => {
    const dues = Array.from({ length: 60 }, (_, index) => dueMono(polled(index, { isUnknown: true }), AGES))
    const minutes = dues.map((due) => Math.floor((due - NOW) / 60_000))
    expect(Math.min(...minutes)).toBeGreaterThanOrEqual(44)
    expect(Math.max(...minutes)).toBeLessThan(75)
    expect(new Set(minutes).size).toBeGreaterThan(20)
  })

  test('not sooner than allowed where the two ages are one', () => {
    expect(dueMono(polled(1), { minMs: 10_000, maxMs: 10_000 })).toBe(NOW - 1_000 + 10_000)
  })
})

test('how seldom the calm have their turn shows by whoever has one', () => {
  const turnMs = (over: Partial<PolledWallet>, waitedMs: number) =>
    calmTurnMs(polled(1, over), waitedMs, AGES)
  expect(turnMs({}, 90_000)).toBe(90_000)
  expect(turnMs({ opensAsOften: 2 }, 30_000)).toBe(90_000)
  // It was told of, and not asked for as long as that counted.
  expect(turnMs({ changedMono: NOW - 1_000, pushedMono: NOW + 20_000 }, 33_000)).toBe(45_000)
})

/** Who is asked, one after the other. */
function asked(why: 'missing' | 'due', all: PolledWallet[], mono = NOW): number[] {
  const queue = createQueue(AGES)
  for (const one of all) queue.put(one)
  return all.flatMap(() => Number(queue.take(why, mono) ?? [])).filter((index) => index > 0)
}

/** Who is asked where one turn comes after the other, by their places. */
function taken(wallets: readonly PolledWallet[], { everyMs, turns }: { everyMs: number; turns: number }) {
  const all = [...wallets]
  const queue = createQueue(AGES)
  for (const one of all) queue.put(one)
  return Array.from({ length: turns }, (_, turn) => {
    const mono = NOW + 60_000 + turn * everyMs
    const next = queue.take('due', mono)
    const place = all.findIndex(({ wallet }) => wallet === next)
    const known = all[place]
    if (known) queue.put((all[place] = { ...known, readMono: mono, triedMono: mono }))
    return place
  })
}

describe('who is asked', () => {
  test('whoever has been due for longest; nobody who is not due', () => {
    const reads = [50_000, 90_000, 1_000, 70_000].map((ago, index) =>
      polled(index + 1, { readMono: NOW - ago }),
    )
    expect(asked('due', reads)).toEqual([2, 4, 1])
    expect(asked('missing', reads)).toEqual([])
  })

  test('before them who was not read in this run, by how near its end an earlier one has seen it', () => {
    const never = { readMono: null, triedMono: null }
    const all = [
      polled(1, { readMono: NOW - 900_000 }),
      polled(2, never),
      polled(3, { ...never, rememberedDistance: 0.3 }),
      polled(4, { ...never, rememberedDistance: 0 }),
      polled(5, { ...never, rememberedDistance: 0.05 }),
    ]
    expect(asked('due', all)).toEqual([4, 5, 3, 2, 1])
  })

  test('who is near danger, or has failed, at every third turn while others wait', () => {
    const near = [1, 2, 3, 4].map((index) => polled(index, { nearDanger: true, readMono: NOW - 60_000 }))
    const failed = polled(5, { failures: 1, triedMono: NOW - 30_000 })
    const waiting = [6, 7, 8].map((index) => polled(index, { readMono: NOW - 300_000 + index }))
    const order = asked('due', [...near, failed, ...waiting])
    expect(order.slice(0, 5)).toEqual([expect.toSatisfy((index) => index < 5), 6, 7, order[3], 8])
    expect(order[3]).toBeLessThan(5)
    expect(order.at(-1)).toBe(5)
  })

  test('of whom a list of markets speaks at every other turn while others wait', () => {
    const hinted = [1, 2].map((index) => polled(index, { readMono: NOW - 5_000, hintedMono: NOW }))
    const waiting = [3, 4].map((index) => polled(index, { readMono: NOW - 300_000 + index }))
    expect(asked('due', [...waiting, ...hinted])).toEqual([1, 3, 2, 4])
  })

  test('three times as often who opens twice as often as others, however short the turns are', () => {
    const all = [2, 1, 1, 1, 1, 1, 1, 1].map((opensAsOften, index) => polled(index, { opensAsOften }))
    const order = taken(all, { everyMs: 30_000, turns: 100 })
    const each = all.map((_, index) => order.filter((one) => one === index).length)
    expect(each).toEqual([30, 10, 10, 10, 10, 10, 10, 10])
  })

  test('in the same order, though the engine names some of them again and again', () => {
    const queue = createQueue(AGES)
    const order: number[] = []
    const readTicks = [1, 2, 3, 4, 5, 6].map((index) => NOW + index)
    readTicks.forEach((readMono, index) => queue.put(polled(index, { readMono })))
    for (let mono = NOW + 60_000; order.length < 60; mono += 20_000) {
      const index = Number(queue.take('due', mono))
      order.push(index)
      readTicks[index] = mono
      queue.put(polled(index, { readMono: mono }))
      const again = (index + 3) % 6
      queue.put(polled(again, { readMono: readTicks[again] ?? 0 }))
    }
    expect(order).toEqual(Array.from({ length: 60 }, (_, turn) => turn % 6))
  })

  test('for a second look apart from all of these', () => {
    const all = [polled(1, { readMono: NOW - 300, confirm: true }), polled(2, { readMono: NOW - 90_000 })]
    expect([asked('missing', all), asked('due', all)]).toEqual([[1], [2]])
  })

  test('at another time once that has changed, and not at all once nobody wants it', () => {
    const queue = createQueue(AGES)
    queue.put(polled(1, { readMono: NOW }))
    expect(queue.next('due')).toBe(NOW + 45_000)
    queue.put(polled(1, { readMono: NOW, nearDanger: true }))
    expect(queue.next('due')).toBe(NOW + 2_000)
    queue.drop(aWallet(1))
    expect([queue.next('due'), queue.take('due', NOW + 99_000)]).toEqual([null, null])
  })
})

test('with requests enough, nobody is ever older than the hard maximum, near danger or not', () => {
  const wallets = fc.array(fc.record({ nearDanger: fc.boolean() }), {
    minLength: 1,
    maxLength: 40,
  })
  const ages = fc.record({
    minMs: fc.integer({ min: 500, max: 5_000 }),
    maxMs: fc.integer({ min: 8_000, max: 60_000 }),
  })
  fc.assert(
    fc.property(wallets, ages, fc.integer({ min: 50, max: 400 }), (people, limits, latencyMs) => {
      // Enough: what the limits ask for, and half as much again, from a venue that answers in time.
      const needed = people.reduce(
        (sum, { nearDanger }) => sum + 1 / (nearDanger ? limits.minMs : limits.maxMs * 0.75),
        0,
      )
      const everyMs = Math.floor(1 / (needed * 1.5))
      const all = people.map(({ nearDanger }, index) =>
        polled(index, { nearDanger, readMono: null, triedMono: null }),
      )
      const queue = createQueue(limits)
      for (const one of all) queue.put(one)
      // Until each was read once, those near danger have every other turn.
      const slack = latencyMs + 2 * everyMs * people.length
      for (let mono = NOW; mono < NOW + 5 * limits.maxMs; mono += Math.max(everyMs, 1)) {
        const next = queue.take('due', mono)
        const place = all.findIndex(({ wallet }) => wallet === next)
        const known = all[place]
        const now = mono + latencyMs
        if (known) queue.put((all[place] = { ...known, readMono: mono, triedMono: mono }))
        if (mono < NOW + slack) continue
        for (const { readMono, nearDanger } of all) {
          const limit = nearDanger ? limits.minMs + slack : limits.maxMs
          const age = now - (readMono ?? -Infinity)
          // Hundreds of thousands of them: what is expected of each is said for the one that breaks it.
          if (!(age <= limit)) expect(age).toBeLessThanOrEqual(limit)
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('however short the turns are, nobody waits for more of them than what the others are worth asking', () => {
  const worths = fc.array(fc.double({ min: 1, max: 3, noNaN: true }), { minLength: 2, maxLength: 20 })
  fc.assert(
    fc.property(worths, fc.integer({ min: 1_000, max: 90_000 }), (worth, everyMs) => {
      const all = worth.map((one, index) => polled(index, { opensAsOften: Math.sqrt(one) }))
      const order = taken(all, { everyMs, turns: 300 })
      worth.forEach((own, place) => {
        const most = worth.reduce((sum, one) => sum + one / own + 2, 0) + 45_000 / everyMs
        const turns = [0, ...order.flatMap((one, turn) => (one === place ? turn : [])), order.length]
        const waits = turns.slice(1).map((turn, index) => turn - (turns[index] ?? 0))
        expect(Math.max(...waits)).toBeLessThanOrEqual(most)
      })
    }),
    { numRuns: 60 },
  )
})
