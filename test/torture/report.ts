import type { Outcome } from './torture.ts'
import type { Fault } from './verdict.ts'

const SHOWN = 20

/** What is printed at the end, and whether every promise was kept. */
export function reportOf(seed: number, outcome: Outcome): { text: string; kept: boolean } {
  const { strikes, owed, doubled, crashes, integrity, lateMs, seconds } = outcome
  const told = (faults: readonly Fault[]) => faults.map((fault) => wordsOf(fault, outcome))
  const bad: [string, string[]][] = [
    ['lost', told(outcome.lost)],
    ['repeated without a mark', told(outcome.unmarked)],
    ['false', told([...outcome.false, ...outcome.falselyBlind])],
    ['blindness untold, or its end', told(outcome.untoldBlindness)],
    ['ended or idle by itself', crashes],
  ]
  const places = Object.entries(strikes.places).toSorted(([, a], [, b]) => b - a)
  const lines = [
    `seed ${seed}: ${strikes.kills} kills in ${seconds} s, ${owed} alerts owed`,
    ...places.map(([place, count]) => `  ${String(count).padStart(4)} killed ${place}`),
    ...bad.map(([name, all]) => `${name}: ${all.length}`),
    `repeated, and marked as a possible repeat: ${doubled.length}`,
    `late: p50 ${ms(lateMs, 0.5)}, p99 ${ms(lateMs, 0.99)}, at most ${ms(lateMs, 1)}`,
    `the database: ${integrity}`,
    ...bad.flatMap(([name, all]) => all.slice(0, SHOWN).map((one) => `${name}: ${one}`)),
  ]
  return { text: lines.join('\n'), kept: integrity === 'ok' && bad.every(([, all]) => all.length === 0) }
}

function wordsOf(fault: Fault, { leadingTo }: Outcome): string {
  const { chat, about, what, text } = fault
  return [`${chat}: ${about}: ${what}`, ...(text === null ? [] : [text]), ...leadingTo(fault)].join('\n')
}

function ms(sorted: readonly number[], part: number): string {
  const value = sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)]
  return value === undefined ? '–' : `${Math.round(value)} ms`
}
