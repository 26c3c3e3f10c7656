import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { closeRecordsOf } from '../../../../src/venues/hyperliquid/rules/close-records.ts'
import { readFills } from '../../../../src/venues/hyperliquid/wire/fills.ts'
import { exact } from '../../../support/fixtures.ts'
import cut from '../recorded/hlp-child-m4-2026-07-19.json' with { type: 'json' }
import liquidated from '../recorded/userFills-liquidated-2026-02.json' with { type: 'json' }
import { aFill, OWNER, STRANGER } from '../records.ts'

const LIQUIDATED = '0xba4d1d35bce0e8f28e5a3403e7a0b996c5d50ac4'
const closeRecords = (fills: unknown[], wallet = OWNER) => closeRecordsOf(readFills(fills).fills, wallet)
const mark = (user: string) => ({ liquidation: { liquidatedUser: user, markPx: '90.0', method: 'market' } })

test('a recorded liquidation is one, for the wallet that it names', () => {
  expect(closeRecords(liquidated.body, LIQUIDATED)).toEqual([
    {
      accountId: 'main',
      marketId: 'HYPE',
      side: 'long',
      how: 'liquidated',
      size: exact('7.27'),
      price: exact('27.283'),
      realisedPnlUsd: exact('-101.585891'),
      feesUsd: exact('0.085686'),
      at: 1_771_816_452_802,
    },
  ])
})

test('the same fill in the hands of whoever took the other side is an ordinary close', () => {
  expect(closeRecords(liquidated.body, STRANGER)).toMatchObject([{ how: 'closed' }])
})

test.each([
  ['backstop', OWNER, true],
  ['market', OWNER, undefined],
  ['backstop', STRANGER, undefined],
])('a liquidation by the %s of %s keeps the margin that is left: %s', (method, user, keptMargin) => {
  const fill = aFill({ liquidation: { liquidatedUser: user, markPx: '90.0', method } })
  expect(closeRecords([fill])[0]?.keptMargin).toBe(keptMargin)
})

test('recorded trades that only make positions smaller or larger end nothing', () => {
  expect(closeRecords(cut.body.fills)).toEqual([])
})

describe('a position', () => {
  test('closed in parts has the price and the result of all of them', () => {
    const first = aFill({ sz: '1.0', px: '100.0', closedPnl: '0.0', time: 1 })
    const second = aFill({ sz: '1.0', px: '90.0', closedPnl: '-10.0', time: 2, startPosition: '1.0' })
    expect(closeRecords([second, first])).toMatchObject([
      { how: 'closed', price: exact('95'), realisedPnlUsd: exact('-10'), at: 2 },
    ])
  })

  test.each([
    ['all that its trades cost', ['0.3', '0.2'], {}, exact('0.5')],
    ['what was paid back', ['-0.3', '0.1'], {}, exact('-0.2')],
    ['dollars of another name', ['0.3', '0.2'], { feeToken: 'USDH' }, exact('0.5')],
    ['no fees where one of them is not said', ['0.3', null], {}, null],
    ['no fees that are no dollars', ['0.3', '0.2'], { feeToken: 'HYPE' }, null],
  ])('has as its fees %s', (_what, [one, two], over, feesUsd) => {
    const first = aFill({ sz: '1.0', time: 1, fee: one })
    const second = aFill({ sz: '1.0', time: 2, startPosition: '1.0', fee: two, ...over })
    expect(closeRecords([first, second])).toMatchObject([{ feesUsd }])
  })

  test('closed in parts has those of its last trades alone as well', () => {
    const parts = ['3.0', '2.0', '1.0'].map((startPosition, place) =>
      aFill({
        sz: '1.0',
        px: `${90 + place}.0`,
        closedPnl: `-${place}.0`,
        fee: '0.1',
        startPosition,
        tid: place,
      }),
    )
    expect(closeRecords(parts)).toMatchObject([
      {
        ...{ size: exact('3'), price: exact('91') },
        later: [
          { size: exact('2'), price: exact('91.5'), realisedPnlUsd: exact('-3'), feesUsd: exact('0.2') },
          { size: exact('1'), price: exact('92'), realisedPnlUsd: exact('-2'), feesUsd: exact('0.1') },
        ],
      },
    ])
  })

  test('made smaller long before, and added to since, has those of its own end', () => {
    const smaller = aFill({ sz: '1.0', px: '200.0', time: 1 })
    const larger = aFill({ sz: '1.0', side: 'B', dir: 'Open Long', startPosition: '1.0', time: 2 })
    expect(closeRecords([smaller, larger, aFill({ time: 3 })])).toMatchObject([{ price: exact('90') }])
  })

  test('liquidated in part and then closed by its owner is closed, with what he did himself', () => {
    const part = aFill({ sz: '1.0', px: '50.0', time: 1, ...mark(OWNER) })
    const rest = aFill({ sz: '1.0', px: '60.0', time: 2, startPosition: '1.0' })
    expect(closeRecords([part, rest])).toMatchObject([{ how: 'closed', price: exact('60') }])
  })

  test('that turned round has ended, and the new one has not', () => {
    const turned = aFill({ sz: '5.0', dir: 'Long > Short' })
    expect(closeRecords([turned])).toMatchObject([
      // Of the fee of 0.1 two fifths: with the rest of the trade the other one was opened.
      { side: 'long', how: 'closed', size: exact('2'), feesUsd: exact('0.04') },
    ])
  })

  test('short ends with a purchase', () => {
    const bought = aFill({ side: 'B', startPosition: '-2.0', dir: 'Close Short' })
    expect(closeRecords([bought])).toMatchObject([{ side: 'short' }])
  })

  test('that the venue settled is settled', () => {
    expect(closeRecords([aFill({ dir: 'Settlement' })])).toMatchObject([{ how: 'settled' }])
  })

  test('of a builder’s book ends in its account', () => {
    expect(closeRecords([aFill({ coin: 'xyz:NVDA' })])).toMatchObject([
      { accountId: 'xyz', marketId: 'xyz:NVDA' },
    ])
  })

  test('is liquidated whatever case its owner is written in', () => {
    expect(closeRecords([aFill(mark(OWNER.toUpperCase().replace('0X', '0x')))])).toMatchObject([
      { how: 'liquidated' },
    ])
  })

  test('opened again has not ended, whatever its earlier life came to', () => {
    const again = aFill({ side: 'B', dir: 'Open Long', startPosition: '0.0', time: 2 })
    expect(closeRecords([aFill({ time: 1, ...mark(OWNER) }), again])).toEqual([])
    expect(closeRecords([aFill({ time: 1, ...mark(OWNER) }), again, aFill({ time: 3 })])).toMatchObject([
      { how: 'closed', at: 3 },
    ])
  })

  test('closed and opened the other way round has ended, and so has the other when it did', () => {
    const other = aFill({ dir: 'Open Short', startPosition: '0.0', time: 2 })
    const bought = aFill({ side: 'B', startPosition: '-2.0', dir: 'Close Short', time: 3, ...mark(OWNER) })
    expect(closeRecords([aFill({ time: 1 }), other, bought])).toMatchObject([
      { side: 'long', how: 'closed', at: 1 },
      { side: 'short', how: 'liquidated', at: 3 },
    ])
  })

  test('closed in one block is put together by where each trade begins, however they are listed', () => {
    const parts = ['3.0', '2.0', '1.0'].map((startPosition, place) =>
      aFill({ sz: '1.0', px: `${90 + place}.0`, closedPnl: '-1.0', startPosition, tid: place }),
    )
    for (const listed of [parts, parts.toReversed(), [1, 2, 0].map((place) => parts[place])])
      expect(closeRecords(listed)).toMatchObject([
        { size: exact('3'), price: exact('91'), realisedPnlUsd: exact('-3') },
      ])
  })

  test('ended in a word of the venue’s that is new is told as that, and not guessed', () => {
    expect(closeRecords([aFill({ dir: 'Some New Word' })])).toMatchObject([{ how: 'unknown' }])
  })
})

