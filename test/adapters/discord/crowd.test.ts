import { expect, test } from 'vitest'

import { startDiscordBot } from '../../support/discord/bot.ts'
import { alertCrowd, CROWD_LIMITS, crowdOf } from './crowd.ts'

const COUNT = 100

test('a hundred channels hear of one tick, what is critical first, within the limits', async () => {
  await using bot = await startDiscordBot((discord) => crowdOf(discord, COUNT), { limits: CROWD_LIMITS })
  const { order, channels, refused, fullestSecond, ms } = await alertCrowd(bot, COUNT)
  expect(channels).toBe(COUNT)
  expect(order).toHaveLength(COUNT)
  expect(order.filter((one) => one === 'critical')).toHaveLength(COUNT / 2)
  // Those that are under way at the same time may pass each other.
  expect(order.lastIndexOf('critical')).toBeLessThan(COUNT / 2 + 8)
  expect(refused).toBe(0)
  expect(fullestSecond).toBeLessThanOrEqual(50)
  // By the bot's clock.
  expect(ms).toBeLessThan(5_000)
})
