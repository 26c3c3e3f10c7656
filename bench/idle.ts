import { cpuMsOf, residentMbOf, wait } from './support/process.ts'
import { startReal } from './support/real.ts'
import { row } from './support/rows.ts'

// What the real program needs while nothing is near a line: prices tremble, wallets are read in turn at the usual twenty
// requests a second. `node bench/idle.ts [wallets …]`

const SETTLES_MS = 15_000
/** As long as a round: where wallets are few, nobody is read for most of it. */
const WINDOW_MS = 60_000
const MOST_PERCENT = 10
/** Of each price: far from any line. */
const TREMBLES = 0.0005

// All at the same time: each is counted by itself, and together they leave a processor free.
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1, 100, 1_000, 5_000, 20_000]
for (const found of await Promise.all(sizes.map(idle))) row(...found)

async function idle(people: number): Promise<Parameters<typeof row>> {
  const real = await startReal({
    people,
    positions: 3,
    rules: 'one',
    sides: 'both',
    away: [{ share: 1, from: 0.25, to: 0.8 }],
  })
  await real.venue.says({ is: 'trembles', by: TREMBLES })
  await wait(SETTLES_MS)
  const [cpu, reads, at] = [cpuMsOf(real.pid), await real.venue.says({ is: 'reads' }), performance.now()]
  await wait(WINDOW_MS)
  const seconds = (performance.now() - at) / 1_000
  const percent = (cpuMsOf(real.pid) - cpu) / 10 / seconds
  const perSecond = ((await real.venue.says({ is: 'reads' })) - reads) / seconds
  const resident = residentMbOf(real.pid)
  await real.stop()
  return [
    `idle CPU, ${people.toLocaleString('en')} wallets`,
    percent,
    '%',
    { atMost: MOST_PERCENT },
    `${perSecond.toFixed(1)} wallets read a second, ${resident.toFixed(0)} MB resident`,
  ]
}
