import type { Context, ReadResult } from '../../context.ts'
import type { Market } from '../../market.ts'
import type { Position } from '../../position.ts'

/** Whoever asks has waited for the positions already: no further market is asked for after this. */
const PATIENCE_MS = 2_000

/** With the markets of what is held that are not in view: a book in which nobody held anything is read rarely. */
export async function withHeld(
  { read, reader, view }: Pick<Context, 'read' | 'reader' | 'view'>,
  markets: ReadResult<ReadonlyMap<string, Market>>,
  positions: readonly Position[],
): Promise<ReadonlyMap<string, Market>> {
  const known = markets.is === 'read' ? markets.reading.value : view.markets()
  // A venue that does not answer for all of them does not for one.
  if (markets.is === 'unseen' || markets.late !== null) return known
  const start = reader.now
  const all = new Map(known)
  // One after the other: the first of a book brings the others of it.
  for (const { marketId } of positions) {
    if (all.has(marketId)) continue
    if (reader.now - start > PATIENCE_MS) break
    const found = await read.market(marketId)
    // What is not there now is not asked for again and again.
    if (found.is === 'unseen') break
    all.set(marketId, found.reading.value)
  }
  return all
}
