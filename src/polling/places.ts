import type { Owner } from '../owner.ts'
import type { OwnerDistance } from '../reading.ts'

/** A wallet that waits takes the place of one that is this much farther away, so that places do not change all the time. */
const CLEARLY_NEARER = 0.8

/**
 * Whom the venue is to tell about, the nearest to its end first. Whoever has a place keeps it, unless somebody who waits
 * has less than four fifths of its distance; then the farthest goes.
 */
export function placed(
  distances: readonly OwnerDistance[],
  before: readonly Owner[],
  places: number,
): Owner[] {
  const had = new Set(before)
  const ordered = distances.toSorted((a, b) => compare(a.distance, b.distance))
  const inside = ordered.filter(({ owner }) => had.has(owner)).slice(0, places)
  const waiting = ordered.filter(({ owner }) => !had.has(owner))
  inside.push(...waiting.splice(0, places - inside.length))
  for (const near of waiting) {
    const farthest = inside.toSorted((a, b) => compare(b.distance, a.distance))[0]
    if (!farthest || !isClearlyNearer(near.distance, farthest.distance)) break
    inside.splice(inside.indexOf(farthest), 1, near)
  }
  return inside.toSorted((a, b) => compare(a.distance, b.distance)).map(({ owner }) => owner)
}

/** What is past its end is no nearer than what is at it. */
function isClearlyNearer(near: number, far: number): boolean {
  return Math.max(near, 0) < Math.max(far, 0) * CLEARLY_NEARER
}

/** Infinities are equal. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b
}
