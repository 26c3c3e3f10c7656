import { expect, test } from 'vitest'

import { CLAIM, startTelegramBot } from '../../support/telegram/bot.ts'
import { USUAL } from '../../support/telegram/limits.ts'
import { annWatches } from '../../support/telegram/watched.ts'

/** Ann runs the bot and watches a wallet; then so many people come whom nobody invited, and talk. */
async function crowded(people: number, lines: number) {
  const bot = await startTelegramBot({ limits: USUAL })
  const { telegram } = bot
  const ann = await annWatches(bot)
  const crowd = Array.from({ length: people }, (_, n) => telegram.user(`Stranger ${n}`))
  const before = telegram.ledger.sends.length
  for (let line = 0; line < lines; line++)
    for (const one of crowd) one.says(line % 3 ? '/positions' : `let me in ${line}`)
  await bot.pass(1_000)
  const toldTo = (id: number) =>
    telegram.ledger.sends
      .slice(before)
      .filter(({ chat }) => chat === id)
      .map(({ text, mono }) => ({ text, mono }))
  return Object.assign(bot, { ann, crowd, toldTo })
}

test('300 strangers who say 10 lines each delay no warning, no BLIND and no answer', async () => {
  await using bot = await crowded(300, 10)
  const { stage, clock, ann, toldTo, telegram } = bot
  const began = clock.monotonic()
  ann.says('/wallets')
  stage.market('BTC', { price: 94 })
  await bot.pass(6_000)
  const heard = toldTo(ann.id)
  expect(heard.find(({ text }) => text.startsWith('🚨 BTC long: 4.3%'))?.mono).toBeLessThan(began + 3_000)
  expect(heard.find(({ text }) => text.startsWith('1 wallet'))?.mono).toBeLessThan(began + 5_000)
  stage.fails('/markets', 500)
  await bot.pass(15_000)
  expect(toldTo(ann.id).some(({ text, mono }) => text.includes('can’t see') && mono < began + 20_000)).toBe(
    true,
  )
  stage.fails('/markets', null)
  await bot.pass(30_000)
  expect(telegram.pending()).toEqual([])
  expect(telegram.refused()).toEqual([])
})

test('a stranger who writes several lines at once hears the one sentence, and a code in the first lets them in', async () => {
  await using bot = await startTelegramBot()
  const [ann, sam] = ['Ann', 'Sam'].map((name) => bot.telegram.user(name))
  if (!ann || !sam) throw new Error('nobody came')
  await bot.says(ann, `/start ${CLAIM}`)
  for (let line = 0; line < 4; line++) {
    sam.says(`/positions\n/wallets ${line}`)
    await bot.pass(4_000)
  }
  expect(bot.telegram.ledger.texts(sam.id)).toEqual([
    expect.stringMatching(/^This Perch is private.*code\.$/),
  ])
  const code = /CODE-\S+/.exec((await bot.says(ann, '/invite'))[0] ?? '')?.[0]
  expect((await bot.says(sam, `/start ${code}\n/wallets`)).join()).toMatch(/Welcome[^]*\/wallets/)
})

test('each of a few hears one polite sentence, then nothing; a valid invitation is always taken', async () => {
  await using bot = await crowded(5, 20)
  const { telegram, crowd, ann, toldTo } = bot
  await bot.pass(60_000)
  for (const { id } of crowd) {
    expect(toldTo(id).map(({ text }) => text)).toEqual([expect.stringContaining('This Perch is private')])
  }
  const code = /CODE-\S+/.exec((await bot.says(ann, '/invite'))[0] ?? '')?.[0]
  const [first] = crowd
  if (!first) throw new Error('nobody came')
  first.says('/start WRNG-WRNG-WRNG')
  first.says(`/start ${code}`)
  await bot.pass(5_000)
  expect(toldTo(first.id).map(({ text }) => text.split('\n')[0])).toEqual([
    expect.stringContaining('This Perch is private'),
    expect.stringContaining('wrong or has expired'),
    'Welcome: you are in.',
  ])
  expect(telegram.refused()).toEqual([])
})

test('where anybody may come, those who block the bot delay no warning of the operator and ring for nothing', async () => {
  await using bot = await startTelegramBot({ access: 'open', limits: USUAL })
  const { stage, telegram } = bot
  const ann = await annWatches(bot)
  const crowd = Array.from({ length: 50 }, (_, n) => telegram.user(`Stranger ${n}`))
  for (const one of crowd) one.says('/start')
  await bot.pass(30_000)
  const before = telegram.ledger.sends.length
  for (const one of crowd) one.blocks()
  await bot.pass(2_000)
  const began = bot.clock.monotonic()
  stage.market('BTC', { price: 96 })
  await bot.pass(60_000)
  const heard = telegram.ledger.sends
    .slice(before)
    .filter(({ chat, method }) => chat === ann.id && method === 'sendMessage')
  expect(heard.find(({ text }) => text.startsWith('⚠️ BTC long'))?.mono).toBeLessThan(began + 5_000)
  expect(heard.filter(({ silent }) => !silent)).toHaveLength(1)
  expect(heard.filter(({ text }) => text.includes('I can’t write to'))).toHaveLength(50)
})
