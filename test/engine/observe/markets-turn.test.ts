import { describe, expect, test } from 'vitest'

import { kinds } from '../../../src/alerts/index.ts'
import { apply } from '../../../src/engine/memory/apply.ts'
import { priceOf } from '../../../src/engine/memory/markets.ts'
import { marketsTurn } from '../../../src/engine/observe/markets-turn.ts'
import type { Market } from '../../../src/venue/market.ts'
import { desk, titleOf } from '../../support/engine.ts'
import { aDraft, ALICE, aMarket, aPosition, aRule, exact } from '../../support/fixtures.ts'

describe('whatever a venue calls its market', () => {
  test.each(['BTC/USD', 'xyz:NVDA', 'a|b', '%2F', '100', 'ünï 🐟', 'market/1'])(
    '“%s” is judged on every tick',
    (id) => {
      const flip = aRule({
        id: 8,
        kind: 'funding-flip',
        params: { band: 0.00005 },
        market: { id, symbol: 'ODD' },
      })
      const liq = aRule({ market: { id, symbol: 'ODD' } })
      const market = (price: string, rate = '0.0005') =>
        aMarket({ id, symbol: 'ODD', price: exact(price), fundingRatePerDay: exact(rate) })
      const { prices, reads } = desk({ rules: [liq, flip] })
      prices(market('3000'))
      reads([aPosition({ marketId: id })])
      expect(prices(market('2190')).map(titleOf)).toEqual([expect.stringMatching(/^ODD long: 8.7%/)])
      expect(prices(market('2190'))).toEqual([])
      expect(prices(market('2190', '-0.0005')).map(titleOf)).toEqual([
        expect.stringMatching(/^ODD funding flipped/),
      ])
      expect(prices(market('2900', '-0.0005')).map(titleOf)).toEqual([
        expect.stringMatching(/^ODD long is safe again/),
      ])
    },
  )
})

test('of a wallet that is dark what gets worse is told, and nothing is over before it is read', () => {
  const { memory, prices, reads } = desk({ rules: [aRule()] })
  const at = (price: string) => prices(aMarket({ price: exact(price) })).map(titleOf)
  at('3000')
  reads([aPosition()])
  apply(memory, [{ is: 'outage', source: `owner/${ALICE}`, since: 0, why: '' }])
  expect(at('2190')).toEqual([expect.stringMatching(/^ETH long: 8.7%/)])
  expect(at('2060')).toEqual([expect.stringMatching(/^ETH long: 2.9%/)])
  expect(at('3000')).toEqual([])
  expect(reads([aPosition()]).map(titleOf)).toEqual([expect.stringMatching(/^ETH long is safe again/)])
})

test('of a wallet that is dark what passes a line that was set meanwhile is told', () => {
  const { memory, prices, reads, changes } = desk({ rules: [aRule({ params: { tiers: [0.2, 0.1] } })] })
  const at = (price: string) => prices(aMarket({ price: exact(price) })).map(titleOf)
  at('2400')
  expect(reads([aPosition()]).map(titleOf)).toEqual([expect.stringMatching(/^ETH long: 16.7%/)])
  apply(memory, [{ is: 'outage', source: `owner/${ALICE}`, since: 0, why: '' }])
  changes({ is: 'rule', personId: 1, chatId: 1, draft: aDraft({ params: { tiers: [0.15, 0.07] } }) })
  expect(at('2390')).toEqual([])
  expect(at('2330')).toEqual([expect.stringMatching(/^ETH long: 14.2%/)])
})

test('a list that is no newer than the last one changes nothing', () => {
  const { memory, prices, look } = desk()
  prices(aMarket())
  const { now, mono, marketStaleMs } = look()
  const late = {
    value: { markets: [aMarket({ price: exact('1') })], unusable: [], failedParts: [] },
    at: now,
    mono,
  }
  expect(marketsTurn(memory, kinds, late, { now, mono, marketStaleMs }, () => false)).toBeNull()
  expect(priceOf(memory, '100')).toBe(2500)
})

test('an answer that took its time is used for the books that nothing newer is known of, and for no other', () => {
  const { memory, look } = desk()
  const at = (mono: number, ...markets: Market[]) => {
    const reading = { value: { markets, unusable: [], failedParts: [] }, at: mono, mono }
    const turn = marketsTurn(memory, kinds, reading, look(), () => false)
    apply(memory, [...(turn?.figures ?? []), ...(turn?.observed ?? [])])
    return turn
  }
  const nvda = (price: string) => aMarket({ id: 'xyz:NVDA', dex: 'xyz', price: exact(price) })
  at(9_000, aMarket({ price: exact('3000') }))
  at(8_000, aMarket({ price: exact('2000') }), nvda('180'))
  expect([priceOf(memory, '100'), priceOf(memory, 'xyz:NVDA')]).toEqual([3000, 180])
  expect(memory.markets.marketsAt?.mono).toBe(9_000)
  expect(at(7_000, nvda('170'))).toBeNull()
})
