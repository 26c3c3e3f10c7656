import { type Amount, magnitude, multiply, ONE, toNumber } from '../../../venue/amount.ts'
import { createExchange } from '../exchange/exchange.ts'
import type { VenueEvent } from '../exchange/venue-events.ts'
import type { Exchange } from '../exchange/state.ts'
import { submit } from '../exchange/submit.ts'
import { STANDARD_VENUE } from '../maths/terms.ts'
import { advanceTo, byId, type Playback, type Priced } from './playback.ts'
import { type Crowd, crowdsTrade, openCrowds, usedToAtFirst } from './crowd.ts'
import { chanceOf, type Drive, isReplayed, type Lane, lanePrice, laneStart } from './lane.ts'
import { walk } from './path.ts'
import type { Plan } from './plan.ts'
import { bell, createDraws, type Draws } from './random.ts'
import { createTraders, trade, type Traders } from './traders.ts'
import { act, note, openWallets, reopen, type OwnPosition } from './wallets.ts'

/**
 * A played world: moving prices and traders. It moves in whole steps, so the same seed gives the same world
 * however often a client asks. A recorded price comes at its own second, however short it lasted.
 */
export interface World extends Playback, Drive {
  readonly stepSeconds: number
  steps: number
  /** How many recorded prices and how many acts of the scenario have been played. */
  recorded: number
  acted: number
  lanes: Lane[]
  ownPositions: OwnPosition[]
  crowds: Crowd[]
  traders: Traders
  draws: Draws
}

/** Time before the start, so that one order has already expired. */
const PRELUDE_SECONDS = 60
/** Seconds that rounding may take from a time. */
const ROUNDING_SECONDS = 1e-6

export function createWorld(
  plan: Plan,
  start: { seed: number; stepSeconds: number; startSeconds: number; pace?: number },
): World {
  const { seed, stepSeconds, startSeconds, pace = 1 } = start
  const drive: Drive = { seed, replay: plan.replay, scenario: plan.scenario, pace }
  const starts = plan.markets.map((spec, key) => laneStart(drive, spec, key, plan.walletCount))
  const exchange = createExchange({
    ...{ terms: STANDARD_VENUE, markets: starts, accounts: [] },
    nowSeconds: startSeconds - PRELUDE_SECONDS,
  })
  const lanes = [...exchange.markets.values()].flatMap((market, key): Lane[] => {
    const spec = plan.markets[key]
    return spec
      ? [{ key, spec, market, factor: 1, noise: 0, moodNoise: 0, usedTo: usedToAtFirst(market) }]
      : []
  })
  const wallets = openWallets(exchange, plan.accounts, lanes, pace)
  leaveOrders(exchange, wallets[0])
  advanceTo(exchange, startSeconds, [])
  const traders = createTraders(exchange, plan, lanes, seed)
  const world: World = {
    ...{
      ...drive,
      exchange,
      startSeconds,
      stepSeconds,
      steps: 0,
      recorded: 1,
      acted: 0,
      lanes,
      ownPositions: wallets,
      traders,
    },
    ...{ crowds: openCrowds(exchange, lanes, drive), draws: createDraws(seed) },
    moveTo: (seconds, events) => moveTo(world, seconds, events),
    setPrices: (prices) => setPrices(world, prices),
    listed() {},
    isOut: () => drive.scenario?.isOut((exchange.nowSeconds - startSeconds) / 3600) ?? false,
    about: () => about(world),
  }
  return world
}

function moveTo(world: World, seconds: number, events: VenueEvent[]): 'there' | 'liquidated' {
  for (;;) {
    const step = (world.steps + 1) * world.stepSeconds
    const point = nextPoint(world)
    if (Math.min(step, point) > seconds + ROUNDING_SECONDS) return 'there'
    const happened = point <= step ? visit(world, point) : stepOn(world)
    events.push(...happened)
    if (noted(world, happened)) return 'liquidated'
  }
}

/** The market second of the next recorded price, rounded up to a whole second of the chain. */
function nextPoint({ replay, recorded }: World): number {
  const time = replay?.times[recorded]
  return time === undefined ? Infinity : Math.ceil(time - (replay?.times[0] ?? 0))
}

function visit(world: World, seconds: number): VenueEvent[] {
  world.recorded += 1
  const lane = world.lanes.find(({ spec }) => isReplayed(world.replay, spec))
  return lane ? advanceTo(world.exchange, chainSecond(world, seconds), priceOf(world, [lane], seconds)) : []
}

