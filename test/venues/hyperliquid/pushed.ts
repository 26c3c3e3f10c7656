import type { Event } from '../../../src/runtime/event.ts'
import type { Asking, MarketsAnswer, PositionsAnswer, Push } from '../../../src/venue/venue.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import { createClient } from '../../../src/venues/hyperliquid/client.ts'
import { handClock } from '../../support/clock.ts'
import { startHyperliquid } from '../../support/hyperliquid/server.ts'

export const asking: Asking = {
  patience: 'poll',
  limitMs: 5_000,
  signal: new AbortController().signal,
  spend: (request) => request(() => {}),
}

interface Heard<T> {
  ms: number
  whole: boolean
  answer: T
}

/** The real client, told by the strict stand-in, on a clock that the test turns. */
export async function startPushed({ needed = ['BTC'] }: { needed?: string[] } = {}) {
  const clock = handClock()
  const standIn = await startHyperliquid({ clock })
  clock.restsWhen(() => standIn.idle())
  const events: Event[] = []
  const emit = (event: Event) => void events.push(event)
  const client = createClient({ url: standIn.url, clock, emit, random: () => 0.5 })
  const push: Push = client.venue.push ?? never()
  const began = clock.monotonic()
  const markets: Heard<MarketsAnswer>[] = []
  const wallets: (Heard<PositionsAnswer> & { wallet: Wallet })[] = []
  const traded: Wallet[] = []
  const hear = {
    changed: (wallet: Wallet) => void traded.push(wallet),
    needed: () => needed,
    markets: (answer: MarketsAnswer, whole: boolean) =>
      void markets.push({ ms: clock.monotonic() - began, whole, answer }),
    wallet: (wallet: Wallet, answer: PositionsAnswer, whole: boolean) =>
      void wallets.push({ ms: clock.monotonic() - began, whole, wallet, answer }),
  }
  return {
    clock,
    standIn,
    events,
    venue: client.venue,
    push,
    hear,
    traded,
    markets,
    wallets,
    /** Every book's list, as polling reads them in turn at a start. */
    async readsDexes() {
      for (const _dex of standIn.world.dexes) {
        await client.venue.markets(asking, needed)
        await clock.advance(10_000)
      }
    },
    /** Begins to listen, and waits for the first word about markets. */
    async listens(...follow: Wallet[]) {
      push.follow(follow)
      push.start(hear)
      await this.hears(() => push.status().subscriptions > follow.length)
    },
    /** Waits for what sockets bring, which no clock does. */
    async hears(so: () => boolean) {
      while (!so()) await standIn.idle()
    },
    /** What was told of push in the event stream: why it was lost, or `on`. */
    told: () => events.flatMap((event) => (event.is === 'push' ? [event.why ?? 'on'] : [])),
    unusable: () =>
      events.flatMap((event) =>
        event.is === 'venue-unusable' && event.call === 'push' ? [`${event.what}: ${event.why}`] : [],
      ),
    async [Symbol.asyncDispose]() {
      await client.close()
      await standIn.stop()
      if (clock.waiting() > 0) throw new Error(`${clock.waiting()} wake-ups are left: something still runs`)
    },
  }
}

function never(): never {
  throw new Error('it pushes nothing')
}
