import { expect, test } from 'vitest'

import { ALICE, CLAIM_CODE, startBot, UNHURRIED } from '../support/bot.ts'

const olga = { platform: 'red', user: 'olga' }
const PLACE = { chat: 'desk', mayConfigure: false, whisper: false }

async function bound() {
  const bot = await startBot({ platforms: ['red'], settings: UNHURRIED })
  bot.platforms.get('red')?.groups.set('desk', { title: 'Desk', mayPost: true, configurers: ['olga'] })
  bot.stage.market('BTC', { price: 130 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  await bot.says(`/start ${CLAIM_CODE}`, olga)
  await bot.says(`/watch ${ALICE} main`, olga)
  const here = { ...olga, place: { ...PLACE, mayConfigure: true } }
  await bot.says('/channel bind', here)
  await bot.says('/alert liq main 5%', here)
  await bot.pass(10_000)
  bot.stage.market('BTC', { price: 91.5 })
  await bot.pass(10_000)
  bot.hears('desk', 'red')
  return Object.assign(bot, { here })
}
const mallory = { platform: 'red', user: 'mallory', place: PLACE }

test('a stranger in a bound group silences none of its alerts', async () => {
  await using bot = await bound()
  for (const line of ['/ack', '/snooze 24h'])
    expect(await bot.says(line, mallory)).toBe(
      'Here I take that only from admins and from people who use me.',
    )
  await bot.pass(5 * 60_000)
  expect(bot.hears('desk', 'red').join()).toContain('Reminder')
  expect(await bot.says('/markets', mallory)).toContain('BTC')
})

test('an administrator may, and so may somebody who uses the bot', async () => {
  await using bot = await bound()
  const admin = { platform: 'red', user: 'adam', place: { ...PLACE, mayConfigure: true } }
  expect(await bot.says('/ack', admin)).toContain('acknowledged by adam')
  const code = /\/start (\S+)/.exec(await bot.says('/invite', olga))?.[1] ?? ''
  await bot.says(`/start ${code}`, { platform: 'red', user: 'bob' })
  expect(await bot.says('/snooze 30m', { platform: 'red', user: 'bob', place: PLACE })).toContain(
    'snoozed by bob',
  )
})

test('whoever bound the chat may let anybody acknowledge there, also over a restart', async () => {
  await using bot = await bound()
  expect(await bot.says('/channel acks anybody', bot.here)).toBe(
    '✓ In Desk, anybody can acknowledge and snooze',
  )
  await bot.restart()
  expect(await bot.says('/ack', mallory)).toContain('acknowledged by mallory')
  expect(await bot.says('/channel acks known', bot.here)).toContain('administrators and people who use me')
  expect(await bot.says('/snooze 30m', mallory)).toContain('only from admins')
})
