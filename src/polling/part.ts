import type { Clock, Reading } from '../runtime/clock.ts'
import { type Emit, emitAt } from '../runtime/event.ts'
import { type Readings, unsolicited } from '../venue/reading.ts'
import { type VenueLoad, walletsServed } from '../venue/venue-load.ts'
import { incompleteness, type MarketsAnswer, type PositionsAnswer, type Venue } from '../venue/venue.ts'
import { venueField } from '../venue/venue-name.ts'
import type { Wallet } from '../venue/wallet.ts'
import { createBudget } from './budget/budget.ts'
import { paceOf } from './budget/pace.ts'
import type { PushedLooks } from './budget/schedule.ts'
import { createFrozenPrices, createJumpedPrices, without } from './doubted-prices.ts'
import { createMarketPoller } from './markets.ts'
import { createListPoller, createOrdersAsking, ORDERS_PACE, TWAPS_PACE } from './orders.ts'
import type { Poller } from './poller.ts'
import { createPush } from './push.ts'
import type { ReadVenue } from './reads.ts'
import { createWalletPoller } from './wallets.ts'

/** Looks at the wallets that a push keeps current take this share of the allowance, if each look weighs 1. */
const LOOKS_SHARE = 1 / 8
/** A venue that shows nobody's orders is not asked for any. */
const NOBODY: readonly Wallet[] = []

export interface Settings {
  marketPollMs: number
  walletPollMinMs: number
  walletPollMaxMs: number
  requestsPerSecond: number
}

/** All requests to one venue: its pollers and the reads of commands share its budget, and no other venue does. */
export interface PolledVenue extends Poller, ReadVenue {
  wallets: ReturnType<typeof createWalletPoller>
  load(): VenueLoad
  nudge(): void
}

