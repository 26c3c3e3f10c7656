import { setTimeout as sleep } from 'node:timers/promises'

import type { Heard } from './heard.ts'
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

  const untold = (since: number, relit: number | null) =>
    darknessFaults(platforms.heard, chats, { since, relit }, now())
  const waits = async (so: () => boolean, ms: number) => {
    for (const ends = now() + ms; !so() && now() < ends; living()) await sleep(STEP_MS)
  }

  return {
    async passes(runs) {
      const since = now()
      venue.goesDark(true)
      note('the venue is dark')
      const isTold = () => untold(since, null).length === 0
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
      const relit = now()
      venue.goesDark(false)
      note('the venue answers again')
      await waits(() => untold(since, relit).every(({ what }) => what === 'blind'), patienceMs)
      return untold(since, relit)
    },
  }
}

/** Each chat is owed the outage, and whoever was told of it the return as well, which is null while it is dark. */
export function darknessFaults(
  heard: readonly Pick<Heard, 'chat' | 'about' | 'what' | 'at'>[],
  chats: readonly string[],
  { since, relit }: { since: number; relit: number | null },
  at: number,
): Fault[] {
  const hears = (chat: string, what: string, from: number) =>
    heard.some((one) => one.chat === chat && one.about === ABOUT && one.what === what && one.at >= from)
  return chats.flatMap((chat): Fault[] => {
    const isTold = hears(chat, 'blind', since)
    if (isTold && (relit === null || hears(chat, 'recovered', relit))) return []
    return [{ chat, about: ABOUT, what: isTold ? 'recovered' : 'blind', text: null, at }]
  })
}
