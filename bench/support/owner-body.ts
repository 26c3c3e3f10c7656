import type { Wallet } from '../../src/venue/wallet.ts'

export const OWNER: Wallet = '0x52908400098527886E0F7030069857D2E4169EE7'

/** An answer of `GET /positions/v2` with three positions, about 2.1 kB: same shape as the real one, values of our own. */
export function positionsBody(wallet: Wallet): string {
  const positions = ['100', '200', '1200'].map((marketId, place) => ({
    orderType: 'DelayedOffchain',
    accountId: '120000000000000000000000000000000007431',
    chainId: 8008,
    marketId,
    size: `${place === 1 ? '-' : ''}4125000000000${place}50000`,
    totalRealisedFundingUsd: '193028475610293847',
    totalRealisedPnlUsd: '-20193847561029384756',
    unrealisedFundingUsd: '-1093847561029384',
    totalVolumeUsd: '91827364509182736450918',
    avgEntryPrice: `${place + 2}613480000000000000000`,
    latestInteractionPrice: `${place + 2}598120000000000000000`,
    liquidationPrice: `${place + 1}911224500000000000000`,
    entryTimestamp: 1_760_000_000 + place,
    breakEvenPriceIncludingClosingFee: `${place + 2}621930000000000000000`,
    breakEvenPriceExcludingClosingFee: `${place + 2}618110000000000000000`,
    totalRealisedInterestUsd: '0',
    unrealisedInterestUsd: '-3304958671029',
    tpsl: null,
  }))
  return JSON.stringify({ owner: wallet, positions, totalCount: positions.length })
}
