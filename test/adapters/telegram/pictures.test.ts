import { expect, test, describe } from 'vitest'

import type { DrawingOrder } from '../../../src/message/picture.ts'
import { padded, PNG } from '../../support/pictures.ts'
import { startTelegramBot } from '../../support/telegram/bot.ts'
import type { FaultKind } from '../../support/telegram/faults.ts'
import { annWatches } from '../../support/telegram/watched.ts'

/** Ann watches a wallet with longs in these markets. */
async function watching(
  draw: (order: DrawingOrder) => Promise<Uint8Array | null> = async () => PNG,
  symbols: readonly string[] = ['BTC', 'ETH'],
) {
  const orders: DrawingOrder[] = []
  const bot = await startTelegramBot({
    draw(order) {
      orders.push(order)
      return draw(order)
    },
  })
  const ann = await annWatches(bot, symbols)
  const sends = () => bot.telegram.ledger.sends.filter(({ chat }) => chat === ann.id)
  const photos = () => sends().filter(({ method }) => method === 'sendPhoto')
  const told = (words: string) => sends().filter(({ text }) => text.includes(words))
  return Object.assign(bot, { ann, orders, photos, told })
}

test('a critical alert is told in words, and its picture follows as a silent reply', async () => {
  await using bot = await watching()
  bot.stage.market('BTC', { price: 94.5 })
  await bot.pass(4_000)
  const [words] = bot.told('BTC long: 4.8%')
  const [photo, ...others] = bot.photos()
  expect(others).toEqual([])
  expect(photo).toMatchObject({ silent: true, replyTo: words?.message })
  expect(photo?.text).toMatch(/BTC long · main: 4\.8% away.* 6 h/)
  expect(bot.orders).toHaveLength(1)
  expect(bot.orders[0]).toMatchObject({
    picture: { is: 'position', symbol: 'BTC', side: 'long', liquidation: 90, entry: 120, price: 94.5 },
    ...{ simulated: false, format: 'card', reader: { theme: 'dark' } },
  })
  expect(bot.orders[0]?.course.prices.at(-1)).toBe(94.5)
})

test('alerts of one look bring strips, the four worst, the nearest to liquidation first', async () => {
  const symbols = ['BTC', 'ETH', 'SOL', 'DOGE', 'LINK']
  await using bot = await watching(async () => PNG, symbols)
  for (const [at, symbol] of symbols.entries()) bot.stage.market(symbol, { price: 94.5 - at / 2 })
  await bot.pass(20_000)
  const shown = bot.orders.map(({ picture, format }) => `${'symbol' in picture && picture.symbol} ${format}`)
  expect(shown).toEqual(['LINK strip', 'DOGE strip', 'SOL strip', 'ETH strip'])
  expect(bot.photos()).toHaveLength(4)
})

test('a reminder brings no second picture, and worse news does', async () => {
  await using bot = await watching()
  bot.stage.market('BTC', { price: 94.5 })
  await bot.pass(4_000)
  await bot.pass(8 * 60_000)
  expect(bot.told('Reminder').length).toBeGreaterThan(1)
  expect(bot.photos()).toHaveLength(1)
  bot.stage.market('BTC', { price: 91.5 })
  await bot.pass(4_000)
  expect(bot.photos()).toHaveLength(2)
})

describe.each<FaultKind>([
  'reset',
  'hang',
  'half-body',
  'html-502',
  'deliver-then-reset',
  'deliver-then-hang',
  'half-upload',
  'json',
])('while the upload of a picture meets %s', (kind) => {
  test('each word is told once and at once, and the picture at most once more, with a mark', async () => {
    await using bot = await watching(async () => padded(90_000))
    bot.telegram.fault({ method: 'sendPhoto', kind })
    bot.stage.market('BTC', { price: 94.5 })
    await bot.pass(3_000)
    expect(bot.told('BTC long: 4.8%').filter(({ method }) => method === 'sendMessage')).toHaveLength(1)
    bot.stage.market('BTC', { price: 91.5 })
    await bot.pass(3_000)
    expect(bot.told('BTC long: 1.6%').filter(({ method }) => method === 'sendMessage')).toHaveLength(1)
    await bot.pass(60_000)
    const first = bot.photos().filter(({ text }) => text.includes('4.8%'))
    expect(first.length).toBeLessThanOrEqual(2)
    for (const again of first.slice(1)) expect(again.text).toContain('possible repeat')
  })
})

