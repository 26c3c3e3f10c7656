import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'

import { initWasm, Resvg } from '@resvg/resvg-wasm'

import type { DrawingOrder } from '../message/picture.ts'
import type { ThreadAnswer } from './drawing.ts'
import { pngOf } from './png.ts'
import { FONT, readFonts, svgOf } from './svg.ts'

/** Orders come here, and answers go. */
const port = parentPort
const { resolve } = createRequire(import.meta.url)
const fonts = readFonts()
const font = { fontBuffers: [...fonts.files], loadSystemFonts: false, defaultFontFamily: FONT }

function drawn(svg: string): Uint8Array {
  const renderer = new Resvg(svg, { font })
  try {
    const image = renderer.render()
    try {
      return pngOf(image)
    } finally {
      image.free()
    }
  } finally {
    // Without it the memory of each picture stays taken.
    renderer.free()
  }
}

const WARM_UP = `<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="1350" font-family="${FONT}">
<linearGradient id="a"><stop offset="0" stop-color="#fff" stop-opacity=".1"/></linearGradient>
<pattern id="b" width="9" height="9" patternUnits="userSpaceOnUse"><rect width="4" height="9"/></pattern>
<path d="M0 0L9 9V0Z" fill="url(#a)" stroke="#000" stroke-dasharray="1 2"/><rect width="99" height="99" fill="url(#b)"/>
<text y="99" font-size="232" font-weight="700">9</text><text y="99" font-weight="500">9</text></svg>`

function tell(answer: ThreadAnswer): void {
  // A buffer that is handed over is not copied.
  port?.postMessage(answer, answer.is === 'drawn' ? [answer.png.buffer as ArrayBuffer] : [])
}

await initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')))
// The first drawing takes much longer than all others: what it needs is compiled then.
drawn(WARM_UP)
port?.on('message', (order: DrawingOrder) => {
  try {
    tell({ is: 'drawn', png: drawn(svgOf(order, fonts.faces)) })
  } catch (error) {
    tell({ is: 'failed', why: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
tell({ is: 'ready' })
