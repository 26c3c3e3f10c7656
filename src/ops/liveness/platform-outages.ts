import type { PlatformOutage } from '../../command/context.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Event } from '../../runtime/event.ts'

/**
 * Platforms that are out of reach, for people who ask. Nothing that sends looks here: a platform on which nobody is
 * heard may still take messages.
 */
export interface PlatformOutages {
  hear(event: Event): void
  /** The longest comes first. */
  current(): readonly PlatformOutage[]
}

export function createPlatformOutages(clock: Clock): PlatformOutages {
  /** By the name of the platform, in the order in which they went. */
  const away = new Map<string, { since: number; why: string }>()

  function heard(platform: string, why: string | null): void {
    if (why === null) away.delete(platform)
    // The reason may change. The time is that of the first one.
    else away.set(platform, { since: away.get(platform)?.since ?? clock.now(), why })
  }
  return {
    hear(event) {
      if (event.is === 'platform') heard(event.platform, event.why)
    },
    current: () => [...away].map(([platform, one]) => ({ platform, ...one })),
  }
}
