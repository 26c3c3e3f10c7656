import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { FormView } from '../../../adapters/web/answer/forms.ts'
import { formsOf } from '../../../adapters/web/answer/forms.ts'
import { viewOf } from '../../../adapters/web/answer/view.ts'
import { kinds } from '../../../src/alerts/index.ts'
import { commandList } from '../../../src/commands/index.ts'
import { percent } from '../../../src/message/figure.ts'
import { item, message, words } from '../../../src/message/message.ts'
import type { ScriptedBot } from '../../contracts/adapter/scripted-bot.ts'
import { NOON } from '../../support/clock.ts'
import type { Page } from './page.ts'
import { type Served, signedIn } from './served.ts'

const LOOK = { plain: false, possibleRepeat: false }

describe('a message on the page', () => {
  test('has its times in the zone of its reader, with 24 hours, and knows which of them grow old', () => {
    const shown = viewOf(
      message(
        [
          item(
            'info',
            ['since ', { time: NOON - 3_600_000, as: 'clock' }],
            [['read ', { time: NOON - 90_000, as: 'ago' }]],
          ),
        ],
        {
          zone: 'Asia/Tokyo',
          language: 'de',
        },
      ),
      NOON,
      LOOK,
    )
    expect(shown).toMatchObject({
      items: [
        {
          title: ['since ', { time: NOON - 3_600_000, text: '20:00', ago: false }],
          lines: [['read ', { time: NOON - 90_000, text: 'vor 2 min', ago: true }]],
        },
      ],
      at: NOON,
      language: 'de',
    })
  })

  test('has figures, names and sentences as words, and buttons that ask or open', () => {
    const shown = viewOf(
      message([item('critical', ['ETH ', percent(0.048)])], {
        buttons: [
          { label: words('ask.cancel'), line: '/cancel', replace: true },
          { label: 'Other', line: '/alert price below ?', replace: true },
          { label: 'Open', line: '/page', replace: false, opens: { url: 'https://x.test/', app: true } },
        ],
        question: { start: '/alert price below', prompt: 'price', placeholder: '2300' },
      }),
      NOON,
      { plain: false, possibleRepeat: true },
    )
    expect(shown).toMatchObject({
      repeat: '(possible repeat)',
      items: [{ tone: 'critical', title: ['ETH ', '4.8%'] }],
      buttons: [
        { label: 'Cancel', asks: null },
        { label: 'Other', asks: '/alert price below' },
        { label: 'Open', opens: { url: 'https://x.test/', app: true } },
      ],
      question: { start: '/alert price below', prompt: 'price', placeholder: '2300' },
    })
    expect(JSON.parse(JSON.stringify(shown))).toEqual(shown)
  })
})

describe('the forms of an alert', () => {
  const forms = formsOf(commandList(kinds), 'alert', 'de') ?? []

  test('are those of the command, each field with its words and its type', () => {
    const byName = new Map(forms.map((one) => [one.name, one]))
    expect(byName.get('liquidation-distance')).toMatchObject({
      command: 'alert liquidation-distance',
      fields: [
        { name: 'market', type: 'market', isOptional: true, choices: [] },
        { name: 'wallet', type: 'wallet', isOptional: true },
        { name: 'tiers', type: 'percents', isOptional: false },
        { name: 'for', type: 'duration', isOptional: true },
      ],
    })
    expect(byName.get('funding-rate')?.fields.map(({ per }) => per)).toContain('year')
    expect(byName.get('price')?.fields.some(({ choices }) => choices.includes('below'))).toBe(true)
    expect(forms.every(({ summary, examples }) => summary !== '' && examples.length > 0)).toBe(true)
    expect(forms.flatMap(({ fields }) => fields).every(({ label }) => label !== '')).toBe(true)
    expect(JSON.parse(JSON.stringify(forms))).toEqual(forms)
  })

  test('are no forms of a command that is not there', () => {
    expect(formsOf(commandList(kinds), 'fly', 'en')).toBeNull()
  })
})

describe('what somebody does on the page', () => {
  let served: Served
  let bot: ScriptedBot
  let page: Page
  beforeEach(async () => void ({ served, bot, page } = await signedIn()))
  afterEach(async () => {
    page.leave()
    await served.close()
  })
  const post = async (path: string, json: unknown) => {
    const response = await page.ask(path, { method: 'POST', json })
    return (await response.json()) as { answer: { items: unknown[] } | null }
  }

  test('by a form is the command with its typed options', async () => {
    const { answer } = await post('/page/call', {
      id: 'i1',
      command: 'tell',
      args: { words: 'me' },
      seenUntil: 0,
    })
    expect(answer).toMatchObject({ items: [{ title: ['about me.'] }] })
    expect(bot.heard).toMatchObject([{ text: '/tell me', from: { seenUntil: 0 } }])
  })

  test('by a form that says nothing of what was seen is refused: nobody is taken to have seen everything', async () => {
    const json = { id: 'i1', command: 'tell', args: { words: 'me' } }
    expect((await page.ask('/page/call', { method: 'POST', json })).status).toBe(400)
    expect(bot.heard).toEqual([])
  })

  test('while they type is tried, and waits for no slow answer', async () => {
    bot.answers('slow', () => new Promise(() => {}))
    void page.say('/tell slow').catch(() => {})
    const { answer } = await post('/page/try', { id: 'i2', kind: 'price-below', args: { words: 'x' } })
    expect(answer).toMatchObject({ items: [{ title: ['about price-below x.'] }] })
  })

  test('is said to be too much where Perch keeps silent, so that nobody takes it for done', async () => {
    bot.answers('nothing', () => message([]))
    const said = { id: 'i3', line: '/tell nothing', seenUntil: 0 }
    const response = await page.ask('/page/line', { method: 'POST', json: said })
    expect([response.status, await response.json()]).toEqual([
      429,
      { says: 'Too many tries. Wait a minute.' },
    ])
  })

  test('finds the forms in the language of the person', async () => {
    bot.tells({ reader: { zone: 'UTC', language: 'de', numbers: '1.234,5' } })
    const { forms } = (await (await page.ask('/page/forms')).json()) as { forms: FormView[] }
    // The scripted bot has no alerts.
    expect(forms).toEqual([])
    const session = await (await page.ask('/page/session')).json()
    expect(session).toMatchObject({
      name: 'Ann (Firefox, Linux)',
      reader: { language: 'de' },
      simulated: true,
    })
  })
})
