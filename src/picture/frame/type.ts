import { type Fitted, fitted, written } from '../markup.ts'
import type { Style, Tone, Weight } from '../style.ts'

/** The sizes of type, in pixels. Text that finds no room shrinks down to eleven twelfths of the smallest. */
export const SMALL = 36
export const MIDDLE = 48
export const LARGE = 72
export const HUGE = 232

export const WIDTH = 1080
export const INSET = 60
/** Between both insets. */
export const ACROSS = WIDTH - 2 * INSET
/** Between texts beside each other. */
export const APART = 30

/** A text by the lowest point of its capitals. */
export function put(
  text: Fitted,
  x: number,
  base: number,
  fill: string,
  anchor: 'start' | 'end' = 'start',
): string {
  return text.text === ''
    ? ''
    : written(text, { x, y: base - text.size * 0.36, ...(anchor === 'end' && { anchor }) }, fill)
}

/** The colour in which a figure is written. */
export function inkOf(tone: Tone, palette: Style['palette']): string {
  return tone === 'calm' ? palette.text : palette[tone]
}

/** Texts of one size, that of the longest. */
export function alike(
  all: readonly string[],
  size: number,
  weight: Weight,
  room: number,
  style: Style,
): Fitted[] {
  const least = Math.min(size, ...all.map((text) => fitted(text, size, weight, room, style).size))
  return all.map((text) => fitted(text, least, weight, room, style))
}
