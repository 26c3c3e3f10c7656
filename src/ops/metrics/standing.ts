import type { Stats } from '../../alert/stats.ts'
import type { StoreSize } from '../../store/store.ts'
import { MINUTE_MS, type VenueLoad, weightByPurpose } from '../../venue/venue-load.ts'
import { type About, Gauge, Registry, SECOND_MS } from './heard.ts'
import { among, URGENCY_NAMES, sourceLabel } from './labels.ts'

/** Label by label, the value of each series. */
type Series = readonly (readonly [labels: Record<string, string>, value: number])[]

/** Metrics of the present state, computed at each scrape. An unknown value is left out, not 0. */
export async function standing(
  stats: Stats | null,
  kept: StoreSize | null,
  { venue, adapters: platforms }: About,
  now: number,
): Promise<string> {
  const registry = new Registry()
  const gauge = (name: string, help: string, series: Series) => {
    const labelNames = Object.keys(series[0]?.[0] ?? {})
    if (series.length === 0) return
    const one = new Gauge({ name, help, labelNames, registers: [registry] })
    for (const [labels, value] of series) one.set(labels, value)
  }
  const alone = (value: number): Series => [[{}, value]]
  if (stats) {
    const { blind, brokenChats, oldestWallets, venueLoads } = stats
    gauge('perch_people', 'People who have said something.', alone(stats.people))
    gauge('perch_chats', 'Chats, private ones too.', alone(stats.chats))
    gauge('perch_wallets', 'Wallets that somebody watches.', alone(stats.wallets))
    gauge('perch_rules', 'Rules of everybody.', alone(stats.rules))
    gauge(
      'perch_blind_feeds',
      'What cannot be seen and was found out to be so, by what it is.',
      Object.entries(blind).map(([source, many]) => [{ feed: sourceLabel(source) }, many]),
    )
    gauge('perch_broken_chats', 'Chats that take no messages from us.', byPlatform(brokenChats, platforms))
    gauge(
      'perch_unacknowledged_criticals',
      'Critical alerts that go on and that nobody has answered.',
      alone(stats.unacknowledged),
    )
    gauge(
      'perch_oldest_wallet_age_seconds',
      'How old the oldest look at a wallet is, at each venue.',
      oldestWallets.map((one) => [{ venue: one.venue ?? venue }, one.ms / SECOND_MS]),
    )
    const ofEach = (figure: (venueLoad: VenueLoad) => number): Series =>
      venueLoads.map((one) => [{ venue: one.venue ?? venue }, figure(one)])
    gauge(
      'perch_wallet_turn_seconds',
      'How often a calm wallet is read.',
      ofEach(({ turns }) => (turns.everyMs ?? turns.wishedMs) / SECOND_MS),
    )
    gauge(
      'perch_wallet_turn_wished_seconds',
      'How often a calm wallet should be read.',
      ofEach(({ turns }) => turns.wishedMs / SECOND_MS),
    )
    gauge(
      'perch_venue_weight_last_minute',
      'The weight spent in the last minute, by what it was spent on.',
      venueLoads.flatMap((one) =>
        weightByPurpose(one.spent).map(
          ([purpose, weight]) => [{ venue: one.venue ?? venue, purpose }, weight] as const,
        ),
      ),
    )
    gauge(
      'perch_venue_weight_ceiling_per_second',
      'The weight that we allow ourselves at present.',
      ofEach(({ spent }) => (spent.atMost * SECOND_MS) / MINUTE_MS),
    )
  }
  if (kept) {
    const waiting = new Map(kept.waiting.map((one) => [URGENCY_NAMES[one.urgency], one]))
    gauge(
      'perch_outbox_waiting',
      'Messages that wait to be sent, also in chats that are broken.',
      URGENCY_NAMES.map((urgency) => [{ urgency }, waiting.get(urgency)?.rows ?? 0]),
    )
    const ageMs = (oldestAt: number | null = null) => Math.max(now - (oldestAt ?? now), 0)
    gauge(
      'perch_outbox_oldest_seconds',
      'How long the oldest waits that could be sent: its chat works, its platform is open. 0 when there is none.',
      URGENCY_NAMES.map((urgency) => [{ urgency }, ageMs(waiting.get(urgency)?.oldestAt) / SECOND_MS]),
    )
    gauge('perch_outbox_parked', 'Messages that were given up and are still kept.', alone(kept.parked))
    const bytes = (file: string): Series =>
      kept.files.filter(({ name }) => name === file).map((one) => [{}, one.bytes])
    gauge('perch_database_bytes', 'Size of the database.', bytes('database'))
    gauge('perch_wal_bytes', 'Size of the write-ahead log beside it.', bytes('wal'))
  }
  return registry.metrics()
}

/** The open platforms by name, and all others in one sum. */
function byPlatform(found: ReadonlyMap<string, number>, platforms: readonly string[]): Series {
  const named = among(platforms)
  const all = new Map(platforms.map((platform) => [platform, 0]))
  for (const [platform, many] of found) all.set(named(platform), (all.get(named(platform)) ?? 0) + many)
  return [...all].map(([platform, many]) => [{ platform }, many])
}
