import { expect, test } from 'vitest'

import { play } from '../../../../src/venues/sim/play.ts'
import { keepMoving } from '../../../../src/venues/sim/play/market-time.ts'
import { handClock, NOON } from '../../../support/clock.ts'

const USUAL = {
  ...{ replayFile: undefined, replaySymbol: undefined, snapshotFile: undefined, scenario: undefined },
  ...{ speed: 600, seed: 1, walletCount: 0, traders: 0, perSecond: null, port: 0, control: false },
}

test('time that nobody asks for goes by in small parts, and no more of it once the venue is closed', async () => {
  const clock = handClock()
  const startMono = clock.monotonic()
  const moves: number[] = []
  const end = keepMoving({ moveOn: (elapsedMs) => void moves.push(elapsedMs) }, clock, startMono)
  await clock.advance(1_000)
  expect(moves).toEqual(Array.from({ length: 10 }, (_, index) => 100 * (index + 1)))
  end()
  await clock.advance(1_000)
  expect(moves).toHaveLength(10)
  expect(clock.waiting()).toBe(0)
})

test.each([
  ['with many owners the venue moves on by itself', { walletCount: 20 }, 1],
  ['with wallets that trade, too', { traders: 20 }, 1],
  ['with its own few wallets nothing is done while nobody asks', {}, 0],
  ['where time stands still there is nothing to be done', { walletCount: 20, speed: 0 }, 0],
])('%s', async (_, some, waiting) => {
  const clock = handClock()
  const playing = await play({ ...USUAL, ...some }, clock, () => {})
  expect(clock.waiting()).toBe(waiting)
  await playing.close()
  expect(clock.waiting()).toBe(0)
})

test('time begins when everybody is there, however long that took: who opened a while before did so by the wall of then', async () => {
  const clock = handClock()
  const looks = [NOON, NOON + 7_000]
  const playing = await play(
    { ...USUAL, speed: 1 },
    { ...clock, now: () => looks.shift() ?? NOON + 7_000 },
    () => {},
  )
  const path = `/positions/v2?owner=${playing.wallets[0]}&ownershipType=SuperOwner`
  const { positions } = (await (await fetch(playing.url + path)).json()) as {
    positions: { entryTimestamp: number }[]
  }
  await playing.close()
  expect(positions[0]?.entryTimestamp).toBe(NOON / 1_000 + 7 - 60 - 40_000)
})
