import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { DrawingOrder } from '../message/picture.ts'
import { card } from '../picture/card.ts'
import type { FrameStyle } from '../picture/frame/frame.ts'
import { funding } from '../picture/funding.ts'
import { ladder } from '../picture/ladder.ts'
import type { Weight } from '../picture/style.ts'
import { type Typeface, typefaceOf } from '../picture/typeface.ts'
import { cardOf } from './card-data.ts'
import { fundingOf } from './funding-data.ts'
import { ladderOf } from './ladder-data.ts'

export const FONT = 'Inter'
const FILES: Record<Weight, string> = {
  500: '@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf',
  700: '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf',
}

export interface Fonts {
  files: readonly Uint8Array[]
  faces: Readonly<Record<Weight, Typeface>>
}

/** Reads both fonts. Throws where a file is missing. */
export function readFonts(): Fonts {
  const { resolve } = createRequire(import.meta.url)
  const [medium, bold] = [readFileSync(resolve(FILES[500])), readFileSync(resolve(FILES[700]))]
  return { files: [medium, bold], faces: { 500: typefaceOf(medium), 700: typefaceOf(bold) } }
}

/** The SVG of an order. The same order gives the same SVG. */
export function svgOf(order: DrawingOrder, faces: Fonts['faces']): string {
  const { picture, format, reader } = order
  const style: FrameStyle = {
    ...{ format, theme: reader.theme, font: FONT },
    measure: (text, size, weight) => faces[weight].measure(text, size),
    has: (text) => faces[500].has(text) && faces[700].has(text),
  }
  if (picture.is === 'ladder') return ladder(ladderOf({ ...order, picture }), style)
  if (picture.is === 'funding') return funding(fundingOf({ ...order, picture }), style)
  return card(cardOf({ ...order, picture }), style)
}
