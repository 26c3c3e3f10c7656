import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'

import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { halved, type Pixels, pixelsOf } from '../../../adapters/terminal/pixels.ts'
import { sixelsOf } from '../../../adapters/terminal/sixel.ts'
import { pngOf } from '../../../src/drawing/png.ts'
import { message } from '../../../src/message/message.ts'
import { NEVER, sending, sitDown } from './sitting.ts'

type Colour = readonly number[]

/** What a terminal paints, by https://vt100.net/docs/vt3xx-gp/chapter14.html. Colours are percents. */
function painted(text: string) {
  // oxlint-disable-next-line no-control-regex -- a device control string
  const [, wide = '', high = '', data = ''] = /^\u001BP0;1;0q"1;1;(\d+);(\d+)(.*)\u001B\\$/s.exec(text) ?? []
  const [width, height] = [Number(wide), Number(high)]
  const colours: (Colour | undefined)[] = Array.from({ length: width * height })
  const registers = new Map<string, Colour>()
  let [row, column, register] = [0, 0, '']
  const token = /#(\d+)(?:;2;(\d+);(\d+);(\d+))?|!(\d+)([?-~])|([?-~$-])/gy
  let read = 0
  // Each pixel is painted once, and none outside.
  let faults = 0
  for (const [all, chosen, red, green, blue, count = '1', repeated, one] of data.matchAll(token)) {
    read += all.length
    if (chosen !== undefined) {
      register = chosen
      if (red !== undefined) registers.set(register, [red, green, blue].map(Number))
    } else if (one === '$') column = 0
    else if (one === '-') [row, column] = [row + 6, 0]
    else {
      const bits = (repeated ?? one ?? '?').charCodeAt(0) - 63
      for (let times = Number(count); times > 0; times -= 1) {
        for (let bit = 0; bit < 6; bit += 1) {
          if ((bits & (1 << bit)) === 0) continue
          const at = (row + bit) * width + column
          const isInside = column < width && row + bit < height
          if (!isInside || colours[at]) faults += 1
          colours[at] = registers.get(register)
        }
        column += 1
      }
    }
  }
  expect([read, faults]).toEqual([data.length, 0])
  return { width, height, colours, registers: registers.size }
}

const percents = (colour: Colour) => colour.map((part) => Math.round((part * 100) / 255))
const coloursOf = ({ places, palette }: Pixels) => [...places].map((place) => palette[place] ?? [])

const colour = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255))
const images: fc.Arbitrary<Pixels> = fc
  .record({
    palette: fc.uniqueArray(colour, { minLength: 1, maxLength: 256, selector: String }),
    width: fc.integer({ min: 1, max: 40 }),
    height: fc.integer({ min: 1, max: 20 }),
    runs: fc.array(fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 30 })), { minLength: 1 }),
  })
  .map(({ palette, width, height, runs }) => {
    const row = runs.flatMap(([place, count]) => Array.from({ length: count }, () => place % palette.length))
    const places = Uint8Array.from({ length: width * height }, (_, at) => row[at % row.length] ?? 0)
    return { width, height, places, palette }
  })

test('sixels paint each pixel once, in its colour, and are the same each time', () => {
  fc.assert(
    fc.property(images, (image) => {
      const text = sixelsOf(image)
      const { width, height, colours, registers } = painted(text)
      expect([width, height]).toEqual([image.width, image.height])
      expect(colours).toEqual(coloursOf(image).map(percents))
      expect(registers).toBe(new Set(image.places).size)
      expect(sixelsOf(image)).toBe(text)
    }),
  )
})

test('runs are counted', () => {
  const places = new Uint8Array(540 * 6)
  expect(sixelsOf({ width: 540, height: 6, places, palette: [[255, 0, 0]] })).toBe(
    '\u001BP0;1;0q"1;1;540;6#0;2;100;0;0#0!540~\u001B\\',
  )
})

test('the pixels of our PNG are those that were drawn', () => {
  fc.assert(
    fc.property(images, (image) => {
      const drawn = coloursOf(image)
      const png = pngOf({ ...image, pixels: new Uint8Array(drawn.flatMap((one) => [...one, 255])) })
      const read = pixelsOf(png)
      expect(read).toMatchObject({ width: image.width, height: image.height })
      expect(read && coloursOf(read)).toEqual(drawn)
    }),
  )
})

test('rows with a filter are not read', () => {
  const png = Buffer.from(pngOf({ width: 1, height: 1, pixels: new Uint8Array([1, 2, 3, 255]) }))
  const at = png.indexOf('IDAT')
  const packed = (filter: number) => {
    const rows = deflateSync(Uint8Array.of(filter, 0))
    const size = Buffer.alloc(4)
    size.writeUInt32BE(rows.length)
    return Buffer.concat([png.subarray(0, at - 4), size, Buffer.from('IDAT'), rows])
  }
  expect(pixelsOf(packed(0))?.places).toEqual(Uint8Array.of(0))
  expect(pixelsOf(packed(1))).toBeNull()
})

test('a half is made of the colours of the whole, each the nearest to the mean of its four', () => {
  const apart = (one: Colour, other: Colour) =>
    one.reduce((sum, part, at) => sum + (part - (other[at] ?? 0)) ** 2, 0)
  fc.assert(
    fc.property(images, (image) => {
      const half = halved(image)
      expect([half.width, half.height]).toEqual([Math.ceil(image.width / 2), Math.ceil(image.height / 2)])
      const whole = coloursOf(image)
      for (const [at, chosen] of coloursOf(half).entries()) {
        const [row, column] = [2 * Math.floor(at / half.width), 2 * (at % half.width)]
        const four = [0, 1].flatMap((down) =>
          [0, 1].map((right) => {
            const y = Math.min(row + down, image.height - 1)
            return whole[y * image.width + Math.min(column + right, image.width - 1)] ?? []
          }),
        )
        const mean = [0, 1, 2].map((part) =>
          Math.round(four.reduce((sum, one) => sum + (one[part] ?? 0), 0) / 4),
        )
        const least = Math.min(...image.palette.map((one) => apart(one, mean)))
        expect(apart(chosen, mean)).toBe(least)
      }
    }),
  )
})

test('a picture of ours is painted at half its size, below its words', async () => {
  const png = new Uint8Array(readFileSync(new URL('../../../docs/pictures/critical.png', import.meta.url)))
  const { terminal, after } = await sitDown({ tty: true, attributes: '\u001B[?62;4;22c' })
  const picture = { is: 'market', market: '100', symbol: 'BTC', since: 0, until: 1, price: 1 } as const
  const words = { ...picture, priceName: 'index', ratePerDay: 0, words: 'BTC: the last 6 h.' } as const
  const printed = await after(() =>
    terminal.deliver(sending(message([], { picture: words }), { picture: png }), NEVER),
  )
  const [said = '', drawn = ''] = printed.split('\u001BP')
  expect(said).toContain('BTC: the last 6 h.')
  const { width, height, colours } = painted(`\u001BP${drawn.slice(0, drawn.indexOf('\u001B\\') + 2)}`)
  const pixels = pixelsOf(png)
  if (!pixels) throw new Error('the picture has another form')
  expect([width, height]).toEqual([Math.ceil(pixels.width / 2), Math.ceil(pixels.height / 2)])
  expect(colours).toEqual(coloursOf(halved(pixels)).map(percents))
  await terminal.stop()
})
