import { Buffer } from 'node:buffer'
import { inflateSync } from 'node:zlib'

type Colour = readonly [red: number, green: number, blue: number]

/** Pixels as places in a palette, row by row. Colours go from 0 to 255. */
export interface Pixels {
  width: number
  height: number
  places: Uint8Array
  palette: readonly Colour[]
}

const HEADER_AT = 16
/** Eight bits a pixel, in a palette, not interlaced. */
const FORM = '\u0008\u0003\u0000\u0000\u0000'

/** Reads a PNG of the form in which Perch draws: with a palette, and rows without filters. Null: it has another form. */
export function pixelsOf(png: Uint8Array): Pixels | null {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  if (bytes.toString('latin1', HEADER_AT + 8, HEADER_AT + 13) !== FORM) return null
  const width = bytes.readUInt32BE(HEADER_AT)
  const height = bytes.readUInt32BE(HEADER_AT + 4)
  const rows = inflateSync(chunk(bytes, 'IDAT'))
  const places = new Uint8Array(width * height)
  for (let row = 0; row < height; row += 1) {
    const from = row * (width + 1)
    if (rows[from] !== 0) return null
    places.set(rows.subarray(from + 1, from + 1 + width), row * width)
  }
  const colours = chunk(bytes, 'PLTE')
  const palette = Array.from({ length: colours.length / 3 }, (_, place): Colour => {
    const [red = 0, green = 0, blue = 0] = colours.subarray(3 * place)
    return [red, green, blue]
  })
  return { width, height, places, palette }
}

/** Half as wide and high: each pixel is the mean of four, in the nearest colour of the palette. */
export function halved({ width, height, places, palette }: Pixels): Pixels {
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) }
  const small = new Uint8Array(half.width * half.height)
  const nearest = new Map<number, number>()
  const placeOf = (four: readonly number[]): number => {
    const [red, green, blue] = [0, 1, 2].map((part) => {
      const sum = four.reduce((total, place) => total + (palette[place]?.[part] ?? 0), 0)
      return Math.round(sum / four.length)
    }) as [number, number, number]
    const key = (red << 16) | (green << 8) | blue
    const place = nearest.get(key) ?? nearestTo([red, green, blue], palette)
    nearest.set(key, place)
    return place
  }
  for (let row = 0; row < half.height; row += 1) {
    const upper = 2 * row * width
    const lower = Math.min(2 * row + 1, height - 1) * width
    for (let column = 0; column < half.width; column += 1) {
      const left = 2 * column
      const right = Math.min(left + 1, width - 1)
      const a = places[upper + left] ?? 0
      const b = places[upper + right] ?? 0
      const c = places[lower + left] ?? 0
      const d = places[lower + right] ?? 0
      // Most of a picture is even ground.
      small[row * half.width + column] = a === b && a === c && a === d ? a : placeOf([a, b, c, d])
    }
  }
  return { ...half, places: small, palette }
}

function nearestTo([red, green, blue]: Colour, palette: readonly Colour[]): number {
  let best = { place: 0, apart: Infinity }
  for (const [place, [otherRed, otherGreen, otherBlue]] of palette.entries()) {
    const apart = (red - otherRed) ** 2 + (green - otherGreen) ** 2 + (blue - otherBlue) ** 2
    if (apart < best.apart) best = { place, apart }
  }
  return best.place
}

/** The content of the first chunk of that name: https://www.w3.org/TR/png-3/#5Chunk-layout */
function chunk(png: Buffer, name: string): Buffer {
  let at = 8
  while (at < png.length && png.toString('latin1', at + 4, at + 8) !== name) at += png.readUInt32BE(at) + 12
  return at < png.length ? png.subarray(at + 8, at + 8 + png.readUInt32BE(at)) : Buffer.alloc(0)
}