export function createPolledVenue(world: {
  venue: Venue
  at: string | undefined
  name: string | null
  readings: Readings
  /** The wallets whose demand has changed since the last call. */
  changed(): Wallet[]
  /** The number of watched wallets. */
  watched(): number
  /** Whether a market, an account or an order is of this venue, by its id. */
  owns(id: string): boolean
  clock: Clock
  emit: Emit
  settings: Settings
}): PolledVenue {
  const { venue, at, name, readings, clock, owns } = world
  const { marketPollMs, walletPollMinMs, walletPollMaxMs, requestsPerSecond } = world.settings
  const emit = name === null ? world.emit : emitAt(name, world.emit)
  const atVenue = venueField(at)
  const budget = createBudget({
    ...{ clock, emit, pace: paceOf(venue.limits, requestsPerSecond) },
    leavesRoom: () => pushing.heardSince() !== null,
  })
  const readEveryMs = venue.push?.readEveryMs ?? null
  const { allowed } = venue.limits
  const allowedPerMs = Math.min(
    allowed ? allowed.weight / allowed.perMs : Infinity,
    requestsPerSecond / 1_000,
  )
  const msPerLook = 1 / (allowedPerMs * LOOKS_SHARE)
  const capacity = createCapacity(emit)
  const frozenPrices = createFrozenPrices()
  const jumpedPrices = createJumpedPrices()
  /** True if the last read of the markets failed. */
  let down = false
  let hasSeenMarkets = false
  const shared = { venue, budget, clock, emit }
  const pushing = createPush({
    ...{ push: venue.push, at, needed, clock, emit },
    nearest: (many, also) => readings.nearest(many, also, at),
    tookMarkets(reading) {
      const why = tookMarkets(reading)
      if (why !== null) marketsFailed(why)
    },
    isConfirming: (wallet) => wallets.isConfirming(wallet),
    tookWallet(reading) {
      wallets.pushed(reading.wallet, reading)
      readings.wallet(reading)
    },
    traded: (wallet) => wallets.traded(wallet),
    marketsMissed: () => markets.nudge(),
    heardAgain: () => wallets.heardAgain(),
  })
  const markets = createMarketPoller({
    ...shared,
    everyMs: marketPollMs,
    pushedUntil: () => pushing.marketsUntil(),
    needed,
    read(reading) {
      const why = tookMarkets(reading)
      if (why !== null) return why
      if (down) wallets.readFailed()
      down = false
      return null
    },
    failed(why) {
      down = true
      marketsFailed(why)
    },
  })
  const wallets = createWalletPoller({
    ...shared,
    at,
    ages: { minMs: walletPollMinMs, maxMs: walletPollMaxMs },
    demandOf: (wallet) => readings.demandOf(wallet, at),
    changed: world.changed,
    pushedMono: (wallet) => pushing.pushedMono(wallet),
    heardSince: () => pushing.heardSince(),
    ...(readEveryMs !== null && { looksAt: looksEvery(readEveryMs) }),
    read: (reading) => readings.wallet(reading),
    failed: (wallet, why) => readings.failed({ is: 'wallet', wallet, ...atVenue }, why),
  })
  const orders = createListPoller({
    ...{ ...shared, pace: ORDERS_PACE },
    ...createOrdersAsking({ venue, clock, awaited: (wallet) => readings.awaited(wallet).filter(owns) }),
    readers: () => (venue.showsOrders === false ? NOBODY : readings.readers()),
    read: (reading) => readings.orders({ ...reading, ...atVenue }),
    failed: (wallet, why) => readings.failed({ is: 'orders', wallet, ...atVenue }, why),
  })
  const { twaps: readTwaps } = venue
  const twaps = readTwaps
    ? createListPoller({
        ...{ ...shared, pace: TWAPS_PACE },
        readers: () => readings.readers('twaps'),
        ask: (wallet, asking) => readTwaps(wallet, asking, false),
        read: (reading) => readings.orders({ ...reading, of: 'twaps', ...atVenue }),
        failed: (wallet, why) => readings.failed({ is: 'orders', of: 'twaps', wallet, ...atVenue }, why),
      })
    : null

  /** Looks show what a push leaves out. They leave most of the allowance to others. */
  function looksEvery(readEveryMs: number) {
    return (wallet: Wallet): PushedLooks | undefined => {
      const sinceMono = pushing.currentSince(wallet)
      if (sinceMono === undefined) return undefined
      const allMs = pushing.current() * msPerLook
      // In whole steps: a period that changed with each wallet would move all looks.
      const everyMs = readEveryMs * Math.max(1, Math.ceil(allMs / readEveryMs))
      // First looks may take half as much beside those at their own moments.
      return { sinceMono, everyMs, firstMs: 2 * allMs }
    }
  }
  function needed(): string[] {
    const ids = readings.needed()
    return name === null ? ids : ids.filter(owns)
  }
  function marketsFailed(why: string): void {
    readings.failed({ is: 'markets', ...atVenue }, why)
  }
  /** Returns why the reading is not believed; null if it is. */
  function tookMarkets(reading: Reading<MarketsAnswer>): string | null {
    const { markets: shown, failedParts } = reading.value
    // The part that was asked for failed, and the rest is pushed: this is no reading of anything.
    if (shown.length === 0 && failedParts.length > 0) return null
    const empty = hasSeenMarkets || needed().length > 0 ? whyEmpty(reading.value) : null
    const frozen = frozenPrices(shown, reading.mono)
    const why = empty ?? frozen.all
    if (why !== null) return why
    hasSeenMarkets ||= shown.length > 0
    const doubted = new Map([...frozen.some, ...jumpedPrices(shown, reading.mono)])
    readings.markets({ ...reading, value: without(reading.value, doubted), ...atVenue })
    wallets.listed(reading.value.markets)
    capacity.look(load(), world.watched())
    return null
  }
  function load(): VenueLoad {
    return {
      venue: name,
      push: venue.push?.status() ?? null,
      weighed: allowed !== null,
      ...(wallets.unknown() > 0 && { unknown: wallets.unknown() }),
      spent: budget.used(),
      turns: wallets.turns(),
    }
  }
  return {
    ...{ venue, at, name, budget, wallets, load, tookMarkets },
    tookWallet(wallet, { value: shown, ...seen }) {
      // An answer of several venues does not say which of them does not know the wallet.
      const isUnknown = name !== null && wallets.isUnknown(wallet) && holdsNothing(shown)
      const reading = { ...seen, value: isUnknown ? { ...shown, isUnknown } : shown }
      wallets.readForSomebody(wallet, reading)
      readings.wallet(unsolicited(wallet, reading, at))
    },
    tookTwaps(wallet, reading) {
      readings.orders({ ...reading, wallet, of: 'twaps', ...atVenue })
      twaps?.heard(wallet, reading.value)
    },
    start() {
      markets.start()
      wallets.start()
      orders.start()
      twaps?.start()
      pushing.start()
    },
    nudge() {
      wallets.nudge()
      orders.nudge()
      twaps?.nudge()
    },
    async stop() {
      await Promise.all([markets.stop(), wallets.stop(), orders.stop(), twaps?.stop(), pushing.stop()])
    },
    async idle() {
      await Promise.all([markets.idle(), wallets.idle(), orders.idle(), twaps?.idle()])
    },
  }
}

function holdsNothing(answer: PositionsAnswer): boolean {
  const { positions, accounts } = answer
  const isEmpty = positions.length === 0 && accounts.every(({ equityUsd }) => !equityUsd)
  return isEmpty && incompleteness(answer) === null
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
      // Before any wallet was read twice in its turn, reads after an outage or near danger are no measure.
      if (venueLoad.turns.everyMs === null) return
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
