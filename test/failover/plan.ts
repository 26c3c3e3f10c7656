import { createDice, type Dice } from '../support/seed.ts'
import type { Level } from './crowd.ts'
import type { SendFault } from './platforms.ts'

/** One fault. Spans are in milliseconds; those in `leases` are shares of the life of a lease. */
export type Fault =
  /** `kill -9` of the one that leads. */
  | { is: 'kill' }
  /** Stopped for longer than a lease lasts, and let go on. */
  | { is: 'stop'; leases: number }
  /** Killed or stopped while a platform holds the answer to a send. */
  | { is: 'kill in a send'; how: SendFault }
  | { is: 'stop in a send'; how: SendFault; leases: number }
  /** The standby is killed as soon as it leads: nobody is left. */
  | { is: 'kill both' }
  | { is: 'SIGTERM' }
  | { is: 'SIGTERM without PostgreSQL' }
  | { is: 'kill the standby' }
  | { is: 'stop the standby'; leases: number }
  | { is: 'PostgreSQL restarts'; signal: 'SIGINT' | 'SIGQUIT'; awayMs: number }
  | { is: 'PostgreSQL hangs'; leases: number }
  /** The line between PostgreSQL and the one that leads, or the standby. */
  | { is: 'line cut'; to: Role; half: boolean }
  | { is: 'line away'; to: Role; leases: number }
  | { is: 'line silent'; to: Role; direction: 'requests' | 'answers' | 'both'; leases: number }

export type Role = 'leader' | 'standby'

export interface Move {
  group: number
  to: Level
}

export interface Step {
  fault: Fault
  /** Prices that move, some before and some after the fault begins. */
  before: readonly Move[]
  after: readonly Move[]
  /** How many messages of this step arrive before the fault; none are waited for where nothing moves before. */
  arrivals: number
  afterMs: number
}

/** How often each of them comes, of 100. */
const OFTEN: readonly [share: number, make: (dice: Dice) => Fault][] = [
  [18, () => ({ is: 'kill' })],
  [14, (dice) => ({ is: 'stop', leases: 1.1 + dice.next() })],
  [10, (dice) => ({ is: 'kill in a send', how: sendFault(dice) })],
  [12, (dice) => ({ is: 'stop in a send', how: sendFault(dice), leases: 1.1 + dice.next() })],
  [4, () => ({ is: 'kill both' })],
  [8, () => ({ is: 'SIGTERM' })],
  [2, () => ({ is: 'SIGTERM without PostgreSQL' })],
  [3, () => ({ is: 'kill the standby' })],
  [3, (dice) => ({ is: 'stop the standby', leases: 0.5 + 2 * dice.next() })],
  [
    8,
    (dice) => ({
      is: 'PostgreSQL restarts',
      signal: dice.one(['SIGINT', 'SIGQUIT'] as const),
      awayMs: dice.one([0, 0, 1_000, 5_000, 9_000]),
    }),
  ],
  [3, (dice) => ({ is: 'PostgreSQL hangs', leases: 0.3 + 1.5 * dice.next() })],
  [6, (dice) => ({ is: 'line cut', to: role(dice), half: dice.often(0.5) })],
  [4, (dice) => ({ is: 'line away', to: role(dice), leases: 0.2 + 2 * dice.next() })],
  [
    7,
    (dice) => ({
      ...{ is: 'line silent', to: role(dice), leases: 0.2 + 2 * dice.next() },
      direction: dice.one(['requests', 'answers', 'both'] as const),
    }),
  ],
]

const role = (dice: Dice): Role => (dice.often(0.75) ? 'leader' : 'standby')
const sendFault = (dice: Dice): SendFault => dice.one(['delivered and hung', 'delayed', 'hung'])

/** Always the same for the same seed. `faults` are taken in turn; without them chance chooses. */
export function planOf(seed: number, count: number, groups: number, faults: readonly Fault[] = []): Step[] {
  const dice = createDice(seed)
  const levels: Level[] = Array.from({ length: groups }, () => 'calm')
  return Array.from({ length: count }, (_, index): Step => {
    const fault = faults[index] ?? anyFault(dice)
    const moves = movesOf(dice, levels)
    const isSend = fault.is.endsWith('in a send')
    const early = isSend ? moves.length : dice.below(moves.length + 1)
    return {
      fault,
      before: moves.slice(0, early),
      after: moves.slice(early),
      arrivals: early === 0 || isSend ? 0 : dice.below(12),
      afterMs: dice.one([0, 0, 5, 30, 200]),
    }
  })
}

function anyFault(dice: Dice): Fault {
  let left = dice.next() * OFTEN.reduce((sum, [share]) => sum + share, 0)
  for (const [share, make] of OFTEN) {
    if (left < share) return make(dice)
    left -= share
  }
  return { is: 'kill' }
}

/** At least one wallet comes into danger, and those that are in danger for long come out of it. */
function movesOf(dice: Dice, levels: Level[]): Move[] {
  const danger = levels.flatMap((level, group) => (level === 'calm' ? [] : [group]))
  const calm = levels.flatMap((level, group) => (level === 'calm' ? [group] : []))
  const moves = danger.map((group): Move => {
    const isNear = levels[group] === 'near'
    return { group, to: isNear && dice.often(0.4) ? 'brink' : 'calm' }
  })
  if (calm.length > 0) moves.unshift({ group: dice.one(calm), to: dice.often(0.7) ? 'near' : 'brink' })
  for (const { group, to } of moves) levels[group] = to
  return moves
}