/** Trades of one market in whole units, a second apart, and the position after each. */
function traded(sizes: readonly number[]) {
  let position = 0
  return sizes.map((size, second) => {
    const before = position
    position += size
    const fill = aFill({
      ...{ sz: `${Math.abs(size)}.0`, side: size > 0 ? 'B' : 'A', startPosition: `${before}.0` },
      ...{ time: second, tid: second },
    })
    return { fill, before, after: position, second }
  })
}

const sizes = fc.array(
  fc.integer({ min: -3, max: 3 }).filter((size) => size !== 0),
  { maxLength: 30 },
)

test('whatever was traded, and however it is listed, each side has its last end, unless it is open', () => {
  fc.assert(
    fc.property(sizes, fc.infiniteStream(fc.nat()), (all, chance) => {
      const trades = traded(all)
      const ends = (sign: number) => {
        const end = trades.findLast(
          ({ before, after }) => Math.sign(before) === sign && Math.sign(after) !== sign,
        )
        const open = trades.at(-1)?.after ?? 0
        return end && Math.sign(open) !== sign ? [{ side: sign > 0 ? 'long' : 'short', at: end.second }] : []
      }
      const fills = [...trades, ...trades.slice(0, 3)].map(({ fill }) => ({ fill, by: chance.next().value }))
      const shuffled = fills.toSorted((a, b) => a.by - b.by).map(({ fill }) => fill)
      const owed = [...ends(1), ...ends(-1)].toSorted((a, b) => a.at - b.at)
      expect(closeRecords(shuffled).map(({ side, at }) => ({ side, at }))).toEqual(owed)
    }),
  )
})

test('whatever was traded, what an end sums up is what the position was reduced by since it last grew', () => {
  fc.assert(
    fc.property(sizes, (all) => {
      const trades = traded(all)
      for (const { side, size, at } of closeRecords(trades.map(({ fill }) => fill))) {
        const run = trades.slice(0, at + 1)
        const grew = run.findLastIndex(({ before, after }) =>
          side === 'long' ? after > Math.max(before, 0) : after < Math.min(before, 0),
        )
        expect(size).toBe(exact(`${Math.abs(run[grew]?.after ?? 0)}`))
      }
    }),
  )
})
