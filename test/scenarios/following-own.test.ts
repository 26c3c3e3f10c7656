import { describe, expect, test } from 'vitest'

import { ALICE, BOB, startBot } from '../support/bot.ts'

const MINUTE_MS = 60_000
const NEAR = { symbol: 'BTC', size: 1.5, entry: 95_000, liquidation: 90_000 }
const SAFE = { symbol: 'BTC', size: 1.5, entry: 95_000, liquidation: 20_000 }

async function aBot(position = SAFE) {
  const bot = await startBot()
  bot.stage.market('BTC', { price: 100_000 })
  bot.stage.positions(ALICE, [position])
  await bot.pass(5_000)
  return bot
}

type Bot = Awaited<ReturnType<typeof aBot>>

/** Nothing has been given up: the wallet is guarded as before. */
async function isGuarded(bot: Bot) {
  expect(await bot.says('/alerts')).toContain('liquidation-distance')
}

describe('whose is it? /watch guards at once and asks', () => {
  test('“Somebody else’s” turns it into a followed one at one tap, says how many alerts went, and “It’s mine” brings them back', async () => {
    await using bot = await aBot()
    expect(await bot.says(`/watch ${ALICE} main`)).toContain('Is it yours or somebody else’s?')
    const answer = await bot.says(`/follow ${ALICE}`)
    expect(answer).toContain('✓ Following main')
    expect(answer).toMatch(/[567] rules removed/)
    expect(answer).toContain('From what size on?')
    expect(await bot.says('/alerts')).not.toContain('liquidation-distance')
    bot.stage.market('BTC', { price: 20_100 })
    await bot.pass(60 * MINUTE_MS)
    expect(bot.hears()).toEqual([])
    expect(await bot.says(`/watch ${ALICE}`)).toContain('✓ Watching main')
    await bot.pass(20_000)
    expect(bot.hears().join('\n')).toContain('[CRITICAL] BTC long: ')
  })

  test.each(['mine', 'Mine.', 'meine'])('%s is an answer, and no name', async (typed) => {
    await using bot = await aBot()
    await bot.says(`/watch ${ALICE} main`)
    expect(await bot.says(typed)).toContain('✓ main is yours')
    await isGuarded(bot)
  })

  test.each(["somebody else's", 'Somebody else’s', 'fremd'])('%s is an answer', async (typed) => {
    await using bot = await aBot()
    await bot.says(`/watch ${ALICE} main`)
    expect(await bot.says(typed)).toContain('✓ Following main')
  })

  test('other words are read as if nothing had been asked, and never become its name', async () => {
    await using bot = await aBot()
    await bot.says(`/watch ${ALICE} main`)
    expect(await bot.says('btc')).toContain('BTC')
    await bot.says(`/watch ${BOB} second`)
    expect(await bot.says('quatsch')).toContain('I didn’t understand “quatsch”')
    expect(await bot.says('/wallets')).toMatch(/main[^]*second|second[^]*main/)
  })
})

describe('protection is given up only by a second word', () => {
  test('after “Mine”', async () => {
    await using bot = await aBot()
    await bot.says(`/watch ${ALICE} main`)
    await bot.says(`/watch ${ALICE} yes`)
    const answer = await bot.says(`/follow ${ALICE}`)
    expect(answer).toContain('Only follow main? It’s yours now.')
    expect(answer).toMatch(/[567] alerts of \/watch go\./)
    await isGuarded(bot)
  })

  test('after ten minutes, by an old button', async () => {
    await using bot = await aBot()
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(11 * MINUTE_MS)
    const answer = await bot.says(`/follow ${ALICE}`)
    expect(answer).toContain('Only follow main? It’s yours now.')
    expect(answer).toContain(`[Follow only: /follow ${ALICE} yes]`)
    await isGuarded(bot)
  })

  test('after another command, for it may have been meant for good', async () => {
    await using bot = await aBot()
    await bot.says(`/watch ${ALICE} main`)
    await bot.says('/positions')
    expect(await bot.says(`/follow ${ALICE}`)).toContain('Only follow main?')
    await isGuarded(bot)
  })

  test('of alerts set by hand, which are counted and go only then', async () => {
    await using bot = await aBot()
    await bot.says(`/watch ${ALICE} main`)
    await bot.says('/alert liq main BTC 30%')
    await bot.says('/alert pnl main -5k')
    expect(await bot.says(`/follow ${ALICE}`)).toMatch(/[567] alerts of \/watch and 2 of yours go\./)
    expect(await bot.says('/alerts')).toContain('30%')
    expect(await bot.says(`/follow ${ALICE} yes`)).toMatch(/[789] rules removed/)
  })

  test('while an alert is on, which is named', async () => {
    await using bot = await aBot(NEAR)
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(20_000)
    expect(bot.hears().join('\n')).toContain('BTC long: 10.0% to liquidation')
    const answer = await bot.says(`/follow ${ALICE}`)
    expect(answer).toContain('Only follow main?')
    expect(answer).toMatch(/On now, and this ends it:\n.*BTC long.*\(A\d+\)/)
    bot.stage.market('BTC', { price: 91_000 })
    await bot.pass(20_000)
    expect(bot.hears().join('\n')).toContain('[CRITICAL] BTC long: 1.1% to liquidation')
  })
})

describe('from what size on?', () => {
  test.each([
    ['100k', 'changes from $100k on'],
    ['$100k', 'changes from $100k on'],
    ['2300', 'changes from $2,300 on'],
    ['every change', 'every change'],
    ['jede Änderung', 'every change'],
  ])('%s is taken', async (typed, from) => {
    await using bot = await aBot()
    await bot.says(`/follow ${ALICE} whale`)
    const answer = await bot.says(typed)
    expect(answer).toContain('✓ Following whale')
    expect(answer).toContain(from)
    expect(answer).not.toContain('From what size on?')
  })

  test('a market or a sentence is none, and does not become the name of the wallet', async () => {
    await using bot = await aBot()
    await bot.says(`/follow ${ALICE} whale`)
    expect(await bot.says('btc')).not.toContain('Following')
    await bot.says(`/follow ${ALICE} whale`)
    expect(await bot.says('where am I')).not.toContain('Following')
    expect(await bot.says('/wallets')).toContain('whale')
  })
})
