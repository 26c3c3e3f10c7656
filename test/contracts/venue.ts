import { describe, expect, test } from 'vitest'

import { subjectOfPosition } from '../../src/alert/subject-id.ts'
import { createMemory } from '../../src/engine/memory/apply.ts'
import { type Amount, magnitude } from '../../src/venue/amount.ts'
import type { Market } from '../../src/venue/market.ts'
import { ORDER_STATES, type OrderDraft } from '../../src/venue/order.ts'
import { positionKey, side } from '../../src/venue/position.ts'
import { sourceKey, sourceOf } from '../../src/venue/source.ts'
import {
  type Asking,
  type MarketsAnswer,
  type PositionsAnswer,
  type Venue,
  VenueError,
} from '../../src/venue/venue.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { aRule, aWatch } from '../support/fixtures.ts'
import { eventually } from '../support/patience.ts'
import { startEngine } from '../support/running.ts'

/** A venue as the suite needs it: running, with at least one owner that has a position. */
export interface VenueUnderTest {
  venue: Venue
  wallet: Wallet
  stranger: Wallet
  draft: OrderDraft
  /** The market that the owner holds: what it was to be called, unless the venue gives its markets their ids itself. */
  held: string
  /** What the first read of each weighs; a request each where the venue counts those. */
  weight?: { markets: number; positions: number }
  /** Breaks the connection by which it pushes; of a venue that does. */
  cut?: () => void
  close(): Promise<void>
}

/** As good an id as any. */
const ANY = '100'

