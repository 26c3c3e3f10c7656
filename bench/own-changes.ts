import { createBudget } from '../src/polling/budget/budget.ts'
import { createWalletPoller } from '../src/polling/wallets.ts'
import { magnitude } from '../src/venue/amount.ts'
import type { WalletReading } from '../src/venue/reading.ts'
import type { Venue } from '../src/venue/venue.ts'
import type { Wallet } from '../src/venue/wallet.ts'
import { readMarkets } from '../src/venues/perps-data/wire/markets.ts'
import { readPositions } from '../src/venues/perps-data/wire/positions.ts'
import type { VenueEvent } from '../src/venues/sim/exchange/venue-events.ts'
import { answer } from '../src/venues/sim/http/api.ts'
import { planFor } from '../src/venues/sim/play/plan.ts'
import { traderWallet } from '../src/venues/sim/play/traders.ts'
import { createWorld, type World } from '../src/venues/sim/play/world.ts'
import { CHAIN_ID } from '../src/venues/sim/wire/figures.ts'
import { handClock } from '../test/support/clock.ts'
import { at, say } from './support/figures.ts'
import { knowersDelaysS } from './support/rate-knower.ts'
import { row } from './support/rows.ts'

// How soon it is seen what people change in their wallets, over the trades of the simulated venue: our order of reading
// beside one wallet after the other with the same requests. Once as at a venue that names who traded (as Hyperliquid
// does), with gaps in what is heard, and once as at one that names nobody. Arguments: wallets, seeds.

const [, , wallets = '5000', seeds = '1'] = process.argv
const WALLETS = Number(wallets)
const GOAL = 2
const DAY = 86_400
const LIST_MS = 2_000
const [WARM_MS, COUNTED_MS, AFTER_MS] = [20 * 60_000, 40 * 60_000, 20 * 60_000]
/** A name comes so long after its trade. */
const NAMED_MS = 500
/** How often nothing is heard for how long: a connection is cut, and takes its time to come back. */
const GAP_EVERY_MS = 20 * 60_000
const GAP_MS = 30_000

interface Setting {
  /** The venue names who traded. */
  names: boolean
  perSecond: number
  /** The share of wallets near danger. */
  near: number
  /** Trades by wallets that nobody watches, for each by one that somebody does. */
  unseen: number
}

interface Change {
  wallet: Wallet
  atMs: number
  /** It closed a position, or took a part that the form has a button for: lists of markets show whose it was. */
  isShown: boolean
}

/** Seconds from each change to the reading that shows it. */
interface Delays {
  ours: number[]
  /** One wallet after the other. */
  theirs: number[]
  /** By one who knows how often each person trades, and not when. */
  knowers: number[]
}

const SETTINGS: readonly Setting[] = [
  { names: true, perSecond: 20, near: 0, unseen: 1 },
  { names: true, perSecond: 20, near: 0.03, unseen: 1 },
  { names: false, perSecond: 20, near: 0, unseen: 1 },
  { names: false, perSecond: 20, near: 0.03, unseen: 1 },
]

for (const setting of SETTINGS) {
  const all: Delays = { ours: [], theirs: [], knowers: [] }
  for (let seed = 1; seed <= Number(seeds); seed++) {
    const { ours, theirs, knowers } = await run(setting, seed)
    all.ours.push(...ours)
    all.theirs.push(...theirs)
    all.knowers.push(...knowers)
  }
  const { names, perSecond, near, unseen } = setting
  const where = `a venue that names ${names ? 'who traded' : 'nobody'}`
  say(
    `${where}: ${WALLETS} wallets, ${perSecond} requests a second, ${near * 100} % near danger, ${unseen} unseen trades for each seen: ${all.ours.length} changes`,
  )
  for (const name of ['mean', 'p50', 'p95', 'max'] as const) {
    const [ours, theirs] = [figure(all.ours, name), figure(all.theirs, name)]
    row(
      `own changes at ${where}, ${near * 100} % near danger, ${perSecond} a second: ${name}, times as soon as one after the other`,
      theirs / ours,
      '×',
      name === 'mean' || name === 'p95' ? { atLeast: GOAL } : null,
      `${ours.toFixed(0)} s, one after the other ${theirs.toFixed(0)} s${names || name !== 'p95' ? '' : knowersWords(theirs, all.knowers)}`,
      'more',
    )
  }
}

