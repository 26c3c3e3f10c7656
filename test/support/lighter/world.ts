import type { Clock } from '../../../src/runtime/clock.ts'
import { parseWallet } from '../../../src/venue/wallet.ts'
import { marketsOf } from './catalogue.ts'
import type { Account, Event, Market } from './state.ts'

export interface World {
  clock: Clock
  markets: Market[]
  accounts: Map<number, Account>
  /** By address in lower case, the main account first. */
  owners: Map<string, Account[]>
  liquidates: boolean
  /** A number nobody has had. */
  newId(): number
  tell(event: Event): void
  listen(hear: (event: Event) => void): () => void
}

/** As recorded; main accounts count up from it. */
const FIRST_MAIN = 1_077
/** As recorded; sub-accounts count down from it, below 2^48. */
const FIRST_SUB = 281_474_976_710_588
/** As recorded: takes over what nobody else takes. */
export const INSURANCE_FUND = 281_474_976_710_655
/** Takes the other side of every trade that names nobody. */
export const HOUSE = 7
const FIRST_ID = 400_000_000

export function createWorld(clock: Clock, perps?: number): World {
  const listeners = new Set<(event: Event) => void>()
  let last = FIRST_ID
  return {
    clock,
    markets: marketsOf(perps),
    accounts: new Map(),
    owners: new Map(),
    liquidates: true,
    newId: () => (last += 1),
    tell(event) {
      for (const hear of listeners) hear(event)
    },
    listen(hear) {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
  }
}

/** The main account of an address that has none yet, else a sub-account. */
export function addAccount(world: World, address: string): Account {
  const owner = parseWallet(address)
  if (!owner.ok) throw new Error(`${address}: ${owner.why}`)
  const all = accountsOf(world, address)
  const isSub = all.length > 0
  const others = [...world.accounts.values()].filter((one) => one.isSub === isSub).length
  const account: Account = {
    ...{ address: owner.wallet, index: isSub ? FIRST_SUB - others : FIRST_MAIN + others, isSub },
    ...{ collateral: 0, positions: new Map(), trades: [], payments: [] },
  }
  world.accounts.set(account.index, account)
  world.owners.set(address.toLowerCase(), [...all, account])
  return account
}

export function accountsOf({ owners }: World, address: string): readonly Account[] {
  return owners.get(address.toLowerCase()) ?? []
}

/** The perpetual of that symbol: a spot market may have the same one. */
export function marketOf({ markets }: World, symbol: string): Market {
  const found = markets.find((one) => one.symbol === symbol && one.kind === 'perp')
  const names = () => markets.map((one) => one.symbol).join(', ')
  if (!found) throw new Error(`the stand-in has no market ${symbol}; there are ${names()}`)
  return found
}
