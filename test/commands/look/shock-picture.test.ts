import { describe, expect, test } from 'vitest'

import type { Move } from '../../../src/chat/argument.ts'
import { firstToFall, pnlOfAll, shocked } from '../../../src/commands/look/shock-lines.ts'
import { ladderPicture } from '../../../src/commands/look/shock-picture.ts'
import { poolsOf } from '../../../src/commands/shared/pools.ts'
import { NOON } from '../../support/clock.ts'
import { aMarket, aPosition, exact } from '../../support/fixtures.ts'

interface Leg {
  symbol: string
  /** Now, and where it is liquidated, in USD. */
  price: number
  liquidation: number | null
  size?: number
  /** The market was not seen. */
  isUnseen?: boolean
}

/** Positions of one wallet: while they are isolated, each is an account of its own. */
function pictureOf(
  legs: readonly Leg[],
  moves: readonly Move[],
  wallet = 'main',
  margin: 'isolated' | 'cross' = 'isolated',
) {
  const held = legs.map(({ symbol, price, liquidation, size = 2, isUnseen = false }) => {
    const market = aMarket({ id: symbol, symbol, price: exact(String(price)) })
    const position = aPosition({
      ...{
        marketId: symbol,
        margin,
        size: exact(String(size)),
        entryPrice: exact(String(price)),
      },
      liquidationPrice: liquidation === null ? null : exact(String(liquidation)),
    })
    return { position, market: isUnseen ? null : market, symbol, wallet }
  })
  const positions = held.map(({ position }) => position)
  const answer = { positions, accounts: [], unusable: [], failedParts: [], totalCount: null }
  const hit = firstToFall(poolsOf(wallet, answer, held).flatMap((pool) => shocked(pool, moves) ?? []))
  const shown = moves.map(({ market, by }) => ({ symbol: market, by }))
  return { hit, picture: ladderPicture(hit, shown, NOON, () => []) }
}

const fall: Move[] = [{ market: null, by: -0.1 }]

describe('the picture of a move', () => {
  test('has the first to be liquidated first, in the colour of how near it is', () => {
    const { picture, hit } = pictureOf(
      [
        { symbol: 'SOL', price: 100, liquidation: 40 },
        { symbol: 'ETH', price: 100, liquidation: 93 },
        { symbol: 'BTC', price: 100, liquidation: 96 },
      ],
      fall,
    )
    expect(picture.accounts.map(({ name, ends, tone }) => [name, typeof ends, tone])).toEqual([
      ['BTC long · main', 'number', 'red'],
      ['ETH long · main', 'number', 'amber'],
      ['SOL long · main', 'string', 'calm'],
    ])
    expect(picture).toMatchObject({ count: 3, liquidated: 2, unknown: 0, common: -0.1 })
    expect(picture.positions).toEqual({ count: 3, value: 600 })
    const pnl = pnlOfAll(hit)
    expect(picture.pnl).toEqual({ before: pnl?.now, after: pnl?.later })
  })

  test('of an account in which not all prices move is as near as one of those that do', () => {
    const legs = [
      { symbol: 'BTC', price: 100, liquidation: 93 },
      { symbol: 'ETH', price: 100, liquidation: 93 },
    ]
    const { picture } = pictureOf(legs, [{ market: 'BTC', by: -0.5 }], 'main', 'cross')
    expect(picture.accounts).toMatchObject([{ name: 'main', tone: 'amber' }])
  })

  test('knows one common move where all that moves moves alike, whatever else was asked for', () => {
    const legs = [{ symbol: 'BTC', price: 100, liquidation: 50 }]
    const moves = [
      { market: 'BTC', by: -0.08 },
      { market: 'ETH', by: -0.12 },
    ]
    expect(pictureOf(legs, moves).picture.common).toBe(-0.08)
    const both = [...legs, { symbol: 'ETH', price: 100, liquidation: 50 }]
    expect(pictureOf(both, moves).picture.common).toBeNull()
  })

  test('does not know the worth of what it did not see', () => {
    const legs = [
      { symbol: 'BTC', price: 100, liquidation: 50 },
      { symbol: 'NEW', price: 100, liquidation: 95, isUnseen: true },
    ]
    const { picture } = pictureOf(legs, fall)
    expect(picture.accounts.map(({ ends }) => ends)).toEqual(['unknown', 'holds'])
    expect(picture).toMatchObject({ unknown: 1, positions: { count: 2, value: null } })
  })

  test('is at 0 past a liquidation price', () => {
    const { picture } = pictureOf([{ symbol: 'BTC', price: 100, liquidation: 101 }], fall)
    expect(picture.accounts).toEqual([{ name: 'BTC long · main', ends: 0, tone: 'red' }])
  })

  test('of very many accounts with long names is small', () => {
    const legs = Array.from({ length: 40 }, (_, at) => ({
      ...{ symbol: `1000000MOGCOIN${at}`, price: 0.012345678912, liquidation: 0.0119 },
      size: 123_456_789.123456,
    }))
    const moves = legs.map(({ symbol }, at) => ({ market: symbol, by: -0.123456789 - at / 1_000 }))
    const { picture } = pictureOf(legs, moves, '🦈'.repeat(24))
    expect(picture).toMatchObject({ count: 40, liquidated: 40, hasMoreMoves: true })
    expect(picture.accounts).toHaveLength(6)
    const sent = { ...picture, wallet: '🦈'.repeat(24), isWhole: false }
    expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThan(2_048)
  })
})
