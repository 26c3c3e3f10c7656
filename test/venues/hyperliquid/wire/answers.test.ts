import { describe, expect, test } from 'vitest'

import { VenueError } from '../../../../src/venue/venue.ts'
import { readRole } from '../../../../src/venues/hyperliquid/info.ts'
import { readListedDexes } from '../../../../src/venues/hyperliquid/wire/dexes.ts'
import { readFills } from '../../../../src/venues/hyperliquid/wire/fills.ts'
import { readMode, readSpot } from '../../../../src/venues/hyperliquid/wire/spot.ts'
import { readChosen, readDepth, readTakerFee } from '../../../../src/venues/hyperliquid/wire/trading.ts'
import { exact } from '../../../support/fixtures.ts'
import chosen from '../recorded/activeAssetData-testnet.json' with { type: 'json' }
import fills from '../recorded/hlp-child-m4-2026-07-19.json' with { type: 'json' }
import btc from '../recorded/l2Book-BTC-2026-09-25.json' with { type: 'json' }
import dydx from '../recorded/l2Book-DYDX-2023.json' with { type: 'json' }
import dexes from '../recorded/perpDexs-2025-12-13.json' with { type: 'json' }
import spot from '../recorded/spotClearinghouseState-testnet.json' with { type: 'json' }
import portfolio from '../recorded/subAccounts2-portfolioMargin-2026-07.json' with { type: 'json' }
import role from '../recorded/userRole-2025.json' with { type: 'json' }
import { aFill, OWNER } from '../records.ts'

test('the recorded books of builders have their names and what they add to fees', () => {
  expect(readListedDexes(dexes.body)).toEqual(
    ['xyz', 'flx', 'vntl', 'hyna'].map((name) => ({ name, feeScale: exact('1') })),
  )
})

describe('spot', () => {
  test('recorded balances are by token', () => {
    const read = readSpot(spot.body)
    expect(read.totals.get(0)).toBe(exact('19.9969993'))
    expect([read.lentAgainst, read.portfolioRatio]).toEqual([[], null])
  })

  test('those of a recorded portfolio account say what is left beyond maintenance', () => {
    const read = readSpot(portfolio.body[0]?.spotState)
    expect(read.afterMaintenance.get(0)).toBe(exact('870.98516812'))
    expect(read.portfolioRatio).toBe(exact('0.025841686'))
  })

  test.each([
    ['default', 'single'],
    ['disabled', 'single'],
    ['dexAbstraction', 'single'],
    ['unifiedAccount', 'unified'],
    ['portfolioMargin', 'portfolio'],
  ])('the mode %s is %s', (word, mode) => {
    expect(readMode(word)).toBe(mode)
  })

  test('a mode that we do not know is none of those', () => {
    expect(() => readMode('newMode')).toThrow(VenueError)
  })
})

describe('who an address is', () => {
  test('a recorded vault holds positions as a wallet does', () => {
    expect(readRole(role.body)).toEqual({ is: 'holder' })
  })

  test.each([
    ['a user', { role: 'user' }, { is: 'holder' }],
    ['a sub-account', { role: 'subAccount', data: { master: OWNER } }, { is: 'holder' }],
    ['an agent', { role: 'agent', data: { user: OWNER.toLowerCase() } }, { is: 'agent', of: OWNER }],
    ['nobody', { role: 'missing' }, { is: 'unknown' }],
  ])('%s', (_what, body, identified) => {
    expect(readRole(body)).toEqual(identified)
  })

  test.each([[{ role: 'agent', data: { user: 'me' } }], [{ role: 'king' }], [null]])(
    '%j is none of them',
    (body) => {
      expect(() => readRole(body)).toThrow(VenueError)
    },
  )
})

describe('what a preview is made of', () => {
  test('recorded order books have buyers below sellers, the best first', () => {
    for (const { body } of [btc, dydx]) {
      const { bids, asks } = readDepth(body)
      expect(bids[0]?.price ?? 0n).toBeLessThan(asks[0]?.price ?? 0n)
      expect(bids.map(({ price }) => price)).toEqual(bids.map(({ price }) => price).toSorted(downwards))
    }
    expect(readDepth(btc.body).asks[0]).toEqual({ price: exact('83768.0'), size: exact('0.30543') })
  })

  test('the recorded choices for a market', () => {
    expect(readChosen(chosen.body)).toEqual({
      margin: 'cross',
      leverage: 10,
      mostToBuy: exact('72.42'),
      mostToSell: exact('72.42'),
    })
  })

  test('the rate of whoever takes', () => {
    const body = { userCrossRate: '0.00045', userAddRate: '0.00015', activeReferralDiscount: '0.04' }
    expect(readTakerFee(body)).toEqual({ rate: exact('0.00045'), discount: exact('0.04') })
  })
})

test('recorded fills come in the order of time, without those of spot', () => {
  const read = readFills([...fills.body.fills.toReversed(), aFill({ coin: '@107' })])
  expect(read.sent).toBe(fills.body.fills.length + 1)
  expect(read.fills.map(({ time }) => time)).toEqual(
    fills.body.fills.map(({ time }) => time).toSorted((a, b) => a - b),
  )
})

function downwards(a: bigint, b: bigint): number {
  return a > b ? -1 : 1
}
