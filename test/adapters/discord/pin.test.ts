import { expect, test } from 'vitest'

import { CLAIM_CODE, UNHURRIED } from '../../support/bot.ts'
import { startDiscordBot } from '../../support/discord/bot.ts'
import { textOf } from '../../support/discord/readable.ts'

const MINUTE = 60_000

test('a live card is pinned, counts the time on the reader’s screen, and ends when it is deleted', async () => {
  await using bot = await startDiscordBot(() => UNHURRIED)
  const { discord, stage, clock } = bot
  const olga = discord.guild('Home').member('olga', { manageServer: true })
  stage.market('BTC', { price: 130, funding: 0.0002 })
  await bot.online()
  await bot.says(olga, `/start code:${CLAIM_CODE}`, olga.dm)
  await bot.says(olga, '/status what:pin', olga.dm)
  await bot.pass(3_000)
  const pin = olga.dm.messages().find((message) => textOf(message).includes('last look'))
  const seconds = () => Number(/last look <t:(\d+):R>/.exec(pin ? textOf(pin) : '')?.[1])
  const first = seconds()
  expect(pin?.pinned).toBe(true)
  expect(first).toBeGreaterThan(0)
  await bot.pass(5 * MINUTE)
  expect(seconds()).toBeGreaterThan(first + 4 * 60)

  if (pin) pin.deletedAt = clock.now()
  await bot.pass(6 * MINUTE)
  expect(await bot.says(olga, '/status what:unpin', olga.dm)).toMatch(/No live card is in that chat/)
})
