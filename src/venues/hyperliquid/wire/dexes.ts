import { z } from 'zod'

import type { Amount } from '../../../venue/amount.ts'
import { figure, whole } from './read.ts'

/** A book of markets that somebody else than the venue has built, by the name that stands before its coins. */
export interface ListedDex {
  name: string
  /** What its builder adds to the fees, in shares of them; null when it is not said. */
  feeScale: Amount | null
}

const schema = z.array(
  z.union([z.null(), z.object({ name: z.string().min(1), deployerFeeScale: figure.optional() })]),
)

/** Turns the answer of `perpDexs` into the builders' books; the first element is null and stands for the main one. */
export function readListedDexes(body: unknown): ListedDex[] {
  return whole(schema, body, 'the list of dexes').flatMap((listedDex) =>
    listedDex === null ? [] : [{ name: listedDex.name, feeScale: listedDex.deployerFeeScale ?? null }],
  )
}

/** The book of markets that is asked for; the venue's own has no name. */
export type Dex = string | null

/** As it is called in what people read, and in an account's id. */
export function accountOf(dex: Dex): string {
  return dex ?? 'main'
}

/** The book that a coin is in: `xyz:NVDA` names it. */
export function dexOf(coin: string): Dex {
  const colon = coin.indexOf(':')
  return colon < 0 ? null : coin.slice(0, colon)
}

/** Spot pairs (`@142`, `PURR/USDC`) and shares in outcomes (`#12`) are in the same lists, and are no markets of ours. */
export function isPerpetual(coin: string): boolean {
  return !/^[@#+]|\//.test(coin)
}
