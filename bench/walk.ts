import { createDice } from '../test/support/seed.ts'
import { walk } from '../test/support/walk.ts'
import { at } from './support/figures.ts'
import { row } from './support/rows.ts'

// How much is said in a day of a position that is around its 10 % line: read every 10 s, with the tiers that /watch
// arms and the usual hold. Whatever fires is acknowledged, so that nothing is said twice.

const SEEDS = 200

for (const [volatility, most] of [
  [0.6, 3],
  [1.2, 7],
] as const) {
  for (const distance of [0.11, 0.1]) {
    const days = Array.from({ length: SEEDS }, (_, seed) => walk(createDice(seed), volatility, distance))
    const near = days.filter(({ near: is }) => is)
    const late = Math.max(...days.map(({ lateMs }) => lateMs))
    row(
      `messages in a day, ${percent(volatility)} a year, ${percent(distance)} from liquidation`,
      meanOf(days),
      '',
      { atMost: most },
      `p95 ${p95Of(days)}; of ${near.length} days that came within 10 % ${meanOf(near).toFixed(2)} (p95 ${p95Of(near)}); a worse tier was told ${late / 1_000} s late`,
    )
  }
}

function meanOf(days: { messages: number }[]): number {
  return days.reduce((sum, { messages }) => sum + messages, 0) / days.length
}

function p95Of(days: { messages: number }[]): number {
  return at(
    days.map(({ messages }) => messages),
    0.95,
  )
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))}%`
}
