import { describe, expect, test } from 'vitest'

import { handClock, NOON } from '../clock.ts'
import { padded, PNG, wider } from '../pictures.ts'
import { call, type Json, readReply } from './client.ts'
import { startTelegram } from './telegram.ts'

async function start() {
  const clock = handClock()
  const telegram = await startTelegram({ clock })
  const ann = telegram.user('Ann')
  ann.says('/start')
  const ask = (method: string, more: Record<string, unknown> = {}) =>
    call(telegram, method, { chat_id: ann.id, ...more })
  return { clock, telegram, ann, ask }
}

const keyboard = (...labels: string[]) => ({
  inline_keyboard: [labels.map((text) => ({ text, callback_data: `/${text.toLowerCase()}` }))],
})

describe('a request', () => {
  test.each([
    [
      'with another token',
      '/bot7700000001:AAnotherTokenThatLooksLikeOne_00000000/getMe',
      401,
      'Unauthorized',
    ],
    ['with something that is no token', '/botsecret/getMe', 404, 'Not Found'],
    ['of nothing', '/', 404, 'Not Found'],
    ['of no method', '/bot%/flyToTheMoon', 404, 'Not Found: method not found'],
  ])('%s is refused', async (_when, path, status, refused) => {
    const { telegram } = await start()
    await using _ = telegram
    const reply = await readReply(await fetch(telegram.root + path.replace('%', telegram.token)))
    expect(reply.body).toEqual({ ok: false, error_code: status, description: refused })
    expect(reply.status).toBe(status)
  })

  test('may be a GET with a query, a form, a multipart form or JSON, its method in any case', async () => {
    const { telegram, ann } = await start()
    await using _ = telegram
    const url = `${telegram.root}/bot${telegram.token}/sendmessage`
    const form = new FormData()
    form.set('chat_id', String(ann.id))
    form.set('text', 'three')
    await fetch(`${url}?chat_id=${ann.id}&text=one`)
    await fetch(url, { method: 'POST', body: new URLSearchParams({ chat_id: String(ann.id), text: 'two' }) })
    await fetch(url, { method: 'POST', body: form })
    await call(telegram, 'SENDMESSAGE', { chat_id: String(ann.id), text: 'four' })
    expect(telegram.ledger.texts(ann.id)).toEqual(['one', 'two', 'three', 'four'])
    expect(telegram.calls('sendMessage')).toBe(4)
  })

  test('that is no JSON gets no words at all', async () => {
    const { telegram } = await start()
    await using _ = telegram
    const response = await fetch(`${telegram.root}/bot${telegram.token}/getMe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[]',
    })
    expect([response.status, await response.text()]).toEqual([400, ''])
  })
})

describe('a message', () => {
  test('is edited, loses its buttons when the edit has none, and is not edited to what it is', async () => {
    const { telegram, ann, ask } = await start()
    await using _ = telegram
    const { result } = await ask('sendMessage', { text: 'ETH 4%', reply_markup: keyboard('Ack', 'Snooze') })
    const { message_id } = result
    const same = { message_id, text: 'ETH 4%', reply_markup: keyboard('Ack', 'Snooze') }
    expect((await ask('editMessageText', same)).refused).toMatch(
      /^Bad Request: message is not modified: specified new message content and reply markup are exactly/,
    )
    expect((await ask('editMessageText', { message_id, text: 'ETH 5%' })).status).toBe(200)
    expect(telegram.ledger.shows(ann.id)).toBe('Ann: /start\nPerch (edited): ETH 5%')
    await ask('editMessageReplyMarkup', { message_id, reply_markup: keyboard('Ack') })
    expect(telegram.ledger.sends.map(({ method, text, buttons }) => [method, text, buttons])).toEqual([
      ['sendMessage', 'ETH 4%', [['Ack', 'Snooze']]],
      ['editMessageText', 'ETH 5%', []],
      ['editMessageReplyMarkup', 'ETH 5%', [['Ack']]],
    ])
  })

  test.each([
    ['editMessageText', { text: 'a', message_id: 99 }, 'message to edit not found'],
    ['editMessageText', { text: 'a', message_id: 1 }, "message can't be edited"],
    ['deleteMessage', { message_id: 99 }, 'message to delete not found'],
    ['sendMessage', { text: 'a', reply_parameters: { message_id: 99 } }, 'message to be replied not found'],
    [
      'sendMessage',
      { text: 'a', reply_parameters: { message_id: 99, allow_sending_without_reply: true } },
      '',
    ],
    [
      'sendMessage',
      { text: 'a', link_preview_options: 'off' },
      "can't parse link preview options JSON object",
    ],
    ['sendChatAction', { action: 'thinking' }, 'wrong parameter action in request'],
    ['sendDocument', {}, 'there is no document in the request'],
  ])('%s %j: %s', async (method, more, refused) => {
    const { telegram, ask } = await start()
    await using _ = telegram
    expect((await ask(method, more)).refused).toBe(refused && `Bad Request: ${refused}`)
  })

  test('is shown with all that a person would see, and when', async () => {
    const { telegram, clock, ann, ask } = await start()
    await using _ = telegram
    const link = '<a href="https://a.example">Main</a> is <b>4%</b> from <i>liquidation</i>\n1 &lt; 2'
    const first = await ask('sendMessage', { text: link, parse_mode: 'HTML', reply_markup: keyboard('Ack') })
    await clock.advance(60_000)
    await ask('sendMessage', {
      text: 'It is over',
      disable_notification: true,
      reply_parameters: { message_id: first.result.message_id },
    })
    expect(telegram.ledger.shows(ann.id)).toBe(`Ann: /start
Perch (with a link preview):
  Main is 4% from liquidation
  1 < 2
  [Ack]
Perch (silent, reply to “Main is 4% from liquidation”): It is over`)
    expect(telegram.ledger.sends.map(({ at, mono, silent }) => [at - NOON, mono, silent])).toEqual([
      [0, 1_000, false],
      [60_000, 61_000, true],
    ])
  })

  test('is deleted by the bot for two days, and shown no more', async () => {
    const { telegram, clock, ann, ask } = await start()
    await using _ = telegram
    const [one, two] = [await ask('sendMessage', { text: 'a' }), await ask('sendMessage', { text: 'b' })]
    expect((await ask('deleteMessage', { message_id: one.result.message_id })).result).toBe(true)
    await clock.advance(49 * 3_600_000)
    expect((await ask('deleteMessage', { message_id: two.result.message_id })).refused).toBe(
      "Bad Request: message can't be deleted for everyone",
    )
    expect(telegram.ledger.texts(ann.id)).toEqual(['b'])
  })

  test('may be a picture, sent again by its id; its caption has 1024 code points', async () => {
    const { telegram, ann, ask } = await start()
    await using _ = telegram
    const form = new FormData()
    form.set('chat_id', String(ann.id))
    form.set('photo', new Blob([PNG]), 'chart.png')
    form.set('caption', 'ETH')
    const url = `${telegram.root}/bot${telegram.token}/sendPhoto`
    const { result } = await readReply(await fetch(url, { method: 'POST', body: form }))
    const photo: string = result.photo[0].file_id
    expect((await ask('sendPhoto', { photo, caption: 'a'.repeat(1024) })).status).toBe(200)
    expect((await ask('sendPhoto', { photo, caption: 'a'.repeat(1025) })).refused).toBe(
      'Bad Request: message caption is too long',
    )
    expect(telegram.ledger.shows(ann.id)).toContain('Perch:\n  [photo chart.png]\n  ETH')
  })

  test('of the same size above 100,000 bytes has to wait after the tenth at once', async () => {
    const { telegram, ann } = await start()
    await using _ = telegram
    const post = async (bytes: number) => {
      const form = new FormData()
      form.set('chat_id', String(ann.id))
      form.set('photo', new Blob([padded(bytes)]), 'chart.png')
      return (await fetch(`${telegram.root}/bot${telegram.token}/sendPhoto`, { method: 'POST', body: form }))
        .status
    }
    for (let number = 0; number < 10; number += 1) expect(await post(100_001)).toBe(200)
    expect(await post(100_001)).toBe(429)
    expect(await post(100_002)).toBe(200)
    for (let number = 0; number < 12; number += 1) expect(await post(100_000)).toBe(200)
  })

  test.each([
    ['something else', new Uint8Array([1, 2, 3]), 'IMAGE_PROCESS_FAILED'],
    ['too wide', wider(9_999, 2), 'PHOTO_INVALID_DIMENSIONS'],
    ['too narrow', wider(21, 1), 'PHOTO_INVALID_DIMENSIONS'],
  ])('is no picture that is %s', async (_how, content, why) => {
    const { telegram, ann } = await start()
    await using _ = telegram
    const form = new FormData()
    form.set('chat_id', String(ann.id))
    form.set('photo', new Blob([content]), 'chart.png')
    const url = `${telegram.root}/bot${telegram.token}/sendPhoto`
    const { refused } = await readReply(await fetch(url, { method: 'POST', body: form }))
    expect(refused).toBe(`Bad Request: ${why}`)
  })
})

describe('a tap', () => {
  test('reaches the bot with what the button carries, and is answered', async () => {
    const { telegram, ann, ask } = await start()
    await using _ = telegram
    await ask('sendMessage', { text: 'Hear', reply_markup: keyboard('Ack', 'Snooze') })
    const tapped = ann.taps('Snooze')
    const query: Json = telegram.pending().at(-1)?.['callback_query']
    expect(query).toMatchObject({ data: '/snooze', from: { first_name: 'Ann' }, message: { text: 'Hear' } })
    const answer = (text: string) => ask('answerCallbackQuery', { callback_query_id: query.id, text })
    expect((await answer('a'.repeat(201))).refused).toBe('Bad Request: MESSAGE_TOO_LONG')
    await answer('Snoozed')
    expect(tapped.answers).toMatchObject([{ text: 'Snoozed', alert: false }])
    expect(() => ann.taps('Sell')).toThrow('there is no button Sell; there are: Ack, Snooze')
  })

  test('is too old to be answered after a while', async () => {
    const { telegram, clock, ann, ask } = await start()
    await using _ = telegram
    await ask('sendMessage', { text: 'Hear', reply_markup: keyboard('Ack') })
    const { id } = ann.taps(1)
    await clock.advance(150_001)
    expect((await ask('answerCallbackQuery', { callback_query_id: id })).refused).toBe(
      'Bad Request: query is too old and response timeout expired or query ID is invalid',
    )
  })
})

describe('a menu', () => {
  const command = (name: string, description = 'what it does') => ({ command: name, description })
  test.each([
    ['is set', [command('positions')], {}, ''],
    ['has small letters, digits and _', [command('Positions')], {}, 'BOT_COMMAND_INVALID'],
    ['has names of up to 32', [command('a'.repeat(33))], {}, 'command length must not exceed 32'],
    ['has descriptions', [command('a', ' ')], {}, 'command description must be non-empty'],
    [
      'has descriptions of up to 256',
      [command('a', 'a'.repeat(257))],
      {},
      'command description length must not exceed 256',
    ],
    [
      'has up to 100 commands',
      Array.from({ length: 101 }, (_one, i) => command(`c${i}`)),
      {},
      'BOT_COMMANDS_TOO_MUCH',
    ],
    ['is for a language', [command('a')], { language_code: 'deu' }, 'invalid language code specified'],
    [
      'is for a scope',
      [command('a')],
      { scope: { type: 'friends' } },
      "can't parse BotCommandScope: Unsupported type specified",
    ],
  ])('%s', async (_when, commands, more, refused) => {
    const { telegram, ask } = await start()
    await using _ = telegram
    expect((await ask('setMyCommands', { commands, ...more })).refused).toBe(
      refused && `Bad Request: ${refused}`,
    )
  })

  test('is kept for each scope and language', async () => {
    const { telegram, ask } = await start()
    await using _ = telegram
    const scope = { type: 'all_group_chats' }
    await ask('setMyCommands', { commands: [command('help')] })
    await ask('setMyCommands', { commands: [command('hilfe')], scope, language_code: 'de' })
    expect(telegram.menu()).toEqual([command('help')])
    expect(telegram.menu('all_group_chats de')).toEqual([command('hilfe')])
    expect((await ask('getMyCommands', { scope })).result).toEqual([])
    await ask('deleteMyCommands')
    expect(telegram.menu()).toBeNull()
  })
})

describe('the words about the bot', () => {
  test.each([
    ['setMyDescription', { description: 'a'.repeat(512) }, ''],
    ['setMyDescription', { description: 'a'.repeat(513) }, 'Bad Request: bot description is too long'],
    [
      'setMyShortDescription',
      { short_description: 'a'.repeat(121) },
      'Bad Request: bot short description is too long',
    ],
    [
      'setMyDescription',
      { description: 'a', language_code: 'deu' },
      'Bad Request: invalid language code specified',
    ],
    ['setChatMenuButton', { menu_button: { type: 'commands' } }, ''],
    [
      'setChatMenuButton',
      { menu_button: { type: 'list' } },
      "Bad Request: can't parse menu button: MenuButton has unsupported type",
    ],
  ])('%s', async (method, parameters, refused) => {
    const { telegram, ask } = await start()
    await using _ = telegram
    expect((await ask(method, parameters)).refused).toBe(refused)
  })

  test('are those of the language, else those without one', async () => {
    const { telegram, ask } = await start()
    await using _ = telegram
    await ask('setMyDescription', { description: 'hello' })
    expect((await ask('getMyDescription', { language_code: 'de' })).result).toEqual({ description: 'hello' })
    await ask('setMyDescription', { description: 'hallo', language_code: 'de' })
    expect((await ask('getMyDescription', { language_code: 'de' })).result).toEqual({ description: 'hallo' })
    expect((await ask('getChatMenuButton')).result).toEqual({ type: 'default' })
  })
})

describe('the keyboard for an answer', () => {
  const forced = (more: object = {}) => ({ force_reply: true, ...more })
  test.each([
    [forced(), 'sendMessage', true],
    [forced({ input_field_placeholder: 'x'.repeat(64), selective: true }), 'sendMessage', true],
    [forced({ input_field_placeholder: 'x'.repeat(65) }), 'sendMessage', false],
    [forced({ input_field_placeholder: '' }), 'sendMessage', false],
    [{ force_reply: 'yes' }, 'sendMessage', false],
    // An edit takes inline buttons only.
    [forced(), 'editMessageText', false],
  ])('%j with %s: %s', async (markup, method, ok) => {
    const { telegram, ask } = await start()
    await using _ = telegram
    const { body } = await ask('sendMessage', { text: 'first' })
    const { message_id: id } = body['result'] as { message_id: number }
    const more = { text: 'At what price?', message_id: id, reply_markup: markup }
    expect((await ask(method, more)).body['ok']).toBe(ok)
  })
})
