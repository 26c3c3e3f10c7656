import type { Position } from '../../src/venue/position.ts'
import type { Wallet } from '../../src/venue/wallet.ts'

/** The body of `GET /positions/v2` for these positions: the fields of the real one, about 0.6 kB each. */
export function positionsWire(wallet: Wallet, positions: readonly Position[]): string {
  const records = positions.map(({ accountId, marketId, size, entryPrice, liquidationPrice }) => ({
    ...{ orderType: 'DelayedOffchain', accountId, chainId: 8008, marketId, size: String(size) },
    totalRealisedFundingUsd: '193028475610293847',
    totalRealisedPnlUsd: '-20193847561029384756',
    unrealisedFundingUsd: '-1093847561029384',
    totalVolumeUsd: '91827364509182736450918',
    avgEntryPrice: String(entryPrice),
    latestInteractionPrice: String(entryPrice),
    liquidationPrice: String(liquidationPrice ?? 0n),
    entryTimestamp: 1_760_000_000,
    breakEvenPriceIncludingClosingFee: String(entryPrice),
    breakEvenPriceExcludingClosingFee: String(entryPrice),
    totalRealisedInterestUsd: '0',
    unrealisedInterestUsd: '-3304958671029',
    tpsl: null,
  }))
  return JSON.stringify({ owner: wallet, positions: records, totalCount: records.length })
}
