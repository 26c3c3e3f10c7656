import { expect, test } from 'vitest'

import { ALICE, BOB } from '../../support/bot.ts'
import { startTelegramBot } from '../../support/telegram/bot.ts'
import { USUAL } from '../../support/telegram/limits.ts'

const CHATS = 200

test('200 chats alerted in one tick hear it within the limits, what is critical first', async () => {
  await using bot = await startTelegramBot({ limits: USUAL, access: 'open' })
  const { stage, telegram, clock } = bot
  stage.market('BTC', { price: 130, funding: 0.0002 })
  stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 40 }])
  stage.positions(BOB, [{ symbol: 'BTC', size: 1, entry: 120, liquidation: 90 }])
  await bot.pass(2_000)
  const people = Array.from({ length: CHATS }, (_, n) => telegram.user(`Person ${n}`))
  // Every other one holds what comes near; what everybody holds is paid for by somebody else from then on.
  people.forEach((person, n) => person.says(`/watch ${n % 2 === 0 ? ALICE : BOB} main`))
  await bot.pass(40_000)
  expect(telegram.ledger.sends.filter(({ text }) => text.includes('✓ Watching main'))).toHaveLength(CHATS)
  // Inside a line already: its wallet is read often, and nothing has to be confirmed.
  stage.market('BTC', { price: 99, funding: 0.0002 })
  await bot.pass(40_000)

  const before = telegram.ledger.sends.length
  stage.market('BTC', { price: 93, funding: -0.0002 })
  await bot.pass(2_000)
  const began = telegram.ledger.sends[before]?.mono ?? clock.monotonic()
  await bot.pass(40_000)
  // What closing would cost is in the messages that waited for their turn; the first are changed where they stand.
  const told = telegram.ledger.sends.slice(before).filter(({ method }) => method !== 'editMessageText')
  expect(new Set(told.map(({ chat }) => chat)).size).toBe(CHATS)
  expect(told).toHaveLength(CHATS)
  const critical = told.map(({ text }) => text.startsWith('🚨'))
  expect(critical.filter(Boolean)).toHaveLength(CHATS / 2)
  expect(critical.lastIndexOf(true)).toBeLessThan(critical.indexOf(false))
  expect(telegram.refused()).toEqual([])

  const tookMs = (told.at(-1)?.mono ?? Infinity) - began
  // The limit lets the first 30 go at once, and 30 more each second.
  const perSecond = USUAL.bot?.perSecond ?? 0
  const leastMs = ((CHATS - perSecond) / perSecond) * 1_000
  expect(tookMs).toBeLessThanOrEqual(leastMs + 2_000)
})

test('200 members of a group who hammer it hold up nobody else', async () => {
  await using bot = await startTelegramBot({ limits: USUAL, access: 'open' })
  const { stage, telegram, clock } = bot
  stage.market('BTC', { price: 130, funding: 0.0002 })
  stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(2_000)
  const olga = telegram.user('Olga')
  await bot.says(olga, `/watch ${ALICE} main`)
  const group = telegram.group('Crowd', { owner: olga })
  await bot.pass(2_000)
  olga.says(group, `/channel@${telegram.botName} bind`)
  await bot.pass(10_000)
  const before = telegram.ledger.sends.length
  const members = Array.from({ length: 200 }, (_, n) => telegram.user(`Member ${n}`))
  for (let round = 0; round < 5; round++)
    for (const one of members) one.says(group, round % 2 ? '/market btc' : '/positions')
  const began = clock.monotonic()
  olga.says('/wallets')
  stage.market('BTC', { price: 94 })
  await bot.pass(120_000)

  const told = telegram.ledger.sends.slice(before)
  const mine = told.filter(({ chat }) => chat === olga.id)
  expect(mine.find(({ text }) => text.includes('wallet'))?.mono).toBeLessThan(began + 10_000)
  expect(mine.find(({ text }) => text.startsWith('🚨'))?.mono).toBeLessThan(began + 5_000)
  const crowd = told.filter(({ chat }) => chat === group.id)
  expect(crowd.length).toBeGreaterThan(5)
  expect(crowd.length).toBeLessThan(40)
  expect(crowd.filter(({ text }) => text.includes('left out'))).not.toEqual([])
  expect(telegram.refused()).toEqual([])
  expect(telegram.pending()).toEqual([])
})
