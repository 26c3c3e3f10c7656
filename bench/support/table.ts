import { loadavg } from 'node:os'

import { figure, type Row, wanted } from './rows.ts'

/** What one command of a run has found, and how it went. */
export interface Run {
  command: string
  rows: Row[]
  seconds: number
  /** Why it did not come to its end. */
  failed: string | null
  /** How many were at work on the machine when it began: what else worked there is in the figures. */
  load: number
}

export function loadNow(): number {
  return loadavg()[0] ?? Number.NaN
}

/** Markdown, as it stands in docs/performance.md. */
export function tableOf(runs: readonly Run[]): string {
  const lines = runs.flatMap(({ command, rows, failed }) => [
    ...rows.map((row) =>
      cells(row.what, figure(row.found, row.unit), wanted(row), row.beside, `\`${command}\``),
    ),
    ...(failed === null ? [] : [cells(`**${failed}**`, '–', '–', '', `\`${command}\``)]),
  ])
  const [seconds, load] = [
    runs.reduce((sum, run) => sum + run.seconds, 0),
    Math.max(...runs.map((run) => run.load)),
  ]
  return [
    cells('what', 'found', 'goal', 'beside', '`npm run bench -- …`'),
    cells('---', '---', '---', '---', '---'),
    ...lines,
    '',
    `It took ${(seconds / 60).toFixed(1)} min; load average when a benchmark began: at most ${load.toFixed(1)}.`,
  ].join('\n')
}

function cells(...texts: string[]): string {
  return `| ${texts.join(' | ')} |`
}
