import { describe, expect, test } from 'vitest'

import { endingsOf } from '../../../src/venues/hyperliquid/endings.ts'
import { readFills } from '../../../src/venues/hyperliquid/wire/fills.ts'
import { exact } from '../../support/fixtures.ts'
import { aFill, OWNER, STRANGER } from './records.ts'
import cut from './recorded/hlp-child-m4-2026-07-19.json' with { type: 'json' }
import liquidated from './recorded/userFills-liquidated-2026-02.json' with { type: 'json' }

const LIQUIDATED = '0xba4d1d35bce0e8f28e5a3403e7a0b996c5d50ac4'
const endings = (fills: unknown[], owner = OWNER) => endingsOf(readFills(fills).fills, owner)
const mark = (user: string) => ({ liquidation: { liquidatedUser: user, markPx: '90.0', method: 'market' } })

test('a recorded liquidation is one, for the wallet that it names', () => {
  expect(endings(liquidated.body, LIQUIDATED)).toEqual([
    {
      accountId: 'main',
      marketId: 'HYPE',
      side: 'long',
      how: 'liquidated',
      price: exact('27.283'),
      realisedPnlUsd: exact('-101.585891'),
      at: 1_771_816_452_802,
    },
  ])
})

test('the same fill in the hands of whoever took the other side is an ordinary close', () => {
  expect(endings(liquidated.body, STRANGER)).toMatchObject([{ how: 'closed' }])
})

test('recorded trades that only make positions smaller or larger end nothing', () => {
  expect(endings(cut.body.fills)).toEqual([])
})

describe('a position', () => {
  test('closed in parts has the price and the result of all of them', () => {
    const first = aFill({ sz: '1.0', px: '100.0', closedPnl: '0.0', time: 1 })
    const second = aFill({ sz: '1.0', px: '90.0', closedPnl: '-10.0', time: 2, startPosition: '1.0' })
    expect(endings([second, first])).toMatchObject([
      { how: 'closed', price: exact('95'), realisedPnlUsd: exact('-10'), at: 2 },
    ])
  })

  test('made smaller long before, and added to since, has those of its own end', () => {
    const smaller = aFill({ sz: '1.0', px: '200.0', time: 1 })
    const larger = aFill({ sz: '1.0', side: 'B', dir: 'Open Long', startPosition: '1.0', time: 2 })
    expect(endings([smaller, larger, aFill({ time: 3 })])).toMatchObject([{ price: exact('90') }])
  })

  test('liquidated in part and then closed by its owner is closed, with what he did himself', () => {
    const part = aFill({ sz: '1.0', px: '50.0', time: 1, ...mark(OWNER) })
    const rest = aFill({ sz: '1.0', px: '60.0', time: 2, startPosition: '1.0' })
    expect(endings([part, rest])).toMatchObject([{ how: 'closed', price: exact('60') }])
  })

  test('that turned round has ended, and the new one has not', () => {
    const turned = aFill({ sz: '5.0', dir: 'Long > Short' })
    expect(endings([turned])).toMatchObject([{ side: 'long', how: 'closed' }])
  })

  test('short ends with a purchase', () => {
    const bought = aFill({ side: 'B', startPosition: '-2.0', dir: 'Close Short' })
    expect(endings([bought])).toMatchObject([{ side: 'short' }])
  })

  test('that the venue settled is settled', () => {
    expect(endings([aFill({ dir: 'Settlement' })])).toMatchObject([{ how: 'settled' }])
  })

  test('of a builder’s book ends in its account', () => {
    expect(endings([aFill({ coin: 'xyz:NVDA' })])).toMatchObject([{ accountId: 'xyz', marketId: 'xyz:NVDA' }])
  })

  test('is liquidated whatever case its owner is written in', () => {
    expect(endings([aFill(mark(OWNER.toUpperCase().replace('0X', '0x')))])).toMatchObject([
      { how: 'liquidated' },
    ])
  })
})
