import { describe, expect, test } from 'vitest'

import { parseDecimal } from '../../../src/venue/amount.ts'
import type { BalancesAnswer } from '../../../src/venue/record/balances.ts'
import type { LedgerAnswer, LedgerEntry } from '../../../src/venue/record/ledger.ts'
import type { Twap } from '../../../src/venue/record/twap.ts'
import type { Asking, Venue } from '../../../src/venue/venue.ts'
import joinVenues from '../../../src/venues/several/index.ts'
import { handClock } from '../../support/clock.ts'
import { aWallet, DOWN, scriptedVenue } from '../../support/polling.ts'

type Records = Pick<Venue, 'ledger' | 'balances' | 'twaps'>

function several(first: Records, second: Records) {
  const clock = handClock()
  const open = (records: Records) => ({
    venue: { ...scriptedVenue(clock).venue, ...records },
    ...{ simulated: false, identity: 'scripted', introduction: [], endsBot: false },
    close: () => Promise.resolve(),
  })
  const venues = [
    { name: 'first', opened: open(first) },
    { name: 'second', opened: open(second) },
  ]
  return joinVenues({ venues, clock }).venue
}

const ASKING: Asking = {
  ...{ patience: 'person', limitMs: 5_000, signal: new AbortController().signal },
  spend: (request) => request(() => {}),
}
const WALLET = aWallet(1)
const ASKED = { since: 0, until: 100, of: ['fill', 'funding', 'transfer'] } as const
const usd = (text: string) => parseDecimal(text) ?? 0n

const fill = (at: number): LedgerEntry => ({
  ...{ is: 'fill', id: `f${at}`, at, accountId: 'main', marketId: 'BTC', orderId: '7', how: 'traded' },
  ...{ size: usd('1'), price: usd('100'), before: 0n, realisedUsd: 0n, feeUsd: usd('0.1') },
})
const transfer = (at: number): LedgerEntry => ({
  ...{ is: 'transfer', id: `t${at}`, at, what: 'deposit', usd: usd('50'), token: null },
})
const ledgerOf =
  (wholeFrom: number, ...entries: LedgerEntry[]) =>
  (): Promise<LedgerAnswer> =>
    Promise.resolve({ entries, wholeFrom, unusable: [] })

describe('the money of a wallet at two venues', () => {
  test('is one record in the order of time, each entry under the name of its venue', async () => {
    const venue = several(
      { ledger: ledgerOf(0, fill(1), fill(5)) },
      { ledger: ledgerOf(3, transfer(2), fill(4)) },
    )
    const answer = await venue.ledger?.(WALLET, ASKED, ASKING)
    expect(answer?.entries.map(({ at, id }) => [at, id])).toEqual([
      [1, 'f1'],
      [2, 'second/t2'],
      [4, 'second/f4'],
      [5, 'f5'],
    ])
    expect(answer?.entries[2]).toMatchObject({
      ...{ accountId: 'second/main', marketId: 'second/BTC', orderId: 'second/7' },
    })
    // It is whole only where both records are.
    expect(answer).toMatchObject({ wholeFrom: 3, failedParts: [], absent: [] })
  })

  test('names the venue that does not answer', async () => {
    const venue = several({ ledger: ledgerOf(0, fill(1)) }, { ledger: () => Promise.reject(DOWN) })
    const answer = await venue.ledger?.(WALLET, ASKED, ASKING)
    expect(answer?.failedParts).toEqual([{ part: 'second', why: DOWN.message, isVenue: true }])
    expect(answer?.entries).toHaveLength(1)
  })

  test('names the venue that shows no record', async () => {
    const venue = several({ ledger: ledgerOf(0, fill(1)) }, {})
    expect(await venue.ledger?.(WALLET, ASKED, ASKING)).toMatchObject({ failedParts: [], absent: ['second'] })
  })

  test('cannot be asked for where neither shows it', () => {
    const venue = several({}, {})
    expect(venue.ledger ?? venue.balances ?? venue.twaps ?? null).toBeNull()
  })
})

describe('the balances at two venues', () => {
  const balances = (over: Partial<BalancesAnswer>) => (): Promise<BalancesAnswer> =>
    Promise.resolve({
      ...{ perps: [], spot: [], vaults: [], staking: null, subAccounts: [], unusable: [], failedParts: [] },
      ...over,
    })
  const spot = [{ token: 'USDC', amount: usd('5'), usd: usd('5'), pool: 'main' }]

  test('are added to each other, and a part that failed stays named', async () => {
    const failedParts = [{ part: 'staking', why: 'it is late' }]
    const venue = several({ balances: balances({ spot, failedParts }) }, { balances: balances({ spot }) })
    const answer = await venue.balances?.(WALLET, ASKING)
    expect(answer?.spot.map(({ pool }) => pool)).toEqual(['main', 'second/main'])
    expect(answer).toMatchObject({ failedParts, absent: [] })
  })

  test('lack a venue by its name', async () => {
    const venue = several({ balances: balances({ spot }) }, { balances: () => Promise.reject(DOWN) })
    const answer = await venue.balances?.(WALLET, ASKING)
    expect(answer?.failedParts).toEqual([{ part: 'second', why: DOWN.message, isVenue: true }])
  })
})

describe('the TWAPs at two venues', () => {
  const twap = (startedAt: number): Twap => ({
    ...{
      id: `${startedAt}`,
      accountId: 'main',
      marketId: 'BTC',
      size: usd('2'),
      filled: null,
      trigger: null,
    },
    ...{
      priceLimit: null,
      durationMs: 60_000,
      reduceOnly: false,
      startedAt,
      state: 'running',
      at: startedAt,
    },
    why: null,
  })

  test('are one list, the newest first, and a venue that is out is named', async () => {
    const both = (...twaps: Twap[]) => ({ twaps: () => Promise.resolve({ twaps, unusable: [] }) })
    const answer = await several(both(twap(1), twap(9)), both(twap(5))).twaps?.(WALLET, ASKING, true)
    expect(answer?.twaps.map(({ id, marketId }) => `${id} ${marketId}`)).toEqual([
      '9 BTC',
      'second/5 second/BTC',
      '1 BTC',
    ])
    const out = several(both(twap(1)), { twaps: () => Promise.reject(DOWN) })
    expect((await out.twaps?.(WALLET, ASKING, true))?.unusable).toEqual([
      { what: 'TWAPs on second', why: DOWN.message, part: 'second' },
    ])
  })
})
