import { onTestFinished } from 'vitest'

import { kinds } from '../../src/alerts/index.ts'
import { createView } from '../../src/engine/view.ts'
import { createPolling } from '../../src/polling/polling.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { Owner } from '../../src/venue/wallet.ts'
import { breathe } from './clock.ts'
import { aRule, aWatch } from './fixtures.ts'
import { anOwner, type Script, type ScriptedVenue, scriptedVenue } from './polling.ts'
import { PERIODS, type Running, startEngine } from './running.ts'

/** The real engine, and everything that asks a venue for it, with as many wallets as a test needs: all of one person. */
interface Crowd {
  running: Running
  venue: ScriptedVenue
  owners: Owner[]
  /** Turns the clock; what was heard meanwhile. */
  pass(ms: number): Promise<string[]>
  /** When this wallet was asked for, in seconds since the start. */
  asked(owner: Owner): number[]
}

export async function startCrowd(wallets: number, perSecond: number, script: Script): Promise<Crowd> {
  const owners = Array.from({ length: wallets }, (_, index) => anOwner(index))
  let polling: ReturnType<typeof createPolling> | null = null
  const running = await startEngine(
    {
      rules: [aRule()],
      watches: owners.map((owner, index) => aWatch({ owner, label: `w${index}` })),
    },
    {
      readNow: (owner, endedSince) => polling?.readNow(owner, endedSince) ?? false,
      listens: ({ is }) => void (is === 'turn' && polling?.nudge()),
    },
  )
  const { engine, clock, events } = running
  const venue = scriptedVenue(clock, script)
  const about = { venue: 'scripted', version: 'test', marketStaleMs: 12_000 }
  const stopping = new AbortController()
  const asks = createPolling({
    venue: venue.venue,
    readings: engine,
    view: createView(engine.memory, kinds, clock, about, () => null),
    clock,
    emit: (event: Event) => void events.push(event),
    signal: stopping.signal,
    settings: { ...PERIODS, requestsPerSecond: perSecond },
  })
  polling = asks
  const began = clock.tick()
  const reads = new Map<Owner, number[]>()
  let counted = 0
  // Requests that wait for their turn are not at rest, and only the clock ends that.
  clock.restsWhen(() => breathe())
  asks.start()
  onTestFinished(async () => {
    stopping.abort()
    await asks.stop()
  })
  return {
    ...{ running, venue, owners },
    async pass(ms) {
      await clock.advance(ms)
      return running.hears()
    },
    asked(owner) {
      for (; counted < venue.calls.length; counted++) {
        const call = venue.calls[counted]
        if (call?.what !== 'positions' || call.owner === null) continue
        reads.set(call.owner, [...(reads.get(call.owner) ?? []), (call.tick - began) / 1_000])
      }
      return reads.get(owner) ?? []
    },
  }
}
