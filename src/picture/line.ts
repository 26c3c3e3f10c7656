import type { Mark, Plot } from './plot.ts'

export interface Sample {
  at: number
  price: number
}

export interface Point {
  x: number
  y: number
}

/** The samples between the plot's times, the present price last. Prices that are no figures are left out. */
export function samplesOf({ times, prices, price, priceAt, since, until }: Plot): Sample[] {
  const recorded = times.map((at, index) => ({ at, price: prices[index] ?? Number.NaN }))
  const all = price === null ? recorded : [...recorded, { at: priceAt ?? until, price }]
  return all.filter((one) => one.at >= since && one.at <= until && Number.isFinite(one.price))
}

/** The pieces of the line of prices, cut where nothing was seen. */
export function piecesOf(
  samples: readonly Sample[],
  gaps: Plot['gaps'],
  place: (sample: Sample) => Point,
): Point[][] {
  const pieces: Point[][] = []
  let before = Number.NEGATIVE_INFINITY
  for (const sample of samples) {
    const isCut = gaps.some(({ since, until }) => since < sample.at && until > before)
    const piece = pieces.at(-1)
    if (!piece || isCut) pieces.push([place(sample)])
    else piece.push(place(sample))
    before = sample.at
  }
  return pieces
}

/** The `d` of one path through all pieces. */
export function lineThrough(pieces: readonly Point[][]): (string | number)[] {
  // A piece of one point is a dot: a stroke with round ends needs some length.
  return pieces.flatMap((piece) => [...through(piece), ...(piece.length === 1 ? ['h.1'] : [])])
}

/** The `d` of one path between all pieces and a height. */
export function wedgeTo(height: number, pieces: readonly Point[][]): (string | number)[] {
  return pieces.flatMap((piece) => [...through(piece), 'V', height, 'H', piece[0]?.x ?? 0, 'Z'])
}

function through(points: readonly Point[]): (string | number)[] {
  return ['M', ...points.flatMap(({ x, y }) => [x, y])]
}

/** The marks that lie on the line, each with its place there. */
export function markedOn(
  pieces: readonly Point[][],
  marks: readonly Mark[],
  x: (time: number) => number,
): (Mark & Point)[] {
  return marks.flatMap((mark) => {
    const at = x(mark.at)
    const y = heightAt(at, pieces)
    return y === null ? [] : [{ ...mark, x: at, y }]
  })
}

function heightAt(x: number, pieces: readonly Point[][]): number | null {
  for (const piece of pieces) {
    const next = piece.findIndex((point) => point.x >= x)
    const [from, to] = [piece[next - 1], piece[next]]
    if (to?.x === x) return to.y
    if (from && to) return from.y + ((to.y - from.y) * (x - from.x)) / (to.x - from.x)
  }
  return null
}
