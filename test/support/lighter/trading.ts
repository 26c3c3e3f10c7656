import { crossOf, isolatedOf, money, type Pool, rounded, valueOf } from './figures.ts'
import type { Account, Before, Market, Position, Trade, TradeKind } from './state.ts'
import { HOUSE, INSURANCE_FUND, type World } from './world.ts'

/** Of the value that is liquidated (`liquidation_fee`, in per cent as recorded). */
const LIQUIDATION_FEE = 0.01

export interface Deal {
  market: Market
  /** Signed: what the taker buys. */
  size: number
  price: number
  taker: Account
  /** The house unless told. */
  maker?: Account | undefined
  kind?: TradeKind | undefined
  leverage?: number | undefined
  isolated?: boolean | undefined
}

/** Both sides of a trade, each told of it. */
export function trade(world: World, deal: Deal): Trade {
  const { market, size, price, taker, maker, kind = 'trade' } = deal
  const other = maker?.index ?? (kind === 'trade' ? HOUSE : INSURANCE_FUND)
  const isBuy = size > 0
  const done: Trade = {
    ...{ id: world.newId(), kind, market, size: Math.abs(size), price, at: world.clock.now() },
    ...{ askIndex: isBuy ? other : taker.index, bidIndex: isBuy ? taker.index : other, isMakerAsk: isBuy },
    taker: beforeOf(taker, market, size),
    maker: maker ? beforeOf(maker, market, -size) : null,
  }
  market.last = price
  market.dayVolume += Math.abs(size)
  for (const [account, part] of [
    [taker, size],
    [maker, -size],
  ] as const) {
    if (!account) continue
    change(account, account === taker ? deal : { market, price }, part)
    account.trades.push(done)
    world.tell({ is: 'changed', account, markets: [market], trades: [done], payments: [] })
  }
  return done
}

function beforeOf(account: Account, market: Market, bought: number): Before {
  const { size, entryQuote, initialMargin } = account.positions.get(market) ?? newPosition(market)
  const after = rounded(size + bought, market.sizeDecimals)
  // From nothing to something counts as well; not seen.
  return { size, entryQuote, initialMargin, signChanged: Math.sign(after) !== Math.sign(size) && after !== 0 }
}

/** A position and what pays for it, after so much was bought at this price. */
function change(
  account: Account,
  { market, price, leverage, isolated }: Pick<Deal, 'market' | 'price' | 'leverage' | 'isolated'>,
  size: number,
): void {
  const held = account.positions.get(market) ?? newPosition(market)
  account.positions.set(market, held)
  const closes = Math.sign(size) === -Math.sign(held.size)
  const closed = closes ? Math.min(Math.abs(size), Math.abs(held.size)) : 0
  if (closed > 0) close(account, held, closed, price)
  const opened = rounded(Math.abs(size) - closed, market.sizeDecimals)
  if (opened === 0) return
  if (leverage !== undefined) held.initialMargin = rounded(1 / leverage, 4)
  if (held.size === 0) held.isolated = isolated ?? held.isolated
  held.size = rounded(held.size + Math.sign(size) * opened, market.sizeDecimals)
  held.sign = Math.sign(held.size)
  held.entryQuote = money(held.entryQuote + opened * price)
  if (held.isolated) allocate(account, held, opened * price * held.initialMargin)
}

function close(account: Account, held: Position, closed: number, price: number): void {
  const share = closed / Math.abs(held.size)
  const cost = held.entryQuote * share
  const profit = Math.sign(held.size) * (closed * price - cost)
  held.size = rounded(held.size - Math.sign(held.size) * closed, held.market.sizeDecimals)
  held.entryQuote = money(held.entryQuote - cost)
  held.realized = money(held.realized + profit)
  allocate(account, held, -held.allocated * share)
  account.collateral = money(account.collateral + profit)
}

/** From the collateral into an isolated position, or back. */
export function allocate(account: Account, held: Position, usd: number): void {
  held.allocated = money(held.allocated + usd)
  account.collateral = money(account.collateral - usd)
}

export function newPosition(market: Market): Position {
  return {
    ...{ market, size: 0, sign: 1, entryQuote: 0, initialMargin: market.margins.initial / 10_000 },
    ...{ isolated: false, allocated: 0, realized: 0, fundingPaid: 0 },
  }
}

/** Who has as little as maintenance loses positions, the largest first, until the rest is covered. */
export function liquidate(world: World, among: Iterable<Account> = world.accounts.values()): void {
  if (!world.liquidates) return
  for (const account of among) {
    if (account.positions.size === 0) continue
    while (lose(world, account, crossOf(account)));
    for (const pool of isolatedOf(account)) lose(world, account, pool)
  }
}

function lose(world: World, account: Account, { held, equity, maintenance }: Pool): boolean {
  const [largest] = held.toSorted((a, b) => valueOf(b) - valueOf(a))
  if (!largest || equity > maintenance) return false
  const { market, size, isolated } = largest
  const before = account.collateral
  trade(world, { market, size: -size, price: market.mark, taker: account, kind: 'liquidation' })
  account.collateral = money(account.collateral - Math.abs(size) * market.mark * LIQUIDATION_FEE)
  // The insurance fund pays for what is missing.
  const least = isolated ? before : crossOf(account).held.length === 0 ? 0 : -Infinity
  account.collateral = Math.max(least, account.collateral)
  world.tell({ is: 'changed', account, markets: [], trades: [], payments: [] })
  return true
}

/** An hour's funding, to everybody who holds the market. */
export function payFunding(world: World, market: Market): void {
  const rate = market.funding / 100
  market.payments.push({ at: world.clock.now(), rate: market.funding, value: market.mark * rate })
  for (const account of world.accounts.values()) {
    const held = account.positions.get(market)
    if (!held || held.size === 0) continue
    const usd = money(-held.size * market.mark * rate)
    held.fundingPaid = money(held.fundingPaid - usd)
    if (held.isolated) held.allocated = money(held.allocated + usd)
    else account.collateral = money(account.collateral + usd)
    const payment = { id: world.newId(), market, usd, rate: market.funding, size: held.size }
    const payments = [{ ...payment, at: world.clock.now() }]
    account.payments.push(...payments)
    world.tell({ is: 'changed', account, markets: [market], trades: [], payments })
  }
  liquidate(world)
}
