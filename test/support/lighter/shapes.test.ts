import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { shapeOf } from '../hyperliquid/shape.ts'
import { handClock, NOON } from '../clock.ts'
import { eventually } from '../patience.ts'
import { accountAt, connect, get, type Json } from './client.ts'
import { type Lighter, startLighter } from './server.ts'

const USER = '0x15f43D1f2DeE81424aFd891943262aa90F22cc2A'

const recorded = (file: string): Json =>
  JSON.parse(readFileSync(new URL(`../../venues/lighter/recorded/${file}.json`, import.meta.url), 'utf8'))
    .body

/** The account that ccxt recorded, at the prices of then. */
function lived(venue: Lighter) {
  venue.moves({ ETH: 3_013.8 })
  const user = venue.account(USER, 9_100.242706)
  user.holds('ETH', 18.0193, { entryQuote: 48_108.736782, leverage: 20 })
  return user
}

describe('older bodies are the recorded ones', () => {
  test('a cross long: every figure to the last digit, and its keys in their order', async () => {
    await using venue = await startLighter()
    venue.older()
    lived(venue)
    const { body } = await get(venue, `account?by=l1_address&value=${USER.toLowerCase()}`)
    const whole = recorded('account-cross-ETH-long')
    expect(JSON.stringify(body.accounts)).toBe(JSON.stringify(whole.accounts))
    expect(Object.keys(body)).toEqual(Object.keys(whole))
  })

  test('a main account and a sub-account that was never used', async () => {
    await using venue = await startLighter()
    venue.older()
    venue.account(USER, 4_087.486845).sub()
    const { accounts } = (await get(venue, `account?by=l1_address&value=${USER}`)).body
    const [main, sub] = recorded('accounts-two-subaccounts-empty').accounts
    expect(accounts[1]).toEqual(sub)
    // ccxt left positions out, which its sums show.
    const sums = ['available_balance', 'total_asset_value', 'cross_asset_value']
    for (const key of sums) main[key] = accounts[0][key]
    expect(accounts[0]).toEqual(main)
  })

  test('markets', async () => {
    await using venue = await startLighter()
    venue.older()
    const { body } = await get(venue, 'orderBookDetails?market_id=0')
    const whole = recorded('orderBookDetails-ETH')
    expect(shapeOf(body)).toEqual(shapeOf(whole))
    const [ours, theirs] = [body.order_book_details[0], whole.order_book_details[0]]
    const moving = /^(?:daily_|open_interest)/
    const fixed = (one: Json) => Object.entries(one).filter(([key]) => !moving.test(key))
    expect(fixed(ours)).toEqual(fixed(theirs))
  })
})

describe('newer bodies', () => {
  test('an account has its requirements, and a position what it paid', async () => {
    await using venue = await startLighter()
    const { index } = lived(venue)
    const fresh = await accountAt(venue, index)
    expect(fresh).toMatchObject({
      cross_initial_margin_requirement: '2715.328317',
      cross_maintenance_margin_requirement: '651.678796',
    })
    expect(fresh.positions[0]).not.toHaveProperty('total_funding_paid_out')
    venue.funds('ETH', 0.01)
    const [paid] = (await accountAt(venue, index)).positions
    expect(paid).toMatchObject({ total_funding_paid_out: '5.430657', total_discount: '0.000000' })
  })

  test('markets have both prices, those of spot a list of their own, and one is over', async () => {
    await using venue = await startLighter()
    const { order_book_details: perps, spot_order_book_details: spot } = (
      await get(venue, 'orderBookDetails')
    ).body
    expect(perps[0]).toMatchObject({ symbol: 'ETH', mark_price: '3550.69', index_price: '3550.69' })
    expect(perps.at(-1)).toMatchObject({ symbol: 'MKR', market_id: 8, status: 'inactive' })
    expect(spot.map(({ market_id, symbol }: Json) => [market_id, symbol])).toEqual([
      [2_048, 'ETH'],
      [2_049, 'LIT'],
    ])
    expect((await get(venue, 'orderBookDetails?filter=perp')).body.spot_order_book_details).toEqual([])
    venue.older()
    expect((await get(venue, 'orderBookDetails')).body.order_book_details).toHaveLength(11)
  })
})

test('a position that was closed stays listed, and active_only leaves it out', async () => {
  await using venue = await startLighter()
  const user = venue.account(USER, 1_000)
  user.trades('SOL', 10)
  user.closes('SOL', 10, { at: 165 })
  const [closed] = (await accountAt(venue, user.index)).positions
  expect(closed).toMatchObject({ position: '0.000', avg_entry_price: '0.000', realized_pnl: '26.000000' })
  const active = await get(venue, `account?by=index&value=${user.index}&active_only=true`)
  expect(active.body.accounts[0].positions).toEqual([])
})

