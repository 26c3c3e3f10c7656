import type { ReadResult } from '../../context.ts'
import { ago } from '../../figure.ts'
import { item, text } from '../../message.ts'
import type { Item, Text } from '../../message.ts'
import { incompleteness } from '../../venue.ts'
import type { PositionsAnswer } from '../../venue.ts'

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
  const parts = new Set(answer.unread.map(({ part }) => part))
  const shown = answer.positions.some(({ accountId }) => parts.has(accountId))
  return why !== null && shown ? `${why} Its positions are as I saw them last.` : why
}
