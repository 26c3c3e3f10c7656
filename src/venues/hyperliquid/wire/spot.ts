import { z } from 'zod'

import type { Amount } from '../../../venue/amount.ts'
import { figure, whole } from './read.ts'

/** What a wallet has outside of its books of perpetuals, and may count for them. */
export interface Spot {
  /** By token; the total has the equity of the perpetuals in it already. */
  totals: ReadonlyMap<number, Amount>
  /** Tokens that are lent against, with a balance: their price is not in the answer. */
  lentAgainst: readonly number[]
  /** What is left of a token beyond maintenance; empty where the account is not asked for it. */
  afterMaintenance: ReadonlyMap<number, Amount>
  portfolioRatio: Amount | null
}

const schema = z.object({
  balances: z.array(z.object({ token: z.number().int(), total: figure, ltv: figure.optional() })),
  portfolioMarginRatio: figure.nullish(),
  tokenToAvailableAfterMaintenance: z.array(z.tuple([z.number().int(), figure])).nullish(),
})

/** Turns the answer of `spotClearinghouseState` into balances by token. */
export function readSpot(body: unknown): Spot {
  const { balances, portfolioMarginRatio, tokenToAvailableAfterMaintenance } = whole(
    schema,
    body,
    'the balances',
  )
  return {
    totals: new Map(balances.map(({ token, total }) => [token, total])),
    lentAgainst: balances.flatMap(({ token, total, ltv }) => (total > 0n && (ltv ?? 0n) > 0n ? [token] : [])),
    afterMaintenance: new Map(tokenToAvailableAfterMaintenance),
    portfolioRatio: portfolioMarginRatio ?? null,
  }
}

const MODES = {
  default: 'single',
  disabled: 'single',
  dexAbstraction: 'single',
  unifiedAccount: 'unified',
  portfolioMargin: 'portfolio',
} as const

/** Turns the answer of `userAbstraction`, a bare text, into how the wallet's collateral is counted. */
export function readMode(body: unknown): 'single' | 'unified' | 'portfolio' {
  const word = whole(z.enum(Object.keys(MODES) as (keyof typeof MODES)[]), body, 'the mode of the account')
  return MODES[word]
}