test('a drawing that hangs for a minute delays no warning about the same position', async () => {
  await using bot = await watching(() => new Promise(() => {}))
  for (const [price, away] of [
    [94.5, '4.8%'],
    [91.5, '1.6%'],
  ] as const) {
    bot.stage.market('BTC', { price })
    await bot.pass(2_500)
    const told = bot.told(`BTC long: ${away}`).filter(({ method }) => method === 'sendMessage')
    expect(told).toHaveLength(1)
    await bot.pass(20_000)
  }
  await bot.pass(60_000)
  expect(bot.photos()).toEqual([])
  bot.stage.market('BTC', { price: 130 })
  await bot.pass(20_000)
  expect(bot.told('BTC long').length).toBeGreaterThan(2)
})

test('a picture that is not drawn is not spoken of, and /why shows it', async () => {
  await using bot = await watching(async () => null)
  bot.stage.market('BTC', { price: 94.5 })
  await bot.pass(4_000)
  expect(bot.photos()).toEqual([])
  const id = /A\d+/.exec(JSON.stringify(bot.telegram.ledger.last(bot.ann).markup))?.[0] ?? ''
  expect((await bot.says(bot.ann, `/why ${id}`)).join('\n')).toContain('no picture')
})

test('/positions of one market and /chart bring a picture, unless pictures are off', async () => {
  await using bot = await watching()
  expect((await bot.says(bot.ann, '/positions BTC'))[0]).toContain('BTC long')
  await bot.pass(2_000)
  await bot.says(bot.ann, '/settings theme light')
  await bot.says(bot.ann, '/chart ETH 1h')
  await bot.pass(2_000)
  expect(bot.photos()).toHaveLength(2)
  expect(bot.orders.map(({ picture, reader }) => [picture, reader.theme])).toMatchObject([
    [{ is: 'position', symbol: 'BTC' }, 'dark'],
    [{ is: 'market', symbol: 'ETH' }, 'light'],
  ])
  await bot.says(bot.ann, '/settings pictures off')
  await bot.says(bot.ann, '/positions BTC')
  await bot.says(bot.ann, '/chart ETH')
  bot.stage.market('BTC', { price: 94.5 })
  await bot.pass(4_000)
  expect(bot.photos()).toHaveLength(2)
})

test.each<FaultKind>(['reset', 'hang', 'html-502'])(
  'an answer that meets %s is sent again, and its picture does not stand before it',
  async (kind) => {
    await using bot = await watching()
    const before = bot.told('BTC long').length
    bot.telegram.fault({ method: 'sendMessage', kind })
    bot.ann.says('/positions BTC')
    await bot.pass(40_000)
    const told = bot.told('BTC long').slice(before)
    expect(told.map(({ method }) => method)).toEqual(['sendMessage', 'sendPhoto'])
  },
)

test('with pictures for critical alerts alone, looking brings none', async () => {
  await using bot = await watching()
  await bot.says(bot.ann, '/settings pictures critical')
  await bot.says(bot.ann, '/positions BTC')
  await bot.pass(2_000)
  expect(bot.photos()).toEqual([])
  bot.stage.market('BTC', { price: 94.5 })
  await bot.pass(4_000)
  expect(bot.photos()).toHaveLength(1)
})

test('/card brings a picture without amounts, and as a file when asked', async () => {
  await using bot = await watching()
  expect((await bot.says(bot.ann, '/card BTC'))[0]).toContain('BTC long: +8.3%')
  await bot.pass(2_000)
  expect(bot.photos()).toHaveLength(1)
  expect(bot.photos()[0]?.text).toMatch(/^BTC long: \+8\.3% of its entry price · entry \$120\.00 · /)
  expect(bot.photos()[0]?.text).not.toContain('main')
  expect(Object.keys(bot.orders[0]?.picture ?? {})).not.toContain('size')
  await bot.says(bot.ann, '/card BTC file')
  await bot.says(bot.ann, '/chart ETH 1h file')
  await bot.pass(4_000)
  expect(bot.photos()).toHaveLength(1)
  const files = bot.telegram.ledger.sends.filter(({ method }) => method === 'sendDocument')
  expect(files.map(({ text }) => text.slice(0, 3))).toEqual(['BTC', 'ETH'])
})

test('“Why” of a warning brings the picture of its position, and of none that is over', async () => {
  await using bot = await watching()
  bot.stage.market('BTC', { price: 98 })
  await bot.pass(4_000)
  expect(bot.photos()).toEqual([])
  const asksWhy = () => bot.ann.taps('Why', { message: bot.told('BTC long: 8.2%')[0]?.message ?? 0 })
  asksWhy()
  await bot.pass(2_000)
  expect(bot.photos().map(({ text }) => text.slice(0, 8))).toEqual(['BTC long'])
  expect(bot.orders[0]).toMatchObject({ picture: { is: 'position', symbol: 'BTC' }, format: 'card' })
  bot.stage.market('BTC', { price: 130 })
  await bot.pass(4_000)
  asksWhy()
  await bot.pass(2_000)
  expect(bot.photos()).toHaveLength(1)
})
