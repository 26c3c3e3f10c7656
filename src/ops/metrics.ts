import type { Clock } from '../clock.ts'
import type { Event, Events } from '../event.ts'
import type { StoreVitals } from '../store.ts'
import type { Vitals } from '../vitals.ts'
import type { Route } from './http.ts'
import { hearBackups } from './metrics/backups.ts'
import { Registry } from './metrics/client.ts'
import { hearEngine } from './metrics/engine.ts'
import type { About, Heard } from './metrics/heard.ts'
import { watchLoop } from './metrics/loop.ts'
import { hearOutbox } from './metrics/outbox.ts'
import { watchProcess } from './metrics/process.ts'
import { standing } from './metrics/standing.ts'
import { hearTroubles } from './metrics/troubles.ts'
import { hearVenue } from './metrics/venue.ts'

interface Asked {
  vitals(): Vitals
  kept(): Promise<StoreVitals>
}

/** However many ask, what has to be counted is counted this often. */
const ASKED_EVERY_MS = 1_000

/**
 * Figures for Prometheus at `/metrics`: what is heard from the events as it happens, and how the bot stands when somebody
 * asks. Labels come from closed sets; of people, chats, wallets and markets there are numbers alone.
 */
export function startMetrics({ events, clock, about }: { events: Events; clock: Clock; about: About }): {
  route: Route
  /** The bot is there: from now on it is asked how it stands. */
  begin(asked: Asked): void
  stop(): void
} {
  const registry = new Registry()
  const heard: readonly Heard[] = [
    hearVenue(registry, about, clock),
    hearEngine(registry, about),
    hearOutbox(registry, about),
    hearTroubles(registry),
    hearBackups(registry, clock),
  ]
  watchProcess(registry, about, clock)
  const stopWatching = watchLoop(registry, clock)
  const stopListening = events.listen((event) => {
    for (const one of heard) hear(one, event)
  })
  let asked: Asked | null = null
  let last: { tick: number; text: Promise<string> } | null = null

  async function text(): Promise<string> {
    // Where nothing can be read either, everything else is still of use.
    const kept = asked ? await asked.kept().catch(() => null) : null
    const parts = [registry.metrics(), standing(asked?.vitals() ?? null, kept, about, clock.now())]
    return (await Promise.all(parts)).join('\n')
  }

  return {
    async route({ method, path }) {
      if (method !== 'GET' || path !== '/metrics') return null
      if (!last || clock.tick() - last.tick >= ASKED_EVERY_MS) last = { tick: clock.tick(), text: text() }
      return { status: 200, type: 'text/plain; version=0.0.4', body: await last.text }
    },
    begin: (whom) => void (asked = whom),
    stop() {
      stopListening()
      stopWatching()
    },
  }
}

/** The table has each kind of event under its name. */
function hear(heard: Heard, event: Event): void {
  const by = heard as Readonly<Record<string, ((event: Event) => void) | undefined>>
  by[event.is]?.(event)
}
