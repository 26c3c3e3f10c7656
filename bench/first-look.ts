import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kinds } from '../src/alerts/index.ts'
import { createEngine } from '../src/engine/engine.ts'
import { createView } from '../src/engine/view.ts'
import type { Event } from '../src/event.ts'
import { createPolling } from '../src/polling/polling.ts'
import type { Owner } from '../src/owner.ts'
import { openSqlite } from '../src/stores/sqlite/index.ts'
import { readMarkets } from '../src/venues/perps-data/wire/markets.ts'
import { handClock } from '../test/support/clock.ts'
import { scriptedVenue } from '../test/support/polling.ts'
import { INSTANT, MARKETS, marketsBody, positionsOf, PRICE, settle } from './support/crowd.ts'
import type { Crowd } from './support/crowd.ts'
import { at } from './support/figures.ts'
import { row } from './support/rows.ts'

// After a start nothing has been read yet: when are those near danger told by what an earlier run knew, when are they read, and
// when is everybody? The real engine and pollers under a clock that is turned. `node bench/first-look.ts [wallets]`

const [, , wallets = '5000'] = process.argv
const PER_SECOND = 20
const PERIODS = { marketPollMs: 2_000, ownerPollMinMs: 2_000, ownerPollMaxMs: 60_000 }

/** The first of them are beyond a critical line as soon as prices have fallen by two per cent meanwhile. */
const NEAR = { share: 0.03, from: 0.03, to: 0.06 }
const crowd: Crowd = {
  ...{ people: Number(wallets), positions: 1, rules: 'one', sides: 'long' },
  away: [NEAR, { share: 0.97, from: 0.3, to: 0.8 }],
}
const FALLEN = 0.98
const folder = mkdtempSync(join(tmpdir(), 'perch-bench-'))
const clock = handClock()
const store = openSqlite(join(folder, 'perch.sqlite'), 'bench')
await settle(store, crowd)
const near = new Set(
  Array.from({ length: crowd.people }, (_, index) => index + 1).flatMap((person) =>
    positionsOf(person, crowd).flatMap(({ owner, liquidationPrice }) =>
      Number(liquidationPrice) / 1e18 > PRICE * (1 - NEAR.to) ? owner : [],
    ),
  ),
)

const told = new Map<Owner, number>()
const emit = (event: Event) => {
  if (event.is === 'turn-failed' || event.is === 'trouble') throw new Error(event.why, { cause: event.error })
  if (event.is === 'turn') polling.nudge()
  if (event.is !== 'transition' || event.reason !== 'entered') return
  const owner = [...near].find((one) => event.subject.includes(one))
  if (owner !== undefined && !told.has(owner)) told.set(owner, clock.tick())
}
const engine = await createEngine({
  ...{ store, clock, emit, kinds, periods: PERIODS, platforms: [INSTANT], committed: () => {} },
  readNow: (owner, endedSince) => polling.readNow(owner, endedSince),
})
const body = JSON.parse(marketsBody(Array.from({ length: MARKETS }, () => PRICE * FALLEN))) as unknown
const { venue, calls } = scriptedVenue(clock, {
  markets: () => readMarkets(body, 8008),
  positions: (owner) => ({
    positions: positionsOf(Number(owner), crowd),
    ...{ accounts: [], unusable: [], unread: [], totalCount: 1 },
  }),
})
const stopping = new AbortController()
const about = { venue: 'bench', version: 'bench', marketStaleMs: 12_000 }
const polling = createPolling({
  ...{ venue, readings: engine, clock, emit, signal: stopping.signal },
  view: createView(engine.memory, kinds, clock, about, () => null),
  settings: { ...PERIODS, requestsPerSecond: PER_SECOND },
})
clock.restsWhen(() => engine.idle())
const began = clock.tick()
engine.start()
polling.start()
await clock.advance(6 * 60_000)
const read = new Map<Owner, number>()
for (const { owner, tick } of calls) if (owner !== null && !read.has(owner)) read.set(owner, tick)
const seconds = (map: Map<Owner, number>, owners: Iterable<Owner>) =>
  [...owners].map((owner) => ((map.get(owner) ?? Infinity) - began) / 1_000)
const summary = (all: number[]) =>
  `p50 ${at(all, 0.5).toFixed(1)} s, p95 ${at(all, 0.95).toFixed(1)} s of ${all.length}`
const name = `after a start with ${Number(wallets).toLocaleString('en')} wallets`
const [toldS, readS, allS] = [seconds(told, near), seconds(read, near), seconds(read, read.keys())]
row(`${name}: those near danger told, the last`, at(toldS, 1), 's', null, summary(toldS))
row(`${name}: those near danger read, the last`, at(readS, 1), 's', null, summary(readS))
row(`${name}: everybody read, the last`, at(allS, 1), 's', null, summary(allS))
stopping.abort()
await polling.stop()
await engine.stop()
await store.close()
rmSync(folder, { recursive: true })
