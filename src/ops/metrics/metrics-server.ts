import { readdirSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

import type * as Prometheus from 'prom-client'

import type { Stats } from '../../alert/stats.ts'
import { type Clock, within } from '../../runtime/clock.ts'
import type { Event, Events } from '../../runtime/event.ts'
import type { Route } from '../../runtime/route.ts'
import type { StoreSize } from '../../store/store.ts'
import { type About, type Heard, instruments, LONG_S, Registry, SECOND_MS, SHORT_S } from './heard.ts'
import {
  among,
  callOf,
  commandOf,
  committerOf,
  COMMITTERS,
  DELIVERY_NAMES,
  deliveryOf,
  outcomeOf,
  reasonOf,
  turnOf,
  urgencyOf,
} from './labels.ts'
import { hearLead } from './lead.ts'
import { hearPlatforms } from './platforms.ts'
import { standing } from './standing.ts'

interface Asked {
  stats(): Stats
  kept(): Promise<StoreSize>
}

/** Expensive figures are computed at most this often, however often they are scraped. */
const ASKED_EVERY_MS = 1_000
/** Time limit for the store's figures. Prometheus gives up after 10 s by default. */
const STORE_LIMIT_MS = 2_000

/**
 * Serves metrics for Prometheus at `/metrics`, from events as they happen and from the bot's state at each scrape.
 * Labels come from closed sets: people, chats, wallets and markets appear only as numbers.
 */
export function startMetrics({ events, clock, about }: { events: Events; clock: Clock; about: About }): {
  route: Route
  /** The bot is there: from now on it is asked how it stands. */
  begin(asked: Asked): void
  stop(): void
} {
  const registry = new Registry()
  const heard: readonly Heard[] = [
    hearVenue(registry, about, clock),
    hearEngine(registry, about),
    hearOutbox(registry, about),
    hearPlatforms(registry, about),
    hearTroubles(registry),
    hearBackups(registry, clock),
    hearLead(registry, clock),
  ]
  watchProcess(registry, about, clock)
  const stopWatching = watchLoop(registry, clock)
  const stopListening = events.listen((event) => {
    for (const one of heard) hear(one, event)
  })
  let asked: Asked | null = null
  let last: { mono: number; text: Promise<string> } | null = null

  async function text(): Promise<string> {
    const stats = orNull(() => asked?.stats() ?? null)
    const parts = [registry.metrics(), standing(stats, await keptNow(), about, clock.now())]
    return (await Promise.all(parts)).join('\n')
  }

  /** If the store cannot be read, or not soon, all other metrics are still useful. */
  async function keptNow(): Promise<StoreSize | null> {
    const whom = asked
    if (whom === null) return null
    return within(clock, STORE_LIMIT_MS, undefined, () => whom.kept()).catch(() => null)
  }

  return {
    async route({ method, path }) {
      if (method !== 'GET' || path !== '/metrics') return null
      if (!last || clock.monotonic() - last.mono >= ASKED_EVERY_MS)
        last = { mono: clock.monotonic(), text: text() }
      return { status: 200, type: 'text/plain; version=0.0.4', body: await last.text }
    },
    begin: (whom) => void (asked = whom),
    stop() {
      stopListening()
      stopWatching()
    },
  }
}

function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** The table has each kind of event under its name. */
function hear(heard: Heard, event: Event): void {
  const by = heard as Readonly<Record<string, ((event: Event) => void) | undefined>>
  by[event.is]?.(event)
}

/** The outcome and the delay of messages to people. */
function hearOutbox(registry: Prometheus.Registry, { adapters: platforms }: About): Heard {
  const { counter, histogram } = instruments(registry)
  const platformOf = among(platforms)
  const sends = counter('perch_sends_total', 'Attempts to send what the outbox holds, by how they ended.', [
    'platform',
    'outcome',
  ])
  const retries = counter('perch_send_retries_total', 'Attempts after the first.', ['platform'])
  const repeats = counter(
    'perch_possible_repeats_total',
    'Messages that went out marked as a possible repeat.',
    ['platform'],
  )
  const requested = histogram(
    'perch_detected_to_request_seconds',
    'From when something was found until it was first asked of the platform to say it.',
    LONG_S,
    ['platform', 'urgency'],
  )
  const answered = histogram(
    'perch_request_to_sent_seconds',
    'From a request to the platform until it had taken the message.',
    LONG_S,
    ['platform'],
  )
  const arrived = histogram(
    'perch_detected_to_sent_seconds',
    'From when something was found until a platform had taken the message, waits and retries included.',
    LONG_S,
    ['platform', 'urgency'],
  )
  const parked = counter('perch_parked_total', 'Messages that were given up.')
  const commands = histogram('perch_command_seconds', 'What people ask, until its answer is ready.', LONG_S, [
    'platform',
    'outcome',
  ])
  for (const platform of platforms) {
    for (const outcome of DELIVERY_NAMES) sends.inc({ platform, outcome }, 0)
    retries.inc({ platform }, 0)
    repeats.inc({ platform }, 0)
  }
  return {
    delivery({ platform: name, outcome, attempts, possibleRepeat, detectedMs, ms, urgency: many }) {
      const platform = platformOf(name)
      const urgency = urgencyOf(many)
      sends.inc({ platform, outcome: deliveryOf(outcome) })
      if (attempts > 0) retries.inc({ platform })
      else requested.observe({ platform, urgency }, detectedMs / SECOND_MS)
      if (outcome !== 'sent') return
      if (possibleRepeat) repeats.inc({ platform })
      answered.observe({ platform }, ms / SECOND_MS)
      arrived.observe({ platform, urgency }, (detectedMs + ms) / SECOND_MS)
    },
    parked: () => parked.inc(),
    command: ({ platform, outcome, ms }) =>
      commands.observe({ platform: platformOf(platform), outcome: commandOf(outcome) }, ms / SECOND_MS),
  }
}

/** Present from the start, so that the first refusal is an increase. */
const READ = ['markets', 'positions']
const COUNTED = ['ok', 'limited', 'network', 'timeout']

/** How the venue is read: requests, weight, and how old the last answers are. */
function hearVenue(
  registry: Prometheus.Registry,
  { venue: alone, venues = [alone] }: About,
  clock: Clock,
): Heard {
  const { counter, gauge, histogram } = instruments(registry)
  const requests = counter('perch_venue_requests_total', 'Requests to the venue, by how they ended.', [
    'venue',
    'call',
    'outcome',
  ])
  const took = histogram('perch_venue_request_seconds', 'From a request to its answer or failure.', LONG_S, [
    'venue',
    'call',
  ])
  const weight = counter('perch_venue_weight_total', "What requests weighed of the venue's limit.", [
    'venue',
    'call',
  ])
  const unusable = counter('perch_venue_unusable_total', 'Elements of answers that were skipped.', [
    'venue',
    'call',
  ])
  const [first = alone] = venues
  const nameOf = among(venues)
  for (const venue of venues)
    for (const call of READ) for (const outcome of COUNTED) requests.inc({ venue, call, outcome }, 0)

  const begun = clock.monotonic()
  const answered = new Map<string, { venue: string; call: string; mono: number }>()
  const pricesMono = new Map(venues.map((venue) => [venue, begun]))
  const ageS = (mono: number) => (clock.monotonic() - mono) / SECOND_MS
  gauge(
    'perch_venue_answer_age_seconds',
    'Since the venue last answered a call as it should.',
    ['venue', 'call'],
    (one) => {
      for (const { mono, ...labels } of answered.values()) one.set(labels, ageS(mono))
    },
  )
  gauge(
    'perch_prices_age_seconds',
    'How old the last prices are; before the first, since the start.',
    ['venue'],
    (one) => {
      for (const [venue, mono] of pricesMono) one.set({ venue }, ageS(mono))
    },
  )
  const push = gauge(
    'perch_venue_push_up',
    'Whether the venue tells its markets by itself now; absent where it never does.',
    ['venue'],
  )
  return {
    'venue-request': ({ call: asked, ms, weight: weighed, outcome: ended, venue: at = first }) => {
      const [venue, call] = [nameOf(at), callOf(asked)]
      requests.inc({ venue, call, outcome: outcomeOf(ended) })
      took.observe({ venue, call }, ms / SECOND_MS)
      weight.inc({ venue, call }, weighed)
      if (ended === 'ok') answered.set(`${venue} ${call}`, { venue, call, mono: clock.monotonic() })
    },
    'venue-unusable': ({ call, count, venue = first }) =>
      unusable.inc({ venue: nameOf(venue), call: callOf(call) }, count),
    'markets-read': ({ mono, venue = first }) => {
      const name = nameOf(venue)
      pricesMono.set(name, Math.max(pricesMono.get(name) ?? -Infinity, mono))
    },
    push: ({ why, venue = first }) => push.set({ venue: nameOf(venue) }, why === null ? 1 : 0),
  }
}

const GUARDS = [0, 1, 3, 10, 30, 100, 300, 1_000, 10_000, 100_000]

/** The engine's turns, and whether they can be stored. */
function hearEngine(registry: Prometheus.Registry, { kinds }: About): Heard {
  const { counter, gauge, histogram } = instruments(registry)
  const kindOf = among(kinds)
  const turns = histogram('perch_turn_seconds', 'A turn of the engine, with its commits.', SHORT_S, ['of'])
  // Present from the start, so that a missing judgement of prices shows as 0.
  turns.zero({ of: 'markets' })
  const failed = counter('perch_turns_failed_total', 'Turns that could not be decided or kept.')
  const judged = counter('perch_judged_guards_total', 'Guards judged, by what the turn took in.', ['of'])
  const crossed = histogram(
    'perch_tick_crossed_guards',
    'Guards that one market tick touched the bounds of, and that were judged for it.',
    GUARDS,
  )
  const transitions = counter('perch_transitions_total', 'Changes of alerts, by kind and reason.', [
    'kind',
    'reason',
  ])
  const commits = histogram('perch_commit_seconds', 'Commits to the disk, by who commits.', SHORT_S, ['of'])
  const unkept = counter('perch_commits_failed_total', 'Commits that failed, by who commits.', ['of'])
  for (const who of COMMITTERS) unkept.inc({ of: who }, 0)
  const failing = gauge('perch_store_failing', '1 while nothing can be kept, or a commit waits.')
  const waiting = new Set<string>()
  let isFailing = false
  const show = () => failing.set(isFailing || waiting.size > 0 ? 1 : 0)
  return {
    turn: ({ of: tookIn, judged: many, ms }) => {
      const of = turnOf(tookIn)
      turns.observe({ of }, ms / SECOND_MS)
      judged.inc({ of }, many)
      if (tookIn === 'markets') crossed.observe(many)
    },
    'turn-failed': () => failed.inc(),
    transition: ({ kind, reason }) => transitions.inc({ kind: kindOf(kind), reason: reasonOf(reason) }),
    commit: ({ of: who, ms, ok }) => {
      const of = committerOf(who)
      commits.observe({ of }, ms / SECOND_MS)
      if (!ok) unkept.inc({ of })
      if (waiting.delete(who)) show()
    },
    'store-waits': ({ of: who }) => {
      waiting.add(who)
      show()
    },
    store: ({ why }) => {
      isFailing = why !== null
      show()
    },
  }
}

const US_PER_S = 1_000_000

/** The process itself, by the usual names of process metrics. */
function watchProcess(registry: Prometheus.Registry, { version, venue }: About, clock: Clock): void {
  const { counter, gauge } = instruments(registry)
  const shown = (name: string, help: string, value: () => number) =>
    gauge(name, help, [], (one) => one.set(value()))
  const about = { version, node: process.versions.node, venue }
  gauge('perch_build_info', 'Which Perch this is, on which Node.js, at which venue.', [
    'version',
    'node',
    'venue',
  ]).set(about, 1)
  const begunS = (clock.now() - clock.monotonic()) / SECOND_MS
  shown('process_start_time_seconds', 'When the process began, in Unix time.', () => begunS)
  shown('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  shown('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed)
  counter('process_cpu_seconds_total', 'Processor time.', [], () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / US_PER_S
  })
  const most = mostDescriptors()
  if (most === null) return
  shown('process_open_fds', 'Open file descriptors.', () => readdirSync('/proc/self/fd').length)
  shown('process_max_fds', 'File descriptors that may be open.', () => most)
}

