import type { Context, ReadResult } from '../../command/context.ts'
import { ago } from '../../message/figure.ts'
import { type Item, item, type Text, text } from '../../message/message.ts'
import type { Market } from '../../venue/market.ts'
import type { Position } from '../../venue/position.ts'
import { incompleteness, type PositionsAnswer } from '../../venue/venue.ts'

/** How old what is shown is, and why it is not newer. */
export function freshness(result: ReadResult<unknown>, now: number): Text {
  if (result.is === 'unseen') return `I cannot see this now: ${result.why}`
  const old = text`read ${ago(now - result.reading.at)}`
  return result.late === null ? old : text`${old}, and not newer because: ${result.late}`
}

/** How old what is shown is, where why it is not newer stands elsewhere. */
export function readText(result: Extract<ReadResult<unknown>, { is: 'read' }>, now: number): Text {
  return text`read ${ago(now - result.reading.at)}`
}

/** How old the oldest of several readings is: `positions read 3 s ago`; nothing when none could be read. */
export function oldest(what: string, results: readonly ReadResult<unknown>[], now: number): Text[] {
  const times = results.flatMap((result) => (result.is === 'read' ? [result.reading.at] : []))
  return times.length === 0 ? [] : [text`${what} read ${ago(now - Math.min(...times))}`]
}

/** What could not be read, or not anew, and why: one line each. Nothing when all is fresh. */
export function troubles(what: string, result: ReadResult<unknown>, now: number): Text[] {
  return result.is === 'read' && result.late === null ? [] : [text`${what}: ${freshness(result, now)}`]
}

/** First of all what is missing: silence about it would read as "fine". */
export function blindItems(lines: readonly Text[]): Item[] {
  return lines.length === 0 ? [] : [item('blind', 'I do not see everything now', [...lines])]
}

/** What is wrong with an answer that does not show everything; null when it does. */
export function gaps(answer: PositionsAnswer): string | null {
  const { unusable } = answer
  const [first] = unusable
  if (first) return `${unusable.length} could not be read: ${first.what}, ${first.why}`
  const why = incompleteness(answer)
  const parts = new Set(answer.failedParts.map(({ part }) => part))
  const shown = answer.positions.some(({ accountId }) => parts.has(accountId))
  return why !== null && shown ? `${why} Its positions are as I saw them last.` : why
}

/** Whoever asks has waited for the positions already: no further market is asked for after this. */
const PATIENCE_MS = 2_000

/** With the markets of what is held that are not in view: a book in which nobody held anything is read rarely. */
export async function withSuppressed(
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
