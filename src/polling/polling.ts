import type { Read, View } from '../command/context.ts'
import type { Clock, Reading } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Market } from '../venue/market.ts'
import type { OrderDraft, Preview } from '../venue/order.ts'
import { unsolicited, type Readings, type ReadNow } from '../venue/reading.ts'
import { type VenueLoad, walletsServed } from '../venue/venue-load.ts'
import type { MarketsAnswer, Venue } from '../venue/venue.ts'
import { createBudget, paceOf } from './budget/budget.ts'
import { createMarketPoller } from './markets.ts'
import { createOrdersPoller } from './orders.ts'
import { createPush } from './push.ts'
import { createReads } from './reads.ts'
import { createWalletPoller } from './wallets.ts'

/** Everything that asks the venue: the pollers and what commands read, on one budget. */
interface Polling {
  read: Read
  venueLoad(): VenueLoad
  start(): void
  nudge(): void
  /** A read of every owner is due now. */
  readWallets(): void
  readNow: ReadNow
  /** What an order would do, when nothing that protects wants the request. */
  quote(draft: OrderDraft, limitMs: number, signal: AbortSignal): Promise<Preview>
  /** How many such requests wait for their turn, which nothing but time brings. */
  quoteWaits(): number
  stop(): Promise<void>
  idle(): Promise<void>
}

export function createPolling(world: {
  venue: Venue
  readings: Readings
  view: View
  clock: Clock
  emit: Emit
  signal: AbortSignal
  settings: {
    marketPollMs: number
    walletPollMinMs: number
    walletPollMaxMs: number
    requestsPerSecond: number
  }
}): Polling {
  const { venue, readings, view, clock, emit, signal } = world
  const { marketPollMs, walletPollMinMs, walletPollMaxMs, requestsPerSecond } = world.settings
  const budget = createBudget({ clock, emit, pace: paceOf(venue.limits, requestsPerSecond) })
  const capacity = createCapacity(emit)
  const standsStill = createFrozenPrices()
  /** Whether the last look at the markets failed. */
  let down = false
  const shared = { venue, budget, clock, emit }
  const pushing = createPush({
    ...{ push: venue.push, readings, clock, emit },
    tookMarkets(reading) {
      const why = tookMarkets(reading)
      if (why !== null) readings.failed({ is: 'markets' }, why)
    },
    isConfirming: (wallet) => wallets.isConfirming(wallet),
    tookWallet(reading) {
      wallets.told(reading.wallet, reading)
      readings.wallet(reading)
    },
    marketsMissed: () => markets.nudge(),
  })
  const markets = createMarketPoller({
    ...shared,
    everyMs: marketPollMs,
    toldUntil: () => pushing.marketsUntil(),
    needed: () => readings.needed(),
    read(reading) {
      const why = tookMarkets(reading)
      if (why !== null) return why
      if (down) wallets.readFailed()
      down = false
      return null
    },
    failed(why) {
      down = true
      readings.failed({ is: 'markets' }, why)
    },
  })
  const wallets = createWalletPoller({
    ...shared,
    ages: { minMs: walletPollMinMs, maxMs: walletPollMaxMs },
    demandOf: (wallet) => readings.demandOf(wallet),
    changed: () => readings.changed(),
    toldMono: (wallet) => pushing.toldMono(wallet),
    read: (reading) => readings.wallet(reading),
    failed: (wallet, why) => readings.failed({ is: 'wallet', wallet }, why),
  })
  const orders = createOrdersPoller({
    ...shared,
    readers: () => readings.readers(),
    awaited: (wallet) => readings.awaited(wallet),
    read: (reading) => readings.orders(reading),
    failed: (wallet, why) => readings.failed({ is: 'orders', wallet }, why),
  })
  /** Why it is not believed; null when it is. */
  function tookMarkets(reading: Reading<MarketsAnswer>): string | null {
    const why = standsStill(reading.value.markets, reading.mono)
    if (why !== null) return why
    readings.markets(reading)
    wallets.listed(reading.value.markets)
    capacity.look(venueLoad(), view.status().wallets)
    return null
  }
  function venueLoad(): VenueLoad {
    return {
      push: venue.push?.status() ?? null,
      weighed: venue.limits.allowed !== null,
      spent: budget.used(),
      turns: wallets.turns(),
    }
  }
  return {
    read: createReads({
      ...{ venue, budget, clock, view, signal },
      freshMs: 2 * marketPollMs,
      ages: { minMs: walletPollMinMs, maxMs: walletPollMaxMs },
      needed: () => readings.needed(),
      tookMarkets,
      tookWallet(wallet, reading) {
        wallets.readForSomebody(wallet, reading)
        readings.wallet(unsolicited(wallet, reading))
      },
    }),
    venueLoad,
    start() {
      markets.start()
      wallets.start()
      orders.start()
      pushing.start()
    },
    nudge() {
      wallets.nudge()
      orders.nudge()
    },
    readWallets: () => wallets.readAll(),
    readNow: wallets.readNow,
    quoteWaits: () => budget.waits('quote'),
    quote: (draft, limitMs, signal) =>
      venue.preview(draft, {
        ...{ patience: 'poll', limitMs, signal },
        spend: (request, weight) => budget.spend('quote', signal, request, weight),
      }),
    async stop() {
      await Promise.all([markets.stop(), wallets.stop(), orders.stop(), pushing.stop()])
    },
    async idle() {
      await Promise.all([markets.idle(), wallets.idle(), orders.idle()])
    },
  }
}

