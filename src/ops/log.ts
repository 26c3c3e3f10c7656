import { pino } from 'pino'
import type { DestinationStream } from 'pino'

import type { Event, Events } from '../event.ts'

/** Shorter ones are no secrets, and would blacken half of every line. */
const SHORTEST_SECRET = 6

/** Never logged, whatever an error of some library carries. The values themselves are looked for as well. */
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
  options: { level: string; destination?: DestinationStream; secrets: readonly string[] },
): () => void {
  const hide = hider(options.secrets)
  const log = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: '[secret]' },
    },
    options.destination ?? pino.destination({ fd: 2, sync: true }),
  )
  return events.listen((event) => {
    const { is, ...rest } = event
    const level = levelOf(event)
    if (log.isLevelEnabled(level)) log[level]({ event: is, ...hide(rest) })
  })
}

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error'

const LEVELS: Record<Event['is'], Level> = {
  turn: 'trace',
  'markets-read': 'trace',
  'owner-read': 'trace',
  'venue-request': 'debug',
  started: 'info',
  stopping: 'info',
  stopped: 'info',
  listening: 'info',
  'venue-ended': 'info',
  ceiling: 'info',
  transition: 'info',
  sighted: 'info',
  delivery: 'info',
  command: 'info',
  remark: 'info',
  platform: 'info',
  'venue-unusable': 'warn',
  'markets-failed': 'warn',
  'owner-failed': 'warn',
  blind: 'warn',
  'turn-failed': 'error',
  parked: 'error',
  trouble: 'error',
}

function levelOf(event: Event): Level {
  if (event.is === 'platform' && event.why !== null) return 'warn'
  return event.is === 'delivery' && event.outcome !== 'sent' ? 'warn' : LEVELS[event.is]
}

/** Makes plain JSON of anything: errors become their stacks, secrets `[secret]`. */
function hider(secrets: readonly string[]): (fields: object) => Record<string, unknown> {
  const needles = secrets
    .flatMap((secret) => (secret.length < SHORTEST_SECRET ? [] : [secret, encodeURIComponent(secret)]))
    .sort((a, b) => b.length - a.length)
  const blacken = (text: string) =>
    needles.reduce((shown, needle) => shown.replaceAll(needle, '[secret]'), text)

  const hide = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return blacken(value)
    if (value instanceof Error) return blacken(stacks(value))
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return value
    // Deeper than any event: an object of a library, perhaps one that holds itself.
    if (depth === 6) return '…'
    if (Array.isArray(value)) return value.map((one) => hide(one, depth + 1))
    return fields(value, depth + 1)
  }
  const fields = (object: object, depth: number) =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [blacken(key), hide(value, depth)]))
  return (object) => fields(object, 0)
}

/** The stack of an error and of what caused it; other fields of it may hold requests with their headers. */
function stacks(error: Error, depth = 0): string {
  const causes = error instanceof AggregateError ? [...error.errors, error.cause] : [error.cause]
  const told = causes
    .filter((cause) => cause !== undefined && depth < 5)
    .map((cause) => `\ncaused by: ${cause instanceof Error ? stacks(cause, depth + 1) : String(cause)}`)
  return `${error.stack ?? String(error)}${told.join('')}`
}