/** What every venue must do, whatever is behind it. */
export function testVenue(name: string, open: (called: string) => Promise<VenueUnderTest>): void {
  const withVenue = async (use: (opened: VenueUnderTest) => Promise<void>, called = ANY) => {
    const opened = await open(called)
    try {
      await use(opened)
    } finally {
      await opened.close()
    }
  }

  describe(`${name} is a venue`, () => {
    test('its markets have names, prices and ids of their own', () =>
      withVenue(async ({ venue }) => {
        const { markets, unusable } = await venue.markets(asking(), [])
        expect(markets.length).toBeGreaterThan(0)
        expect(unusable).toEqual([])
        expect(new Set(markets.map((market) => market.id)).size).toBe(markets.length)
        for (const market of markets) expectMarket(market)
      }))

    test('one market is the market of the list', () =>
      withVenue(async ({ venue }) => {
        const { markets } = await venue.markets(asking(), [])
        for (const listed of markets.slice(0, 3)) {
          const single = await venue.market(listed.id, asking())
          expect([single.id, single.symbol]).toEqual([listed.id, listed.symbol])
          expectMarket(single)
        }
      }))

    test('a market that it does not have is refused', () =>
      withVenue(async ({ venue }) => {
        expect(await errorOf(venue.market('no/such market', asking()))).toBeInstanceOf(VenueError)
      }))

    test('TWAPs have ids of their own and have filled no more than their size, where it shows them', () =>
      withVenue(async ({ venue, wallet, stranger }) => {
        if (!venue.twaps) return
        const { twaps } = await venue.twaps(wallet, asking(), true)
        expect(new Set(twaps.map(({ id }) => id)).size).toBe(twaps.length)
        for (const { size, filled, durationMs } of twaps) {
          expect([size === 0n, durationMs > 0]).toEqual([false, true])
          if (filled !== null) expect(filled.size <= magnitude(size)).toBe(true)
        }
        expect((await venue.twaps(stranger, asking(), true)).twaps).toEqual([])
      }))

    test('positions are open, in known markets, each of them once', () =>
      withVenue(async ({ venue, wallet }) => {
        const { markets } = await venue.markets(asking(), [])
        const { positions, unusable, totalCount } = await venue.positions(wallet, asking())
        expect(positions.length).toBeGreaterThan(0)
        expect(unusable).toEqual([])
        expect(totalCount ?? positions.length).toBe(positions.length)
        expect(new Set(positions.map(positionKey)).size).toBe(positions.length)
        const known = new Set(markets.map((market) => market.id))
        for (const position of positions) {
          expect(position.wallet).toBe(wallet)
          expect(position.size).not.toBe(0n)
          expect(position.entryPrice === null || position.entryPrice > 0n).toBe(true)
          expect(position.liquidationPrice === null || position.liquidationPrice > 0n).toBe(true)
          expect(known).toContain(position.marketId)
        }
      }))

    test('accounts are those of the positions, and what they share has the name of one of its accounts, or there are none', () =>
      withVenue(async ({ venue, wallet }) => {
        // What an account counts in is known with its market.
        await venue.markets(asking(), [])
        const { positions, accounts } = await venue.positions(wallet, asking())
        if (!venue.showsAccounts) return expect(accounts).toEqual([])
        const byId = new Map(accounts.map((account) => [account.accountId, account]))
        expect(byId.size).toBe(accounts.length)
        for (const { accountId } of positions) expect(byId.has(accountId)).toBe(true)
        for (const { pool, mode, accountId, marginRatio, wallet: whose } of accounts) {
          expect(whose).toBe(wallet)
          expect(pool).not.toBe('')
          if (mode === 'single') expect(pool).toBe(accountId)
          expect(marginRatio === null || marginRatio >= 0).toBe(true)
          const shared = accounts.filter((other) => other.pool === pool)
          expect(new Set(shared.map((other) => other.marginRatio)).size).toBe(1)
        }
      }))

    test('what became of orders is told of those alone, or the list of all says it', () =>
      withVenue(async ({ venue, wallet }) => {
        if (venue.orderOutcomes === null) return
        const { orders } = await venue.orders(wallet, [], asking())
        const ids = orders.slice(0, 3).map(({ id }) => id)
        const orderOutcomes = await venue.orderOutcomes(wallet, ids, asking())
        for (const { id } of orderOutcomes.orders) expect(ids).toContain(id)
      }))

    test('an owner that it does not know has no positions, or is refused with a sentence', () =>
      withVenue(async ({ venue, stranger }) => {
        const ended = await venue.positions(stranger, asking()).then(
          ({ positions }) => (positions.length === 0 ? 'empty' : 'positions of somebody else'),
          (error: unknown) =>
            error instanceof VenueError && /^[A-Z]/.test(error.message) ? 'a sentence' : error,
        )
        expect(['empty', 'a sentence']).toContain(ended)
      }))

    test.for([ANY, 'BTC/USD', 'xyz:NVDA', 'a|b', 'ünï ✓ %2F', '1%7C/|'])(
      'a market that it calls %s is asked for, judged on prices alone, kept and found again',
      (called, { skip }) =>
        withVenue(async ({ venue, wallet, held }) => {
          skip(called !== ANY && called !== held, 'it gives its markets their ids itself')
          const { markets } = await venue.markets(asking(), [])
          const { positions } = await venue.positions(wallet, asking())
          const position = positions.find(({ marketId }) => marketId === held)
          const market = await venue.market(held, asking())
          expect(markets.map(({ id }) => id)).toContain(held)
          expect(sourceOf(sourceKey({ is: 'market', marketId: held }))).toEqual({
            is: 'market',
            marketId: held,
          })
          const liquidation = position?.liquidationPrice ?? null
          if (!position || liquidation === null) throw new Error('the suite needs a position in that market')
          const at = (price: Amount) => ({ ...market, price })
          const far = side(position) === 'long' ? liquidation * 2n : liquidation / 2n
          const near = liquidation + (far - liquidation) / 50n

          const rules = [
            aRule({ id: 1 }),
            aRule({ id: 2, kind: 'funding-flip', params: { band: 0.00005 }, wallet }),
          ]
          const running = await startEngine({ watches: [aWatch({ wallet })], rules })
          await running.prices(at(far))
          await running.reads([position], { wallet })
          expect(running.hears()).toEqual([])
          await running.prices(at(near))
          expect(running.hears()).toHaveLength(1)
          const kept = await running.store.memory.load()
          expect(kept.states.map(({ monitor }) => monitor.subject)).toEqual([subjectOfPosition(position)])
          expect(kept.memos.map(({ monitor }) => monitor.subject)).toEqual([{ is: 'market', marketId: held }])
          expect([...kept.wallets].map((one) => one.positions.map(positionKey))).toEqual([
            [positionKey(position)],
          ])
          expect(createMemory(kept).monitors.states).toEqual(running.engine.memory.monitors.states)
          await running.prices(at(far))
          expect(running.hears()).toHaveLength(1)
          expect((await running.store.memory.load()).states).toEqual([])
        }, called),
    )

    test('what is needed is among the first few answers, also where each is a part', () =>
      withVenue(async ({ venue, held }) => {
        const seen = new Map<string, Market>()
        for (let poll = 0; poll < 4; poll++) {
          const { markets, failedParts } = await venue.markets(asking(), [held])
          expect(failedParts).toEqual([])
          for (const market of markets) seen.set(market.id, market)
        }
        expect([...seen.keys()]).toContain(held)
      }))

    test('what it pushes is what it is polled for, and nothing before somebody listens', () =>
      withVenue(async ({ venue, wallet, held, cut }) => {
        const { push } = venue
        if (push === null || !cut) return
        const heard = hearing([held])
        expect(push.status()).toMatchObject({ open: false, subscriptions: 0 })
        push.follow([wallet])
        push.start(heard)
        const positions = await venue.positions(wallet, asking())
        await eventually(() => hearsAll(venue, heard))
        const polled = await venue.markets(asking(), [held])
        const told = new Map(heard.wholeMarkets()?.markets.map((market) => [market.id, market]))
        for (const market of polled.markets) expect(told.get(market.id)).toEqual(market)
        expect(heard.wholeWallet()).toEqual(positions)
        expect(push.status()).toMatchObject({ open: true, why: null, wallets: { followed: 1 } })
        await push.stop()
        expect(push.status().open).toBe(false)
      }))

    test('what it pushed before a cut it pushes after it, and says meanwhile why it does not', () =>
      withVenue(async ({ venue, wallet, held, cut }) => {
        const { push } = venue
        if (push === null || !cut) return
        const heard = hearing([held])
        push.follow([wallet])
        push.start(heard)
        await venue.positions(wallet, asking())
        await eventually(() => hearsAll(venue, heard))
        cut()
        await eventually(() => !push.status().open)
        expect(push.status().why).not.toBeNull()
        heard.forget()
        await eventually(() => hearsAll(venue, heard))
        expect(push.status()).toMatchObject({ open: true, why: null })
      }))

    test('what moved money is told in its order, each entry once, or the venue shows no such record', () =>
      withVenue(async ({ venue, wallet, stranger }) => {
        if (!venue.ledger) return
        const asked = { since: 0, until: Date.now(), of: ['fill', 'funding', 'transfer'] } as const
        let spent = 0
        const spend: Asking['spend'] = (request, known = 1) => {
          spent += known
          return request(() => {})
        }
        const { entries, wholeFrom, unusable } = await venue.ledger(wallet, asked, { ...asking(), spend })
        expect(spent).toBeGreaterThan(0)
        expect(unusable).toEqual([])
        expect(wholeFrom).toBeGreaterThanOrEqual(asked.since)
        expect(new Set(entries.map(({ is, id }) => `${is} ${id}`)).size).toBe(entries.length)
        expect(entries).toEqual(entries.toSorted((a, b) => a.at - b.at))
        for (const { at } of entries) expect(at >= asked.since && at <= asked.until).toBe(true)
        const only = await venue.ledger(wallet, { ...asked, of: ['funding'] }, asking())
        expect(only.entries.every(({ is }) => is === 'funding')).toBe(true)
        const ended = await venue.ledger(stranger, asked, asking()).then(
          (answer) => answer.entries.length,
          (error: unknown) => error,
        )
        expect(ended === 0 || ended instanceof VenueError).toBe(true)
        const stop = new AbortController()
        stop.abort()
        const called = await errorOf(venue.ledger(wallet, asked, { ...asking(), signal: stop.signal }))
        expect(called).toMatchObject({ failure: { is: 'aborted' } })
      }))

    test('orders can be listed, all of them or by state', () =>
      withVenue(async ({ venue, wallet }) => {
        const all = await venue.orders(wallet, [], asking())
        expect(all.unusable).toEqual([])
        for (const order of all.orders) expect(order.id).not.toBe('')
        for (const state of ORDER_STATES) {
          const { orders } = await venue.orders(wallet, [state], asking())
          for (const order of orders) expect(order.state).toBe(state)
        }
      }))

    test('a preview shows what an order would come to', () =>
      withVenue(async ({ venue, draft }) => {
        const preview = await venue.preview(draft, asking())
        expect(preview.feasible).not.toBeNull()
        expect(preview.fillPrice === null || preview.fillPrice > 0n).toBe(true)
      }))

    test('a call that is called off fails as aborted', () =>
      withVenue(async ({ venue, wallet }) => {
        const stop = new AbortController()
        const call = errorOf(venue.positions(wallet, { ...asking(), signal: stop.signal }))
        stop.abort()
        const error = await call
        expect(error).toBeInstanceOf(VenueError)
        expect(error).toMatchObject({ failure: { is: 'aborted' } })
      }))

    test('every request is spent through its caller, with its weight', () =>
      withVenue(async ({ venue, wallet, weight = { markets: 1, positions: 1 } }) => {
        let spent = 0
        const spend: Asking['spend'] = (request, known = 1) => {
          spent += known
          return request((more) => void (spent += more))
        }
        await venue.markets({ ...asking(), spend }, [])
        expect(spent).toBe(weight.markets)
        await venue.positions(wallet, { ...asking(), spend })
        expect(spent).toBe(weight.markets + weight.positions)
      }))

    test('what its caller does not let it spend is not asked', () =>
      withVenue(async ({ venue, wallet }) => {
        const nothing = new VenueError({ is: 'aborted' }, 'Nothing may be spent.')
        const spend: Asking['spend'] = () => Promise.reject(nothing)
        expect(await errorOf(venue.markets({ ...asking(), spend }, []))).toBeInstanceOf(VenueError)
        expect(await errorOf(venue.positions(wallet, { ...asking(), spend }))).toBeInstanceOf(VenueError)
      }))
  })
}

