import { type Burst, exponentOf, type Grown, point } from './support/growing.ts'
import { figure, type Row, row } from './support/rows.ts'

// How everything grows with how many are watched, from a thousand to a million subjects: each size in a process of its own,
// and beside it the least that does the same work. `node bench/growth.ts [subjects …]`

const MILLION = 1_000_000
/** What a hundred thousand need, `burst.ts` says. */
const MOST_BURST = 30_000
const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000, MILLION]
/** Each with what is wanted at a million, and of its exponent: 1 is in proportion, 0 not at all. */
const MEASURES: readonly {
  measure: keyof Grown
  name: string
  unit: string
  atMillion: number | null
  exponent: number
}[] = [
  { measure: 'quietMs', name: 'quiet tick, CPU', unit: 'ms', atMillion: 1, exponent: 0.2 },
  {
    ...{ measure: 'crossingMs', name: 'tick with crossings, sent and settled, CPU' },
    ...{ unit: 'ms', atMillion: null, exponent: 0.2 },
  },
  { measure: 'loadMs', name: 'load, CPU', unit: 'ms', atMillion: 4_000, exponent: 1.1 },
  { measure: 'residentMb', name: 'resident, all wallets read', unit: 'MB', atMillion: 900, exponent: 1.1 },
]

const points = sizes.map((size) => ({
  size,
  perch: point('grown.ts', size) as Grown,
  prototype: point('prototype.ts', size) as Grown,
}))
for (const { measure, name, unit, atMillion, exponent } of MEASURES) {
  for (const { size, perch, prototype } of points) {
    const crossed = measure === 'crossingMs' ? ` (${perch.transitions.toFixed(1)} transitions)` : ''
    const goal = size === MILLION && atMillion !== null ? { atMost: atMillion } : null
    pair(
      `${size.toLocaleString('en')} subjects: ${name}${crossed}`,
      perch[measure],
      prototype[measure],
      unit,
      goal,
    )
  }
  growth(
    name,
    points.map(({ size, perch, prototype }) => [size, perch[measure], prototype[measure]]),
    exponent,
  )
}
const bursts = sizes
  .map((size) => Math.min(size, MOST_BURST))
  .filter((size, place, all) => all.indexOf(size) === place)
  .map((size) => {
    const [perch, prototype] = [
      point('grown.ts', size, 'burst') as Burst,
      point('prototype.ts', size, 'burst') as Burst,
    ]
    pair(
      `${size.toLocaleString('en')} alerts at once: all sent, CPU`,
      perch.cpuMs,
      prototype.cpuMs,
      'ms',
      null,
    )
    return [size, perch.cpuMs, prototype.cpuMs] as const
  })
growth('alerts at once, CPU', bursts, 1.1)

function pair(what: string, perch: number, prototype: number, unit: string, goal: Row['goal']): void {
  const times = `${(perch / prototype).toFixed(1)} × as much`
  row(what, perch, unit, goal, `prototype ${figure(prototype, unit)}; ${times}`)
}

function growth(
  name: string,
  found: readonly (readonly [size: number, perch: number, prototype: number])[],
  most: number,
): void {
  if (found.length < 2) return
  const [ours, least] = [
    exponentOf(found.map(([size, perch]) => [size, perch])),
    exponentOf(found.map(([size, , prototype]) => [size, prototype])),
  ]
  row(`exponent of growth: ${name}`, ours, '', { atMost: most }, `prototype ${least.toFixed(2)}`)
}
