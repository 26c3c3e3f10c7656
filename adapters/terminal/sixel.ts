import type { Pixels } from './pixels.ts'

/** Each character is a column of six pixels: https://vt100.net/docs/vt3xx-gp/chapter14.html */
const BAND = 6
/** Stands for six pixels that stay as they are. */
const NOTHING = 63
/** A shorter run takes no less room as a count. */
const SHORTEST_RUN = 4

/** Pixels as a device control string. All of them are set. The same pixels give the same string. */
export function sixelsOf(pixels: Pixels): string {
  const { width, height, places, palette } = pixels
  const registers = [...new Set(places)]
    .toSorted((a, b) => a - b)
    .map((place) => `#${place};2;${(palette[place] ?? [0, 0, 0]).map(percent).join(';')}`)
  const bands: string[] = []
  for (let top = 0; top < height; top += BAND) bands.push(bandAt(top, pixels))
  // Square pixels; below the last row nothing is painted.
  return `\u001BP0;1;0q"1;1;${width};${height}${registers.join('')}${bands.join('-')}\u001B\\`
}

/** The rows of a band, one colour over the other. */
function bandAt(top: number, { width, height, places }: Pixels): string {
  const ofColours = new Map<number, Uint8Array>()
  for (let row = 0; row < BAND && top + row < height; row += 1) {
    let before = -1
    let columns: Uint8Array = new Uint8Array(0)
    for (let column = 0; column < width; column += 1) {
      const place = places[(top + row) * width + column] ?? 0
      if (place !== before) {
        columns = ofColours.get(place) ?? new Uint8Array(width)
        ofColours.set(place, columns)
        before = place
      }
      columns[column] = (columns[column] ?? 0) | (1 << row)
    }
  }
  return [...ofColours].map(([place, columns]) => `#${place}${runsOf(columns)}`).join('$')
}

/** Columns as characters, runs of the same as counts. Empty columns at the end are left out. */
function runsOf(columns: Uint8Array): string {
  const runs: string[] = []
  let end = columns.length
  while (columns[end - 1] === 0) end -= 1
  for (let at = 0; at < end;) {
    const column = columns[at] ?? 0
    let next = at + 1
    while (next < end && columns[next] === column) next += 1
    const character = String.fromCharCode(NOTHING + column)
    const count = next - at
    runs.push(count < SHORTEST_RUN ? character.repeat(count) : `!${count}${character}`)
    at = next
  }
  return runs.join('')
}

function percent(of255: number): number {
  return Math.round((of255 * 100) / 255)
}
