import { Buffer } from 'node:buffer'

import { Markup, Telegraf } from 'telegraf'
import type { Update } from 'telegraf/types'
import { expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { startTelegram, type Telegram } from './telegram.ts'

/** A small bot of the real library, as router and client. */
function makeBot({ root: apiRoot, token }: Telegram) {
  const bot = new Telegraf(token, { telegram: { apiRoot, webhookReply: false } })
  bot.start(async (context) => {
    await context.reply(
      `Hello ${context.payload}`,
      Markup.inlineKeyboard([Markup.button.callback('Go', '/go')]),
    )
  })
  bot.command('help', async (context) => void (await context.reply('Help')))
  bot.action('/go', async (context) => {
    await context.answerCbQuery('Gone')
    await context.editMessageText('<b>Gone</b>', { parse_mode: 'HTML' })
  })
  return bot
}

test('telegraf as a router and a client talks with a person', async () => {
  await using telegram = await startTelegram()
  const bot = makeBot(telegram)
  bot.botInfo = await bot.telegram.getMe()
  const ann = telegram.user('Ann')
  const handle = async () => {
    for (let [first] = telegram.pending(); first; [first] = telegram.pending()) {
      const offset = first.update_id
      const updates: Update[] = await bot.telegram.callApi('getUpdates', { offset, timeout: 5 })
      for (const update of updates) await bot.handleUpdate(update)
      await bot.telegram.callApi('getUpdates', { offset: offset + updates.length })
    }
  }
  ann.says('/start claim-code')
  await handle()
  const tapped = ann.taps('Go')
  await handle()
  ann.says(telegram.group('Desk'), `/help@${telegram.botName}`)
  await handle()
  expect(tapped.answers).toMatchObject([{ text: 'Gone' }])
  expect(telegram.ledger.shows(ann.id)).toBe('Ann: /start claim-code\nPerch (edited): Gone')
  expect(telegram.ledger.sends.map(({ method }) => method)).toEqual([
    'sendMessage',
    'editMessageText',
    'sendMessage',
  ])
  expect(telegram.refused()).toEqual([])
})

test('telegraf’s own loop polls and ends', async () => {
  const clock = handClock()
  await using telegram = await startTelegram({ clock })
  const bot = makeBot(telegram)
  const ended = bot.launch()
  const ann = telegram.user('Ann')
  await telegram.until(() => telegram.polled())
  ann.says('/start you')
  await telegram.until(() => telegram.ledger.sends.length === 1)
  expect(telegram.ledger.texts(ann.id)).toEqual(['Hello you'])
  await telegram.until(() => telegram.polled())
  const polls = telegram.calls('getUpdates')
  bot.stop()
  // Its last poll asks the same as the one before, and is made to wait.
  await telegram.until(() => telegram.calls('getUpdates') > polls && telegram.polled())
  await clock.advance(3_000)
  await ended
  expect(telegram.pending()).toEqual([])
})

test('telegraf uploads a document, and loses the reply on the way, as it is known to', async () => {
  await using telegram = await startTelegram()
  const bot = makeBot(telegram)
  const ann = telegram.user('Ann')
  const { id } = ann.says('/export')
  await bot.telegram.sendDocument(
    ann.id,
    { source: Buffer.from('a,b'), filename: 'alerts.csv' },
    { caption: 'All of it', reply_parameters: { message_id: id } },
  )
  expect(telegram.ledger.last(ann)).toMatchObject({
    text: 'All of it',
    replyTo: null,
    file: { name: 'alerts.csv', bytes: 3 },
  })
})

test('telegraf reports a refusal with all that the server says', async () => {
  await using telegram = await startTelegram()
  const bot = makeBot(telegram)
  const group = telegram.group('Desk')
  const { from, to } = group.migrate()
  await expect(bot.telegram.sendMessage(from, 'Hear')).rejects.toMatchObject({
    code: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: to },
  })
})
