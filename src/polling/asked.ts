import type { Clock } from '../clock.ts'

/** When something was asked. */
interface Asked {
  at: number
  tick: number
}

/** How old an answer of several requests is: as old as the oldest of those that were answered. */
export function createAsked(clock: Clock): {
  of<T>(request: () => Promise<T>): Promise<T>
  asked(): Asked
} {
  const now = (): Asked => ({ at: clock.now(), tick: clock.tick() })
  const began = now()
  let oldest: Asked | null = null
  return {
    async of(request) {
      const asked = now()
      const value = await request()
      if (oldest === null || asked.tick < oldest.tick) oldest = asked
      return value
    },
    asked: () => oldest ?? began,
  }
}
