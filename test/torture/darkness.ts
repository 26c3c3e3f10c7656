import { setTimeout as sleep } from 'node:timers/promises'

import type { Life } from './life.ts'
import type { Platforms } from './platforms.ts'
import type { TortureVenue } from './venue.ts'
import type { Fault } from './verdict.ts'

const ABOUT = 'sight of the venue'
const STEP_MS = 50
const START_LIMIT_MS = 60_000

/** Keeps the venue dark for several runs of the program, and judges whether everybody is told of it and of its end. */
export function createDarkness(world: {
  venue: TortureVenue
  platforms: Platforms
  living: () => Life
  chats: readonly string[]
  now: () => number
  patienceMs: number
  note: (text: string) => void
}): { passes(runs: readonly number[]): Promise<Fault[]> } {
  const { venue, platforms, living, chats, now, patienceMs, note } = world

  const missing = (what: string, since: number) =>
    chats.filter(
      (chat) =>
        !platforms.heard.some(
          (one) => one.chat === chat && one.about === ABOUT && one.what === what && one.at >= since,
        ),
    )
  const faults = (what: string, since: number) =>
    missing(what, since).map((chat): Fault => ({ chat, about: ABOUT, what, text: null, at: now() }))
  const waits = async (so: () => boolean, ms: number) => {
    for (const ends = now() + ms; !so() && now() < ends; living()) await sleep(STEP_MS)
  }

  return {
    async passes(runs) {
      const since = now()
      venue.goesDark(true)
      note('the venue is dark')
      const isTold = () => missing('blind', since).length === 0
      for (const ms of runs) {
        if (isTold()) break
        const life = living()
        life.kill()
        await life.ended
        note('killed in the dark')
        const before = venue.refused()
        living()
        // On a slow machine a start takes longer than the whole run should.
        await waits(() => venue.refused() > before, START_LIMIT_MS)
        await waits(isTold, ms)
      }
      const untold = faults('blind', since)
      const owesReturn = ({ chat }: { chat: string }) => untold.every((fault) => fault.chat !== chat)
      const relit = now()
      venue.goesDark(false)
      note('the venue answers again')
      await waits(() => !faults('recovered', relit).some(owesReturn), patienceMs)
      return [...untold, ...faults('recovered', relit).filter(owesReturn)]
    },
  }
}
