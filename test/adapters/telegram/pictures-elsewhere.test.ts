import { expect, test } from 'vitest'

import type { DrawingOrder } from '../../../src/message/picture.ts'
import { ALICE } from '../../support/bot.ts'
import { PNG } from '../../support/pictures.ts'
import { CLAIM, startTelegramBot } from '../../support/telegram/bot.ts'

const MINUTE_MS = 60_000

/** Ann holds a BTC long, Ben is her backup, and her group Desk is bound. */
async function annAndBen() {
  const orders: DrawingOrder[] = []
  const bot = await startTelegramBot({
    async draw(order) {
      orders.push(order)
      return PNG
    },
  })
  const { stage, telegram } = bot
  stage.market('BTC', { price: 130 })
  stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(2_000)
  const [ann, ben] = [telegram.user('Ann'), telegram.user('Ben')]
  const codeFor = async (line: string) => {
    const before = telegram.ledger.sends.length
    await bot.says(ann, line)
    await bot.pass(3_000)
    const said = telegram.ledger.sends.slice(before).map(({ text }) => text)
    return /\/(?:start|agree) (\S+)/.exec(said.join('\n'))?.[1] ?? ''
  }
  await bot.says(ann, `/start ${CLAIM}`)
  await bot.says(ben, `/start ${await codeFor('/invite')}`)
  await bot.says(ben, `/agree ${await codeFor('/agree ask')} yes`)
  await bot.says(ann, `/watch ${ALICE} main`)
  await bot.pass(10_000)
  const sends = (chat: { id: number }) => telegram.ledger.sends.filter((one) => one.chat === chat.id)
  const photos = (chat: { id: number }) => sends(chat).filter(({ method }) => method === 'sendPhoto')
  const falls = async (price: number) => {
    stage.market('BTC', { price })
    await bot.pass(10_000)
  }
  return Object.assign(bot, { ann, ben, orders, sends, photos, falls })
}

/** No figure that only its owner may know. */
function expectNoAmounts(order: DrawingOrder | undefined): void {
  expect(order?.picture).toMatchObject({
    ...{ is: 'position', symbol: 'BTC', side: 'long', liquidation: 90 },
    ...{ size: null, value: null, entry: null, pnl: null, fundingPerDay: null },
  })
  expect(JSON.stringify(order?.picture)).not.toMatch(/1\.5|120/)
}

test('a backup to whom alerts are handed over gets a picture behind the words, without amounts', async () => {
  await using bot = await annAndBen()
  await bot.says(bot.ann, '/handover @ben 8h')
  await bot.falls(94.5)
  const words = bot.sends(bot.ben).find(({ text }) => text.includes('for Ann: BTC long: 4.8%'))
  const [photo, ...others] = bot.photos(bot.ben)
  expect(others).toEqual([])
  expect(photo).toMatchObject({ silent: true, replyTo: words?.message })
  expect(photo?.text).toMatch(/^for Ann: BTC long · main: 4\.8% away/)
  expect(bot.photos(bot.ann)).toHaveLength(1)
  const [own, his] = bot.orders
  expect(own?.picture).toMatchObject({ wallet: 'main', size: 1.5, entry: 120 })
  expect(his?.picture).toMatchObject({ wallet: 'Ann · main' })
  expectNoAmounts(his)
  // The picture of /why has amounts, which are Ann's alone.
  expect((await bot.says(bot.ben, '/why A1')).join()).toContain('BTC long: 4.8% to liquidation (A1)')
  await bot.pass(2_000)
  expect(bot.photos(bot.ben)).toHaveLength(1)
})

test('a backup who is told because nobody answers gets one picture, and the next with worse news', async () => {
  await using bot = await annAndBen()
  await bot.says(bot.ann, '/escalate @ben 3m')
  await bot.falls(94.5)
  await bot.pass(2 * MINUTE_MS)
  expect(bot.photos(bot.ben)).toEqual([])
  await bot.pass(2 * MINUTE_MS)
  expect(bot.photos(bot.ben)).toHaveLength(1)
  await bot.pass(20 * MINUTE_MS)
  expect(bot.photos(bot.ben)).toHaveLength(1)
  expect(bot.photos(bot.ann)).toHaveLength(1)
  await bot.falls(91.5)
  await bot.pass(10 * MINUTE_MS)
  expect(bot.photos(bot.ann)).toHaveLength(2)
})

test('a backup decides for themselves whether pictures come', async () => {
  await using bot = await annAndBen()
  await bot.says(bot.ben, '/settings pictures off')
  await bot.says(bot.ann, '/handover @ben 8h')
  await bot.falls(94.5)
  expect(bot.sends(bot.ben).some(({ text }) => text.includes('for Ann: BTC long: 4.8%'))).toBe(true)
  expect(bot.photos(bot.ben)).toEqual([])
  expect(bot.photos(bot.ann)).toHaveLength(1)
})

test('in a bound group the picture shows no amounts', async () => {
  await using bot = await annAndBen()
  const group = bot.telegram.group('Desk', { owner: bot.ann })
  await bot.pass(2_000)
  bot.ann.says(group, `/channel@${bot.telegram.botName} bind`)
  await bot.pass(2_000)
  bot.ann.says(group, `/alert@${bot.telegram.botName} liquidation-distance main 5%`)
  await bot.pass(10_000)
  await bot.falls(94.5)
  expect(bot.photos(group)).toHaveLength(1)
  expectNoAmounts(bot.orders.find(({ picture }) => picture.is === 'position' && picture.size === null))
})

test('a chat that takes nothing keeps no picture from a backup', async () => {
  await using bot = await annAndBen()
  await bot.says(bot.ann, '/handover @ben 8h')
  bot.ann.blocks()
  await bot.falls(94.5)
  await bot.pass(2 * MINUTE_MS)
  expect(bot.photos(bot.ben)).toHaveLength(1)
  expect(bot.photos(bot.ann)).toEqual([])
})
