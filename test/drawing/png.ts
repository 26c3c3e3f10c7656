import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'

import { initWasm, Resvg } from '@resvg/resvg-wasm'

import { pngOf } from '../../src/drawing/png.ts'
import { FONT, readFonts, svgOf } from '../../src/drawing/svg.ts'
import type { DrawingOrder } from '../../src/message/picture.ts'

const { files, faces } = readFonts()
const font = { fontBuffers: [...files], loadSystemFonts: false, defaultFontFamily: FONT }
let started: Promise<unknown> | null = null

/** What draws is started once in a process, or it refuses. */
export function startResvg(): Promise<unknown> {
  const file = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')
  return (started ??= initWasm(readFileSync(file)))
}

/** The picture of an order, as the thread draws it, but so many pixels wide. */
export async function drawnAt(width: number, order: DrawingOrder): Promise<Uint8Array> {
  await startResvg()
  const renderer = new Resvg(svgOf(order, faces), { font, fitTo: { mode: 'width', value: width } })
  const image = renderer.render()
  const png = pngOf(image)
  image.free()
  renderer.free()
  return png
}

/** Size, colours and pixels. Machines pack the same ones differently. */
export function pixelsIn(png: Uint8Array): Buffer {
  const bytes = Buffer.from(png)
  const parts: Buffer[] = []
  for (let at = 8; at < bytes.length;) {
    const [length, name] = [bytes.readUInt32BE(at), bytes.toString('latin1', at + 4, at + 8)]
    const content = bytes.subarray(at + 8, at + 8 + length)
    parts.push(name === 'IDAT' ? inflateSync(content) : content)
    at += 12 + length
  }
  return Buffer.concat(parts)
}
