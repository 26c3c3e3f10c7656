import type { Budget, Priority } from '../../src/polling/budget/budget.ts'
import { type Clock, within } from '../../src/runtime/clock.ts'
import type { Order } from '../../src/venue/order.ts'
import {
  type Asking,
  type CloseRecord,
  type Identified,
  type MarketsAnswer,
  type PositionsAnswer,
  type Venue,
  VenueError,
  type VenueLimits,
  type VenuePart,
} from '../../src/venue/venue.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import joinVenues from '../../src/venues/several/index.ts'
import { aMarket, aPosition } from './fixtures.ts'

/** One request that reached the venue. */
export interface Call {
  what: 'markets' | 'positions' | 'orders' | 'endings' | 'identify'
  wallet: Wallet | null
  mono: number
}

type Answer<T> = T | Promise<T>

export interface Script {
  markets?: () => Answer<MarketsAnswer>
  positions?: (wallet: Wallet) => Answer<PositionsAnswer>
  orders?: (wallet: Wallet) => Answer<Order[]>
  /** Without, the venue does not show it. */
  endings?: (wallet: Wallet, since: number) => Answer<CloseRecord[]>
  identify?: (wallet: Wallet) => Answer<Identified>
  /** It shows nobody's orders. */
  showsOrders?: false
  /** How long the venue takes. */
  latencyMs?: number
}

export interface ScriptedVenue {
  venue: Venue
  calls: Call[]
  /** Requests under way. */
  open(): number
  /** The most there ever were at once. */
  mostOpen(): number
}

export const NEVER = new Promise<never>(() => {})
export const LIMITED = (retryAfterMs: number | null) =>
  new VenueError({ is: 'limited', retryAfterMs }, 'HTTP 429')
export const DOWN = new VenueError({ is: 'refused', status: 503, message: null }, 'The venue answered 503.')

/** No turn among our own requests. */
export const QUEUED = new VenueError({ is: 'queued' }, 'others went first')

export function holdings(...positions: ReturnType<typeof aPosition>[]): PositionsAnswer {
  return { positions, accounts: [], unusable: [], failedParts: [], totalCount: positions.length }
}

/** A venue that does what the test says, and keeps to its port: signal, time limit, one spend per request. */
export function scriptedVenue(clock: Clock, script: Script = {}): ScriptedVenue {
  const calls: Call[] = []
  let open = 0
  let mostOpen = 0

  async function ask<T>(
    what: Call['what'],
    wallet: Wallet | null,
    asking: Asking,
    answer: () => Answer<T>,
  ): Promise<T> {
    try {
      return await within(clock, asking.limitMs, asking.signal, (signal) => {
        const spent = asking.spend(async () => {
          calls.push({ what, wallet, mono: clock.monotonic() })
          mostOpen = Math.max(mostOpen, ++open)
          try {
            await until(signal, passed(clock, script.latencyMs ?? 0))
            return await until(signal, Promise.resolve(answer()))
          } finally {
            open--
          }
        })
        return until(signal, spent)
      })
    } catch (error) {
      if (error instanceof VenueError) throw error
      const failure = asking.signal.aborted ? ({ is: 'aborted' } as const) : ({ is: 'timeout' } as const)
      throw new VenueError(failure, `The venue gave no answer within ${asking.limitMs} ms.`, { cause: error })
    }
  }

  const never = () => Promise.reject(new Error('nobody asks for this here'))
  const venue: Venue = {
    limits: { allowed: null },
    push: null,
    orderOutcomes: null,
    showsAccounts: false,
    ...(script.showsOrders === false && { showsOrders: false as const }),
    closeRecords: script.endings
      ? (wallet, since, asking) => ask('endings', wallet, asking, () => script.endings?.(wallet, since) ?? [])
      : null,
    identify: script.identify
      ? (wallet, asking) =>
          ask('identify', wallet, asking, () => script.identify?.(wallet) ?? { is: 'holder' })
      : null,
    markets: (asking) =>
      ask(
        'markets',
        null,
        asking,
        script.markets ?? (() => ({ markets: [aMarket()], unusable: [], failedParts: [] })),
      ),
    positions: (wallet, asking) =>
      ask('positions', wallet, asking, () => script.positions?.(wallet) ?? holdings(aPosition({ wallet }))),
    orders: (wallet, _statuses, asking) =>
      ask('orders', wallet, asking, async () => ({
        orders: (await script.orders?.(wallet)) ?? [],
        unusable: [],
        unasked: [],
      })),
    market: never,
    preview: never,
  }
  return { venue, calls, open: () => open, mostOpen: () => mostOpen }
}

/** Several of them as one venue, by their names. */
export function scriptedSeveral(
  clock: Clock,
  scripts: Readonly<Record<string, Script & { limits?: VenueLimits }>>,
): { venue: Venue; parts: readonly VenuePart[]; calls(name: string): Call[] } {
  const scripted = Object.entries(scripts).map(([name, { limits = { allowed: null }, ...script }]) => {
    const { venue, calls } = scriptedVenue(clock, script)
    return { name, calls, venue: { ...venue, limits } }
  })
  const about = { simulated: false, identity: 'scripted', introduction: [], endsBot: false }
  const venues = scripted.map(({ name, venue }) => ({
    name,
    opened: { ...about, venue, close: () => Promise.resolve() },
  }))
  const { venue } = joinVenues({ venues, clock })
  return {
    venue,
    parts: venue.parts ?? [],
    calls: (name) => scripted.find((one) => one.name === name)?.calls ?? [],
  }
}

/** Lets everything through at once, and notes who asked. */
export function openBudget(): Budget & { asked: Priority[] } {
  const asked: Priority[] = []
  return {
    asked,
    used: () => ({ markets: 0, wallets: 0, asked: 0, atMost: 0, coversMs: 0 }),
    free: () => true,
    hasSpare: () => false,
    hasRoom: () => false,
    calmFrom: () => -Infinity,
    waits: () => 0,
    wait: () => ({ ms: 0, asked: false }),
    spend: (priority, _signal, request) => {
      asked.push(priority)
      return request(() => {})
    },
  }
}

/** As many owners as the test needs. */
export function aWallet(index: number): Wallet {
  return `0x${index.toString(16).padStart(40, '0')}`
}

function passed(clock: Clock, ms: number): Promise<void> {
  return ms === 0
    ? Promise.resolve()
    : new Promise((resolve) => clock.wakeAt(clock.monotonic() + ms, resolve))
}

function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}
