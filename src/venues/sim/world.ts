import type { HoldingSpec, MarketSpec } from './catalogue.ts'
import { startFunding, stepFunding } from './funding.ts'
import type { Holding, MarketState, OpenHolding } from './holding.ts'
import { equityUsd, liquidationPrice, maintenanceUsd, marginFor } from './isolated.ts'
import { swingAt, walk } from './path.ts'
import type { Plan } from './plan.ts'
import { bell, createDraws, hashed } from './random.ts'
import type { Draws } from './random.ts'
import { priceAt } from './replay.ts'
import type { Replay } from './replay.ts'
import { createTraders, trade } from './traders.ts'
import type { Traders } from './traders.ts'
import { forgetOld, othersTrade, startTrading, walletTrades } from './trading.ts'

/**
 * Everything the simulated venue is at one market time. It moves only in whole steps, so that the same seed gives
 * the same world however often somebody looks.
 */
export interface World {
  readonly seed: number
  readonly stepSeconds: number
  readonly replay: Replay | null
  steps: number
  markets: MarketState[]
  holdings: Holding[]
  /** Of each owner, in its checksummed form. */
  holdingsOf: Map<string, Holding[]>
  /** Those who trade by themselves. */
  traders: Traders
  draws: Draws
}

const NOISE = 0.004
const NOISE_RETURNS_IN_HOURS = 3
const CALM_NOISE = 0.0015
const REOPENS_AFTER_HOURS = 10
const REOPENS_WITHIN_HOURS = 20
/** A position is opened again once its liquidation would be at least this far away. */
const REOPEN_DISTANCE = 0.08
const OPENED_BEFORE_START_SECONDS = 40_000

export function createWorld(plan: Plan, seed: number, stepSeconds: number): World {
  const markets = plan.markets.map((spec, key) => createMarket(plan.replay, spec, seed, key))
  const holdings = plan.holdings.map((spec, key): Holding => {
    const market = markets.find((market) => market.spec.symbol === spec.symbol)
    if (!market) throw new Error(`no market ${spec.symbol}`)
    const entryPrice = Number((market.spec.basePrice * spec.enteredAt).toPrecision(10))
    const open = enter(spec, market, entryPrice, -OPENED_BEFORE_START_SECONDS * (1 + key))
    return { key, spec, market, open, liquidations: 0, reopensAt: Infinity }
  })
  const traders = createTraders(plan.traders, markets, seed, holdings.length)
  const all = [...holdings, ...traders.holdings]
  const { replay } = plan
  return {
    ...{ seed, stepSeconds, replay, steps: 0, markets, holdings: all, traders, draws: createDraws(seed) },
    holdingsOf: Map.groupBy(all, ({ spec }) => spec.owner),
  }
}

function createMarket(replay: Replay | null, spec: MarketSpec, seed: number, key: number): MarketState {
  const market: MarketState = {
    key,
    spec,
    replay: replay?.symbol === spec.symbol.toUpperCase() ? replay : null,
    price: 0,
    low: 0,
    high: 0,
    factor: 1,
    noise: 0,
    funding: startFunding(spec.funding),
    trading: startTrading(spec),
  }
  market.price = pathPrice(market, seed, 0)
  return market
}

/** Moves the world on to the last whole step at or before a market time, or to the first that liquidates somebody. */
export function moveTo(world: World, seconds: number): 'there' | 'liquidated' {
  const target = Math.floor(seconds / world.stepSeconds)
  while (world.steps < target) if (step(world)) return 'liquidated'
  return 'there'
}

export function marketSeconds(world: World): number {
  return world.steps * world.stepSeconds
}

/** Shifts a market's whole path from now on by a factor; what that liquidates is liquidated at once. */
export function shift(world: World, market: MarketState, factor: number): void {
  market.factor *= factor
  market.price *= factor
  market.low = market.high = market.price
  for (const holding of world.holdings) if (holding.market === market) liquidate(world, holding)
}

/** The price of some market time before now, without its noise. */
export function priceAgo(world: World, market: MarketState, secondsAgo: number): number {
  const calm = { ...market, noise: 0, factor: 1 }
  return pathPrice(calm, world.seed, marketSeconds(world) - secondsAgo)
}

