import { doubledMs } from '../../lib/time/backoff.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Wallet } from '../../venue/wallet.ts'

/**
 * Different wallets of one address of ours, over all its connections
 * (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits).
 */
const MOST_OWNERS = 10
/** When fewer were granted, more are asked for after this: another program may have had the places. */
const FEWER_MS = 300_000
/** What is told about every second, and about every five: without a word for so long it has died in silence. */
const PATIENCE_MS: Record<Type, number> = {
  allDexsAssetCtxs: 10_000,
  allDexsClearinghouseState: 20_000,
  // Told when something happens, and perhaps nothing does.
  spotState: Infinity,
}
/** A subscription that was asked for and not confirmed. */
const UNCONFIRMED_MS = 10_000
const LONGEST_PATIENCE_MS = 600_000
/** Asked for so often on one connection in vain, it is asked for on another. */
const TRIES = 3

type Type = 'allDexsAssetCtxs' | 'allDexsClearinghouseState' | 'spotState'

interface Wanted {
  type: Type
  /** In lower case; null where it is about markets. */
  user: string | null
}

interface Active extends Wanted {
  askedMono: number
  toldMono: number
  confirmed: boolean
}

export interface Subscriptions {
  /** On a new connection nothing is subscribed to. */
  opened(): void
  closed(): void
  follow(wallets: readonly Wallet[]): void
  confirmed(type: string, user: string | null): void
  /** The venue has no place for as many wallets. */
  refused(): void
  told(type: Type, user: string | null): void
  /** Asks again for what has fallen silent. */
  look(): void
  /** The wallet behind an address as the venue writes it; null when it is none that we follow. */
  walletOf(user: string): Wallet | null
  counts(): { subscriptions: number; followed: number; allowed: number }
}

/** What is subscribed to on the present connection, and what should be. */
export function createSubscriptions(world: {
  clock: Clock
  say(message: object): void
  cut(why: string): void
  /** Whether a wallet's collateral lies outside of its books; null while that is not known. */
  sharesCollateral(wallet: Wallet): boolean | null
}): Subscriptions {
  const { clock, say } = world
  const active = new Map<string, Active>()
  /** How often something was asked for again without a word since. */
  const vain = new Map<string, number>()
  let wallets = new Map<string, Wallet>()
  let fewer: { most: number; until: number } | null = null
  let isOpen = false

  const allowed = () => (fewer && clock.monotonic() < fewer.until ? fewer.most : MOST_OWNERS)
  const isStates = ({ type }: Wanted) => type === 'allDexsClearinghouseState'

  function wanted(): Wanted[] {
    const followed = [...wallets].slice(0, allowed())
    const shared = followed.filter(([, wallet]) => world.sharesCollateral(wallet) === true)
    return [
      { type: 'allDexsAssetCtxs', user: null },
      ...followed.map(([user]): Wanted => ({ type: 'allDexsClearinghouseState', user })),
      ...shared.map(([user]): Wanted => ({ type: 'spotState', user })),
    ]
  }

  function ask(one: Wanted): void {
    const mono = clock.monotonic()
    active.delete(keyOf(one))
    active.set(keyOf(one), { ...one, askedMono: mono, toldMono: -Infinity, confirmed: false })
    say({ method: 'subscribe', subscription: wireOf(one) })
  }

  function leave(one: Wanted): void {
    active.delete(keyOf(one))
    say({ method: 'unsubscribe', subscription: wireOf(one) })
  }

  function settle(): void {
    if (!isOpen) return
    const goal = wanted()
    const keys = new Set(goal.map(keyOf))
    // Places are given back before others are asked for.
    for (const one of [...active.values()]) if (!keys.has(keyOf(one))) leave(one)
    for (const one of goal) if (!active.has(keyOf(one))) ask(one)
  }

  function patience(one: Active): number {
    const firstMs = one.confirmed ? PATIENCE_MS[one.type] : UNCONFIRMED_MS
    if (firstMs === Infinity) return Infinity
    return doubledMs(1 + (vain.get(keyOf(one)) ?? 0), { firstMs, longestMs: LONGEST_PATIENCE_MS })
  }

  return {
    opened() {
      isOpen = true
      active.clear()
      settle()
    },
    closed() {
      isOpen = false
      active.clear()
    },
    follow(chosen) {
      wallets = new Map(chosen.map((wallet) => [wallet.toLowerCase(), wallet]))
      settle()
    },
    confirmed(type, user) {
      const one = active.get(`${type} ${user ?? ''}`)
      if (one) one.confirmed = true
    },
    refused() {
      const users = [...active.values()].filter(isStates)
      // Questions are answered in their order, and the answer names nobody.
      const first = [...active.values()].find(({ user, confirmed }) => user !== null && !confirmed)
      // Of a wallet that has its place: asked for at once it would be refused at once, and so on.
      if (!first || !isStates(first)) return
      fewer = { most: users.filter(({ confirmed }) => confirmed).length, until: clock.monotonic() + FEWER_MS }
      active.delete(keyOf(first))
      settle()
    },
    told(type, user) {
      const key = keyOf({ type, user })
      vain.delete(key)
      const one = active.get(key)
      if (one) one.toldMono = clock.monotonic()
    },
    look() {
      settle()
      const mono = clock.monotonic()
      for (const one of [...active.values()]) {
        if (mono - Math.max(one.askedMono, one.toldMono) < patience(one)) continue
        const tries = (vain.get(keyOf(one)) ?? 0) + 1
        vain.set(keyOf(one), tries)
        if (one.user === null && tries % TRIES === 0) return world.cut('no prices came through it')
        leave(one)
        ask(one)
      }
    },
    walletOf: (user) => wallets.get(user) ?? null,
    counts() {
      const confirmed = [...active.values()].filter((one) => one.confirmed)
      return {
        subscriptions: confirmed.length,
        followed: confirmed.filter(isStates).length,
        allowed: allowed(),
      }
    },
  }
}

function keyOf({ type, user }: Wanted): string {
  return `${type} ${user ?? ''}`
}

function wireOf({ type, user }: Wanted): object {
  return user === null ? { type } : { type, user }
}
