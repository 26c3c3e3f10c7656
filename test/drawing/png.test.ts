import { crc32, inflateSync } from 'node:zlib'

import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { pngOf } from '../../src/drawing/png.ts'

type Colour = readonly [number, number, number]

/** Reads a PNG with a palette and without filters. Checks the sums of all parts. */
function read(png: Uint8Array) {
  const bytes = Buffer.from(png)
  expect([...bytes.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const content = bytes.subarray(at + 8, at + 8 + length)
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(bytes.subarray(at + 4, at + 8 + length)))
    chunks.set(bytes.toString('latin1', at + 4, at + 8), content)
    at += 12 + length
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND'])
  const [header, palette, packed] = ['IHDR', 'PLTE', 'IDAT'].map(
    (name) => chunks.get(name) ?? Buffer.alloc(0),
  )
  const [width = 0, height = 0] = [header?.readUInt32BE(0), header?.readUInt32BE(4)]
  expect([...(header?.subarray(8) ?? [])]).toEqual([8, 3, 0, 0, 0])
  const rows = inflateSync(packed ?? '')
  expect(rows).toHaveLength((width + 1) * height)
  const colours = Array.from({ length: width * height }, (_, pixel): Colour => {
    const [row, column] = [Math.floor(pixel / width), pixel % width]
    expect(rows[row * (width + 1)]).toBe(0)
    const place = 3 * (rows[row * (width + 1) + 1 + column] ?? 0)
    return [palette?.[place] ?? -1, palette?.[place + 1] ?? -1, palette?.[place + 2] ?? -1]
  })
  return { width, height, colours, kept: (palette?.length ?? 0) / 3 }
}

const pixelsOf = (colours: readonly Colour[]) => new Uint8Array(colours.flatMap((colour) => [...colour, 255]))

const BLACK: Colour = [0, 0, 0]
const byte = fc.nat(255)
const colour: fc.Arbitrary<Colour> = fc.tuple(byte, byte, byte)

test('a picture of 256 colours or fewer keeps each pixel', () => {
  const image = fc
    .tuple(fc.integer({ min: 1, max: 20 }), fc.array(colour, { minLength: 1, maxLength: 256 }))
    .map(([width, colours]): { width: number; height: number; colours: Colour[] } => {
      const height = Math.ceil(colours.length / width)
      const filled = Array.from({ length: width * height }, (_, at) => colours[at % colours.length] ?? BLACK)
      return { width, height, colours: filled }
    })
  fc.assert(
    fc.property(image, ({ width, height, colours }) => {
      const png = pngOf({ width, height, pixels: pixelsOf(colours) })
      expect(read(png)).toMatchObject({ width, height, colours })
      expect(Buffer.from(pngOf({ width, height, pixels: pixelsOf(colours) })).equals(png)).toBe(true)
    }),
  )
})

test('of more colours the rarest become the nearest of the others', () => {
  const greys = Array.from({ length: 256 }, (_, level): Colour => [level, level, level])
  const colours: Colour[] = [...greys, ...greys, [10, 12, 10], [255, 250, 255]]
  const shown = read(pngOf({ width: 514, height: 1, pixels: pixelsOf(colours) }))
  expect(shown.kept).toBe(256)
  expect(shown.colours.slice(0, 512)).toEqual(colours.slice(0, 512))
  expect(shown.colours.slice(512)).toEqual([
    [11, 11, 11],
    [253, 253, 253],
  ])
})
