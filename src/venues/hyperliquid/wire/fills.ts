import { z } from 'zod'

import { figure, whole } from '../../http/shape.ts'

import { isPerpetual } from './dexes.ts'

export const fillSchema = z.object({
  coin: z.string().min(1),
  px: figure,
  sz: figure,
  side: z.enum(['A', 'B']),
  time: z.number(),
  startPosition: figure,
  dir: z.string(),
  closedPnl: figure,
  /** Includes the builder's fee. A negative fee is a rebate. */
  fee: figure.nullish().catch(null),
  feeToken: z.string().nullish().catch(null),
  /** The id of the order. */
  oid: z.number().int().nullish().catch(null),
  /** False for an order that waited in the book. */
  crossed: z.boolean().nullish().catch(null),
  /** The id of the trade. */
  tid: z.number().nullish().catch(null),
  liquidation: z
    .object({
      liquidatedUser: z.string().nullish().catch(null),
      method: z.string().nullish().catch(null),
    })
    .nullish()
    .catch(null),
})

export type Fill = z.output<typeof fillSchema>

/** Reads the answer of `userTwapSliceFillsByTime` in the same way. */
export function readSliceFills(body: unknown): ReturnType<typeof readFills> {
  return readFills(
    whole(z.array(z.object({ fill: z.unknown() })), body, 'the fills of TWAPs').map(({ fill }) => fill),
  )
}

/**
 * Reads the answer of `userFillsByTime`: the fills of perpetuals, oldest first, how many fills were sent in
 * all, and the time of the last one.
 */
export function readFills(body: unknown): { fills: Fill[]; sent: number; until: number } {
  const all = whole(z.array(fillSchema), body, 'the fills')
  const fills = all.filter(({ coin }) => isPerpetual(coin)).toSorted((a, b) => a.time - b.time)
  return { fills, sent: all.length, until: Math.max(...all.map(({ time }) => time)) }
}
