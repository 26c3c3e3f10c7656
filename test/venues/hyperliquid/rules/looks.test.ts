import { expect, test } from 'vitest'

import { createLooks, type Seen } from '../../../../src/venues/hyperliquid/rules/looks.ts'
import type { Dex } from '../../../../src/venues/hyperliquid/wire/dexes.ts'
import { handClock } from '../../../support/clock.ts'

const HOUR = 3_600_000
const NAMES = ['xyz', 'flx']

/** A wallet that holds nothing in two builders' dexes, all read just now. */
function looking() {
  const clock = handClock()
  let since: number | null = clock.monotonic()
  const looks = createLooks({ clock, heardSince: () => since })
  const seen = (): Seen => ({
    ...{ holds: false, heldMono: -Infinity, time: null, failedMono: -Infinity, funds: null },
    ...{ readMono: clock.monotonic(), readAt: clock.now() },
  })
  const dexes = new Map<Dex, Seen>([null, ...NAMES].map((dex) => [dex, seen()]))
  return {
    clock,
    looks,
    dexes,
    reads: (dex: Dex, over: Partial<Seen> = {}) => void dexes.set(dex, { ...seen(), ...over }),
    hear: (mono: number | null) => void (since = mono),
    due: (isTurn = true) => looks.due(dexes, NAMES, isTurn),
    spare: () => looks.spare(dexes, NAMES),
  }
}

test('an empty dex is read once a day where every trade is heard, and hourly where weight is left over', async () => {
  const { clock, due, spare } = looking()
  await clock.advance(HOUR - 1)
  expect([due(), spare()]).toEqual([[], []])
  await clock.advance(1)
  expect([due(), spare()]).toEqual([[], ['xyz', 'flx']])
  await clock.advance(23 * HOUR)
  expect(due(false)).toEqual(['xyz', 'flx'])
})

test('an empty dex is read hourly where trades may be missed, and each minute where weight is left over', async () => {
  const { clock, due, spare, hear } = looking()
  hear(null)
  await clock.advance(60_000)
  expect([due(), spare()]).toEqual([[], ['xyz', 'flx']])
  await clock.advance(HOUR - 60_000)
  expect(due(false)).toEqual(['xyz', 'flx'])
})

test('what was missed is made up for at a turn, once the main dex was read', async () => {
  const { clock, due, hear, reads } = looking()
  await clock.advance(1_000)
  hear(clock.monotonic())
  expect(due()).toEqual([])
  reads(null)
  expect([due(false), due()]).toEqual([[], ['xyz', 'flx']])
  reads('xyz')
  expect(due()).toEqual(['flx'])
  // It was tried and failed.
  reads('flx', { readMono: -Infinity, failedMono: clock.monotonic() })
  expect(due()).toEqual([])
  await clock.advance(300_000)
  expect(due()).toEqual(['flx'])
})

test('a dex in which a trade was heard is read until it is found empty for a while', async () => {
  const { clock, due, reads, looks, dexes } = looking()
  reads('flx', { heldMono: clock.monotonic() })
  expect(due(false)).toEqual(['flx'])
  expect(looks.unasked(dexes, Infinity)).toEqual([])
  await clock.advance(600_000)
  expect(due(false)).toEqual([])
})
