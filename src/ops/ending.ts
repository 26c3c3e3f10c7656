import type { Clock } from '../runtime/clock.ts'
import type { Events } from '../runtime/event.ts'

/** Telling everything after the replay's end must not take longer than this. */
const LIMIT_MS = 60_000
const LOOK_EVERY_MS = 50
const READS_AFTER_THE_END = 2

/**
 * Ends the bot with the venue's replay. Exits with 0 once the replay is over, the last prices have been read, each
 * watched wallet has been read twice since, nothing is pending and the outbox is empty. Exits with 1 if that takes too
 * long.
 */
export function endWithVenue(world: {
  events: Events
  clock: Clock
  unfinished(): Promise<{ wallets: readonly string[]; quiet: boolean }>
  /** Makes every wallet due. */
  readWallets(): void
  end(exitCode: number, why: string): void
}): void {
  const { events, clock, unfinished, readWallets, end } = world
  const reads = new Map<string, number>()
  let endedAt: number | null = null
  let lastPricesAt: number | null = null

  const look = () => {
    unfinished()
      .then(({ wallets, quiet }) => {
        if (
          lastPricesAt !== null &&
          quiet &&
          wallets.every((wallet) => (reads.get(wallet) ?? 0) >= READS_AFTER_THE_END)
        ) {
          return end(0, 'the replay is over and everything is told')
        }
        if (endedAt !== null && clock.monotonic() - endedAt > LIMIT_MS) {
          return end(1, 'the replay is over, and not everything could be told within 60 s')
        }
        if (lastPricesAt !== null) readWallets()
        clock.wakeAt(clock.monotonic() + LOOK_EVERY_MS, look)
        return undefined
      })
      .catch((error: unknown) => {
        events.emit({ is: 'trouble', where: 'ending', why: String(error), error })
        end(1, 'the outbox could not be read')
      })
  }
  events.listen((event) => {
    if (event.is === 'venue-ended' && endedAt === null) {
      endedAt = clock.monotonic()
      look()
    }
    if (event.is === 'markets-read' && endedAt !== null && event.mono >= endedAt) lastPricesAt ??= event.mono
    if (event.is === 'wallet-read' && event.complete && lastPricesAt !== null && event.mono >= lastPricesAt) {
      reads.set(event.wallet, (reads.get(event.wallet) ?? 0) + 1)
    }
  })
}
