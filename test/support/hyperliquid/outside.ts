import { decimal } from './decimals.ts'
import type { Account } from './state.ts'
import type { World } from './world.ts'

/** What an account holds outside of perpetuals and spot. */
export interface Outside {
  /** By the vault's address, in lower case. */
  vaults: Map<string, { usd: number; lockedUntil: number }>
  /** HYPE. */
  staking: { delegated: number; undelegated: number; leaving: number[] }
  /** The name of a sub-account. */
  name: string | null
}

export interface Token {
  name: string
  index: number
  szDecimals: number
}

/** A pair of spot. */
export interface Pair {
  name: string
  index: number
  base: number
  quote: number
  mark: number
  /** Null: nobody buys, or nobody sells. */
  mid: number | null
}

export interface SpotMarkets {
  tokens: Token[]
  pairs: Pair[]
  /** The names of vaults, by address in lower case. */
  vaults: Map<string, string>
}

export function newOutside(): Outside {
  return { vaults: new Map(), staking: { delegated: 0, undelegated: 0, leaving: [] }, name: null }
}

/** The numbers are those of the main net. Prices are nobody's recording. */
export function newSpotMarkets(): SpotMarkets {
  const pair = (name: string, index: number, base: number, mark: number, quote = 0): Pair => ({
    ...{ name, index, base, quote, mark, mid: mark },
  })
  return {
    tokens: [
      { name: 'USDC', index: 0, szDecimals: 8 },
      { name: 'PURR', index: 1, szDecimals: 0 },
      { name: 'HFUN', index: 2, szDecimals: 2 },
      { name: 'HYPE', index: 150, szDecimals: 2 },
      { name: 'UBTC', index: 197, szDecimals: 5 },
      { name: 'USDE', index: 235, szDecimals: 2 },
      { name: 'WARS', index: 479, szDecimals: 0 },
    ],
    pairs: [
      pair('PURR/USDC', 0, 1, 0.2),
      pair('@1', 1, 2, 50),
      pair('@107', 107, 150, 40),
      pair('@142', 142, 197, 66_000),
      pair('@150', 150, 235, 1),
      // Nobody quotes it in USDC.
      pair('@367', 367, 479, 0.002, 150),
    ],
    vaults: new Map(),
  }
}

const ADDRESS = `0x${'0'.repeat(32)}`

/**
 * `[meta, contexts]`, where contexts are more than pairs and not in the order of `universe`: pairs that are gone keep
 * their place, and each context names its pair (https://github.com/hyperliquid-dex/hyperliquid-python-sdk/issues/308).
 */
export function spotMetaAndAssetCtxs({ outside: { tokens, pairs } }: World): unknown {
  const last = Math.max(...pairs.map(({ index }) => index))
  const contexts = Array.from({ length: last + 1 }, (_, index) => {
    const pair = pairs.find((one) => one.index === index)
    return {
      prevDayPx: decimal(pair?.mark ?? 1),
      dayNtlVlm: decimal(pair ? 1_000 : 0),
      markPx: decimal(pair?.mark ?? 1),
      midPx: pair === undefined || pair.mid === null ? null : decimal(pair.mid),
      circulatingSupply: '1000000.0',
      coin: pair?.name ?? `@${index}`,
      totalSupply: '1000000.0',
      dayBaseVlm: decimal(pair ? 1_000 / pair.mark : 0),
    }
  })
  return [
    {
      universe: pairs.map(({ name, index, base, quote }) => ({
        ...{ tokens: [base, quote], name, index, isCanonical: name.includes('/') },
      })),
      tokens: tokens.map(({ name, index, szDecimals }) => ({
        ...{ name, szDecimals, weiDecimals: 8, index, tokenId: ADDRESS, isCanonical: index < 2 },
        ...{ evmContract: null, fullName: null, deployerTradingFeeShare: '0.0' },
      })),
    },
    contexts,
  ]
}

export function userVaultEquities({ outside: { vaults } }: Account): unknown {
  return [...vaults].map(([vaultAddress, { usd, lockedUntil }]) => ({
    ...{ vaultAddress, equity: decimal(usd), lockedUntilTimestamp: lockedUntil },
  }))
}

/** Null for an address that is no vault. The histories are left empty. */
export function vaultDetails({ outside: { vaults } }: World, address: string): unknown {
  const name = vaults.get(address)
  if (name === undefined) return null
  return {
    ...{ name, vaultAddress: address, leader: `0x${'e'.repeat(40)}`, description: '' },
    portfolio: ['day', 'week', 'month', 'allTime', 'perpDay', 'perpWeek', 'perpMonth', 'perpAllTime'].map(
      (span) => [span, { accountValueHistory: [], pnlHistory: [], vlm: '0.0' }],
    ),
    ...{ apr: 0.1, followerState: null, leaderFraction: 0.05, leaderCommission: 0, followers: [] },
    ...{ maxDistributable: 0, maxWithdrawable: 0, isClosed: false, relationship: { type: 'normal' } },
    ...{ allowDeposits: true, alwaysCloseOnWithdraw: false },
  }
}

export function delegatorSummary({ outside: { staking } }: Account): unknown {
  return {
    delegated: decimal(staking.delegated, 8),
    undelegated: decimal(staking.undelegated, 8),
    totalPendingWithdrawal: decimal(
      staking.leaving.reduce((sum, amount) => sum + amount, 0),
      8,
    ),
    nPendingWithdrawals: staking.leaving.length,
  }
}

export function delegations({ outside: { staking } }: Account, now: number): unknown {
  if (staking.delegated === 0) return []
  return [
    {
      validator: `0x${'d'.repeat(40)}`,
      amount: decimal(staking.delegated, 8),
      lockedUntilTimestamp: now,
    },
  ]
}

/** All that an account is worth, by its own books: cash, positions at their mark, tokens, vaults and stakes. */
export function worthOf({ outside: { pairs } }: World, account: Account): number {
  const priceOf = (token: number): number => {
    const pair = pairs.find(({ base }) => base === token)
    if (token === 0) return 1
    return pair ? pair.mark * priceOf(pair.quote) : 0
  }
  const { delegated, undelegated, leaving } = account.outside.staking
  const staked = delegated + undelegated + leaving.reduce((sum, amount) => sum + amount, 0)
  return [
    ...account.crossUsd.values(),
    ...account.holdings.map(({ szi, market, isolatedUsd }) => szi * market.mark + (isolatedUsd ?? 0)),
    ...[...account.spot].map(([token, { free }]) => free * priceOf(token)),
    ...[...account.outside.vaults.values()].map(({ usd }) => usd),
    staked * priceOf(150),
  ].reduce((sum, usd) => sum + usd, 0)
}
