import { expect, test } from 'vitest'

import { history, type Told } from '../support/histories/history.ts'
import { budget, createDice, SEED } from '../support/seed.ts'

const POLLS = budget(120, 60)

test.each([1, 2, 3, 72_632, SEED])(
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

/** What is said in the run that was restarted and not in the other, or the other way round; to the last letter. */
async function difference(seed: number): Promise<string[]> {
  const at = createDice(seed + 1).below(POLLS)
  const [calm, restarted] = [
    await history(seed, POLLS, { at, restarts: false }),
    await history(seed, POLLS, { at, restarts: true }),
  ]
  // Which of two alerts of one moment has which number is nothing that is told.
  const lines = ({ said }: Told) => said.map((line) => line.replaceAll(/\bA\d+/g, 'A'))
  const only = (one: string[], other: string[]) => {
    const left = [...other]
    return one.filter((line) => {
      const found = left.indexOf(line)
      if (found >= 0) left.splice(found, 1)
      return found < 0
    })
  }
  return [...only(lines(calm), lines(restarted)), ...only(lines(restarted), lines(calm))]
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
