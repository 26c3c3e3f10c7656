import { expect, test } from 'vitest'

import { handClock, NOON } from '../clock.ts'
import { info, type Json } from './client.ts'
import { type Hyperliquid, startHyperliquid } from './server.ts'

const USER = '0x31ca8395cf837de08b24da3f660e77761dfb974b'
const OTHER = '0x51ab000000000000000000000000000000000001'
const VAULT = `0x${'c'.repeat(40)}`
const UBTC = 197

async function opened(): Promise<Hyperliquid & { clock: ReturnType<typeof handClock> }> {
  const clock = handClock()
  return { ...(await startHyperliquid({ clock })), clock }
}

const ledgerOf = (venue: Hyperliquid, user: string, more: object = {}): Promise<Json[]> =>
  info(venue, { type: 'userNonFundingLedgerUpdates', user, startTime: 0, ...more })

test('each way of moving money has a row, and so has who receives it', async () => {
  await using venue = await opened()
  const user = venue.account(USER, { usd: 10_000 })
  const other = venue.account(OTHER, { role: { role: 'subAccount', data: { master: USER } } })
  user.deposits(-101)
  user.gives(other, 5, 1)
  user.sends(user, 50, '', 'spot')
  user.shifts(20)
  user.shifts(-30)
  user.funds(other, 7)
  user.funds(other, -2)
  user.invests(VAULT, 100)
  user.divests(VAULT, 60, 1)
  user.owns('UBTC', UBTC, 1)
  user.hands(other, UBTC, 0.5, 33_000)
  user.claims(3)
  expect((await ledgerOf(venue, USER)).map(({ delta }) => [delta.type, delta.usdc ?? delta.amount])).toEqual([
    ['deposit', '10000.0'],
    ['withdraw', '100.0'],
    ['internalTransfer', '5.0'],
    ['send', '50.0'],
    ['accountClassTransfer', '20.0'],
    ['accountClassTransfer', '30.0'],
    ['subAccountTransfer', '7.0'],
    ['subAccountTransfer', '2.0'],
    ['vaultDeposit', '100.0'],
    ['vaultWithdraw', undefined],
    ['spotTransfer', '0.5'],
    ['rewardsClaim', '3.0'],
  ])
  expect((await ledgerOf(venue, OTHER)).map(({ delta }) => delta.type)).toEqual([
    'internalTransfer',
    'subAccountTransfer',
    'subAccountTransfer',
    'spotTransfer',
  ])
  const cash = [...user.state.crossUsd.values()].reduce((sum, usd) => sum + usd, 0)
  expect(cash).toBe(10_000 - 101 - 6 - 50 + 20 - 30 - 5 - 100 + 59)
  expect(user.state.spot.get(0)?.free).toBe(50 - 20 + 30 + 3)
  expect(other.state.spot.get(UBTC)?.free).toBe(0.5)
})

test('a liquidation has a row that moves nothing: its fills do', async () => {
  await using venue = await opened()
  const user = venue.account(USER, { usd: 1_000 })
  const { market } = user.trades('BTC', 0.1, { leverage: 20 })
  venue.moves({ BTC: market.mark * 0.8 })
  const rows = await ledgerOf(venue, USER)
  expect(rows.map(({ delta }) => delta.type)).toEqual(['deposit', 'liquidation'])
  expect(rows[1].delta.liquidatedPositions).toEqual([{ coin: 'BTC', szi: '0.1' }])
})

test('an answer has the oldest 500 rows of its time, both ends included, and weighs one more for 20', async () => {
  await using venue = await opened()
  const user = venue.account(USER)
  for (let n = 0; n < 600; n++) {
    user.deposits(1 + n)
    await venue.clock.advance(1)
  }
  const before = venue.weight()
  const first = await ledgerOf(venue, USER)
  expect(first.map(({ delta }) => Number(delta.usdc))).toEqual(Array.from({ length: 500 }, (_, n) => 1 + n))
  expect(venue.weight() - before).toBe(20 + 25)
  const rest = await ledgerOf(venue, USER, { startTime: first[499].time, endTime: NOON + 510 })
  expect(rest.map(({ delta }) => Number(delta.usdc))).toEqual(Array.from({ length: 12 }, (_, n) => 500 + n))
})

test('of the fills only the newest 10,000 are there', async () => {
  await using venue = await opened()
  const user = venue.account(USER, { usd: 1_000 })
  for (let n = 0; n < 10_002; n++) user.swaps('@107', 1, 1 + n)
  const fills: Json[] = await info(venue, { type: 'userFillsByTime', user: USER, startTime: 0 })
  expect(fills).toHaveLength(2_000)
  expect(fills[0].px).toBe('3.0')
})
