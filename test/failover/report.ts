import type { Outcome, Row } from './failover.ts'
import type { Fault } from './plan.ts'

const SHOWN = 10

/** The exit code of a process that leads no more. */
const LEADS_NO_MORE = 'code 3'

/**
 * Why a process ended: by the fault, or because it could not renew its lease in time, as on a crowded machine. Null for an end that
 * nothing explains.
 */
export function reasonOf(end: string, fault: Fault): 'fault' | 'lapse' | null {
  switch (fault.is) {
    case 'kill':
    case 'kill in a send':
    case 'kill both':
    case 'kill the standby':
      if (end === 'SIGKILL') return 'fault'
      break
    case 'SIGTERM':
    case 'SIGTERM without PostgreSQL':
      if (end === 'code 0') return 'fault'
      break
    case 'stop':
    case 'stop in a send':
    case 'PostgreSQL restarts':
    case 'PostgreSQL hangs':
    case 'line cut':
    case 'line away':
    case 'line silent':
      if (end === LEADS_NO_MORE) return 'fault'
      break
    case 'stop the standby':
      break
  }
  return end === LEADS_NO_MORE ? 'lapse' : null
}

export function nameOf(fault: Fault): string {
  switch (fault.is) {
    case 'kill in a send':
    case 'stop in a send':
      return `${fault.is}: ${fault.how}`
    case 'PostgreSQL restarts':
      return `${fault.is}: ${fault.signal}${fault.awayMs > 0 ? ', away' : ''}`
    case 'line cut':
      return `${fault.is}${fault.half ? ' on one side' : ''}: ${fault.to}`
    case 'line away':
      return `${fault.is}: ${fault.to}`
    case 'line silent':
      return `${fault.is} (${fault.direction}): ${fault.to}`
    case 'kill':
    case 'stop':
    case 'kill both':
    case 'SIGTERM':
    case 'SIGTERM without PostgreSQL':
    case 'kill the standby':
    case 'stop the standby':
    case 'PostgreSQL hangs':
      return fault.is
  }
}

/** One line for the one who waits. */
export function lineOf(row: Row, differences: number): string {
  const { number, fault, leadMs, warnMs, toldMs, answeredMs, resumed } = row
  const parts = [
    `leads ${ms(leadMs)}`,
    `warns ${ms(warnMs)}`,
    `told ${ms(toldMs)}`,
    `answered ${ms(answeredMs)}`,
    ...(resumed ? [`resumed: ${resumed.how} after ${ms(resumed.ms)}`] : []),
    ...(differences > 0 ? [`${differences} DIFFERENCES`] : []),
  ]
  return `${String(number).padStart(4)} ${nameOf(fault).padEnd(40)} ${parts.join(', ')}`
}

/** What is printed at the end, and whether every promise was kept. */
export function reportOf(seed: number, outcome: Outcome): { text: string; kept: boolean } {
  const { rows, owed, messages, epochs, repeats, reminders, sights, strangers, seconds } = outcome
  const bad: [string, readonly string[]][] = [
    ['lost', outcome.lost],
    ['repeated without a mark', outcome.unmarked],
    ['false', outcome.false],
    ['sent by a process that did not lead', outcome.intruders],
    ['entries out of order', outcome.disorder],
    ['differences of the two files', outcome.unequal],
    ['ends that no fault explains', outcome.crashes],
    ['not in time', outcome.late],
  ]
  const kinds = [...Map.groupBy(rows, ({ fault }) => nameOf(fault))].toSorted(([a], [b]) =>
    a.localeCompare(b),
  )
  const lines = [
    `seed ${seed}: ${rows.length} faults in ${seconds} s, ${epochs} epochs, ${owed} alerts owed, ${messages} messages`,
    ...bad.map(([name, all]) => `${name}: ${all.length}`),
    `marked as a possible repeat: ${repeats}; reminders: ${reminders}; of sight: ${sights}`,
    `leaders that could not renew their lease in time, without a fault: ${outcome.lapses}`,
    `commands that nobody answered: ${rows.filter(({ answeredMs }) => answeredMs === null).length}`,
    `requests to the venue by a standby: ${strangers}`,
    '',
    `${'fault'.padEnd(40)} ${'count'.padStart(5)}  ${spread('leads')} ${spread('warns')} ${spread('all told')}`,
    ...kinds.map(
      ([name, all]) =>
        `${name.padEnd(40)} ${String(all.length).padStart(5)}  ${[
          ...[all.map((row) => row.leadMs), all.map((row) => row.warnMs), all.map((row) => row.toldMs)],
        ]
          .map(figures)
          .join(' ')}`,
    ),
    '',
    `standby leads after a fault of the leader: ${words(rows, 'leadMs')}`,
    `first message from it: ${words(rows, 'warnMs')}`,
    `a process that was let go on ended: ${spans(rows.flatMap(({ resumed }) => resumed?.ms ?? []))}`,
    ...bad.flatMap(([name, all]) => all.slice(0, SHOWN).map((one) => `${name}: ${one}`)),
  ]
  return { text: lines.join('\n'), kept: strangers === 0 && bad.every(([, all]) => all.length === 0) }
}

/** Those after which the standby takes over when the lease is over. */
const SUDDEN = new Set<Fault['is']>(['kill', 'stop', 'kill in a send', 'stop in a send'])

function words(rows: readonly Row[], which: 'leadMs' | 'warnMs'): string {
  return spans(rows.filter(({ fault }) => SUDDEN.has(fault.is)).flatMap((row) => row[which] ?? []))
}

function spans(all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b)
  return `p50 ${ms(part(sorted, 0.5))}, p99 ${ms(part(sorted, 0.99))}, at most ${ms(part(sorted, 1))} (${sorted.length})`
}

const WIDTH = 24

function spread(name: string): string {
  return `${name}: p50, p99, max`.padStart(WIDTH)
}

function figures(all: readonly (number | null)[]): string {
  const sorted = all.filter((one) => one !== null).toSorted((a, b) => a - b)
  return [0.5, 0.99, 1]
    .map((at) => ms(part(sorted, at)).padStart(WIDTH / 3))
    .join('')
    .padStart(WIDTH)
}

function part(sorted: readonly number[], at: number): number | null {
  return sorted[Math.min(Math.floor(sorted.length * at), sorted.length - 1)] ?? null
}

function ms(value: number | null): string {
  return value === null ? '–' : `${(value / 1_000).toFixed(2)} s`
}
