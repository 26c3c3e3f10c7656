import { html, nothing, type TemplateResult } from 'lit-html'

import type { Editor, Open, Reply } from '../state.ts'
import type { FieldView, FormView } from '../wire.ts'
import { alertCards } from './alert.ts'
import { message, reply } from './message.ts'
import type { Screen } from './view.ts'

export const EDITOR = 'editor'

/** The alerts that are on, those that are set, and a form for a new one. */
export function rulesPart(open: Open, screen: Screen): TemplateResult {
  const { say } = screen.reader
  const firing = open.glance?.firing ?? []
  return html`${
      firing.length === 0
        ? nothing
        : html`<h2 class="part">${say('pageui.alerts.on')}</h2>
            ${alertCards(firing, open, screen)}`
    }
    <div class="part beside">
      <h2>${say('pageui.alerts.set')}</h2>
      <button @click=${toForm}>${say('pageui.rule')}</button>
    </div>
    <div class="card">${reply('alerts', screen, withoutRepeats(open.answers.get('alerts')), false)}</div>
    <h2 class="part">${say('pageui.rule')}</h2>
    ${editorCard(open, screen)}`
}

function toForm(): void {
  document.getElementById('kind')?.focus()
}

/** The list of a chat without what the page itself has: the alerts that are on, the form, and the parts. */
function withoutRepeats(given: Reply | undefined): Reply | undefined {
  if (given?.is !== 'said') return given
  const { items, buttons } = given.message
  const isList = buttons.some(({ line }) => line === '/alert') && items.length > 1
  const own = buttons.filter(({ line }) => line !== '/alert' && line !== '/menu')
  return { ...given, message: { ...given.message, items: isList ? items.slice(1) : items, buttons: own } }
}

function editorCard(open: Open, screen: Screen): TemplateResult {
  const { reader, act } = screen
  const { forms, form, attempt } = open.editor
  if (forms === null)
    return html`<div class="card">
      <p class="quiet" aria-busy="true">${reader.say('pageui.answer.asking')}</p>
    </div>`
  const chosen = forms.find(({ name }) => name === form)
  const start = sharedStart(forms.map(({ summary }) => summary))
  const choose = (event: Event) => act.choose((event.target as HTMLSelectElement).value)
  const set = (event: SubmitEvent) => {
    event.preventDefault()
    act.setRule()
  }
  // Buttons of the answer are no buttons of the form: a press would set the alert as well.
  return html`<div class="card editor">
    <form @submit=${set}>
      <label for="kind">${start.trim() || reader.say('pageui.rule.kind')}</label>
      <select id="kind" @change=${choose}>
        ${forms.map((one) => html`<option value=${one.name} ?selected=${one.name === form}>${one.summary.slice(start.length)}</option>`)}
      </select>
      ${chosen === undefined ? nothing : fieldsOf(chosen, open, screen)}
      <div class="would" aria-live="polite">${attemptOf(attempt, screen)}</div>
      <button class="main">${reader.say('pageui.rule.set')}</button>
    </form>
    ${reply(EDITOR, screen, open.answers.get(EDITOR), true)}
  </div>`
}

function fieldsOf({ fields, examples }: FormView, open: Open, screen: Screen): TemplateResult {
  const [example = ''] = examples
  // A yes that one word gives is asked for when it is needed.
  const shown = fields
    .filter(({ isOptional, choices }) => !isOptional || choices.length !== 1)
    .toSorted((a, b) => Number(a.isOptional) - Number(b.isOptional))
  return html`<p class="quiet">${screen.reader.say('pageui.rule.example', { example })}</p>
    <div class="fields">
      ${shown.map(
        (field) =>
          html`<div class="field">
            <label for=${`field-${field.name}`}>${field.label}</label>
            ${control(field, open, screen)}
          </div>`,
      )}
    </div>`
}

function control(field: FieldView, open: Open, { reader, act }: Screen): TemplateResult {
  const { name, isOptional, type } = field
  const value = open.editor.typed[name] ?? ''
  const id = `field-${name}`
  const type_ = (event: Event) => act.type(name, (event.target as HTMLInputElement | HTMLSelectElement).value)
  const choices = type === 'wallet' ? (open.glance?.wallets.map(({ label }) => label) ?? []) : field.choices
  if (choices.length > 0)
    return html`<select id=${id} @change=${type_} ?required=${!isOptional}>
      <option value="" ?selected=${value === ''}>${reader.say('pageui.none')}</option>
      ${choices.map((choice) => html`<option ?selected=${choice === value}>${choice}</option>`)}
    </select>`
  const held = type === 'market' ? [...new Set(open.glance?.positions.map(({ symbol }) => symbol))] : []
  return html`<input
      id=${id}
      .value=${value}
      @input=${type_}
      ?required=${!isOptional}
      list=${held.length > 0 ? `${id}-held` : nothing}
      maxlength="200"
      autocomplete="off"
      autocapitalize=${type === 'market' ? 'characters' : 'off'}
      spellcheck="false"
    />${
      held.length === 0
        ? nothing
        : html`<datalist id=${`${id}-held`}>
            ${held.map((symbol) => html`<option value=${symbol}></option>`)}
          </datalist>`
    }`
}

/** The words with which all of these begin, such as *Alert when*. A phone has no room for them in each. */
function sharedStart([first = '', ...others]: readonly string[]): string {
  const words = first.split(/(?<= )/)
  const count = words.findIndex((_, at) => {
    const start = words.slice(0, at + 1).join('')
    return others.some((one) => !one.startsWith(start))
  })
  return words.slice(0, Math.max(count, 0)).join('')
}

/** How often it would have alerted: its room is kept, so that the button below stays in its place. */
function attemptOf(attempt: Editor['attempt'], screen: Screen): unknown {
  if (attempt === null) return html`<p class="quiet">${screen.reader.say('pageui.rule.empty')}</p>`
  if (attempt.is === 'trying') return html`<p class="quiet">${screen.reader.say('pageui.rule.trying')}</p>`
  // The button for setting it stands below.
  const items = attempt.message.items.map((one) => ({ ...one, buttons: [] }))
  return message(EDITOR, { ...attempt.message, items, buttons: [], question: null }, screen)
}
