import { describe, expect, test } from 'vitest'

import { ALICE } from '../../support/bot.ts'
import { CLAIM, startTelegramBot } from '../../support/telegram/bot.ts'

/** Ann runs the bot and watches a wallet. Bob is with her in a group that she has bound. */
async function begun() {
  const bot = await startTelegramBot()
  const { stage, telegram } = bot
  stage.market('ETH', { price: 2_500 })
  stage.market('BTC', { price: 100_000 })
  stage.positions(ALICE, [{ symbol: 'ETH', size: 2, entry: 2_400, liquidation: 1_200 }])
  await bot.pass(2_000)
  const ann = telegram.user('Ann', { username: 'ann' })
  const bob = telegram.user('Bob')
  await bot.says(ann, `/start ${CLAIM}`)
  const group = telegram.group('Desk', { owner: ann })
  bob.joins(group)
  ann.says(group, `/channel@${telegram.botName} bind`)
  await bot.pass(10_000)
  const last = (where: number | typeof group = ann.id) => telegram.ledger.last(where)
  return Object.assign(bot, {
    ...{ ann, bob, group, last },
    async taps(label: string, where: number | typeof group = ann.id) {
      ann.taps(label, { in: where })
      await bot.pass(4_000)
      return last(where)
    },
    forced: (where: number | typeof group = ann.id) => last(where).markup?.given ?? null,
    labels: (where: number | typeof group = ann.id) =>
      last(where)
        .markup?.rows.flat()
        .map(({ text }) => text) ?? [],
  })
}

describe('a question in a private chat', () => {
  test('leads to a price alert by taps alone', async () => {
    await using bot = await begun()
    const { ann, last, labels } = bot
    await bot.says(ann, '/alert')
    expect(last().text).toBe('What should I alert you about?')
    await bot.taps('Price')
    expect(last().text).toBe('Which market?')
    await bot.taps('ETH')
    expect(last().text).toContain('above or below a price? It is $2,500.00 now.')
    expect(labels()).toEqual(expect.arrayContaining(['▼ $2,250 -10%', '▲ $2,550 +2%', 'Other…', 'Cancel']))
    await bot.taps('▼ $2,250 -10%')
    expect(last().text).toMatch(/ETH.*below \$2,250/)
    // All of it stood in one message.
    expect(bot.telegram.ledger.texts(ann.id).filter((text) => text.includes('$2,250'))).toHaveLength(1)
    expect(bot.trouble()).toEqual([])
  })

  test('opens the keyboard for an answer of one’s own, and takes it', async () => {
    await using bot = await begun()
    const { ann, last, forced, labels } = bot
    await bot.says(ann, '/alert price ETH below')
    expect(labels()).toContain('Other…')
    await bot.taps('Other…')
    expect(last().text).toBe('At what price? ETH is $2,500.00 now.')
    expect(forced()).toEqual({ force_reply: true, input_field_placeholder: '2380' })
    await bot.says(ann, 'soon')
    expect(last().text).toContain('I don’t understand “soon” here.')
    expect(last().text).toContain('At what price?')
    await bot.says(ann, '2300')
    expect(last().text).toMatch(/ETH.*below \$2,300/)
    expect(bot.telegram.refused()).toEqual([])
  })

  test('waits over a restart, and is answered once', async () => {
    await using bot = await begun()
    const { ann, last } = bot
    await bot.says(ann, '/watch')
    await bot.restart()
    await bot.says(ann, ALICE)
    await bot.pass(10_000)
    expect(bot.telegram.ledger.texts(ann.id).some((text) => text.includes('✓ Watching 0x5290'))).toBe(true)
    await bot.says(ann, '2300')
    expect(last().text).not.toContain('price alert')
  })

  test('ends by Cancel, by a command, and after ten minutes', async () => {
    await using bot = await begun()
    const { ann, last } = bot
    const ask = () => bot.says(ann, '/alert price ETH below')
    await ask()
    await bot.taps('Cancel')
    expect(last().text).toBe('Cancelled. Nothing has changed.')
    await bot.says(ann, '2300')
    expect(last().text).not.toContain('below $2,300')
    await ask()
    await bot.says(ann, '/wallets')
    await bot.says(ann, '2300')
    expect(last().text).not.toContain('below $2,300')
    await ask()
    await bot.pass(10 * 60_000 + 5_000)
    await bot.says(ann, '2300')
    expect(last().text).not.toContain('below $2,300')
    await ask()
    await bot.says(ann, '2300')
    await bot.pass(4_000)
    expect(last().text).toContain('below $2,300')
  })
})

describe('a question in a group', () => {
  test('is answered by the person who was asked, as a reply or as their next fitting message', async () => {
    await using bot = await begun()
    const { ann, bob, group, last, forced, telegram } = bot
    const ask = async () => {
      ann.says(group, `/alert@${telegram.botName} price ETH below`)
      await bot.pass(4_000)
      ann.taps('Other…', { in: group })
      await bot.pass(4_000)
    }
    await ask()
    expect(last(group).text).toBe('@ann: At what price? ETH is $2,500.00 now.')
    expect(forced(group)).toMatchObject({ force_reply: true, selective: true })
    const asked = last(group).id
    bob.says(group, '2200', { replyTo: asked })
    await bot.pass(4_000)
    expect(last(group).id).toBe(asked)
    ann.says(group, '2300', { replyTo: asked })
    await bot.pass(4_000)
    expect(last(group).text).toMatch(/ETH.*below \$2,300/)
  })

  test('passes over what the person says to others, where the bot reads everything', async () => {
    await using bot = await begun()
    const { ann, bob, group, last, telegram } = bot
    // An administrator reads all of a group.
    group.promote()
    await bot.pass(4_000)
    ann.says(group, `/alert@${telegram.botName} price ETH below`)
    await bot.pass(4_000)
    ann.says(group, 'what a day')
    await bot.pass(4_000)
    expect(last(group).text).toContain('At what price?')
    const { id } = bob.says(group, 'buy at 2400')
    ann.says(group, '2300', { replyTo: id })
    await bot.pass(4_000)
    expect(last(group).text).toContain('At what price?')
    ann.says(group, '2300')
    await bot.pass(4_000)
    expect(last(group).text).toMatch(/ETH.*below \$2,300/)
  })
})
