import { html, nothing, type TemplateResult } from 'lit-html'

import type { OpenPosition, StandingAlert } from '../../../../src/chat/holdings.ts'
import { toneOf } from '../../../../src/picture/style.ts'
import { LIVE_MS, type Reader } from '../reader.ts'
import { opensChart, type Open } from '../state.ts'
import { alertRow } from './alert.ts'
import { chartOf } from './chart.ts'
import type { Screen } from './view.ts'

/** A position: how near it is, how it came to that, three figures, and its alerts with what can be done. */
export function positionCard(position: OpenPosition, at: number, open: Open, screen: Screen): TemplateResult {
  const { reader, act } = screen
  const { key, wallet, symbol, side, size, value, distance, tiers, readAt } = position
  const alerts = (open.glance?.firing ?? []).filter(({ subject }) => subject === key)
  const isOpen = opensChart(open, key, at, screen.columns)
  const tone = toneOf(distance, tiers)
  const staleMs = open.glance?.prices.staleMs ?? Infinity
  const readMs = reader.ageMs(readAt)
  return html`<article class="card ${tone}" aria-label=${cardName(position, reader)}>
    <header>
      <div class="what">
        <h2>${reader.say('pageui.side', { symbol, side })}</h2>
        <p class="quiet">
          ${[
            reader.say('pageui.size', { size: reader.figure(size, 'quantity'), symbol }),
            value === null ? '' : reader.figure(value, 'usd'),
            wallet,
          ]
            .filter((part) => part !== '')
            .join(' · ')}
        </p>
      </div>
      ${distanceFigure(position, reader)}
    </header>
    ${isOpen ? chartOf(position, open, screen) : nothing}
    <dl class="figures">
      ${figure(reader.say('pageui.pnl'), reader.figure(position.pnl, 'signed-usd'))}
      ${figure(reader.say('pageui.entry'), reader.figure(position.entry, 'price'))}
      ${figure(reader.say('pageui.funding'), reader.figure(position.fundingPerDay, 'signed-usd'))}
    </dl>
    ${readMs > Math.max(staleMs, LIVE_MS) ? html`<p class="quiet">${reader.say('pageui.read', { age: reader.figure(readMs, 'age') })}</p>` : nothing}
    ${alerts.map((alert) => alertRow(alert, open, screen, false))}
    <div class="foot">
      <button
        class="bare"
        aria-expanded=${isOpen ? 'true' : 'false'}
        @click=${() => act.toggleChart(key, !isOpen)}
      >
        ${isOpen ? reader.say('pageui.chart.hide') : reader.say('pageui.chart.show')}
      </button>
    </div>
  </article>`
}

function distanceFigure(
  { distance, liquidation, price }: OpenPosition,
  { say, figure }: Reader,
): TemplateResult {
  if (distance === null) {
    const why = price === null ? say('pageui.unseen') : say('pageui.no-liquidation')
    return html`<div class="away">
      <strong>${say('pageui.none')}</strong
      ><span class="quiet">${liquidation === null ? say('pageui.no-liquidation') : why}</span>
    </div>`
  }
  return html`<div class="away">
    <strong>${figure(Math.abs(distance), 'distance')}</strong>
    <span class="quiet">${distance < 0 ? say('pageui.past') : say('pageui.to-liquidation')}</span>
  </div>`
}

/** Distance and side come first: somebody who listens may hear no more. */
function cardName(
  { distance, liquidation, side, symbol, wallet }: OpenPosition,
  { say, figure }: Reader,
): string {
  const which = { side, symbol, wallet }
  if (distance === null)
    return liquidation === null ? say('pageui.card.none', which) : say('pageui.card.unseen', which)
  const away = { ...which, distance: figure(Math.abs(distance), 'distance') }
  return distance < 0 ? say('pageui.card.past', away) : say('pageui.card.name', away)
}

function figure(name: string, value: string): TemplateResult {
  return html`<div>
    <dt class="quiet">${name}</dt>
    <dd>${value}</dd>
  </div>`
}

/** Alerts that are about no position on the page, such as those on a market. */
export function otherAlerts(open: Open): StandingAlert[] {
  const keys = new Set(open.glance?.positions.map(({ key }) => key))
  return (open.glance?.firing ?? []).filter(({ subject }) => !keys.has(subject))
}
