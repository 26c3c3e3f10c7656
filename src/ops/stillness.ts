/**
 * How long nothing has moved, as seen by somebody who looks every `lookEveryMs`. Who was stopped as well (a signal, a
 * frozen container, a laptop that slept) has seen none of that time: a look counts for no more than two of its periods.
 */
export function createStillness(lookEveryMs: number): (beats: number, tick: number) => number {
  let last: { beats: number; tick: number } | null = null
  let stillMs = 0
  return (beats, tick) => {
    const passedMs = last === null ? 0 : Math.min(tick - last.tick, 2 * lookEveryMs)
    stillMs = last?.beats === beats ? stillMs + passedMs : 0
    last = { beats, tick }
    return stillMs
  }
}
