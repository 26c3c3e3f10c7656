import { expect, test } from 'vitest'

import { createCapacity } from '../../src/polling/part.ts'
import type { VenueLoad } from '../../src/venue/venue-load.ts'

/** What is told when so many wallets are watched one after the other, at 1,170 requests a minute for them. */
function told(watched: readonly number[], coversMs = 60_000, over: Partial<VenueLoad['spent']> = {}) {
  const said: string[] = []
  const capacity = createCapacity((event) => {
    if (event.is === 'capacity') said.push(`${event.served} of ${event.watched}`)
  })
  for (const many of watched) {
    const wallets = Math.min(many * (60 / 45), 1_170)
    const everyMs = (many / wallets) * 60_000
    const venueLoad: VenueLoad = {
      ...{ venue: null, push: null, weighed: false, turns: { everyMs, wishedMs: 60_000 } },
      spent: { markets: 30, wallets, asked: 0, atMost: 1_200, coversMs, ...over },
    }
    capacity.look(venueLoad, many)
  }
  return said
}

test('as many as the pace is enough for are nobody’s business', () => {
  expect(told([100, 800, 1_000, 1_100, 1_170, 1_200])).toEqual([])
})

test('more than that are told once, however many they become', () => {
  expect(told([1_000, 1_300, 1_400, 5_000, 1_300])).toEqual(['1170 of 1300'])
})

test('it is told anew when the pace was more than enough in between, not when it was just enough', () => {
  expect(told([1_300, 1_100, 1_300])).toHaveLength(1)
  expect(told([1_300, 400, 1_300])).toHaveLength(2)
})

test('nothing is told before a whole minute was counted', () => {
  expect(told([5_000], 59_000)).toEqual([])
})

test('nothing is told by a pace that a refusal has just lowered', () => {
  expect(told([5_000], 60_000, { isLowered: true })).toEqual([])
})

test('nothing is told while every wallet is read in time, however much one near danger takes', () => {
  const said: string[] = []
  const capacity = createCapacity((event) => said.push(event.is))
  const look = (everyMs: number | null) =>
    capacity.look(
      {
        ...{ venue: null, push: null, weighed: true, turns: { everyMs, wishedMs: 60_000 } },
        spent: { markets: 30, wallets: 20, asked: 0, atMost: 39, coversMs: 60_000 },
      },
      2,
    )
  look(null)
  look(45_000)
  expect(said).toEqual([])
  look(90_000)
  expect(said).toEqual(['capacity'])
})
