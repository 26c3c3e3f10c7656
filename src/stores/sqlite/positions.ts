import type { Amount } from '../../venue/amount.ts'
import type { Position } from '../../venue/position.ts'
import type { Wallet } from '../../venue/wallet.ts'

/** A wallet's position as a list, without the names that all have alike; amounts as words. `migrations/012` has the order too. */
type Row = readonly [
  accountId: string,
  marketId: string,
  size: string,
  entryPrice: string,
  liquidationPrice: string | null,
  margin: Position['margin'],
  leverage: number | null,
  fundingUsd: string | null,
  openedAt: number | null,
  /** What an earlier version wrote does not have the last ones. */
  breakEvenPrice?: string | null,
  realisedPnlUsd?: string | null,
]

export function positionsText(positions: readonly Position[]): string {
  const rows = positions.map((one): Row => {
    const [liquidationPrice, fundingUsd] = [wordOf(one.liquidationPrice), wordOf(one.fundingUsd)]
    const { accountId, marketId, size, entryPrice, margin, leverage, openedAt } = one
    const held = [accountId, marketId, String(size), String(entryPrice)] as const
    const realised = [wordOf(one.breakEvenPrice), wordOf(one.realisedPnlUsd)] as const
    return [...held, liquidationPrice, margin, leverage, fundingUsd, openedAt, ...realised]
  })
  return JSON.stringify(rows)
}

export function positionsFrom(text: string, wallet: Wallet): Position[] {
  return (JSON.parse(text) as Row[]).map((row) => {
    const [accountId, marketId, size, entryPrice, liquidationPrice, margin, leverage, ...others] = row
    const [fundingUsd, openedAt, breakEvenPrice = null, realisedPnlUsd = null] = others
    return {
      wallet,
      accountId,
      marketId,
      size: BigInt(size),
      entryPrice: BigInt(entryPrice),
      liquidationPrice: amountOf(liquidationPrice),
      margin,
      leverage,
      fundingUsd: amountOf(fundingUsd),
      breakEvenPrice: amountOf(breakEvenPrice),
      realisedPnlUsd: amountOf(realisedPnlUsd),
      openedAt,
    }
  })
}

function wordOf(amount: Amount | null): string | null {
  return amount === null ? null : String(amount)
}

function amountOf(word: string | null): Amount | null {
  return word === null ? null : BigInt(word)
}
