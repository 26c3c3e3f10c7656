import { monitorEventLoopDelay } from 'node:perf_hooks'

import { createDrawing } from '../src/drawing/drawing.ts'
import type { DrawingOrder } from '../src/message/picture.ts'
import { keepHeapSmall } from '../src/ops/node-setup.js'
import { systemClock } from '../src/runtime/clock.ts'
import { at, residentMb } from './support/figures.ts'
import { row } from './support/rows.ts'

// What a picture costs, and whether the memory stays flat: `node --expose-gc bench/pictures.ts [pictures]`. Each picture
// differs from all others, so none comes from the cache.

const COUNT = Number(process.argv[2] ?? 2_000)
/** Two prices a pixel column of the line, as a busy day has. */
const PRICES = 1_500
const SPAN_MS = 24 * 60 * 60_000
const UNTIL = Date.UTC(2026, 0, 15, 12)
const WARM_UP = 300
const MOST_MB = 160
const MOST_GROWTH_MB = 20

const drawing = createDrawing({
  clock: systemClock(),
  emit: (event) => process.stderr.write(`${JSON.stringify(event)}\n`),
})
// As the program does; and the orders themselves are no part of the memory for pictures.
keepHeapSmall()
for (let number = 0; number < WARM_UP; number += 1) JSON.stringify(orderOf(number))
globalThis.gc?.()
const before = residentMb()
const loop = monitorEventLoopDelay({ resolution: 1 })
loop.enable()
const times: number[] = []
const sizes: number[] = []
const residents: number[] = []
for (let number = 0; number < COUNT; number += 1) {
  const began = performance.now()
  const png = await drawing.draw(orderOf(number))
  if (png === null) throw new Error(`picture ${number} was not drawn`)
  times.push(performance.now() - began)
  sizes.push(png.length / 1_000)
  residents.push(residentMb() - before)
}
loop.disable()
await drawing.stop()

const half = Math.floor(COUNT / 2)
const [first, second] = [residents.slice(Math.floor(half / 2), half), residents.slice(half)]
const typical = at(times, 0.5)
row('a picture, median', typical, 'ms', null, `p95 ${at(times, 0.95).toFixed(0)} ms`)
row('size of a picture, median', at(sizes, 0.5), 'kB')
row(`memory added by ${COUNT.toLocaleString('en')} pictures, most`, Math.max(...residents), 'MB', {
  atMost: MOST_MB,
})
row('growth of it in their second half, median', at(second, 0.5) - at(first, 0.5), 'MB', {
  atMost: MOST_GROWTH_MB,
})
row('delay of the event loop meanwhile, p99', loop.percentile(99) / 1e6, 'ms')

function orderOf(number: number): DrawingOrder {
  // A walk that differs by its number, and is the same in each run.
  let seed = number + 1
  let price = 90_000
  const prices = Array.from({ length: PRICES }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    price *= 1 + (seed / 2_147_483_647 - 0.5) / 500
    return price
  })
  const liquidation = price * 0.96
  return {
    picture: {
      is: 'position',
      ...{ market: 'BTC', symbol: 'BTC', wallet: 'main', side: 'long', size: 1.5, words: '' },
      ...{ since: UNTIL - SPAN_MS, until: UNTIL, price, priceName: 'mark', value: price * 1.5, liquidation },
      ...{ distance: 0.04, entry: 97_670, pnl: -4_496 - number, fundingPerDay: 72.03 },
      tiers: [
        { at: 0.1, severity: 'warning' },
        { at: 0.05, severity: 'critical' },
      ],
      marks: [],
    },
    course: { times: prices.map((_, at) => UNTIL - SPAN_MS + (at * SPAN_MS) / PRICES), prices, gaps: [] },
    reader: { zone: 'UTC', language: 'en', numbers: '1,234.5', theme: number % 2 === 0 ? 'dark' : 'light' },
    simulated: true,
    format: 'card',
  }
}
