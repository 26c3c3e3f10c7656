import { monitorEventLoopDelay } from 'node:perf_hooks'
import { deflateSync } from 'node:zlib'

import type { Rule } from '../src/alert/alert.ts'
import type { RecordingBlock } from '../src/alert/backtest.ts'
import { kinds } from '../src/alerts/index.ts'
import { createBacktester } from '../src/engine/backtest/backtest.ts'
import { createCourses } from '../src/engine/backtest/courses.ts'
import { createDays } from '../src/engine/backtest/day.ts'
import { record } from '../src/engine/memory/recording.ts'
import { type Drawers, emptyMemory } from '../src/engine/memory/memory.ts'
import { systemClock } from '../src/runtime/clock.ts'
import type { Position } from '../src/venue/position.ts'
import { aMarket, aRule, aWatch, exact } from '../test/support/fixtures.ts'
import { createDice } from '../test/support/seed.ts'
import { MARKETS, walletOf, positionsOf } from './support/crowd.ts'
import { at, costOf } from './support/figures.ts'
import { row } from './support/rows.ts'

// What the past takes: of an answer about a wallet, of a price, of the disk, and of whoever asks what a rule would have done.

const ANSWERS = 200
const ROUNDS = 40
const DAY_MS = 86_400_000
const DAYS = 8
const PERIOD_MS = 2_000
const READ_EVERY_MS = 60_000
const OWNER = walletOf(1)
const { next } = createDice(7)
let walk = 2_500

for (const positions of [1, 3, 10]) await measureAnswers(positions)
await measurePrices()
const week = await measureSizes()
await measureLookUps(week)
process.exit(0)

function fresh(): Drawers {
  return emptyMemory({
    last: { person: 0, chat: 0, rule: 0, alert: 0, row: 0, session: 0 },
    aliveAt: null,
    pricesAt: null,
    holes: [],
  })
}

async function measureAnswers(positions: number): Promise<void> {
  const memory = fresh()
  const crowd = {
    people: ANSWERS,
    positions,
    rules: 'one',
    sides: 'both',
    away: [{ share: 1, from: 0.2, to: 0.8 }],
  } as const
  const wallets = Array.from({ length: ANSWERS }, (_, index) => positionsOf(index + 1, crowd))
  const taken = async (moves: boolean) => {
    const readings = wallets.map((own, index) => answerOf(index + 1, moves ? own.map(drifted) : own))
    const { cpuMs } = await costOf(() => {
      for (const reading of readings) record(memory, { is: 'same', reading })
    })
    memory.recording.turn(Date.now())
    memory.recording.due()
    return (cpuMs * 1_000) / ANSWERS
  }
  for (const moves of [false, true]) {
    const all: number[] = []
    for (let round = 0; round < ROUNDS; round++) all.push(await taken(moves))
    const what = `recording an answer about ${positions} positions, ${moves ? 'all drifted' : 'nothing moved'}`
    row(what, at(all, 0.5), 'µs CPU', { atMost: 40 }, `best round ${at(all, 0).toFixed(1)} µs`)
  }
}

function answerOf(person: number, positions: Position[]) {
  const value = { positions, accounts: [], unusable: [], failedParts: [], totalCount: null }
  return {
    wallet: walletOf(person),
    value,
    orders: null,
    closeRecords: null,
    unsolicited: false,
    at: Date.now(),
    mono: 0,
  }
}

function drifted(position: Position): Position {
  const by = BigInt(Math.round(next() * 1e6)) * 10n ** 12n
  return { ...position, liquidationPrice: (position.liquidationPrice ?? 0n) + by }
}

async function measurePrices(): Promise<void> {
  const memory = fresh()
  const all: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const markets = Array.from({ length: MARKETS }, (_, index) =>
      aMarket({ id: String(index), price: exact(priceNext()) }),
    )
    const { cpuMs } = await costOf(() => {
      record(memory, {
        is: 'prices',
        markets,
        at: round * PERIOD_MS,
        mono: round * PERIOD_MS,
        staleMs: PERIOD_MS,
      })
    })
    all.push((cpuMs * 1_000) / MARKETS)
  }
  row('recording a price', at(all, 0.5), 'µs CPU', { atMost: 40 })
}

function priceNext(): string {
  walk *= 1 + 6e-4 * (next() - 0.5)
  return walk.toPrecision(5)
}

