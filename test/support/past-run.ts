import { z } from 'zod'

import type { Kind, Rule } from '../../src/alert.ts'
import { argument } from '../../src/argument.ts'
import type { Clock } from '../../src/clock.ts'
import { createEngine } from '../../src/engine/engine.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { createPast } from '../../src/engine/past/would-have.ts'
import { levelKind } from '../../src/kind.ts'
import { item } from '../../src/message.ts'
import type { Owner } from '../../src/owner.ts'
import type { Past } from '../../src/past.ts'
import { readMarkets } from '../../src/venues/perps-data/wire/markets.ts'
import { readPositions } from '../../src/venues/perps-data/wire/positions.ts'
import { answer } from '../../src/venues/sim/api.ts'
import { OWNERS } from '../../src/venues/sim/catalogue.ts'
import { planFor } from '../../src/venues/sim/plan.ts'
import { marketRecord } from '../../src/venues/sim/wire/market.ts'
import { createWorld } from '../../src/venues/sim/world.ts'
import { NOON } from './clock.ts'
import { aChat, aWatch, remembered } from './fixtures.ts'
import { pastStore } from './past-store.ts'

/** A market costs less than this; it clears a fifth of a percent above. */
export const below = levelKind({
  name: 'below',
  summary: 'a price is below a line',
  example: 'below BTC',
  on: 'market',
  needs: ['market'],
  params: z.object({ line: argument.percent() }),
  identity: 'each',
  describe: ({ line }) => `at ${line}`,
  typed: ({ line }) => String(line),
  severity: 'warning',
  judge({ line }, { price }) {
    const clear = line * 1.002
    const until =
      price <= line
        ? { below: -1, above: clear }
        : price <= clear
          ? { below: line, above: clear }
          : { below: clear }
    return {
      enter: price <= line ? 1 : 0,
      stay: price <= clear ? 1 : 0,
      value: price,
      until: { of: 'price', ...until },
    }
  },
  tell: () => item('warning', 'below its line', []),
})

/** Longs pay more than this a day. It does not say what would change that: it is judged with every reading. */
export const dear = levelKind({
  name: 'dear',
  summary: 'longs pay more than that',
  example: 'dear BTC',
  on: 'market',
  params: z.object({ rate: argument.percent() }),
  identity: 'each',
  describe: ({ rate }) => `at ${rate}`,
  typed: ({ rate }) => String(rate),
  severity: 'info',
  judge: ({ rate }, { fundingRate }) => ({
    enter: fundingRate >= rate ? 1 : 0,
    stay: fundingRate >= rate * 0.9 ? 1 : 0,
    value: fundingRate,
  }),
  tell: () => item('info', 'dear', []),
})

/** Turned by hand, and at rest as soon as the engine is: three days are tens of thousands of wake-ups. */
function quickClock(idle: () => Promise<void>): Clock & { advance(ms: number): Promise<void> } {
  let now = NOON
  const wakes = new Set<{ at: number; wake: () => void }>()
  const first = () => [...wakes].reduce((a, b) => (b.at < a.at ? b : a), { at: Infinity, wake() {} })
  return {
    now: () => now,
    tick: () => now - NOON,
    wakeAt(atTick, wake) {
      const one = { at: Math.max(atTick + NOON, now), wake }
      wakes.add(one)
      return () => wakes.delete(one)
    },
    async advance(ms) {
      const until = now + ms
      for (let next = first(); next.at <= until; next = first()) {
        wakes.delete(next)
        now = next.at
        next.wake()
        await idle()
      }
      now = until
    },
  }
}

/** The engine beside the simulated venue, as it is recorded: the rules are there from the start. */
export async function pastRun(kinds: readonly Kind[], rules: readonly Rule[], seed: number, pollMs: number) {
  const clock = quickClock(async () => engine.idle())
  const world = createWorld(planFor(), { seed, stepSeconds: 60, startSeconds: NOON / 1_000 })
  const ids = [...new Set(rules.map(({ chatId }) => chatId))]
  const { store, told } = pastStore(
    remembered({
      chats: ids.map((id) => aChat({ id })),
      watches: OWNERS.map((owner) => aWatch({ owner, label: owner.slice(0, 6) })),
      rules: [...rules],
    }),
  )
  const periods = { marketPollMs: pollMs, ownerPollMinMs: pollMs, ownerPollMaxMs: 3 * pollMs }
  const engine: Engine = await createEngine({
    ...{ store, clock, kinds, periods, platforms: ['terminal'] },
    emit: (event) => {
      if (event.is === 'turn-failed') throw event.error
    },
    committed() {},
    readNow: () => false,
  })
  engine.start()
  const past = createPast({ memory: engine.memory, store, kinds, clock, marketPollMs: pollMs })
  return { clock, engine, past, told, ...venueOf(world, clock, engine) }
}

/** One answer after the other, as the venue's client reads them. */
function venueOf(world: ReturnType<typeof createWorld>, clock: Clock, engine: Engine) {
  const began = clock.now()
  const moved = () => {
    while (world.moveTo((clock.now() - began) / 1_000, []) === 'liquidated');
  }
  const at = () => ({ at: clock.now(), tick: clock.tick() })
  return {
    async markets() {
      moved()
      const all = [...world.exchange.markets.values()].map((market) =>
        marketRecord(market, world.exchange.nowSeconds),
      )
      engine.markets({ ...at(), value: readMarkets([{ chainId: 8008, markets: all }], 8008) })
      await engine.idle()
    },
    async owner(owner: Owner) {
      moved()
      const query = new URLSearchParams({ owner, ownershipType: 'SuperOwner' })
      const asked = { method: 'GET', path: '/positions/v2', query, body: '', key: null, from: '' }
      const unix = (seconds: number) => Math.floor(seconds)
      const { body } = answer({ exchange: world.exchange, unix }, asked)
      const value = readPositions(JSON.parse(JSON.stringify(body)), 8008, owner)
      engine.owner({ ...at(), owner, value, orders: null, endings: null, inPassing: false })
      await engine.idle()
    },
    fails: (owner: Owner) => engine.failed({ is: 'owner', owner }, 'no answer'),
  }
}

export type Run = Awaited<ReturnType<typeof pastRun>> & { past: Past }
