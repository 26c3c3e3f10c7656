import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../src/venue/amount.ts'
import type { BalancesAnswer } from '../../../src/venue/record/balances.ts'
import type { Asking } from '../../../src/venue/venue.ts'
import { createClient } from '../../../src/venues/hyperliquid/client.ts'
import { handClock } from '../../support/clock.ts'
import { startHyperliquid } from '../../support/hyperliquid/server.ts'
import { OWNER } from './records.ts'

const VAULT = '0xdfc24b077bc1425AD1DEA75bCB6f8158E10Df303'
const SUB = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const HOUR_MS = 3_600_000

/** The real client at the stand-in. It has read the collateral of every dex. */
async function started() {
  const clock = handClock()
  const standIn = await startHyperliquid({ clock })
  const client = createClient({ url: standIn.url, clock, emit: () => {}, random: () => 0.5 })
  let weight = 0
  const asking: Asking = {
    ...{ patience: 'poll', limitMs: 5_000, signal: new AbortController().signal },
    spend: (request, known = 1) => {
      weight += known
      return request((more) => void (weight += more))
    },
  }
  await client.venue.markets(asking, ['xyz:NVDA', 'flx:TSLA', 'hyna:BTC'])
  await client.venue.markets(asking, ['xyz:NVDA', 'flx:TSLA', 'hyna:BTC'])
  await client.venue.markets(asking, ['xyz:NVDA', 'flx:TSLA', 'hyna:BTC'])
  await client.venue.markets(asking, ['xyz:NVDA', 'flx:TSLA', 'hyna:BTC'])
  return {
    ...{ standIn, clock, venue: client.venue, asking },
    async read(): Promise<BalancesAnswer> {
      weight = 0
      const answer = await client.venue.balances?.(OWNER, asking)
      if (!answer) throw new Error('it shows no balances')
      return answer
    },
    spent: () => weight,
    async [Symbol.asyncDispose]() {
      await client.close()
      await standIn.stop()
    },
  }
}

const usd = (amount: bigint | null | undefined) =>
  amount == null ? null : Number(toNumber(amount).toFixed(2))

