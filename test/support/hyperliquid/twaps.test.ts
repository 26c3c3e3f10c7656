import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { info, type Json, post } from './client.ts'
import { startHyperliquid } from './server.ts'

const USER = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const MINUTE_MS = 60_000

async function venueWithUser(usd = 100_000) {
  const clock = handClock()
  const venue = await startHyperliquid({ clock })
  const user = venue.account(USER, { usd })
  const history = (): Promise<Json> => info(venue, { type: 'twapHistory', user: USER })
  const statuses = async () => (await history()).map(({ status }: Json) => status.status)
  return { clock, venue, user, history, statuses, [Symbol.asyncDispose]: () => venue.stop() }
}

describe('a TWAP of the stand-in', () => {
  test('sends a slice every 30 seconds until all of it is bought, and the history shows its start and its end', async () => {
    await using at = await venueWithUser()
    at.user.twaps({ coin: 'ETH', side: 'buy', size: 2, minutes: 10 })
    await at.clock.advance(5 * MINUTE_MS)
    const slices: Json = await info(at.venue, { type: 'userTwapSliceFills', user: USER })
    expect(slices).toHaveLength(11)
    const [running]: Json = await at.history()
    // The venue rewrites the figures at a change of the status alone.
    expect(running).toMatchObject({
      status: { status: 'activated' },
      state: { coin: 'ETH', side: 'B', sz: '2.0', executedSz: '0.0', minutes: 10, stopPx: null },
    })
    await at.clock.advance(5 * MINUTE_MS)
    const [end]: Json = await at.history()
    expect(end).toMatchObject({ status: { status: 'finished' }, state: { executedSz: '2.0' } })
    expect(end.twapId).toBe(running.twapId)
    expect(end.time).toBe(Math.floor(at.clock.now() / 1_000))
    expect(await at.statuses()).toEqual(['finished', 'activated'])
  })

  test('its fills have a hash of zero, name the TWAP beside them, and are not among the other fills', async () => {
    await using at = await venueWithUser()
    const { id } = at.user.twaps({ coin: 'ETH', side: 'sell', size: 1, minutes: 5 })
    at.user.trades('BTC', 0.01)
    const slices: Json = await info(at.venue, {
      ...{ type: 'userTwapSliceFillsByTime', user: USER, startTime: 0 },
    })
    expect(slices).toMatchObject([
      { twapId: id, fill: { coin: 'ETH', side: 'A', twapId: null, hash: `0x${'0'.repeat(64)}` } },
    ])
    const fills: Json = await info(at.venue, { type: 'userFillsByTime', user: USER, startTime: 0 })
    expect(fills.map(({ coin }: Json) => coin)).toEqual(['BTC'])
  })

  test('is called off by its trader, with what it did so far', async () => {
    await using at = await venueWithUser()
    const twap = at.user.twaps({ coin: 'ETH', side: 'buy', size: 2, minutes: 10 })
    await at.clock.advance(2 * MINUTE_MS)
    at.user.terminates(twap)
    await at.clock.advance(2 * MINUTE_MS)
    const [end]: Json = await at.history()
    expect(end.status).toEqual({ status: 'terminated' })
    expect(Number(end.state.executedSz)).toBeCloseTo((2 * 5) / 21, 3)
    expect(() => at.user.terminates(twap)).toThrow('already canceled')
  })

  test('is stopped at its price, waits for its trigger, and fails without margin', async () => {
    await using at = await venueWithUser(2_000)
    const price = at.venue.market('ETH').mark
    at.user.twaps({
      ...{ coin: 'ETH', side: 'buy', size: 1, minutes: 10 },
      ...{ trigger: { price: price * 0.9, above: false }, stopAt: price * 1.1 },
    })
    await at.clock.advance(MINUTE_MS)
    expect(await at.statuses()).toEqual(['waitingForTrigger'])
    at.venue.moves({ ETH: price * 0.89 })
    await at.clock.advance(MINUTE_MS)
    at.venue.moves({ ETH: price * 1.11 })
    await at.clock.advance(MINUTE_MS)
    expect(await at.statuses()).toEqual(['stopped', 'activated', 'waitingForTrigger'])
    at.user.twaps({ coin: 'ETH', side: 'buy', size: 100, minutes: 5 })
    await at.clock.advance(5 * MINUTE_MS)
    const [failed]: Json = await at.history()
    expect(failed.status).toEqual({ status: 'error', description: 'Insufficient margin to place order.' })
  })

  test('catches up by slices of three times the size, and may end with less than all', async () => {
    await using at = await venueWithUser()
    const twap = at.user.twaps({ coin: 'ETH', side: 'buy', size: 2.1, minutes: 10 })
    twap.starves = true
    await at.clock.advance(8 * MINUTE_MS)
    twap.starves = false
    await at.clock.advance(2 * MINUTE_MS)
    const [end]: Json = await at.history()
    expect(end.status.status).toBe('finished')
    expect(Number(end.state.executedSz)).toBeCloseTo(0.1 + 4 * 0.3, 2)
  })

  test('is refused below 5 minutes and above a week', async () => {
    await using at = await venueWithUser()
    const twap = { coin: 'ETH', side: 'buy', size: 1 } as const
    expect(() => at.user.twaps({ ...twap, minutes: 4 })).toThrow('Invalid TWAP duration')
    expect(() => at.user.twaps({ ...twap, minutes: 10_081 })).toThrow('Invalid TWAP duration')
  })

  test('weighs 20, and one more for each twenty entries; nobody is an address that is none', async () => {
    await using at = await venueWithUser()
    for (let n = 0; n < 20; n++)
      at.user.terminates(at.user.twaps({ coin: 'ETH', side: 'buy', size: 1, minutes: 5 }))
    await at.history()
    expect(at.venue.asked.at(-1)?.weight).toBe(22)
    expect((await post(at.venue, { type: 'twapHistory', user: '0x1' })).status).toBe(422)
  })
})
