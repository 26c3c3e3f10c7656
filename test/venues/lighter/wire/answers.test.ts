import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../../src/venue/amount.ts'
import { readAccounts } from '../../../../src/venues/lighter/wire/accounts.ts'
import { readList, readRates } from '../../../../src/venues/lighter/wire/markets.ts'
import { leverageOf, readPositions } from '../../../../src/venues/lighter/wire/positions.ts'
import { exact } from '../../../support/fixtures.ts'
import account from '../recorded/account-cross-ETH-long.json' with { type: 'json' }
import empty from '../recorded/accounts-two-subaccounts-empty.json' with { type: 'json' }
import list from '../recorded/orderBookDetails-ETH.json' with { type: 'json' }

const [recorded] = account.body.accounts
const [position] = recorded?.positions ?? []
const [market] = list.body.order_book_details
const OWNER = recorded?.l1_address ?? ''

test('the recorded account has one long with a leverage of 20', () => {
  const { accounts, failed, unusable, cursor } = readAccounts(account.body, OWNER.toLowerCase())
  expect([failed, unusable, cursor]).toEqual([[], [], null])
  const [only] = accounts
  expect(only).toMatchObject({ id: '1077', closed: [], unusable: [] })
  expect(only?.figures).toEqual({
    equity: exact('15298.072264000002'),
    crossEquity: exact('15298.072264000002'),
    crossMaintenance: null,
    available: exact('12582.743947'),
  })
  const [held] = only?.open ?? []
  expect(held).toMatchObject({ marketId: '0', symbol: 'ETH', size: exact('18.0193'), margin: 'cross' })
  expect(held?.liquidationPrice).toBe(exact('2191.1107231380406'))
  expect(toNumber(held?.mark ?? 0n)).toBeCloseTo(3_013.8, 6)
  expect(held && leverageOf(held)).toBe(20)
})

test('the recorded empty accounts are two, each with its id', () => {
  const { accounts } = readAccounts(empty.body, OWNER)
  expect(accounts.map(({ id, open }) => [id, open])).toEqual([
    ['1077', []],
    ['281474976710588', []],
  ])
})

test('the recorded market has its margins, and no mark price', () => {
  const { listed, unusable } = readList(list.body)
  expect(unusable).toEqual([])
  expect(listed[0]).toMatchObject({
    ...{ id: '0', symbol: 'ETH', isActive: true, mark: null, index: null },
    ...{ maintenance: exact('0.012'), initial: exact('0.05'), takerFee: 0n, trades24h: 1_197_349 },
  })
  expect(toNumber(listed[0]?.price24hAgo ?? 0n)).toBeCloseTo(3_550.69 / 1.005_294_300_840_859, 8)
})

describe('a position', () => {
  const read = (over: object) => readPositions([{ ...position, ...over }], '7')

  test.each([
    ['a short has its sign beside it', { sign: -1 }, { size: exact('-18.0193') }],
    ['none has no liquidation price', { liquidation_price: '0' }, { liquidationPrice: null }],
    ['an isolated one says so', { margin_mode: 1, allocated_margin: '5.5' }, { margin: 'isolated' }],
    ['an unknown margin is not guessed', { margin_mode: 7 }, { margin: null }],
    ['no leverage is not guessed', { initial_margin_fraction: '0.00' }, { initialFraction: null }],
  ])('%s', (_, over, figures) => {
    expect(read(over).open[0]).toMatchObject(figures)
  })

  test.each([
    ['closed', { position: '0.0000', sign: 0, position_value: '0.000000' }],
    ['closed, as a number', { position: 0 }],
  ])('that is %s is none', (_, over) => {
    expect(read(over)).toEqual({ open: [], closed: ['0'], unusable: [] })
  })

  test('of an id that is no market is unusable, and not passed over as spot', () => {
    const { open, closed, unusable } = read({ market_id: '9999999999999999999' })
    expect([open, closed]).toEqual([[], []])
    expect(unusable).toEqual([
      { what: 'position 1 of 1', part: '7', why: expect.stringContaining('market_id') },
    ])
  })

  test('of spot is none of ours', () => {
    expect(read({ market_id: 2_048 })).toEqual({ open: [], closed: [], unusable: [] })
  })

  test.each([
    ['size', { position: 'much' }],
    ['positive size', { position: '-3' }],
    ['side', { sign: 0 }],
    ['value', { position_value: '0' }],
    ['liquidation price', { liquidation_price: '' }],
    ['name', { symbol: 'ET\u0000H' }],
  ])('without a readable %s is unusable, and names its account', (_, over) => {
    expect(read(over)).toMatchObject({ open: [], unusable: [{ what: 'position 1 of 1', part: '7' }] })
  })

  test('that is there twice counts once', () => {
    const twice = readPositions([position, position], '7')
    expect([twice.open.length, twice.unusable.length]).toEqual([1, 1])
  })
})

describe('an account', () => {
  const read = (over: object) => readAccounts({ accounts: [{ ...recorded, ...over }] }, OWNER)

  test.each([
    ['of somebody else', { l1_address: '0x0000000000000000000000000000000000000001' }],
    ['without a readable equity', { cross_asset_value: '' }],
  ])('%s is named as unread', (_, over) => {
    expect(read(over)).toMatchObject({ accounts: [], failed: [{ part: '1077' }], unusable: [] })
  })

  test('without an id puts the whole in doubt', () => {
    expect(read({ index: 'main' })).toMatchObject({ accounts: [], failed: [], unusable: [{ part: null }] })
  })
})

test.each([
  ['no list', {}],
  ['another list', { accounts: 'none' }],
])('an answer with %s is none', (_, body) => {
  expect(() => readAccounts(body, OWNER)).toThrow('the accounts')
})

describe('a market', () => {
  const read = (over: object) => readList({ order_book_details: [{ ...market, ...over }] })

  test.each([
    ['that is inactive', { status: 'inactive' }, false],
    // Nobody must go without a warning because of a word that we do not know.
    ['in an unknown state', { status: 'frozen' }, true],
  ])('%s', (_, over, isActive) => {
    expect(read(over).listed[0]?.isActive).toBe(isActive)
  })

  test('that is spot is left out', () => {
    expect(read({ market_id: 2_050 }).listed).toEqual([])
    expect(read({ market_type: 'spot' }).listed).toEqual([])
  })

  test('without margins is unusable', () => {
    expect(read({ maintenance_margin_fraction: null })).toMatchObject({
      ...{ listed: [], unusable: [{ what: 'market 0' }] },
    })
  })

  test('has the newer figures where they are sent', () => {
    const [only] = read({ mark_price: '3551.1', index_price: 3_551.2 }).listed
    expect(only).toMatchObject({ mark: exact('3551.1'), index: exact('3551.2') })
  })
})

test('rates are those of the venue itself, for an hour', () => {
  const rates = [
    { market_id: 0, exchange: 'lighter', symbol: 'ETH', rate: 0.0004 },
    { market_id: 0, exchange: 'binance', symbol: 'ETH', rate: 0.9 },
    { market_id: 1, exchange: 'lighter', symbol: 'BTC', rate: 'soon' },
  ]
  expect([...readRates({ funding_rates: rates })]).toEqual([['0', exact('0.00005')]])
})
