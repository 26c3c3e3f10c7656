import { cpuMsOf } from './support/process.ts'
import { startReal } from './support/real.ts'
import { row } from './support/rows.ts'

// How long a start takes: from the process to the first prices judged, as /readyz says it. One that follows another, as nearly
// all do: the first of three may have to compile the sources, and the middle one counts. `node bench/start.ts [rules …]`

const PER_WALLET = 10
const ROUNDS = 3
const GOAL_S = 1.2

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [0, 10_000, 100_000]
for (const rules of sizes) {
  const found: { readyS: number; cpuS: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const real = await startReal({
      people: rules / PER_WALLET,
      positions: PER_WALLET,
      rules: 'each',
      sides: 'both',
      away: [{ share: 1, from: 0.201, to: 0.801 }],
    })
    found.push({ readyS: real.readyMs / 1_000, cpuS: cpuMsOf(real.pid) / 1_000 })
    await real.stop()
  }
  const [, middle] = found.toSorted((a, b) => a.readyS - b.readyS)
  row(
    `start to the first tick, ${rules.toLocaleString('en')} rules`,
    middle?.readyS ?? Number.NaN,
    's',
    rules === 100_000 ? { atMost: GOAL_S } : null,
    `CPU ${middle?.cpuS.toFixed(2)} s`,
  )
}
