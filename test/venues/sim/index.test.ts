import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../src/venue/amount.ts'
import { distance } from '../../../src/venue/position.ts'
import { testVenue } from '../../contracts/venue.ts'
import {
  ASKING,
  csvFile,
  FALL,
  minuteBars,
  type SimUnderTest,
  startSim,
  SUGGESTED,
} from '../../support/sim.ts'

const owner = SUGGESTED

const ended = (sim: SimUnderTest) => sim.events.filter((event) => event.is === 'venue-ended').length

testVenue('the simulated venue', async () => {
  const { opened } = await startSim()
  const { positions } = await opened.venue.positions(owner, ASKING)
  const { accountId = '', marketId = '' } = positions[0] ?? {}
  return {
    venue: opened.venue,
    wallet: owner,
    stranger: '0x00000000000000000000000000000000000000AA',
    draft: { wallet: owner, accountId, marketId, sizeDelta: 10n ** 18n },
    held: marketId,
    close: () => opened.close(),
  }
})

describe('the simulated venue, read by the real client', () => {
  test('introduces itself with the command to try, and says that it is play', async () => {
    await using sim = await startSim()
    const { opened } = sim
    expect(opened).toMatchObject({ simulated: true, identity: 'sim chain 8008', endsBot: false })
    expect(opened.introduction).toHaveLength(3)
    expect(opened.introduction.at(-1)).toBe(`Try: /watch ${owner} demo`)
    expect(opened.introduction.join(' ')).toMatch(/play money.*no network.*600 times/)
  })

  test('gives markets, positions, orders and previews without anything unusable', async () => {
    await using sim = await startSim()
    const { venue } = sim.opened
    const markets = await venue.markets(ASKING, [])
    const positions = await venue.positions(owner, ASKING)
    const orders = await venue.orders(owner, [], ASKING)
    expect([markets.unusable, positions.unusable, orders.unusable]).toEqual([[], [], []])
    expect([markets.markets.length, positions.positions.length, orders.orders.length]).toEqual([10, 4, 3])
    const [first] = positions.positions
    if (!first) throw new Error('no position')
    const market = await venue.market(first.marketId, ASKING)
    expect(market.symbol).toBe('ETH')
    const draft = {
      wallet: first.wallet,
      accountId: first.accountId,
      marketId: market.id,
      sizeDelta: -first.size,
    }
    expect(await venue.preview(draft, ASKING)).toMatchObject({ liquidationPrice: 'none', feasible: true })
  })

  test('is the same on every start with the same seed, whoever asks how often', async () => {
    await using often = await startSim({ SIM_SEED: '5' })
    await using once = await startSim({ SIM_SEED: '5' })
    for (let turn = 0; turn < 30; turn++) {
      await often.clock.advance(1_000)
      await often.read('/markets')
    }
    await once.clock.advance(30_000)
    expect(await often.read('/markets')).toEqual(await once.read('/markets'))
    expect(await often.positions()).toEqual(await once.positions())
  })

  test('leaves nothing behind when it is closed', async () => {
    await using file = await csvFile(minuteBars(100, 101))
    const sim = await startSim({ SIM_REPLAY: file.path })
    await sim.opened.venue.markets(ASKING, [])
    await sim.opened.close()
    expect(sim.clock.waiting()).toBe(0)
    await expect(fetch(`${sim.url}/markets`)).rejects.toThrow('fetch failed')
  })
})

