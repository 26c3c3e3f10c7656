import { html, type TemplateResult } from 'lit-html'

import type { OpenPosition } from '../../../../src/chat/holdings.ts'
import type { Plot } from '../../../../src/picture/plot.ts'
import type { Reader } from '../reader.ts'
import { type Open, type Span, SPANS } from '../state.ts'
import type { Course } from '../wire.ts'
import type { Screen } from './view.ts'

/** The chart of a position with its choice of spans. Its room is kept while prices are on their way. */
export function chartOf(position: OpenPosition, open: Open, screen: Screen): TemplateResult {
  const { reader, act } = screen
  const course = screen.course(position.market)
  const names = {
    hour: reader.say('pageui.chart.hour'),
    day: reader.say('pageui.chart.day'),
    week: reader.say('pageui.chart.week'),
  }
  return html`<div class="chart">${chartBody(position, course, open, screen)}</div>
    <div class="spans" role="group" aria-label=${reader.say('pageui.chart.span')}>
      ${(Object.keys(SPANS) as Span[]).map(
        (span) =>
          html`<button
            class="bare"
            aria-pressed=${open.span === span ? 'true' : 'false'}
            @click=${() => act.show(span)}
          >
            ${names[span]}
          </button>`,
      )}
    </div>`
}

function chartBody(
  position: OpenPosition,
  course: Course | 'busy' | null,
  open: Open,
  screen: Screen,
): unknown {
  const { reader, draw } = screen
  if (course === 'busy') return html`<p class="quiet">${reader.say('pageui.chart.busy')}</p>`
  if (course === null) return html`<p class="quiet" aria-busy="true"></p>`
  const plot = plotOf(position, course, open, reader)
  if (plot.prices.length === 0) return html`<p class="quiet">${reader.say('pageui.chart.empty')}</p>`
  const drawn = draw(position.key, plot)
  drawn.setAttribute('role', 'img')
  drawn.setAttribute('aria-label', description(plot, reader))
  return drawn
}

/** The recorded prices, with the newest one behind them. */
function plotOf(position: OpenPosition, course: Course, open: Open, reader: Reader): Plot {
  const { side, price, liquidation, tiers, key } = position
  const { glance } = open
  const readAt = glance?.prices.at ?? course.until
  const isNewer = price !== null && readAt > (course.times.at(-1) ?? 0)
  const times = isNewer ? [...course.times, readAt] : course.times
  const prices = isNewer ? [...course.prices, price] : course.prices
  const until = Math.max(course.until, times.at(-1) ?? 0)
  // A record that has only begun fills the whole width.
  const since = Math.max(course.since, Math.min(times[0] ?? until, until - 60_000))
  return {
    ...{
      side,
      times,
      prices,
      gaps: course.gaps.filter((gap) => gap.until > since),
      since,
      until,
      price,
      liquidation,
    },
    tiers: tiers.map(({ at, severity }) => ({ at, severity, text: reader.figure(at, 'threshold') })),
    marks: (glance?.firing ?? [])
      .filter((alert) => alert.subject === key && alert.since > since)
      .map((alert) => ({ at: alert.since, severity: alert.severity, text: reader.clock(alert.since) })),
    text: {
      price: reader.figure(price, 'price'),
      liquidation: reader.figure(liquidation, 'price'),
      since: reader.clock(since),
      until: reader.clock(until),
      notSeen: reader.say('pageui.chart.not-seen'),
    },
  }
}

/** The chart in words, for somebody who cannot see it. */
function description({ prices, text }: Plot, { say, figure }: Reader): string {
  return say('pageui.chart.name', {
    since: text.since,
    low: figure(Math.min(...prices), 'price'),
    high: figure(Math.max(...prices), 'price'),
    price: text.price,
    liquidation: text.liquidation,
  })
}
