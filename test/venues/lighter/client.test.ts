import { describe, expect, test } from 'vitest'

import { systemClock } from '../../../src/runtime/clock.ts'
import { toNumber } from '../../../src/venue/amount.ts'
import type { Asking } from '../../../src/venue/venue.ts'
import open from '../../../src/venues/lighter/index.ts'
import { testScopes } from '../../contracts/scopes.ts'
import { testVenue } from '../../contracts/venue.ts'
import { ALICE, BOB, exact } from '../../support/fixtures.ts'
import { startLighter } from '../../support/lighter/server.ts'

async function started(env: Record<string, string> = {}) {
  const standIn = await startLighter()
  const world = { clock: systemClock(), emit: () => {}, random: () => 0.5 }
  const opened = await open({ env: { LIGHTER_URL: standIn.url, ...env }, ...world })
  const close = async () => {
    await opened.close()
    await standIn.stop()
  }
  return { standIn, venue: opened.venue, close, [Symbol.asyncDispose]: close }
}

const asking: Asking = {
  patience: 'poll',
  limitMs: 5_000,
  signal: new AbortController().signal,
  spend: (request) => request(() => {}),
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'it succeeded',
    (error: unknown) => (error instanceof Error && 'failure' in error ? error.failure : error),
  )

testVenue('lighter, against the stand-in', async () => {
  const { standIn, venue, close } = await started()
  const main = standIn.account(ALICE, 2_000)
  main.trades('ETH', 2, { leverage: 10 })
  main.sub(1_000).trades('SOL', -10, { leverage: 5, margin: 'isolated' })
  return {
    venue,
    wallet: ALICE,
    stranger: BOB,
    draft: { wallet: ALICE, accountId: String(main.index), marketId: '0', sizeDelta: exact('0.5') },
    held: '0',
    // Beside the list of markets, the funding rates.
    weight: { markets: 2, positions: 1 },
    cut: () => standIn.push.cut(),
    close,
  }
})

testScopes('lighter, against the stand-in', async () => {
  const { standIn, venue, close } = await started()
  const main = standIn.account(ALICE, 10_000)
  main.trades('ETH', 2, { leverage: 10 })
  const sub = main.sub(1_000)
  sub.trades('SOL', -10, { leverage: 5 })
  return {
    ...{ venue, wallet: ALICE, part: String(sub.index), other: String(main.index), close },
    fails: () =>
      standIn.rewrites('account', (body) => {
        const accounts = body['accounts'] as Record<string, unknown>[]
        const spoilt = accounts.map((one) =>
          one['index'] === sub.index ? { ...one, cross_asset_value: 'soon' } : one,
        )
        return { ...body, accounts: spoilt }
      }),
    recovers: () => standIn.rewrites('account', null),
  }
})

