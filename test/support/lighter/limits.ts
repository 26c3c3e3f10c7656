import type { Clock } from '../../../src/runtime/clock.ts'
import { createWindows, type Window } from '../hyperliquid/limits.ts'

/**
 * What one address may do at Lighter, by the newer of two pages (https://apidocs.lighter.xyz/docs/rate-limits,
 * df-lighter-core). The older one is `OLDER`.
 */
const MOST = {
  /** Without a token, whatever they ask for. */
  requestsAMinute: 60,
  /** With a builder's token. */
  weightAMinute: 240_000,
  connections: 255,
  connectionsAMinute: 255,
  messagesAMinute: 200,
  messagesInFlight: 50,
  /** Of all connections. */
  allSubscriptions: 5_000,
  /** Of all connections. */
  allAccounts: 5_000,
  /** Of one connection. */
  subscriptions: 500,
  /** Of one connection. */
  accounts: 500,
}
/** To be given to `allow`. */
export const OLDER: Partial<Record<Limit, number>> = {
  ...{ connections: 100, subscriptions: 100, allSubscriptions: 1_000, accounts: 10, allAccounts: 10 },
}
/** Nearly every request weighs as much, and all that the stand-in answers. */
const WEIGHT = 300

export type Limit = keyof typeof MOST

/** Both are said in `{ code, message }`. */
export interface Refusal {
  code: number
  message: string
}

const REFUSALS: Readonly<Record<Limit, Refusal>> = {
  requestsAMinute: { code: 23_000, message: 'too many requests' },
  weightAMinute: { code: 23_000, message: 'too many requests' },
  subscriptions: { code: 23_001, message: 'too many subscriptions' },
  accounts: { code: 23_002, message: 'too many different accounts' },
  allSubscriptions: { code: 23_001, message: 'too many subscriptions of one address' },
  allAccounts: { code: 23_002, message: 'too many different accounts of one address' },
  connections: { code: 23_003, message: 'too many connections' },
  // Its code is not seen.
  connectionsAMinute: { code: 23_003, message: 'too many new connections' },
  messagesAMinute: { code: 30_009, message: 'too many websocket messages' },
  messagesInFlight: { code: 30_010, message: 'too many inflight messages' },
}

export interface Followed {
  subscriptions: number
  /** Different ones. */
  accounts: number
}

export interface Limits {
  /** Each time that a limit was broken, which one. */
  readonly broken: Limit[]
  /** The highest use that was seen of each, the refused part not counted. */
  readonly most: Record<Limit, number>
  /** Null when it may be answered, and is counted. */
  request(ip: string, token: string | null): Refusal | null
  connection(ip: string, open: number): Refusal | null
  message(ip: string, inFlight: number): Refusal | null
  /** How many there would be, of one connection and of all. */
  subscription(own: Followed, all: Followed): Refusal | null
  /** Requests of the last minute. */
  requests(ip: string): number
  /** Another limit than Lighter's from now on. */
  allow(allowed: Partial<Record<Limit, number>>): void
}

export function createLimits(clock: Clock): Limits {
  const allowed = { ...MOST }
  const most = Object.fromEntries(Object.keys(MOST).map((limit) => [limit, 0])) as Record<Limit, number>
  const broken: Limit[] = []
  const windows = {
    requestsAMinute: createWindows(clock, () => allowed.requestsAMinute),
    weightAMinute: createWindows(clock, () => allowed.weightAMinute),
    connectionsAMinute: createWindows(clock, () => allowed.connectionsAMinute),
    messagesAMinute: createWindows(clock, () => allowed.messagesAMinute),
  }
  const refuse = (limit: Limit) => {
    broken.push(limit)
    return REFUSALS[limit]
  }
  const count = (limit: Limit, used: number) => {
    if (used > allowed[limit]) return refuse(limit)
    most[limit] = Math.max(most[limit], used)
    return null
  }
  const take = (limit: keyof typeof windows, window: Window, weight: number) => {
    if (!window.take(weight)) return refuse(limit)
    most[limit] = Math.max(most[limit], window.spent())
    return null
  }
  return {
    broken,
    most,
    request(ip, token) {
      const limit = token === null ? 'requestsAMinute' : 'weightAMinute'
      return take(limit, windows[limit](ip), token === null ? 1 : WEIGHT)
    },
    connection: (ip, open) =>
      count('connections', open) ?? take('connectionsAMinute', windows.connectionsAMinute(ip), 1),
    message: (ip, inFlight) =>
      take('messagesAMinute', windows.messagesAMinute(ip), 1) ?? count('messagesInFlight', inFlight),
    subscription: (own, all) =>
      count('subscriptions', own.subscriptions) ??
      count('accounts', own.accounts) ??
      count('allSubscriptions', all.subscriptions) ??
      count('allAccounts', all.accounts),
    requests: (ip) => windows.requestsAMinute(ip).spent() + windows.weightAMinute(ip).spent() / WEIGHT,
    allow: (others) => void Object.assign(allowed, others),
  }
}

/** What is followed, counted as it comes and goes. */
export interface Tally {
  /** How many it would be with this one; null is about no account. */
  plus(account: string | null): Followed
  add(account: string | null, by: 1 | -1): void
}

export function createTally(): Tally {
  let subscriptions = 0
  const accounts = new Map<string, number>()
  return {
    plus: (account) => ({
      subscriptions: subscriptions + 1,
      accounts: accounts.size + (account === null || accounts.has(account) ? 0 : 1),
    }),
    add(account, by) {
      subscriptions += by
      if (account === null) return
      const now = (accounts.get(account) ?? 0) + by
      if (now > 0) accounts.set(account, now)
      else accounts.delete(account)
    },
  }
}
