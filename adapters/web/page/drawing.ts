import { chart } from '../../../src/picture/chart.ts'
import { PALETTES, type Style } from '../../../src/picture/style.ts'
import type { Plot } from '../../../src/picture/plot.ts'

const HEIGHT = 208
const FONT = 'system-ui, sans-serif'
const SVG = 'http://www.w3.org/2000/svg'

/** Draws charts of a width in pixels, each in an element that stays the same while its data do. */
export function createDrawing(): (key: string, plot: Plot, width: number) => Element {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const drawn = new Map<string, { markup: string; element: Element; id: string }>()
  const pen = document.createElement('canvas').getContext('2d')
  const parser = new DOMParser()
  const widths = new Map<string, number>()

  function measure(text: string, size: number, weight: number): number {
    const key = `${weight} ${size} ${text}`
    const known = widths.get(key)
    if (known !== undefined || pen === null) return known ?? text.length * size * 0.6
    pen.font = `${weight} ${size}px ${FONT}`
    const { width } = pen.measureText(text)
    if (widths.size > 1_000) widths.clear()
    widths.set(key, width)
    return width
  }

  return (key, plot, width) => {
    const palette = dark.matches ? { ...PALETTES.dark, ground: '#12161E' } : PALETTES.light
    const style: Style = {
      width,
      height: HEIGHT,
      inset: 0,
      palette,
      sizes: { label: 13, tag: 15 },
      font: FONT,
      measure,
    }
    const before = drawn.get(key)
    const id = before?.id ?? `chart${drawn.size}`
    const markup = chart(plot, style, id)
    if (before?.markup === markup) return before.element
    // Parsed as XML, so nothing in it can be a script of the page.
    const source = `<svg xmlns="${SVG}" viewBox="0 0 ${width} ${HEIGHT}">${markup}</svg>`
    const element = document.importNode(parser.parseFromString(source, 'image/svg+xml').documentElement, true)
    drawn.set(key, { markup, element, id })
    return element
  }
}
