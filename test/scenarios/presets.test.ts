import { describe, expect, test } from 'vitest'

import { ALICE, BOB, type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { titles } from '../support/watched.ts'

const MINUTE_MS = 60_000
const long = { symbol: 'BTC', size: 1, entry: 92, liquidation: 90 }

/** A BTC long that is liquidated at 90, watched as main and far from it. */
async function watching(): Promise<BotUnderTest> {
  const bot = await startBot({ settings: UNHURRIED })
  bot.stage.market('BTC', { price: 130, funding: 0.0001 })
  bot.stage.positions(ALICE, [long])
  bot.stage.positions(BOB, [])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(MINUTE_MS)
  bot.hears()
  return bot
}
async function at(bot: BotUnderTest, price: number, ms = 20_000): Promise<string[]> {
  bot.stage.market('BTC', { price })
  await bot.pass(ms)
  return titles(bot.hears())
}
/** All rules as /alerts shows them. */
const rulesOf = async (bot: BotUnderTest) => {
  const pages = await Promise.all([1, 2, 3].map((page) => bot.says(`/alerts ${page}`)))
  // A page beyond the last one is the last.
  return [...new Set(pages.flatMap((text) => text.split('\n').filter((line) => /^R\d+ /.test(line))))]
}

describe('a preset', () => {
  test('says in four lines what it changed, and shows every figure by a tap', async () => {
    await using bot = await watching()
    const answer = await bot.says('/preset scalper')
    expect(answer.split('\n')).toEqual([
      '✓ Scalper is on for all your wallets',
      '  Liquidation: at 20 / 10 / 5 / 2.5% → at 8 / 4 / 2 / 1%, for 5s',
      '  On now: PnL, Fills · Also changed: Funding, Size',
      '[Undo all: /preset undo] [Show changes: /preset show]',
    ])
    const changes = await bot.says('/preset show')
    expect(changes).toContain('The last preset changed:')
    expect(changes).toContain('Liquidation: at 20 / 10 / 5 / 2.5% → at 8 / 4 / 2 / 1%, for 5s')
    expect(changes).toMatch(/Size: from 1% or \$50\.00 on → from 0\.1% or \$10\.00 on/)
    expect(changes).toContain('Fills: off → on')
    const last = changes.split('\n').findLast((line) => !line.includes('['))
    expect(last).toMatch(/main.*8%.*4%.*2%.*1%/)
    expect(changes).toContain('[Undo Liquidation: /preset undo liq]')
    expect(changes).toContain('[Undo all: /preset undo]')
  })

  test('says first which wallet has no liquidation alert, with no ✓ over it', async () => {
    await using bot = await watching()
    await bot.says(`/watch ${BOB} hedge`)
    const opened = (await rulesOf(bot)).find((line) => line.includes('liquidation-distance')) ?? ''
    await bot.says(`/remove ${opened.split(' ')[0]}`)
    const answer = await bot.says('/preset calm')
    expect(answer.split('\n').slice(0, 3)).toEqual([
      '⚠ main has no liquidation alert',
      '  Calm is on for the alerts that you have',
      '  Liquidation in hedge: at 20 / 10 / 5 / 2.5% → at 15 / 10 / 5 / 2.5%, for 1m',
    ])
    expect(answer).not.toContain('✓')
    expect(await bot.says('/preset')).toContain('⚠ main has no liquidation alert')
    const [, line = ''] = /\[Guard main: ([^\]]+)\]/.exec(answer) ?? []
    await bot.says(line)
    expect((await rulesOf(bot)).join()).toContain('liquidation-distance')
    expect(await bot.says('/preset normal')).toContain('✓ Normal is on for all your wallets')
  })

  test('says outside which market a wallet has no liquidation alert', async () => {
    await using bot = await watching()
    const armed = (await rulesOf(bot)).find((line) => line.includes('liquidation-distance')) ?? ''
    await bot.says(`/remove ${armed.split(' ')[0]}`)
    await bot.says('/alert liq main BTC 10%')
    expect((await bot.says('/preset calm')).split('\n')[0]).toBe(
      '⚠ main has no liquidation alert outside BTC',
    )
  })

  test('claims nothing of a kind that an own alert keeps on', async () => {
    await using bot = await watching()
    await bot.says('/alert order-filled')
    const own = /(R\d+) order-filled/.exec((await rulesOf(bot)).join('\n'))?.[1]
    const answer = await bot.says('/preset scalper')
    expect(answer).toContain('On now: PnL · Also changed')
    expect(answer).toContain(`Your own alert stays: ${own} Fills`)
    expect(await bot.says('/preset show')).toContain(`Fills: on by your own ${own}`)
    expect(await bot.says('/preset normal')).toContain('Off now: PnL · Also changed')
  })

  test('says that an own alert of a changed kind goes on beside it', async () => {
    await using bot = await watching()
    const said = await bot.says('/alert position-resized 5%')
    const own = /R\d+/.exec(said)?.[0]
    await bot.says('/preset calm')
    expect(await bot.says('/preset show')).toMatch(
      new RegExp(`Size: from 1% .* → from 10% .*; your own ${own} stays on`),
    )
  })

  test('is what rings from then on: a scalper hears nothing at 8.2% and is woken at 4%', async () => {
    await using bot = await watching()
    await bot.says('/preset scalper')
    expect(await at(bot, 98.5)).toEqual([])
    expect((await at(bot, 97.5)).join()).toContain('[WARNING] BTC long: 7.7%')
    expect((await at(bot, 93.5)).join()).toContain('[CRITICAL] BTC long: 3.7%')
  })

  test('that is calm waits a minute with a warning, and with a critical alert for nothing', async () => {
    await using bot = await watching()
    await bot.says('/preset calm')
    expect(await at(bot, 105, 40_000)).toEqual([])
    expect((await at(bot, 105, 30_000)).join()).toContain('[INFO] BTC long: 14.3%')
    expect((await at(bot, 94, 5_000)).join()).toContain('[CRITICAL] BTC long: 4.3%')
  })

  test('leaves alone and names the alerts that people set themselves', async () => {
    await using bot = await watching()
    await bot.says('/alert price BTC below 100')
    await bot.says('/alert liq main 12% 3%')
    const own = (await rulesOf(bot)).filter((line) => /^R\d+ price |12 \/ 3%/.test(line))
    expect(own).toHaveLength(2)
    const answer = await bot.says('/preset calm')
    expect(answer).toMatch(/Your own alerts stay: R\d+ Liquidation, R\d+ price/)
    expect(answer).not.toContain('Liquidation: at')
    expect(await rulesOf(bot)).toEqual(expect.arrayContaining(own))
    // What protects is said with them.
    expect(await bot.says('/preset show')).toMatch(/12%.*3%/)
  })

  test('arms nothing again that was removed', async () => {
    await using bot = await watching()
    const opened = (await rulesOf(bot)).find((line) => line.includes('position-opened')) ?? ''
    await bot.says(`/remove ${opened.split(' ')[0]}`)
    await bot.says('/preset calm')
    expect((await rulesOf(bot)).join()).not.toContain('position-opened')
  })

  test('is followed by wallets that are watched later, also after a restart', async () => {
    await using bot = await watching()
    await bot.says('/preset scalper')
    await bot.restart()
    expect(await bot.says(`/watch ${BOB} hedge`)).toContain('8 / 4 / 2 / 1%')
    expect((await rulesOf(bot)).filter((line) => line.includes('at 8 / 4 / 2 / 1%'))).toHaveLength(2)
    expect(await bot.says('/export')).toContain('/preset scalper')
  })

  test('before the first wallet is for those to come', async () => {
    await using bot = await startBot({ settings: UNHURRIED })
    bot.stage.positions(ALICE, [])
    await bot.pass(0)
    expect(await bot.says('/preset calm')).toContain('✓ Calm is on for wallets that you add')
    expect(await bot.says(`/watch ${ALICE} main`)).toContain('15 / 10 / 5 / 2.5%')
  })

  test('that is on already changes nothing, and keeps the way back', async () => {
    await using bot = await watching()
    await bot.says('/preset calm')
    expect(await bot.says('/preset calm')).toContain('Nothing changed: your alerts were like that already.')
    expect(await bot.says('/preset undo')).toContain('at 15 / 10 / 5 / 2.5%, for 1m → at 20 / 10 / 5 / 2.5%')
  })
})

