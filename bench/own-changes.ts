import { createBudget } from '../src/polling/budget/budget.ts'
import { createOwnerPoller } from '../src/polling/wallets.ts'
import type { OwnerReading } from '../src/venue/reading.ts'
import type { Venue } from '../src/venue/venue.ts'
import type { Owner } from '../src/venue/wallet.ts'
import { readMarkets } from '../src/venues/perps-data/wire/markets.ts'
import { readPositions } from '../src/venues/perps-data/wire/positions.ts'
import type { Happening } from '../src/venues/sim/exchange/happening.ts'
import { answer } from '../src/venues/sim/http/api.ts'
import { planFor } from '../src/venues/sim/play/plan.ts'
import { traderOwner } from '../src/venues/sim/play/traders.ts'
import { createWorld, type World } from '../src/venues/sim/play/world.ts'
import { CHAIN_ID } from '../src/venues/sim/wire/figures.ts'
import { at, say } from './support/figures.ts'
import { handClock } from './support/hand-clock.ts'
import { row } from './support/rows.ts'

// How soon it is seen what people change in their wallets, over the trades of the simulated venue: our order of reading
// beside one wallet after the other with the same requests. Arguments: wallets, seeds.

const [, , wallets = '5000', seeds = '1'] = process.argv
const WALLETS = Number(wallets)
const GOAL = 2
const DAY = 86_400
const LIST_MS = 2_000
const [WARM_MS, COUNTED_MS, AFTER_MS] = [20 * 60_000, 40 * 60_000, 20 * 60_000]

interface Setting {
  perSecond: number
  /** The share of wallets near danger. */
  near: number
  /** Trades by wallets that nobody watches, for each by one that somebody does. */
  unseen: number
}

interface Change {
  owner: Owner
  atMs: number
}

const SETTINGS: readonly Setting[] = [
  { perSecond: 20, near: 0, unseen: 1 },
  { perSecond: 20, near: 0.03, unseen: 1 },
]

for (const setting of SETTINGS) {
  const all = { ours: [] as number[], theirs: [] as number[] }
  for (let seed = 1; seed <= Number(seeds); seed++) {
    const { ours, theirs } = await run(setting, seed)
    all.ours.push(...ours)
    all.theirs.push(...theirs)
  }
  const { perSecond, near, unseen } = setting
  say(
    `${WALLETS} wallets, ${perSecond} requests a second, ${near * 100} % near danger, ${unseen} unseen trades for each seen: ${all.ours.length} changes`,
  )
  for (const name of ['mean', 'p50', 'p95', 'max'] as const) {
    const [ours, theirs] = [figure(all.ours, name), figure(all.theirs, name)]
    row(
      `own changes, ${near * 100} % near danger, ${perSecond} a second: ${name}, times as soon as one after the other`,
      theirs / ours,
      '×',
      name === 'mean' || name === 'p95' ? { atLeast: GOAL } : null,
      `${ours.toFixed(0)} s, one after the other ${theirs.toFixed(0)} s`,
    )
  }
}

async function run(setting: Setting, seed: number): Promise<{ ours: number[]; theirs: number[] }> {
  const world = aged(setting, seed)
  const clock = handClock(Date.UTC(2026, 0, 15))
  const owners = Array.from({ length: WALLETS }, (_, index) => traderOwner(index))
  const near = new Set(owners.slice(0, WALLETS * setting.near))
  const budget = createBudget({
    ...{ clock, emit: () => {} },
    pace: { weightPerSecond: setting.perSecond, burst: null },
  })
  const reads = new Map<Owner, number[]>(owners.map((owner) => [owner, []]))
  const of = (path: string, query: Record<string, string>) =>
    answer(
      { exchange: world.exchange, unix: (seconds) => seconds },
      { method: 'GET', path, query: new URLSearchParams(query), body: '', key: null, from: '' },
    ).body
  const venue = {
    positions: (owner, asking) =>
      asking.spend(async () =>
        readPositions(of('/positions/v2', { owner, ownershipType: 'SuperOwner' }), CHAIN_ID, owner),
      ),
  } as Pick<Venue, 'positions'> as Venue
  let unread: Owner[] = owners
  const poller = createOwnerPoller({
    ...{ venue, budget, clock, emit: () => {}, ages: { minMs: 2_000, maxMs: 60_000 } },
    demandOf: (owner) => ({
      ...{ owner, nearDanger: near.has(owner), confirm: false, endedSince: null },
      ...{ againTick: null, rememberedDistance: Infinity },
    }),
    changed: () => unread.splice(0),
    toldTick: () => null,
    read: ({ owner, tick }: OwnerReading) => void reads.get(owner)?.push(tick),
    failed: (owner, why) => {
      throw new Error(`${owner}: ${why}`)
    },
  })
  unread = [...owners]
  const signal = new AbortController().signal
  const changes: Change[] = []
  const watched = new Set(owners)
  const list = () => {
    const told: Happening[] = []
    while (world.moveTo(DAY + clock.tick() / 1_000, told) === 'liquidated');
    for (const one of told) {
      const owner = 'accountId' in one ? world.exchange.accounts.get(one.accountId)?.owner : undefined
      if ((one.is === 'settled' || one.is === 'liquidated') && owner && watched.has(owner))
        changes.push({ owner, atMs: clock.tick() })
    }
    void budget.spend('markets', signal, async () =>
      poller.listed(readMarkets(of('/markets', {}), CHAIN_ID).markets),
    )
    clock.wakeAt(clock.tick() + LIST_MS, list)
  }
  list()
  poller.start()
  await clock.runUntil(WARM_MS + COUNTED_MS + AFTER_MS)
  await poller.stop()
  const counted = changes.filter(({ atMs }) => atMs >= WARM_MS && atMs < WARM_MS + COUNTED_MS)
  const cycleMs = (WALLETS / (setting.perSecond - 1_000 / LIST_MS)) * 1_000
  const places = new Map(owners.map((owner, index) => [owner, (index / WALLETS) * cycleMs]))
  return {
    ours: counted.map(({ owner, atMs }) => {
      const seen = reads.get(owner)?.find((tick) => tick >= atMs) ?? WARM_MS + COUNTED_MS + AFTER_MS
      return (seen - atMs) / 1_000
    }),
    theirs: counted.map(({ owner, atMs }) => {
      const first = places.get(owner) ?? 0
      return (first + Math.ceil((atMs - first) / cycleMs) * cycleMs - atMs) / 1_000
    }),
  }
}

/** After a day, so that wallets have a past. */
function aged({ unseen }: Setting, seed: number): World {
  const plan = planFor({ traders: WALLETS })
  const trades = plan.markets.reduce((sum, { trades24h }) => sum + Math.sqrt(trades24h), 0)
  const markets = plan.markets.map((spec) => ({
    ...spec,
    swing: { ...spec.swing, squeezes: 'nobody' as const, periodHours: 200 },
    trades24h: Math.round((Math.sqrt(spec.trades24h) / trades) * unseen * WALLETS * 6),
  }))
  const start = { seed, stepSeconds: LIST_MS / 1_000, startSeconds: 1_750_000_000 }
  const world = createWorld({ ...plan, markets, accounts: [] }, start)
  while (world.moveTo(DAY, []) === 'liquidated');
  return world
}

function figure(values: readonly number[], name: 'mean' | 'p50' | 'p95' | 'max'): number {
  if (name === 'mean') return values.reduce((sum, one) => sum + one, 0) / values.length
  return at(values, { p50: 0.5, p95: 0.95, max: 1 }[name])
}
