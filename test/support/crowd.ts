import { onTestFinished } from 'vitest'

import { kinds } from '../../src/alerts/index.ts'
import { createView } from '../../src/engine/view.ts'
import { createPolling } from '../../src/polling/polling.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { breathe } from './clock.ts'
import { aRule, aWatch } from './fixtures.ts'
import { aWallet, type Script, type ScriptedVenue, scriptedVenue } from './polling.ts'
import { PERIODS, type Running, startEngine } from './running.ts'

/** The real engine, and everything that asks a venue for it, with as many wallets as a test needs: all of one person. */
interface Crowd {
  running: Running
  venue: ScriptedVenue
  wallets: Wallet[]
  /** Turns the clock; what was heard meanwhile. */
  pass(ms: number): Promise<string[]>
  /** When this wallet was asked for, in seconds since the start. */
  asked(wallet: Wallet): number[]
}

export async function startCrowd(count: number, perSecond: number, script: Script): Promise<Crowd> {
  const wallets = Array.from({ length: count }, (_, index) => aWallet(index))
  let polling: ReturnType<typeof createPolling> | null = null
  const running = await startEngine(
    {
      rules: [aRule()],
      watches: wallets.map((wallet, index) => aWatch({ wallet, label: `w${index}` })),
    },
    {
      readNow: (wallet, endedSince) => polling?.readNow(wallet, endedSince) ?? false,
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
  const began = clock.monotonic()
  const reads = new Map<Wallet, number[]>()
  let counted = 0
  // Requests that wait for their turn are not at rest, and only the clock ends that.
  clock.restsWhen(() => breathe())
  asks.start()
  onTestFinished(async () => {
    stopping.abort()
    await asks.stop()
  })
  return {
    ...{ running, venue, wallets },
    async pass(ms) {
      await clock.advance(ms)
      return running.hears()
    },
    asked(wallet) {
      for (; counted < venue.calls.length; counted++) {
        const call = venue.calls[counted]
        if (call?.what !== 'positions' || call.wallet === null) continue
        reads.set(call.wallet, [...(reads.get(call.wallet) ?? []), (call.mono - began) / 1_000])
      }
      return reads.get(wallet) ?? []
    },
  }
}
