import { html, nothing, type TemplateResult } from 'lit-html'

import type { Reader } from '../reader.ts'
import type { Reply } from '../state.ts'
import type { ButtonView, ItemView, MessageView, TextView } from '../wire.ts'
import type { Screen } from './view.ts'

/** An answer of Perch where it was asked for, with its buttons, or the way to it. */
export function reply(
  place: string,
  screen: Screen,
  given: Reply | undefined,
  canClose: boolean,
): TemplateResult | typeof nothing {
  const { reader, act } = screen
  if (given === undefined) return nothing
  const close = canClose
    ? html`<button
        class="close"
        @click=${() => act.close(place)}
        aria-label=${reader.say('pageui.answer.close')}
      >
        ✕
      </button>`
    : nothing
  if (given.is === 'failed')
    return html`<section class="answer" role="alert">
      ${close}
      <p>${given.says ?? reader.say('pageui.answer.failed')}</p>
      <div class="buttons">
        <button @click=${() => act.sayAgain(place)}>${reader.say('pageui.answer.again')}</button>
      </div>
    </section>`
  if (given.is === 'said')
    return html`<section class="answer" aria-live="polite">
      ${close}${message(place, given.message, screen)}
      ${canClose ? nothing : html`<p class="quiet">${reader.say('pageui.answer.at', { time: reader.clock(given.message.at) })}</p>`}
    </section>`
  return html`<section class="answer asking" aria-busy="true">
    ${given.before === null ? html`<p class="quiet">${reader.say('pageui.answer.asking')}</p>` : message(place, given.before, screen)}
  </section>`
}

/** A message as the page shows it. All text goes through the template, so nothing in it is ever markup. */
export function message(place: string, said: MessageView, screen: Screen): TemplateResult {
  const { items, table, buttons, footnote, repeat, question, file } = said
  // The field is there already: a button that opens it would do nothing.
  const useful = buttons.filter(({ asks }) => question === null || asks === null)
  return html`${repeat === null ? nothing : html`<p class="quiet">${repeat}</p>`}
  ${items.map((one) => item(place, one, screen))} ${table === null ? nothing : tableOf(table)}
  ${buttonRow(place, useful, screen)} ${question === null ? nothing : questionForm(place, question, screen)}
  ${file === null ? nothing : fileLink(file, screen)}
  ${footnote === null ? nothing : html`<p class="quiet">${text(footnote, screen.reader)}</p>`}`
}

function item(place: string, { tone, title, lines, buttons }: ItemView, screen: Screen): TemplateResult {
  return html`<article class="item ${tone}">
    <h3>${text(title, screen.reader)}</h3>
    ${lines.map((line) => html`<p>${text(line, screen.reader)}</p>`)} ${buttonRow(place, buttons, screen)}
  </article>`
}

function text(spans: TextView, { clock }: Reader): unknown[] {
  return spans.map((span) => {
    if (typeof span === 'string') return span
    if ('strong' in span) return html`<strong>${span.strong}</strong>`
    if ('code' in span) return html`<code>${span.code}</code>`
    // Words such as *3 min ago* would grow old on the page.
    return html`<time>${span.ago ? clock(span.time) : span.text}</time>`
  })
}

function buttonRow(
  place: string,
  buttons: readonly ButtonView[],
  screen: Screen,
): TemplateResult | typeof nothing {
  if (buttons.length === 0) return nothing
  return html`<div class="buttons">
    ${buttons.map(({ label, line, opens, asks }) => {
      if (opens !== undefined) return html`<a class="button" href=${opens.url} rel="noreferrer">${label}</a>`
      const press = () => (asks === null ? screen.act.say(place, line) : screen.act.ask(place, asks, label))
      return html`<button @click=${press}>${label}</button>`
    })}
  </div>`
}

function tableOf({ columns, rows }: NonNullable<MessageView['table']>): TemplateResult {
  return html`<table>
    <thead>
      <tr>
        ${columns.map(({ title, align }) => html`<th scope="col" class=${align}>${title}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map((cell, at) => html`<td class=${columns[at]?.align ?? 'left'}>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

function questionForm(
  place: string,
  question: NonNullable<MessageView['question']>,
  screen: Screen,
): TemplateResult {
  const { start, prompt, placeholder } = question
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    const typed = new FormData(event.target as HTMLFormElement).get('typed')
    if (typeof typed === 'string' && typed.trim() !== '') screen.act.say(place, `${start} ${typed.trim()}`)
  }
  return html`<form class="row" @submit=${send}>
    <input
      name="typed"
      aria-label=${prompt}
      placeholder=${placeholder}
      autocomplete="off"
      maxlength="300"
      required
    />
    <button>${screen.reader.say('pageui.answer.send')}</button>
  </form>`
}

function fileLink({ name, text }: NonNullable<MessageView['file']>, { reader }: Screen): TemplateResult {
  const address = `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`
  return html`<div class="buttons">
    <a class="button" href=${address} download=${name}>${reader.say('pageui.answer.file', { name })}</a>
  </div>`
}