/** A week and a day of one market and of one wallet, as they lie on the disk. */
async function measureSizes(): Promise<{ memory: Drawers; blocks: RecordingBlock[]; now: number }> {
  const memory = fresh()
  const market = aMarket({ price: exact(priceNext()) })
  memory.markets.readings.set(market.id, { value: market, at: 0, mono: 0 })
  const blocks: RecordingBlock[] = []
  const begun = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAYS * DAY_MS
  const until = begun + DAYS * DAY_MS
  const { recording: past } = memory
  const position = {
    ...positionsOf(1, {
      people: 1,
      positions: 1,
      rules: 'one',
      sides: 'long',
      away: [{ share: 1, from: 0.2, to: 0.3 }],
    })[0],
    marketId: market.id,
  } as Position
  for (let now = begun; now < until; now += PERIOD_MS) {
    past.price(market.id, { at: now, price: Number(priceNext()), rate: 0.0005 }, true)
    if (now % READ_EVERY_MS === 0)
      record(memory, { is: 'same', reading: { ...answerOf(1, [drifted(position)]), at: now } })
    if (now % 10_000 !== 0) continue
    past.turn(now)
    for (const write of past.due()) {
      if (write.is !== 'past') continue
      blocks.push(...write.blocks)
      past.kept(write)
    }
  }
  const kb = (of: RecordingBlock['of']) =>
    blocks.filter((one) => one.of === of).reduce((sum, { data }) => sum + deflateSync(data).length, 0) /
    DAYS /
    1_000
  row('each price of a market, a day', kb('prices'), 'kB', { atMost: 100 }, 'five digits, every two seconds')
  row('bars of a market, a day', kb('bars'), 'kB', { atMost: 12 })
  row('a wallet of one position that drifts, a day', kb('wallet'), 'kB', { atMost: 40 }, 'read every minute')
  return { memory, blocks, now: until }
}

async function measureLookUps({
  memory,
  blocks,
  now,
}: Awaited<ReturnType<typeof measureSizes>>): Promise<void> {
  const recording = {
    blocks: async (of: RecordingBlock['of'], id: string, since: number) =>
      blocks.filter((one) => one.of === of && one.id === id && one.since >= since),
  }
  const real = systemClock()
  const clock = { ...real, now: () => now }
  memory.rules.watches.put(OWNER, 1, aWatch({ wallet: OWNER }))
  const past = createBacktester({ drawers: memory, recording, kinds, clock, marketPollMs: PERIOD_MS })
  const rules: [string, Rule][] = [
    [
      'a price',
      aRule({
        kind: 'price',
        params: { way: 'below', level: exact('2400') },
        identity: '',
        market: { id: '100', symbol: 'ETH' },
      }),
    ],
    ['a distance', aRule({ kind: 'liquidation-distance', params: { tiers: [0.2, 0.1] }, wallet: OWNER })],
    [
      'what funding costs (judged with each price)',
      aRule({ kind: 'funding-cost', params: { lines: [{ unit: 'usd', value: 10 }] }, wallet: OWNER }),
    ],
  ]
  for (const [what, rule] of rules) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const { cpuMs } = await costOf(() => past.backtest(rule))
    delay.disable()
    row(
      `looking up ${what}, eight days of prices every two seconds`,
      cpuMs,
      'ms CPU',
      null,
      `loop held ${(delay.max / 1e6).toFixed(0)} ms at the most`,
    )
  }
  memory.rules.rulesOf.put(1, 1, aRule({ market: { id: '100', symbol: 'ETH' } }))
  const courses = createCourses({ drawers: memory, recording, clock, marketPollMs: PERIOD_MS })
  for (const [what, since] of [
    ['eight days', 0],
    ['six hours', now - 6 * 3_600_000],
  ] as const) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const { cpuMs } = await costOf(() => courses.own(1, '100', since, 390))
    delay.disable()
    const held = `loop held ${(delay.max / 1e6).toFixed(0)} ms at the most`
    row(`the prices of ${what} for a chart of 390 columns`, cpuMs, 'ms CPU', null, held)
  }
  const days = createDays({
    ...{ drawers: memory, recording, clock, marketPollMs: PERIOD_MS },
    signal: new AbortController().signal,
  })
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const { cpuMs } = await costOf(() => days.read({ wallets: [OWNER], since: now - DAY_MS, until: now }))
  delay.disable()
  const held = `loop held ${(delay.max / 1e6).toFixed(0)} ms at the most`
  row('the day of one position for the picture of a digest', cpuMs, 'ms CPU', null, held)
}
