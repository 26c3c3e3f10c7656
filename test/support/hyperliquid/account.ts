import { rounded } from './decimals.ts'
import { isShared } from './figures.ts'
import { liquidate } from './liquidations.ts'
import { touchOf } from './market-wire.ts'
import { cancel, fillPart, type NewOrder, place, tidy } from './orders.ts'
import type { Account, Fill, Mode, Order, Role, Twap } from './state.ts'
import { allocate, pay, swap, trade } from './trading.ts'
import { endTwap, type NewTwap, placeTwap } from './twaps.ts'
import { bridge, type Transfers, transfersOf } from './transfers.ts'
import { addressIn, dexOf, marketOf, newAccount, spotOf, type World } from './world.ts'

export interface AccountOptions {
  mode?: Mode
  role?: Role
  /** What is deposited at once, in the main dex or, where that is the collateral, in spot. */
  usd?: number
  maxLeverage?: number
}

interface Opening {
  leverage?: number
  margin?: 'cross' | 'isolated'
  /** The best price of the other side unless told. */
  at?: number
  /** Whoever takes the other side. */
  against?: AccountHandle
}

/** An account as tests use it. */
export interface AccountHandle extends Transfers {
  readonly address: string
  readonly state: Account
  /** Into a dex, or into spot where that is the collateral; a negative number is a withdrawal. */
  deposits(usd: number, dex?: string): void
  /** Tokens in spot. */
  owns(coin: string, token: number, amount: number, entryNotional?: number): void
  /** Has so much in a vault, which is called by that name from now on. */
  joins(vault: string, name: string, usd: number, lockedUntil?: number): void
  /** HYPE with validators, in the staking account, and on its way out. */
  stakes(delegated: number, undelegated?: number, ...leaving: number[]): void
  /** Trades so much of a market, positive to buy, whatever that makes of the position. */
  trades(coin: string, size: number, how?: Opening): Fill
  /** All of it, or so much. */
  closes(coin: string, size?: number): Fill
  /** A position that is simply there, as from a recording: without a fill or a fee. */
  holds(
    coin: string,
    szi: number,
    how: { entry: number; leverage: number; rawUsd?: number; paid?: number },
  ): void
  /** Into the bucket of an isolated position, or out of it. */
  adds(coin: string, usd: number): void
  /** A trade in spot, such as of `@142`: a fill that is no position's. */
  swaps(coin: string, size: number, price: number): void
  /** Spot pairs too: the venue lists their orders among those of the main dex. */
  places(order: NewOrder): Order
  /** Somebody takes so much of an order that rests. */
  fillsPart(order: Order, size: number): void
  cancels(order: Order): void
  orders(): readonly Order[]
  /** Starts a TWAP, or one that waits for its trigger. */
  twaps(twap: NewTwap): Twap
  /** Ends it as its trader does. */
  terminates(twap: Twap): void
  mode(mode: Mode): void
}

/** Collateral lies elsewhere from now on: in spot, or in the first dex that counts in its token. */
function moveCollateral(world: World, account: Account): void {
  for (const dex of world.dexes) {
    if (isShared(account)) allocate(account, dex)
    const { token } = dex.collateral
    const free = isShared(account) ? 0 : (account.spot.get(token)?.free ?? 0)
    if (free === 0) continue
    account.spot.delete(token)
    pay(account, dex, free)
  }
}

export function accountHandle(world: World, address: string, options: AccountOptions = {}): AccountHandle {
  const lower = addressIn(address)
  if (lower === null) throw new Error(`${address} is no address: 0x and 40 hexadecimal digits`)
  const state = world.accounts.get(lower) ?? newAccount(lower, 'default', { role: 'user' })
  world.accounts.set(state.address, state)
  if (options.mode) state.mode = options.mode
  if (options.role) state.role = options.role
  if (options.maxLeverage) state.maxLeverage = options.maxLeverage
  const changed = () => world.news.tell({ is: 'changed', account: state })
  const handle: AccountHandle = {
    address: state.address,
    state,
    ...transfersOf(world, state, changed),
    deposits(usd, dex = '') {
      pay(state, dexOf(world, dex), usd)
      bridge(world, state, usd)
      changed()
    },
    owns(coin, token, amount, entryNotional = 0) {
      state.spot.set(token, { coin, free: amount, entryNotional })
      changed()
    },
    joins(vault, name, usd, lockedUntil = 0) {
      world.outside.vaults.set(vault.toLowerCase(), name)
      state.outside.vaults.set(vault.toLowerCase(), { usd, lockedUntil })
    },
    stakes(delegated, undelegated = 0, ...leaving) {
      state.outside.staking = { delegated, undelegated, leaving }
    },
    trades(coin, size, { leverage, margin, at, against } = {}) {
      const market = marketOf(world, coin)
      if (market.delisted) throw new Error(`${coin} is delisted: nobody trades there`)
      if (rounded(size, market.szDecimals) !== size) {
        throw new Error(`${coin} is traded in sizes of ${market.szDecimals} decimals`)
      }
      const chosen = state.leverages.get(market)
      const isolated = margin ? margin === 'isolated' : (chosen?.isolated ?? market.strictIsolated)
      if (market.strictIsolated && !isolated) throw new Error(`${coin} is traded isolated only`)
      const value = leverage ?? chosen?.value ?? Math.min(20, market.maxLeverage)
      if (value > market.maxLeverage)
        throw new Error(`${coin} has a leverage of ${market.maxLeverage} at most`)
      state.leverages.set(market, { value, isolated })
      const { bid, ask } = touchOf(market)
      const fill = trade(world, {
        market,
        size,
        price: at ?? (size > 0 ? ask : bid),
        taker: { account: state },
        maker: { account: against?.state ?? world.house },
      })
      tidy(world, state, market)
      liquidate(world)
      return fill
    },
    closes(coin, size) {
      const held = state.holdings.find(({ market }) => market.name === coin)
      if (!held) throw new Error(`${state.address} holds no ${coin}`)
      return handle.trades(coin, -Math.sign(held.szi) * (size ?? Math.abs(held.szi)))
    },
    holds(coin, szi, { entry, leverage, rawUsd, paid = 0 }) {
      const market = marketOf(world, coin)
      const { dex } = market
      if (rawUsd === undefined) state.crossUsd.set(dex, rounded((state.crossUsd.get(dex) ?? 0) - szi * entry))
      state.holdings.push({
        market,
        szi,
        entryNotional: Math.abs(szi) * entry,
        leverage,
        isolatedUsd: rawUsd ?? null,
        funding: { allTime: paid, sinceOpen: 0, sinceChange: 0 },
      })
      allocate(state, dex)
      changed()
    },
    adds(coin, usd) {
      const held = state.holdings.find(({ market }) => market.name === coin)
      if (!held || held.isolatedUsd === null) throw new Error(`${state.address} holds no isolated ${coin}`)
      held.isolatedUsd = rounded(held.isolatedUsd + usd)
      pay(state, held.market.dex, -usd)
      changed()
      liquidate(world)
    },
    swaps: (coin, size, price) => swap(world, state, spotOf(world, coin), size, price),
    places: (order) => place(world, state, order),
    fillsPart: (order, size) => fillPart(world, state, order, size),
    cancels: (order) => cancel(world, state, order),
    orders: () => state.orders,
    twaps: (twap) => placeTwap(world, state, twap),
    terminates: (twap) => endTwap(world, state, twap, 'terminated'),
    mode(mode) {
      const before = isShared(state)
      state.mode = mode
      if (isShared(state) !== before) moveCollateral(world, state)
      changed()
    },
  }
  if (options.usd) handle.deposits(options.usd)
  return handle
}
