import { rounded } from './decimals.ts'
import { crossIn, marginUsed, poolOf } from './figures.ts'
import { touchOf } from './market-wire.ts'
import { tidy } from './orders.ts'
import type { Account, Twap, TwapStatus } from './state.ts'
import { trade } from './trading.ts'
import { twapJson } from './twap-wire.ts'
import { marketOf, type World } from './world.ts'

// https://hyperliquid.gitbook.io/hyperliquid-docs/trading/order-types#twap-details

const SLICE_MS = 30_000
const [LEAST_MINUTES, MOST_MINUTES] = [5, 7 * 24 * 60]
const LEAST_USD = 100
/** A slice is worth about this at least: a small order has fewer of them. */
const LEAST_SLICE_USD = 10
/** A late TWAP sends larger slices, up to so many times the usual size. */
const CATCH_UP = 3

export interface NewTwap {
  coin: string
  side: 'buy' | 'sell'
  size: number
  minutes: number
  reduceOnly?: boolean
  randomize?: boolean
  /** It waits until the mark price is there. */
  trigger?: { price: number; above: boolean }
  /** The mark price that stops it. */
  stopAt?: number
}

export function placeTwap(world: World, account: Account, wanted: NewTwap): Twap {
  const market = marketOf(world, wanted.coin)
  const { size, minutes, trigger } = wanted
  if (market.delisted) throw new Error(`${market.name} is delisted: nobody can place orders there`)
  if (minutes < LEAST_MINUTES || minutes > MOST_MINUTES)
    throw new Error(`Invalid TWAP duration: ${minutes} min(s)`)
  if (size * market.mark < LEAST_USD) throw new Error(`a TWAP is worth ${LEAST_USD} USD at least`)
  if (rounded(size, market.szDecimals) !== size)
    throw new Error(`${market.name} is traded in sizes of ${market.szDecimals} decimals`)
  const twap: Twap = {
    ...{ id: world.newId(), market, side: wanted.side === 'buy' ? 'B' : 'A' },
    ...{ sz: size, executedSz: 0, executedNtl: 0, minutes, at: world.clock.now() },
    ...{ reduceOnly: wanted.reduceOnly ?? false, randomize: wanted.randomize ?? false },
    trigger: trigger ? { px: trigger.price, above: trigger.above } : null,
    ...{ stopPx: wanted.stopAt ?? null, runsSince: null, sent: 0, starves: false },
  }
  account.twaps.push(twap)
  if (twap.trigger !== null) note(world, account, twap, 'waitingForTrigger')
  step(world, account, twap)
  return twap
}

/** Ends it, and writes down how. */
export function endTwap(
  world: World,
  account: Account,
  twap: Twap,
  status: TwapStatus,
  description?: string,
): void {
  if (!account.twaps.includes(twap)) throw new Error('TWAP was never placed, already canceled, or filled.')
  account.twaps = account.twaps.filter((one) => one !== twap)
  note(world, account, twap, status, description)
}

/** Sends what is due of every TWAP: once a second. */
export function runTwaps(world: World): void {
  for (const account of world.accounts.values()) for (const twap of account.twaps) step(world, account, twap)
}

function step(world: World, account: Account, twap: Twap): void {
  const { market, trigger, side, stopPx } = twap
  if (twap.runsSince === null) {
    const isReached =
      trigger === null || (trigger.above ? market.mark >= trigger.px : market.mark <= trigger.px)
    if (!isReached) return
    twap.runsSince = world.clock.now()
    note(world, account, twap, 'activated')
  }
  const isPast = stopPx !== null && (side === 'B' ? market.mark >= stopPx : market.mark <= stopPx)
  if (isPast) return endTwap(world, account, twap, 'stopped')
  const slices = slicesOf(twap)
  const everyMs = (twap.minutes * 60_000) / (slices - 1)
  const due = Math.min(slices, Math.floor((world.clock.now() - twap.runsSince) / everyMs) + 1)
  while (twap.sent < due && account.twaps.includes(twap)) slice(world, account, twap, slices)
  if (!account.twaps.includes(twap)) return
  if (twap.sent >= slices || twap.executedSz >= twap.sz) endTwap(world, account, twap, 'finished')
}

/** `$10,000 over 1 hour is split into ~121 suborders`, and over 4 days into ~1,000. */
function slicesOf({ minutes, sz, market }: Twap): number {
  const most = (minutes * 60_000) / SLICE_MS + 1
  return Math.max(2, Math.min(most, Math.floor((sz * market.mark) / LEAST_SLICE_USD)))
}

function slice(world: World, account: Account, twap: Twap, slices: number): void {
  twap.sent += 1
  const { market, side, sz, executedSz, sent } = twap
  const sign = side === 'B' ? 1 : -1
  const target = (sz * sent) / slices
  const wanted = Math.min(target - executedSz, (CATCH_UP * sz) / slices)
  const held = account.holdings.find((one) => one.market === market)?.szi ?? 0
  const closable = Math.sign(held) === -sign ? Math.abs(held) : 0
  const most = Math.min(wanted, twap.reduceOnly ? closable : Infinity)
  const isLast = sent === slices
  const size = isLast
    ? rounded(most, market.szDecimals)
    : Math.floor(most * 10 ** market.szDecimals + 1e-6) / 10 ** market.szDecimals
  if (size <= 0 || twap.starves) return
  const { bid, ask } = touchOf(market)
  const price = side === 'B' ? ask : bid
  if (opens(size, closable) * price > buyingPower(world, account, twap))
    return endTwap(world, account, twap, 'error', 'Insufficient margin to place order.')
  trade(world, {
    ...{ market, price, size: sign * size, taker: { account }, maker: { account: world.house } },
    twapId: twap.id,
  })
  twap.executedSz = rounded(executedSz + size, market.szDecimals)
  twap.executedNtl = rounded(twap.executedNtl + size * price, 8)
  tidy(world, account, market)
}

const opens = (size: number, closable: number) => Math.max(0, size - closable)

function buyingPower(world: World, account: Account, { market }: Twap): number {
  const held = account.holdings.find((one) => one.market === market)
  const leverage = held?.leverage ?? account.leverages.get(market)?.value ?? Math.min(20, market.maxLeverage)
  const used = crossIn(account, market.dex).reduce((sum, one) => sum + marginUsed(one), 0)
  return Math.max(0, poolOf(world, account, market.dex).equity - used) * leverage
}

function note(world: World, account: Account, twap: Twap, status: TwapStatus, description?: string): void {
  account.twapEntries.push({
    state: twapJson(account, twap),
    status: description === undefined ? { status } : { status, description },
    at: world.clock.now(),
    id: twap.id,
  })
  world.news.tell({ is: 'changed', account })
}
