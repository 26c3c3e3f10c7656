import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { ONE } from '../../../src/venue/amount.ts'
import type { LedgerEntry, LedgerFill, Transfer } from '../../../src/venue/record/ledger.ts'
import { profitOf, sumLedger } from '../../../src/venue/record/sums.ts'

const usd = (value: number) => (BigInt(Math.round(value * 100)) * ONE) / 100n

function fill(at: number, more: Partial<LedgerFill> = {}): LedgerFill {
  return {
    ...{ is: 'fill', id: `fill ${at}`, at, accountId: 'main', marketId: 'BTC', orderId: '1', size: ONE },
    ...{ price: usd(100), before: 0n, realisedUsd: 0n, feeUsd: 0n, how: 'traded', ...more },
  }
}

function funding(at: number, value: number, marketId = 'BTC'): LedgerEntry {
  return { is: 'funding', id: `funding ${at}`, at, accountId: 'main', marketId, usd: usd(value), size: ONE }
}

function transfer(at: number, what: Transfer['what'], value: number | null): Transfer {
  const token = value === null ? { symbol: 'PURR', amount: ONE } : null
  return { is: 'transfer', id: `transfer ${at}`, at, what, usd: value === null ? null : usd(value), token }
}

const span = (since: number, until: number, dayStarts: number[] = []) => ({ since, until, dayStarts })

describe('what a wallet made', () => {
  test('is what its trades closed, less fees, with funding', () => {
    const sums = sumLedger(
      [
        fill(1, { feeUsd: usd(0.5) }),
        funding(2, -0.25),
        funding(3, 0.1),
        fill(4, { realisedUsd: usd(12), feeUsd: usd(0.6) }),
        fill(5, { realisedUsd: usd(-2), feeUsd: usd(-0.1) }),
      ],
      span(1, 5),
    )
    expect(sums).toMatchObject({
      ...{ realisedUsd: usd(10), feesUsd: usd(1), trades: 3, unknownFees: 0 },
      ...{ fundingPaidUsd: usd(0.25), fundingReceivedUsd: usd(0.1) },
    })
    expect(profitOf(sums)).toBe(usd(8.85))
  })

  test('is never a deposit, nor anything else that came or went without a trade', () => {
    const sums = sumLedger(
      [
        transfer(1, 'deposit', 1000),
        transfer(2, 'withdrawal', -300),
        transfer(3, 'received', 20),
        transfer(4, 'sent', -5),
        transfer(5, 'vault', -100),
        transfer(6, 'vault', 40),
        transfer(7, 'within', -70),
        transfer(8, 'reward', 3),
        transfer(9, 'staking', 7),
        transfer(10, 'other', -1),
      ],
      span(1, 10),
    )
    expect(profitOf(sums)).toBe(0n)
    expect(sums).toMatchObject({
      ...{ inUsd: usd(1020), outUsd: usd(305), vaultsUsd: usd(-60), withinUsd: usd(-70) },
      ...{ rewardsUsd: usd(3), stakingUsd: usd(7), otherUsd: usd(-1), trades: 0 },
    })
  })

  test('says how many fees and values it does not know, instead of counting them as nothing', () => {
    const sums = sumLedger(
      [fill(1, { feeUsd: null }), fill(2, { feeUsd: usd(1) }), transfer(3, 'received', null)],
      span(1, 3),
    )
    expect(sums).toMatchObject({ unknownFees: 1, feesUsd: usd(1), unknownValues: 1, inUsd: 0n })
  })

  test('is told for each market that had a trade or a payment', () => {
    const { markets } = sumLedger(
      [fill(1, { realisedUsd: usd(1) }), funding(2, -2, 'ETH'), transfer(3, 'deposit', 9)],
      span(1, 3),
    )
    expect([...markets.keys()]).toEqual(['BTC', 'ETH'])
    expect(markets.get('BTC')).toMatchObject({ realisedUsd: usd(1), trades: 1, fundingPaidUsd: 0n })
    expect(markets.get('ETH')).toMatchObject({ realisedUsd: 0n, trades: 0, fundingPaidUsd: usd(2) })
  })

  test('is told for each day, also for one on which nothing happened', () => {
    const { days } = sumLedger(
      [fill(5, { realisedUsd: usd(1) }), fill(9, { realisedUsd: usd(2) }), fill(30, { realisedUsd: usd(4) })],
      span(5, 30, [0, 10, 20, 30, 40]),
    )
    expect(days.map(({ since, until, realisedUsd }) => [since, until, realisedUsd])).toEqual([
      [5, 9, usd(3)],
      [10, 19, 0n],
      [20, 29, 0n],
      [30, 30, usd(4)],
    ])
  })
})

const entry = fc
  .tuple(fc.nat(100), fc.integer({ min: -500, max: 500 }), fc.nat(9))
  .map(([at, value, which]): LedgerEntry => {
    if (which < 4)
      return fill(at, { marketId: `M${which}`, realisedUsd: usd(value), feeUsd: usd(value / 50) })
    if (which < 7) return funding(at, value, `M${which - 4}`)
    return transfer(at, (['deposit', 'within', 'vault'] as const)[which - 7] ?? 'other', value)
  })

test('the days make up the whole, and so do the markets', () => {
  fc.assert(
    fc.property(
      fc.array(entry),
      fc.tuple(fc.nat(100), fc.nat(100)),
      fc.array(fc.nat(100)),
      (entries, [one, other], starts) => {
        const [since, until] = [Math.min(one, other), Math.max(one, other)]
        const dayStarts = [...new Set(starts)].toSorted((a, b) => a - b)
        const sums = sumLedger(entries, { since, until, dayStarts })
        const fields = ['realisedUsd', 'feesUsd', 'fundingPaidUsd', 'fundingReceivedUsd'] as const
        for (const field of fields) {
          const of = (parts: Iterable<Record<typeof field, bigint>>) =>
            [...parts].reduce((sum, part) => sum + part[field], 0n)
          expect(of(sums.days)).toBe(sums[field])
          expect(of(sums.markets.values())).toBe(sums[field])
        }
        const moved = (part: { inUsd: bigint; outUsd: bigint }) => part.inUsd - part.outUsd
        expect(sums.days.reduce((sum, day) => sum + moved(day), 0n)).toBe(moved(sums))
        expect(sums.days.map((day) => day.since)).toEqual(
          sums.days.map((day) => day.since).toSorted((a, b) => a - b),
        )
      },
    ),
  )
})
