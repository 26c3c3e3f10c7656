import { createDice, type Dice } from '../support/seed.ts'
import { LINES } from './oracle.ts'
import { CALM, distanceOf, HOLDINGS, SYMBOLS, type World } from './world.ts'

/** Where a kill strikes. Times are counted from the moment that is named, in milliseconds. */
export type Kill =
  | { at: 'moment'; afterMs: number }
  /** After so many answers of the new world. */
  | { at: 'served'; answers: number; afterMs: number }
  /** After so many messages have arrived at a platform, which may not have said so yet. */
  | { at: 'arrival'; messages: number; afterMs: number }
  /** Before one of its system calls of this name: before the first, the next time before the second, and so on. */
  | { at: 'call'; call: string }

export interface Step {
  world: World
  kills: Kill[]
  /** The share of the venue's answers that are spoilt. */
  spoilt: number
  /** How many sends meet a fault, on each platform. */
  faults: { telegram: number; discord: number }
  /** The log of each run that begins in this step goes to a full disk. */
  logFull: boolean
  /** The program finds lines that people wrote hours ago. */
  stale: boolean
  /** Behind it the venue is dark for so many runs of the program, each as long as this, in milliseconds; or not at all. */
  dark: number[]
  /** The next step comes when this one is seen, not only when it is told. */
  hurried: boolean
}

/** What writes: to the database and its log, to the disk itself, and to sockets. The database is written most. */
const CALLS = ['pwrite64', 'fsync,fdatasync', 'write', 'pwrite64', 'writev', 'ftruncate']
/** Nothing stands nearer to a line than this: what is owed must not hang on how a price is rounded. */
const CLEARANCE = 0.003

/** Always the same for the same seed. */
export function planOf(
  seed: number,
  kills: number,
  { traces, faults, darkness }: { traces: boolean; faults: boolean; darkness: boolean },
): Step[] {
  const dice = createDice(seed)
  // Of their own, so that worlds and kills of a seed stay as they are.
  const others = createDice(seed + 2)
  const steps: Step[] = []
  let world = CALM
  let calls = 0
  for (let left = kills; left > 0;) {
    world = nextWorld(dice, world)
    const count = Math.min(left, dice.one([0, 1, 2, 3, 4, 5]))
    left -= count
    const killed = Array.from({ length: count }, (): Kill => {
      if (traces && dice.often(0.6)) return aCall(calls++)
      return aMoment(dice)
    })
    steps.push({
      ...{ world, kills: killed, spoilt: faults ? dice.one([0, 0.05, 0.2]) : 0 },
      faults: { telegram: faults ? dice.below(3) : 0, discord: faults ? dice.below(3) : 0 },
      hurried: dice.often(0.3),
      logFull: faults && others.often(0.3),
      stale: faults && others.often(0.3),
      dark: darkness && others.often(0.1) ? darkRuns(others) : [],
    })
  }
  const calm = { kills: [], spoilt: 0, faults: { telegram: 0, discord: 0 }, hurried: false }
  const lit = { logFull: false, stale: false, dark: [] }
  steps.push({ world: withoutTheLiquidated(world) ?? world, ...calm, ...lit })
  return steps
}

/** Between 5 and 15 s each: none of them alone is dark for long enough to tell it. */
function darkRuns(dice: Dice): number[] {
  return Array.from({ length: 8 }, () => 5_000 + dice.below(10_000))
}

function aCall(n: number): Kill {
  const call = CALLS[n % CALLS.length] ?? 'pwrite64'
  return { at: 'call', call }
}

function aMoment(dice: Dice): Kill {
  const at = dice.one(['moment', 'served', 'served', 'arrival', 'arrival'] as const)
  if (at === 'moment') return { at, afterMs: dice.below(1_500) }
  if (at === 'served') return { at, answers: 1 + dice.below(8), afterMs: dice.below(60) }
  return { at, messages: 1 + dice.below(6), afterMs: dice.one([0, 0, 1, 3, 10, 30]) }
}

/** Markets move, or what wallets hold: never both at once, since the venue tells of them apart. */
function nextWorld(dice: Dice, world: World): World {
  const liquidated = withoutTheLiquidated(world)
  if (liquidated) return liquidated
  const share = dice.next()
  if (share < 0.12) return { ...world, payers: flipped(dice, world) }
  if (share < 0.3) return { ...world, held: exchanged(dice, world) }
  return { ...world, prices: moved(dice, world) }
}

function withoutTheLiquidated(world: World): World | null {
  const past = HOLDINGS.filter((one) => world.held.has(one.id) && distanceOf(one, world) <= 0)
  if (past.length === 0) return null
  return { ...world, held: new Set([...world.held].filter((id) => !past.some((one) => one.id === id))) }
}

function flipped(dice: Dice, { payers }: World): World['payers'] {
  const symbol = dice.one(SYMBOLS)
  return { ...payers, [symbol]: payers[symbol] === 'longs' ? 'shorts' : 'longs' }
}

/** Some positions are closed, and some of those that there were are opened again. */
function exchanged(dice: Dice, world: World): World['held'] {
  const held = new Set(world.held)
  for (const one of HOLDINGS) {
    if (!dice.often(0.3)) continue
    if (held.has(one.id)) held.delete(one.id)
    else if (distanceOf(one, world) > CLEARANCE) held.add(one.id)
  }
  return held
}

function moved(dice: Dice, world: World): World['prices'] {
  for (;;) {
    const prices = { ...world.prices }
    for (const symbol of SYMBOLS) {
      if (!dice.often(0.6)) continue
      const near = (prices[symbol] ?? 100) + dice.below(17) - 8
      prices[symbol] = dice.often(0.6) ? Math.min(Math.max(near, 65), 142) : 66 + dice.below(75)
    }
    if (isClear({ ...world, prices })) return prices
  }
}

function isClear(world: World): boolean {
  const lines = [0, ...LINES, ...LINES.map((line) => line * 1.15)]
  return HOLDINGS.every((one) => {
    const distance = distanceOf(one, world)
    return lines.every((line) => Math.abs(distance - line) >= CLEARANCE)
  })
}
