import type { Clock } from '../../runtime/clock.ts'
import type { Hearing } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { createSocket } from './socket.ts'
import type { Dex } from './wire/dexes.ts'
import { readTrades } from './wire/trades.ts'

/**
 * The most markets to listen to, of the 1,000 subscriptions of one address
 * (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits).
 */
const MAX_MARKETS = 900
/** New subscriptions a second: the address may send 2,000 messages a minute over all its connections. */
const ASKED_PER_SECOND = 15
/** The longest wait for the confirmation of a subscription. */
const UNCONFIRMED_MS = 10_000
/** The venue closes the connection over an unknown market. Leave such a market out for this long. */
const REFUSED_MS = 600_000
/** The shortest pause between two reports of one wallet, because a bot trades many times a second. */
const APART_MS = 5_000

export interface Trades {
  start(hear: Pick<Hearing, 'changed'>): void
  /** Since when every trade of this dex has been heard, in monotonic ms; null if some may have been missed. */
  heardSince(dex: Dex): number | null
  stop(): Promise<void>
}

/**
 * Listens to the public trades of all markets. Each trade names both sides, so a watched wallet that trades
 * anywhere is noticed, however many wallets are watched. Has a connection of its own: the venue closes a
 * connection over an unknown market, and the push of prices must outlive that.
 */
export function createTrades(world: {
  url: string
  clock: Clock
  random: () => number
  /** The tradable markets of each dex whose list is known. */
  markets(): ReadonlyMap<Dex, readonly string[]>
  /** Takes a trade. Returns the wallet if it is watched and the trade is newer than its last look. */
  traded(user: string, coin: string, at: number): Wallet | null
}): Trades {
  const { clock, markets, traded } = world
  let hearing: Pick<Hearing, 'changed'> | null = null
  const active = new Map<string, { askedMono: number; sinceMono: number | null }>()
  const refused = new Map<string, number>()
  const reported = new Map<Wallet, { mono: number; isPending: boolean }>()
  let isOpen = false

  const socket = createSocket({
    ...world,
    opened() {
      isOpen = true
      active.clear()
      settle()
    },
    heard,
    lost() {
      // The venue answers in order: the first market without a confirmation is the one that it refused.
      const first = [...active].find(([, { sinceMono }]) => sinceMono === null)
      if (isOpen && first) refused.set(first[0], clock.monotonic() + REFUSED_MS)
      isOpen = false
      active.clear()
    },
    look() {
      settle()
      for (const [wallet, { mono, isPending }] of reported) {
        if (clock.monotonic() - mono < APART_MS) continue
        reported.delete(wallet)
        if (isPending) tell(wallet)
      }
    },
  })

  function settle(): void {
    const mono = clock.monotonic()
    // Builders' dexes first: a wallet's empty ones are read most rarely.
    const lists = [...markets()].toSorted(([a], [b]) => Number(a === null) - Number(b === null))
    const wanted = lists
      .flatMap(([, coins]) => coins)
      .filter((coin) => (refused.get(coin) ?? -Infinity) <= mono)
      .slice(0, MAX_MARKETS)
    const known = new Set(wanted)
    for (const coin of [...active.keys()]) if (!known.has(coin)) leave(coin)
    for (const [coin, { askedMono, sinceMono }] of active)
      if (sinceMono === null && mono - askedMono >= UNCONFIRMED_MS) leave(coin)
    const missing = wanted.filter((coin) => !active.has(coin))
    for (const coin of missing.slice(0, ASKED_PER_SECOND)) {
      active.set(coin, { askedMono: mono, sinceMono: null })
      socket.say({ method: 'subscribe', subscription: { type: 'trades', coin } })
    }
  }

  function leave(coin: string): void {
    active.delete(coin)
    socket.say({ method: 'unsubscribe', subscription: { type: 'trades', coin } })
  }

  function heard(text: string): void {
    const frame = readTrades(text)
    if (frame.is === 'confirmed') {
      const one = active.get(frame.coin)
      if (one) one.sinceMono ??= clock.monotonic()
    }
    if (frame.is !== 'trades') return
    for (const { coin, at, users } of frame.trades)
      for (const user of users) {
        const wallet = traded(user.toLowerCase(), coin, at)
        if (wallet !== null) tell(wallet)
      }
  }

  function tell(wallet: Wallet): void {
    const before = reported.get(wallet)
    if (before) {
      before.isPending = true
      return
    }
    reported.set(wallet, { mono: clock.monotonic(), isPending: false })
    hearing?.changed(wallet)
  }

  return {
    start(hear) {
      hearing = hear
      socket.start()
    },
    heardSince(dex) {
      const coins = markets().get(dex)
      if (!isOpen || coins === undefined) return null
      let latest = -Infinity
      for (const coin of coins) {
        const since = active.get(coin)?.sinceMono ?? null
        if (since === null) return null
        latest = Math.max(latest, since)
      }
      return latest
    },
    async stop() {
      hearing = null
      await socket.stop()
      isOpen = false
      active.clear()
    },
  }
}
