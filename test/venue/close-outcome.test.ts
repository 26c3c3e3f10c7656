import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { closingOf, type Ended, realisedUsd } from '../../src/venue/close-outcome.ts'
import { anEnding, aPosition, exact } from '../support/fixtures.ts'

const ended = (over: Partial<Ended> = {}): Ended => ({
  position: aPosition(),
  symbol: 'ETH',
  cause: 'closed',
  ending: null,
  lastPrice: 2600,
  takerFee: null,
  ...over,
})

/** Funding has moved its line beyond its entry. */
const belowEntry = { position: aPosition({ liquidationPrice: exact('2700') }) }

describe('what an end brought', () => {
  test('is what the venue has recorded, to the last digit, with nothing of ours in it', () => {
    const ending = anEnding({ size: exact('1.5'), realisedPnlUsd: 123_456_789n, feesUsd: 7n })
    expect(closingOf(ended({ ending, lastPrice: 1, takerFee: exact('0.01') }))).toMatchObject({
      ...{ side: 'long', how: 'closed', size: exact('1.5'), exitPrice: exact('2600') },
      ...{ tradeUsd: 123_456_789n, feesUsd: 7n, estimate: false },
    })
  })

  test.each([
    ['a close at the last price, with its fee', {}, ['2600', '200', '2.6']],
    [
      'a close at the price at which it was found gone, as a stop loss makes it',
      { priceAfter: 2400 },
      ['2400', '-200', '2.4'],
    ],
    ['a settlement at the last price, without one', { cause: 'settled' }, ['2600', '200', null]],
    ['a liquidation at its price', { cause: 'probably liquidated' }, ['2000', '-1000', null]],
    [
      'no gain for whoever was liquidated',
      { cause: 'probably liquidated', ...belowEntry },
      ['2700', null, null],
    ],
    ['nothing where the cause is unknown', { cause: 'unknown' }, [null, null, null]],
    ['nothing where no price was ever seen', { lastPrice: null }, [null, null, null]],
  ] as [string, Partial<Ended>, (string | null)[]][])('is estimated as %s', (_what, over, figures) => {
    const [exitPrice, tradeUsd, feesUsd] = figures.map((one) => (one === null ? null : exact(one)))
    expect(closingOf(ended({ takerFee: exact('0.0005'), ...over }))).toMatchObject({
      ...{ exitPrice, tradeUsd, feesUsd, estimate: true },
    })
  })

  test('of a short is a gain when the price fell', () => {
    const position = aPosition({ size: exact('-2'), liquidationPrice: exact('3000') })
    expect(closingOf(ended({ position, lastPrice: 2400 }))).toMatchObject({
      side: 'short',
      tradeUsd: exact('200'),
    })
  })

  test('is never made better by fees that are not known, nor invented where the trade is not', () =>
    fc.assert(
      fc.property(fc.bigInt(), fc.option(fc.bigInt({ min: 0n })), (tradeUsd, feesUsd) => {
        expect(realisedUsd({ tradeUsd, feesUsd })).toBeLessThanOrEqual(tradeUsd)
        expect(realisedUsd({ tradeUsd: null, feesUsd })).toBeNull()
      }),
    ))
})
