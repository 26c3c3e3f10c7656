import type { Wallet } from '../../../src/venue/wallet.ts'

export const OWNER: Wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
export const STRANGER: Wallet = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

/** The figures of one market, as recorded ones look. */
export function aContext(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    funding: '0.0000125',
    openInterest: '100.0',
    prevDayPx: '95.0',
    dayNtlVlm: '1000.0',
    premium: '0.0',
    oraclePx: '100.1',
    markPx: '100.0',
    midPx: '100.0',
    impactPxs: ['99.9', '100.1'],
    ...over,
  }
}

/** An answer of `metaAndAssetCtxs`. */
export function aDex(
  entries: Record<string, unknown>[],
  contexts: unknown[] = entries.map(() => aContext()),
  over: Record<string, unknown> = {},
): unknown[] {
  const universe = entries.map((entry) => ({ szDecimals: 2, maxLeverage: 10, marginTableId: 10, ...entry }))
  return [{ universe, marginTables: [], collateralToken: 0, ...over }, contexts]
}

/** A long of two from 100 at 10 times, cross. */
export function aLeg(over: Record<string, unknown> = {}): {
  type: string
  position: Record<string, unknown>
} {
  return {
    type: 'oneWay',
    position: {
      coin: 'ETH',
      szi: '2.0',
      leverage: { type: 'cross', value: 10 },
      entryPx: '100.0',
      positionValue: '200.0',
      unrealizedPnl: '0.0',
      returnOnEquity: '0.0',
      liquidationPx: '60.0',
      marginUsed: '20.0',
      maxLeverage: 10,
      cumFunding: { allTime: '0.0', sinceOpen: '1.5', sinceChange: '0.0' },
      ...over,
    },
  }
}

/** An answer of `clearinghouseState`. */
export function aState(legs: unknown[] = [], over: Record<string, unknown> = {}): Record<string, unknown> {
  const summary = {
    accountValue: '86.0',
    totalNtlPos: '200.0',
    totalRawUsd: '-114.0',
    totalMarginUsed: '20.0',
  }
  return {
    marginSummary: summary,
    crossMarginSummary: summary,
    crossMaintenanceMarginUsed: '10.0',
    withdrawable: '66.0',
    assetPositions: legs,
    time: 1_790_000_000_000,
    ...over,
  }
}

/** An answer about nobody: all zeros, as a stranger's is. */
export function anEmptyState(): Record<string, unknown> {
  const summary = { accountValue: '0.0', totalNtlPos: '0.0', totalRawUsd: '0.0', totalMarginUsed: '0.0' }
  return aState([], {
    marginSummary: summary,
    crossMarginSummary: summary,
    crossMaintenanceMarginUsed: '0.0',
    withdrawable: '0.0',
  })
}

/** One element of `userFillsByTime`: two sold of a long of two. */
export function aFill(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    coin: 'ETH',
    px: '90.0',
    sz: '2.0',
    side: 'A',
    time: 1_790_000_000_000,
    startPosition: '2.0',
    dir: 'Close Long',
    closedPnl: '-20.0',
    hash: '0x00',
    oid: 1,
    crossed: true,
    fee: '0.1',
    tid: 1,
    feeToken: 'USDC',
    ...over,
  }
}
