import type { Context, ReadResult } from '../../command/context.ts'
import { ago } from '../../message/figure.ts'
import { type Item, item, type Text, text } from '../../message/message.ts'
import type { Market } from '../../venue/market.ts'
import type { Position } from '../../venue/position.ts'
import { incompleteness, type PositionsAnswer } from '../../venue/venue.ts'

/** The wall time of an answer, and why there is no newer one; null when it is fresh. */
export type ReadAt = { is: 'read'; at: number; late: string | null }

/** The age of an answer, or why there is none. */
export type Freshness = ReadAt | { is: 'unseen'; why: string }

/** A part of an answer that is missing, incomplete or old. */
export type Missing = { what: string } & (Freshness | { is: 'incomplete'; why: string })

export function freshnessOf(result: ReadResult<unknown>): Freshness {
  return result.is === 'unseen' ? { is: 'unseen', why: result.why } : readAt(result)
}

export function readAt({ reading, late }: Extract<ReadResult<unknown>, { is: 'read' }>): ReadAt {
  return { is: 'read', at: reading.at, late }
}

/** `read 3 s ago, and not newer because: …`. */
export function freshnessText(freshness: Freshness, now: number): Text {
  if (freshness.is === 'unseen') return `I cannot see this now: ${freshness.why}`
  const old = readText(freshness.at, now)
  return freshness.late === null ? old : text`${old}, and not newer because: ${freshness.late}`
}

/** `read 3 s ago`: the age alone, for messages that give the reason elsewhere. */
export function readText(at: number, now: number): Text {
  return text`read ${ago(now - at)}`
}

/** Returns the wall time of the oldest of several readings; null when none could be read. */
export function oldestAt(results: readonly ReadResult<unknown>[]): number | null {
  const times = results.flatMap((result) => (result.is === 'read' ? [result.reading.at] : []))
  return times.length === 0 ? null : Math.min(...times)
}

/** `positions read 3 s ago`; no line when none could be read. */
export function oldestText(what: string, at: number | null, now: number): Text[] {
  return at === null ? [] : [text`${what} ${readText(at, now)}`]
}

/** Returns the part that could not be read, or is not current; nothing if the answer is fresh. */
export function missingOf(what: string, freshness: Freshness): Missing[] {
  return freshness.is === 'read' && freshness.late === null ? [] : [{ what, ...freshness }]
}

/** Comes first in a message: silence about a missing part would read as "fine". */
export function blindItems(missing: readonly Missing[], now: number): Item[] {
  if (missing.length === 0) return []
  const lines = missing.map(
    (one) => text`${one.what}: ${one.is === 'incomplete' ? one.why : freshnessText(one, now)}`,
  )
  return [item('blind', 'I do not see everything now', lines)]
}

/** Says why an answer does not show every position of a wallet; null when it does. */
export function gaps(answer: PositionsAnswer): string | null {
  const { unusable } = answer
  const [first] = unusable
  if (first) return `${unusable.length} could not be read: ${first.what}, ${first.why}`
  const why = incompleteness(answer)
  const parts = new Set(answer.failedParts.map(({ part }) => part))
  const shown = answer.positions.some(({ accountId }) => parts.has(accountId))
  return why !== null && shown ? `${why} Its positions are as I saw them last.` : why
}

/** The person has waited for the positions already: after this time no further market is read. */
const FURTHER_MARKETS_WITHIN_MS = 2_000

/** Adds the markets of these positions that are not in view: dexes without watched positions are read rarely. */
export async function withMarketsOf(
  { read, reader, view }: Pick<Context, 'read' | 'reader' | 'view'>,
  markets: ReadResult<ReadonlyMap<string, Market>>,
  positions: readonly Position[],
): Promise<ReadonlyMap<string, Market>> {
  const known = markets.is === 'read' ? markets.reading.value : view.markets()
  // A venue that does not answer for all markets does not answer for one.
  if (markets.is === 'unseen' || markets.late !== null) return known
  const start = reader.now
  const all = new Map(known)
  // In sequence: the first market of a dex brings the others with it.
  for (const { marketId } of positions) {
    if (all.has(marketId)) continue
    if (reader.now - start > FURTHER_MARKETS_WITHIN_MS) break
    const found = await read.market(marketId)
    // One refusal is enough: the others would be refused as well.
    if (found.is === 'unseen') break
    all.set(marketId, found.reading.value)
  }
  return all
}
