import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import type { Crowd } from './crowd.ts'
import { at, type Cost } from './figures.ts'
import { likeProgram } from './program.ts'

/** What is found at each size, of Perch and of its prototype. Milliseconds of processor time. */
export interface Grown {
  loadMs: number
  /** When everything was read once. */
  residentMb: number
  quietMs: number
  crossingMs: number
  crossingWallMs: number
  /** A tick, on average. */
  transitions: number
}

/** Until everything is sent. */
export interface Burst {
  cpuMs: number
  wallMs: number
}

const PER_WALLET = 10
/** So many positions lie where prices go, however many lie elsewhere: each size has the same to tell. */
const NEAR = 300
export const STEPS = 60
/** Of all prices, at each step. */
export const FALL = 0.0002
/** The line that is crossed: so near to liquidation. */
export const LINE = 0.2

export function crowdOf(subjects: number): Crowd {
  const share = NEAR / subjects
  // What the last step reaches: as far from its liquidation now as it takes to come to the line then.
  const egress = 1 - (1 - FALL * STEPS) * (1 - LINE)
  return {
    people: subjects / PER_WALLET,
    positions: PER_WALLET,
    rules: 'one',
    sides: 'long',
    away: [
      { share, from: LINE + 0.0001, to: egress },
      { share: 1 - share, from: 0.3, to: 0.8 },
    ],
  }
}

/** Everybody comes within a line by one fall of all prices, each with one position and a chat of their own. */
export function burstOf(alerts: number): Crowd {
  const away = [{ share: 1, from: 0.21, to: 0.355 }]
  return { people: alerts, positions: 1, rules: 'one', sides: 'long', away }
}
export const BURST_FALL = 0.2

export function medianOf(ticks: readonly Cost[]): Pick<Grown, 'crossingMs' | 'crossingWallMs'> {
  const [cpu, wall] = [ticks.map(({ cpuMs }) => cpuMs), ticks.map(({ wallMs }) => wallMs)]
  return { crossingMs: at(cpu, 0.5), crossingWallMs: at(wall, 0.5) }
}

/** How fast something grows with what it grows with: 1 is in proportion, 0 not at all. */
export function exponentOf(points: readonly (readonly [size: number, value: number])[]): number {
  const logs = points.map(([size, value]) => [Math.log(size), Math.log(value)] as const)
  const mean = (place: 0 | 1) => logs.reduce((sum, point) => sum + point[place], 0) / logs.length
  const [x, y] = [mean(0), mean(1)]
  const [up, along] = logs.reduce(
    ([both, square], point) => [both + (point[0] - x) * (point[1] - y), square + (point[0] - x) ** 2],
    [0, 0],
  )
  return up / along
}

/** What a process of its own has found: `grown.ts` or `prototype.ts`. */
export function point(file: string, size: number, ...what: string[]): unknown {
  const script = fileURLToPath(new URL(file, import.meta.url))
  const { cwd, settings } = likeProgram(script)
  const printed = execFileSync(process.execPath, [...settings, script, String(size), ...what], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(printed.toString())
}
