import { expect, test } from 'vitest'

import { render } from '../../../adapters/telegram/send/render.ts'
import { message } from '../../../src/message/message.ts'
import { CLAIM, startTelegramBot } from '../../support/telegram/bot.ts'
import { args } from '../../support/telegram/request.ts'
import { checkMarkup, readMarkup } from '../../support/telegram/markup.ts'

const buttonsOf = async (url: string, isPublic = true) => {
  await using bot = await startTelegramBot({ site: { url, isPublic } })
  const ann = bot.telegram.user('Ann')
  await bot.says(ann, `/start ${CLAIM}`)
  const [text = ''] = await bot.says(ann, '/page')
  const rows = bot.telegram.ledger.last(ann).markup?.rows.flat() ?? []
  return { text, buttons: rows.map((one) => [one.text, one.webApp ?? one.url]), trouble: bot.trouble() }
}

test('a public page opens inside of Telegram without a code, and in a browser with one', async () => {
  expect(await buttonsOf('https://perch.example')).toMatchObject({
    buttons: [
      ['Open here', 'https://perch.example/page'],
      ['Open in a browser', 'https://perch.example/page#CODE-0001-CODE'],
    ],
    trouble: [],
  })
})

test('a page without https opens in a browser alone, and that of this machine is a line to copy', async () => {
  const { buttons } = await buttonsOf('http://perch.example')
  expect(buttons).toEqual([['Open in a browser', 'http://perch.example/page#CODE-0001-CODE']])
  const local = await buttonsOf('http://127.0.0.1:8080', false)
  expect([local.buttons, local.trouble]).toEqual([[], []])
  expect(local.text).toContain('http://127.0.0.1:8080/page#CODE-0001-CODE')
})

test('Telegram refuses a page inside of it that has no https, and one in a group', () => {
  const markupOf = (url: string) => {
    const buttons = [{ label: 'Open', line: '/page', replace: false, opens: { url, app: true } }]
    const { reply_markup: markup } = render(message([], { buttons }), { now: 0, possibleRepeat: false })
    return readMarkup(args(new Map([['reply_markup', JSON.stringify(markup)]])))
  }
  expect(() => markupOf('http://perch.example/page')).toThrow('Only HTTPS links are allowed')
  const markup = markupOf('https://perch.example/page')
  expect(() => checkMarkup(markup, false, false)).toThrow('BUTTON_TYPE_INVALID')
  expect(() => checkMarkup(markup, false, true)).not.toThrow()
})
