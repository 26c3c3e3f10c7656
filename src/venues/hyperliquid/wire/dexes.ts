import { z } from 'zod'

import { figure, whole } from './read.ts'
import type { Amount } from '../../../amount.ts'

/** A book of markets that somebody else than the venue has built, by the name that stands before its coins. */
export interface Dex {
  name: string
  /** What its builder adds to the fees, in shares of them; null when it is not said. */
  feeScale: Amount | null
}

const schema = z.array(
  z.union([z.null(), z.object({ name: z.string().min(1), deployerFeeScale: figure.optional() })]),
)

/** Turns the answer of `perpDexs` into the builders' books; the first element is null and stands for the main one. */
export function readDexes(body: unknown): Dex[] {
  return whole(schema, body, 'the list of dexes').flatMap((dex) =>
    dex === null ? [] : [{ name: dex.name, feeScale: dex.deployerFeeScale ?? null }],
  )
}
