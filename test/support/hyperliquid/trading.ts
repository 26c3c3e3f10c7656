import { rounded } from './decimals.ts'
import { crossIn, crossValue, isShared, marginUsed } from './figures.ts'
import type { Account, ListedDex, Fill, Holding, Liquidation, Market } from './state.ts'
import { hashOf, type World } from './world.ts'

interface Trade {
  market: Market
  /** Signed: what the taker buys. */
  size: number
  price: number
  taker: { account: Account; oid?: number }
  maker: { account: Account; oid?: number }
  /** Whose liquidation it is: both sides' fills carry it. */
  liquidation?: Liquidation | null
  /** In place of "Open Long" and the like. */
  dir?: string
  /** Neither side pays. */
  free?: boolean
  /** The taker's TWAP, of which this is a slice. */
  twapId?: number
}

/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint#retrieve-a-users-twap-slice-fills */
const SLICE_HASH = `0x${'0'.repeat(64)}`

/** Both sides of a trade: positions, cash, and a fill each. */
export function trade(world: World, { market, size, price, taker, maker, ...more }: Trade): Fill {
  const id = world.newId()
  const { twapId = null, ...others } = more
  const hash = twapId === null ? hashOf(id) : SLICE_HASH
  const common = { market, price, at: world.clock.now(), hash, tid: id, twapId: null, ...others }
  const taken = fill(world, taker.account, {
    ...common,
    twapId,
    size,
    oid: taker.oid ?? world.newId(),
    crossed: true,
  })
  fill(world, maker.account, { ...common, size: -size, oid: maker.oid ?? world.newId(), crossed: false })
  const [buyer, seller] = size > 0 ? [taker.account, maker.account] : [maker.account, taker.account]
  world.news.tell({ is: 'trade', fill: taken, buyer, seller })
  return taken
}

interface Leg extends Pick<Trade, 'market' | 'size' | 'price' | 'liquidation' | 'dir' | 'free'> {
  at: number
  hash: string
  tid: number
  oid: number
  crossed: boolean
  twapId: number | null
}

function fill(world: World, account: Account, leg: Leg): Fill {
  const { market, size, price, crossed } = leg
  const startPosition = account.holdings.find((held) => held.market === market)?.szi ?? 0
  const rate = leg.free ? 0 : crossed ? account.fees.taker : account.fees.maker
  const fee = rounded(Math.abs(size) * price * rate)
  const closedPnl = change(account, market, size, price)
  pay(account, market.dex, -fee)
  allocate(account, market.dex)
  const done: Fill = {
    ...leg,
    sz: Math.abs(size),
    side: size > 0 ? 'B' : 'A',
    startPosition,
    dir: leg.dir ?? directionOf(startPosition, size),
    closedPnl,
    fee,
    liquidation: leg.liquidation ?? null,
  }
  account.fills.push(done)
  world.news.tell({ is: 'fill', account, fill: done })
  return done
}

/** In spot: no position, and the tokens are nobody's concern here. */
export function swap(world: World, account: Account, market: Market, size: number, price: number): void {
  const id = world.newId()
  const fill: Fill = {
    ...{ market, price, sz: Math.abs(size), side: size > 0 ? 'B' : 'A', at: world.clock.now() },
    ...{ startPosition: 0, dir: size > 0 ? 'Buy' : 'Sell', closedPnl: 0, hash: hashOf(id), oid: id },
    ...{ crossed: true, fee: 0, tid: id, liquidation: null, twapId: null },
  }
  account.fills.push(fill)
  world.news.tell({ is: 'fill', account, fill })
}

function directionOf(before: number, size: number): string {
  const after = before + size
  if (before !== 0 && Math.sign(after) === -Math.sign(before) && Math.abs(after) > 1e-12) {
    return before > 0 ? 'Long > Short' : 'Short > Long'
  }
  const side = (before || size) > 0 ? 'Long' : 'Short'
  return `${before === 0 || Math.sign(before) === Math.sign(size) ? 'Open' : 'Close'} ${side}`
}