/** So many looks one after the other must each have shown something new, or standing still means nothing. */
const LIVELY_LOOKS = 30
/** A minute without a single trade is quiet, two without any change of any rate are not. */
const STANDS_MS = 120_000
const STANDS =
  'The venue answers, but not one figure of any market has changed for two minutes: it shows what was before.'

/**
 * Notices a venue that goes on answering with what it has answered before: prices that are not of now look like those of
 * a calm market. One that often has nothing new is never suspected.
 */
export function createFrozenPrices(): (markets: readonly Market[], mono: number) => string | null {
  const known = new Map<string, Market>()
  let lively = 0
  let stands = false
  let changedMono = -Infinity
  return (markets, mono) => {
    const moved = markets.filter((market) => !isSame(known.get(market.id), market))
    for (const market of moved) known.set(market.id, market)
    if (moved.length > 0) {
      lively = stands ? 1 : lively + 1
      stands = false
      changedMono = mono
      return null
    }
    stands = true
    return lively >= LIVELY_LOOKS && mono - changedMono >= STANDS_MS ? STANDS : null
  }
}

function isSame(before: Market | undefined, now: Market): boolean {
  return (
    before !== undefined &&
    before.price === now.price &&
    before.fundingRatePerDay === now.fundingRatePerDay &&
    before.otherPrice === now.otherPrice &&
    before.openInterest === now.openInterest &&
    before.volume24hUsd === now.volume24hUsd
  )
}

/** What is reckoned from the last minute is not exact: so much less than is needed is surely too little. */
const SURELY = 0.95
/** What may be told anew was more than enough in between. */
const AMPLE = 1.2

/** Tells once when more wallets are watched than the present pace is enough for. */
interface Capacity {
  look(venueLoad: VenueLoad, watched: number): void
}

export function createCapacity(emit: Emit): Capacity {
  let isPassed = false
  return {
    look(venueLoad, watched) {
      const served = walletsServed(venueLoad, watched)
      if (served === null) return
      if (isPassed) isPassed = served <= watched * AMPLE
      else if (served < watched * SURELY) {
        isPassed = true
        emit({ is: 'capacity', served, watched, wishedMs: venueLoad.turns.wishedMs })
      }
    },
  }
}
