import { assert, property, subarray } from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  isPollWanted,
  type DexTimes,
  dexesToRead,
  retryAfterMs,
} from '../../../../src/venues/hyperliquid/rules/rotation.ts'
import type { Dex } from '../../../../src/venues/hyperliquid/wire/dexes.ts'

const NOW = 1_000_000
const ALL: Dex[] = [null, 'xyz', 'flx', 'hyna', 'abc']

/** Books as they were told, in seconds before now: `pushed`, `tried`. */
function world(given: Record<string, { pushed?: number; tried?: number; changed?: boolean }>, seldom = 0) {
  const timesOf = (dex: Dex): DexTimes => {
    const { pushed = Infinity, tried = Infinity, changed = false } = given[dex ?? 'main'] ?? {}
    const times = { pushedMono: NOW - pushed * 1_000, triedMono: NOW - tried * 1_000, changed }
    return { ...times, failures: 0, againMono: -Infinity }
  }
  const now = { mono: NOW, seldomMono: NOW - seldom * 1_000 }
  return {
    turn: (...needed: Dex[]) => dexesToRead([null, ...needed], ALL, timesOf, now).dexes,
    isWanted: (...needed: Dex[]) => isPollWanted([null, ...needed], ALL, timesOf, now),
  }
}

describe('the books that are asked for', () => {
  test('are what fell silent, three at once, the rest with the next poll', () => {
    const silent = { pushed: 5, tried: 100 }
    const { turn } = world({ main: silent, xyz: silent, flx: silent, hyna: silent })
    expect(turn('xyz', 'flx', 'hyna')).toEqual([null, 'xyz', 'flx'])
    const after = world({
      ...{ main: { pushed: 7, tried: 2 }, xyz: { pushed: 7, tried: 2 }, flx: { pushed: 7, tried: 2 } },
      hyna: { pushed: 7, tried: 100 },
    })
    expect(after.turn('xyz', 'flx', 'hyna')).toEqual(['hyna'])
  })

  test('are in turn what nobody tells of, one at a time', () => {
    const { turn } = world({ main: { tried: 2 }, xyz: { tried: 6 }, flx: { tried: 4 } })
    expect(turn('xyz', 'flx')).toEqual(['xyz'])
  })

  test('are not what is told of', () => {
    const { turn } = world({ main: { pushed: 1, tried: 60 }, xyz: { tried: 2 } })
    expect(turn('xyz')).toEqual(['xyz'])
  })

  test('are now and then what nobody needs, and the lists of what is told of', () => {
    const dailySummary = { tried: 60 }
    const timesOf = {
      main: { pushed: 1, tried: 700 },
      xyz: dailySummary,
      flx: dailySummary,
      hyna: dailySummary,
      abc: dailySummary,
    }
    expect(world(timesOf, 11).turn()).toEqual([null])
    expect([world(timesOf, 11).isWanted(), world(timesOf, 9).isWanted()]).toEqual([true, false])
  })

  test('are soon those whose list has changed', () => {
    const timesOf = { main: { pushed: 1, tried: 60 }, xyz: { tried: 61, changed: true } }
    const rest = { flx: { tried: 60 }, hyna: { tried: 60 }, abc: { tried: 60 } }
    expect(world({ ...timesOf, ...rest }, 11).turn()).toEqual(['xyz'])
  })
})

test('a dex that fails takes little: however many fail, those that work are read as if the others were not there', () => {
  const needed = ['xyz', 'flx', 'hyna', 'abc']
  assert(
    property(subarray(needed), (failing) => {
      const known = new Map<Dex, DexTimes>()
      const never = { triedMono: -Infinity, pushedMono: -Infinity, changed: false }
      const timesOf = (dex: Dex) => known.get(dex) ?? { ...never, failures: 0, againMono: -Infinity }
      const reads: Dex[] = []
      for (let mono = 0; mono < 600_000; mono += 2_000) {
        const { dexes } = dexesToRead([null, ...needed], ALL, timesOf, { mono, seldomMono: mono })
        for (const dex of dexes) {
          reads.push(dex)
          const fails = dex !== null && failing.includes(dex)
          const failures = fails ? timesOf(dex).failures + 1 : 0
          known.set(dex, {
            ...never,
            triedMono: mono,
            failures,
            againMono: mono + retryAfterMs(dex, failures),
          })
        }
      }
      const working = ALL.filter((dex) => dex === null || !failing.includes(dex))
      for (const dex of working)
        expect(reads.filter((one) => one === dex).length).toBeGreaterThan((0.8 * 300) / working.length)
      // All that fail together take less than a sixth of the polls.
      expect(reads.filter((dex) => dex !== null && failing.includes(dex)).length).toBeLessThan(300 / 6)
      for (const dex of failing) expect(reads.lastIndexOf(dex)).toBeGreaterThan(300 - (16 / 2) * 5)
    }),
  )
})