describe('what a wallet holds beside its positions', () => {
  test('is spot at its price, with USDC as dollars, and its price unknown where nobody quotes it', async () => {
    await using at = await started()
    const owner = at.standIn.account(OWNER, {})
    owner.owns('USDC', 0, 1_200.5)
    owner.owns('HYPE', 150, 10)
    owner.owns('WARS', 479, 1_000)
    owner.owns('PURR', 1, 700)
    const purr = at.standIn.world.outside.pairs.find(({ name }) => name === 'PURR/USDC')
    if (purr) purr.mid = null
    const { spot, failedParts } = await at.read()
    expect(spot.map(({ token, usd: worth, pool }) => [token, usd(worth), pool])).toEqual([
      ['USDC', 1_200.5, null],
      ['HYPE', 400, null],
      // In HYPE, and so in dollars.
      ['WARS', 80, null],
      ['PURR', null, null],
    ])
    expect(failedParts).toEqual([])
  })

  test('is vaults by their names, with the time until which they are locked', async () => {
    await using at = await started()
    const lockedUntil = at.clock.now() + HOUR_MS
    at.standIn.account(OWNER, {}).joins(VAULT, 'Hyperliquidity Provider (HLP)', 5_100.25, lockedUntil)
    at.standIn.account(OWNER, {}).joins(SUB, 'Other', 7, at.clock.now() - 1)
    const { vaults } = await at.read()
    expect(vaults).toMatchObject([
      { vault: VAULT, name: 'Hyperliquidity Provider (HLP)', lockedUntil },
      { name: 'Other', lockedUntil: null },
    ])
    expect(usd(vaults[0]?.equityUsd)).toBe(5_100.25)
  })

  test('reads the name of a vault once a day', async () => {
    await using at = await started()
    at.standIn.account(OWNER, {}).joins(VAULT, 'HLP', 100)
    const asked = () => at.standIn.asked.filter(({ type }) => type === 'vaultDetails').length
    await at.read()
    await at.read()
    expect(asked()).toBe(1)
    await at.clock.advance(24 * HOUR_MS)
    await at.read()
    expect(asked()).toBe(2)
  })

  test('is HYPE in staking, also on its way out, at its price', async () => {
    await using at = await started()
    at.standIn.account(OWNER, {}).stakes(100, 5.5, 20, 4)
    const { staking } = await at.read()
    expect(staking).toMatchObject({
      token: 'HYPE',
      staked: 105_500000000000000000n,
      leaving: 24n * 10n ** 18n,
    })
    expect(usd(staking?.usd)).toBe(129.5 * 40)
  })

  test('is its sub-accounts with what they are worth, in either mode', async () => {
    await using at = await started()
    const role = { role: 'subAccount', data: { master: OWNER.toLowerCase() } } as const
    const single = at.standIn.account(SUB, { usd: 5_000, role })
    single.state.outside.name = 'Scalps'
    single.deposits(300, 'xyz')
    single.owns('HYPE', 150, 2)
    const unified = at.standIn.account(VAULT, { usd: 2_000, role, mode: 'unifiedAccount' })
    unified.trades('BTC', 0.01, { leverage: 10 })
    const { subAccounts } = await at.read()
    expect(subAccounts).toMatchObject([
      { wallet: SUB, name: 'Scalps', positions: 0, unpriced: [] },
      { wallet: VAULT, name: 'sub 2', positions: 1 },
    ])
    expect(usd(subAccounts[0]?.equityUsd)).toBe(5_380)
    // The fee and the spread are gone, and the margin is not counted twice.
    expect(usd(subAccounts[1]?.equityUsd)).toBeGreaterThan(1_990)
    expect(usd(subAccounts[1]?.equityUsd)).toBeLessThan(2_001)
  })

  test('shows sub-accounts without what they are worth where only the documented answer is there', async () => {
    await using at = await started()
    const role = { role: 'subAccount', data: { master: OWNER.toLowerCase() } } as const
    at.standIn.account(SUB, { usd: 5_000, role }).trades('BTC', 0.01)
    at.standIn.fault({ kind: 'error', type: 'subAccounts2', times: Infinity })
    const { subAccounts, failedParts } = await at.read()
    expect(subAccounts).toMatchObject([{ name: 'sub 1', positions: 1, equityUsd: null }])
    expect(failedParts).toEqual([])
  })

  test('is money in a dex without positions as well', async () => {
    await using at = await started()
    at.standIn.account(OWNER, { usd: 1_000 }).deposits(250, 'xyz')
    const { perps } = await at.read()
    expect(perps.map(({ accountId, equityUsd }) => [accountId, usd(equityUsd)])).toEqual([
      ['main', 1_000],
      ['xyz', 250],
    ])
  })
})

describe('collateral in spot', () => {
  test('names the pool whose equity has it, so that nobody counts it twice', async () => {
    await using at = await started()
    const owner = at.standIn.account(OWNER, { mode: 'unifiedAccount', usd: 1_000 })
    owner.owns('USDE', 235, 70)
    owner.owns('HYPE', 150, 1)
    owner.trades('BTC', 0.01, { leverage: 10 })
    const { spot, perps } = await at.read()
    expect(spot.map(({ token, pool }) => [token, pool])).toEqual([
      ['USDC', 'main'],
      ['USDE', 'hyna'],
      ['HYPE', null],
    ])
    expect(perps).toEqual([])
  })

  test('with portfolio margin is all that is lent against', async () => {
    await using at = await started()
    const owner = at.standIn.account(OWNER, { mode: 'portfolioMargin', usd: 1_000 })
    owner.owns('HYPE', 150, 1)
    const { spot } = await at.read()
    expect(spot.map(({ token, pool }) => [token, pool])).toEqual([
      ['USDC', 'main'],
      ['HYPE', 'main'],
    ])
  })

  test('says that it is not known where the mode of the account is not', async () => {
    await using at = await started()
    at.standIn.account(OWNER, { usd: 1_000 }).owns('USDC', 0, 50)
    at.standIn.fault({ kind: 'error', type: 'userAbstraction', times: Infinity })
    const { spot, perps, failedParts } = await at.read()
    expect([spot, perps]).toEqual([[], []])
    expect(failedParts.map(({ part }) => part)).toEqual(['perps', 'spot'])
  })
})

