import type { Read, View } from '../command/context.ts'
import type { Clock, Reading } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { OrderDraft, Preview } from '../venue/order.ts'
import { unsolicited, type Readings, type ReadNow } from '../venue/reading.ts'
import { type VenueLoad, walletsServed } from '../venue/venue-load.ts'
import type { MarketsAnswer, Venue } from '../venue/venue.ts'
import { createBudget } from './budget/budget.ts'
import { paceOf } from './budget/pace.ts'
import { createFrozenPrices, createJumpedPrices, without } from './doubted-prices.ts'
import { createMarketPoller } from './markets.ts'
import { createOrdersPoller } from './orders.ts'
import { createPush } from './push.ts'
import { createReads } from './reads.ts'
import { createWalletPoller } from './wallets.ts'

/** All requests to the venue: the pollers and the reads of commands share one budget. */
interface Polling {
  read: Read
  /** How each venue is read now, and what that costs; the first one first. */
  venueLoads(): readonly VenueLoad[]
  start(): void
  nudge(): void
  /** Makes every wallet due now. */
  readWallets(): void
  readNow: ReadNow
  /** Previews an order, after all requests that protect positions. */
  quote(draft: OrderDraft, limitMs: number, signal: AbortSignal): Promise<Preview>
  /** How many quotes wait for their turn. Only time brings it. */
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
  const frozenPrices = createFrozenPrices()
  const jumpedPrices = createJumpedPrices()
  /** True if the last read of the markets failed. */
  let down = false
  let hasSeenMarkets = false
  const shared = { venue, budget, clock, emit }
  const pushing = createPush({
    ...{ push: venue.push, readings, clock, emit },
    tookMarkets(reading) {
      const why = tookMarkets(reading)
      if (why !== null) readings.failed({ is: 'markets' }, why)
    },
    isConfirming: (wallet) => wallets.isConfirming(wallet),
    tookWallet(reading) {
      wallets.pushed(reading.wallet, reading)
      readings.wallet(reading)
    },
    traded: (wallet) => wallets.traded(wallet),
    marketsMissed: () => markets.nudge(),
  })
  const markets = createMarketPoller({
    ...shared,
    everyMs: marketPollMs,
    pushedUntil: () => pushing.marketsUntil(),
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
    pushedMono: (wallet) => pushing.pushedMono(wallet),
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
  /** Returns why the reading is not believed; null if it is. */
  function tookMarkets(reading: Reading<MarketsAnswer>): string | null {
    const { markets: shown, failedParts } = reading.value
    // The part that was asked for failed, and the rest is pushed: this is no reading of anything.
    if (shown.length === 0 && failedParts.length > 0) return null
    const empty = hasSeenMarkets || readings.needed().length > 0 ? whyEmpty(reading.value) : null
    const frozen = frozenPrices(shown, reading.mono)
    const why = empty ?? frozen.all
    if (why !== null) return why
    hasSeenMarkets ||= shown.length > 0
    const doubted = new Map([...frozen.some, ...jumpedPrices(shown, reading.mono)])
    readings.markets({ ...reading, value: without(reading.value, doubted) })
    wallets.listed(reading.value.markets)
    capacity.look(venueLoad(), view.status().wallets)
    return null
  }
  function venueLoad(): VenueLoad {
    return {
      venue: null,
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
    venueLoads: () => [venueLoad()],
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

/** Returns why a list without any market is a failure of the venue; null if it names some, usable or not. */
function whyEmpty({ markets, unusable, failedParts }: MarketsAnswer): string | null {
  const named = markets.length + unusable.length + failedParts.length
  return named > 0 ? null : 'the venue answers with an empty list of markets'
}

/** The estimate from the last minute is not exact. Below this share, it is surely too little. */
const TOO_LITTLE = 0.95
/** The warning may be repeated only after the pace was this much above the need. */
const MORE_THAN_ENOUGH = 1.2

/** Emits an event once when the watched wallets exceed what the present pace can serve. */
interface Capacity {
  look(venueLoad: VenueLoad, watched: number): void
}

export function createCapacity(emit: Emit): Capacity {
  let isPassed = false
  return {
    look(venueLoad, watched) {
      const served = walletsServed(venueLoad, watched)
      if (served === null) return
      if (isPassed) isPassed = served <= watched * MORE_THAN_ENOUGH
      else if (served < watched * TOO_LITTLE) {
        isPassed = true
        emit({ is: 'capacity', served, watched, wishedMs: venueLoad.turns.wishedMs })
      }
    },
  }
}
