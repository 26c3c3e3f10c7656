import { html, type TemplateResult } from 'lit-html'

import type { Reader } from '../reader.ts'
import type { Open, PushState } from '../state.ts'
import { reply } from './message.ts'
import type { Screen } from './view.ts'

/** The place of answers about notifications. */
export const PUSH = 'push'

/** How Perch fares, notifications on this device, and who is signed in. */
export function morePart(open: Open, screen: Screen): TemplateResult {
  const { reader, act } = screen
  const { say } = reader
  return html`<div class="card">${reply('status', screen, open.answers.get('status'), false)}</div>
    <section class="card">
      <h2>${say('pageui.push')}</h2>
      <p class="quiet">${pushText(open.push, reader)}</p>
      ${
        open.push.is === 'off' || open.push.is === 'asking' || open.push.is === 'on'
          ? html`<div class="buttons">
              <button
                class=${open.push.is === 'on' ? '' : 'main'}
                ?disabled=${open.push.is === 'asking'}
                @click=${() => act.switchPush()}
              >
                ${open.push.is === 'on' ? say('pageui.push.again') : say('pageui.push.switch-on')}
              </button>
            </div>`
          : ''
      }
      ${reply(PUSH, screen, open.answers.get(PUSH), true)}
    </section>
    <section class="card">
      <h2>${say('pageui.settings')}</h2>
      <div class="buttons">
        <button @click=${() => act.say('settings', '/settings')}>${say('pageui.settings')}</button>
        <button @click=${() => act.say('settings', '/pages')}>${say('pageui.pages')}</button>
      </div>
      ${reply('settings', screen, open.answers.get('settings'), true)}
    </section>
    <section class="card">
      <h2>${say('pageui.session')}</h2>
      <div class="buttons"><button @click=${() => act.signOut()}>${say('pageui.session.end')}</button></div>
    </section>`
}

function pushText(push: PushState, { say }: Reader): string {
  if (push.is === 'on') return say('pageui.push.on')
  if (push.is !== 'impossible') return say('pageui.push.off')
  const why = {
    'home-screen': say('pageui.push.home-screen'),
    'not-here': say('pageui.push.not-here'),
    denied: say('pageui.push.denied'),
    failed: say('pageui.push.failed'),
  }
  return why[push.why]
}
