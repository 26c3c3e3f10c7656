import { FARTHEST } from '../lib/text/format.ts'
import { dayTime } from '../lib/time/daytime.ts'
import { type Text, words } from '../message/message.ts'
import type { DayPicture, DrawingOrder } from '../message/picture.ts'
import type { Card } from '../picture/card.ts'
import type { Plot } from '../picture/plot.ts'
import { toneOf } from '../picture/style.ts'
import type { Writer } from './writer.ts'

/** A chart of a day spans at least this much of the positions' worth: a calm day must not look like a crash. */
const LEAST_SPAN = 0.012

/** The PnL of a day as a course from zero, and how near the nearest position is now. */
export function dayCard(
  picture: DayPicture,
  course: DrawingOrder['course'],
  { since, until }: Pick<Plot, 'since' | 'until'>,
  write: Writer,
): Omit<Card, 'simulated' | 'maker'> {
  const { say, figure, clock, zone, locale } = write
  const { pnl, worth, marks, isWhole } = picture
  const time = dayTime(until, zone, locale)
  const text = { since: clock(since, until), until: clock(until, until) }
  return {
    name: say(words('card.day')),
    side: '',
    about: { size: '', value: say(words('card.day.prices', { since: text.since })), label: '' },
    near: {
      figure: pnl === null ? say(words('card.unseen')) : figure(pnl, 'signed-usd'),
      unit: '',
      lines: pnl === null ? [say(words('card.unseen.lines'))] : [],
    },
    plot: {
      ...course,
      ...{ side: 'long', since, until, price: pnl, liquidation: null, tiers: [] },
      zero: { text: figure(0, 'price'), leastSpan: worth * LEAST_SPAN },
      // Each time of the clock is there once.
      marks: marks.map((mark) => ({ ...mark, text: clock(mark.at, mark.at) })),
      text: {
        ...text,
        price: figure(pnl, 'signed-usd'),
        liquidation: '',
        notSeen: say(words('card.not-seen')),
      },
    },
    facts: [
      { label: say(words('card.day.funding')), figure: `≈ ${figure(picture.funding, 'signed-usd')}` },
      { label: say(words('card.day.alerts')), figure: say(alertsText(picture)) },
      nearest(picture, write),
    ],
    foot: isWhole ? time : say(words('card.day.partly', { time })),
  }
}

function alertsText({ fired: { critical, warning, info } }: DayPicture): Text {
  const all = String(critical + warning + info)
  if (critical === 0) return all
  const told = { critical: String(critical) }
  return warning + info === 0
    ? words('card.day.all-critical', told)
    : words('card.day.critical', { ...told, all })
}

function awayText(distance: number, amount: string): Text {
  if (distance < 0) return words('card.past')
  return distance < FARTHEST ? words('card.away', { amount }) : words('card.far')
}

/** The name of the position may be cut; how near it is may not. */
function nearest({ nearest: one }: DayPicture, { say, figure }: Writer): Card['facts'][number] {
  const label = say(words('card.day.nearest'))
  if (one === null) return { label, figure: say(words('card.unknown')) }
  const { symbol, side, distance, tiers } = one
  return {
    label,
    name: `${symbol} ${say(words('card.side', { side }))}`,
    figure: say(awayText(distance, figure(distance, 'distance'))),
    tone: toneOf(distance, tiers),
  }
}
