import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kinds } from '../src/alerts/index.ts'
import { createEngine } from '../src/engine/engine.ts'
import { createView } from '../src/engine/view.ts'
import type { Event } from '../src/event.ts'
import type { Owner } from '../src/owner.ts'
import { createPolling } from '../src/polling/polling.ts'
import type { Store } from '../src/store.ts'
import { openSqlite } from '../src/stores/sqlite/index.ts'
import { readMarkets } from '../src/venues/perps-data/wire/markets.ts'
import { handClock } from '../test/support/clock.ts'
import { titleOf } from '../test/support/engine.ts'
import { scriptedVenue } from '../test/support/polling.ts'
import { INSTANT, MARKETS, marketsBody, positionsOf, PRICE, settle } from './support/crowd.ts'
import type { Crowd } from './support/crowd.ts'
import { at } from './support/figures.ts'
import { row } from './support/rows.ts'

// Many healthy wallets, and a budget that cannot read them as often as wished: who is told that we cannot see? The real
// engine and pollers under a clock that is turned. `node bench/unseen.ts [wallets] [minutes]`

const [, , wallets = '5000', minutes = '15'] = process.argv
const PER_SECOND = 20
const PERIODS = { marketPollMs: 2_000, ownerPollMinMs: 2_000, ownerPollMaxMs: 60_000 }

const crowd: Crowd = {
  ...{ people: Number(wallets), positions: 1, rules: 'one', sides: 'both' },
  away: [{ share: 1, from: 0.25, to: 0.8 }],
}
const folder = mkdtempSync(join(tmpdir(), 'perch-bench-'))
const clock = handClock()
const sqlite = openSqlite(join(folder, 'perch.sqlite'), 'bench')
await settle(sqlite, crowd)
const told: string[] = []
const store: Store = {
  ...sqlite,
  async commit(writes) {
    await sqlite.commit(writes)
    for (const write of writes) if (write.is === 'send') told.push(...write.row.message.items.map(titleOf))
  },
}
const emit = (event: Event) => {
  if (event.is === 'turn-failed' || event.is === 'trouble') throw new Error(event.why, { cause: event.error })
  if (event.is === 'turn') polling.nudge()
}
const engine = await createEngine({
  ...{ store, clock, emit, kinds, periods: PERIODS, platforms: [INSTANT], committed: () => {} },
  readNow: (owner, endedSince) => polling.readNow(owner, endedSince),
})
const body = JSON.parse(marketsBody(Array.from({ length: MARKETS }, () => PRICE))) as unknown
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
engine.start()
polling.start()
await clock.advance(Number(minutes) * 60_000)
const unseen = told.filter((title) => title.includes('cannot see')).length
const ages: number[] = []
const last = new Map<Owner, number>()
for (const { owner, tick } of calls) {
  if (owner === null) continue
  const before = last.get(owner)
  if (before !== undefined) ages.push((tick - before) / 1_000)
  last.set(owner, tick)
}
row(
  `“I cannot see” told about ${Number(wallets).toLocaleString('en')} healthy wallets in ${minutes} min at ${PER_SECOND} requests a second`,
  unseen,
  '',
  { atMost: 0 },
  `each read every ${at(ages, 0.5).toFixed(0)} s, at most ${at(ages, 1).toFixed(0)} s; ${told.length} messages in all`,
)
stopping.abort()
await polling.stop()
await engine.stop()
await sqlite.close()
rmSync(folder, { recursive: true })
