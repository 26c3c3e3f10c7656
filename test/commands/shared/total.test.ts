import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { sum, sumOf, totalOf } from '../../../src/commands/shared/holdings/total.ts'
import { type Amount, toNumber } from '../../../src/venue/amount.ts'
import type { Account } from '../../../src/venue/account.ts'
import type { BalancesAnswer } from '../../../src/venue/record/balances.ts'
import type { Asking } from '../../../src/venue/venue.ts'
import { createClient } from '../../../src/venues/hyperliquid/client.ts'
import { handClock } from '../../support/clock.ts'
import { ALICE, anAccount, BOB, exact, someBalances } from '../../support/fixtures.ts'
import { worthOf } from '../../support/hyperliquid/outside.ts'
import { startHyperliquid } from '../../support/hyperliquid/server.ts'
import type { Mode } from '../../support/hyperliquid/state.ts'

const VENUES = ['hyperliquid', 'lighter']
const all = (parts: Readonly<Record<string, Amount>>) => toNumber(sum(Object.values(parts)))

/** The total of a wallet of this person, who watches no other. */
function total(
  accounts: readonly Account[],
  over: Partial<BalancesAnswer> | null,
  venues: readonly string[] = [],
) {
  const balances =
    over === null
      ? ({ is: 'unseen', why: 'not read in time' } as const)
      : ({ is: 'read', value: someBalances(over) } as const)
  return totalOf({ wallet: 'main', accounts, balances }, venues, new Set([ALICE]))
}

const asking: Asking = {
  ...{ patience: 'poll', limitMs: 5_000, signal: new AbortController().signal },
  spend: (request) => request(() => {}),
}

/** A life at the stand-in: deposits, trades, tokens, vaults and stakes, in any mode of account. */
const life = fc.record({
  mode: fc.constantFrom<Mode>('default', 'unifiedAccount', 'portfolioMargin', 'dexAbstraction'),
  usd: fc.integer({ min: 1_000, max: 1_000_000 }),
  inXyz: fc.integer({ min: 0, max: 50_000 }),
  usde: fc.integer({ min: 0, max: 9_000 }),
  btc: fc.integer({ min: -9, max: 9 }),
  nvda: fc.integer({ min: -3, max: 3 }),
  isolated: fc.boolean(),
  move: fc.double({ min: 0.97, max: 1.03, noNaN: true }),
  hype: fc.integer({ min: 0, max: 500 }),
  ubtc: fc.integer({ min: 0, max: 3 }),
  vault: fc.integer({ min: 0, max: 9_000 }),
  staked: fc.integer({ min: 0, max: 300 }),
  leaving: fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 3 }),
})

test('the total is the sum of the venue’s own books, in every mode of account', async () => {
  await using venue = await startHyperliquid({ clock: handClock() })
  const clock = handClock()
  const client = createClient({ url: venue.url, clock, emit: () => {}, random: () => 0.5 })
  venue.allow(10_000_000)
  for (let times = 0; times < 4; times++)
    await client.venue.markets(asking, ['xyz:NVDA', 'flx:TSLA', 'hyna:BTC'])
  let next = 1
  const mark = venue.market('BTC').mark
  const property = fc.asyncProperty(life, async (one) => {
    const address = `0x${(next++).toString(16).padStart(40, '0')}` as const
    venue.moves({ BTC: mark })
    const owner = venue.account(address, { mode: one.mode, usd: one.usd })
    if (one.inXyz > 0) owner.deposits(one.inXyz, 'xyz')
    if (one.usde > 0) owner.owns('USDE', 235, one.usde)
    if (one.hype > 0) owner.owns('HYPE', 150, one.hype)
    if (one.ubtc > 0) owner.owns('UBTC', 197, one.ubtc)
    if (one.vault > 0) owner.joins(BOB, 'HLP', one.vault)
    owner.stakes(one.staked, 0, ...one.leaving)
    if (one.btc !== 0)
      owner.trades('BTC', one.btc / 1_000, { leverage: 10, margin: one.isolated ? 'isolated' : 'cross' })
    if (one.nvda !== 0 && one.inXyz > 10_000) owner.trades('xyz:NVDA', one.nvda, { leverage: 5 })
    venue.moves({ BTC: mark * one.move })
    const [positions, balances] = await Promise.all([
      client.venue.positions(address, asking),
      client.venue.balances?.(address, asking),
    ])
    const found = totalOf(
      {
        wallet: 'main',
        accounts: positions.accounts,
        balances: balances ? { is: 'read', value: balances } : { is: 'unseen', why: '' },
      },
      [],
      new Set(),
    )
    expect(found.lacking).toEqual([])
    expect(all(found.parts)).toBeCloseTo(worthOf(venue.world, owner.state), 2)
    // The same without the accounts that came with the positions.
    const alone = {
      wallet: 'main',
      accounts: [],
      balances: { is: 'read' as const, value: balances ?? someBalances() },
    }
    expect(all(totalOf(alone, [], new Set()).parts)).toBeCloseTo(worthOf(venue.world, owner.state), 2)
  })
  await fc.assert(property)
  await client.close()
}, 60_000)

