import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import type { FailedPart, Unusable } from '../../venue/record/lacking.ts'
import { type Hearing, type Push, VenueError } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Dexes } from './markets.ts'
import { createSocket } from './socket.ts'
import { createSubscriptions } from './subscriptions.ts'
import type { Trades } from './trades.ts'
import type { Wallets } from './wallets.ts'
import { accountOf } from './wire/dexes.ts'
import { readFrame } from './wire/frames.ts'
import { readSpot } from './wire/spot.ts'
import { type DexState, readState } from './wire/state.ts'

/** The venue pushes markets about once a second: after this long without them, treat the push as down. */
const SILENT_MS = 10_000
const FULL = /^Cannot track more than \d+ total users/
/** Our view of the connection and the venue's may differ for a moment. */
const HARMLESS = /^Already (un)?subscribed/
/** Reports at most this many different faults of one connection. */
const MAX_REASONS_PER_CONNECTION = 20

/** The venue's push: one subscription for all markets, and the accounts of up to ten wallets. */
export function createFeed(world: {
  url: string
  clock: Clock
  emit: Emit
  random: () => number
  dexes: Dexes
  wallets: Wallets
  trades: Trades
}): Push {
  const { clock, emit, dexes, wallets, trades } = world
  let hearing: Hearing | null = null
  let open = { is: false, since: clock.now() }
  let why: string | null = null
  let isDown: boolean | null = null
  let markets: { at: number; mono: number } | null = null
  let openedMono = -Infinity
  let reasons = new Set<string>()

  const socket = createSocket({
    ...world,
    opened() {
      open = { is: true, since: clock.now() }
      openedMono = clock.monotonic()
      reasons = new Set()
      subscriptions.opened()
    },
    heard,
    lost(because) {
      if (open.is) open = { is: false, since: clock.now() }
      subscriptions.closed()
      down(because)
    },
    look() {
      if (clock.monotonic() - Math.max(openedMono, markets?.mono ?? -Infinity) >= SILENT_MS) {
        down(`no prices were told for ${SILENT_MS / 1_000} s`)
      }
      subscriptions.look()
    },
  })
  const subscriptions = createSubscriptions({
    clock,
    say: (message) => socket.say(message),
    cut: (because) => socket.cut(because),
    sharesCollateral: (wallet) => wallets.sharesCollateral(wallet),
  })

  /** Reports an outage once, however often the connection is retried. */
  function down(because: string): void {
    why = because
    if (isDown !== true) emit({ is: 'push', why: because })
    isDown = true
  }

  function up(): void {
    why = null
    if (isDown !== false) emit({ is: 'push', why: null })
    isDown = false
  }

  /** Reports each fault once a connection: every frame may have the same one. */
  function unusable({ what, why: because }: Unusable, count = 1): void {
    const reason = `${what}: ${because}`
    if (reasons.has(reason) || reasons.size >= MAX_REASONS_PER_CONNECTION) return
    reasons.add(reason)
    emit({ is: 'venue-unusable', call: 'push', what, why: because, count })
  }

  function unusableIn({ unusable: [first, ...others] }: { unusable: Unusable[] }): void {
    if (first) unusable(first, 1 + others.length)
  }

  function heard(text: string): void {
    try {
      take(text)
    } catch (error) {
      if (error instanceof VenueError) unusable({ what: 'a frame', part: null, why: error.message })
      else emit({ is: 'trouble', where: 'push', why: String(error), error })
    }
  }

  function take(text: string): void {
    const frame = readFrame(text)
    switch (frame.is) {
      case 'markets':
        return takeMarkets(frame.dexes)
      case 'states': {
        const wallet = subscriptions.walletOf(frame.user)
        return wallet === null ? undefined : takeStates(wallet, frame.user, frame.states)
      }
      case 'spot': {
        const wallet = subscriptions.walletOf(frame.user)
        return wallet === null ? undefined : wallets.tellSpot(wallet, readSpot(frame.spot))
      }
      case 'response':
        return frame.method === 'subscribe' ? subscriptions.confirmed(frame.type, frame.user) : undefined
      case 'error':
        if (FULL.test(frame.text)) return subscriptions.refused()
        return HARMLESS.test(frame.text)
          ? undefined
          : unusable({ what: 'an error frame', part: null, why: frame.text.slice(0, 100) })
      case 'other':
        return undefined
    }
  }

  function takeMarkets(told: readonly [string, unknown[]][]): void {
    const figures = told.map(([name, contexts]) => ({ dex: name === '' ? null : name, contexts }))
    const { answer, whole } = dexes.tell(figures, hearing?.needed() ?? [])
    unusableIn(answer)
    subscriptions.told('allDexsAssetCtxs', null)
    if (answer.markets.length > 0) {
      markets = { at: clock.now(), mono: clock.monotonic() }
      up()
    }
    hearing?.markets(answer, whole)
  }

  function takeStates(wallet: Wallet, user: string, told: readonly [string, unknown][]): void {
    const failedParts: FailedPart[] = []
    const states = told.flatMap(([name, state]): DexState[] => {
      const dex = name === '' ? null : name
      try {
        return [readState(state, wallet, dex)]
      } catch (error) {
        if (!(error instanceof VenueError)) throw error
        failedParts.push({ part: accountOf(dex), why: error.message })
        return []
      }
    })
    const news = wallets.tell(wallet, states, failedParts)
    if (!news) return
    subscriptions.told('allDexsClearinghouseState', user)
    const { answer, whole, doubtful } = news
    unusableIn(answer)
    hearing?.wallet(wallet, answer, whole)
    if (doubtful) hearing?.changed(wallet)
  }

  return {
    start(hear) {
      hearing = hear
      socket.start()
      trades.start(hear)
    },
    follow: (wallets) => subscriptions.follow(wallets),
    readEveryMs: null,
    watch: (watched) => wallets.watch(watched),
    heardSince: () => trades.allHeardSince(),
    status() {
      const { subscriptions: count, followed, allowed } = subscriptions.counts()
      return {
        ...{ open: open.is, since: open.since, why },
        subscriptions: count,
        wallets: { followed, allowed },
        marketsAt: markets?.at ?? null,
        trades: trades.status(),
      }
    },
    async stop() {
      hearing = null
      await Promise.all([socket.stop(), trades.stop()])
      subscriptions.closed()
      if (open.is) open = { is: false, since: clock.now() }
    },
  }
}
