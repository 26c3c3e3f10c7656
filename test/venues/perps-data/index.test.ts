import { expect, test } from 'vitest'

import open from '../../../src/venues/perps-data/index.ts'
import { market, markets } from './records.ts'
import { json, startVenue } from './server.ts'

test('opens the venue that the environment names, and says which one it is', async () => {
  await using bot = await startVenue({ prefix: '/perps' })
  bot.answers(json(markets([market()])))
  const env = { VENUE_URL: `${bot.url}/`, VENUE_API_KEY: 'k-1' }
  const opened = await open({ env, clock: bot.clock, emit: () => {}, random: () => 0 })
  expect(opened.identity).toBe(`perps-data ${bot.url} chain 8008`)
  expect([opened.simulated, opened.endsBot, opened.introduction]).toEqual([false, false, []])
  expect(bot.heard).toEqual([])
  expect((await opened.venue.markets(bot.asking(), [])).markets).toHaveLength(1)
  expect(bot.heard[0]).toMatchObject({ url: '/perps/markets', headers: { 'x-api-key': 'k-1' } })
  await opened.close()
})