function asking(): Asking {
  return {
    patience: 'poll',
    limitMs: 5_000,
    signal: new AbortController().signal,
    spend: (request) => request(() => {}),
  }
}

/** Whether all was told in full; what was told in part is polled for, as the poller does. */
async function hearsAll(venue: Venue, heard: ReturnType<typeof hearing>): Promise<boolean> {
  if (heard.takePartial()) await venue.markets(asking(), heard.needed())
  return heard.wholeMarkets() !== null && heard.wholeWallet() !== null
}

/** Keeps what was told in full. */
function hearing(needed: string[]) {
  let markets: MarketsAnswer | null = null
  let wallet: PositionsAnswer | null = null
  let partial = false
  return {
    changed() {},
    needed: () => needed,
    markets(answer: MarketsAnswer, whole: boolean) {
      if (whole) markets = answer
      else partial = true
    },
    takePartial() {
      const was = partial
      partial = false
      return was
    },
    wallet: (_of: Wallet, answer: PositionsAnswer, whole: boolean) => void (whole && (wallet = answer)),
    wholeMarkets: () => markets,
    wholeWallet: () => wallet,
    forget: () => void ([markets, wallet] = [null, null]),
  }
}

function expectMarket(market: Market): void {
  expect(market.id).not.toBe('')
  expect(market.symbol).not.toBe('')
  expect(market.price > 0n).toBe(true)
  expect(typeof market.fundingRatePerDay).toBe('bigint')
}

function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => new Error('it succeeded'),
    (error: unknown) => error,
  )
}
