import type { Clock } from '../clock.ts'
import type { Readings } from '../reading.ts'
import { demandOf, distancesOf, neededMarkets } from './demand.ts'
import type { Memory } from './memory.ts'

/** What the engine wants of whoever reads the venue. */
export function asksOf(memory: Memory, clock: Clock): Pick<Readings, 'demand' | 'distances' | 'needed'> {
  return {
    demand: () => demandOf(memory, clock.tick()),
    distances: () => distancesOf(memory),
    needed: () => neededMarkets(memory),
  }
}
