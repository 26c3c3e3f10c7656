import { expect, test } from 'vitest'

import { ALICE, startBot } from '../support/bot.ts'
import { handClock, NOON, READ_MS } from '../support/clock.ts'
import { startLighter } from '../support/lighter/server.ts'

/** Alice is short ETH on Lighter, and watches. */
async function watching() {
  const clock = handClock(NOON, READ_MS)
  const lighter = await startLighter({ clock })
  const bot = await startBot({ clock, lighter })
  const account = lighter.account(ALICE, 4_000)
  account.trades('ETH', -2, { leverage: 10 })
  await bot.pass(10_000)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(60_000)
  bot.hears()
  /** The push is cut and refused from now on, or comes back. */
  const pushes = (on: boolean) => {
    if (!on) lighter.push.cut()
    lighter.push.refuse(!on)
  }
  return Object.assign(bot, { lighter, account, pushes })
}

test('an address that Lighter denies for some minutes has closed nothing', async () => {
  await using bot = await watching()
  bot.pushes(false)
  bot.lighter.rewrites('account', () => ({ code: 21_100, message: 'account not found' }))
  await bot.pass(400_000)
  const denied = bot.hears().join('\n')
  expect(denied).toContain('[BLIND]')
  expect(denied).toContain('it says that it does not know this address')
  expect(denied).not.toMatch(/was closed|is gone/)
  bot.lighter.rewrites('account', null)
  bot.pushes(true)
  await bot.pass(120_000)
  const after = bot.hears().join('\n')
  expect(after).toContain('[RESOLVED] I can see wallet main')
  expect(after).not.toMatch(/opened|was closed|is gone/)
})
