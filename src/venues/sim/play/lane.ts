import { type Amount, fromNumber } from '../../../venue/amount.ts'
import type { Market, MarketStart } from '../exchange/market.ts'
import { STANDARD_MARGIN } from '../maths/terms.ts'
import { type Scenario, wildness } from '../scenarios/scenario.ts'
import type { MarketSpec } from './catalogue.ts'
import { startRate, swingAt } from './path.ts'
import { priceAt, type Replay } from './replay.ts'

/** A market with the state of its price path. */
export interface Lane {
  readonly key: number
  readonly spec: MarketSpec
  readonly market: Market
  /** A lasting factor on the price, from the price door. */
  factor: number
  /** The random parts: of the price, as a logarithm, and of the crowd's mood. */
  noise: number
  moodNoise: number
  /** The logarithm of the price that the crowd is used to. */
  usedTo: number
}

/** Drives all prices: the seed, perhaps a recording of one market, and perhaps a scenario. */
export interface Drive {
  seed: number
  replay: Replay | null
  scenario: Scenario | null
  /** How many times as fast as real time prices move. Days of funding stay real. */
  pace?: number
}

/** The venue's prices have ten digits. */
const DIGITS = 10
const DAY_SECONDS = 86_400

/** How closely coins move together: ETH and BTC did so in eight-hour bars from 2023 to mid-2024. */
const CORRELATION = 0.82
/** Beside a recording, a market drifts for weeks. Without one, it returns to its swing within hours. */
const WEEKS = { returnsInHours: 720 }
const HOURS = { returnsInHours: 3, calm: 0.0015, lively: 0.004 }
/**
 * Caps the hourly deviation of a recording for the other markets, so that not all of them drop to nothing.
 */
const WILDEST = 0.05

type Place = Pick<Lane, 'key' | 'spec' | 'factor' | 'noise'>

/** USD per unit at a market time. */
export function lanePrice({ seed, replay, scenario }: Drive, lane: Place, seconds: number): Amount {
  const { key, spec, factor, noise } = lane
  const scripted = scenario?.moves(spec.symbol, seconds / 3600) ?? 0
  const recorded = replay ? relative(replay, seconds) : 1
  if (replay && isReplayed(replay, spec)) return exact(spec.basePrice * recorded * factor)
  const follows = replay ? CORRELATION * wilder(replay, spec) : 0
  const way = swingAt(spec.swing, seed, key, seconds) + noise + scripted
  return exact(spec.basePrice * Math.exp(way) * recorded ** follows * factor)
}

/** The random part of a price. Beside a recording, it is just large enough for the correlation above. */
export function chanceOf({ replay }: Drive, spec: MarketSpec): { deviation: number; returnsInHours: number } {
  const { returnsInHours, calm, lively } = HOURS
  if (!replay) return { deviation: spec.swing.squeezes === 'nobody' ? calm : lively, returnsInHours }
  const own =
    Math.min(replay.hourlyDeviation, WILDEST) * wilder(replay, spec) * Math.sqrt(1 - CORRELATION ** 2)
  return { ...WEEKS, deviation: own * Math.sqrt(WEEKS.returnsInHours / 2) }
}

/** How far the market moves, relative to the replayed one. */
function wilder(replay: Replay, { symbol }: MarketSpec): number {
  return wildness(symbol) / wildness(replay.symbol)
}

export function isReplayed(replay: Replay | null, { symbol }: MarketSpec): boolean {
  return replay?.symbol === symbol.toUpperCase()
}

/** The recorded price as a fraction of the first one. */
function relative(replay: Replay, seconds: number): number {
  const [start = 0] = replay.times
  return (replay.prices[priceAt(replay, start + seconds)] ?? 1) / (replay.prices[0] ?? 1)
}

/** The first state of a market. More wallets get a deeper market. */
export function laneStart(drive: Drive, spec: MarketSpec, key: number, traders: number): MarketStart {
  const calm = { key, spec, factor: 1, noise: 0 }
  const { basePrice: _, id, symbol, makerFee, takerFee, mood } = spec
  const [room, depth] = [1 + traders / 10, 1 + traders / 100]
  const { pace = 1 } = drive
  const fees = { makerFee: exact(makerFee), takerFee: exact(takerFee) }
  return {
    terms: {
      ...{ ...STANDARD_MARGIN, id, symbol, ...fees },
      ...{ limitMakerFee: fees.makerFee, limitTakerFee: fees.takerFee },
      ...{ skewScale: exact(spec.skewScale * depth), maxFundingVelocity: exact(mood.maxVelocity * pace) },
      daySeconds: BigInt(Math.max(Math.round(DAY_SECONDS * pace), 1)),
      ...{ maxMarketSize: exact(spec.maxSize * room), maxMarketValue: exact(spec.maxValueUsd * room) },
    },
    indexPrice: lanePrice(drive, calm, 0),
    fundingRate: fromNumber(startRate(mood)) ?? 0n,
    before: {
      count: spec.trades24h,
      volumeUsd: exact(spec.volume24hUsd),
      price: lanePrice(drive, calm, -DAY_SECONDS),
    },
  }
}

/** Rounds to ten digits by way of a whole number, which costs a tenth of the way by a text. */
function exact(value: number): Amount {
  const decimals = DIGITS - 1 - Math.floor(Math.log10(value))
  const power = POWERS[18 - decimals]
  if (power === undefined) return fromNumber(Number(value.toPrecision(DIGITS))) ?? 0n
  return BigInt(Math.round(value * 10 ** decimals)) * power
}

const POWERS: readonly Amount[] = Array.from({ length: 37 }, (_, digits) => 10n ** BigInt(digits))
