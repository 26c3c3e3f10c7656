import { appendFileSync } from 'node:fs'

import { say } from './figures.ts'

/** Where `bench/run.ts` reads what a benchmark has found. */
export const ROWS_FILE = 'BENCH_ROWS'

/** One line of the table that `npm run bench -- all` ends with. */
export interface Row {
  what: string
  /** Null when there was nothing to measure, as with the median of no figures. */
  found: number | null
  /** Stands behind each figure: 'ms', 's CPU', 'MB', '×' … */
  unit: string
  goal: { atMost: number } | { atLeast: number } | null
  /** What a peer, a prototype or an earlier state of the program needs, in words. */
  beside: string
  /** Which of two figures is the better one. */
  better: 'less' | 'more'
}

/** Says what was found and whether it is good enough, and keeps it for the table of the whole run. */
export function row(
  what: string,
  found: number,
  unit: string,
  goal: Row['goal'] = null,
  beside: string = '',
  better: Row['better'] = usual(goal),
): void {
  const one: Row = { what, found: Number.isFinite(found) ? found : null, unit, goal, beside, better }
  say([`${what}: ${figure(one.found, unit)}`, goal && wanted(one), beside].filter(Boolean).join('; '))
  const file = process.env[ROWS_FILE]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(one)}\n`)
}

function usual(goal: Row['goal']): Row['better'] {
  return goal !== null && 'atLeast' in goal ? 'more' : 'less'
}

export function figure(value: number | null, unit: string): string {
  if (value === null) return 'nothing'
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return unit === '' ? text : `${text} ${unit}`
}

/** What the goal is, and whether it is met. Nothing meets no goal. */
export function wanted({ found, goal, unit }: Row): string {
  if (goal === null) return '–'
  const most = 'atMost' in goal
  const bound = most ? goal.atMost : goal.atLeast
  const met = found !== null && (most ? found <= bound : found >= bound)
  const far = found !== null && !met ? ` ${figure(most ? found / bound : bound / found, '×')}` : ''
  const verdict = met ? 'met' : `**missed**${far}`
  return `${most ? '≤' : '≥'} ${figure(bound, unit)}: ${verdict}`
}
