import { expect, test } from 'vitest'

import type { Picture } from '../../../src/message/picture.ts'
import { dayPicture } from '../../../src/commands/nights/day-picture.ts'
import { positionPicture } from '../../../src/commands/shared/position-picture.ts'
import { kinds } from '../../../src/alerts/index.ts'
import type { Severity } from '../../../src/alert/alert.ts'
import type { Text } from '../../../src/message/message.ts'
import type { Chat } from '../../../src/people/chat.ts'
import { NOON } from '../../support/clock.ts'
import { aMarket, aPosition, aRule, exact } from '../../support/fixtures.ts'
import { startEngine } from '../../support/running.ts'

/** As many tiers and marks as a picture takes, and every figure at its longest. */
function largest(): Picture<Text> {
  const wallet = '🦈'.repeat(24)
  const position = aPosition({
    size: exact('-123456789.123456789123456789'),
    entryPrice: exact('0.000000012345678912'),
    liquidationPrice: exact('0.000000023456789123'),
  })
  const market = aMarket({ price: exact('0.000000019876543219') })
  const severity: Severity = 'critical'
  const view = {
    rules: () => [],
    monitor: () => null,
    firing: () => [],
  }
  const held = { position, market, symbol: '1000000MOGCOIN', wallet }
  const picture = positionPicture(view, kinds, 1, held, {
    ...{ now: NOON, spanMs: 86_400_000, priceAt: NOON - 987_654_321, positionAt: NOON },
  })
  const far = Array.from({ length: 8 }, (_, at) => ({ at: 0.123456789 / (at + 1), severity }))
  const marks = Array.from({ length: 8 }, (_, at) => ({ at: NOON - at, severity }))
  return { ...picture, tiers: far, marks }
}

test('a picture waits silently, about nothing, for a minute, and takes less than 2 kB', async () => {
  const running = await startEngine({ rules: [aRule()] })
  const picture = largest()
  running.kept()
  await running.change({
    is: 'pictures',
    pictures: [
      { chatId: 1, alertId: 42, picture },
      { chatId: 99, alertId: 43, picture },
    ],
  })
  const rows = running.kept().flatMap((write) => (write.is === 'send' ? [write.row] : []))
  expect(rows).toHaveLength(1)
  const [row] = rows
  expect(row).toMatchObject({ chatId: 1, silent: true, about: [], alertIds: [], pictureOf: 42, note: null })
  expect((row?.expiresAt ?? 0) - (row?.queuedAt ?? 0)).toBe(60_000)
  expect(Buffer.byteLength(JSON.stringify(row?.message))).toBeLessThan(2_048)
})

test('a picture of a day with as many marks as there can be takes less than 2 kB', async () => {
  const running = await startEngine({ rules: [aRule()] })
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ at: 0.123456789 + at, severity: 'critical' as const }))
  const position = aPosition()
  const told = {
    ...{ chatId: 1, digestOf: 123_456, since: NOON - 86_400_000, at: NOON },
    dailySummary: { fired: { critical: 99_999, warning: 99_999, info: 99_999 }, reached: many(12) },
    nearest: { position, symbol: '1000000MOGCOIN', distance: 0.123456789123456 },
  }
  const chat = { personId: 1 } as Chat
  const tiers = Array.from({ length: 20 }, (_, at) => 0.123456789 / (at + 1))
  const monitor = { params: { tiers }, ruleIds: [7] }
  const view = { chat: () => chat, rules: () => [aRule()], monitor: () => monitor }
  const day = { since: told.since, until: NOON, pnl: -123_456.123456, funding: -98_765.4321987 }
  const picture = dayPicture(view, kinds, told, { ...day, worth: 1e9 / 3, isWhole: false })
  if (!picture) throw new Error('there is no picture')
  expect(picture.nearest?.tiers).toHaveLength(8)
  running.kept()
  await running.change({ is: 'pictures', pictures: [{ chatId: 1, alertId: null, picture }] })
  const [row] = running.kept().flatMap((write) => (write.is === 'send' ? [write.row] : []))
  expect(row).toMatchObject({ urgency: 2, silent: true, about: [], pictureOf: null })
  expect(Buffer.byteLength(JSON.stringify(row?.message))).toBeLessThan(2_048)
})

test('a picture that was lost is a step of its alert, and no message; of an alert that is over it is nothing', async () => {
  const running = await startEngine({ rules: [aRule()] })
  await running.prices(aMarket())
  await running.reads([aPosition({ liquidationPrice: exact('2400') })])
  expect(running.hears()).toEqual(['1: ETH long: 4.0% to liquidation (A42)'])
  running.kept()
  const why = 'it could not be drawn'
  await running.change({ is: 'picture-lost', alertId: 42, rowId: 7, why })
  expect(running.kept()).toMatchObject([{ is: 'step', step: { alertId: 42, what: `no picture: ${why}` } }])
  await running.change({ is: 'picture-lost', alertId: 7, rowId: 7, why })
  expect(running.kept()).toEqual([])
})
