import type { Clock } from '../../runtime/clock.ts'
import { fullBucket, nextAt, take, type TokenBucket, tokensAt } from '../../lib/time/token-bucket.ts'
import type { Hearing, PublicTrades } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { createSocket } from './socket.ts'
import type { Dex } from './wire/dexes.ts'
import { readTrades } from './wire/trades.ts'

/**
 * The most markets to listen to, of the 1,000 subscriptions of one address
 * (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits).
 */
const MAX_MARKETS = 900
/** New subscriptions: the address may send 2,000 messages a minute over all its connections. */
const ASKING = { burst: 300, perSecond: 15 }
/** The longest wait for the confirmation of a subscription. */
const UNCONFIRMED_MS = 10_000
/** The venue closes the connection over an unknown market. Leave such a market out for this long. */
const REFUSED_MS = 600_000
/** The shortest pause between two reports of one wallet: a read comes no sooner. */
const APART_MS = 2_000
/** Reports of one wallet. Each costs a read, and a bot trades many times a second. */
const REPORTS = { burst: 4, perSecond: 1 / 20 }

export interface Trades {
  start(hear: Pick<Hearing, 'changed'>): void
  /** Since when every trade of this dex has been heard, in monotonic ms; null if some may have been missed. */
  heardSince(dex: Dex): number | null
  /** The same of all dexes that are heard at all; null without the main one. */
  allHeardSince(): number | null
  status(): PublicTrades
  /** Reports this wallet once more, as soon as it may be. */
  again(wallet: Wallet): void
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
  const reported = new Map<Wallet, { mono: number; left: TokenBucket; isPending: boolean }>()
  let isOpen = false
  let messages = fullBucket(ASKING, clock.monotonic())
  /** By dex; null until it is asked for again after a change. */
  let known: ReadonlyMap<Dex, number> | null = null

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
      known = null
    },
    look() {
      settle()
      const mono = clock.monotonic()
      for (const [wallet, { left, isPending }] of reported) {
        if (isPending) tell(wallet)
        else if (tokensAt(left, REPORTS, mono) >= REPORTS.burst) reported.delete(wallet)
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
    const isWanted = new Set(wanted)
    for (const coin of [...active.keys()]) if (!isWanted.has(coin)) leave(coin)
    for (const [coin, { askedMono, sinceMono }] of active)
      if (sinceMono === null && mono - askedMono >= UNCONFIRMED_MS) leave(coin)
    const missing = wanted.filter((coin) => !active.has(coin))
    const most = Math.floor(tokensAt(messages, ASKING, mono))
    for (const coin of missing.slice(0, Math.max(most, 0))) {
      messages = take(messages, ASKING, mono)
      active.set(coin, { askedMono: mono, sinceMono: null })
      socket.say({ method: 'subscribe', subscription: { type: 'trades', coin } })
    }
    // The lists of markets may have changed.
    known = null
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
      known = null
    }
    if (frame.is !== 'trades') return
    for (const { coin, at, users } of frame.trades)
      for (const user of users) {
        const wallet = traded(user.toLowerCase(), coin, at)
        if (wallet !== null) tell(wallet)
      }
  }

  function tell(wallet: Wallet): void {
    const mono = clock.monotonic()
    const { left, mono: since } = reported.get(wallet) ?? { left: fullBucket(REPORTS, mono), mono: -Infinity }
    const isPending = mono < Math.max(since + APART_MS, nextAt(left, REPORTS, mono))
    if (isPending) return void reported.set(wallet, { left, mono: since, isPending })
    reported.set(wallet, { left: take(left, REPORTS, mono), mono, isPending })
    hearing?.changed(wallet)
  }

  /** The completely heard dexes, and since when they are. */
  function heardDexes(): ReadonlyMap<Dex, number> {
    if (known !== null) return known
    const heard = new Map<Dex, number>()
    for (const [dex, coins] of isOpen ? markets() : []) {
      const since = coins.map((coin) => active.get(coin)?.sinceMono ?? Infinity)
      const latest = Math.max(-Infinity, ...since)
      if (latest < Infinity) heard.set(dex, latest)
    }
    return (known = heard)
  }

  function allHeardSince(): number | null {
    const heard = heardDexes()
    // A builder's dex that is not heard is read now and then; the others need not wait for it.
    return heard.has(null) ? Math.max(...heard.values()) : null
  }

  return {
    start(hear) {
      hearing = hear
      socket.start()
    },
    again: tell,
    heardSince: (dex) => heardDexes().get(dex) ?? null,
    allHeardSince,
    status() {
      const since = allHeardSince()
      const confirmed = [...active.values()].filter(({ sinceMono }) => sinceMono !== null)
      return {
        heard: confirmed.length,
        markets: [...markets().values()].reduce((sum, coins) => sum + coins.length, 0),
        since: since === null ? null : clock.now() - (clock.monotonic() - since),
      }
    },
    async stop() {
      hearing = null
      await socket.stop()
      isOpen = false
      active.clear()
      known = null
    },
  }
}
