import { describe, expect, test } from 'vitest'

import { readFrame } from '../../../../src/venues/lighter/wire/frames.ts'
import { readTrades } from '../../../../src/venues/lighter/wire/trades.ts'
import { exact } from '../../../support/fixtures.ts'
import account from '../recorded/account-cross-ETH-long.json' with { type: 'json' }

const [position] = account.body.accounts[0]?.positions ?? []
const read = (frame: unknown) => readFrame(JSON.stringify(frame))
const about = (type: string, more: object) => ({ type, channel: 'account_all:1077', ...more })

describe('an account', () => {
  test.each([
    ['subscribed/account_all', true],
    ['update/account_all', false],
    ['update/account', false],
  ])('of %s is whole: %s', (type, whole) => {
    const frame = read(about(type, { positions: { 0: position }, trades: {} }))
    expect(frame).toMatchObject({ is: 'account', account: '1077', whole, trades: [] })
    expect(frame.is === 'account' && frame.held.open.map(({ symbol }) => symbol)).toEqual(['ETH'])
  })

  test('may have its positions as a list, or none of them in an update', () => {
    expect(read(about('update/account_all', { positions: [position] }))).toMatchObject({
      held: { open: [{ marketId: '0' }] },
    })
    expect(read(about('update/account_all', {}))).toMatchObject({ held: { open: [], closed: [] } })
  })

  test.each([
    ['without positions at the beginning', about('subscribed/account_all', {})],
    ['with positions that are none', about('update/account_all', { positions: 'none' })],
  ])('%s cannot be read, and is named', (_, frame) => {
    expect(read(frame)).toMatchObject({
      ...{ is: 'unreadable', account: '1077', channel: 'account_all/1077' },
    })
  })
})

describe('figures', () => {
  const figures = (stats: object) => read({ type: 'update/user_stats', channel: 'user_stats:7', stats })

  test('are split into cross and total', () => {
    const cross = { portfolio_value: '90.5', available_balance: '40' }
    const frame = figures({ portfolio_value: '1', cross_stats: cross, total_stats: { portfolio_value: 100 } })
    expect(frame).toMatchObject({
      ...{ is: 'figures', account: '7', whole: false },
      figures: { equity: exact('100'), crossEquity: exact('90.5'), available: exact('40') },
    })
  })

  test('without the split say nothing of the cross margin', () => {
    expect(figures({ portfolio_value: '100' })).toMatchObject({
      figures: { equity: exact('100'), crossEquity: null, crossMaintenance: null },
    })
  })

  test('that are missing cannot be read', () => {
    expect(read({ type: 'update/user_stats', channel: 'user_stats:7' })).toMatchObject({ is: 'unreadable' })
  })
})

describe('markets', () => {
  const eth = {
    ...{ market_id: 0, mark_price: '3013.91', index_price: '3015.56', current_funding_rate: '0.0012' },
  }
  const markets = (stats: object) =>
    read({ type: 'update/market_stats', channel: 'market_stats:all', market_stats: stats })

  test('have their rate in per cent of an hour', () => {
    const stat = { id: '0', mark: exact('3013.91'), index: exact('3015.56'), ratePerHour: exact('0.000012') }
    expect(markets({ 0: eth })).toMatchObject({ is: 'markets', whole: false, read: { stats: [stat] } })
  })

  test('may be a single one', () => {
    expect(markets(eth)).toMatchObject({ read: { stats: [{ id: '0' }], unusable: [] } })
  })

  test('without a price are unusable, and spot is left out', () => {
    expect(markets({ 0: { ...eth, mark_price: '0' }, 2_048: { ...eth, market_id: 2_048 } })).toMatchObject({
      read: { stats: [], unusable: [{ what: 'market 0' }] },
    })
  })

  test('take the last payment where no estimate is sent', () => {
    const { current_funding_rate: rate, ...rest } = eth
    expect(markets({ 0: { ...rest, funding_rate: rate } })).toMatchObject({
      read: { stats: [{ ratePerHour: exact('0.000012') }] },
    })
  })
})

test.each([
  [{ type: 'ping' }, { is: 'ping' }],
  [{ type: 'pong' }, { is: 'pong' }],
  [{ type: 'connected', session_id: 'x' }, { is: 'other' }],
  [{ type: 'update/height', channel: 'height', height: 1 }, { is: 'other' }],
  [
    { type: 'unsubscribed', channel: 'account_all:7' },
    { is: 'unsubscribed', channel: 'account_all/7' },
  ],
  [{ error: { code: 23_001, message: 'Too Many Subscriptions!' } }, { is: 'error', code: 23_001 }],
  [
    { code: 30_009, message: 'Too Many Websocket Messages!' },
    { is: 'error', code: 30_009 },
  ],
  [
    { type: 'error', message: 'no' },
    { is: 'error', code: null, text: 'no' },
  ],
])('%j', (sent, frame) => {
  expect(read(sent)).toMatchObject(frame)
})

test.each(['{"type":"upd', '<html>', '7', '{"type":"update/account_all","channel":"account_all:me"}'])(
  'nobody knows whom “%s” is about',
  (text) => {
    expect(() => readFrame(text)).toThrow('cannot be used')
  },
)

describe('a trade', () => {
  // As a public client shows it, with the accounts of nobody.
  const sent = {
    ...{ trade_id: 526_801_155, type: 'trade', market_id: 0, size: '0.0346', price: '3028.85' },
    ...{ ask_account_id: 5, bid_account_id: 6, is_maker_ask: false, timestamp: 1_763_623_734_215 },
    ...{ taker_position_size_before: '0.0346', taker_entry_quote_before: '104.359926' },
    ...{ taker_position_sign_changed: true, maker_fee: 20, maker_position_size_before: '-2.1277' },
    maker_entry_quote_before: '6444.179555',
  }

  test('is seen from each side', () => {
    const [taker] = readTrades({ 0: [sent] }, '5')
    expect(taker).toMatchObject({ id: 526_801_155, side: 'sell', isMaker: false, fee: 0n })
    expect(taker?.before).toMatchObject({ size: exact('0.0346'), turned: true })
    const [maker] = readTrades([sent], '6')
    expect(maker).toMatchObject({ side: 'buy', isMaker: true, fee: exact('0.00002') })
    expect(maker?.before).toMatchObject({ size: exact('-2.1277'), turned: false })
  })

  test.each([
    ['of others', sent, '7'],
    ['with oneself', { ...sent, bid_account_id: 5 }, '5'],
    ['of spot', { ...sent, market_id: 2_049 }, '5'],
    ['without a size', { ...sent, size: '' }, '5'],
  ])('%s is none', (_, trade, whose) => {
    expect(readTrades([trade], whose)).toEqual([])
  })

  test('in seconds is of the same moment', () => {
    expect(readTrades([{ ...sent, timestamp: 1_763_623_734 }], '5')[0]?.at).toBe(1_763_623_734_000)
  })

  test.each([undefined, null, 'none', 7, {}])('in %j is none', (trades) => {
    expect(readTrades(trades, '5')).toEqual([])
  })
})
