import { describe, expect, test } from 'vitest'

import { ALICE } from '../../support/bot.ts'
import { CLAIM, startTelegramBot } from '../../support/telegram/bot.ts'

const DAY_MS = 24 * 3_600_000

/** Ann's BTC long is told in a group that she bound, where Bob reads as well. */
async function alarmed() {
  const bot = await startTelegramBot()
  const { stage, telegram } = bot
  stage.market('BTC', { price: 130 })
  stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(2_000)
  const ann = telegram.user('Ann')
  const bob = telegram.user('Bob')
  await bot.says(ann, `/start ${CLAIM}`)
  const group = telegram.group('Desk', { owner: ann })
  bob.joins(group)
  await bot.pass(0)
  ann.says(group, `/channel@${telegram.botName} bind`)
  await bot.pass(4_000)
  ann.says(group, '/channel acks anybody')
  await bot.pass(4_000)
  await bot.says(ann, `/watch ${ALICE} main`)
  ann.says(group, '/alert liq main 5%')
  await bot.pass(10_000)
  stage.market('BTC', { price: 94 })
  await bot.pass(4_000)
  const message = telegram.ledger.last(group)
  const id = /=ack (A\d+)/.exec(JSON.stringify(message.markup))?.[1] ?? ''
  const labels = () => message.markup?.rows.flat().map(({ text }) => text) ?? []
  return Object.assign(bot, { ann, bob, group, message, id, labels })
}

describe('the button of an alert', () => {
  test('gives way to who acknowledged it, and when', async () => {
    await using bot = await alarmed()
    const { ann, group, message, labels, telegram } = bot
    expect(labels()).toContain('Ack')
    const tap = ann.taps('Ack', { in: group })
    await bot.pass(10_000)
    expect(tap.answers).toHaveLength(1)
    expect(message.text).toMatch(new RegExp(`✓ Ann, `))
    expect(labels()).not.toContain('Ack')
    expect(labels()).toContain('Snooze ▸')
    // What is shown already is not shown twice: Telegram says so, and nobody else.
    expect(telegram.refused().map(({ description }) => description)).toEqual([
      expect.stringContaining('message is not modified'),
    ])
    expect(bot.trouble()).toEqual([])
  })

  test('gives way also when it is acknowledged in words', async () => {
    await using bot = await alarmed()
    const { bob, group, message, id, labels } = bot
    bob.says(group, `/ack@${bot.telegram.botName} ${id}`)
    await bot.pass(10_000)
    expect(message.text).toContain(`✓ Bob, `)
    expect(labels()).not.toContain('Ack')
    expect(bot.trouble()).toEqual([])
  })

  test('works after a restart, and on a message of yesterday', async () => {
    await using bot = await alarmed()
    const { bob, group, message, labels } = bot
    await bot.restart()
    bot.clock.jump(DAY_MS)
    await bot.pass(10_000)
    const tap = bob.taps('Ack', { in: group, message: message.id })
    await bot.pass(10_000)
    expect(tap.answers).toHaveLength(1)
    expect(message.text).toContain(`✓ Bob, `)
    expect(labels()).not.toContain('Ack')
    expect(bot.trouble()).toEqual([])
  })

  test('that two press at once answers both: one has acknowledged it, and nobody sees an error', async () => {
    await using bot = await alarmed()
    const { ann, bob, group, message } = bot
    const taps = [ann, bob].map((user) => user.taps('Ack', { in: group }))
    await bot.pass(20_000)
    expect(taps.map(({ answers }) => answers.map(({ text }) => text))).toEqual([[''], ['']])
    expect(message.text).toContain(`✓ Ann, `)
    expect(message.text).not.toContain('Bob')
    expect(bot.telegram.ledger.last(group).text).toBe(message.text)
    expect(bot.trouble()).toEqual([])
  })

  test('in a message that is gone: it is said anew, quietly', async () => {
    await using bot = await alarmed()
    const { ann, group, message, id, telegram } = bot
    message.deleted = true
    await bot.says(ann, `/ack ${id}`)
    await bot.pass(10_000)
    expect(telegram.ledger.texts(group).at(-1)).toMatch(/^BTC long · main: acknowledged by Ann\n/)
    expect(telegram.ledger.sends.at(-1)).toMatchObject({ silent: true })
    expect(bot.trouble()).toEqual([])
  })

  test('that the same person presses twice is done once, and both circles end', async () => {
    await using bot = await alarmed()
    const { ann, bob, group, message } = bot
    const shown = message.markup
    const taps = [0, 1].map(() => ann.taps('Ack', { in: group, message: message.id }))
    await bot.pass(10_000)
    // Whoever opened the chat before sees the old button a while longer.
    taps.push(bob.taps('Ack', { in: group, message: message.id, shown }))
    await bot.pass(20_000)
    expect(taps.map(({ answers }) => answers.length)).toEqual([1, 1, 1])
    expect(message.text).toContain(`✓ Ann, `)
    expect(bot.trouble()).toEqual([])
  })

  test('of an alert that is over goes with it, quietly; one that is left says so and acknowledges nothing', async () => {
    await using bot = await alarmed()
    const { ann, group, message, id, labels, stage, telegram } = bot
    const shown = message.markup
    stage.market('BTC', { price: 130 })
    await bot.pass(10_000)
    expect(labels()).toEqual(['Why'])
    expect(message.text).toContain(`✓ Over since `)
    stage.market('BTC', { price: 94 })
    await bot.pass(10_000)
    const next = telegram.ledger.last(group)
    const tap = ann.taps('Ack', { in: group, message: message.id, shown })
    await bot.pass(10_000)
    expect(tap.answers).toHaveLength(1)
    expect(message.text).toContain(`${id} ended at `)
    expect(message.text).toContain('It is active again, as A')
    expect(next.text).not.toContain('✓')
    expect(labels()).toEqual([expect.stringMatching(/^Ack A\d+$/)])
    ann.taps(labels()[0] ?? '', { in: group, message: message.id })
    await bot.pass(10_000)
    expect(next.text).toContain('✓ Ann, ')
    expect(bot.trouble()).toEqual([])
  })
})
