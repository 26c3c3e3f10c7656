import { setTimeout as sleep } from 'node:timers/promises'

import type { Life } from './life.ts'
import type { Kill } from './plan.ts'
import type { Platforms } from './platforms.ts'
import type { TortureVenue } from './venue.ts'

export interface Strikes {
  kills: number
  /** By where they struck. */
  places: Record<string, number>
}

interface Striking {
  readonly strikes: Strikes
  /** Changes the world, and kills the program so often while it takes that in; returns the kills that time was short for. */
  step(
    kills: readonly Kill[],
    how: {
      change(): void
      isSettled(): boolean
      comes(so: () => boolean, limitMs?: number): Promise<boolean>
      limitMs: number
    },
  ): Promise<readonly Kill[]>
}

/** A call that has not been made by then is not made. */
const CALL_LIMIT_MS = 60_000

/** Kills the program where the plan says. */
export function createStriking(world: {
  venue: TortureVenue
  platforms: Platforms
  living: () => Life
  /** Called with each kill, for the story of it. */
  note: (text: string) => void
}): Striking {
  const { venue, platforms, living, note } = world
  const strikes: Strikes = { kills: 0, places: {} }
  /** How many calls of this name are let through before the next of these kills. */
  const sweeps = new Map<string, number>()

  async function end(life: Life, place: string): Promise<void> {
    life.kill()
    await life.ended
    note(`killed ${place}`)
    strikes.kills += 1
    strikes.places[place] = (strikes.places[place] ?? 0) + 1
  }

  return {
    strikes,
    async step(kills, { change, isSettled, comes, limitMs }) {
      const ends = performance.now() + limitMs
      const [head] = kills
      if (head === undefined) change()
      for (const [index, kill] of kills.entries()) {
        if (performance.now() > ends) return kills.slice(index)
        const life = living()
        const shows = () => {
          if (index === 0) change()
        }
        if (kill.at === 'call') {
          const phase = life.fresh() ? 'while it starts' : 'while it works'
          const sweep = `${kill.call} ${phase}`
          const nth = (sweeps.get(sweep) ?? 0) + 1
          const armed = await life.killAtCall(kill.call, nth)
          shows()
          await comes(() => isSettled(), CALL_LIMIT_MS)
          const reached = life.dead()
          sweeps.set(sweep, reached ? nth : 0)
          await armed.disarm()
          await end(life, reached ? `before ${sweep}` : 'at rest')
          continue
        }
        shows()
        const [answers, arrivals] = [venue.served.length, platforms.arrivals()]
        if (kill.at === 'served') await comes(() => venue.served.length >= answers + kill.answers)
        if (kill.at === 'arrival')
          await comes(() => isSettled() || platforms.arrivals() >= arrivals + kill.messages)
        await sleep(kill.afterMs)
        await end(
          life,
          { moment: 'at any moment', served: 'after an answer', arrival: 'after a message' }[kill.at],
        )
      }
      return []
    },
  }
}
