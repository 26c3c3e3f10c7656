/**
 * Finds the candidate most likely meant, ignoring case. Prefers one that starts with the typed text, then the one with
 * the fewest edits. At most a third of its length may differ, but one edit is always allowed.
 */
export function nearest(typed: string, candidates: readonly string[]): string | null {
  const wanted = typed.toLowerCase().slice(0, 64)
  if (wanted === '') return null
  const starting = candidates.find((candidate) => candidate.toLowerCase().startsWith(wanted))
  if (starting !== undefined) return starting
  let best: { candidate: string; edits: number } | null = null
  for (const candidate of candidates) {
    const needed = edits(wanted, candidate.toLowerCase())
    const allowed = Math.max(1, Math.floor(Math.max(candidate.length, wanted.length) / 3))
    if (needed <= allowed && (!best || needed < best.edits)) best = { candidate, edits: needed }
  }
  return best?.candidate ?? null
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
export function edits(a: string, b: string): number {
  let twoAgo: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let fewest = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        fewest = Math.min(fewest, (twoAgo[column - 2] ?? 0) + 1)
      }
      current.push(fewest)
    }
    twoAgo = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
