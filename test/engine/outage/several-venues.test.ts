import { describe, expect, test } from 'vitest'

import type { Position } from '../../../src/venue/position.ts'
import { ALICE, aMarket, aPosition, aRule, aWatch, BOB, exact } from '../../support/fixtures.ts'
import { type Running, startEngine } from '../../support/running.ts'

const venue = 'lighter'
const rules = [aRule({ wallet: ALICE })]
const watches = [aWatch({ label: 'main' })]
const eth = aPosition()
const there = (over: Partial<Position> = {}) =>
  aPosition({ accountId: 'lighter/28', marketId: 'lighter/1', ...over })
const here = () => aMarket({ price: exact('2700') })
const far = (price = '2700') =>
  aMarket({ id: 'lighter/1', symbol: 'lighter:ETH', dex: venue, price: exact(price) })

/** Both venues are seen, with a position at each. */
async function started(over: Parameters<typeof startEngine>[0] = {}): Promise<Running> {
  const running = await startEngine({ rules, watches, ...over }, { venues: ['hyperliquid', venue] })
  await running.prices(here())
  await running.pricesAt(venue, far())
  await running.reads([eth])
  await running.reads([there()], { venue })
  running.hears()
  return running
}

/** For so many seconds, this is seen each second. */
async function passes(running: Running, seconds: number, seen: () => Promise<void>): Promise<void> {
  for (let second = 0; second < seconds; second++) await seen()
  await running.clock.advance(0)
}

describe('prices of one venue are out', () => {
  test('that is one message about that venue, and the other goes on as before', async () => {
    const running = await started()
    await passes(running, 14, () => running.prices(here()))
    expect(running.hears()).toEqual(['1: I can’t see lighter'])
    await running.prices(aMarket({ price: exact('2050') }))
    expect(running.hears()).toEqual([expect.stringMatching(/^1: ETH long: 2\.4/)])
    await running.pricesAt(venue, far())
    expect(running.hears()).toEqual(['1: I can see lighter again'])
  })

  test('the first is named as well', async () => {
    const running = await started()
    await passes(running, 14, () => running.pricesAt(venue, far()))
    expect(running.hears()).toEqual(['1: I can’t see hyperliquid'])
    await running.pricesAt(venue, far('2050'))
    expect(running.hears()).toEqual([expect.stringMatching(/^1: lighter:ETH long: 2\.4/)])
  })

  test('wallets of that venue hide behind it, and those of the other do not', async () => {
    const running = await started()
    const fails = async () => {
      running.engine.failed({ is: 'wallet', wallet: ALICE, venue }, 'busy')
      running.engine.failed({ is: 'markets', venue }, 'busy')
      await running.prices(here())
    }
    await passes(running, 300, fails)
    expect(running.hears()).toEqual(['1: I can’t see lighter'])
    expect(running.engine.memory.sources.blind.get(`markets/${venue}`)?.why).toBe('busy')
  })
})

describe('a wallet cannot be read at one venue', () => {
  const both = async (running: Running) => {
    await running.prices(here())
    await running.pricesAt(venue, far())
  }

  test('that is told as that one’s, and its positions are the blind ones', async () => {
    const running = await started()
    await passes(running, 125, async () => {
      running.engine.failed({ is: 'wallet', wallet: ALICE, venue }, 'busy')
      await both(running)
      await running.reads([eth])
    })
    expect(running.hears()).toEqual(['1: I can’t see wallet main on lighter'])
    await running.pricesAt(venue, far('2050'))
    expect(running.hears()).toEqual([expect.stringMatching(/^1: lighter:ETH long: 2\.4/)])
    await running.reads([there()], { venue })
    expect(running.hears()).toEqual([expect.stringMatching(/^1: I can see wallet main on lighter again$/)])
  })

  test('it is not blind where it was never seen, nor where it is unknown', async () => {
    const running = await startEngine(
      { rules, watches: [...watches, aWatch({ wallet: BOB, label: 'other' })] },
      { venues: ['hyperliquid', venue] },
    )
    await running.prices(here())
    await running.pricesAt(venue, far())
    await running.reads([eth])
    await running.reads([], { venue, isUnknown: true })
    await passes(running, 125, async () => {
      running.engine.failed({ is: 'wallet', wallet: ALICE, venue }, 'busy')
      running.engine.failed({ is: 'wallet', wallet: BOB, venue }, 'busy')
      await both(running)
      await running.reads([eth])
    })
    expect(running.hears()).toEqual([])
  })

  test('it is blind where an earlier run has seen a position of it', async () => {
    const running = await started()
    await running.restart(1_000)
    await running.prices(here())
    await running.pricesAt(venue, far())
    await passes(running, 125, async () => {
      running.engine.failed({ is: 'wallet', wallet: ALICE, venue }, 'busy')
      await both(running)
      await running.reads([eth])
    })
    expect(running.hears()).toEqual(['1: I can’t see wallet main on lighter'])
  })
})

test('a database of one venue goes on with two: nothing is told twice, and nothing is lost', async () => {
  const opened = aRule({ id: 9, kind: 'position-opened', params: {} })
  const running = await startEngine({ rules: [...rules, opened], watches })
  await running.prices(here())
  await running.reads([eth])
  await running.prices(aMarket({ price: exact('2050') }))
  expect(running.hears()).toEqual([expect.stringMatching(/^1: ETH long: 2\.4/)])
  await running.restart(1_000, 0, ['hyperliquid', venue])
  await running.prices(aMarket({ price: exact('2050') }))
  await running.pricesAt(venue, far())
  await running.reads([eth])
  await running.reads([there()], { venue })
  expect(running.hears()).toEqual([])
  expect([...running.engine.memory.monitors.states]).toHaveLength(1)
  await running.restart(60_000, 0, ['hyperliquid', venue])
  await running.pricesAt(venue, far())
  await running.reads([there({ marketId: 'lighter/2' }), there()], { venue })
  expect(running.hears()).toEqual([expect.stringMatching(/opened/)])
})
