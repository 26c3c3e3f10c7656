import { expect, test } from 'vitest'

import { runProgram } from '../program.ts'
import { startBot } from './client.ts'
import { createPrompt } from './prompt.ts'
import { startDiscord } from './server.ts'

test('the bot is used by hand', async () => {
  await using discord = await startDiscord()
  const said: string[] = []
  const prompt = createPrompt(discord, (text) => said.push(text))
  const type = async (line: string) => {
    said.length = 0
    expect(await prompt.line(line)).toBe(true)
    return said.join('\n')
  }
  await using _bot = await startBot(discord, {
    register: true,
    hear: async (asked) => {
      if (asked.isAutocomplete()) await asked.respond([{ name: 'Main wallet', value: 'main' }])
      if (asked.isButton()) await asked.update({ content: 'fresh', components: [] })
      if (!asked.isChatInputCommand()) return
      const components = [{ type: 1, components: [{ type: 2, style: 1, label: 'Refresh', custom_id: 'r' }] }]
      await asked.reply({ content: 'BTC long', flags: 64, components })
    },
  })
  const heard = () => discord.ledger.until(() => said.length > 0, 'something is printed')

  expect(prompt.shown()).toBe('#general as you> ')
  await type('/positions wallet:main')
  await heard()
  expect(said).toEqual(['#general Perch only you\n  BTC long\n  [Refresh]'])
  await type(':tap Refresh')
  await heard()
  expect(said).toEqual(['#general Perch edited, only you\n  fresh'])
  expect(await type(':complete /positions wallet:ma')).toBe('  Main wallet → main')
  await type(':as ann')
  await type(':in alerts announcement')
  expect(prompt.shown()).toBe('#alerts as ann> ')
  expect(await type(':show')).toBe('(nothing)')
  expect(await type(':tap Refresh')).toContain('ann sees no button [Refresh]')
  expect(await type('/nothing')).toContain('The bot has registered no /nothing')
  await type(':dm')
  expect(prompt.shown()).toBe('@ann as ann> ')
  await type('/positions')
  await heard()
  expect(said).toEqual(['@ann Perch only ann\n  BTC long\n  [Refresh]'])
  await type(':fault POST /channels/:id/messages status 503 2')
  expect(await type(':fault nothing')).toContain('a kind is one of status, html')
  await type(':kick')
  await type(':in general')
  await type(':uninstall')
  expect(await type('/positions')).toContain('not installed in Server, nor for ann')
  expect(await type(':help')).toContain(':as NAME')
  expect(await type(':requests')).toContain('"GET /gateway/bot": 1')
  expect(await prompt.line(':quit')).toBe(false)
})

test('alone, it says how to start the bot, and ends', async () => {
  await using program = runProgram('test/support/discord/alone.ts', { FAKE_DISCORD_PORT: '0' })
  await program.prints(/DISCORD_API_URL=http:\/\/127\.0\.0\.1:\d+\/api DISCORD_BOT_TOKEN=\S+/)
  program.type(':in alerts')
  program.type(':show')
  await program.prints('(nothing)')
  program.type(':quit')
  expect(await program.ends()).toEqual({ code: 0, signal: null })
})
