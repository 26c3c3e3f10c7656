import type { Card } from './card.ts'
import type { Plot } from './plot.ts'
import { isInside, leastSpan } from './scale.ts'

/** Columns of the chart, without the prices beside it, and its rows. Each row has an upper and a lower half. */
const WIDTH = 40
const ROWS = 9
const HALVES = 2 * ROWS

/**
 * A card as lines for a terminal, of the same data as its drawing: the chart in half blocks, and the words around it. At
 * most about 60 columns, unless names or figures are longer. The same data give the same lines.
 */
export function blocks({ simulated, name, side, about, near, plot, facts, foot }: Card): string[] {
  const { size, value, label } = about
  const held = [size === '' ? '' : `${size} ${name}`, value, label].filter((part) => part !== '')
  const title = [`${name} ${side}`.trim(), ...held].join(' · ')
  const danger = [`${near.figure}${near.unit}`, near.lines.join(' · ')]
    .filter((part) => part !== '')
    .join(' ')
  return [
    ...(simulated === null ? [] : [simulated]),
    ...[title, danger, ''],
    ...chartRows(plot),
    times(plot),
    factsLine(facts),
    foot,
  ]
}

/** `PnL −$4,496 · liq. BTC long: 4.1% away`. */
export function factsLine(facts: Card['facts']): string {
  return facts
    .map(({ label, name = '', figure }) =>
      name === '' ? `${label} ${figure}` : `${label} ${name}: ${figure}`,
    )
    .join(' · ')
}

/** Below the left edge and the last point. */
function times({ text, gaps }: Plot): string {
  const ends = text.since + text.until.padStart(Math.max(WIDTH - text.since.length, text.until.length + 1))
  return gaps.length === 0 ? ends : `${ends}  ${UNSEEN} ${text.notSeen}`
}

const UNSEEN = '░'

function chartRows(plot: Plot): string[] {
  const { side, price, liquidation, zero, text } = plot
  const columns = columnsOf(plot)
  const known = columns.flatMap((column) => (column === null ? [] : [column.low, column.high]))
  const last = price ?? known.at(-1) ?? liquidation ?? 0
  const range = { low: Math.min(last, ...known), high: Math.max(last, ...known) }
  const near = isInside({ side, liquidation }, last, range) ? liquidation : null
  const shown = [last, ...known, ...(near === null ? [] : [near]), ...(zero ? [0] : [])]
  const [least, most] = [Math.min(...shown), Math.max(...shown)]
  const room =
    Math.max(
      (zero?.leastSpan ?? leastSpan(last, liquidation !== null && near === null)) - (most - least),
      0,
    ) / 2
  const [bottom, top] = [least - room, most + room]
  const half = (figure: number) =>
    top === bottom ? ROWS : Math.round(((figure - bottom) / (top - bottom)) * (HALVES - 1))
  const rowOf = (figure: number) => Math.floor(half(figure) / 2)

  const line = near !== null ? rowOf(near) : zero ? rowOf(0) : null
  const isBeyond = (row: number) =>
    near !== null && line !== null && (side === 'long' ? row < line : row > line)
  const tags = tagsOf(price === null ? null : { row: rowOf(price), text: text.price }, {
    row: line ?? (side === 'long' ? 0 : ROWS - 1),
    text: zero ? zero.text : liquidation === null ? '' : farMark(near !== null, side) + text.liquidation,
  })
  return Array.from({ length: ROWS }, (_, at) => {
    const row = ROWS - 1 - at
    const cells = columns.map((column) => {
      if (column === null) return UNSEEN
      const [low, high] = [half(column.low), half(column.high)]
      const [lower, upper] = [2 * row, 2 * row + 1].map((one) => one >= low && one <= high)
      if (lower && upper) return '█'
      if (lower || upper) return lower ? '▄' : '▀'
      return row === line ? '─' : isBeyond(row) ? '╱' : ' '
    })
    return `${cells.join('')} ${tags.get(row) ?? ''}`.trimEnd()
  })
}

/** Liquidation that lies outside of the chart, below it or above. */
function farMark(isNear: boolean, side: Plot['side']): string {
  return isNear ? '' : side === 'long' ? '↓ ' : '↑ '
}

/** The prices beside their rows. Two in one row are pushed apart. */
function tagsOf(
  price: { row: number; text: string } | null,
  other: { row: number; text: string },
): ReadonlyMap<number, string> {
  if (other.text === '') return new Map(price ? [[price.row, price.text]] : [])
  if (price?.row !== other.row)
    return new Map([[other.row, other.text], ...(price ? [[price.row, price.text] as const] : [])])
  const aside = other.row > 0 ? other.row - 1 : other.row + 1
  return new Map([
    [price.row, price.text],
    [aside, other.text],
  ])
}

/**
 * The lowest and highest price of each column, so that a wick stays, joined to the column before. Null: nothing was seen
 * there. Before the first price of the record, columns are null as well.
 */
function columnsOf({
  times: at,
  prices,
  gaps,
  since,
  until,
  price,
}: Plot): ({ low: number; high: number } | null)[] {
  const span = Math.max(until - since, 1)
  const columnOf = (time: number) =>
    Math.min(Math.max(Math.floor(((time - since) / span) * WIDTH), 0), WIDTH - 1)
  const own: number[][] = Array.from({ length: WIDTH }, () => [])
  for (const [place, time] of at.entries()) {
    const figure = prices[place]
    if (figure !== undefined && time >= since && time <= until) own[columnOf(time)]?.push(figure)
  }
  if (price !== null) own[WIDTH - 1]?.push(price)
  const isUnseen = (column: number) => {
    const middle = since + ((column + 0.5) * span) / WIDTH
    return gaps.some((gap) => gap.since <= middle && middle < gap.until)
  }
  let before: number | null = null
  return own.map((figures, column) => {
    const isGap = figures.length === 0 && isUnseen(column)
    if (isGap || (figures.length === 0 && before === null)) {
      before = null
      return null
    }
    const all: number[] = before === null ? figures : [before, ...figures]
    before = figures.at(-1) ?? before
    return { low: Math.min(...all), high: Math.max(...all) }
  })
}
