import { html, nothing, type TemplateResult } from 'lit-html'
import { repeat } from 'lit-html/directives/repeat.js'

import { LIVE_MS, type Reader } from '../reader.ts'
import { type Open, type Part, PARTS, type State } from '../state.ts'
import { alertCards } from './alert.ts'
import { door } from './door.ts'
import { reply } from './message.ts'
import { morePart } from './more.ts'
import { otherAlerts, positionCard } from './position.ts'
import { rulesPart } from './rules.ts'
import type { Glance } from '../wire.ts'
import type { Screen } from './view.ts'

/** The whole page. `silentMs`: since when nothing has come from Perch; null while it is heard. */
export function page(state: State, screen: Screen, silentMs: number | null): TemplateResult | typeof nothing {
  if (state.is === 'starting') return nothing
  if (state.is === 'door') return door(state, screen)
  return html`${banners(state, screen, silentMs)}
    <header class="top">
      <div>
        <h1>${screen.reader.say('pageui.title')}</h1>
        <p class="quiet">${screen.reader.say('pageui.whose', { name: state.name })}</p>
      </div>
      ${freshness(state, screen.reader)}
    </header>
    <nav aria-label=${screen.reader.say('pageui.go.label')}>
      ${PARTS.map((part) => link(part, state, screen))}
    </nav>
    <main>${reply('news', screen, state.answers.get('news'), true)} ${partOf(state, screen)}</main>`
}

function partOf(open: Open, screen: Screen): TemplateResult {
  if (open.part === 'alerts') return rulesPart(open, screen)
  if (open.part === 'history')
    return html`<div class="card">${reply('history', screen, open.answers.get('history'), false)}</div>`
  if (open.part === 'more') return morePart(open, screen)
  return positionsPart(open, screen)
}

function link(part: Part, open: Open, { reader }: Screen): TemplateResult {
  const names = {
    positions: reader.say('pageui.go.positions'),
    alerts: reader.say('pageui.go.alerts'),
    history: reader.say('pageui.go.history'),
    more: reader.say('pageui.go.more'),
  }
  return html`<a href=${`#${part}`} aria-current=${open.part === part ? 'page' : nothing}>${names[part]}</a>`
}

/** Says above all else that what is shown is old, not real, or not kept. */
function banners(
  { glance, isElsewhere }: Open,
  { reader, act }: Screen,
  silentMs: number | null,
): TemplateResult {
  const { say, figure, clock } = reader
  return html`${glance?.simulated ? html`<p class="bar">${say('pageui.simulated')}</p>` : nothing}
    <div role="alert">
      ${
        isElsewhere
          ? html`<p class="bar old">
              ${say('pageui.elsewhere')}
              <button @click=${() => act.goOnHere()}>${say('pageui.elsewhere.here')}</button>
            </p>`
          : nothing
      }
      ${silentMs === null || isElsewhere ? nothing : html`<p class="bar old">${say('pageui.old', { age: figure(silentMs, 'age') })}</p>`}
      ${
        glance?.failure
          ? html`<p class="bar failure">
              ${say('pageui.unsaved', { time: clock(glance.failure.since), why: glance.failure.why })}
            </p>`
          : nothing
      }
    </div>`
}

function freshness({ glance }: Open, { say, figure, ageMs }: Reader): TemplateResult {
  if (glance === null) return html`<p class="fresh quiet">${say('pageui.connecting')}</p>`
  const { at, staleMs } = glance.prices
  if (at === null) return html`<p class="fresh quiet">${say('pageui.prices.never')}</p>`
  const age = ageMs(at)
  const isStale = age > Math.max(staleMs, LIVE_MS)
  const words = age < LIVE_MS ? say('pageui.live') : say('pageui.prices.old', { age: figure(age, 'age') })
  return html`<p class=${isStale ? 'fresh stale' : 'fresh'}>${words}</p>`
}

function positionsPart(open: Open, screen: Screen): TemplateResult {
  const { glance, order } = open
  if (glance === null) return html`<div class="card waiting" aria-busy="true"></div>`
  const { say, figure } = screen.reader
  const others = otherAlerts(open)
  const byKey = new Map(glance.positions.map((one) => [one.key, one]))
  const cards = order.flatMap((key) => byKey.get(key) ?? [])
  return html`${unseen(open, screen.reader)}
    <div class="cards">
      ${repeat(
        cards,
        ({ key }) => key,
        (one, at) => positionCard(one, at, open, screen),
      )}
    </div>
    ${cards.length > 0 ? nothing : empty(glance, screen.reader)}
    ${
      others.length === 0
        ? nothing
        : html`<h2 class="part">${say('pageui.alerts.others')}</h2>
            ${alertCards(others, open, screen)}`
    }
    ${
      glance.pending.length === 0
        ? nothing
        : html`<ul class="list quiet">
            ${glance.pending.map(({ about, leftMs }) => html`<li>${say('pageui.pending', { about, left: figure(leftMs, 'age') })}</li>`)}
          </ul>`
    }`
}

/** Nothing open: because nothing is, because nothing was read yet, or because nothing is watched. */
function empty({ wallets }: Glance, { say }: Reader): TemplateResult {
  const isRead = wallets.every(({ readAt }) => readAt !== null)
  return html`<div class="card">
    <p>${isRead ? say('pageui.empty') : say('pageui.empty.unread')}</p>
    ${wallets.length > 0 ? nothing : html`<p class="quiet">${say('pageui.empty.more')}</p>`}
  </div>`
}

/** Sources that Perch cannot see, above the positions that this makes doubtful. */
function unseen({ glance }: Open, { say, clock }: Reader): TemplateResult | typeof nothing {
  if (glance === null) return nothing
  const { blind, wallets } = glance
  const isKnown = (label: string) => blind.some(({ what }) => what === label)
  // Where nothing is shown at all, the empty page says that I am reading.
  const unread = glance.positions.length === 0 ? [] : wallets.filter((one) => one.readAt === null)
  const missing = unread.filter(({ label }) => !isKnown(label))
  if (blind.length + missing.length === 0) return nothing
  return html`<section class="card blind">
    <h2>${say('pageui.blind')}</h2>
    <ul class="list">
      ${missing.map(({ label }) => html`<li>${say('pageui.blind.unread', { wallet: label })}</li>`)}
      ${blind.map(({ what, since, why }) => html`<li>${say('pageui.blind.since', { what, time: clock(since), why })}</li>`)}
    </ul>
  </section>`
}