/** Whether a price of this step liquidated somebody. */
function step(world: World): boolean {
  world.steps += 1
  const hours = world.stepSeconds / 3600
  const seconds = marketSeconds(world)
  for (const market of world.markets) {
    const deviation = world.replay || market.spec.swing.squeezes === 'nobody' ? CALM_NOISE : NOISE
    market.noise = walk(market.noise, deviation, NOISE_RETURNS_IN_HOURS, hours, bell(world.draws))
    stepMarket(world, market, bell(world.draws))
    market.price = market.low = market.high = pathPrice(market, world.seed, seconds)
    if (market.replay) reach(market, market.replay, seconds - world.stepSeconds, seconds)
  }
  trade(world.traders, seconds)
  let liquidated = false
  for (const holding of world.holdings) {
    if (liquidate(world, holding)) liquidated = true
    payFunding(holding, world.stepSeconds)
    if (!holding.open && seconds >= holding.reopensAt) reopen(holding, seconds)
  }
  return liquidated
}

function stepMarket({ seed, steps, stepSeconds }: World, market: MarketState, draw: number): void {
  const { key, spec, funding, trading } = market
  const seconds = steps * stepSeconds
  forgetOld(trading, seconds)
  const traded = othersTrade(spec, trading, seed, { key, step: steps - 1, stepSeconds })
  const played = Number(trading.longs - trading.shorts) / 1e18 / spec.skewScale
  stepFunding(spec.funding, funding, { seconds, stepSeconds, draw, traded, played })
}

function pathPrice({ key, replay, spec, factor, noise }: MarketState, seed: number, seconds: number): number {
  if (replay) return (replay.prices[priceAt(replay, (replay.times[0] ?? 0) + seconds)] ?? 0) * factor
  return spec.basePrice * Math.exp(swingAt(spec.swing, seed, key, seconds) + noise) * factor
}

/** Widens low and high by the recorded prices of a step. */
function reach(market: MarketState, replay: Replay, fromSeconds: number, toSeconds: number): void {
  const start = replay.times[0] ?? 0
  const last = priceAt(replay, start + toSeconds)
  for (let at = priceAt(replay, start + fromSeconds) + 1; at <= last; at++) {
    const price = (replay.prices[at] ?? 0) * market.factor
    market.low = Math.min(market.low, price)
    market.high = Math.max(market.high, price)
  }
}

function liquidate(world: World, holding: Holding): boolean {
  const { open, market } = holding
  if (!open || !crossed(open, market)) return false
  // A step may hold a wick and its end: what is shown is the price that did it.
  market.price = open.size > 0 ? market.low : market.high
  walletTrades(market.trading, open.size, 0, { seconds: marketSeconds(world), price: market.price })
  holding.open = null
  holding.liquidations += 1
  const wait = hashed(world.seed, holding.key, holding.liquidations)
  const hours = REOPENS_AFTER_HOURS + REOPENS_WITHIN_HOURS * wait
  holding.reopensAt = holding.spec.reopens ? marketSeconds(world) + hours * 3600 : Infinity
  return true
}

function crossed(open: OpenHolding, { low, high }: MarketState): boolean {
  if (open.liquidationPrice === null) return false
  return open.size > 0 ? low <= open.liquidationPrice : high >= open.liquidationPrice
}

function payFunding({ open, market }: Holding, stepSeconds: number): void {
  if (open) open.fundingUsd -= (open.size * market.price * market.funding.ratePerDay * stepSeconds) / 86_400
}

/** At the price of now, with liquidation at its old place on the path, so that the next swing finds it there. */
function reopen(holding: Holding, seconds: number): void {
  const entryPrice = Number(holding.market.price.toPrecision(10))
  const open = enter(holding.spec, holding.market, entryPrice, seconds)
  const away = Math.abs(entryPrice - (open.liquidationPrice ?? 0)) / entryPrice
  const solvent = equityUsd(open, entryPrice) > maintenanceUsd(open.size, entryPrice)
  if (!solvent || away < REOPEN_DISTANCE) return
  walletTrades(holding.market.trading, 0, open.size, { seconds, price: holding.market.price })
  Object.assign(holding, { open, reopensAt: Infinity })
}

function enter(spec: HoldingSpec, market: MarketState, entryPrice: number, openedAt: number): OpenHolding {
  const place = (market.replay ? entryPrice : market.spec.basePrice * market.factor) * spec.liquidationAt
  const isolated = { size: spec.size, entryPrice, marginUsd: marginFor(spec.size, entryPrice, place) }
  return { ...isolated, liquidationPrice: liquidationPrice(isolated), openedAt, fundingUsd: 0 }
}
