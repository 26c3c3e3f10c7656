import { doubledMs } from '../../lib/time/backoff.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Wallet } from '../../venue/wallet.ts'

/**
 * The most wallets of one IP address, over all its connections
 * (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits).
 */
const MAX_PUSHED_WALLETS = 10
/** After a refusal, ask for all places again after this: another program may have freed them. */
const FEWER_MS = 300_000
/**
 * Markets come every second and accounts every five: after this long without one, the subscription has died
 * silently.
 */
const PATIENCE_MS: Record<Type, number> = {
  allDexsAssetCtxs: 10_000,
  allDexsClearinghouseState: 20_000,
  // Pushed when balances change, which may be never.
  spotState: Infinity,
}
/** The longest wait for the confirmation of a subscription. */
const UNCONFIRMED_MS = 10_000
const LONGEST_PATIENCE_MS = 600_000
/** After this many vain attempts on one connection, open another one. */
const TRIES_PER_CONNECTION = 3

type Type = 'allDexsAssetCtxs' | 'allDexsClearinghouseState' | 'spotState'

interface Wanted {
  type: Type
  /** The wallet's address in lower case; null for markets. */
  user: string | null
}

interface Active extends Wanted {
  askedMono: number
  toldMono: number
  confirmed: boolean
}

export interface Subscriptions {
  /** A new connection has no subscriptions. */
  opened(): void
  closed(): void
  follow(wallets: readonly Wallet[]): void
  confirmed(type: string, user: string | null): void
  /** The venue has fewer places than we asked for. */
  refused(): void
  told(type: Type, user: string | null): void
  /** Renews silent subscriptions. */
  look(): void
  /** Returns the wallet of an address as the venue writes it; null if we do not follow it. */
  walletOf(user: string): Wallet | null
  counts(): { subscriptions: number; followed: number; allowed: number }
}

/** Keeps the subscriptions of the current connection equal to the wanted ones. */
export function createSubscriptions(world: {
  clock: Clock
  say(message: object): void
  cut(why: string): void
  /** Whether a wallet's collateral is in spot; null while unknown. */
  sharesCollateral(wallet: Wallet): boolean | null
}): Subscriptions {
  const { clock, say } = world
  const active = new Map<string, Active>()
  /** How often each subscription was renewed since its last push. */
  const vain = new Map<string, number>()
  let wallets = new Map<string, Wallet>()
  let fewer: { most: number; until: number } | null = null
  let isOpen = false

  const allowed = () => (fewer && clock.monotonic() < fewer.until ? fewer.most : MAX_PUSHED_WALLETS)
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
    // Free places before asking for new ones.
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
      // The venue answers in order, and a refusal does not name its subscription.
      const first = [...active.values()].find(({ user, confirmed }) => user !== null && !confirmed)
      // The refused one is the balances of a wallet that has its place. Asking again would only be refused
      // again.
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
        if (one.user === null && tries % TRIES_PER_CONNECTION === 0)
          return world.cut('no prices came through it')
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
