import type { Memory } from './memory.ts'
import type { Turn } from './turn.ts'

/** What the event stream hears of feeds that are lost or found by this turn. */
export function sightings(memory: Memory, { learned }: Turn, now: number) {
  return learned.flatMap((effect) => {
    if (effect.is === 'blind') return { is: 'blind', feed: effect.feed, why: effect.why } as const
    if (effect.is !== 'sighted') return []
    const blindMs = now - (memory.blind.get(effect.feed)?.since ?? now)
    return { is: 'sighted', feed: effect.feed, blindMs } as const
  })
}