describe('a replay', () => {
  test('liquidates the first long when the price has fallen by 5.8%, and leaves it so', async () => {
    await using file = await csvFile(minuteBars(100_000, 94_201, 94_199, 100_000, 100_000))
    await using sim = await startSim({ SIM_REPLAY: file.path })
    const [long] = await sim.positions()
    expect(long).toMatchObject({ marketId: '200', size: '1500000000000000000' })
    // The funding of a minute is in it.
    expect(Number(long.liquidationPrice) / 1e18).toBeCloseTo(94_200, 0)
    expect(long.avgEntryPrice).toBe(`${100_000n * 10n ** 18n}`)
    await sim.clock.advance(1_000)
    expect((await sim.market('BTC')).price).toBe(94_201)
    expect(await sim.positions()).toHaveLength(2)
    await sim.clock.advance(1_000)
    expect(await sim.positions()).toHaveLength(1)
    await sim.clock.advance(600_000)
    expect(await sim.positions()).toHaveLength(1)
    expect((await sim.market('BTC')).price).toBe(100_000)
  })

  test('shows each close only from its time on', async () => {
    await using file = await csvFile(minuteBars(100, 101, 102))
    await using sim = await startSim({ SIM_REPLAY: file.path, SIM_SPEED: '6' })
    const seen: number[] = []
    for (const wait of [0, 9_999, 1, 9_000, 1_000]) {
      await sim.clock.advance(wait)
      seen.push((await sim.market('BTC')).price)
    }
    expect(seen).toEqual([100, 100, 101, 101, 102])
  })

  test('stands still for five seconds at the price that liquidates, and loses nothing of what comes then', async () => {
    await using file = await csvFile(minuteBars(100_000, 94_000, 99_000, 98_000))
    await using sim = await startSim({ SIM_REPLAY: file.path, SIM_SPEED: '600' })
    const seen: number[] = []
    for (const wait of [0, 100, 4_999, 101, 99, 1]) {
      await sim.clock.advance(wait)
      seen.push((await sim.market('BTC')).price)
    }
    expect(seen).toEqual([100_000, 94_000, 94_000, 99_000, 99_000, 98_000])
    expect(ended(sim)).toBe(1)
  })

  test('says once that it is over, though nobody asks, and keeps its last price', async () => {
    await using file = await csvFile(minuteBars(100, 101, 102))
    await using sim = await startSim({ SIM_REPLAY: file.path, SIM_ONCE: '1', SIM_CONTROL: '1' })
    expect(sim.opened.endsBot).toBe(true)
    await sim.clock.advance(1_999)
    expect(ended(sim)).toBe(0)
    await sim.clock.advance(1)
    expect(ended(sim)).toBe(1)
    expect((await sim.market('BTC')).price).toBe(102)
    await sim.clock.advance(3_600_000)
    expect(ended(sim)).toBe(1)
    expect((await sim.market('BTC')).price).toBe(102)
    expect((await sim.read('/_sim/state')).replay).toEqual({ symbol: 'BTC', progress: 1, ended: true })
  })

  test('of a coin that the venue does not list brings its own market', async () => {
    await using file = await csvFile(['time,close,symbol', '1,20,HYPEUSDT', '2,21,HYPEUSDT'])
    await using sim = await startSim({ SIM_REPLAY: file.path })
    expect(await sim.market('HYPE')).toMatchObject({ price: 20 })
    expect((await sim.positions())[0]).toMatchObject({ size: `${7_500n * 10n ** 18n}` })
    expect(sim.opened.introduction[1]).toMatch(/^It replays prices.csv \(2 prices of HYPE from 1970-01-01/)
  })

  test('keeps every other position of the wallet far from danger', async () => {
    await using file = await csvFile(['time,close', '1735689600,100', '1736294400,101'])
    await using sim = await startSim({ SIM_REPLAY: file.path, SIM_SPEED: '3600', SIM_CONTROL: '1' })
    for (let hour = 0; hour < 168; hour += 6) {
      await sim.clock.advance(6_000)
      const { positions } = await sim.read('/_sim/state')
      expect(positions[1]).toMatchObject({ owner, symbol: 'ETH' })
      expect(positions[1].distancePercent).toBeGreaterThan(30)
    }
  })

  test('of a fall leads from 10 to 5 to 2.5% and to liquidation', async () => {
    await using sim = await startSim({ SIM_REPLAY: FALL })
    const { venue } = sim.opened
    const passed: string[] = []
    for (let minute = 0; minute <= 20 && passed.at(-1) !== 'gone'; minute++) {
      const { markets } = await venue.markets(ASKING, [])
      const { positions } = await venue.positions(owner, ASKING)
      const long = positions.find((position) => position.size > 0n)
      const market = markets.find(({ id }) => id === long?.marketId)
      const away = distance('long', toNumber(market?.price ?? 1n), toNumber(long?.liquidationPrice ?? 1n))
      const tier = [0.025, 0.05, 0.1].find((tier) => away <= tier)
      const word = long ? `within ${100 * (tier ?? 1)}%` : 'gone'
      if (!passed.includes(word)) passed.push(word)
      await sim.clock.advance(1_000)
    }
    expect(passed).toEqual(['within 10%', 'within 5%', 'within 2.5%', 'gone'])
  })
})
