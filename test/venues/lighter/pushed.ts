import type { Event } from '../../../src/runtime/event.ts'
import type { Asking, MarketsAnswer, PositionsAnswer, Push } from '../../../src/venue/venue.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import { createClient } from '../../../src/venues/lighter/client.ts'
import { handClock } from '../../support/clock.ts'
import { startLighter } from '../../support/lighter/server.ts'

const asking: Asking = {
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

export const walletOf = (n: number): Wallet => `0x${n.toString(16).padStart(40, '0')}`

/** The real client, told by the strict stand-in, on a clock that the test turns. */
export async function startPushed({ needed = [] }: { needed?: string[] } = {}) {
  const clock = handClock()
  const venue = await startLighter({ clock })
  clock.restsWhen(() => venue.idle())
  const events: Event[] = []
  const emit = (event: Event) => void events.push(event)
  const client = createClient({ url: venue.url, token: null, clock, emit, random: () => 0.5 })
  const push: Push = client.venue.push ?? never()
  const began = clock.monotonic()
  const markets: Heard<MarketsAnswer>[] = []
  const wallets: (Heard<PositionsAnswer> & { wallet: Wallet })[] = []
  const changed: Wallet[] = []
  const hear = {
    changed: (wallet: Wallet) => void changed.push(wallet),
    needed: () => needed,
    markets: (answer: MarketsAnswer, whole: boolean) =>
      void markets.push({ ms: clock.monotonic() - began, whole, answer }),
    wallet: (wallet: Wallet, answer: PositionsAnswer, whole: boolean) =>
      void wallets.push({ ms: clock.monotonic() - began, whole, wallet, answer }),
  }
  return {
    ...{ clock, venue, events, push, hear, changed, markets, wallets },
    /** Reads the markets, as polling does at a start. */
    readsMarkets: () => client.venue.markets(asking, needed),
    /** Reads a wallet, as polling does. */
    reads: (wallet: Wallet) => client.venue.positions(wallet, asking),
    /** Follows these wallets after a read of each. */
    async follows(...some: Wallet[]) {
      for (const wallet of some) await this.reads(wallet)
      push.follow(some)
      push.start(hear)
      await this.hears(
        () => push.status().wallets.followed === some.length && push.status().subscriptions > 0,
      )
    },
    /** Waits for what sockets bring, which no clock does. */
    async hears(so: () => boolean) {
      while (!so()) await venue.idle()
    },
    /** The last answer about a wallet. */
    last: (wallet: Wallet) => wallets.findLast((one) => one.wallet === wallet),
    /** What was told of push in the event stream: why it was lost, or `on`. */
    told: () => events.flatMap((event) => (event.is === 'push' ? [event.why ?? 'on'] : [])),
    unusable: () =>
      events.flatMap((event) =>
        event.is === 'venue-unusable' && event.call === 'push' ? [`${event.what}: ${event.why}`] : [],
      ),
    troubles: () => events.filter(({ is }) => is === 'trouble'),
    async [Symbol.asyncDispose]() {
      await client.close()
      await venue.stop()
      if (clock.waiting() > 0) throw new Error(`${clock.waiting()} wake-ups are left: something still runs`)
    },
  }
}

function never(): never {
  throw new Error('it pushes nothing')
}
