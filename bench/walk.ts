import { createDice } from '../test/support/seed.ts'
import { walk } from '../test/support/walk.ts'

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
    console.log(
      `${percent(volatility)} a year, from ${percent(distance)}: ${said(days)} messages a day (at most ${most} wanted)` +
        `; of ${near.length} days that came within 10 %: ${said(near)}; a worse tier was told ${late / 1_000} s late`,
    )
  }
}

function said(days: { messages: number }[]): string {
  const all = days.map(({ messages }) => messages).toSorted((a, b) => a - b)
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length
  return `${mean.toFixed(2)} (p95 ${all[Math.floor(0.95 * all.length)]})`
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`
}
