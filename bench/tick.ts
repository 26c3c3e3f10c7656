import type { PositionSubject } from '../src/alert/subject.ts'
import { createThresholdIndex } from '../src/engine/memory/monitors.ts'
import { at } from './support/figures.ts'
import { row } from './support/rows.ts'
import liquidationDistance from '../src/alerts/position/liquidation-distance.ts'

// What a market tick costs over many armed subjects: it must grow with what crossed, not with what is armed.

const TICKS = 200
const MARKETS = 50
/** A tick moves every price by about 5 basis points. */
const STEP = 0.0005

const kind = liquidationDistance
const params = liquidationDistance.armedByWatch

let state = 1
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

interface Armed {
  side: 1 | -1
  liquidation: number
}

for (const subjects of [10_000, 100_000, 1_000_000]) {
  const thresholdIndex = createThresholdIndex()
  const armed = new Map<number, Armed>()
  const prices = Array.from({ length: MARKETS }, () => 100)
  const judge = (key: number, market: number) => {
    const { side, liquidation } = armed.get(key) as Armed
    const verdict = kind.judge(params, subjectAt(side, liquidation, prices[market] ?? 0))
    if (verdict !== 'unknown') thresholdIndex.arm(key, String(market), verdict.stableWithin)
  }
  for (let index = 0; index < subjects; index++) {
    const side = random() < 0.5 ? 1 : -1
    const key = index
    armed.set(key, { side, liquidation: 100 * (1 - side * (0.01 + random() * 0.6)) })
    judge(key, index % MARKETS)
  }
  const times: number[] = []
  const quietTimes: number[] = []
  let crossings = 0
  for (let mono = 0; mono < TICKS; mono++) {
    for (let market = 0; market < MARKETS; market++)
      prices[market] = (prices[market] ?? 0) * (1 + (random() - 0.5) * 2 * STEP)
    const started = performance.now()
    const crossed = prices.map((price, market) =>
      thresholdIndex.crossed(String(market), { price, fundingRate: 0 }),
    )
    times.push(performance.now() - started)
    for (const [market, keys] of crossed.entries()) {
      crossings += keys.length
      for (const key of keys) judge(key, market)
    }
    const quiet = performance.now()
    for (const [market, price] of prices.entries())
      thresholdIndex.crossed(String(market), { price, fundingRate: 0 })
    quietTimes.push(performance.now() - quiet)
  }
  const what = `${subjects.toLocaleString('en')} armed: bounds looked up`
  const p99 = (all: number[]) => `p99 ${at(all, 0.99).toFixed(3)} ms`
  row(`${what}, nothing crossed`, at(quietTimes, 0.5) * 1_000, 'µs', null, p99(quietTimes))
  row(`${what}, ${(crossings / TICKS).toFixed(0)} crossed`, at(times, 0.5) * 1_000, 'µs', null, p99(times))
}

function subjectAt(side: 1 | -1, liquidation: number, price: number): PositionSubject {
  const fixed = (value: number) => BigInt(Math.round(value * 1e9)) * 10n ** 9n
  return {
    is: 'position',
    price,
    position: { size: fixed(side), liquidationPrice: fixed(liquidation) },
    market: { delisted: false },
  } as unknown as PositionSubject
}
