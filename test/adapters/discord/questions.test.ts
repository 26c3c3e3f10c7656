import { describe, expect, test } from 'vitest'

import { ALICE, CLAIM_CODE } from '../../support/bot.ts'
import { startDiscordBot } from '../../support/discord/bot.ts'

/** Olga runs the bot and watches a wallet with a long in ETH. */
async function begun() {
  const bot = await startDiscordBot(() => ({}))
  const guild = bot.discord.guild('Traders')
  const general = guild.channel('general')
  const olga = guild.member('olga', { manageServer: true })
  const fred = guild.member('fred')
  bot.stage.market('ETH', { price: 2_500 })
  bot.stage.market('BTC', { price: 100_000 })
  bot.stage.positions(ALICE, [{ symbol: 'ETH', size: 2, entry: 2_400, liquidation: 1_200 }])
  await bot.online()
  await bot.says(olga, `/start code:${CLAIM_CODE}`, olga.dm)
  await bot.says(olga, `/watch address:${ALICE} label:main`, olga.dm)
  const trouble = () => bot.events.flatMap((event) => (event.is === 'trouble' ? [event.why] : []))
  const taps = (label: string, where: { id: string } = olga.dm) => bot.answered(olga.taps(label, where))
  /** Opens the dialog behind a button, and sends an answer. */
  const types = async (label: string, answer: string, where: { id: string } = olga.dm) => {
    const asked = olga.taps(label, where)
    await bot.until(() => asked.interaction.modal !== null, 'the dialog is open')
    const modal = asked.interaction.modal
    return { modal, says: await bot.answered(olga.submits(answer)) }
  }
  return Object.assign(bot, { general, olga, fred, trouble, taps, types })
}

describe('a question', () => {
  test('leads to a price alert by taps alone: more than five choices are a list', async () => {
    await using bot = await begun()
    const { olga, taps } = bot
    await bot.says(olga, '/menu', olga.dm)
    expect(await taps('New alert')).toContain('‹Price› ‹Liquidation› ‹PnL›')
    expect(await taps('Price')).toMatch(/Which market\?\n\[ETH\] \[BTC\]/)
    expect(await taps('ETH')).toContain('‹▼ $2,250 -10%›')
    expect(await taps('▼ $2,250 -10%')).toMatch(/ETH is below \$2,250/)
    expect(bot.trouble()).toEqual([])
  })

  test('opens a dialog for an answer of one’s own, and repeats itself after one that does not fit', async () => {
    await using bot = await begun()
    const { olga, taps, types } = bot
    await bot.says(olga, '/menu', olga.dm)
    for (const label of ['New alert', 'Price', 'ETH']) await taps(label)
    const { modal, says } = await types('Other…', 'soon')
    expect(modal).toMatchObject({
      title: 'Alert when ETH goes above or below a price?',
      inputs: [{ placeholder: 'below 2380' }],
    })
    expect(says).toContain('I don’t understand “soon” here.')
    expect((await types('Other…', 'below 2300')).says).toMatch(/ETH is below \$2,300/)
    expect(bot.trouble()).toEqual([])
  })

  test('works when it has long expired, since the button holds its line', async () => {
    await using bot = await begun()
    const { olga, taps, types } = bot
    await bot.says(olga, '/menu', olga.dm)
    for (const label of ['New alert', 'Price', 'ETH']) await taps(label)
    await bot.pass(20 * 60_000)
    expect((await types('Other…', 'below 2300')).says).toMatch(/ETH is below \$2,300/)
  })

  test('is shown in a server to the one who is asked alone, and so is the answer', async () => {
    await using bot = await begun()
    const { olga, general, taps, types } = bot
    await bot.says(olga, '/menu', general)
    for (const label of ['New alert', 'Price', 'ETH']) await taps(label, general)
    await types('Other…', 'below 2300', general)
    expect(bot.discord.ledger.shows(general, bot.fred)).not.toMatch(/price|2,300/)
    expect(bot.discord.ledger.shows(general, olga)).toContain('2,300')
  })
})
