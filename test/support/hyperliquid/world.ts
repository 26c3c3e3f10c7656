import type { Clock } from '../../../src/runtime/clock.ts'
import { dexesOf, type Universe } from './catalogue.ts'
import { createNews, type News } from './news.ts'
import { newOutside, newSpotMarkets, type SpotMarkets } from './outside.ts'
import type { Account, ListedDex, Market, Mode, Role } from './state.ts'

export interface World {
  clock: Clock
  news: News
  dexes: ListedDex[]
  accounts: Map<string, Account>
  /** Takes the other side of what nobody else takes. */
  house: Account
  /** Takes the other side of liquidations. */
  liquidator: Account
  liquidates: boolean
  /** Pairs of spot, by name: they have orders and fills beside those of perpetuals. */
  spot: Map<string, Market>
  /** Tokens, their prices, and vaults. */
  outside: SpotMarkets
  /** A number nobody has had. */
  newId(): number
  /** Contexts left off the end of a dex's list. */
  short: Map<string, number>
  /** By type of request: what becomes of its answer. */
  rewrites: Map<string, Rewrite>
}

/** Changes an answer, or returns another one. */
export type Rewrite = (answer: unknown, body: Record<string, unknown>) => unknown

/** Lower case, as the venue writes it back; null where it is none. */
export function addressIn(said: unknown): string | null {
  return typeof said === 'string' && /^0x[0-9a-fA-F]{40}$/.test(said) ? said.toLowerCase() : null
}

/** What a market's name begins with tells its dex. */
export function dexNameOf(coin: string): string {
  return coin.includes(':') ? (coin.split(':')[0] ?? '') : ''
}

/** Order ids pass 2^32, as the venue's do. */
const FIRST_ID = 498_601_872_037

export function createWorld(clock: Clock, universe: Universe): World {
  let last = FIRST_ID
  const house = newAccount(`0x${'a'.repeat(40)}`, 'default', { role: 'user' })
  const liquidator = newAccount(`0x${'b'.repeat(40)}`, 'default', { role: 'vault' })
  return {
    clock,
    news: createNews(),
    dexes: dexesOf(universe, clock.monotonic()),
    accounts: new Map([house, liquidator].map((one) => [one.address, one])),
    house,
    liquidator,
    liquidates: true,
    spot: new Map(),
    outside: newSpotMarkets(),
    newId: () => (last += 1),
    short: new Map(),
    rewrites: new Map(),
  }
}

export function newAccount(address: string, mode: Mode, role: Role): Account {
  return {
    address: address.toLowerCase(),
    mode,
    role,
    crossUsd: new Map(),
    holdings: [],
    spot: new Map(),
    outside: newOutside(),
    leverages: new Map(),
    maxLeverage: null,
    fees: { taker: 0.00045, maker: 0.00015 },
    orders: [],
    history: [],
    fills: [],
    payments: [],
    twaps: [],
    twapEntries: [],
    ledger: [],
    wholeUntil: -Infinity,
  }
}

/** A stranger is answered like everybody else, with nothing. */
export function accountOf({ accounts }: World, address: string): Account {
  return accounts.get(address.toLowerCase()) ?? newAccount(address, 'default', { role: 'missing' })
}

export function findMarket({ dexes }: World, coin: string): Market | undefined {
  return dexes.find(({ name }) => name === dexNameOf(coin))?.markets.find(({ name }) => name === coin)
}

export function marketOf(world: World, coin: string): Market {
  const found = findMarket(world, coin)
  const names = () => world.dexes.flatMap(({ markets }) => markets.map(({ name }) => name))
  if (!found) throw new Error(`the stand-in has no market ${coin}; there are ${names().join(', ')}`)
  return found
}

/** `@142` or `PURR/USDC`: in no universe, listed among the orders of the main dex. */
export function isSpot(coin: string): boolean {
  return coin.startsWith('@') || coin.includes('/')
}

export function spotOf(world: World, coin: string): Market {
  const [first] = dexOf(world, '').markets
  if (!first) throw new Error('the main dex has no market')
  const known = world.spot.get(coin) ?? { ...first, name: coin, szDecimals: 2, oracles: [], payments: [] }
  world.spot.set(coin, known)
  return known
}

export function dexOf({ dexes }: World, name: string): ListedDex {
  const found = dexes.find((dex) => dex.name === name)
  if (!found) throw new Error(`the stand-in has no dex "${name}"`)
  return found
}

/** A transaction hash that tells its number. */
export function hashOf(id: number): string {
  return `0x${id.toString(16).padStart(64, '0')}`
}
