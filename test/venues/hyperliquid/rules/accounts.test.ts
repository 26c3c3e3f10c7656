import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../../src/venue/amount.ts'
import { accountsOf, fundsIn, haveLeft } from '../../../../src/venues/hyperliquid/rules/accounts.ts'
import { readSpot } from '../../../../src/venues/hyperliquid/wire/spot.ts'
import { readState } from '../../../../src/venues/hyperliquid/wire/state.ts'
import { exact } from '../../../support/fixtures.ts'
import isolated from '../recorded/clearinghouseState-isolated-HYPE-2025-08.json' with { type: 'json' }
import portfolio from '../recorded/subAccounts2-portfolioMargin-2026-07.json' with { type: 'json' }
import { aLeg, aState, OWNER } from '../records.ts'

const spotOf = (total: string) => readSpot({ balances: [{ coin: 'USDC', token: 0, total }] })
const dex = (name: string | null, over: Record<string, unknown>, collateral = 0) => ({
  state: readState(aState([], over), OWNER, name),
  collateral,
})

test('a recorded account with an isolated position: what is shared is all but its bucket', () => {
  const counted = [{ state: readState(isolated.body, OWNER, null), collateral: 0 }]
  expect(accountsOf(OWNER, 'single', counted, null)).toMatchObject([
    { accountId: 'main', equityUsd: exact('83.307638'), marginRatio: 0, withdrawableUsd: exact('75.781884') },
  ])
})

test.each([
  ['the price has taken it', [aLeg({ positionValue: '120.0' })], '6.0', false],
  ['a trade has', [aLeg({ szi: '1.0', positionValue: '100.0' })], '6.0', false],
  ['nothing that is shown has', [aLeg()], '6.0', true],
  ['it is still most of it', [aLeg()], '50.0', false],
])('equity that was 86 is gone: %s', (_why, legs, accountValue, isMoved) => {
  const before = fundsIn(readState(aState([aLeg()]), OWNER, null))
  const now = readState(aState(legs, { marginSummary: { accountValue } }), OWNER, null)
  expect(haveLeft(before, fundsIn(now))).toBe(isMoved)
})

test('a recorded portfolio account: equity and what is left are those of spot', () => {
  const [recorded] = portfolio.body
  const spot = readSpot(recorded?.spotState)
  const state = { ...readState(aState(), OWNER, null), equity: exact('147.412857') }
  const [account] = accountsOf(OWNER, 'portfolio', [{ state, collateral: 0 }], spot)
  expect(account).toMatchObject({
    mode: 'portfolio',
    equityUsd: exact('894.08996004'),
    maintenanceUsd: exact('23.10479192'),
  })
  expect(account?.marginRatio).toBeCloseTo(0.025841686 / 0.95, 12)
})

test('a portfolio account that counts other tokens is not given a value that leaves them out', () => {
  const balances = [
    { token: 0, total: '10.0', ltv: '0.0' },
    { token: 150, total: '3.0', ltv: '0.5' },
  ]
  const [account] = accountsOf(OWNER, 'portfolio', [dex(null, {})], readSpot({ balances }))
  expect(account?.equityUsd).toBeNull()
})

test('books of a unified account that count in one token need it together, without what is isolated', () => {
  const leg = aLeg({ leverage: { type: 'isolated', value: 10, rawUsd: '-180.0' }, marginUsed: '20.0' })
  const main = { state: readState(aState([leg]), OWNER, null), collateral: 0 }
  const accounts = accountsOf(
    OWNER,
    'unified',
    [main, dex('xyz', { crossMaintenanceMarginUsed: '30.0' }), dex('hyna', {}, 235)],
    spotOf('100.0'),
  )
  expect(accounts.map(({ marginRatio }) => marginRatio)).toEqual([0.5, 0.5, 1])
  expect(accounts.map(({ equityUsd }) => equityUsd && toNumber(equityUsd))).toEqual([100, 100, null])
})

test('an account that needs something and has nothing left is at its end', () => {
  const summary = { accountValue: '-1.0', totalMarginUsed: '0.0' }
  const over = { marginSummary: summary, crossMarginSummary: summary }
  expect(accountsOf(OWNER, 'single', [dex(null, over)], null)).toMatchObject([{ marginRatio: 1 }])
})

describe('accounts that share collateral have one pool', () => {
  const pools = (mode: 'single' | 'unified' | 'portfolio') =>
    accountsOf(OWNER, mode, [dex(null, {}), dex('xyz', {}), dex('hyna', {}, 235)], spotOf('100.0')).map(
      ({ pool }) => pool,
    )

  test.each([
    ['single', ['main', 'xyz', 'hyna']],
    ['unified', ['main', 'main', 'hyna']],
    ['portfolio', ['main', 'main', 'main']],
  ] as const)('%s: %j', (mode, expected) => expect(pools(mode)).toEqual(expected))

  test('which is called the same whatever of it is held or read', () => {
    const [account] = accountsOf(OWNER, 'unified', [dex('xyz', {})], spotOf('100.0'), true, () => null)
    expect(account?.pool).toBe('main')
  })

  test('whose need is not known while one of its books is not: a smaller ratio would be a false comfort', () => {
    const of = (mode: 'single' | 'unified') =>
      accountsOf(OWNER, mode, [dex(null, { crossMaintenanceMarginUsed: '30.0' })], spotOf('100.0'), false)
    expect(of('unified')).toMatchObject([{ marginRatio: null, maintenanceUsd: null }])
    expect(of('single')).toMatchObject([{ maintenanceUsd: exact('30') }])
  })
})
