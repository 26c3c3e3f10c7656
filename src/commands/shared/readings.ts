import type { Context, ReadResult } from '../../command/context.ts'
import { age } from '../../message/figure.ts'
import { codePoints } from '../../message/fit.ts'
import { inWords, type Item, item, type Text, words } from '../../message/message.ts'
import type { Market } from '../../venue/market.ts'
import type { Position } from '../../venue/position.ts'
import { LIVE_MS, liveText } from '../../venue/reading.ts'
import { incompleteness, type PositionsAnswer } from '../../venue/venue.ts'

/**
 * The wall time of an answer, and why there is no newer one; null when it is fresh. With `holes` it may lack something
 * that it does not name. With `waits` a newer one only waits for its turn.
 */
export type ReadAt = { is: 'read'; at: number; late: Text | null; holes?: true; waits?: true }

/** The age of an answer, or why there is none. */
export type Freshness = ReadAt | { is: 'unseen'; why: Text }

/** A part of an answer that is missing, incomplete or old. */
export type Missing = { what: Text } & (
  | Freshness
  | { is: 'incomplete'; why: Text }
  /** A venue of several that gave no answer. `at` is the wall time of the last one; null before the first. */
  | { is: 'silent'; at: number | null; queued: boolean }
)

/** Younger data needs no excuse. */
const YOUNG_MS = 15_000
/** Older data that cannot be renewed is marked as BLIND. */
const BLIND_MS = 60_000

/** The code points of a sentence that stays in one line of most screens. */
const FIRST_LINE = 80

export function freshnessOf(result: ReadResult<unknown>): Freshness {
  return result.is === 'unseen' ? { is: 'unseen', why: result.why } : readAt(result)
}

export function readAt({
  reading,
  late,
  holes,
  waits,
}: Extract<ReadResult<unknown>, { is: 'read' }>): ReadAt {
  return { is: 'read', at: reading.at, late, ...(holes && { holes }), ...(waits && { waits }) }
}

/** `live`, or `40 s old: the venue limits how often I may ask.` */
export function freshnessText(freshness: Freshness, now: number): Text {
  if (freshness.is === 'unseen') return words('shown.unseen', { why: freshness.why })
  const old = ageNote(freshness.at, now)
  return isExcused(freshness, now) ? old : words('shown.because', { what: old, why: freshness.late ?? '' })
}

/** `live` or `40 s old`: the age alone, for messages that give the reason elsewhere. */
export function ageNote(at: number, now: number): Text {
  return liveText(now - at)
}

/** Returns the wall time of the oldest of several readings; null when none could be read. */
export function oldestAt(results: readonly ReadResult<unknown>[]): number | null {
  const times = results.flatMap((result) => (result.is === 'read' ? [result.reading.at] : []))
  return times.length === 0 ? null : Math.min(...times)
}

/** `live`, or `positions 40 s old` and `prices 12 s old`. A part that could not be read has no note. */
export function seenNotes(positionsAt: number | null, pricesAt: number | null, now: number): Text[] {
  const parts = [
    ...oldNotes('shown.old.positions', positionsAt, now),
    ...oldNotes('shown.old.prices', pricesAt, now),
  ]
  if (parts.length > 0) return parts
  return positionsAt === null && pricesAt === null ? [] : [words('age.live')]
}

/** The age of one part; nothing while it is live. */
export function oldNotes(
  key: 'shown.old.positions' | 'shown.old.prices' | 'shown.old.orders',
  at: number | null,
  now: number,
): Text[] {
  return at === null || now - at < LIVE_MS ? [] : [words(key, { age: age(now - at) })]
}

/** Whether nothing has to be said about an answer. */
function isExcused({ at, late, holes }: ReadAt, now: number): boolean {
  return late === null || (now - at < YOUNG_MS && holes === undefined)
}

/** Returns the part that could not be read, or is not current; nothing if the answer is fresh. */
export function missingOf(what: Text, freshness: Freshness, now: number): Missing[] {
  return freshness.is === 'read' && isExcused(freshness, now) ? [] : [{ what, ...freshness }]
}

/** Comes first in a message: silence about a missing part would read as "fine". */
export function blindItems(missing: readonly Missing[], now: number): Item[] {
  const [old, blind] = [
    missing.filter((one) => isMerelyOld(one, now)),
    missing.filter((one) => !isMerelyOld(one, now)),
  ]
  const lines = blind.map((one) => {
    if (one.is === 'silent') return silentText(one)
    const why = one.is === 'read' ? freshnessText(one, now) : one.why
    return words('shown.because', { what: one.what, why })
  })
  return [
    ...(blind.length === 0 ? [] : [item('blind', words('shown.blind'), lines)]),
    ...old.filter((one) => one.is === 'silent').map((one) => item('plain', silentText(one))),
    ...oldItems(
      old.filter((one) => one.is === 'read'),
      now,
    ),
  ]
}

/** `lighter is not answering: as of 14:02`. */
function silentText({ what, at, queued }: Extract<Missing, { is: 'silent' }>): Text {
  if (at === null) return words(queued ? 'venue.queued.never' : 'venue.silent.never', { venue: what })
  const of = { venue: what, at: { time: at, as: 'clock' as const } }
  return words(queued ? 'venue.queued' : 'venue.silent', of)
}

/** A minute old is no blindness yet, and neither is what waits for its turn, as long as nothing is lacking. */
function isMerelyOld(one: Missing, now: number): boolean {
  if (one.is === 'silent') return one.at !== null && now - one.at < BLIND_MS
  return one.is === 'read' && one.holes === undefined && (one.waits === true || now - one.at < BLIND_MS)
}

/** `Data is 40 s old: the venue limits how often I may ask.`, once for all parts with that cause. */
function oldItems(old: readonly Extract<Missing, { is: 'read' }>[], now: number): Item[] {
  const causes = new Map(old.map(({ late }) => [inWords(late ?? ''), late]))
  return [...causes].map(([said, cause]) => {
    const same = old.filter(({ late }) => inWords(late ?? '') === said)
    const oldest = Math.min(...same.map(({ at }) => at))
    const head = words('shown.data-old', { age: age(now - oldest) })
    const whole = words('shown.because', { what: head, why: cause ?? '' })
    return codePoints(whole) <= FIRST_LINE ? item('plain', whole) : item('plain', head, [cause ?? ''])
  })
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