describe('a part that fails', () => {
  test.each([
    ['spotClearinghouseState', 'spot'],
    ['userVaultEquities', 'vaults'],
    ['delegatorSummary', 'staking'],
    ['clearinghouseState', 'perps'],
    ['spotMetaAndAssetCtxs', 'prices'],
  ])('of %s is named, and the others are there', async (type, part) => {
    await using at = await started()
    const owner = at.standIn.account(OWNER, { usd: 1_000 })
    owner.owns('HYPE', 150, 1)
    owner.joins(VAULT, 'HLP', 10)
    owner.stakes(1)
    at.standIn.fault({ kind: 'error', type, times: Infinity })
    const answer = await at.read()
    expect(answer.failedParts.map((one) => one.part)).toEqual([part])
    expect(answer.vaults.length).toBe(part === 'vaults' ? 0 : 1)
  })

  test.each([
    ['spotClearinghouseState', 'spot', () => ({ balances: [{ coin: 'USDC', token: 0, hold: '0.0' }] })],
    ['userVaultEquities', 'vaults', () => [{ vaultAddress: VAULT, equity: 12 }]],
    ['userVaultEquities', 'vaults', () => ({})],
    ['delegatorSummary', 'staking', () => ({ delegated: '1.0' })],
    ['spotMetaAndAssetCtxs', 'prices', () => [{}, []]],
  ])('because %s sends something else never reads as nothing', async (type, part, answer) => {
    await using at = await started()
    at.standIn.account(OWNER, { usd: 1_000 }).owns('HYPE', 150, 1)
    at.standIn.rewrites(type, answer)
    expect((await at.read()).failedParts.map((one) => one.part)).toEqual([part])
  })

  test('is one dex: the money of the others is there', async () => {
    await using at = await started()
    at.standIn.account(OWNER, { usd: 1_000 }).deposits(250, 'xyz')
    at.standIn.fault({ kind: 'error', type: 'clearinghouseState', dex: 'xyz', times: Infinity })
    const { perps, failedParts } = await at.read()
    expect(perps.map(({ accountId }) => accountId)).toEqual(['main'])
    expect(failedParts).toMatchObject([{ part: 'perps', why: expect.stringContaining('xyz') }])
  })

  test('is the whole answer where all of them fail', async () => {
    await using at = await started()
    for (const type of ['spotClearinghouseState', 'userVaultEquities', 'delegatorSummary'])
      at.standIn.fault({ kind: 'error', type, times: Infinity })
    for (const type of ['subAccounts', 'subAccounts2', 'clearinghouseState'])
      at.standIn.fault({ kind: 'error', type, times: Infinity })
    await expect(at.read()).rejects.toThrow('The venue refused with status 500')
  })
})

test('a read weighs what the pages say, and prices are read once a minute for all', async () => {
  await using at = await started()
  const owner = at.standIn.account(OWNER, { usd: 1_000 })
  const dexes = at.standIn.world.dexes.length
  await at.read()
  // The mode is known for an hour, and nothing here needs a price.
  await at.read()
  expect(at.spent()).toBe(2 + 3 * 20 + 2 * dexes)
  owner.owns('HYPE', 150, 1)
  await at.read()
  expect(at.spent()).toBe(2 + 3 * 20 + 2 * dexes + 20)
  await at.read()
  expect(at.spent()).toBe(2 + 3 * 20 + 2 * dexes)
})