describe('undoing', () => {
  test('brings back exactly what was there, of all kinds', async () => {
    await using bot = await watching()
    const before = await rulesOf(bot)
    await bot.says('/preset scalper')
    expect(await rulesOf(bot)).not.toEqual(before)
    const answer = await bot.says('/preset undo')
    expect(answer).toContain('✓ Undone: back to Normal')
    expect(answer).toContain('Off now: PnL, Fills')
    expect(await rulesOf(bot)).toEqual(before)
    expect(await bot.says('/preset')).toContain('Your preset: Normal')
  })

  test('of one kind leaves the others, and later wallets do the same', async () => {
    await using bot = await watching()
    await bot.says('/preset scalper')
    expect(await bot.says('/preset undo liq')).toContain('✓ Undone for Liquidation')
    await bot.says(`/watch ${BOB} hedge`)
    const rules = (await rulesOf(bot)).join('\n')
    expect(rules.match(/at 20 \/ 10 \/ 5 \/ 2.5%/g)).toHaveLength(2)
    expect(rules.match(/0\.1% or/g)).toHaveLength(2)
    expect(await bot.says('/preset')).toContain('Undone for Liquidation')
    expect(await bot.says('/preset undo')).toContain('back to Normal')
    expect((await rulesOf(bot)).join()).not.toContain('0.1% or')
  })

  test('covers a wallet that was added since, and no alert that was changed by hand since', async () => {
    await using bot = await watching()
    await bot.says('/preset scalper')
    await bot.pass(1_000)
    await bot.says(`/watch ${BOB} hedge`)
    await bot.says('/alert liq main 6%')
    await bot.says('/preset undo')
    const rules = (await rulesOf(bot)).join('\n')
    expect(rules).toContain('at 6%')
    expect(rules.match(/at 20 \/ 10 \/ 5 \/ 2.5%/g)).toHaveLength(1)
    expect(rules).not.toContain('at 8 / 4')
    expect(rules).not.toContain('order-filled')
  })

  test('arms nothing for a wallet that is only followed by now', async () => {
    await using bot = await watching()
    await bot.says('/preset scalper')
    await bot.says('/preset normal')
    await bot.says(`/follow ${ALICE} $10k yes`)
    expect(await bot.says('/preset undo')).toContain('back to Scalper')
    expect((await rulesOf(bot)).map((line) => line.split(' ')[1])).toEqual(['followed'])
  })

  test('with nothing to undo says so, and undoing twice is the preset again', async () => {
    await using bot = await watching()
    expect(await bot.says('/preset undo')).toBe('Nothing to undo. Presets: /preset')
    await bot.says('/preset calm')
    expect(await bot.says('/preset undo')).toContain('[Calm again: /preset undo]')
    expect(await bot.says('/preset undo')).toContain('✓ Calm is on again: the undo is undone')
    expect(await bot.says('/preset undo')).toContain('✓ Undone: back to Normal')
  })
})

