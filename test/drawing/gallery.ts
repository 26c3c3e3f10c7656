import type { DrawingOrder } from '../../src/message/picture.ts'

/** A picture of docs/pictures.md. */
interface Shown {
  /** Its file, without `.png`. */
  file: string
  /** Its name in recorded.jsonl, where it is another one. */
  of?: string
  /** What one sees. */
  caption: string
  reader?: Partial<DrawingOrder['reader']>
  format?: DrawingOrder['format']
}

const light = { reader: { theme: 'light' } } as const
const german = { reader: { language: 'de', numbers: '1.234,5' } } as const
const strip = { format: 'strip' } as const

/** Sections of the page, in their order. */
/* oxfmt-ignore */
export const GALLERY: Readonly<Record<string, readonly Shown[]>> = {
  'Near liquidation': [
    { file: 'critical', of: 'critical-2', caption: 'A critical alert. The ring is where the alert began.' },
    { file: 'critical-light', of: 'critical-2', caption: 'The same with `/settings theme light`.', ...light },
    { file: 'critical-german', of: 'critical-2', caption: 'The same in German, with German figures.', ...german },
    { file: 'critical-first', of: 'critical-1', caption: 'A minute and a half earlier: 5% away.' },
    { file: 'warning', caption: 'Amber: within 10%.' },
    { file: 'all-tiers', caption: 'Four tiers passed in twelve minutes. A tier whose label finds no room has its line alone.' },
    { file: 'jump', caption: 'A price that jumps over three tiers at once.' },
    { file: 'past', caption: 'Past its liquidation price, before the venue liquidates it.' },
    { file: 'past-short', of: 'short', caption: 'A short past its liquidation price: the danger is above.' },
    { file: 'past-short-light', of: 'short', caption: 'The same in the light theme.', ...light },
  ],
  'Far from it, or without it': [
    { file: 'far', caption: 'Liquidation is outside of the frame: a dashed edge, and a tag with an arrow.' },
    { file: 'far-light', of: 'far', caption: 'The same in the light theme.', ...light },
    { file: 'no-liquidation', caption: 'The venue names no liquidation price.' },
    { file: 'calm', caption: 'A calm hour looks calm.' },
    { file: 'recovered', caption: 'Safe again: neither amber nor red.' },
  ],
  'What was not seen': [
    { file: 'one-sample', caption: 'One sample: watched for a few seconds.' },
    { file: 'gap', caption: 'The venue gave no answer for six minutes.' },
    { file: 'unseen', caption: 'It still gives none: the last line says how old the price is.' },
  ],
  'Names and figures': [
    { file: 'tiny-price', caption: '$0.00001234.' },
    { file: 'large-price', caption: '$1,234,567.' },
    { file: 'wide-label', caption: 'A wallet with a name of 24 wide characters. The name gives way, figures never do.' },
    { file: 'right-to-left', caption: 'The wallet has an Arabic name. The font lacks its characters, so the words of the message carry it.' },
    { file: 'tiny-price-german', of: 'tiny-price', caption: 'A tiny price in German.', ...german },
  ],
  'Several at once': [
    { file: 'strip', of: 'critical-2', caption: 'Several pictures at once are strips.', ...strip },
    { file: 'strip-far', of: 'far', caption: 'A strip of a position far from liquidation.', ...strip },
    { file: 'strip-light', of: 'large-price', caption: 'A strip in the light theme.', ...strip, ...light },
  ],
  'A day, and a position for others': [
    { file: 'day', caption: 'Behind the daily digest: what prices did to the positions since the last one.' },
    { file: 'day-light', of: 'day', caption: 'The same in the light theme.', ...light },
    { file: 'public', caption: '`/card SOL`: without wallet, size or money.' },
    { file: 'public-german', of: 'public', caption: 'The same in German.', ...german },
  ],
  Markets: [
    { file: 'market', caption: '`/chart ETH 1h`.' },
    { file: 'wick', caption: '`/chart ETH`: a wick of a minute keeps its whole length.' },
    { file: 'market-light', of: 'market-hour', caption: '`/chart BTC 1h` in the light theme.', ...light },
  ],
  'All that you hold': [
    { file: 'ladder', caption: '`/shock all -10%`: how far prices may fall until each account is liquidated.' },
    { file: 'ladder-mixed', caption: '`/shock BTC -8% ETH -12%`: different moves are counted as parts of the way.' },
    { file: 'ladder-holds', caption: '`/shock all +10%`: nothing is liquidated, in the light theme.', ...light },
    { file: 'funding', caption: '`/funding`: who pays to the left, who receives to the right.' },
    { file: 'funding-german', of: 'funding', caption: 'The same in German, in the light theme.', reader: { ...german.reader, theme: 'light' } },
  ],
}
