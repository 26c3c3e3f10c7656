import type { Weight } from '../../src/picture/style.ts'

/** A rectangle in a picture. */
export interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

export interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  /** The text directly inside, as it is read. */
  text: string
  /** The names of the elements around it, the outermost first. */
  inside: readonly string[]
}

/** Reads markup as strictly as XML is read: throws at a tag that is not closed and at a character that is not escaped. */
export function elementsOf(markup: string): Element[] {
  const elements: Element[] = []
  const open: { name: string; text: string; at: number }[] = []
  let at = 0
  while (at < markup.length) {
    const [, name, written = '', isClosed] = startsWith(START, markup, at) ?? []
    const [whole, ended] = startsWith(END, markup, at) ?? []
    const [text] = startsWith(TEXT, markup, at) ?? []
    if (name !== undefined) {
      const inside = open.map((one) => one.name)
      elements.push({ name, attributes: attributesOf(written), text: '', inside })
      if (!isClosed) open.push({ name, text: '', at: elements.length - 1 })
      at += (startsWith(START, markup, at)?.[0] ?? '').length
    } else if (whole !== undefined) {
      const closed = open.pop()
      if (closed?.name !== ended) throw new Error(`${closed?.name} is closed by ${ended}`)
      at += whole.length
    } else if (text) {
      const around = open.at(-1)
      const element = elements[around?.at ?? -1]
      if (!element) throw new Error(`a text outside: ${text}`)
      element.text += unescaped(text)
      at += text.length
    } else {
      throw new Error(`not markup: ${markup.slice(at, at + 60)}`)
    }
  }
  if (open.length > 0) throw new Error(`${open.at(-1)?.name} is not closed`)
  return elements
}

const ESCAPE = '&#\\d+;'
const START = new RegExp(`<([a-zA-Z]+)((?: [a-zA-Z0-9-]+="(?:[^<>&"]|${ESCAPE})*")*)(/?)>`, 'y')
const END = /<\/([a-zA-Z]+)>/y
const TEXT = new RegExp(`(?:[^<>&]|${ESCAPE})+`, 'y')

function startsWith(pattern: RegExp, markup: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(markup)
}

function attributesOf(written: string): Record<string, string> {
  const pairs = [...written.matchAll(/ ([a-zA-Z0-9-]+)="([^"]*)"/g)]
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, unescaped(value)]))
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

/** As wide as in a font in which some characters are wide. The real fonts differ: layout must hold for each. */
export function measure(text: string, size: number, weight: Weight): number {
  const widths = [...text].map((character) => {
    if (/[\u1100-\uFFFF]|[\u{10000}-\u{10FFFF}]/u.test(character)) return 1
    return /[.,:'il |]/.test(character) ? 0.29 : 0.62
  })
  return widths.reduce((sum, width) => sum + width, 0) * size * (weight === 700 ? 1.05 : 1)
}

/** The box of a `<text>`, from the top of its capitals to below its longest letters. */
export function boxOfText({ attributes, text }: Element, measured = measure): Box {
  const size = Number(attributes['font-size'])
  const width = measured(text, size, Number(attributes['font-weight']) as Weight)
  const [x, y] = [Number(attributes['x']), Number(attributes['y'])]
  const anchor = attributes['text-anchor'] ?? 'start'
  const left = x - (anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0)
  return { left, right: left + width, top: y - size * 0.73, bottom: y + size * 0.22 }
}

export function boxOfRect({ attributes }: Element): Box {
  const [left, top] = [Number(attributes['x'] ?? 0), Number(attributes['y'] ?? 0)]
  return {
    left,
    right: left + Number(attributes['width']),
    top,
    bottom: top + Number(attributes['height']),
  }
}

export function boxOfCircle({ attributes }: Element): Box {
  const [x, y, r] = [Number(attributes['cx']), Number(attributes['cy']), Number(attributes['r'])]
  return { left: x - r, right: x + r, top: y - r, bottom: y + r }
}

/** The box of a `<path>` of straight lines. */
export function boxOfPath({ attributes }: Element): Box {
  const points = pointsOf(attributes['d'] ?? '')
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

/** The corners of a path. It knows `M` and `L` with pairs, and `H`, `V`, `h`, `Z`. */
export function pointsOf(d: string): { x: number; y: number }[] {
  const points: { x: number; y: number }[] = []
  let [x, y] = [0, 0]
  for (const [, letter = '', rest = ''] of d.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const numbers = rest.trim() ? rest.trim().split(' ').map(Number) : []
    if (!'MLHVhZ'.includes(letter)) throw new Error(`unknown in a path: ${letter}`)
    if (letter === 'Z') continue
    if (letter === 'M' || letter === 'L') {
      for (let at = 0; at < numbers.length; at += 2) {
        ;[x, y] = [numbers[at] ?? Number.NaN, numbers[at + 1] ?? Number.NaN]
        points.push({ x, y })
      }
      continue
    }
    const [only = Number.NaN] = numbers
    if (letter === 'h') x += only
    else if (letter === 'H') x = only
    else y = only
    points.push({ x, y })
  }
  return points
}

/** Whether two boxes share more than an edge. */
export function overlap(one: Box, other: Box): boolean {
  return (
    one.left < other.right - TENTH &&
    other.left < one.right - TENTH &&
    one.top < other.bottom - TENTH &&
    other.top < one.bottom - TENTH
  )
}

export function isInside(one: Box, frame: Box): boolean {
  return (
    one.left >= frame.left - TENTH &&
    one.right <= frame.right + TENTH &&
    one.top >= frame.top - TENTH &&
    one.bottom <= frame.bottom + TENTH
  )
}

/** Coordinates are rounded to a tenth. */
const TENTH = 0.15
