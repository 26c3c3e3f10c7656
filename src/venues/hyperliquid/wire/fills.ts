import { z } from 'zod'

import { isPerpetual } from './dexes.ts'
import { figure, whole } from './read.ts'

const schema = z.array(
  z.object({
    coin: z.string().min(1),
    px: figure,
    sz: figure,
    side: z.enum(['A', 'B']),
    time: z.number(),
    startPosition: figure,
    dir: z.string(),
    closedPnl: figure,
    /** What a builder took is in it; below zero it was paid back. */
    fee: figure.nullish(),
    feeToken: z.string().nullish(),
    /** Of the trade: each has its own. */
    tid: z.number().nullish(),
    liquidation: z.object({ liquidatedUser: z.string() }).nullish(),
  }),
)

export type Fill = z.output<typeof schema>[number]

/**
 * Turns the answer of `userFillsByTime` into the fills of perpetuals, the first ones first; how many were sent, and the
 * time of the last one.
 */
export function readFills(body: unknown): { fills: Fill[]; sent: number; until: number } {
  const all = whole(schema, body, 'the fills')
  const fills = all.filter(({ coin }) => isPerpetual(coin)).toSorted((a, b) => a.time - b.time)
  return { fills, sent: all.length, until: Math.max(...all.map(({ time }) => time)) }
}
