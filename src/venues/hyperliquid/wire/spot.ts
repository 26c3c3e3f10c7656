import { z } from 'zod'

import type { Amount } from '../../../venue/amount.ts'
import { figure, whole, word } from '../../http/shape.ts'

/** The spot balances of a wallet, which may be collateral of its perpetuals. */
export interface Spot {
  /** By token. A total already includes the equity of the perpetuals. */
  totals: ReadonlyMap<number, Amount>
  /** Tokens with a balance that is lent against. The answer does not have their prices. */
  lentAgainst: readonly number[]
  /** The rest of each token beyond maintenance; empty if the venue does not send it. */
  afterMaintenance: ReadonlyMap<number, Amount>
  portfolioRatio: Amount | null
}

const schema = z.object({
  balances: z.array(z.unknown()),
  portfolioMarginRatio: figure.nullish(),
  tokenToAvailableAfterMaintenance: z.array(z.tuple([z.number().int(), figure])).nullish(),
})

const balance = z.object({ token: z.number().int(), total: figure, ltv: figure.nullish() })
/** Outcome shares have no token: they are never collateral. */
const share = z.object({ token: z.null().optional() })

/** Reads the answer of `spotClearinghouseState`. */
export function readSpot(body: unknown): Spot {
  const {
    balances: listed,
    portfolioMarginRatio,
    tokenToAvailableAfterMaintenance,
  } = whole(schema, body, 'the balances')
  const balances = listed
    .filter((element) => !share.safeParse(element).success)
    .map((element) => whole(balance, element, 'a balance'))
  return {
    totals: new Map(balances.map(({ token, total }) => [token, total])),
    lentAgainst: balances.flatMap(({ token, total, ltv }) => (total > 0n && (ltv ?? 0n) > 0n ? [token] : [])),
    afterMaintenance: new Map(tokenToAvailableAfterMaintenance),
    portfolioRatio: portfolioMarginRatio ?? null,
  }
}

/** A token that a wallet holds in spot. */
export interface TokenBalance {
  /** Null: a share of an outcome, which is no token. */
  token: number | null
  name: string
  total: Amount
}

const named = z.object({
  balances: z.array(z.object({ coin: word, token: z.number().int().nullish(), total: figure })),
})

/** Reads the same answer as a list of tokens. */
export function readTokens(body: unknown): TokenBalance[] {
  return whole(named, body, 'the balances')
    .balances.filter(({ total }) => total !== 0n)
    .map(({ coin, token, total }) => ({ token: token ?? null, name: coin, total }))
}

const MODES = {
  default: 'single',
  disabled: 'single',
  dexAbstraction: 'single',
  unifiedAccount: 'unified',
  portfolioMargin: 'portfolio',
} as const

/** Reads the answer of `userAbstraction`, a bare text: how the wallet's collateral is counted. */
export function readMode(body: unknown): 'single' | 'unified' | 'portfolio' {
  const word = whole(z.enum(Object.keys(MODES) as (keyof typeof MODES)[]), body, 'the mode of the account')
  return MODES[word]
}
