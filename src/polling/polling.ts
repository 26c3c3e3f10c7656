import type { Read, View } from '../command/context.ts'
import { untilOver } from '../lib/time/backoff.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { OrderDraft, Preview } from '../venue/order.ts'
import type { Readings, ReadNow } from '../venue/reading.ts'
import type { RequestUsage, VenueLoad } from '../venue/venue-load.ts'
import type { LedgerAnswer, LedgerAsked } from '../venue/record/ledger.ts'
import { venueOf } from '../venue/venue-name.ts'
import type { Venue } from '../venue/venue.ts'
import type { Wallet } from '../venue/wallet.ts'
import { createAsked, pollAsking } from './asking.ts'
import { createPolledVenue, type PolledVenue, type Settings } from './part.ts'
import { createReads } from './reads.ts'

/** Nobody waits for a record, and all others go first. */
const RECORD_LIMIT_MS = 60_000

/**
 * The record of a wallet weighs 60 and more. Where the others use a quarter of the pace, three wallets a minute keep all
 * together within 60% of the allowance, with somebody who asks. Where they use more, one a minute does.
 */
const RECORD_PAUSE_MS = { calm: 20_000, busy: 60_000 }
const BUSY_SHARE = 0.25

function recordPauseMs({ markets, wallets, followed = 0, asked, atMost }: RequestUsage): number {
  const isBusy = markets + wallets + followed + asked > atMost * BUSY_SHARE
  return isBusy ? RECORD_PAUSE_MS.busy : RECORD_PAUSE_MS.calm
}

/** All requests: each venue is polled by itself, and the reads of commands ask all of them. */
interface Polling {
  read: Read
  /** How each venue is read now, and what that costs; the first one first. */
  venueLoads(): readonly VenueLoad[]
  start(): void
  nudge(): void
  /** Makes every wallet due now. */
  readWallets(): void
  readNow: ReadNow
  /** Previews an order, after all requests that protect positions. */
  quote(draft: OrderDraft, limitMs: number, signal: AbortSignal): Promise<Preview>
  /** How many quotes, and reads of records, wait for their turn. Only time brings it. */
  quoteWaits(): number
  recordWaits(): number
  /** How long a read of records is to leave room for others, after the one before. */
  recordPauseMs(): number
  /** Reads a wallet's record of money for which nobody waits; null where no venue shows one. */
  ledger: ((wallet: Wallet, asked: LedgerAsked) => Promise<LedgerAnswer>) | null
  stop(): Promise<void>
  idle(): Promise<void>
}

export function createPolling(world: {
  venue: Venue
  readings: Readings
  view: View
  clock: Clock
  emit: Emit
  signal: AbortSignal
  settings: Settings
}): Polling {
  const { venue, readings, view, clock, emit, signal, settings } = world
  const parts = venue.parts ?? [{ name: null, venue }]
  const later = parts.slice(1).flatMap(({ name }) => name ?? [])
  const polled = parts.map((part, place): PolledVenue => {
    const at = place === 0 ? undefined : (part.name ?? undefined)
    return createPolledVenue({
      ...{ ...part, at, readings, clock, emit, settings },
      owns: (id) => venueOf(id, later) === at,
      watched: () => view.status().wallets,
      changed: () => changed(at),
    })
  })
  /** The engine says once which demands have changed. The venue that asks first tells the others. */
  function changed(at: string | undefined): Wallet[] {
    const wallets = readings.changed()
    if (wallets.length === 0) return wallets
    for (const one of polled) {
      one.venue.push?.watch?.(wallets)
      if (one.at !== at) one.wallets.changed(wallets)
    }
    return wallets
  }
  function polledAt(name: string | undefined): PolledVenue {
    const found = polled.find(({ at }) => at === name)
    if (!found) throw new Error(`no venue ${name}`)
    return found
  }
  function recordReader(ask: NonNullable<Venue['ledger']>): Polling['ledger'] {
    return async (wallet, asked) => {
      const own = untilOver(signal)
      const at = (name: string | undefined) =>
        pollAsking((polled.find((one) => one.name === name) ?? polledAt(undefined)).budget, 'record', {
          ...{ limitMs: RECORD_LIMIT_MS, signal: own.signal, age: createAsked(clock) },
        })
      try {
        return await ask(wallet, asked, { ...at(undefined), ...(polled.length > 1 && { at }) })
      } finally {
        own.over()
      }
    }
  }
  const each = (act: (one: PolledVenue) => Promise<void>) => Promise.all(polled.map(act))
  return {
    read: createReads({
      ...{ venue, venues: polled, clock, view, signal },
      freshMs: 2 * settings.marketPollMs,
      ages: { minMs: settings.walletPollMinMs, maxMs: settings.walletPollMaxMs },
      needed: () => readings.needed(),
    }),
    venueLoads: () => polled.map((one) => one.load()),
    start() {
      for (const one of polled) one.start()
    },
    nudge() {
      for (const one of polled) one.nudge()
    },
    readWallets() {
      for (const one of polled) one.wallets.readAll()
    },
    readNow: (wallet, endedSince, at) => polledAt(at).wallets.readNow(wallet, endedSince),
    quoteWaits: () => polled.reduce((sum, { budget }) => sum + budget.waits('quote'), 0),
    recordWaits: () => polled.reduce((sum, { budget }) => sum + budget.waits('record'), 0),
    recordPauseMs: () => Math.max(...polled.map(({ budget }) => recordPauseMs(budget.used()))),
    ledger: venue.ledger ? recordReader(venue.ledger) : null,
    quote(draft, limitMs, signal) {
      const { venue: asked, budget } = polledAt(venueOf(draft.accountId, later))
      return asked.preview(draft, {
        ...{ patience: 'poll', limitMs, signal },
        spend: (request, weight) => budget.spend('quote', signal, request, weight),
      })
    },
    async stop() {
      await each((one) => one.stop())
    },
    async idle() {
      await each((one) => one.idle())
    },
  }
}
