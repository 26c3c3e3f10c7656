import { pack } from '../../lib/data/packed.ts'

/** Figures of one market as they come in: wall time, price, and funding as a fraction per day. */
export interface Figures {
  at: number
  price: number
  rate: number
}

/** The records of a market since its hour began; the first `kept` of them are on the disk already. */
export interface OpenSeries {
  columns: number[][]
  kept: number
}

/** Each price, in three columns. */
export const PRICE_COLUMNS = 3
/** When its minute began, the first, the highest, the lowest and the last price, and the last rate. */
export const BAR_COLUMNS = 6

const MINUTE_MS = 60_000
/** Prices may be pushed many times a second: one so soon after another is kept where it has moved by a ten thousandth. */
const SOON_MS = 500
const MOVED = 1e-4

export function openSeries(columns: number): OpenSeries {
  return { columns: Array.from({ length: columns }, () => []), kept: 0 }
}

export function lengthOf({ columns: [first = [] as number[]] }: OpenSeries): number {
  return first.length
}

export function addRow({ columns }: OpenSeries, row: readonly number[]): void {
  for (const [index, column] of columns.entries()) column.push(row[index] ?? 0)
}

export function packed({ columns }: OpenSeries, from = 0): Uint8Array {
  return pack(from === 0 ? columns : columns.map((column) => column.slice(from)))
}

export function addPrice(series: OpenSeries, { at, price, rate }: Figures): void {
  const [times = [], prices = []] = series.columns
  const [lastAt, last] = [times.at(-1), prices.at(-1)]
  const soon = lastAt !== undefined && Math.abs(at - lastAt) < SOON_MS
  if (soon && last !== undefined && Math.abs(price - last) < MOVED * last) return
  addRow(series, [at, price, rate])
}

/** The minute that goes on. */
export interface Bar {
  since: number
  row: number[]
}

/** Takes a figure into its bar; the bar before it is handed out when a new one begins. */
export function addToBar(bar: Bar | undefined, { at, price, rate }: Figures): { bar: Bar; done: Bar | null } {
  const since = Math.floor(at / MINUTE_MS) * MINUTE_MS
  if (bar?.since !== since)
    return { bar: { since, row: [since, price, price, price, price, rate] }, done: bar ?? null }
  const [, first = price, highest = price, lowest = price] = bar.row
  bar.row = [since, first, Math.max(highest, price), Math.min(lowest, price), price, rate]
  return { bar, done: null }
}
