import { describe, expect, test } from 'vitest'

import type { Position } from '../../../src/venue/position.ts'
import { ALICE, aMarket, aPosition, aRule, aWatch, exact } from '../../support/fixtures.ts'
import { type Running, startEngine } from '../../support/running.ts'

const venue = 'lighter'
const HELD_MS = 60_000
/** A warning, which waits for its hold time. */
const NEAR = '2200'
const there = (over: Partial<Position> = {}) =>
  aPosition({ accountId: 'lighter/28', marketId: 'lighter/1', ...over })
const here = (price = '2700') => aMarket({ price: exact(price) })
const far = (price = '2700') =>
  aMarket({ id: 'lighter/1', symbol: 'lighter:ETH', dex: venue, price: exact(price) })
const VENUES = [
  { name: 'hyperliquid', own: 'ETH', of: undefined, other: venue },
  { name: venue, own: 'lighter:ETH', of: venue, other: undefined },
] as const

async function started(holdMs = 0): Promise<Running> {
  const running = await startEngine(
    {
      rules: [aRule({ wallet: ALICE, holdMs, params: { tiers: [0.1, 0.05] } })],
      watches: [aWatch({ label: 'main' })],
    },
    { venues: ['hyperliquid', venue] },
  )
  await sees(running)
  await running.reads([aPosition()])
  await running.reads([there()], { venue })
  return running
}

/** A reading of one venue or of both, in which its price is near the liquidation of its position. */
async function sees(running: Running, near: readonly (string | undefined)[] = []): Promise<void> {
  await priced(running, undefined, near.includes(undefined))
  await priced(running, venue, near.includes(venue))
}

async function priced(running: Running, of: string | undefined, isNear: boolean): Promise<void> {
  const price = isNear ? NEAR : '2700'
  await running.pricesAt(of, of === undefined ? here(price) : far(price))
}

const reads = (running: Running, of: string | undefined) =>
  of === undefined ? running.reads([aPosition()]) : running.reads([there()], { venue })
const heard = (running: Running) => running.hears().map((title) => title.replace(/ \(A\d+\)$/, ''))

describe('a machine that stood still', () => {
  test('has lost neither venue, nor a position there, and says once that it saw nothing', async () => {
    const running = await started()
    running.clock.stop(300_000)
    for (let times = 0; times < 3; times++) await sees(running)
    await running.reads([aPosition()])
    await running.reads([there()], { venue })
    await sees(running)
    expect(heard(running)).toEqual(['1: I was stopped for 5 min and saw nothing'])
  })

  test.each(VENUES)('tells a danger at $name that arose meanwhile', async ({ own, of, other }) => {
    const running = await started()
    running.clock.stop(300_000)
    await sees(running, [of])
    await reads(running, other)
    await reads(running, of)
    expect(heard(running)).toEqual([
      '1: I was stopped for 5 min and saw nothing',
      expect.stringMatching(`^1: ${own} long: 9\\.1%`),
    ])
  })

  test('has last seen each venue when that one was last seen', async () => {
    const running = await started()
    for (let times = 0; times < 8; times++) await priced(running, undefined, false)
    const [before, first] = [lastSeen(running, venue), lastSeen(running, undefined)]
    running.clock.stop(300_000)
    await priced(running, undefined, false)
    expect(first - before).toBeGreaterThan(8_000)
    expect(holes(running).map(({ since }) => since)).toEqual([first, before])
  })
})

function lastSeen(running: Running, of: string | undefined): number {
  const { marketsAt, elsewhere } = running.engine.memory.markets
  return (of === undefined ? marketsAt : elsewhere.get(of)?.marketsAt)?.at ?? NaN
}

function holes({ engine: { memory } }: Running) {
  // The first hole is from before this run.
  const [, own] = memory.markets.holes
  const [others] = memory.markets.elsewhere.get(venue)?.holes ?? []
  return [own, others].flatMap((hole) => hole ?? [])
}

describe.each(VENUES)('a danger at $name that must hold for a minute', ({ own, of, other }) => {
  /** Half of the time is over, with prices of both. */
  async function held(): Promise<Running> {
    const running = await started(HELD_MS)
    for (let times = 0; times < 15; times++) await sees(running, [of])
    expect(heard(running)).toEqual([])
    return running
  }
  const rings = expect.stringMatching(`^1: ${own} long: 9\\.1%`)

  test.each([-3_600_000, 3_600_000])('is told on time by a clock that jumps by %d ms', async (byMs) => {
    const running = await held()
    running.clock.jump(byMs)
    for (let times = 0; times < 13; times++) await sees(running, [of])
    expect(heard(running)).toEqual([])
    for (let times = 0; times < 4; times++) await sees(running, [of])
    expect(heard(running)).toEqual([rings])
  })

  test('goes on after a restart, and counts no time without prices of its own venue', async () => {
    const running = await held()
    await running.restart(40_000)
    await running.reads([aPosition()])
    await running.reads([there()], { venue })
    for (let times = 0; times < 6; times++) await priced(running, other, false)
    await sees(running, [of])
    expect(heard(running)).toEqual([])
    await running.reads([aPosition()])
    await running.reads([there()], { venue })
    for (let times = 0; times < 10; times++) await sees(running, [of])
    expect(heard(running)).toEqual([])
    for (let times = 0; times < 7; times++) await sees(running, [of])
    expect(heard(running)).toEqual([rings])
  })
})
