import { html, nothing, type TemplateResult } from 'lit-html'

import type { Reader } from '../reader.ts'
import type { DoorNote, State } from '../state.ts'
import type { Screen } from './view.ts'

/** The door, for somebody who is not signed in: how to get a link, and a field for its code. */
export function door(
  { note, isOpening, hasDiscord }: State & { is: 'door' },
  { reader, act }: Screen,
): TemplateResult {
  const { say } = reader
  const [before = '', after = ''] = say('pageui.door.lead', { command: '\u0000' }).split('\u0000')
  const enter = (event: SubmitEvent) => {
    event.preventDefault()
    const code = new FormData(event.target as HTMLFormElement).get('code')
    if (typeof code === 'string' && code.trim() !== '') act.enter(code.trim())
  }
  return html`<main class="door">
    <h1>${say('pageui.title')}</h1>
    <p>${before}<code>/page</code>${after}</p>
    <form @submit=${enter}>
      <label for="code">${say('pageui.door.code')}</label>
      <div class="row">
        <input
          id="code"
          name="code"
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck="false"
          placeholder="K7QF-3MZB-TN4W"
          maxlength="40"
          required
        />
        <button class="main" ?disabled=${isOpening}>${say('pageui.door.enter')}</button>
      </div>
    </form>
    <p class="note" role="alert">
      ${isOpening ? say('pageui.door.opening') : note === null ? nothing : noteText(note, reader)}
    </p>
    ${hasDiscord ? html`<a class="button" href="page/discord">${say('pageui.door.discord')}</a>` : nothing}
    <p class="quiet">${say('pageui.door.promise')}</p>
  </main>`
}

function noteText(note: DoorNote, { say }: Reader): string {
  if (typeof note === 'object') return note.says
  const words = {
    ended: say('pageui.door.ended'),
    unreachable: say('pageui.door.unreachable'),
    refused: say('pageui.door.refused'),
  }
  return words[note]
}
