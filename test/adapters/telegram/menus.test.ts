import { expect, test } from 'vitest'

import { handClock } from '../../support/clock.ts'
import { startTelegramBot } from '../../support/telegram/bot.ts'

/** Telegram cuts a menu entry at the edge of a phone. */
const ENTRY = 32
const SCOPES = ['all_private_chats', 'all_group_chats', 'all_chat_administrators']
const SET = /^set(My|Chat)/

test('the bot sets its own menus: at most twelve commands each, in the order of use, in both languages', async () => {
  await using bot = await startTelegramBot()
  await bot.pass(1_000)
  const { telegram } = bot
  for (const scope of SCOPES.flatMap((one) => [one, `${one} de`])) {
    const menu = telegram.menu(scope) ?? []
    expect(menu.length, scope).toBeGreaterThan(0)
    expect(menu.length, scope).toBeLessThanOrEqual(12)
    for (const { description } of menu) {
      expect([...description].length, description).toBeLessThanOrEqual(ENTRY)
      expect(description, scope).toMatch(/^\p{Lu}[^]*[^.]$/u)
    }
    expect(menu[0]?.command, scope).toBe('menu')
    expect(menu.at(-1)?.command, scope).toBe('help')
  }
  const inGroups = telegram.menu('all_group_chats')?.map(({ command }) => command)
  for (const own of ['positions', 'alert', 'watch', 'settings']) expect(inGroups).not.toContain(own)
})

test('the bot describes itself before it is started, and its button opens the menu', async () => {
  await using bot = await startTelegramBot()
  await bot.pass(1_000)
  const { texts } = bot.telegram.world
  expect(texts.get('menu_button all')).toBe('commands')
  expect(texts.get('description')).toContain('paste a wallet address')
  expect(texts.get('description de')).toContain('Wallet-Adresse')
  expect(texts.get('short_description')).toContain('before a position is liquidated')
  expect(texts.get('short_description de')).toContain('bevor eine Position liquidiert wird')
})

test('a restart sets nothing that is there already', async () => {
  await using bot = await startTelegramBot({ clock: handClock() })
  await bot.pass(1_000)
  const asked = () => bot.telegram.asked.filter(({ method }) => SET.test(method)).length
  const before = asked()
  expect(before).toBeGreaterThan(0)
  await bot.restart()
  await bot.pass(1_000)
  expect(asked()).toBe(before)
})
