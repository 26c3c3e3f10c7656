import type { ServerResponse } from 'node:http'

import { type Clock, systemClock } from '../../../src/runtime/clock.ts'
import { breathe } from '../clock.ts'
import { listen } from '../http.ts'
import { type AccountHandle, accountHandle, type AccountOptions } from './account.ts'
import { type Asked, createAnswering } from './answering.ts'
import { newMarket, type Universe } from './catalogue.ts'
import { delist } from './delisting.ts'
import { createFaults, type Fault } from './faults.ts'
import { keepHours } from './hours.ts'
import { read } from './http.ts'
import { createWindows, WEIGHT_A_MINUTE } from './limits.ts'
import { liquidate } from './liquidations.ts'
import { type Move, move } from './moves.ts'
import type { Event } from './news.ts'
import { createPush, type Push } from './push.ts'
import type { Market } from './state.ts'
import { runTwaps } from './twaps.ts'
import { createWorld, dexNameOf, dexOf, marketOf, type Rewrite, type World } from './world.ts'

/** Turns of the event loop without an event after which nobody is about to make one. */
const QUIET_TURNS = 10
const BLOCK_MS = 1_000

export interface Hyperliquid extends AsyncDisposable {
  /** What the stand-in remembers. */
  readonly world: World
  /** For VENUE_URL. */
  readonly url: string
  /** The account of that address; options change it. */
  account(address: string, options?: AccountOptions): AccountHandle
  market(coin: string): Market
  /** Mark prices, all in one block; the oracle goes with them unless told. */
  moves(marks: Readonly<Record<string, Move>>): void
  /** The rate of an hour from now on. */
  funds(coin: string, ratePerHour: number): void
  /** A new market at the end of its dex: counts differ from then on. */
  lists(coin: string, price: number): void
  /** Another name at the same place: positions and orders go on. */
  renames(coin: string, name: string): void
  /** Settles what is open there, at the average of the last hour unless told. */
  delists(coin: string, price?: number): void
  /** Whether those who have too little are liquidated; they are, unless told. */
  liquidations(on: boolean): void
  /** Who takes the other side of liquidations. */
  liquidator(account: AccountHandle): void
  readonly asked: readonly Asked[]
  /** What one address has spent in the last minute. */
  weight(ip?: string): number
  /** Another limit than 1,200 a minute, for a storm of 429. */
  allow(weightAMinute: number): void
  fault(...faults: Fault[]): void
  clearFaults(): void
  /** Leaves so many contexts off the end of a dex's list, wherever it is told. */
  shorten(dex: string, by: number): void
  /** What becomes of the answers of this type from now on. */
  rewrites(type: string, rewrite: (answer: never, body: Record<string, unknown>) => unknown): void
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

interface HyperliquidOptions {
  clock?: Clock
  port?: number
  universe?: Universe
  /** The venue's greeting, a text that is no JSON; it is sent unless told. */
  greets?: boolean
  /** How long a block takes: a second unless told, and longer where a month passes. */
  blockMs?: number
}

/** A Hyperliquid of our own on loopback: `/info` and `/ws`, as strict as the real one where that is known. */
export async function startHyperliquid({
  clock = systemClock(),
  port = 0,
  universe = 'few',
  greets = true,
  blockMs = BLOCK_MS,
}: HyperliquidOptions = {}): Promise<Hyperliquid> {
  const world = createWorld(clock, universe)
  const faults = createFaults()
  const held = new Map<ServerResponse, () => void>()
  let allowed = WEIGHT_A_MINUTE
  const windowOf = createWindows(clock, () => allowed)
  const answering = createAnswering(world, faults, windowOf, {
    add(response, callOff) {
      held.set(response, callOff)
      response.once('close', () => {
        callOff()
        held.delete(response)
      })
    },
  })
  const push = createPush(world, { greets })
  const server = await listen(port, read, answering.hear, push.upgrade)
  const endHours = keepHours(world)
  /** A block: what a part of a liquidation has left is looked at again. */
  const beat = () => {
    runTwaps(world)
    liquidate(world)
    push.beat()
    endBeats = clock.wakeAt(clock.monotonic() + blockMs, beat)
  }
  let endBeats = clock.wakeAt(clock.monotonic() + blockMs, beat)
  let occurrences = 0
  world.news.listen(() => occurrences++)

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
    endHours()
    endBeats()
    push.end()
    await down()
  }
  return {
    world,
    url: `http://127.0.0.1:${server.port}`,
    account: (address, options) => accountHandle(world, address, options),
    market: (coin) => marketOf(world, coin),
    moves: (marks) => move(world, marks),
    funds: (coin, ratePerHour) => void (marketOf(world, coin).fundingRate = ratePerHour),
    lists(coin, price) {
      const dex = dexOf(world, dexNameOf(coin))
      dex.markets.push(newMarket(dex, coin, price, clock.monotonic()))
    },
    renames: (coin, name) => void (marketOf(world, coin).name = name),
    delists: (coin, price) => delist(world, marketOf(world, coin), price),
    liquidations: (on) => void (world.liquidates = on),
    liquidator: ({ state }) => void (world.liquidator = state),
    asked: answering.asked,
    weight: (ip = '127.0.0.1') => windowOf(ip).spent(),
    allow: (weightAMinute) => void (allowed = weightAMinute),
    fault: (...added) => added.forEach((fault) => faults.add(fault)),
    clearFaults: () => faults.clear(),
    shorten: (dex, by) => void world.short.set(dex, by),
    rewrites: (type, rewrite) => void world.rewrites.set(type, rewrite as Rewrite),
    push,
    release,
    down,
    up: () => server.up(),
    listen: (hear) => world.news.listen(hear),
    async idle() {
      for (let quiet = 0, seen = -1; quiet < QUIET_TURNS; quiet++) {
        await breathe(1)
        const now = occurrences + answering.asked.length + push.heard()
        if (server.busy() > 0 || now !== seen) quiet = 0
        seen = now
      }
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
