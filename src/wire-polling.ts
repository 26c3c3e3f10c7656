import type { Clock } from './clock.ts'
import type { Read, View } from './command.ts'
import type { Engine } from './engine/engine.ts'
import type { Emit } from './event.ts'
import { createBudget } from './polling/budget.ts'
import { createMarketPoller } from './polling/markets.ts'
import { createOwnerPoller } from './polling/owners.ts'
import { createReads } from './polling/reads.ts'
import type { Venue } from './venue.ts'

/** Everything that asks the venue, wired: the pollers and what commands read, on one budget. */
export interface Polling {
  read: Read
  start(): void
  nudge(): void
  /** A read of every owner is due now. */
  readOwners(): void
  stop(): Promise<void>
  idle(): Promise<void>
}

export function wirePolling(world: {
  venue: Venue
  engine: Engine
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
  const { venue, engine, view, clock, emit, signal } = world
  const { marketPollMs, ownerPollMinMs, ownerPollMaxMs, requestsPerSecond } = world.settings
  const ceiling = Math.min(requestsPerSecond, venue.limits.requestsPerSecond ?? Infinity)
  const budget = createBudget({ clock, emit, requestsPerSecond: ceiling })
  const shared = { venue, budget, clock, emit }
  const markets = createMarketPoller({
    ...shared,
    everyMs: marketPollMs,
    read: (reading) => engine.markets(reading),
    failed: (why) => engine.failed('markets', why),
  })
  const owners = createOwnerPoller({
    ...shared,
    ages: { minMs: ownerPollMinMs, maxMs: ownerPollMaxMs },
    demand: () => engine.demand(),
    read: (reading) => engine.owner(reading),
    failed: (owner, why) => engine.failed(`owner/${owner}`, why),
  })
  return {
    read: createReads({
      ...{ venue, budget, clock, view, signal },
      freshMs: 2 * marketPollMs,
      tookMarkets: (reading) => engine.markets(reading),
      tookOwner: (owner, reading) => engine.owner({ ...reading, owner, orders: null }),
    }),
    start() {
      markets.start()
      owners.start()
    },
    nudge: () => owners.nudge(),
    readOwners: () => owners.readAll(),
    async stop() {
      await Promise.all([markets.stop(), owners.stop()])
    },
    async idle() {
      await Promise.all([markets.idle(), owners.idle()])
    },
  }
}
