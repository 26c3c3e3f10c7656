import { existsSync, readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../../src/venue/amount.ts'
import { planFor } from '../../../../src/venues/sim/play/plan.ts'
import { bell, createDraws } from '../../../../src/venues/sim/play/random.ts'
import { parseReplay } from '../../../../src/venues/sim/play/replay.ts'
import { createWorld } from '../../../../src/venues/sim/play/world.ts'

/** They may not be copied into the project. */
const RECORDINGS = new URL('../../../../../shared/reference/recordings/', import.meta.url).pathname
const MINUTES = `${RECORDINGS}btcusd_1m_2025-02-03_crash.csv`
const EIGHT_HOURS = `${RECORDINGS}binance_perp_8h_btc_eth_2023-01_2024-07.csv`

/** Fifty days of them. */
const BARS = 150

/** Bars of a price that goes by chance, so far in each. */
function chance({ seconds, bars, deviation }: { seconds: number; bars: number; deviation: number }): string {
  const draws = createDraws(17)
  let price = 100_000
  const rows = Array.from({ length: bars }, (_, bar) => {
    price *= Math.exp(deviation * bell(draws))
    return `${1_735_689_600 + bar * seconds},${price}`
  })
  return ['time,close', ...rows].join('\n')
}

interface Following {
  symbol: string
  correlation: number
  /** By how much it moves for what is replayed moves. */
  beta: number
}

/** How the other markets go with a recording, bar by bar; with `TABLE=1` the tests print it. */
function following(text: string, options: { symbol?: string; seconds: number; step: number }): Following[] {
  const replay = parseReplay(text, options.symbol)
  const world = createWorld(planFor({ replay }), { seed: 1, stepSeconds: options.step, startSeconds: 1e9 })
  const bars = Math.floor(((replay.times.at(-1) ?? 0) - (replay.times[0] ?? 0)) / options.seconds)
  const logs = Array.from({ length: bars }, (_, bar) => {
    while (world.moveTo((bar + 1) * options.seconds - 1, []) === 'liquidated');
    return world.lanes.map(({ market }) => Math.log(toNumber(market.indexPrice)))
  })
  const returnsOf = (at: number) => logs.slice(1).map((now, bar) => (now[at] ?? 0) - (logs[bar]?.[at] ?? 0))
  const leading = world.lanes.findIndex(({ spec }) => spec.symbol.toUpperCase() === replay.symbol)
  const lead = returnsOf(leading)
  return world.lanes.flatMap(({ spec }, at) => {
    if (at === leading) return []
    const own = returnsOf(at)
    const shared = sum(own.map((one, bar) => one * (lead[bar] ?? 0)))
    const [size, leadSize] = [sum(own.map((one) => one ** 2)), sum(lead.map((one) => one ** 2))]
    return [
      { symbol: spec.symbol, correlation: shared / Math.sqrt(size * leadSize), beta: shared / leadSize },
    ]
  })
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

function expectCoins(found: readonly Following[], beta: { least: number; most: number }) {
  if (process.env['TABLE'] !== undefined) console.table(found)
  expect(found).toHaveLength(9)
  for (const one of found) {
    expect(one.correlation).toBeGreaterThan(0.7)
    expect(one.correlation).toBeLessThan(0.92)
    expect(one.beta).toBeGreaterThan(beta.least)
    expect(one.beta).toBeLessThan(beta.most)
  }
}

describe('what follows a recording', () => {
  test.each([
    ['minutes', { seconds: 60, bars: 600, deviation: 0.001 }, 20],
    ['hours', { seconds: 3_600, bars: 600, deviation: 0.006 }, 1_200],
  ])('of %s goes with it as coins do: mostly, not quite, and the small ones further', (_, bars, step) => {
    const found = following(chance(bars), { seconds: bars.seconds, step })
    expectCoins(found, { least: 0.8, most: 1.25 })
    const betaOf = (symbol: string) => found.find((one) => one.symbol === symbol)?.beta ?? 0
    expect(betaOf('DOGE')).toBeGreaterThan(betaOf('ETH'))
  })

  test('that falls to nearly nothing in a minute has a price all the same, days later', () => {
    const text = 'time,close\n0,100000\n60,0.001\n1000000,0.001'
    const replay = parseReplay(text, undefined)
    const world = createWorld(planFor({ replay }), { seed: 1, stepSeconds: 3_600, startSeconds: 1e9 })
    while (world.moveTo(1_000_000, []) === 'liquidated');
    for (const { market } of world.lanes) expect(market.indexPrice).toBeGreaterThan(0n)
  })

  test.runIf(existsSync(MINUTES))('of a crash of BTC in minutes goes with it', () => {
    const found = following(readFileSync(MINUTES, 'utf8'), { seconds: 60, step: 4 })
    expectCoins(found, { least: 0.8, most: 1.35 })
  })

  test.runIf(existsSync(EIGHT_HOURS)).each([
    ['BTC', { least: 0.75, most: 1.3 }],
    ['ETH', { least: 0.55, most: 1.1 }],
  ])('of fifty days of %s in bars of eight hours goes with it', (symbol, beta) => {
    const [header, ...rows] = readFileSync(EIGHT_HOURS, 'utf8').trim().split('\n')
    const last = rows.filter((row) => row.includes(symbol)).slice(-BARS)
    const text = [header, ...last].join('\n')
    expectCoins(following(text, { symbol, seconds: 28_800, step: 960 }), beta)
  })
})
