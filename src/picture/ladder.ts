import { type Frame, type FrameStyle, framed, knownName } from './frame/frame.ts'
import { dots, element, hatch, stroked } from './markup.ts'
import { bar, below, dotted, labelled, type Row } from './bars.ts'
import type { Style } from './style.ts'

/** How far prices may move until accounts are liquidated. Words and figures come ready in the reader's language. */
export interface Ladder extends Omit<Frame, 'title'> {
  /** `If`, and `BTC` with `−8%`; the symbol is empty for all prices. */
  title: { before: string; moves: readonly { symbol: string; move: string }[]; hasMore: boolean }
  /** The first to be liquidated first, and not empty. */
  accounts: readonly AccountBar[]
  /** `and 4 more`; null: those are all. */
  more: string | null
  /** Below the bars, as parts of the moves: `0%`, `−5%`, `−10%`. The first ones matter most. */
  ticks: readonly { at: number; text: string }[]
}

interface AccountBar extends Row {
  /** The part of the moves at which it is liquidated: 0 is past already, 1 is at their end. */
  ends: number | 'holds' | 'unknown'
}

/** Danger is to be seen first. */
const SAFE = '.55'
/** Where dotted lines cross the bars. */
const QUARTERS = [0, 0.25, 0.5, 0.75, 1]

/** The SVG of a ladder: a bar for each account, from the present prices to its liquidation, and hatched beyond it. */
export function ladder({ accounts, more, ticks, title, ...rest }: Ladder, style: FrameStyle): string {
  const shown = accounts.map((one) => ({ ...one, name: knownName(one.name, style) }))
  const moves = title.moves.map(({ symbol, move }) => ({ symbol: knownName(symbol, style), move }))
  const frame = { ...rest, title: { before: title.before, ...titleOf(moves, title.hasMore) } }
  return framed(frame, style, (place) => body(shown, more, ticks, place))
}

/** `BTC −8%, ETH −12%`, or fewer of the moves. No move is cut: half of a figure would be another figure. */
function titleOf(moves: Ladder['title']['moves'], hasMore: boolean): Omit<Frame['title'], 'before'> {
  const first = (count: number) => {
    const more = hasMore || count < moves.length ? ', …' : ''
    const [{ symbol, move } = { symbol: '', move: '' }] = moves
    if (count <= 1) return { name: symbol, behind: `${move}${more}` }
    const named = moves.slice(0, count).map((one) => `${one.symbol} ${one.move}`.trim())
    return { name: `${named.join(', ')}${more}`, behind: '' }
  }
  const shorter = moves.map((_, at) => first(moves.length - 1 - at)).slice(0, -1)
  return { ...first(moves.length), shorter }
}

function body(
  accounts: readonly AccountBar[],
  more: string | null,
  ticks: Ladder['ticks'],
  style: Style,
): string {
  const { palette, sizes } = style
  const { bars, labels } = labelled(accounts, more, style)
  const { left, right, ys, height } = bars
  const x = (part: number) => left + (right - left) * Math.min(Math.max(part, 0), 1)
  return [
    element(
      'defs',
      {},
      [...new Set(accounts.map(({ tone }) => tone))]
        .map((tone) => hatch(`ladder-${tone}`, colourOf(tone, palette), palette.ground, sizes.label / 12))
        .join(''),
    ),
    ...QUARTERS.map((part) => dotted(x(part), bars, style)),
    ...accounts.map((one, at) => drawnBar(one, x, ys[at] ?? 0, height, style)),
    labels,
    below(
      ticks.map(({ at, text }) => ({ text, x: x(at) })),
      bars,
      style,
    ),
  ].join('')
}

function drawnBar(
  { ends, tone }: AccountBar,
  x: (part: number) => number,
  y: number,
  height: number,
  style: Style,
): string {
  const { palette, sizes } = style
  const unit = sizes.label / 12
  if (ends === 'holds') return bar(x(0), x(1), y, height, palette.secondary, SAFE)
  if (ends === 'unknown') {
    const field = { top: y - height / 2, bottom: y + height / 2 }
    return dots([{ from: x(0), to: x(1) }], field, palette.secondary, unit)
  }
  const at = x(ends)
  return [
    bar(at, x(1), y, height, `url(#ladder-${tone})`),
    ends > 0 ? bar(x(0), at, y, height, palette.secondary, SAFE) : '',
    stroked(['M', at, y - height / 2, 'V', y + height / 2], colourOf(tone, palette), 3 * unit),
  ].join('')
}

function colourOf(tone: Row['tone'], palette: Style['palette']): string {
  return tone === 'calm' ? palette.secondary : palette[tone]
}
