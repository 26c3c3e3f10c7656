import { describe, expect, test } from 'vitest'

import type { LedgerAsked } from '../../../../src/venue/record/ledger.ts'
import { type Asking, VenueError } from '../../../../src/venue/venue.ts'
import type { Event } from '../../../../src/runtime/event.ts'
import { createClient } from '../../../../src/venues/hyperliquid/client.ts'
import { type HandClock, handClock, NOON } from '../../../support/clock.ts'
import { exact } from '../../../support/fixtures.ts'
import { startHyperliquid } from '../../../support/hyperliquid/server.ts'
import { asking as pushedAsking, startPushed } from '../pushed.ts'
import { OWNER } from '../records.ts'

const HOUR_MS = 3_600_000
const ALL = ['fill', 'funding', 'transfer'] as const
const QUEUED = new VenueError({ is: 'queued' }, 'No turn.')

async function opened() {
  const clock = handClock()
  const standIn = await startHyperliquid({ clock, blockMs: HOUR_MS })
  standIn.allow(Infinity)
  const events: Event[] = []
  const emit = (event: Event) => void events.push(event)
  const client = createClient({ url: standIn.url, clock, emit, random: () => 0.5 })
  const { ledger } = client.venue
  if (!ledger) throw new Error('it has a ledger')
  let spent = 0
  /** `most`: what may be spent of weight, after which nothing has a turn any more. */
  const asking = (most = Infinity, signal = new AbortController().signal): Asking => {
    let left = most
    return {
      ...{ patience: 'poll', limitMs: 10_000, signal },
      spend(request, weight = 1) {
        if (left < weight) return Promise.reject(QUEUED)
        const count = (more: number) => {
          left -= more
          spent += more
        }
        count(weight)
        return request(count)
      },
    }
  }
  return {
    ...{ standIn, clock, events, user: standIn.account(OWNER, { usd: 100_000 }) },
    asks: (asked: Partial<LedgerAsked> = {}, how = asking()) =>
      ledger(OWNER, { since: 0, until: clock.now(), of: ALL, ...asked }, how),
    asking,
    spent() {
      const before = spent
      spent = 0
      return before
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      await standIn.stop()
    },
  }
}

type Opened = Awaited<ReturnType<typeof opened>>

/** A busy month: several pages of fills and of funding. */
async function lives({ user, clock }: { user: Opened['user']; clock: HandClock }): Promise<void> {
  for (const coin of ['BTC', 'ETH', 'HYPE']) user.trades(coin, coin === 'BTC' ? 0.02 : 1)
  for (let hour = 0; hour < 600; hour++) {
    await clock.advance(HOUR_MS)
    for (let n = 0; n < 4; n++) user.trades('ETH', n % 2 === 0 ? 0.1 : -0.1)
  }
  await clock.advance(1_000)
}

