/** The widths of a font's characters, so that a layout is known before anything is drawn. */
export interface Typeface {
  /** The width of a text, in the unit of `size`. Kerning and ligatures are left out. */
  measure(text: string, size: number): number
  /** Whether it can show each character of the text. */
  has(text: string): boolean
}

/**
 * Reads the tables `cmap` and `hmtx` of a TrueType font (https://learn.microsoft.com/typography/opentype/spec/). Throws
 * where the bytes are none, or have no Unicode table.
 */
export function typefaceOf(bytes: Uint8Array): Typeface {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tables = new Map<string, number>()
  for (let at = 12, left = view.getUint16(4); left > 0; left -= 1, at += 16) {
    tables.set(String.fromCharCode(...bytes.subarray(at, at + 4)), view.getUint32(at + 8))
  }
  const table = (name: string) => {
    const at = tables.get(name)
    if (at === undefined) throw new Error(`the font has no table ${name}`)
    return at
  }
  const [head, horizontal, metrics] = [table('head'), table('hhea'), table('hmtx')]
  const perEm = view.getUint16(head + 18)
  // The glyphs behind the last metric are as wide as that one.
  const lastMetric = view.getUint16(horizontal + 34) - 1
  const glyphs = glyphsOf(view, table('cmap'))
  const widthOf = (glyph: number) => view.getUint16(metrics + 4 * Math.min(glyph, lastMetric)) / perEm
  const widths = new Map([...glyphs].map(([code, glyph]) => [code, widthOf(glyph)]))
  const missing = widthOf(0)

  return {
    measure(text, size) {
      let sum = 0
      for (const character of text) sum += widths.get(character.codePointAt(0) ?? 0) ?? missing
      return sum * size
    },
    has: (text) =>
      [...text].every((character) => !UNSEEN.test(character) && widths.has(character.codePointAt(0) ?? 0)),
  }
}

/** Characters that draw nothing and may turn the order of others. */
const UNSEEN = /\p{C}/u

/** Platform 3 of `cmap` is Windows. Its encoding 10 knows all of Unicode, 1 the first 65,536 characters. */
const WINDOWS = 3

/** The glyph of each character, without those that stand for a missing one. */
function glyphsOf(view: DataView, cmap: number): Map<number, number> {
  const all = Array.from({ length: view.getUint16(cmap + 2) }, (_, index) => cmap + 4 + 8 * index)
  const windows = all.filter((at) => view.getUint16(at) === WINDOWS)
  const at = windows.find((one) => view.getUint16(one + 2) === 10) ?? windows[0]
  if (at === undefined) throw new Error('the font has no Unicode table')
  const start = cmap + view.getUint32(at + 4)
  const format = view.getUint16(start)
  if (format !== 4 && format !== 12) throw new Error(`the font has a table of format ${format}`)
  const pairs = format === 12 ? groups(view, start) : segments(view, start)
  return new Map([...pairs].filter(([, glyph]) => glyph !== 0))
}

function* groups(view: DataView, start: number): Iterable<[code: number, glyph: number]> {
  for (let group = 0; group < view.getUint32(start + 12); group += 1) {
    const at = start + 16 + 12 * group
    const [first, last, glyph] = [view.getUint32(at), view.getUint32(at + 4), view.getUint32(at + 8)]
    for (let code = first; code <= last; code += 1) yield [code, glyph + code - first]
  }
}

function* segments(view: DataView, start: number): Iterable<[code: number, glyph: number]> {
  const length = view.getUint16(start + 6)
  // Four lists of the same length: last codes (and two bytes of padding), first codes, differences, places.
  const [lasts, firsts] = [start + 14, start + 16 + length]
  for (let at = 0; at < length; at += 2) {
    const [first, last] = [view.getUint16(firsts + at), view.getUint16(lasts + at)]
    const difference = view.getUint16(firsts + length + at)
    const placeAt = firsts + 2 * length + at
    const place = view.getUint16(placeAt)
    for (let code = first; code <= last && code < 0xffff; code += 1) {
      const glyph = place === 0 ? code : view.getUint16(placeAt + place + 2 * (code - first))
      yield [code, glyph === 0 ? 0 : (glyph + difference) & 0xffff]
    }
  }
}
