import { MARKETS, PRICE } from './crowd.ts'
import { at, type Cost, costOf, residentMb } from './figures.ts'
import { type Burst, BURST_FALL, burstOf, crowdOf, FALL, type Grown, medianOf, STEPS } from './growing.ts'
import { start } from './running.ts'

// One point of `growth.ts`, in a process of its own: Perch with so many subjects. Arguments: how many, and `burst` for as many
// alerts at once.

const [, , size = '', what = ''] = process.argv
const all = (price: number) => Array.from({ length: MARKETS }, () => price)
let transitions = 0
const running = await start(
  what === 'burst' ? burstOf(Number(size)) : crowdOf(Number(size)),
  ({ is }) => void (is === 'transition' && transitions++),
)
await running.tick(all(PRICE))
await running.readWallets()
await running.sent()
const found = what === 'burst' ? await burst() : await ticks()
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit())

async function ticks(): Promise<Grown> {
  for (let round = 0; round < STEPS; round++) await running.tick(all(PRICE))
  transitions = 0
  const [quietMs, crossing]: [number[], Cost[]] = [[], []]
  for (let step = 1; step <= STEPS; step++) {
    const price = PRICE * (1 - FALL * step)
    crossing.push(await costOf(() => fallTo(price)))
    quietMs.push((await costOf(() => running.tick(all(price)))).cpuMs)
  }
  return {
    loadMs: running.loadedCpuMs,
    residentMb: residentMb(),
    quietMs: at(quietMs, 0.5),
    ...medianOf(crossing),
    transitions: transitions / STEPS,
  }
}

async function burst(): Promise<Burst> {
  return costOf(() => fallTo(PRICE * (1 - BURST_FALL)))
}

async function fallTo(price: number): Promise<void> {
  await running.tick(all(price))
  await running.sent()
}
