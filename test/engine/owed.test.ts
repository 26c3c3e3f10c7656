import { expect, test } from 'vitest'

import { history } from '../support/histories/history.ts'
import { createDice, SEED } from '../support/seed.ts'

const POLLS = 120

test.each([1, 2, 3, SEED])(
  'whatever happens, everybody is told what is owed, once (seed %d)',
  async (seed) => {
    const { wrong, figures } = await history(seed, POLLS)
    expect(wrong).toEqual([])
    expect(figures.messages).toBeGreaterThan(0)
  },
)

test.each([4, 5, SEED])('a restart with no time lost changes no message (seed %d)', async (seed) => {
  expect(await difference(seed)).toEqual([])
})

/** What is said at one time in the run that was restarted and not in the other, or the other way round. */
async function difference(seed: number): Promise<string[]> {
  const at = createDice(seed + 1).below(POLLS)
  const [calm, restarted] = [
    await history(seed, POLLS, { at, restarts: false }),
    await history(seed, POLLS, { at, restarts: true }),
  ]
  // Which of two alerts of one moment has which number, and how old a reading is, is nothing that is told.
  const titles = (said: string[]) =>
    said.map((line) => (line.split(' / ')[0] ?? '').replace(/ \(A\d+\)$/, ''))
  const only = (one: string[], other: string[]) => one.filter((line) => !other.includes(line))
  const [one, other] = [titles(calm.said), titles(restarted.said)]
  return [...only(one, other), ...only(other, one)]
}

// HISTORIES=1000 npx vitest run test/engine/owed.test.ts: so many histories from SEED on, and what they found.
const MANY = Number(process.env['HISTORIES'] ?? 0)

test.runIf(MANY > 0)(
  'in many histories, too',
  async () => {
    const found: string[] = []
    const total: Record<string, number> = { histories: 0, restarted: 0 }
    for (let seed = SEED; seed < SEED + MANY; seed++) {
      const { wrong, figures } = await history(seed, POLLS)
      total['histories'] = (total['histories'] ?? 0) + 1
      for (const [name, many] of Object.entries(figures)) total[name] = (total[name] ?? 0) + many
      if (wrong[0] !== undefined) found.push(`${seed}: ${wrong[0]} (${wrong.length})`)
      if (seed % 5 === 0) {
        total['restarted'] = (total['restarted'] ?? 0) + 1
        const [first] = await difference(seed)
        if (first !== undefined) found.push(`${seed}: restarted: ${first}`)
      }
      if (seed % 50 === 49) console.log(seed, total, found)
    }
    console.log(total)
    expect(found).toEqual([])
  },
  24 * 3_600_000,
)
