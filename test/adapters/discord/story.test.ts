import { expect, test } from 'vitest'

import { ALICE, BOB } from '../../support/bot.ts'
import { textOf } from '../../support/discord/readable.ts'
import { startLiving } from './living.ts'
import { comparePart } from './page.ts'
import { undone } from './readable.ts'

test("a guild's story", async () => {
  await using living = await startLiving((stage) => {
    stage.market('BTC', { price: 130, funding: 0.0002 })
    stage.market('ETH', { price: 200, funding: 0.0002 })
    stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
    stage.positions(BOB, [{ symbol: 'ETH', size: -4, entry: 200, liquidation: 260 }])
    // What closing would do comes sooner or later; docs/alerts.md shows it.
    stage.fails('/post-trade-details', 503)
  })
  const { discord, stage } = living
  const guild = discord.guild('Traders')
  const alerts = guild.channel('alerts')
  const olga = guild.member('olga', { manageServer: true })
  const fred = guild.member('fred')
  const says = async (who: typeof olga, line: string, where?: { id: string }) =>
    textOf(await who.runs(line, {}, where).answer())

  // Whoever is not known learns nothing; the first with the code is the operator.
  expect(await says(fred, '/wallets')).toContain('This Perch is private')
  expect(await says(olga, `/start code:${await living.code()}`, olga.dm)).toContain('You are the operator')

  // The channel is bound by somebody who may; Discord does not even offer it to others.
  expect(() => fred.runs('/channel bind')).toThrow('default_member_permissions')
  guild.role('traders')
  expect(await says(olga, '/channel bind mention:traders')).toContain('is bound')
  await alerts.gets('Test: alerts reach')
  expect(await says(olga, '/alert funding-flip market:BTC')).toContain('in #alerts')
  expect(await says(olga, `/watch address:${ALICE} label:main`, olga.dm)).toContain('1 position')
  expect(await says(olga, '/alert liquidation-distance wallet:main tiers:10% 5%', alerts)).toContain(
    'in #alerts',
  )

  // A funding flip and a crash reach it.
  stage.market('BTC', { funding: -0.0002 })
  await alerts.gets('INFO: BTC funding flipped')
  stage.market('BTC', { price: 94 })
  await alerts.gets('CRITICAL: BTC long: 4.3% to liquidation')
  await olga.dm.gets('CRITICAL: BTC long: 4.3% to liquidation')

  // A member comes in by invitation, watches a wallet and is warned by direct message.
  const invitation = /\/start (\S+)`/.exec(await says(olga, '/invite', olga.dm))?.[1] ?? ''
  expect(await says(fred, `/start code:${invitation}`)).toContain('Welcome: you are in.')
  expect(await says(fred, `/watch address:${BOB} label:hedge`)).toContain('ETH short: 30.0% to liquidation')
  stage.market('ETH', { price: 250 })
  await fred.dm.gets('CRITICAL: ETH short: 4.0% to liquidation')
  stage.market('ETH', { price: 255 })
  await fred.dm.gets('CRITICAL: ETH short: 2.0% to liquidation')
  const seen = textOf(await fred.taps('Ack', fred.dm).answer())
  expect(seen).toContain('ETH short: 2.0% to liquidation')
  expect(seen).toContain('✓ fred, ')
  expect(seen).not.toContain('[Ack A5]')

  // What is personal is seen by one person alone, also in the channel.
  const choices = await fred.types('/positions', 'wallet', 'he').choices()
  expect(choices).toEqual([{ name: expect.stringContaining('hedge') as string, value: 'hedge' }])
  const looked = await fred.runs('/positions wallet:hedge').answer()
  expect(looked.visibleTo?.name).toBe('fred')
  expect(discord.ledger.shows(alerts, olga)).not.toContain('hedge')

  // A button of before the restart still does what it says.
  const set = await fred.runs('/alert funding-flip market:ETH', {}, fred.dm).answer()
  const rule = /R\d+/.exec(textOf(set))?.[0] ?? ''
  await living.restart()
  expect(discord.commandPuts()).toBe(1)
  expect(textOf(await fred.taps('Remove', fred.dm).answer())).toContain(`Removed ${rule}`)
  expect(await says(fred, '/alerts', fred.dm)).not.toContain(`${rule} funding-flip`)
  expect(discord.ledger.interactions().filter(({ ackedAt }) => ackedAt === null)).toEqual([])

  const told = [
    ['#alerts, as olga sees it', discord.ledger.shows(alerts, olga)],
    ["olga's direct messages", discord.ledger.shows(olga.dm, olga)],
    ['#alerts, as fred sees it', discord.ledger.shows(alerts, fred)],
    ["fred's direct messages", discord.ledger.shows(fred.dm, fred)],
  ].map(([title, text = '']) => `**${title}**\n\n\`\`\`\`\n${readable(text)}\n\`\`\`\`\n`)
  await comparePart('the story', told.join('\n'))
})

/** Figures that differ from run to run are written as if they did not. */
function readable(text: string): string {
  return undone(text.replace(/<@&\d+>/g, '@traders').replace(/mention:\d+/g, 'mention:@traders'), 0)
    .replace(/[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}/g, 'ABCD-EFGH-JKLM')
    .replace(/(?<!Snooze (?:A\d+ )?)\b\d+(\.\d)? (s|ms|min)\b( ago)?/g, '0.1 s$3')
    .replace(/\b\d\d:\d\d UTC|\b\d{1,2} \w{3} \d\d:\d\d UTC/g, '14:02')
    .replace(/just now/g, '0.1 s ago')
}