test('which accounts an address has', async () => {
  await using venue = await startLighter()
  const user = venue.account(USER, 10)
  for (let n = 0; n < 19; n++) user.sub()
  const { body } = await get(venue, `accountsByL1Address?l1_address=${USER.toLowerCase()}`)
  expect(body).toMatchObject({ code: 200, l1_address: USER })
  expect(body.sub_accounts).toHaveLength(20)
  expect(body.sub_accounts[0]).toMatchObject({ account_type: 0, index: 1_077, collateral: '10.000000' })
  expect(body.sub_accounts[19]).toMatchObject({ account_type: 1, index: 281_474_976_710_570 })
})

test('more accounts than one answer has are behind its cursor', async () => {
  await using venue = await startLighter()
  const user = venue.account(USER, 10)
  for (let n = 0; n < 4; n++) user.sub()
  venue.pages(2)
  const asked = `account?by=l1_address&value=${USER}`
  const lengths: number[] = []
  for (let cursor = '0'; cursor !== undefined;) {
    const { body } = await get(venue, `${asked}&cursor=${cursor}`)
    lengths.push(body.accounts.length)
    cursor = body.next_cursor
  }
  expect(lengths).toEqual([2, 2, 1])
})

test('funding: its history in per cent and the side that pays, and rates of eight hours of several venues', async () => {
  await using venue = await startLighter({ clock: handClock() })
  venue.funds('ETH', 0.01)
  venue.funds('ETH', -0.02)
  const noon = NOON / 1_000
  const fundings = async (from: number, to: number, most: number) => {
    const span = `start_timestamp=${from}&end_timestamp=${to}&count_back=${most}`
    return (await get(venue, `fundings?market_id=0&resolution=1h&${span}`)).body.fundings
  }
  expect(await fundings(noon, noon, 5)).toMatchObject([
    { timestamp: noon, rate: '0.0100', direction: 'long' },
    { timestamp: noon, rate: '0.0200', direction: 'short' },
  ])
  expect(await fundings(noon, noon, 1)).toMatchObject([{ rate: '0.0200' }])
  expect(await fundings(0, noon - 1, 5)).toEqual([])
  expect(await fundings(noon + 1, noon * 2, 5)).toEqual([])
  const rates: Json[] = (await get(venue, 'funding-rates')).body.funding_rates
  const eth = rates.filter(({ symbol }) => symbol === 'ETH')
  expect(eth.map(({ exchange }) => exchange)).toEqual(['binance', 'lighter'])
  expect(eth[1].rate).toBeCloseTo(-0.0016, 12)
})

test.each([
  ['account?by=index&value=5', 400, 21_100],
  [`account?by=l1_address&value=${USER}`, 400, 21_100],
  [`accountsByL1Address?l1_address=${USER}`, 400, 21_100],
  ['account?by=name&value=5', 400, 20_001],
  ['account?by=index', 400, 20_001],
  ['orderBookDetails?market_id=99', 400, 20_001],
  ['orderBookDetails?filter=some', 400, 20_001],
  ['fundings?market_id=0', 400, 20_001],
  ['liquidations', 404, 404],
])('nobody can ask %s: %i with %i', async (path, status, code) => {
  await using venue = await startLighter()
  const answer = await get(venue, path)
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual({ code, message: expect.any(String) })
})

describe('figures', () => {
  test('are numbers or texts wherever they are', async () => {
    await using venue = await startLighter()
    const user = lived(venue)
    venue.figures('numbers')
    const [held] = (await accountAt(venue, user.index)).positions
    expect(held).toMatchObject({ position: 18.0193, liquidation_price: 2191.1107231380406, symbol: 'ETH' })
    venue.figures('texts')
    await using socket = await connect(venue)
    socket.subscribe(`account_all/${user.index}`)
    const frame = await socket.takes('subscribed/account_all')
    expect(frame).toMatchObject({ account: '1077', positions: { 0: { sign: '1', position: '18.0193' } } })
    venue.figures('recorded')
    expect((await accountAt(venue, user.index)).positions[0].sign).toBe(1)
  })

  test('and all else is what a test makes of it', async () => {
    await using venue = await startLighter()
    const user = lived(venue)
    venue.rewrites('account', (body) => ({ ...body, accounts: [] }))
    venue.rewrites('account_all', (frame, { value }) => ({ ...frame, rewritten: value }))
    expect((await get(venue, `account?by=index&value=${user.index}`)).body.accounts).toEqual([])
    await using socket = await connect(venue)
    socket.subscribe(`account_all/${user.index}`)
    expect((await socket.takes('subscribed/account_all')).rewritten).toBe('1077')
    venue.rewrites('error', ({ error }) => error)
    socket.subscribe('nothing/1')
    await eventually(() => socket.frames().some((frame) => frame.code === 30_005))
    venue.rewrites('account', null)
    expect((await accountAt(venue, user.index)).index).toBe(1_077)
  })
})
