import { rounded } from './decimals.ts'
import { liquidate } from './liquidations.ts'
import type { Account, Holding } from './state.ts'
import { allocate, pay } from './trading.ts'
import { hashOf, type World } from './world.ts'

const HOUR_MS = 3_600_000
/** Recorded payments are stamped 15 to 46 ms after the hour. */
const STAMPED_AFTER_MS = 20
/** https://hyperliquid.gitbook.io/hyperliquid-docs/trading/funding */
const MOST_RATE = 0.04

/** Pays funding shortly after each full hour of the wall clock; returns how to call it off. */
export function keepHours(world: World): () => void {
  const { clock } = world
  let callOff = () => {}
  const arm = (after: number) => {
    const next = (Math.floor(after / HOUR_MS) + 1) * HOUR_MS + STAMPED_AFTER_MS
    callOff = clock.wakeAt(clock.monotonic() + next - clock.now(), () => {
      payFunding(world)
      arm(clock.now())
    })
  }
  arm(clock.now())
  return () => callOff()
}

function payFunding(world: World): void {
  const at = world.clock.now()
  for (const { markets } of world.dexes) {
    for (const market of markets) {
      if (!market.delisted)
        market.payments.push({ rate: rateOf(market.fundingRate), premium: market.premium, at })
    }
  }
  for (const account of world.accounts.values()) {
    for (const held of account.holdings) payOne(world, account, held, at)
    if (account.holdings.length > 0) world.news.tell({ is: 'changed', account })
  }
  liquidate(world)
}

const rateOf = (rate: number) => Math.max(-MOST_RATE, Math.min(MOST_RATE, rate))

/** On the oracle's price, out of the bucket of an isolated position. */
function payOne(world: World, account: Account, held: Holding, at: number): void {
  const { market, szi, funding } = held
  if (market.delisted || market.fundingRate === 0) return
  const rate = rateOf(market.fundingRate)
  const usd = rounded(-szi * market.oracle * rate)
  if (held.isolatedUsd === null) pay(account, market.dex, usd)
  else held.isolatedUsd = rounded(held.isolatedUsd + usd)
  allocate(account, market.dex)
  for (const sum of ['allTime', 'sinceOpen', 'sinceChange'] as const)
    funding[sum] = rounded(funding[sum] - usd)
  const payment = { market, usd, szi, rate, at, hash: hashOf(world.newId()) }
  account.payments.push(payment)
  world.news.tell({ is: 'paid', account, payment })
}