function stepOn(world: World): VenueEvent[] {
  const { exchange, stepSeconds, draws } = world
  const draw = () => bell(draws)
  world.steps += 1
  const seconds = marketSeconds(world)
  const moving = world.lanes.filter(({ spec }) => !isReplayed(world.replay, spec))
  for (const lane of moving) {
    const { deviation, returnsInHours } = chanceOf(world, lane.spec)
    lane.noise = walk(lane.noise, deviation, returnsInHours, stepSeconds / 3600, draw())
  }
  const events = advanceTo(exchange, chainSecond(world, seconds), priceOf(world, moving, seconds))
  crowdsTrade(exchange, world.crowds, world, { step: world.steps, stepSeconds, draw })
  trade(exchange, world.traders, seconds)
  reopen(exchange, world.ownPositions, seconds)
  play(world, seconds / 3600)
  return events
}

/** Plays the due acts of the scenario. */
function play(world: World, hours: number): void {
  const { scenario, exchange, ownPositions: wallets } = world
  for (
    let next = scenario?.acts[world.acted];
    next && next.atHours <= hours;
    next = scenario?.acts[world.acted]
  ) {
    act(exchange, wallets, next)
    world.acted += 1
  }
}

function priceOf(world: World, lanes: readonly Lane[], seconds: number): [string, Amount][] {
  return lanes
    .filter(({ market }) => world.exchange.markets.get(market.terms.id) === market)
    .map((lane) => [lane.market.terms.id, lanePrice(world, lane, seconds)])
}

/** Market seconds since the start. */
function marketSeconds({ steps, stepSeconds }: World): number {
  return steps * stepSeconds
}

function chainSecond({ startSeconds, exchange }: World, seconds: number): number {
  return Math.max(exchange.nowSeconds, startSeconds + Math.floor(seconds))
}

/** Notes closed positions. Returns whether one of the venue's own wallets was liquidated. */
function noted(world: World, events: readonly VenueEvent[]): boolean {
  const seconds = world.exchange.nowSeconds - world.startSeconds
  note(world.ownPositions, events, world.seed, seconds)
  return events.some(
    (one) => one.is === 'flagged' && world.ownPositions.some(({ account }) => account.id === one.accountId),
  )
}

function setPrices(world: World, prices: readonly Priced[]): VenueEvent[] {
  for (const { market, price } of prices) {
    const lane = world.lanes.find((one) => one.market === market)
    if (lane) lane.factor *= toNumber(price) / toNumber(market.indexPrice)
  }
  const events = advanceTo(world.exchange, world.exchange.nowSeconds, byId(prices))
  noted(world, events)
  return events
}

function about(world: World) {
  const { replay, seed, scenario, ownPositions: wallets, exchange, startSeconds } = world
  const seconds = exchange.nowSeconds - startSeconds
  const length = replay ? (replay.times.at(-1) ?? 0) - (replay.times[0] ?? 0) : 0
  return {
    ...{ marketSeconds: seconds, seed, scenario: scenario?.name ?? null },
    replay: replay && {
      symbol: replay.symbol,
      progress: Math.min(1, seconds / length),
      ended: seconds >= length,
    },
    closed: wallets.flatMap(({ spec, liquidations, reopensAt }) =>
      reopensAt === Infinity
        ? []
        : [{ owner: spec.wallet, symbol: spec.symbol, liquidations, reopensAtMarketSeconds: reopensAt }],
    ),
  }
}

/** Limit orders far below the price: one rests, and one expires at once. */
const RESTING = [
  { at: 70n, share: 2n, seconds: 30 * 86_400 },
  { at: 60n, share: 4n, seconds: 1 },
]

/** Leaves limit orders in the market of the wallet's first position. */
function leaveOrders(exchange: Exchange, wallet: OwnPosition | undefined): void {
  const held = wallet?.account.positions[0]
  if (!wallet || !held) return
  for (const { at, share, seconds } of RESTING)
    submit(exchange, {
      ...{ is: 'limit', accountId: wallet.account.id, marketId: held.market.terms.id },
      sizeDelta: magnitude(held.size) / share,
      price: multiply(held.market.indexPrice, (at * ONE) / 100n),
      expiresAtSeconds: exchange.nowSeconds + seconds,
      ...{ takeProfit: null, stopLoss: null },
    })
}
