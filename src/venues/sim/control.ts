import { z } from 'zod'
import { distance } from '../../position.ts'
import { parseJson, refusal } from './answers.ts'
import type { Asked, HttpAnswer } from './answers.ts'
import { faultSchema } from './faults.ts'
import type { Faults } from './faults.ts'
import { shownPrice } from './wire.ts'
import { marketSeconds, shift } from './world.ts'
import type { MarketState } from './holding.ts'
import type { World } from './world.ts'

const WHICH = 'Give either price or shockPercent'

const priceSchema = z
  .strictObject(
    {
      symbol: z.string('symbol names the market, such as "ETH"'),
      price: z.number('price is a number').positive('price is above 0').optional(),
      shockPercent: z.number('shockPercent is a number').gt(-100, 'shockPercent is above -100').optional(),
    },
    'The body is a JSON object with symbol and either price or shockPercent (and nothing else)',
  )
  .refine((body) => (body.price === undefined) !== (body.shockPercent === undefined), WHICH)

interface Controlled {
  world: World
  faults: Faults
  speed: number
  unix: (seconds: number) => number
  /** Lets go of the requests that hang. */
  release: () => void
}

/** The control door of the simulated venue, open only with SIM_CONTROL=1. */
export function control(sim: Controlled, { method, path, body }: Asked): HttpAnswer {
  const door = `${method} ${path}`
  if (door === 'GET /_sim/state') return { status: 200, body: state(sim) }
  if (door === 'DELETE /_sim/fault') {
    sim.faults.clear()
    sim.release()
    return { status: 200, body: { faults: [] } }
  }
  if (door === 'POST /_sim/fault') {
    const parsed = faultSchema.safeParse(parseJson(body))
    if (!parsed.success) return refusal(400, sentence(parsed.error))
    sim.faults.add(parsed.data)
    return { status: 200, body: { faults: sim.faults.list() } }
  }
  if (door === 'POST /_sim/price') return setPrice(sim, body)
  return refusal(404, 'The control door has POST /_sim/price, POST and DELETE /_sim/fault, GET /_sim/state')
}

function setPrice({ world }: Controlled, body: string): HttpAnswer {
  const parsed = priceSchema.safeParse(parseJson(body))
  if (!parsed.success) return refusal(400, sentence(parsed.error))
  const { symbol, price, shockPercent = 0 } = parsed.data
  const market = world.markets.find(({ spec }) => spec.symbol.toLowerCase() === symbol.toLowerCase())
  if (!market) {
    const known = world.markets.map(({ spec }) => spec.symbol).join(', ')
    return refusal(400, `There is no market ${symbol}; there are ${known}`)
  }
  const before = market.price
  const openBefore = world.holdings.filter(({ open }) => open)
  shift(world, market, price === undefined ? 1 + shockPercent / 100 : price / before)
  const liquidated = openBefore
    .filter(({ open }) => !open)
    .map(({ spec }) => ({ owner: spec.owner, symbol: spec.symbol }))
  const shown = { symbol: market.spec.symbol, before: shownPrice(before), price: shownPrice(market.price) }
  return { status: 200, body: { ...shown, liquidated } }
}

function state({ world, faults, speed, unix }: Controlled) {
  const seconds = marketSeconds(world)
  const { replay } = world
  const length = replay ? (replay.times.at(-1) ?? 0) - (replay.times[0] ?? 0) : 0
  return {
    marketTime: new Date(unix(seconds) * 1000).toISOString(),
    marketSeconds: seconds,
    speed,
    seed: world.seed,
    replay: replay && {
      symbol: replay.symbol,
      progress: Math.min(1, seconds / length),
      ended: seconds >= length,
    },
    markets: world.markets.map((market) => marketState(market)),
    positions: world.holdings.map(({ spec, market, open, liquidations, reopensAt }) => ({
      owner: spec.owner,
      accountId: spec.accountId,
      symbol: spec.symbol,
      size: spec.size,
      open: open !== null,
      price: shownPrice(market.price),
      entryPrice: open?.entryPrice ?? null,
      liquidationPrice: open?.liquidationPrice ?? null,
      distancePercent: open?.liquidationPrice
        ? 100 * distance(spec.size > 0 ? 'long' : 'short', market.price, open.liquidationPrice)
        : null,
      liquidations,
      reopensInMarketSeconds: open || reopensAt === Infinity ? null : Math.max(0, reopensAt - seconds),
    })),
    faults: faults.list(),
  }
}

function marketState({ spec, price, factor, funding }: MarketState) {
  const { id: marketId, symbol } = spec
  return { marketId, symbol, price: shownPrice(price), factor, fundingRatePerDay: funding.ratePerDay }
}

/** Every mistake of a body, a sentence each. */
function sentence(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.message}.`).join(' ')
}