test('/preset alone says which is on and what each means, with a button for each other one', async () => {
  await using bot = await watching()
  const answer = await bot.says('/preset')
  expect(answer).toContain('Your preset: Normal')
  for (const tiers of ['15 / 10 / 5 / 2.5%, for 1m', '20 / 10 / 5 / 2.5%', '8 / 4 / 2 / 1%, for 5s'])
    expect(answer).toContain(tiers)
  expect(answer).toContain('[Calm: /preset calm] [Scalper: /preset scalper]')
})

test('a preset while an alert is on: what it still covers goes on without ringing anew, and what it does not ends', async () => {
  await using bot = await watching()
  expect((await at(bot, 94)).join()).toContain('[CRITICAL] BTC long: 4.3%')
  await bot.says('/ack all')
  await bot.says('/preset calm')
  await bot.pass(MINUTE_MS)
  expect(titles(bot.hears())).toEqual([])
  expect(await bot.says('/alerts')).toContain('acknowledged by me')
  await at(bot, 98.5)
  bot.hears()
  await bot.says('/preset scalper')
  await bot.pass(MINUTE_MS)
  expect(titles(bot.hears()).join()).toContain('[RESOLVED] BTC long')
})

test('presets as people type them', async () => {
  await using bot = await watching()
  expect(await bot.says('calm preset')).toContain('✓ Calm is on')
  expect(await bot.says('/preset ruhig')).toContain('Nothing changed')
  expect(await bot.says('/preset zurück')).toContain('back to Normal')
})