/** Cash that is not in a position: of the dex, or of spot where that is the collateral. */
export function pay(account: Account, dex: ListedDex, usd: number): void {
  if (!isShared(account)) {
    account.crossUsd.set(dex, rounded((account.crossUsd.get(dex) ?? 0) + usd))
    return
  }
  const { token, coin } = dex.collateral
  const balance = account.spot.get(token) ?? { coin, free: 0, entryNotional: 0 }
  account.spot.set(token, { ...balance, free: rounded(balance.free + usd, 8) })
}

/** Where collateral lies in spot, a dex has no more than the margin of its positions, and nothing when it is flat. */
export function allocate(account: Account, dex: ListedDex): void {
  if (!isShared(account)) return
  const wanted = crossIn(account, dex).reduce((sum, held) => sum + marginUsed(held), 0)
  const missing = wanted - crossValue(account, dex)
  account.crossUsd.set(dex, rounded((account.crossUsd.get(dex) ?? 0) + missing))
  pay(account, dex, -missing)
}

/** Changes the position; returns what was made on what was closed. */
function change(account: Account, market: Market, size: number, price: number): number {
  const held = account.holdings.find((one) => one.market === market)
  if (!held) {
    open(account, market, size, price)
    return 0
  }
  if (Math.sign(held.szi) === Math.sign(size)) {
    grow(account, held, size, price)
    return 0
  }
  const closing = Math.min(Math.abs(size), Math.abs(held.szi)) * Math.sign(size)
  const made = shrink(account, held, closing, price)
  const rest = Number((size - closing).toFixed(market.szDecimals))
  if (rest !== 0) open(account, market, rest, price)
  return made
}

function open(account: Account, market: Market, size: number, price: number): void {
  const { value = Math.min(20, market.maxLeverage), isolated = market.strictIsolated } =
    account.leverages.get(market) ?? {}
  const held: Holding = {
    market,
    szi: 0,
    entryNotional: 0,
    leverage: value,
    isolatedUsd: isolated ? 0 : null,
    funding: { allTime: 0, sinceOpen: 0, sinceChange: 0 },
  }
  account.holdings.push(held)
  grow(account, held, size, price)
}

function grow(account: Account, held: Holding, size: number, price: number): void {
  const { market } = held
  const notional = Math.abs(size) * price
  held.szi = Number((held.szi + size).toFixed(market.szDecimals))
  held.entryNotional += notional
  held.funding.sinceChange = 0
  settle(account, held, -size * price, isolatedMargin(held, notional))
}

function shrink(account: Account, held: Holding, size: number, price: number): number {
  const { market, szi } = held
  const part = Math.abs(size / szi)
  const made = part * (Math.abs(szi) * price - held.entryNotional) * Math.sign(szi)
  const bucket = (held.isolatedUsd ?? 0) + szi * price
  held.szi = Number((szi + size).toFixed(market.szDecimals))
  held.entryNotional *= 1 - part
  held.funding.sinceChange = 0
  settle(account, held, -size * price, held.isolatedUsd === null ? 0 : -bucket * part)
  if (held.szi === 0) account.holdings = account.holdings.filter((one) => one !== held)
  return rounded(made)
}

const isolatedMargin = ({ isolatedUsd, leverage }: Holding, notional: number) =>
  isolatedUsd === null ? 0 : notional / leverage

/** What the trade cost goes through the position's own bucket, and `margin` from the cash into it. */
function settle(account: Account, held: Holding, usd: number, margin: number): void {
  const { dex } = held.market
  if (held.isolatedUsd === null) {
    account.crossUsd.set(dex, rounded((account.crossUsd.get(dex) ?? 0) + usd))
    return
  }
  const moved = rounded(margin)
  held.isolatedUsd = rounded(held.isolatedUsd + usd + moved)
  pay(account, dex, -moved)
}
