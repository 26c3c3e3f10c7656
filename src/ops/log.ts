import { type DestinationStream, pino } from 'pino'

import { remember } from '../lib/data/remember.ts'
import { EDIT_PRIORITY } from '../message/delivery.ts'
import type { Event, Events } from '../runtime/event.ts'
import { standardError } from './sink.ts'

/** Shorter ones are no secrets, and would blacken half of every line. */
const SHORTEST_SECRET = 6

/** Fields that are never logged, even in errors of libraries. The secret values themselves are searched for as well. */
const REDACTED = [
  'token',
  'apiKey',
  'authorization',
  'headers',
  '*.token',
  '*.apiKey',
  '*.authorization',
  '*.headers',
]

/** Writes every event as one JSON line to standard error, without the secrets. Returns how to stop that. */
export function logEvents(
  events: Events,
  options: {
    level: string
    destination?: DestinationStream
    secrets: readonly string[]
    /** Milliseconds that never go back. */
    monotonic: () => number
  },
): () => void {
  const hide = hider(options.secrets)
  const destination = options.destination ?? standardError()
  const log = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: '[secret]' },
    },
    { write: (line: string) => destination.write(harmless(line)) },
  )
  const isRepeated = createRepetition()
  const isSame = createSameStanding()
  const isTooMuch = createBound(options.monotonic)
  return events.listen((event) => {
    const { is, ...rest } = event
    const level = isRepeated(event) || isSame(event) || isTooMuch(event) ? 'debug' : levelOf(event)
    if (!log.isLevelEnabled(level)) return
    const shown = hide(rest)
    log[level]({ event: is, ...(WITH_FULL_WALLETS.has(level) ? shown : withoutWallets(shown)) })
  })
}

/** Signs that a terminal obeys, or that reorder or hide what stands around them. JSON leaves them as they are. */
const STEERING = /[\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g

/** The same JSON, with these signs escaped: somebody else's words must not steer the terminal of a log's reader. */
function harmless(line: string): string {
  return line.replaceAll(STEERING, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Levels that show wallets in full. */
const WITH_FULL_WALLETS: ReadonlySet<Level> = new Set(['trace', 'debug'])

/** Readers of a log must not learn whose wallet it is. The rest is enough to find it in /wallets. */
function withoutWallets(fields: Record<string, unknown>): Record<string, unknown> {
  const short = (text: string) => text.replaceAll(/\b(0x[0-9a-f]{4})[0-9a-f]{32}([0-9a-f]{4})\b/gi, '$1…$2')
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? short(value) : value]),
  )
}

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error'

const LEVELS: Record<Event['is'], Level> = {
  turn: 'trace',
  commit: 'trace',
  'markets-read': 'trace',
  'wallet-read': 'trace',
  'venue-request': 'debug',
  shards: 'info',
  started: 'info',
  stopping: 'info',
  stopped: 'info',
  standing: 'info',
  listening: 'info',
  'venue-ended': 'info',
  ceiling: 'info',
  transition: 'info',
  recovered: 'info',
  delivery: 'info',
  command: 'info',
  remark: 'info',
  platform: 'info',
  backup: 'info',
  held: 'info',
  push: 'info',
  'venue-unusable': 'warn',
  'markets-failed': 'warn',
  'owner-failed': 'warn',
  outage: 'warn',
  caution: 'warn',
  slow: 'warn',
  capacity: 'warn',
  'backup-failed': 'warn',
  'wal-grows': 'warn',
  'no-standby': 'warn',
  'store-waits': 'warn',
  heartbeat: 'warn',
  'turn-failed': 'error',
  store: 'error',
  parked: 'error',
  trouble: 'error',
}

function levelOf(event: Event): Level {
  if ((event.is === 'platform' || event.is === 'held' || event.is === 'push') && event.why !== null)
    return 'warn'
  if (event.is === 'store' && event.why === null) return 'info'
  if (event.is === 'standing' && /^(?:waiting|suspended)$/.test(event.role)) return 'warn'
  if (event.is === 'no-standby' && event.ms === null) return 'info'
  if (event.is === 'heartbeat' && event.why === null) return 'info'
  if (event.is === 'slow' && event.everyMs === null) return 'info'
  if (event.is !== 'delivery' || event.outcome === 'sent') return LEVELS[event.is]
  // A message that cannot be changed any more, as in a terminal, costs nobody any words.
  return event.outcome === 'rejected' && event.urgency === EDIT_PRIORITY ? 'info' : 'warn'
}

