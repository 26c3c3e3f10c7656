import { crc32, deflateSync } from 'node:zlib'

/** The colours of a palette: https://www.w3.org/TR/png-3/#11PLTE */
const MOST_COLOURS = 256
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const DEPTH_AND_KIND = [8, 3, 0, 0, 0]

/**
 * A PNG with a palette, a third as large as one with all colours. Pixels are red, green, blue and alpha, a byte each;
 * all are opaque. The most frequent 256 colours stay, and rarer ones become the nearest of them. The same pixels give the
 * same bytes.
 */
export function pngOf({
  pixels,
  width,
  height,
}: {
  pixels: Uint8Array
  width: number
  height: number
}): Uint8Array {
  const colours = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height)
  const palette = paletteOf(countsOf(colours))
  const rows = Buffer.alloc((width + 1) * height)
  let at = 0
  let before = -1
  let place = 0
  for (let row = 0; row < height; row += 1) {
    // Each row begins with its filter, which is none.
    at += 1
    for (let column = 0; column < width; column += 1) {
      const colour = colours[row * width + column] ?? 0
      if (colour !== before) place = palette.placeOf(colour)
      before = colour
      rows[at] = place
      at += 1
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set(DEPTH_AND_KIND, 8)
  const parts = [
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.kept.flatMap(partsOf))),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return new Uint8Array(Buffer.concat([SIGNATURE, ...parts]))
}

/** How often each colour stands in the pixels. Neighbours are mostly equal. */
function countsOf(colours: Uint32Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  let start = 0
  for (let at = 1; at <= colours.length; at += 1) {
    const colour = colours[start] ?? 0
    if (at < colours.length && colours[at] === colour) continue
    counts.set(colour, (counts.get(colour) ?? 0) + at - start)
    start = at
  }
  return counts
}

function paletteOf(counts: ReadonlyMap<number, number>) {
  const kept = [...counts]
    .toSorted(([a, manyA], [b, manyB]) => manyB - manyA || a - b)
    .slice(0, MOST_COLOURS)
    .map(([colour]) => colour)
  const places = new Map(kept.map((colour, place) => [colour, place]))
  return {
    kept,
    placeOf(colour: number): number {
      const place = places.get(colour) ?? nearest(colour, kept)
      places.set(colour, place)
      return place
    },
  }
}

function nearest(colour: number, kept: readonly number[]): number {
  const [red, green, blue] = partsOf(colour)
  let best = { place: 0, apart: Infinity }
  for (const [place, other] of kept.entries()) {
    const [otherRed, otherGreen, otherBlue] = partsOf(other)
    const apart = (red - otherRed) ** 2 + (green - otherGreen) ** 2 + (blue - otherBlue) ** 2
    if (apart < best.apart) best = { place, apart }
  }
  return best.place
}

/** Red, green and blue. The pixels are read as the machine orders its bytes, the lowest first. */
function partsOf(colour: number): [number, number, number] {
  return [colour & 255, (colour >>> 8) & 255, (colour >>> 16) & 255]
}

function chunk(name: string, content: Uint8Array): Buffer {
  const whole = Buffer.alloc(content.length + 12)
  whole.writeUInt32BE(content.length, 0)
  whole.write(name, 4, 'latin1')
  whole.set(content, 8)
  whole.writeUInt32BE(crc32(whole.subarray(4, content.length + 8)), content.length + 8)
  return whole
}
