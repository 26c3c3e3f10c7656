import type { ServerResponse } from 'node:http'

import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { breathe } from '../clock.ts'
import { listen } from '../http.ts'
import { type AccountHandle, mainAccount } from './account.ts'
import { createChannels } from './channels.ts'
import { createFaults, type Fault } from './faults.ts'
import { rounded } from './figures.ts'
import { createLimits, type Limit } from './limits.ts'
import { createPush, type Push } from './push.ts'
import { type Asked, createRest, read } from './rest.ts'
import type { Event, Market } from './state.ts'
import { createWriting, type FigureStyle, type Rewrite } from './text.ts'
import { liquidate, payFunding } from './trading.ts'
import { createWorld, marketOf, type World } from './world.ts'

/** Turns of the event loop without an event after which nobody is about to make one. */
const QUIET_TURNS = 10
const BEAT_MS = 1_000
const MOST_ACCOUNTS = 100

export interface Lighter extends AsyncDisposable {
  /** What the stand-in remembers. */
  readonly world: World
  /** For VENUE_URL or LIGHTER_URL: HTTP below `/api/v1`, the WebSocket at `/stream`. */
  readonly url: string
  /** The builder's token, for LIGHTER_TOKEN: 800 requests a minute in place of 60. */
  readonly token: string
  /** The main account of that address, made when there is none; `usd` is deposited. `handle.sub()` makes another one. */
  account(address: string, usd?: number): AccountHandle
  /** The perpetual of that symbol: a test may change its status, its margins, its funding. */
  market(symbol: string): Market
  /**
   * Mark prices, all at once; index prices go with them. `market_stats` tells the changed markets at once, who has as
   * little as maintenance is liquidated, and `account_all` tells nothing of those who only gain or lose.
   */
  moves(marks: Readonly<Record<string, number>>): void
  /** An hour's funding is paid, at the market's rate or this one from now on (per cent, positive: longs pay). */
  funds(symbol: string, rate?: number): void
  /** Whether those who have too little are liquidated; they are, unless told. */
  liquidations(on: boolean): void
  /** Every request, oldest first. */
  readonly asked: readonly Asked[]
  /** Each limit that anybody broke, in order: a test of a good client asserts that it is empty. */
  readonly broken: readonly Limit[]
  /** The highest use that was seen of each limit. */
  readonly most: Readonly<Record<Limit, number>>
  /** Requests of the last minute, refused ones left out. */
  requests(ip?: string): number
  /** Other limits than Lighter's from now on. */
  allow(allowed: Partial<Record<Limit, number>>): void
  fault(...faults: Fault[]): void
  clearFaults(): void
  /** Bodies as older ones were: without margin requirements and paid funding. */
  older(on?: boolean): void
  /** So many accounts in one answer at most; `next_cursor` leads to the rest. A hundred unless told. */
  pages(mostAccounts: number): void
  /** Every figure as a number, or as a text, wherever it is; `recorded` ends it. */
  figures(style: FigureStyle): void
  /** What becomes of bodies (`account`, `orderBookDetails` …) or frames (`account_all`, `error` …) from now on; null ends it. */
  rewrites(kind: string, rewrite: Rewrite | null): void
  readonly push: Push
  /** Requests that hang are broken off. */
  release(): void
  /** Nothing listens any more, and every connection breaks. */
  down(): Promise<void>
  up(): Promise<void>
  listen(hear: (event: Event) => void): () => void
  /** Resolves when every request is answered or held on purpose: for a hand clock's `restsWhen`. */
  idle(): Promise<void>
  stop(): Promise<void>
}

interface LighterOptions {
  clock?: Clock
  port?: number
  token?: string
  /** How many perpetuals are active: eight unless told. */
  perps?: number
}

/** A Lighter of our own on loopback, as strict as the real one where that is known. */
export async function startLighter({
  clock = systemClock(),
  port = 0,
  token = 'builder-token',
  perps,
}: LighterOptions = {}): Promise<Lighter> {
  const world = createWorld(clock, perps)
  const limits = createLimits(clock)
  const faults = createFaults()
  const writing = createWriting()
  const held = new Map<ServerResponse, () => void>()
  let [old, mostAccounts] = [false, MOST_ACCOUNTS]
  const isOlder = () => old
  const rest = createRest({
    ...{ world, faults, limits, writing, token, isOlder, mostAccounts: () => mostAccounts },
    held: {
      add(response, callOff) {
        held.set(response, callOff)
        response.once('close', () => {
          callOff()
          held.delete(response)
        })
      },
    },
  })
  const push = createPush(world, createChannels(world, writing, isOlder), limits, writing)
  const server = await listen(port, read, rest.hear, push.upgrade)
  const beat = () => {
    push.beat()
    endBeats = clock.wakeAt(clock.monotonic() + BEAT_MS, beat)
  }
  let endBeats = clock.wakeAt(clock.monotonic() + BEAT_MS, beat)
  let events = 0
  world.listen(() => events++)

  const release = () => {
    for (const [response, callOff] of held) {
      callOff()
      response.destroy()
    }
    held.clear()
  }
  const down = async () => {
    release()
    const closed = server.down()
    push.cut()
    await closed
  }
  const stop = async () => {
    endBeats()
    push.end()
    await down()
  }
  return {
    world,
    url: `http://127.0.0.1:${server.port}`,
    token,
    account: (address, usd) => mainAccount(world, address, usd),
    market: (symbol) => marketOf(world, symbol),
    moves(marks) {
      const markets = Object.entries(marks).map(([symbol, to]) => {
        if (!(to > 0) || !Number.isFinite(to)) throw new Error(`${to} is no price`)
        const market = marketOf(world, symbol)
        market.mark = market.index = market.last = rounded(to, market.priceDecimals)
        return market
      })
      world.tell({ is: 'moved', markets })
      liquidate(world)
    },
    funds(symbol, rate) {
      const market = marketOf(world, symbol)
      if (rate !== undefined) market.funding = rate
      payFunding(world, market)
    },
    liquidations: (on) => void (world.liquidates = on),
    asked: rest.asked,
    broken: limits.broken,
    most: limits.most,
    requests: (ip = '127.0.0.1') => limits.requests(ip),
    allow: limits.allow,
    fault: (...added) => added.forEach((fault) => faults.add(fault)),
    clearFaults: () => faults.clear(),
    older: (on = true) => void (old = on),
    pages: (most) => void (mostAccounts = most),
    figures: writing.figures,
    rewrites: writing.rewrites,
    push,
    release,
    down,
    up: () => server.up(),
    listen: (hear) => world.listen(hear),
    async idle() {
      for (let quiet = 0, seen = -1; quiet < QUIET_TURNS; quiet++) {
        await breathe(1)
        const now = events + rest.asked.length + push.heard()
        if (server.busy() > 0 || now !== seen) quiet = 0
        seen = now
      }
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
