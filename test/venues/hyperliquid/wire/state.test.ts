import { describe, expect, test } from 'vitest'

import { VenueError } from '../../../../src/venue/venue.ts'
import { readState } from '../../../../src/venues/hyperliquid/wire/state.ts'
import { exact } from '../../../support/fixtures.ts'
import isolated from '../recorded/clearinghouseState-isolated-HYPE-2025-08.json' with { type: 'json' }
import stranger from '../recorded/clearinghouseState-stranger.json' with { type: 'json' }
import { aLeg, aState, OWNER } from '../records.ts'

test('a recorded isolated position arrives in our units', () => {
  const state = readState(isolated.body, OWNER, null)
  expect(state).toMatchObject({
    equity: exact('83.307638'),
    crossEquity: exact('75.781884'),
    crossMaintenance: 0n,
    withdrawable: exact('75.781884'),
    unusable: [],
  })
  expect(state.held).toEqual([
    {
      position: {
        wallet: OWNER,
        accountId: 'main',
        marketId: 'HYPE',
        size: exact('2'),
        entryPrice: exact('37.829'),
        liquidationPrice: exact('35.8559189474'),
        margin: 'isolated',
        leverage: 10,
        fundingUsd: 0n,
        openedAt: null,
        breakEvenPrice: null,
        realisedPnlUsd: null,
      },
      mark: exact('37.826'),
      marginUsed: exact('7.525754'),
      maxLeverage: 10,
      rawUsd: exact('-68.126246'),
    },
  ])
})

test('a recorded stranger has nothing, and that is an answer', () => {
  expect(readState(stranger.body, OWNER, null)).toMatchObject({ held: [], unusable: [], equity: 0n })
})

describe('a position', () => {
  const only = (over: Record<string, unknown>) => readState(aState([aLeg(over)]), OWNER, null)

  test('funding that was paid is what it has cost', () => {
    expect(only({}).held[0]?.position.fundingUsd).toBe(exact('-1.5'))
  })

  test('without a liquidation price has none', () => {
    expect(only({ liquidationPx: null }).held[0]?.position.liquidationPrice).toBeNull()
  })

  test('with a liquidation price far beyond any price has that one', () => {
    expect(only({ liquidationPx: '30759.1' }).held[0]?.position.liquidationPrice).toBe(exact('30759.1'))
  })

  test('short has a size below zero, and its mark is above', () => {
    const [held] = only({ szi: '-4.0' }).held
    expect([held?.position.size, held?.mark]).toEqual([exact('-4'), exact('50')])
  })

  test('of size zero is no position', () => {
    expect(only({ szi: '0.0', positionValue: '0.0', entryPx: null })).toMatchObject({
      held: [],
      unusable: [],
    })
  })

  test.each([
    ['without a size', { szi: 'n/a' }],
    ['without a liquidation price that could be read', { liquidationPx: 'n/a' }],
  ])('%s is told and leaves the others', (_what, over) => {
    const state = readState(aState([aLeg(over), aLeg({ coin: 'BTC' })]), OWNER, null)
    expect(state.held.map(({ position }) => position.marketId)).toEqual(['BTC'])
    expect(state.unusable[0]?.what).toMatch(/^position 1 of 2/)
  })

  test.each([
    ['entryPx', null, { position: { entryPrice: null } }],
    ['entryPx', '0.0', { position: { entryPrice: null } }],
    ['leverage', { type: 'pooled', value: 10 }, { position: { margin: null, leverage: 10 }, rawUsd: null }],
    ['leverage', undefined, { position: { margin: null, leverage: null }, rawUsd: null }],
    ['marginUsed', undefined, { marginUsed: null, position: {} }],
    ['maxLeverage', 'ten', { maxLeverage: null, position: {} }],
    ['cumFunding', 7, { position: { fundingUsd: null } }],
  ])('whose %s is %j is watched without that figure', (name, value, shown) => {
    const { held, unusable } = only({ [name]: value })
    expect(unusable).toEqual([])
    expect(held).toMatchObject([{ ...shown, position: { liquidationPrice: exact('60'), ...shown.position } }])
  })

  test('listed twice is told', () => {
    expect(readState(aState([aLeg(), aLeg()]), OWNER, null).unusable).toHaveLength(1)
  })

  test('of a builder’s book is in its account', () => {
    const [held] = readState(aState([aLeg({ coin: 'xyz:NVDA' })]), OWNER, 'xyz').held
    expect(held?.position).toMatchObject({ accountId: 'xyz', marketId: 'xyz:NVDA' })
  })
})

test('an answer about another book is none', () => {
  expect(() => readState(aState([aLeg()]), OWNER, 'xyz')).toThrow(VenueError)
  expect(() => readState(null, OWNER, null)).toThrow(VenueError)
})