/** Wallets whose last failure is remembered. */
const MAX_REMEMBERED_FAILURES = 20_000

/** True if a read fails in the same way as before. In an outage that happens every two seconds and is no news. */
function createRepetition(): (event: Event) => boolean {
  const failing = new Map<string, string>()
  return (event) => {
    const keyOf = (wallet: string, venue = '') => `${wallet} ${venue}`
    if (event.is === 'markets-read') failing.delete(keyOf('', event.venue))
    if (event.is === 'wallet-read') failing.delete(keyOf(event.wallet, event.venue))
    if (event.is !== 'markets-failed' && event.is !== 'owner-failed') return false
    const what = keyOf(event.is === 'owner-failed' ? event.wallet : '', event.venue)
    const before = failing.get(what)
    remember(failing, what, event.why, MAX_REMEMBERED_FAILURES)
    return before === event.why
  }
}

/** True if a process still stands as it did: each says so every few seconds. */
function createSameStanding(): (event: Event) => boolean {
  let last = ''
  return (event) => {
    if (event.is !== 'standing') return false
    const { role, leader, epoch, why, standbys } = event
    const stands = JSON.stringify([role, leader, epoch, why, standbys.map(({ name }) => name)])
    const isSame = stands === last
    last = stands
    return isSame
  }
}

/** The same words about a venue's answers are a line again after this long. */
const AGAIN_MS = 600_000
/** A venue that answers differently each time gets at most this many lines a minute. */
const MAX_LINES_A_MINUTE = 30
const MINUTE_MS = 60_000
const MAX_REMEMBERED_WORDS = 1_000

/** True if the venue's answers have had their lines, so that no venue can fill the disk of the log. */
function createBound(monotonic: () => number): (event: Event) => boolean {
  const told = new Map<string, number>()
  let minute = { since: -Infinity, lines: 0 }
  return (event) => {
    if (event.is !== 'venue-unusable' && event.is !== 'markets-failed' && event.is !== 'owner-failed')
      return false
    const mono = monotonic()
    if (mono - minute.since >= MINUTE_MS) minute = { since: mono, lines: 0 }
    if (event.is === 'venue-unusable') {
      const words = `${event.venue ?? ''} ${event.call} ${event.what} ${event.why}`
      if (mono - (told.get(words) ?? -Infinity) < AGAIN_MS) return true
      if (minute.lines < MAX_LINES_A_MINUTE) remember(told, words, mono, MAX_REMEMBERED_WORDS)
    }
    return ++minute.lines > MAX_LINES_A_MINUTE
  }
}

/** Texts as anybody may read them: secrets become `[secret]`. */
export function blackener(secrets: readonly string[]): (text: string) => string {
  const needles = secrets
    .flatMap((secret) => (secret.length < SHORTEST_SECRET ? [] : [secret, encodeURIComponent(secret)]))
    .sort((a, b) => b.length - a.length)
  return (text) => needles.reduce((shown, needle) => shown.replaceAll(needle, '[secret]'), text)
}

/** Makes plain JSON of anything: errors become their stacks, secrets `[secret]`. */
function hider(secrets: readonly string[]): (fields: object) => Record<string, unknown> {
  const blacken = blackener(secrets)

  const hide = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return blacken(value)
    if (value instanceof Error) return blacken(stacks(value))
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return value
    // Deeper than any event: probably an object of a library, perhaps a cyclic one.
    if (depth === 6) return '…'
    if (Array.isArray(value)) return value.map((one) => hide(one, depth + 1))
    return fields(value, depth + 1)
  }
  const fields = (object: object, depth: number) =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [blacken(key), hide(value, depth)]))
  return (object) => fields(object, 0)
}

/** The stacks of an error and its causes. Other fields may hold requests with their headers. */
function stacks(error: Error, depth = 0): string {
  const causes = error instanceof AggregateError ? [...error.errors, error.cause] : [error.cause]
  const told = causes
    .filter((cause) => cause !== undefined && depth < 5)
    .map((cause) => `\ncaused by: ${cause instanceof Error ? stacks(cause, depth + 1) : String(cause)}`)
  return `${error.stack ?? String(error)}${told.join('')}`
}
