import { describe, expect, test } from 'vitest'

import { ALICE, CLAIM_CODE } from '../../support/bot.ts'
import { startDiscordBot } from '../../support/discord/bot.ts'
import type { Fault } from '../../support/discord/faults.ts'
import { buttonsOf } from '../../support/discord/readable.ts'

/** Olga's two longs are told in a channel that she bound. The alert of the first one is critical. */
async function alarmed() {
  const bot = await startDiscordBot(() => ({}))
  const guild = bot.discord.guild('Traders')
  const alerts = guild.channel('alerts')
  const olga = guild.member('olga', { manageServer: true })
  const held = { size: 1.5, entry: 120, liquidation: 90 }
  for (const symbol of ['BTC', 'ETH']) bot.stage.market(symbol, { price: 130 })
  bot.stage.positions(ALICE, [
    { symbol: 'BTC', ...held },
    { symbol: 'ETH', ...held },
  ])
  await bot.online()
  await bot.says(olga, `/start code:${CLAIM_CODE}`, olga.dm)
  await bot.says(olga, '/channel bind', alerts)
  await bot.says(olga, `/watch address:${ALICE} label:main`, olga.dm)
  await bot.says(olga, '/alert liquidation-distance wallet:main tiers:5%,2%', alerts)
  await bot.pass(4_000)
  bot.stage.market('BTC', { price: 94.5 })
  const message = await bot.until(() => alerts.shows('BTC long: 4.8%'), 'the alert is told')
  const id = /\/ack (A\d+)/.exec(JSON.stringify(buttonsOf(message)))?.[1] ?? ''
  return Object.assign(bot, { alerts, olga, id })
}

const OLD = { code: 30046, message: 'Maximum number of edits to messages older than 1 hour reached.' }
const FAULTS: [string, Omit<Fault, 'route'>][] = [
  ['are limited by themselves', { kind: 'status', status: 429, retryAfterMs: 300_000, body: OLD }],
  ['fail with 500', { kind: 'status', status: 500 }],
  ['hang', { kind: 'hang' }],
  [
    'are refused as another user’s',
    {
      kind: 'status',
      status: 403,
      body: { code: 50005, message: 'Cannot edit a message authored by another user' },
    },
  ],
]

describe.each(FAULTS)('while edits %s', (_how, fault) => {
  test('a worse critical and that of another position go at once', async () => {
    await using bot = await alarmed()
    const { alerts, discord, id, olga } = bot
    discord.fault({ route: 'PATCH /channels/:id/messages/:message', times: 1_000, ...fault })
    expect(await bot.says(olga, `/ack alert:${id}`, olga.dm)).toContain('✓ BTC long · main: quiet until')
    for (const [symbol, price, words] of [
      ['BTC', 91.5, 'BTC long: 1.6%'],
      ['ETH', 94.5, 'ETH long: 4.8%'],
      ['ETH', 91.5, 'ETH long: 1.6%'],
    ] as const) {
      const began = bot.clock.monotonic()
      bot.stage.market(symbol, { price })
      await bot.until(() => alerts.shows(words), words)
      expect(bot.clock.monotonic() - began).toBeLessThan(6_000)
    }
  })
})

test('a tap whose message is too old to be edited is answered in a new message, and keeps no critical waiting', async () => {
  await using bot = await alarmed()
  const { alerts, discord, olga } = bot
  const [, limited] = FAULTS[0] ?? []
  discord.fault({
    route: 'PATCH /webhooks/:app/:token/messages/:message',
    times: 1_000,
    kind: 'hang',
    ...limited,
  })
  discord.fault({ route: 'PATCH /channels/:id/messages/:message', times: 1_000, kind: 'hang', ...limited })
  olga.taps('Ack', alerts)
  await bot.until(() => alerts.shows('✓ olga'), 'the tap is answered')
  const began = bot.clock.monotonic()
  bot.stage.market('BTC', { price: 91.5 })
  await bot.until(() => alerts.shows('BTC long: 1.6%'), 'the worse one is told')
  expect(bot.clock.monotonic() - began).toBeLessThan(6_000)
})