/** What such a reader reaches, at the cost of the rarest: some of their changes are seen very late. */
function knowersWords(theirs: number, knowers: readonly number[]): string {
  const [p95, max] = [figure(knowers, 'p95'), figure(knowers, 'max')]
  return `; one who knows how often each trades, and not when, ${p95.toFixed(0)} s (${(theirs / p95).toFixed(2)} ×), at most ${max.toFixed(0)} s`
}

async function run(setting: Setting, seed: number): Promise<Delays> {
  const world = aged(setting, seed)
  const clock = handClock(Date.UTC(2026, 0, 15))
  const wallets = Array.from({ length: WALLETS }, (_, index) => traderWallet(index))
  const near = new Set(wallets.slice(0, WALLETS * setting.near))
  const budget = createBudget({
    ...{ clock, emit: () => {} },
    pace: { weightPerSecond: setting.perSecond, burst: null },
  })
  const reads = new Map<Wallet, number[]>(wallets.map((wallet) => [wallet, []]))
  const of = (path: string, query: Record<string, string>) =>
    answer(
      { exchange: world.exchange, unix: (seconds) => seconds },
      { method: 'GET', path, query: new URLSearchParams(query), body: '', key: null, from: '' },
    ).body
  const venue = {
    positions: (wallet, asking) =>
      asking.spend(async () =>
        readPositions(of('/positions/v2', { owner: wallet, ownershipType: 'SuperOwner' }), CHAIN_ID, wallet),
      ),
  } as Pick<Venue, 'positions'> as Venue
  let failedParts: Wallet[] = wallets
  const poller = createWalletPoller({
    ...{ venue, budget, clock, emit: () => {}, ages: { minMs: 2_000, maxMs: 60_000 } },
    demandOf: (wallet) => ({
      ...{ wallet, nearDanger: near.has(wallet), confirm: false, endedSince: null },
      ...{ againMono: null, rememberedDistance: Infinity },
    }),
    changed: () => failedParts.splice(0),
    pushedMono: () => null,
    heardSince: () =>
      setting.names && !isInGap(clock.monotonic()) ? lastGapEndMono(clock.monotonic()) : null,
    read: ({ wallet, mono }: WalletReading) => void reads.get(wallet)?.push(mono),
    failed: (wallet, why) => {
      throw new Error(`${wallet}: ${why}`)
    },
  })
  failedParts = [...wallets]
  const signal = new AbortController().signal
  const changes: Change[] = []
  const watched = new Set(wallets)
  const list = () => {
    const told: VenueEvent[] = []
    while (world.moveTo(DAY + clock.monotonic() / 1_000, told) === 'liquidated');
    for (const one of told) {
      const wallet = 'accountId' in one ? world.exchange.accounts.get(one.accountId)?.wallet : undefined
      if ((one.is !== 'settled' && one.is !== 'liquidated') || !wallet || !watched.has(wallet)) continue
      changes.push({ wallet, atMs: clock.monotonic(), isShown: isShown(one) })
      if (setting.names && !isInGap(clock.monotonic()))
        clock.wakeAt(clock.monotonic() + NAMED_MS, () => poller.traded(wallet))
    }
    void budget.spend('markets', signal, async () =>
      poller.listed(readMarkets(of('/markets', {}), CHAIN_ID).markets),
    )
    clock.wakeAt(clock.monotonic() + LIST_MS, list)
  }
  list()
  const hearAgain = () => {
    poller.heardAgain()
    clock.wakeAt(clock.monotonic() + GAP_EVERY_MS, hearAgain)
  }
  if (setting.names) clock.wakeAt(lastGapEndMono(GAP_EVERY_MS), hearAgain)
  poller.start()
  await clock.advance(WARM_MS + COUNTED_MS + AFTER_MS - clock.monotonic())
  await poller.stop()
  const counted = changes.filter(({ atMs }) => atMs >= WARM_MS && atMs < WARM_MS + COUNTED_MS)
  const cycleMs = (WALLETS / (setting.perSecond - 1_000 / LIST_MS)) * 1_000
  const numbers = new Map(wallets.map((wallet, index) => [wallet, index]))
  const untilMs = WARM_MS + COUNTED_MS + AFTER_MS
  const forNear = [...near].reduce((sum, wallet) => sum + (reads.get(wallet)?.length ?? 0), 0)
  const places = new Map(wallets.map((wallet, index) => [wallet, (index / WALLETS) * cycleMs]))
  return {
    ours: counted.map(({ wallet, atMs }) => {
      const seen = reads.get(wallet)?.find((mono) => mono >= atMs) ?? WARM_MS + COUNTED_MS + AFTER_MS
      return (seen - atMs) / 1_000
    }),
    theirs: counted.map(({ wallet, atMs }) => {
      const first = places.get(wallet) ?? 0
      return (first + Math.ceil((atMs - first) / cycleMs) * cycleMs - atMs) / 1_000
    }),
    knowers: setting.names
      ? []
      : knowersDelaysS(
          {
            rates: ratesOf(setting, seed, wallets),
            // Those near danger are read all the time.
            changes: changes.map((one) => ({
              ...one,
              wallet: numbers.get(one.wallet) ?? 0,
              isShown: one.isShown || near.has(one.wallet),
            })),
            perSecond: setting.perSecond - 1_000 / LIST_MS - (forNear * 1_000) / untilMs,
            untilMs,
          },
          ({ atMs }) => atMs >= WARM_MS && atMs < WARM_MS + COUNTED_MS,
        ),
  }
}

