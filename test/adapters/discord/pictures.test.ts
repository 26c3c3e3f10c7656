import { describe, expect, test } from 'vitest'

import type { DrawingOrder } from '../../../src/message/picture.ts'
import { ALICE, CLAIM_CODE } from '../../support/bot.ts'
import { startDiscordBot } from '../../support/discord/bot.ts'
import type { Fault } from '../../support/discord/faults.ts'
import { padded, PNG } from '../../support/pictures.ts'

/** Olga's long is told in a channel that she bound. */
async function watching() {
  const drawn = Promise.withResolvers<Uint8Array>()
  const orders: DrawingOrder[] = []
  const bot = await startDiscordBot(() => ({
    draw(order) {
      orders.push(order)
      return drawn.promise
    },
  }))
  const guild = bot.discord.guild('Traders')
  const alerts = guild.channel('alerts')
  const olga = guild.member('olga', { manageServer: true })
  bot.stage.market('BTC', { price: 130 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.online()
  await bot.says(olga, `/start code:${CLAIM_CODE}`, olga.dm)
  await bot.says(olga, '/channel bind', alerts)
  await bot.says(olga, `/watch address:${ALICE} label:main`, olga.dm)
  await bot.says(olga, '/alert liquidation-distance wallet:main tiers:5%,2%', alerts)
  await bot.pass(4_000)
  const pictures = () => alerts.messages().filter(({ attachments }) => attachments.length > 0)
  /** The words are told, in the channel and to her alone; then both pictures meet this. */
  const uploads = async (fault: Omit<Fault, 'route'>) => {
    bot.stage.market('BTC', { price: 94.5 })
    await bot.until(() => alerts.shows('BTC long: 4.8%'), 'the alert is told')
    await bot.until(() => orders.length === 2, 'pictures are drawn')
    bot.discord.fault({ route: 'POST /channels/:id/messages', times: 2, ...fault })
    drawn.resolve(padded(90_000))
    await bot.pass(500)
  }
  const draws = () => drawn.resolve(PNG)
  return Object.assign(bot, { alerts, olga, orders, pictures, uploads, draws })
}

test('a critical alert is told in words, and its picture follows as a silent reply with words of its own', async () => {
  await using bot = await watching()
  bot.draws()
  bot.stage.market('BTC', { price: 94.5 })
  const words = await bot.until(() => bot.alerts.shows('BTC long: 4.8%'), 'the alert is told')
  await bot.until(() => bot.pictures().length > 0, 'its picture follows')
  const [picture] = bot.pictures()
  expect(picture?.attachments).toMatchObject([
    { filename: 'picture.png', type: 'image/png', size: PNG.length },
  ])
  expect(picture?.attachments[0]?.description).toMatch(/BTC long · main: 4\.8% away.* 6 h/)
  expect(picture?.replyTo).toBe(words.id)
  expect(bot.orders[0]?.picture).toMatchObject({ is: 'position', side: 'long', price: 94.5 })
})

const FAULTS: [string, Omit<Fault, 'route'>][] = [
  ['hangs', { kind: 'hang' }],
  ['fails with 500', { kind: 'status', status: 500 }],
  ['breaks off', { kind: 'reset' }],
  ['breaks off half-way', { kind: 'half-upload' }],
  ['arrives and fails with 500', { kind: 'deliver-then-500' }],
  ['arrives and is never answered', { kind: 'deliver-then-hang' }],
  ['arrives and breaks off', { kind: 'deliver-then-reset' }],
]

describe.each(FAULTS)('while the upload of a picture %s', (_how, fault) => {
  test('the next words go at once, each once, and no picture stands there twice without a mark', async () => {
    await using bot = await watching()
    await bot.uploads(fault)
    bot.stage.market('BTC', { price: 91.5 })
    const began = bot.clock.monotonic()
    await bot.until(() => bot.alerts.shows('BTC long: 1.6%'), 'it got worse')
    expect(bot.clock.monotonic() - began).toBeLessThanOrEqual(4_000)
    const told = (words: string) =>
      bot.alerts
        .messages()
        .filter(({ embeds, content }) => `${content}${JSON.stringify(embeds)}`.includes(words))
    expect(told('4.8%')).toHaveLength(1)
    expect(told('1.6%')).toHaveLength(1)
    await bot.pass(60_000)
    const first = bot.pictures().filter(({ attachments }) => attachments[0]?.description?.includes('4.8%'))
    expect(first.filter(({ content }) => !content.includes('possible repeat')).length).toBeLessThanOrEqual(1)
  })
})

test('/positions is answered to one person alone, and brings no picture into the channel', async () => {
  await using bot = await watching()
  bot.draws()
  await bot.says(bot.olga, '/positions market:BTC', bot.alerts)
  await bot.pass(2_000)
  expect(bot.pictures()).toEqual([])
  await bot.says(bot.olga, '/chart market:BTC', bot.alerts)
  await bot.until(() => bot.pictures().length > 0, 'the chart is there')
  expect(bot.orders.map(({ picture }) => picture.is)).toEqual(['market'])
})

test('where Perch may not attach files, the words come alone, and go on coming', async () => {
  await using bot = await watching()
  const missing = { code: 50013, message: 'Missing Permissions' }
  await bot.uploads({ kind: 'status', status: 403, body: missing })
  expect(bot.pictures()).toEqual([])
  bot.stage.market('BTC', { price: 91.5 })
  await bot.until(() => bot.alerts.shows('BTC long: 1.6%'), 'it got worse')
  expect(await bot.says(bot.olga, '/channel list', bot.olga.dm)).not.toMatch(/gone|can’t/)
})

test('/card brings its picture into the private chat alone', async () => {
  await using bot = await watching()
  bot.draws()
  expect(await bot.says(bot.olga, '/card market:BTC', bot.alerts)).toContain(
    'only show that in our private chat',
  )
  await bot.says(bot.olga, '/card market:BTC how:file', bot.olga.dm)
  await bot.until(
    () => bot.olga.dm.messages().some(({ attachments }) => attachments.length > 0),
    'the card is there',
  )
  expect(bot.pictures()).toEqual([])
  expect(bot.orders.map(({ picture }) => picture.is)).toEqual(['public'])
})
