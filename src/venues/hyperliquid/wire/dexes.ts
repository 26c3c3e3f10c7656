import { z } from 'zod'

import type { Amount } from '../../../venue/amount.ts'
import { coin, figure, whole } from '../../http/shape.ts'

/** A dex that a builder has deployed. Its name is the prefix of its coins. */
export interface ListedDex {
  name: string
  /** The builder's addition to the fees, as a factor of them; null if the venue does not send it. */
  feeScale: Amount | null
}

const schema = z.array(z.union([z.null(), z.object({ name: coin, deployerFeeScale: figure.optional() })]))

/** Reads the answer of `perpDexs`. Its first element is null and stands for the main dex. */
export function readListedDexes(body: unknown): ListedDex[] {
  return whole(schema, body, 'the list of dexes').flatMap((listedDex) =>
    listedDex === null ? [] : [{ name: listedDex.name, feeScale: listedDex.deployerFeeScale ?? null }],
  )
}

/** The name of a perp dex; null for the venue's own. */
export type Dex = string | null

/** The dex's name in messages and in an account's id. */
export function accountOf(dex: Dex): string {
  return dex ?? 'main'
}

/** The dex of a coin: `xyz:NVDA` is in `xyz`. */
export function dexOf(coin: string): Dex {
  const colon = coin.indexOf(':')
  return colon < 0 ? null : coin.slice(0, colon)
}

/**
 * The same lists also have spot pairs (`@142`, `PURR/USDC`) and outcome shares (`#12`), which are no
 * perpetuals.
 */
export function isPerpetual(coin: string): boolean {
  return !/^[@#+]|\//.test(coin)
}
