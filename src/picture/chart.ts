import { lineThrough, markedOn, piecesOf, type Sample, samplesOf, wedgeTo } from './line.ts'
import { type Style, type Tone, toneOf } from './style.ts'
import { dots, element, hatch, stroked, written } from './markup.ts'
import type { Plot } from './plot.ts'
import { type Scale, scaleOf } from './scale.ts'
import { drawnTag, tagsOf, tierLabels } from './tags.ts'
import { severityColour, times } from './times.ts'

/** Between the end of the line and the tags, in units. */
const LEADER = 14.7

/**
 * The chart of one position, as the inner markup of an `<svg>` with the view box `0 0 width height`. The same data give
 * the same markup. It has no styles, because a page's policy may forbid them. `id`: letters and figures that no other
 * chart of the same document has.
 */
export function chart(plot: Plot, style: Style, id: string): string {
  const { palette, width, inset } = style
  const samples = samplesOf(plot)
  const scale = scaleOf(plot, samples, style)
  const { unit, bottom } = scale
  const away = awayOf(plot, samples)
  const tone = toneOf(away, plot.tiers)
  const colour = tone === 'calm' ? palette.secondary : palette[tone]

  const tags = tagsOf(plot, style, scale, tone)
  const tiers = tierLines(plot, away ?? 0, scale)
  const entry = plot.entry ? [{ y: scale.y(plot.entry.price), text: plot.entry.text }] : []
  const labels = tierLabels([...entry, ...tiers], tags, style, scale)
  const column = Math.max(0, ...tags.map((tag) => tag.width), ...labels.map(({ label }) => label.width))
  const beside = width - inset - column
  const end = beside - LEADER * unit

  const x = (time: number) => {
    const part = (time - plot.since) / (plot.until - plot.since || 1)
    return Math.min(Math.max(part, 0), 1) * end
  }
  const pieces = piecesOf(samples, plot.gaps, ({ at, price }) => ({ x: x(at), y: scale.y(price) }))
  const marks = markedOn(pieces, plot.marks, x)
  const gaps = plot.gaps
    .map(({ since, until }) => ({ from: x(since), to: x(until) }))
    .filter(({ from, to }) => from < to)
  const last = plot.price === null ? [] : [{ x: x(plot.priceAt ?? plot.until), y: scale.y(plot.price) }]

  const content = [
    definitions(style, scale, end, colour, id, lineThrough(pieces)),
    // It closes between the price and liquidation.
    scale.isNear &&
      element('path', { d: wedgeTo(scale.liquidation ?? 0, pieces), fill: `url(#${id}-wedge)` }),
    ...entry.map(({ y }) => entryLine(y, end, pieces, palette.secondary, unit, id)),
    ...tiers.map(({ y }) =>
      stroked(['M', 0, y, 'H', end], palette.secondary, unit, {
        'stroke-opacity': '.6',
        'stroke-dasharray': [unit, 4 * unit],
      }),
    ),
    ground(style, scale, end, colour, id),
    dots(gaps, { top: 0, bottom }, palette.secondary, unit),
    line(id, palette.ground, 5 * unit),
    line(id, palette.text, 2.3 * unit),
    // The first of them matters most: it lies above the others.
    ...marks
      .toReversed()
      .map((mark) => ring(mark, 4.7, palette.ground, severityColour(mark.severity, palette), 2.3, unit)),
    ...tags.map((tag) => drawnTag(tag, end, beside, style, scale)),
    ...last.map((point) => ring(point, 6, palette.text, palette.ground, 1.7, unit)),
    ...labels.map(({ label, y }) => written(label, { x: beside, y }, palette.secondary)),
    times(plot, gaps, marks, end, bottom + 12 * unit, style),
  ]
  return element('g', { 'font-family': style.font }, content.filter(Boolean).join(''))
}

/** The colour in which a chart says how near the position is. */
export function toneOfPlot(plot: Plot): Tone {
  return toneOf(awayOf(plot, samplesOf(plot)), plot.tiers)
}

/** The distance from liquidation by the last price: that nothing is seen any more is no reason to be calm. */
function awayOf({ side, liquidation }: Plot, samples: readonly Sample[]): number | null {
  const now = samples.at(-1)?.price
  if (now === undefined || liquidation === null) return null
  return (side === 'long' ? now - liquidation : liquidation - now) / now
}

/** The heights of the tiers inside the frame, the nearest to the price first: its label matters most. */
function tierLines(plot: Plot, away: number, { y, bottom }: Scale): { y: number; text: string }[] {
  const { liquidation, side, tiers, zero } = plot
  if (zero) return [{ y: y(0), text: zero.text }]
  if (liquidation === null) return []
  return tiers
    .toSorted((a, b) => Math.abs(a.at - away) - Math.abs(b.at - away))
    .map(({ at, text }) => ({ y: y(liquidation / (side === 'long' ? 1 - at : 1 + at)), text }))
    .filter((tier) => tier.y > 0 && tier.y < bottom)
}

function definitions(
  { palette }: Style,
  { unit }: Scale,
  end: number,
  colour: string,
  id: string,
  d: readonly (string | number)[],
): string {
  const stop = (offset: number, opacity: string) =>
    element('stop', { offset, 'stop-color': colour, 'stop-opacity': opacity })
  const level = { gradientUnits: 'userSpaceOnUse', x1: 0, x2: end, y1: 0, y2: 0 }
  const content = [
    element('path', { id: `${id}-line`, d }),
    element(
      'linearGradient',
      { id: `${id}-wedge`, ...level },
      stop(0, '.05') + stop(1, colour === palette.secondary ? '.2' : '.36'),
    ),
    hatch(`${id}-hatch`, colour, palette.ground, unit),
  ]
  return element('defs', {}, content.join(''))
}

/** The line of the entry price, and the ground between it and the prices: what was won or lost. */
function entryLine(
  y: number,
  end: number,
  pieces: Parameters<typeof wedgeTo>[1],
  stroke: string,
  unit: number,
  id: string,
): string {
  return (
    element('path', { d: wedgeTo(y, pieces), fill: `url(#${id}-wedge)` }) +
    stroked(['M', 0, y, 'H', end], stroke, unit, { 'stroke-dasharray': [6 * unit, 4 * unit] })
  )
}

/** Beyond liquidation: hatched, or the dashed edge behind which it lies. */
function ground({ width }: Style, scale: Scale, end: number, stroke: string, id: string): string {
  const { liquidation, unit, bottom, isNear, isDangerAbove } = scale
  if (liquidation === null) return ''
  if (!isNear) {
    const y = isDangerAbove ? unit / 2 : bottom - unit / 2
    return stroked(['M', 0, y, 'H', end], stroke, unit, { 'stroke-dasharray': [6 * unit, 4 * unit] })
  }
  const [y, to] = isDangerAbove ? [0, liquidation] : [liquidation, bottom]
  return (
    element('rect', { y, width, height: to - y, fill: `url(#${id}-hatch)` }) +
    stroked(['M', 0, liquidation, 'H', width], stroke, 2 * unit)
  )
}

function line(id: string, stroke: string, width: number): string {
  const round = { 'stroke-linejoin': 'round', 'stroke-linecap': 'round' }
  return element('use', { href: `#${id}-line`, fill: 'none', stroke, 'stroke-width': width, ...round })
}

function ring(
  { x, y }: { x: number; y: number },
  radius: number,
  fill: string,
  stroke: string,
  width: number,
  unit: number,
): string {
  return element('circle', { cx: x, cy: y, r: radius * unit, fill, stroke, 'stroke-width': width * unit })
}
