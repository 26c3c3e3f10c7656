import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { kinds } from '../../src/alerts/index.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { createView } from '../../src/engine/view.ts'
import { createPolling } from '../../src/polling/polling.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { Store } from '../../src/store/store.ts'
import { openSqlite } from '../../src/stores/sqlite/index.ts'
import type { MarketsAnswer } from '../../src/venue/venue.ts'
import { type HandClock, handClock } from '../../test/support/clock.ts'
import { type Call, scriptedVenue } from '../../test/support/polling.ts'
import { type Crowd, INSTANT, positionsOf, settle } from './crowd.ts'

const PERIODS = { marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs: 60_000 }

interface Turned {
  clock: HandClock
  calls: readonly Call[]
  /** From here on time goes by as the clock is turned. */
  start(): void
  end(): Promise<void>
}

/** The real engine and pollers of a crowd under a clock that is turned, at a venue that answers at once. */
export async function turned(world: {
  crowd: Crowd
  perSecond: number
  markets(): MarketsAnswer
  heard?(event: Event): void
  /** What stands between the engine and its store. */
  watched?(store: Store): Store
}): Promise<Turned> {
  const { crowd, perSecond, watched = (store: Store) => store } = world
  const folder = mkdtempSync(join(tmpdir(), 'perch-bench-'))
  const clock = handClock()
  const sqlite = openSqlite(join(folder, 'perch.sqlite'), 'bench')
  await settle(sqlite, crowd)
  const emit = (event: Event) => {
    if (event.is === 'turn-failed' || event.is === 'trouble')
      throw new Error(event.why, { cause: event.error })
    world.heard?.(event)
  }
  const engine = await createEngine({
    ...{ store: watched(sqlite), clock, emit, kinds, periods: PERIODS },
    ...{ platforms: [INSTANT], committed: () => {} },
    readAll() {},
    inputTaken: () => polling.nudge(),
    transitioned() {},
    digestTold() {},
    escalated() {},
    storeFailed() {},
    readNow: (wallet, endedSince) => polling.readNow(wallet, endedSince),
  })
  const { venue, calls } = scriptedVenue(clock, {
    markets: () => world.markets(),
    positions: (wallet) => ({
      positions: positionsOf(Number(wallet), crowd),
      ...{ accounts: [], unusable: [], failedParts: [], totalCount: crowd.positions },
    }),
  })
  const stopping = new AbortController()
  const about = { venue: 'bench', version: 'bench', marketStaleMs: 12_000 }
  const polling = createPolling({
    ...{ venue, readings: engine, clock, emit, signal: stopping.signal },
    view: createView(engine.memory, kinds, clock, about, () => null),
    settings: { ...PERIODS, requestsPerSecond: perSecond },
  })
  clock.restsWhen(() => engine.idle())
  return {
    ...{ clock, calls },
    start() {
      engine.start()
      polling.start()
    },
    async end() {
      stopping.abort()
      await polling.stop()
      await engine.stop()
      await sqlite.admin.close()
      rmSync(folder, { recursive: true })
    },
  }
}
