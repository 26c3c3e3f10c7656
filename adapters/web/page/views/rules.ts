import { html, nothing, type TemplateResult } from 'lit-html'

import type { Editor, Open } from '../state.ts'
import type { FieldView, FormView } from '../wire.ts'
import { message, reply } from './message.ts'
import type { Screen } from './view.ts'

export const EDITOR = 'editor'

/** The alerts that are set, and a form for a new one. */
export function rulesPart(open: Open, screen: Screen): TemplateResult {
  const { reader } = screen
  return html`<h2 class="part">${reader.say('pageui.rule')}</h2>
    ${editorCard(open, screen)}
    <h2 class="part">${reader.say('pageui.go.alerts')}</h2>
    <div class="card">${reply('alerts', screen, open.answers.get('alerts'), false)}</div>`
}

function editorCard(open: Open, screen: Screen): TemplateResult {
  const { reader, act } = screen
  const { forms, form, typed, attempt } = open.editor
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
  return html`<form class="card editor" @submit=${set}>
    <label for="kind">${start.trim() || reader.say('pageui.rule.kind')}</label>
    <select id="kind" @change=${choose}>
      ${forms.map((one) => html`<option value=${one.name} ?selected=${one.name === form}>${one.summary.slice(start.length)}</option>`)}
    </select>
    ${chosen === undefined ? nothing : fieldsOf(chosen, typed, screen)}
    <div class="would" aria-live="polite">${attemptOf(attempt, screen)}</div>
    <button class="main">${reader.say('pageui.rule.set')}</button>
    ${reply(EDITOR, screen, open.answers.get(EDITOR), true)}
  </form>`
}

function fieldsOf({ fields, examples }: FormView, typed: Editor['typed'], screen: Screen): TemplateResult {
  const [example = ''] = examples
  // A yes that one word gives is asked for when it is needed.
  const shown = fields
    .filter(({ isOptional, choices }) => !isOptional || choices.length !== 1)
    .toSorted((a, b) => Number(a.isOptional) - Number(b.isOptional))
  return html`<p class="quiet">
      ${screen.reader.say('pageui.rule.example', { example: example.replace(/^\/alert /, '') })}
    </p>
    <div class="fields">
      ${shown.map(
        (field) =>
          html`<div class="field">
            <label for=${`field-${field.name}`}>${field.label}</label>
            ${control(field, typed[field.name] ?? '', screen)}
          </div>`,
      )}
    </div>`
}

function control(
  { name, isOptional, choices, type }: FieldView,
  value: string,
  { reader, act }: Screen,
): TemplateResult {
  const id = `field-${name}`
  const type_ = (event: Event) => act.type(name, (event.target as HTMLInputElement | HTMLSelectElement).value)
  if (choices.length > 0)
    return html`<select id=${id} @change=${type_} ?required=${!isOptional}>
      <option value="">${isOptional ? reader.say('pageui.rule.any') : reader.say('pageui.none')}</option>
      ${choices.map((choice) => html`<option ?selected=${choice === value}>${choice}</option>`)}
    </select>`
  return html`<input
    id=${id}
    .value=${value}
    @input=${type_}
    ?required=${!isOptional}
    maxlength="200"
    autocomplete="off"
    autocapitalize=${type === 'market' ? 'characters' : 'off'}
    spellcheck="false"
  />`
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