function isShown(one: VenueEvent): boolean {
  if (one.is !== 'settled') return true
  const before = one.size - one.sizeDelta
  // The buttons of the order form take quarters of a position.
  return magnitude(one.size) < magnitude(before) && (one.size * 4n) % before === 0n
}

/** Gaps lie in the middle of their periods. */
function isInGap(mono: number): boolean {
  const into = mono % GAP_EVERY_MS
  return into >= GAP_EVERY_MS / 2 - GAP_MS && into < GAP_EVERY_MS / 2
}

function lastGapEndMono(mono: number): number {
  return Math.max(Math.floor(mono / GAP_EVERY_MS - 0.5) + 0.5, 0) * GAP_EVERY_MS
}

/** After a day, so that wallets have a past. */
function aged(setting: Setting, seed: number): World {
  const world = young(setting, seed)
  while (world.moveTo(DAY, []) === 'liquidated');
  return world
}

function young({ unseen }: Setting, seed: number): World {
  const plan = planFor({ traders: WALLETS })
  const trades = plan.markets.reduce((sum, { trades24h }) => sum + Math.sqrt(trades24h), 0)
  const markets = plan.markets.map((spec) => ({
    ...spec,
    swing: { ...spec.swing, squeezes: 'nobody' as const, periodHours: 200 },
    trades24h: Math.round((Math.sqrt(spec.trades24h) / trades) * unseen * WALLETS * 6),
  }))
  const start = { seed, stepSeconds: LIST_MS / 1_000, startSeconds: 1_750_000_000 }
  return createWorld({ ...plan, markets, accounts: [] }, start)
}

/** How often each of them sits down to trade, in a millisecond. */
function ratesOf(setting: Setting, seed: number, wallets: readonly Wallet[]): number[] {
  const { next } = young(setting, seed).traders
  const rates = new Map<Wallet, number>()
  for (let one = next.pop(); one; one = next.pop())
    rates.set(one.key.account.wallet, one.key.sittingsPerDay / DAY / 1_000)
  return wallets.map((wallet) => rates.get(wallet) ?? 0)
}

function figure(values: readonly number[], name: 'mean' | 'p50' | 'p95' | 'max'): number {
  if (name === 'mean') return values.reduce((sum, one) => sum + one, 0) / values.length
  return at(values, { p50: 0.5, p95: 0.95, max: 1 }[name])
}
