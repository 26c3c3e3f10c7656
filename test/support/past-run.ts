import type { Kind, Rule } from '../../src/alert/alert.ts'
import type { Backtester } from '../../src/alert/backtest.ts'
import { createBacktester } from '../../src/engine/backtest/backtest.ts'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Account } from '../../src/venue/account.ts'
import { toNumber } from '../../src/venue/amount.ts'
import type { Position } from '../../src/venue/position.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { readMarkets } from '../../src/venues/perps-data/wire/markets.ts'
import { readPositions } from '../../src/venues/perps-data/wire/positions.ts'
import { fundingAt } from '../../src/venues/sim/exchange/market.ts'
import { answer } from '../../src/venues/sim/http/api.ts'
import { DEMO_WALLETS } from '../../src/venues/sim/play/catalogue.ts'
import { planFor } from '../../src/venues/sim/play/plan.ts'
import { createWorld } from '../../src/venues/sim/play/world.ts'
import { marketRecord } from '../../src/venues/sim/wire/market.ts'
import { NOON } from './clock.ts'
import { aChat, aWatch, remembered } from './fixtures.ts'
import { pastStore } from './past-store.ts'

/** Turned by hand, and at rest as soon as the engine is: three days are tens of thousands of wake-ups. */
function quickClock(idle: () => Promise<void>): Clock & { advance(ms: number): Promise<void> } {
  let now = NOON
  const wakes = new Set<{ at: number; wake: () => void }>()
  const first = () => [...wakes].reduce((a, b) => (b.at < a.at ? b : a), { at: Infinity, wake() {} })
  return {
    now: () => now,
    monotonic: () => now - NOON,
    asleepMs: () => 0,
    wakeAt(atMono, wake) {
      const one = { at: Math.max(atMono + NOON, now), wake }
      wakes.add(one)
      return () => wakes.delete(one)
    },
    async advance(ms) {
      const until = now + ms
      for (let next = first(); next.at <= until; next = first()) {
        wakes.delete(next)
        now = next.at
        next.wake()
        await idle()
      }
      now = until
    },
  }
}

/** The engine beside the simulated venue, as it is recorded: the rules are there from the start. */
export async function pastRun(kinds: readonly Kind[], rules: readonly Rule[], seed: number, pollMs: number) {
  const clock = quickClock(async () => engine.idle())
  const world = createWorld(planFor(), { seed, stepSeconds: 60, startSeconds: NOON / 1_000 })
  const ids = [...new Set(rules.map(({ chatId }) => chatId))]
  const { store, told } = pastStore(
    remembered({
      chats: ids.map((id) => aChat({ id })),
      watches: DEMO_WALLETS.map((wallet) => aWatch({ wallet, label: wallet.slice(0, 6) })),
      rules: [...rules],
    }),
  )
  const moves: { at: number; alert: string; from: number; to: number }[] = []
  const tierIn = (words: string) => Number(/^tier (\d+)$/.exec(words)?.[1] ?? 0)
  const periods = { marketPollMs: pollMs, walletPollMinMs: pollMs, walletPollMaxMs: 3 * pollMs }
  const engine: Engine = await createEngine({
    ...{ store, clock, kinds, periods, platforms: ['terminal'] },
    emit: (event) => {
      if (event.is === 'turn-failed') throw event.error
      if (event.is !== 'transition') return
      const { alert, from, to } = event
      moves.push({ at: clock.now(), alert, from: tierIn(from), to: tierIn(to) })
    },
    committed() {},
    inputTaken() {},
    transitioned() {},
    digestTold() {},
    escalated() {},
    storeFailed() {},
    readAll() {},
    readNow: () => false,
  })
  engine.start()
  const past = createBacktester({
    ...{ drawers: engine.memory, recording: store.recording, kinds, clock, marketPollMs: pollMs },
  })
  return { clock, engine, store, past, told, moves, ...venueOf(world, clock, engine) }
}

/** One answer after the other, as the venue's client reads them. */
function venueOf(world: ReturnType<typeof createWorld>, clock: Clock, engine: Engine) {
  const began = clock.now()
  let listed: ReturnType<typeof readMarkets> | null = null
  const moved = () => {
    while (world.moveTo((clock.now() - began) / 1_000, []) === 'liquidated');
  }
  const priceOf = (id: string) => toNumber(engine.memory.markets.readings.get(id)?.value.price ?? 0n)
  const at = () => ({ at: clock.now(), mono: clock.monotonic() })
  return {
    async markets() {
      moved()
      const { markets, nowSeconds } = world.exchange
      const records = () => [...markets.values()].map((market) => marketRecord(market, nowSeconds))
      // What a market has beside its price and its rate costs more than all else, and nothing is judged by it.
      listed ??= readMarkets([{ chainId: 8008, markets: records() }], 8008)
      const value = {
        ...listed,
        markets: listed.markets.map((one) => {
          const market = markets.get(one.id)
          if (!market) throw new Error(`market ${one.id} is gone`)
          return { ...one, price: market.indexPrice, fundingRatePerDay: fundingAt(market, nowSeconds).rate }
        }),
      }
      engine.markets({ ...at(), value })
      await engine.idle()
    },
    /** With the figures of its accounts, or without them. */
    async wallet(wallet: Wallet, shown: boolean) {
      moved()
      const query = new URLSearchParams({ owner: wallet, ownershipType: 'SuperOwner' })
      const asked = { method: 'GET', path: '/positions/v2', query, body: '', key: null, from: '' }
      const unix = (seconds: number) => Math.floor(seconds)
      const { body } = answer({ exchange: world.exchange, unix }, asked)
      const read = readPositions(JSON.parse(JSON.stringify(body)), 8008, wallet)
      const value = shown ? { ...read, accounts: accountsOf(wallet, read.positions, priceOf) } : read
      engine.wallet({ ...at(), wallet, value, orders: null, closeRecords: null, unsolicited: false })
      await engine.idle()
    },
    fails: (wallet: Wallet) => engine.failed({ is: 'wallet', wallet }, 'no answer'),
  }
}

/** The venue shows none: an account that is as near its end as the nearest of its positions, which comes to the same. */
function accountsOf(
  wallet: Wallet,
  positions: readonly Position[],
  priceOf: (marketId: string) => number,
): Account[] {
  return [...Map.groupBy(positions, ({ accountId }) => accountId)].map(([accountId, own]) => {
    const ratios = own.map(({ marketId, liquidationPrice }) => {
      const price = priceOf(marketId)
      return liquidationPrice === null ? 0 : 1 / (1 + 8 * Math.abs(1 - toNumber(liquidationPrice) / price))
    })
    const unsaid = { equityUsd: null, maintenanceUsd: null, withdrawableUsd: null }
    return { wallet, accountId, pool: accountId, mode: 'single', marginRatio: Math.max(...ratios), ...unsaid }
  })
}

export type Run = Awaited<ReturnType<typeof pastRun>> & { past: Backtester }
