import type { Read, View } from '../context.ts'
import type { Clock, Reading } from '../clock.ts'
import type { Emit } from '../event.ts'
import { createBudget } from './budget.ts'
import { createCapacity } from './capacity.ts'
import { createMarketPoller } from './markets.ts'
import { createOrdersPoller } from './orders.ts'
import { createOwnerPoller } from './owners.ts'
import { createPushing } from './pushing.ts'
import { createReads } from './reads.ts'
import { paceOf } from './pace.ts'
import type { OrderDraft, Preview } from '../order.ts'
import { inPassing } from '../reading.ts'
import type { ReadNow, Readings } from '../reading.ts'
import { createStandstill } from './standstill.ts'
import type { Supply } from '../supply.ts'
import type { MarketsAnswer, Venue } from '../venue.ts'

/** Everything that asks the venue: the pollers and what commands read, on one budget. */
interface Polling {
  read: Read
  supply(): Supply
  start(): void
  nudge(): void
  /** A read of every owner is due now. */
  readOwners(): void
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
    ownerPollMinMs: number
    ownerPollMaxMs: number
    requestsPerSecond: number
  }
}): Polling {
  const { venue, readings, view, clock, emit, signal } = world
  const { marketPollMs, ownerPollMinMs, ownerPollMaxMs, requestsPerSecond } = world.settings
  const budget = createBudget({ clock, emit, pace: paceOf(venue.limits, requestsPerSecond) })
  const capacity = createCapacity(emit)
  const standsStill = createStandstill()
  /** Whether the last look at the markets failed. */
  let down = false
  const shared = { venue, budget, clock, emit }
  const pushing = createPushing({
    ...{ push: venue.push, readings, clock, emit },
    tookMarkets(reading) {
      const why = tookMarkets(reading)
      if (why !== null) readings.failed({ is: 'markets' }, why)
    },
    isConfirming: (owner) => owners.isConfirming(owner),
    tookOwner(reading) {
      owners.told(reading.owner, reading)
      readings.owner(reading)
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
      if (down) owners.readFailed()
      down = false
      return null
    },
    failed(why) {
      down = true
      readings.failed({ is: 'markets' }, why)
    },
  })
  const owners = createOwnerPoller({
    ...shared,
    ages: { minMs: ownerPollMinMs, maxMs: ownerPollMaxMs },
    demandOf: (owner) => readings.demandOf(owner),
    changed: () => readings.changed(),
    toldTick: (owner) => pushing.toldTick(owner),
    read: (reading) => readings.owner(reading),
    failed: (owner, why) => readings.failed({ is: 'owner', owner }, why),
  })
  const orders = createOrdersPoller({
    ...shared,
    readers: () => readings.readers(),
    awaited: (owner) => readings.awaited(owner),
    read: (reading) => readings.orders(reading),
    failed: (owner, why) => readings.failed({ is: 'orders', owner }, why),
  })
  /** Why it is not believed; null when it is. */
  function tookMarkets(reading: Reading<MarketsAnswer>): string | null {
    const why = standsStill(reading.value.markets, reading.tick)
    if (why !== null) return why
    readings.markets(reading)
    owners.listed(reading.value.markets)
    capacity.look(supply(), view.status().owners)
    return null
  }
  function supply(): Supply {
    return {
      push: venue.push?.status() ?? null,
      weighed: venue.limits.allowed !== null,
      spent: budget.used(),
      turns: owners.turns(),
    }
  }
  return {
    read: createReads({
      ...{ venue, budget, clock, view, signal },
      freshMs: 2 * marketPollMs,
      ages: { minMs: ownerPollMinMs, maxMs: ownerPollMaxMs },
      needed: () => readings.needed(),
      tookMarkets,
      tookOwner(owner, reading) {
        owners.readForSomebody(owner, reading)
        readings.owner(inPassing(owner, reading))
      },
    }),
    supply,
    start() {
      markets.start()
      owners.start()
      orders.start()
      pushing.start()
    },
    nudge() {
      owners.nudge()
      orders.nudge()
    },
    readOwners: () => owners.readAll(),
    readNow: owners.readNow,
    quoteWaits: () => budget.waits('quote'),
    quote: (draft, limitMs, signal) =>
      venue.preview(draft, {
        ...{ patience: 'poll', limitMs, signal },
        spend: (request, weight) => budget.spend('quote', signal, request, weight),
      }),
    async stop() {
      await Promise.all([markets.stop(), owners.stop(), orders.stop(), pushing.stop()])
    },
    async idle() {
      await Promise.all([markets.idle(), owners.idle(), orders.idle()])
    },
  }
}