describe('the total of a wallet', () => {
  const usd = (text: string) => exact(text)

  test('takes the equity that came with the positions, which is newer', () => {
    const found = total([anAccount({ accountId: 'main', equityUsd: usd('900') })], {
      perps: [
        { accountId: 'main', equityUsd: usd('1000') },
        { accountId: 'xyz', equityUsd: usd('50') },
      ],
    })
    expect(toNumber(found.parts.perps)).toBe(950)
  })

  test('counts the pool of a unified account once, however many dexes share it', () => {
    const shared = { mode: 'unified', pool: 'main', equityUsd: usd('700') } as const
    const accounts = [anAccount({ accountId: 'main', ...shared }), anAccount({ accountId: 'xyz', ...shared })]
    const found = total(accounts, {
      spot: [
        { token: 'USDC', amount: usd('690'), usd: usd('690'), pool: 'main' },
        { token: 'HYPE', amount: usd('1'), usd: usd('40'), pool: null },
      ],
    })
    expect([found.parts.perps, found.parts.spot].map(toNumber)).toEqual([700, 40])
  })

  test('of a portfolio account without balances is what its first pool has', () => {
    const shared = { mode: 'portfolio', pool: 'main' } as const
    const accounts = [
      anAccount({ accountId: 'main', ...shared, equityUsd: usd('700') }),
      anAccount({ accountId: 'hyna', ...shared, equityUsd: usd('20') }),
    ]
    expect(all(total(accounts, null).parts)).toBe(700)
  })

  test.each([
    [
      'was unified when balances were read',
      anAccount({ accountId: 'main', equityUsd: usd('700') }),
      { spot: [{ token: 'USDC', amount: usd('690'), usd: usd('690'), pool: 'main' }] },
    ],
    [
      'is unified since',
      anAccount({ accountId: 'main', mode: 'unified', pool: 'main', equityUsd: usd('700') }),
      { perps: [{ accountId: 'main', equityUsd: usd('690') }] },
    ],
  ])('leaves out balances of an account that %s', (_, account, balances) => {
    const found = total([account], balances)
    expect(all(found.parts)).toBe(700)
    expect(found.lacking).toEqual([{ is: 'unread', part: 'all', why: null }])
  })

  test('says which balances it has not, and why', () => {
    expect(total([], null).lacking).toEqual([{ is: 'unread', part: 'all', why: 'not read in time' }])
    const failedParts = [
      { part: 'staking', why: 'it is late' },
      { part: 'perps', why: 'xyz: it is late' },
      { part: 'perps', why: 'flx: it is late' },
      { part: 'lighter', why: 'it is late', isVenue: true as const },
    ]
    expect(total([], { failedParts }).lacking).toEqual([
      { is: 'unread', part: 'staking', why: null },
      { is: 'unread', part: 'perps', why: null },
      { is: 'venue', name: 'lighter' },
    ])
  })

  test('names tokens without a price, and never counts them as nothing', () => {
    const found = total([], {
      spot: [{ token: 'PURR', amount: usd('5'), usd: null, pool: null }],
      staking: { token: 'HYPE', staked: usd('1'), leaving: 0n, usd: null },
    })
    expect(found.lacking).toEqual([{ is: 'no-price', tokens: ['PURR', 'HYPE'], isUnread: false }])
    const failedParts = [{ part: 'prices', why: 'it is late' }]
    const spot = [{ token: 'PURR', amount: usd('5'), usd: null, pool: null }]
    expect(total([], { spot, failedParts }).lacking).toEqual([
      { is: 'no-price', tokens: ['PURR'], isUnread: true },
    ])
  })

  test('has sub-accounts that are no wallets of the person, and says so where their worth is unknown', () => {
    const sub = { wallet: BOB, name: 'Scalps', positions: 1, unpriced: ['PURR'] }
    expect(toNumber(total([], { subAccounts: [{ ...sub, equityUsd: usd('8') }] }).parts.subs)).toBe(8)
    expect(total([], { subAccounts: [{ ...sub, wallet: ALICE, equityUsd: usd('8') }] })).toMatchObject({
      parts: { subs: 0n },
      lacking: [],
    })
    expect(total([], { subAccounts: [{ ...sub, equityUsd: null, unpriced: [] }] }).lacking).toEqual([
      { is: 'unread', part: 'subs', why: null },
    ])
  })

  test('has the accounts of a venue that shows no balances', () => {
    const accounts = [
      anAccount({ accountId: 'main', mode: 'unified', pool: 'main', equityUsd: usd('700') }),
      anAccount({ accountId: 'lighter/1', pool: 'lighter/1', equityUsd: usd('30') }),
    ]
    const spot = [{ token: 'USDC', amount: usd('690'), usd: usd('690'), pool: 'main' }]
    expect(toNumber(total(accounts, { spot }, VENUES).parts.perps)).toBe(730)
  })

  test('is added up over wallets, part by part', () => {
    const one = total([], { vaults: [{ vault: BOB, name: null, equityUsd: usd('5'), lockedUntil: null }] })
    expect(toNumber(sumOf([one, one]).vaults)).toBe(10)
  })
})
