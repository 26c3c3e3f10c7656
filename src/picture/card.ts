import { chart, toneOfPlot } from './chart.ts'
import { type Frame, type FrameStyle, framed } from './frame/frame.ts'
import type { Plot } from './plot.ts'

/** A picture of one position or market as data: words and figures come ready in the reader's language. */
export interface Card extends Pick<Frame, 'simulated' | 'facts' | 'foot' | 'maker'> {
  /** `BTC` and `long`. The name comes from a venue, so the font may lack its characters. */
  name: string
  side: string
  /** Below it: `1.5`, `BTC`, `$142k`, and the name that a person gave its wallet. */
  about: { size: string; value: string; label: string }
  /** `2.8`, `%`, and one or two lines: `from liquidation`, `$2,671 away`. */
  near: Omit<Frame['near'], 'tone'>
  /** The colour of the figure is that of the chart. */
  plot: Plot
}

/**
 * The SVG of a card, 1080 pixels wide: the chart of the position inside the frame of all pictures. The same data give the
 * same SVG.
 */
export function card({ name, side, about, near, plot, ...rest }: Card, style: FrameStyle): string {
  const { size, value, label } = about
  const frame: Frame = {
    ...rest,
    title: { name, behind: side },
    about: { parts: [{ figure: size, name }, { figure: value }], label },
    near: { ...near, tone: toneOfPlot(plot) },
  }
  return framed(frame, style, (place) => chart(plot, place, 'chart'))
}
