import { type Text, words } from '../message/message.ts'
import type {
  DayPicture,
  DrawingOrder,
  MarketPicture,
  PositionPicture,
  PublicPicture,
} from '../message/picture.ts'
import type { Card } from '../picture/card.ts'
import type { Plot } from '../picture/plot.ts'
import { dayCard } from './day-card.ts'
import { publicCard } from './public-card.ts'
import { aroundOf, footOf, parted, type Writer, writerOf } from './writer.ts'

/** No less than a minute fills the width. */
const SHORTEST_MS = 60_000

/** The card of an order in the reader's words, number style and zone. */
export function cardOf(order: DrawingOrder<Prices | DayPicture>): Card {
  const { picture, reader, course } = order
  const { since, until } = picture
  const write = writerOf(reader)
  // A record that has only begun fills the width.
  const start = Math.max(since, Math.min(course.times[0] ?? until, until - SHORTEST_MS))
  const drawn = { ...course, gaps: course.gaps.filter((gap) => gap.until > start) }
  const span = { since: start, until }
  return {
    ...(picture.is === 'day'
      ? dayCard(picture, drawn, span, write)
      : pricesCard(picture, drawn, span, write)),
    ...aroundOf(order, write),
  }
}

type Prices = PositionPicture | MarketPicture | PublicPicture

function pricesCard(
  picture: Prices,
  course: DrawingOrder['course'],
  { since, until }: Pick<Plot, 'since' | 'until'>,
  write: Writer,
): Omit<Card, 'simulated' | 'maker'> {
  const { say, figure, clock } = write
  const { price, priceName, old } = picture
  const isPosition = picture.is === 'position'
  const entry = picture.is === 'public' ? picture.entry : null
  const liquidation = isPosition ? picture.liquidation : null
  const plot: Plot = {
    ...course,
    side: picture.is === 'market' ? 'long' : picture.side,
    ...{ since, until, price, liquidation },
    ...(entry !== null && { entry: { price: entry, text: say(words('card.entry')) } }),
    ...(old?.what === 'price' && {
      priceAt: Math.max(until - old.ms, since, course.times.at(-1) ?? since),
    }),
    tiers: isPosition ? picture.tiers.map((tier) => ({ ...tier, text: figure(tier.at, 'threshold') })) : [],
    marks: isPosition ? picture.marks.map((mark) => ({ ...mark, text: clock(mark.at, until) })) : [],
    text: {
      price: figure(price, 'price'),
      liquidation: figure(liquidation, 'price'),
      since: clock(since, until),
      until: clock(until, until),
      notSeen: say(words('card.not-seen')),
    },
  }
  const time = write.day(until)
  return {
    ...partOf(picture, plot, write),
    name: picture.symbol,
    plot,
    foot: footOf(
      picture,
      priceName === null ? time : say(words('card.price', { time, name: priceName })),
      time,
      write,
    ),
  }
}

type Part = Pick<Card, 'side' | 'about' | 'near' | 'facts'>

function partOf(picture: Prices, plot: Plot, write: Writer): Part {
  switch (picture.is) {
    case 'position':
      return positionCard(picture, plot, write)
    case 'market':
      return marketCard(picture, plot, write)
    case 'public':
      return publicCard(picture, write)
  }
}

function positionCard(picture: PositionPicture, plot: Plot, write: Writer): Part {
  const { say, figure } = write
  const { side, size, value, wallet, pnl, entry, fundingPerDay } = picture
  return {
    side: say(words('card.side', { side })),
    about: {
      size: size === null ? '' : figure(size, 'quantity'),
      value: value === null ? '' : figure(value, 'usd'),
      label: wallet,
    },
    near: nearness(picture, write),
    facts:
      size === null
        ? extremes(plot, write)
        : [
            { label: say(words('card.pnl')), figure: figure(pnl, 'signed-usd') },
            { label: say(words('card.entry')), figure: figure(entry, 'price') },
            { label: say(words('card.funding')), figure: figure(fundingPerDay, 'signed-usd') },
          ],
  }
}

/** The figures that everybody may know: how far the price has moved. */
function extremes(plot: Plot, { say, figure }: Writer): Card['facts'] {
  const all = plot.price === null ? plot.prices : [...plot.prices, plot.price]
  const [low, high] = all.length === 0 ? [null, null] : [Math.min(...all), Math.max(...all)]
  return [
    { label: say(words('card.low')), figure: figure(low, 'price') },
    { label: say(words('card.high')), figure: figure(high, 'price') },
  ]
}

function nearness(picture: PositionPicture, { say, figure, clock }: Writer): Card['near'] {
  const { price, liquidation, distance, old, until } = picture
  const told = (key: 'none' | 'unseen' | 'past', ...more: Text[]) => ({
    figure: say(words(`card.${key}`)),
    unit: '',
    lines: [words(`card.${key}.lines`), ...more].map(say),
  })
  if (liquidation === null) return told('none')
  if (price === null || distance === null) return told('unseen')
  // An old figure has its time beside it.
  const seen = old ? words('card.seen-at', { time: clock(until - old.ms, until) }) : null
  if (distance < 0) return told('past', seen ?? words('card.still-open'))
  const amount = figure(Math.abs(price - liquidation), 'price')
  return {
    ...parted(figure(distance, 'distance')),
    lines: [words('card.from-liquidation'), seen ?? words('card.away', { amount })].map(say),
    before: say(words('card.to-liquidation')),
  }
}

/** A market has no danger: its large figure is the price. */
function marketCard(picture: MarketPicture, plot: Plot, write: Writer): Part {
  const { say, figure } = write
  const [first] = plot.prices
  const change = plot.price === null || !first ? null : plot.price / first - 1
  const unseen = plot.price === null
  return {
    side: '',
    about: {
      ...{ size: '', label: '' },
      value:
        change === null
          ? ''
          : say(words('card.change', { change: figure(change, 'signed-percent'), since: plot.text.since })),
    },
    near: {
      figure: unseen ? say(words('card.unseen')) : figure(plot.price, 'price'),
      unit: '',
      lines: unseen ? [say(words('card.unseen.lines'))] : [],
    },
    facts: [
      ...extremes(plot, write),
      { label: say(words('card.funding')), figure: figure(picture.ratePerDay, 'signed-percent') },
    ],
  }
}
