import { describe, expect, test } from 'vitest'

import { averagePrice } from '../../../../src/venue/record/twap.ts'
import { readTwapFills, readTwaps } from '../../../../src/venues/hyperliquid/wire/twaps.ts'
import { exact } from '../../../support/fixtures.ts'

const START = 1_790_191_600_889
const state = {
  ...{
    coin: 'BTC',
    user: `0x${'1'.repeat(40)}`,
    side: 'B',
    sz: '2.5',
    executedSz: '0.0',
    executedNtl: '0.0',
  },
  ...{ minutes: 60, reduceOnly: false, randomize: true, timestamp: START, trigger: null, stopPx: null },
}
/** An entry as the venue writes it, so many seconds after the start. */
const entry = (status: string, over: Record<string, unknown> = {}, after = 0, twapId = 7) => ({
  ...{ time: Math.floor(START / 1_000) + after, state: { ...state, ...over } },
  ...{ status: { status }, twapId },
})
const DONE = { executedSz: '2.5', executedNtl: '160525.0' }

describe('the history of TWAPs', () => {
  test('has an entry for each change: the last one counts, in whatever order they come', () => {
    const entries = [entry('finished', DONE, 3_600), entry('activated')]
    for (const sent of [entries, entries.toReversed()]) {
      const [twap, ...more] = readTwaps(sent).twaps
      expect(more).toEqual([])
      expect(twap).toEqual({
        ...{ id: '7', accountId: 'main', marketId: 'BTC', size: exact('2.5'), reduceOnly: false },
        ...{ filled: { size: exact('2.5'), notionalUsd: exact('160525') }, priceLimit: null, trigger: null },
        ...{ durationMs: 3_600_000, startedAt: START, state: 'finished', why: null },
        at: (Math.floor(START / 1_000) + 3_600) * 1_000,
      })
      expect(twap && averagePrice(twap)).toBe(exact('64210'))
    }
  })

  test('what a running one has filled is unknown: the venue leaves it at zero until the end', () => {
    expect(readTwaps([entry('activated')]).twaps[0]).toMatchObject({ state: 'running', filled: null })
  })

  test('one that ends in the second of its start has ended, and not before it began', () => {
    const { twaps } = readTwaps([entry('activated'), entry('error')])
    expect(twaps[0]).toMatchObject({ state: 'failed', at: START })
  })

  test('waits for its trigger, starts when that is reached, and is stopped at its price', () => {
    const more = { side: 'A', trigger: { px: '80.0', above: true }, stopPx: '75.0' }
    const waiting = entry('waitingForTrigger', more)
    expect(readTwaps([waiting]).twaps[0]).toMatchObject({
      ...{ state: 'waiting', size: exact('-2.5'), startedAt: START },
      ...{ trigger: { price: exact('80'), above: true }, priceLimit: exact('75') },
    })
    const running = entry('activated', more, 600)
    const { twaps } = readTwaps([entry('stopped', more, 900), running, waiting])
    const at = (after: number) => (Math.floor(START / 1_000) + after) * 1_000
    expect(twaps[0]).toMatchObject({ state: 'stopped', startedAt: at(600), at: at(900) })
  })

  test('says why one has failed, in the venue’s words', () => {
    const failed = { ...entry('error'), status: { status: 'error', description: 'Insufficient margin.' } }
    expect(readTwaps([failed]).twaps[0]).toMatchObject({ state: 'failed', why: 'Insufficient margin.' })
  })

  test('those of builders are there, those of spot are not', () => {
    const all = [entry('activated', { coin: 'xyz:NVDA' }), entry('activated', { coin: '@107' }, 0, 8)]
    expect(readTwaps(all).twaps).toMatchObject([{ accountId: 'xyz', marketId: 'xyz:NVDA' }])
    expect(readTwaps([{ ...entry('activated', { coin: '@107' }), time: 'x' }]).unusable).toEqual([])
  })

  test('one with an unusable entry is named and left out: that entry may be its end', () => {
    const odd = entry('vanished', {}, 60)
    const broken = { ...entry('activated', {}, 0, 9), time: null }
    const other = entry('activated', {}, 0, 10)
    const { twaps, unusable } = readTwaps([odd, entry('activated'), broken, 'x', other])
    expect(twaps.map(({ id }) => id)).toEqual(['10'])
    expect(unusable.map(({ what, why }) => `${what}: ${why}`)).toEqual([
      'TWAP 7: its status is vanished',
      'TWAP 9: time is missing or of another type',
      'TWAP 4 of 5: the record is missing or of another type',
    ])
  })

  test('an odd entry of long ago is skipped: it says nothing of today', () => {
    const old = { ...entry('vanished', {}, 0, 9), time: 1_000_000_000 }
    const { twaps, unusable } = readTwaps([old, entry('activated')], START - 8 * 86_400_000)
    expect([twaps.length, unusable]).toEqual([1, []])
  })

  test.each([null, {}, 'x', [[]]])('%j is no history', (body) => {
    const read = () => readTwaps(body)
    if (Array.isArray(body)) expect(read().unusable).toHaveLength(1)
    else expect(read).toThrow('the TWAPs')
  })
})

test('slices add up exactly', () => {
  const fill = (px: string, sz: string, tid: number) => ({
    ...{ fill: { px, sz, time: START - tid, tid, coin: 'BTC' }, twapId: 7 },
  })
  const { slices, sent } = readTwapFills([fill('0.38545', '30.3', 1), fill('84854.0', '0.00014', 2)])
  expect(sent).toBe(2)
  expect(slices.map(({ notionalUsd }) => notionalUsd)).toEqual([exact('11.87956'), exact('11.679135')])
  expect(() => readTwapFills([{ fill: {}, twapId: 7 }])).toThrow('the fills of TWAPs')
})
