import { html, nothing, type TemplateResult } from 'lit-html'
import { repeat } from 'lit-html/directives/repeat.js'

import type { OpenPosition, StandingAlert } from '../../../../src/chat/holdings.ts'
import type { Reader } from '../reader.ts'
import type { Open } from '../state.ts'
import { reply } from './message.ts'
import type { Screen } from './view.ts'

/** A card for each alert. */
export function alertCards(alerts: readonly StandingAlert[], open: Open, screen: Screen): TemplateResult {
  return html`<div class="cards">
    ${repeat(
      alerts,
      ({ alertId }) => alertId,
      (one) =>
        html`<article class="card ${one.severity}" aria-label=${one.about}>
          ${alertRow(one, open, screen, true)}
        </article>`,
    )}
  </div>`
}

/** An alert that is on: since when, what somebody said to it, and what can be done. Ack is loud on critical ones alone. */
export function alertRow(
  alert: StandingAlert,
  open: Open,
  screen: Screen,
  isTitled: boolean,
): TemplateResult {
  const { alertId, severity, subject, about, heed } = alert
  const { reader } = screen
  const place = `A${alertId}`
  const button = (label: string, line: string, kind = '') =>
    html`<button
      class=${kind}
      @click=${() => screen.act.say(place, line)}
      aria-label=${reader.say('pageui.alert.do', { label, id: String(alertId), about })}
    >
      ${label}
    </button>`
  const isWaiting = heed.is === 'waiting'
  const isLoud = isWaiting && severity === 'critical'
  const position = open.glance?.positions.find(({ key }) => key === subject)
  return html`<section class="alert" aria-label=${reader.say('pageui.alert.name', { id: String(alertId) })}>
    ${isTitled ? html`<h3>${about}</h3>` : nothing}
    ${isTitled && position ? awayText(position, reader) : nothing}
    <p class="quiet">${place} · ${heedText(alert, open.name, reader)}</p>
    <div class="buttons">
      ${isWaiting ? button(reader.say('alert.button.ack'), `/ack A${alertId}`, isLoud ? 'loud' : '') : nothing}
      ${button(reader.say('pageui.alert.snooze'), `/snooze A${alertId}`)}
      ${position ? button(reader.say('alert.button.ways'), `/fix A${alertId}`) : nothing}
      ${button(reader.say('alert.button.why'), `/why A${alertId}`)}
    </div>
    ${reply(place, screen, open.answers.get(place), true)}
  </section>`
}

function awayText({ distance }: OpenPosition, { say, figure }: Reader): TemplateResult | typeof nothing {
  if (distance === null) return nothing
  const towards = distance < 0 ? say('pageui.past') : say('pageui.to-liquidation')
  return html`<p><strong>${figure(Math.abs(distance), 'distance')}</strong> ${towards}</p>`
}

function heedText({ severity, since, heed }: StandingAlert, own: string, { say, clock }: Reader): string {
  const begun = say('pageui.alert.since', { severity, time: clock(since) })
  if (heed.is === 'waiting') return begun
  const { until } = heed
  const by = heed.by === own ? say('pageui.you') : heed.by
  const said =
    until === null
      ? heed.is === 'acknowledged'
        ? say('pageui.alert.acknowledged', { by })
        : say('pageui.alert.snoozed', { by })
      : heed.is === 'acknowledged'
        ? say('pageui.alert.acknowledged.until', { by, time: clock(until) })
        : say('pageui.alert.snoozed.until', { by, time: clock(until) })
  return `${begun} · ${said}`
}