/** Null on anything but Linux. */
function mostDescriptors(): number | null {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return most === undefined ? null : Number(most)
  } catch {
    return null
  }
}

/** Sampling interval of the loop delay. Shorter delays hardly show. */
const LOOKED_AT_EVERY_MS = 20
/** A delay is exported for at least this long, so that one scraper does not take it away from the next. */
const EXPORTED_FOR_MS = 60_000
/** The last is the worst of all. */
const PERCENTILES = [50, 99, 100]
const NS_PER_MS = 1_000_000

/** Measures the delay of the event loop, on which warnings depend too. Returns a function that stops it. */
function watchLoop(registry: Prometheus.Registry, clock: Clock): () => void {
  const { counter, gauge } = instruments(registry)
  counter('perch_event_loop_busy_seconds_total', 'Time in which the event loop was at work.', [], () => {
    return performance.eventLoopUtilization().active / SECOND_MS
  })
  const loop = monitorEventLoopDelay({ resolution: LOOKED_AT_EVERY_MS })
  loop.enable()
  const delayMs = (percentile: number) =>
    Math.max(loop.percentile(percentile) / NS_PER_MS - LOOKED_AT_EVERY_MS, 0)
  let since = clock.monotonic()
  let before = PERCENTILES.map(() => 0)
  const help = 'How late the event loop was in the last minute or two; percentile 100 is the worst.'
  gauge('perch_event_loop_delay_seconds', help, ['percentile'], (one) => {
    const found = PERCENTILES.map(delayMs)
    for (const [index, percentile] of PERCENTILES.entries()) {
      const worst = Math.max(found[index] ?? 0, before[index] ?? 0)
      one.set({ percentile: String(percentile) }, worst / SECOND_MS)
    }
    if (clock.monotonic() - since < EXPORTED_FOR_MS) return
    before = found
    since = clock.monotonic()
    loop.reset()
  })
  return () => void loop.disable()
}

/** Whether there is something to go back to. */
function hearBackups(registry: Prometheus.Registry, clock: Clock): Heard {
  const { counter, gauge } = instruments(registry)
  const begun = clock.now()
  let madeAt: number | null = null
  gauge(
    'perch_backup_age_seconds',
    'How old the newest backup is; without any, since the start.',
    [],
    (one) => one.set((clock.now() - (madeAt ?? begun)) / SECOND_MS),
  )
  const failed = counter(
    'perch_backups_failed_total',
    'Attempts at the nightly backup that failed, one an hour.',
  )
  return {
    backup: (event) => void (madeAt = event.madeAt),
    'backup-failed': () => failed.inc(),
  }
}

/** Counts troubles without their text, as the text may name anything. The log has it. */
function hearTroubles(registry: Prometheus.Registry): Heard {
  const { counter } = instruments(registry)
  const troubles = counter('perch_troubles_total', 'What the log calls trouble.')
  const cautions = counter('perch_cautions_total', 'What the log calls a caution.')
  return { trouble: () => troubles.inc(), caution: () => cautions.inc() }
}
