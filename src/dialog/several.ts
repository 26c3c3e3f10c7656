import type { Field } from './fields.ts'
import { saidBack } from './tokens.ts'

/** A word of what was said, and the field that it is of. */
export interface Placed {
  at: number
  field: Field
}

/**
 * Somebody has said several things in one line, `ETH BTC below 2400`: each of them as a line of its own, those that were said
 * together together. `filled` are the words that were taken, `more` those for which there was no room.
 */
export function severalLines(
  said: readonly string[],
  filled: readonly Placed[],
  more: readonly Placed[],
): { why: string; lines: string[][] } {
  const extra = (name: string, turn: number) => more.filter(({ field }) => field.name === name)[turn - 1]
  const turns = Math.max(
    ...more.map(({ field: { name } }) => more.filter((one) => one.field.name === name).length),
  )
  const left = new Set(more.map(({ at }) => at))
  const lines = Array.from({ length: turns + 1 }, (_, turn) =>
    said.flatMap((word, at) => {
      if (left.has(at)) return []
      const place = filled.find((one) => one.at === at)
      const other = place && extra(place.field.name, turn)
      return [other ? (said[other.at] ?? word) : word]
    }),
  )
  const [first] = more
  const before = first && filled.find(({ field }) => field === first.field)
  const names = [before, first].map((place) => `“${saidBack(said[place?.at ?? -1] ?? '')}”`)
  return { why: `One at a time: ${names.join(' or ')}? Say each by itself.`, lines }
}