describe('the record of a wallet', () => {
  test('has its fills, those of its TWAPs, its funding and its transfers, the oldest first', async () => {
    await using venue = await opened()
    const { user, clock } = venue
    await clock.advance(1_000)
    user.trades('BTC', 0.1)
    user.swaps('@107', 1, 40)
    user.twaps({ coin: 'ETH', side: 'buy', size: 0.5, minutes: 5 })
    await clock.advance(HOUR_MS)
    user.closes('BTC', 0.05)
    const { entries, ...answer } = await venue.asks()
    expect(answer).toEqual({ wholeFrom: 0, unusable: [] })
    expect(entries.map(({ is }) => is)[0]).toBe('transfer')
    expect(new Set(entries.map(({ is }) => is))).toEqual(new Set(ALL))
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted((a, b) => a - b))
    const sizes = entries.flatMap((one) => (one.is === 'fill' && one.marketId === 'ETH' ? [one.size] : []))
    expect(sizes.reduce((sum, size) => sum + size, 0n)).toBe(exact('0.5'))
    expect(entries.some((one) => one.is === 'fill' && one.marketId.startsWith('@'))).toBe(false)
  })

  test('is asked only for the kinds that are wanted', async () => {
    await using venue = await opened()
    await venue.asks({ of: ['transfer'] })
    await venue.asks({ of: ['funding'] })
    expect(venue.standIn.asked.map(({ type }) => type)).toEqual([
      'userNonFundingLedgerUpdates',
      'userFunding',
    ])
  })

  test('costs as much as the venue counts, and its end alone when it is asked for again', async () => {
    await using venue = await opened()
    await lives(venue)
    await venue.asks()
    const first = venue.spent()
    expect(first).toBeGreaterThanOrEqual(venue.standIn.asked.reduce((sum, { weight }) => sum + weight, 0))
    await venue.clock.advance(60_000)
    await venue.asks()
    expect(venue.spent()).toBeLessThan(100)
    await venue.asks()
    expect(venue.spent()).toBe(0)
  })

  test('is whole from its newest part on where nothing has a turn any more, and goes on from there', async () => {
    await using venue = await opened()
    await lives(venue)
    const whole = await venue.asks()
    await using late = await opened()
    await lives(late)
    const froms: number[] = []
    for (let call = 0; call < 30 && froms.at(-1) !== NOON; call++) {
      const answer = await late.asks({ since: NOON }, late.asking(300)).catch(() => null)
      await late.clock.advance(11_000)
      if (answer === null) continue
      const { wholeFrom } = answer
      froms.push(wholeFrom)
      const idsOf = (entries: typeof whole.entries) =>
        entries.filter(({ at }) => at >= wholeFrom).map(({ is, at }) => `${is} ${at}`)
      expect(idsOf(answer.entries)).toEqual(idsOf(whole.entries))
    }
    expect(froms.length).toBeGreaterThan(1)
    expect(froms).toEqual(froms.toSorted((a, b) => b - a))
    expect(froms.at(-1)).toBe(NOON)
  })

  test('is no answer while one of its lists has none: nothing reads as nothing', async () => {
    await using venue = await opened()
    venue.standIn.fault({ kind: 'error', type: 'userFunding', times: 1 })
    await expect(venue.asks()).rejects.toMatchObject({ failure: { is: 'refused' } })
    expect((await venue.asks()).wholeFrom).toBe(0)
  })

  test('names an element that cannot be used, to who asks and to the log', async () => {
    await using venue = await opened()
    venue.user.notes({ type: 'withdraw', usdc: 7 })
    const { unusable } = await venue.asks()
    expect(unusable).toEqual([
      { what: 'a transfer (withdraw)', why: 'usdc is missing or of another type', part: null },
    ])
    expect(venue.events.filter(({ is }) => is === 'venue-unusable')).toHaveLength(1)
  })

  test('is read once by two who ask at the same time', async () => {
    await using venue = await opened()
    const [one, other] = await Promise.all([venue.asks(), venue.asks()])
    expect(one).toEqual(other)
    expect(venue.standIn.asked).toHaveLength(4)
  })

  test('is not read again for a minute while its trades are heard and there are none', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    const account = bot.standIn.account(OWNER, { usd: 1_000 })
    account.trades('BTC', 0.01)
    await bot.venue.positions(OWNER, pushedAsking)
    await bot.listens()
    await bot.clock.advance(15_000)
    const trades = async () => {
      const asked = { since: 0, until: bot.clock.now(), of: ['fill'] } as const
      const before = bot.standIn.asked.length
      const answer = await bot.venue.ledger?.(OWNER, asked, pushedAsking)
      return [answer?.entries.length, bot.standIn.asked.length - before]
    }
    expect(await trades()).toEqual([1, 2])
    await bot.clock.advance(30_000)
    expect(await trades()).toEqual([1, 0])
    account.trades('BTC', 0.01)
    await bot.hears(() => bot.traded.length > 0)
    expect(await trades()).toEqual([2, 2])
  })

  test('is called off with its caller', async () => {
    await using venue = await opened()
    const stop = new AbortController()
    const call = venue.asks({}, venue.asking(Infinity, stop.signal))
    stop.abort()
    await expect(call).rejects.toMatchObject({ failure: { is: 'aborted' } })
  })
})
