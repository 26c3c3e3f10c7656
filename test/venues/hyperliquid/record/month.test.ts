import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { toNumber } from '../../../../src/venue/amount.ts'
import type { LedgerAnswer } from '../../../../src/venue/record/ledger.ts'
import { profitOf, sumLedger } from '../../../../src/venue/record/sums.ts'
import type { Asking } from '../../../../src/venue/venue.ts'
import { createClient } from '../../../../src/venues/hyperliquid/client.ts'
import { handClock } from '../../../support/clock.ts'
import { bookedIn, type Life, liveMonth } from '../../../support/hyperliquid/life.ts'
import { startHyperliquid } from '../../../support/hyperliquid/server.ts'
import { budget, createDice, SEED } from '../../../support/seed.ts'
import { OWNER } from '../records.ts'

const HALF_A_CENT = 0.005
const WINDOWS = budget(200, 40)

const asking: Asking = {
  patience: 'poll',
  limitMs: 60_000,
  signal: new AbortController().signal,
  spend: (request) => request(() => {}),
}

type Client = ReturnType<typeof createClient>

async function ledgerOf({ venue }: Client, since: number, until: number): Promise<LedgerAnswer> {
  if (!venue.ledger) throw new Error('it has a ledger')
  return venue.ledger(OWNER, { since, until, of: ['fill', 'funding', 'transfer'] }, asking)
}

/** Whether the record of a window says what the oracle has booked, each figure to a cent. */
function expectBooked(life: Life, answer: LedgerAnswer, since: number, until: number): void {
  expect(answer).toMatchObject({ wholeFrom: since, unusable: [] })
  const booked = bookedIn(life, since, until)
  const sums = sumLedger(answer.entries, { since, until, dayStarts: [] })
  const of = {
    realised: sums.realisedUsd,
    fee: sums.feesUsd,
    funding: sums.fundingReceivedUsd - sums.fundingPaidUsd,
    moved: sums.inUsd - sums.outUsd,
    rewards: sums.rewardsUsd,
    vaults: sums.vaultsUsd,
    within: sums.withinUsd,
  }
  const off = Object.entries(of).filter(
    ([field, usd]) => !(Math.abs(toNumber(usd) - booked[field as keyof typeof of]) < HALF_A_CENT),
  )
  expect(off, `from ${since} to ${until}`).toEqual([])
  expect(sums.trades).toBe(booked.fills)
}

describe('a random month of an account', () => {
  const clock = handClock()
  const dice = createDice(SEED)
  const start = clock.now()
  let life: Life
  let requests = 0
  /** One that asks now and then, and one that asks when the month is over. */
  let [often, once]: Client[] = []
  let end = async () => {}

  beforeAll(async () => {
    const standIn = await startHyperliquid({ clock, blockMs: 600_000 })
    standIn.allow(Infinity)
    const open = () => createClient({ url: standIn.url, clock, emit: () => {}, random: () => 0.5 })
    const clients = [open(), open()] as const
    ;[often, once] = clients
    end = async () => {
      for (const client of clients) await client.close()
      await standIn.stop()
    }
    life = await liveMonth(standIn, clock, OWNER, {
      seed: SEED,
      async hourly(soFar) {
        if (!dice.often(0.03)) return
        const since = start + dice.below(clock.now() - start)
        expectBooked(soFar, await ledgerOf(clients[0], since, clock.now()), since, clock.now())
      },
    })
    requests = standIn.asked.length
  }, 120_000)
  afterAll(() => end())

  test('has more than a page of each kind, and all that can happen', () => {
    const count = (what: string) => life.counts.get(what) ?? 0
    expect(count('fill')).toBeGreaterThan(2_000)
    expect(count('funding')).toBeGreaterThan(500)
    expect(life.booked.filter(({ fills, funding }) => fills === 0 && funding === 0).length).toBeGreaterThan(
      500,
    )
    for (const what of ['slice', 'partial close', 'reversal', 'liquidated fill', 'squeeze'])
      expect([what, count(what) > 0]).toEqual([what, true])
  })

  test('is told to a cent for any window, by who asks often and by who asks once', async () => {
    for (let n = 0; n < WINDOWS; n++) {
      const [one, other] = [dice.below(clock.now() - start), dice.below(clock.now() - start)]
      const [since, until] = [start + Math.min(one, other), start + Math.max(one, other)]
      for (const client of [often, once])
        if (client) expectBooked(life, await ledgerOf(client, since, until), since, until)
    }
  })

  test('has no profit but that of its trades: what is more in the account came in, or is open', async () => {
    if (!once) throw new Error('nobody asks')
    for (let n = 0; n < WINDOWS; n++) {
      const [a, b] = [dice.one(life.snapshots), dice.one(life.snapshots)].toSorted((x, y) => x.at - y.at)
      if (!a || !b || a === b) continue
      const { entries } = await ledgerOf(once, a.at, b.at)
      const sums = sumLedger(entries, { since: a.at, until: b.at, dayStarts: [] })
      const came = sums.inUsd - sums.outUsd + sums.rewardsUsd + sums.vaultsUsd
      const made = toNumber(profitOf(sums) + came) + (b.openPnl - a.openPnl)
      expect(Math.abs(b.equity - a.equity - made)).toBeLessThan(0.01)
      // The perpetuals alone: rewards come to spot, and what is moved within the wallet counts.
      const perps = made + toNumber(sums.withinUsd - sums.rewardsUsd)
      expect(Math.abs(b.perps - a.perps - perps)).toBeLessThan(0.01)
    }
  })

  test('has days and markets that sum up to the month', async () => {
    if (!once) throw new Error('nobody asks')
    const until = clock.now()
    const dayStarts = Array.from({ length: 40 }, (_, day) => start + day * 86_400_000 + 43_200_000)
    const sums = sumLedger((await ledgerOf(once, start, until)).entries, { since: start, until, dayStarts })
    for (const day of sums.days)
      expect(toNumber(profitOf(day))).toBeCloseTo(profitBooked(bookedIn(life, day.since, day.until)), 2)
    for (const [market, earned] of sums.markets)
      expect(toNumber(profitOf(earned))).toBeCloseTo(profitBooked(bookedIn(life, start, until, market)), 2)
  })

  test('is not read again and again', () => {
    // Some twenty calls of the one that asks often: four lists each, and the pages of the first.
    expect(requests).toBeLessThan(150)
  })
})

function profitBooked({ realised, fee, funding }: ReturnType<typeof bookedIn>): number {
  return realised - fee + funding
}