describe('a wallet', () => {
  test('is all of its accounts, in one request', async () => {
    await using bot = await started()
    const main = bot.standIn.account(ALICE, 5_000)
    main.trades('BTC', 0.1, { leverage: 5 })
    const subs = Array.from({ length: 20 }, (_, n) => main.sub(n === 7 ? 300 : 0))
    subs[7]?.trades('DOGE', 1_000, { leverage: 3 })
    await bot.venue.markets(asking, [])
    const before = bot.standIn.asked.length
    const { positions, accounts } = await bot.venue.positions(ALICE, asking)
    expect(bot.standIn.asked.length - before).toBe(1)
    const held = [String(main.index), String(subs[7]?.index)]
    expect(positions.map(({ accountId }) => accountId)).toEqual(held)
    // Empty sub-accounts are not named.
    expect(accounts.map(({ accountId, pool }) => [accountId, pool])).toEqual(held.map((id) => [id, id]))
  })

  test('that the venue does not know is empty, and said to be unknown', async () => {
    await using bot = await started()
    expect(await bot.venue.positions(BOB, asking)).toEqual({
      ...{ positions: [], accounts: [], unusable: [], failedParts: [], totalCount: null },
      isUnknown: true,
    })
    expect(await bot.venue.identify?.(BOB, asking, false)).toEqual({ is: 'unknown' })
    bot.standIn.account(BOB, 1)
    expect(await bot.venue.positions(BOB, asking)).not.toHaveProperty('isUnknown')
    expect(await bot.venue.identify?.(BOB, asking, false)).toEqual({ is: 'holder' })
  })

  test.each([
    ['as they are', false, 'recorded'],
    ['without requirements', true, 'recorded'],
    ['all as numbers', false, 'numbers'],
    ['all as texts', true, 'texts'],
  ] as const)('has its margin ratio from bodies %s', async (_, isOlder, style) => {
    await using bot = await started()
    const main = bot.standIn.account(ALICE, 10_000)
    main.trades('ETH', 2, { leverage: 10 })
    main.trades('SOL', 100, { leverage: 10 })
    bot.standIn.older(isOlder)
    await bot.venue.markets(asking, []).catch(() => {})
    bot.standIn.figures(style)
    const [account] = (await bot.venue.positions(ALICE, asking)).accounts
    const owed = 2 * 3_550.69 * 0.012 + 100 * 162.4 * 0.024
    expect(toNumber(account?.maintenanceUsd ?? 0n)).toBeCloseTo(owed, 4)
    expect(account?.marginRatio).toBeCloseTo(owed / 10_000, 8)
  })
})

test('orders are nobody’s business, and no request is spent on them', async () => {
  await using bot = await started()
  expect(await bot.venue.orders(ALICE, [], asking)).toEqual({
    ...{ orders: [], unusable: [], unasked: [] },
  })
  expect(bot.standIn.asked).toEqual([])
})

test('without any trade that was heard nothing is said of how a position ended', async () => {
  await using bot = await started()
  expect(await failureOf(bot.venue.closeRecords?.(ALICE, 0, asking) ?? Promise.resolve())).toMatchObject({
    is: 'unreadable',
  })
})

describe('a refusal', () => {
  test('by the limit is one, whatever its status', async () => {
    await using bot = await started()
    bot.standIn.account(ALICE, 1)
    for (let n = 0; n < 60; n++) await bot.venue.positions(ALICE, asking)
    expect(await failureOf(bot.venue.positions(ALICE, asking))).toMatchObject({ is: 'limited' })
    expect(bot.standIn.broken).toEqual(['requestsAMinute'])
  })

  test('within a body of status 200 is one as well', async () => {
    await using bot = await started()
    bot.standIn.account(ALICE, 1)
    bot.standIn.rewrites('account', () => ({ code: 23_000, message: 'Too Many Requests!' }))
    expect(await failureOf(bot.venue.positions(ALICE, asking))).toMatchObject({ is: 'limited' })
    bot.standIn.rewrites('account', () => ({ code: 21_100, message: 'account not found' }))
    expect(await bot.venue.positions(ALICE, asking)).toMatchObject({ isUnknown: true })
    bot.standIn.rewrites('account', () => ({ code: 20_001, message: 'invalid param' }))
    expect(await failureOf(bot.venue.positions(ALICE, asking))).toEqual({
      ...{ is: 'refused', status: 200, message: 'invalid param', code: 20_001 },
    })
  })

  test('never shows the token, and with one there are more requests', async () => {
    await using bot = await started({ LIGHTER_TOKEN: 'ro:secret' })
    expect(bot.venue.limits).toEqual({ allowed: { weight: 800, perMs: 60_000 } })
    const failure = await failureOf(bot.venue.positions(ALICE, asking))
    expect(failure).toMatchObject({ is: 'refused', status: 401 })
    expect(bot.standIn.asked[0]?.token).toBe('ro:secret')
    bot.standIn.rewrites('refused', () => ({ code: 20_013, message: 'no account has ro:secret' }))
    expect(JSON.stringify(await failureOf(bot.venue.positions(ALICE, asking)))).not.toContain('secret')
  })
})
