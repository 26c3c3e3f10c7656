import { describe, expect, test } from 'vitest'

import { isConfigured, schema } from '../../../src/venues/hyperliquid/config.ts'
import open from '../../../src/venues/hyperliquid/index.ts'
import { handClock } from '../../support/clock.ts'
import { startInfo } from './server.ts'

const complaints = (env: Record<string, string>) =>
  schema.safeParse(env).error?.issues.map((issue) => issue.message) ?? []

test('nothing has to be set: it is Hyperliquid itself', () => {
  expect(schema.parse({})).toEqual({
    VENUE_URL: 'https://api.hyperliquid.xyz',
    HYPERLIQUID_WEIGHT_PER_MINUTE: 1_200,
  })
})

test.each([
  [{}, false],
  [{ VENUE_URL: 'https://venue.example' }, false],
  [{ HYPERLIQUID_URL: ' ' }, false],
  [{ HYPERLIQUID_URL: 'https://venue.example' }, true],
])('only its own address means it: %j', (env, isMeant) => {
  expect(isConfigured(env)).toBe(isMeant)
})

describe('a mistake is told in a sentence', () => {
  test.each([
    [{ VENUE_URL: 'api.hyperliquid.xyz' }, /^VENUE_URL must be a whole http/],
    [{ VENUE_URL: 'wss://api.hyperliquid.xyz/ws' }, /^VENUE_URL must be a whole http/],
    [{ VENUE_URL: 'https://me:secret@api.hyperliquid.xyz' }, /^VENUE_URL must have no user name/],
    [{ VENUE_URL: 'https://api.hyperliquid.xyz/?key=1' }, /^VENUE_URL must have no user name/],
    [{ HYPERLIQUID_URL: 'api.hyperliquid.xyz' }, /^HYPERLIQUID_URL must be a whole http/],
    [{ HYPERLIQUID_URL: 'https://me@api.hyperliquid.xyz' }, /^HYPERLIQUID_URL must have no user name/],
  ])('%j', (env, sentence) => {
    expect(complaints(env)).toEqual([expect.stringMatching(sentence)])
  })
})

describe('a node of one’s own', () => {
  const own = { HYPERLIQUID_URL: 'http://10.0.0.5:3001' }

  test('may be asked for more than Hyperliquid itself', async () => {
    const env = { ...own, HYPERLIQUID_WEIGHT_PER_MINUTE: '60000' }
    const opened = await open({ env, clock: handClock(), emit: () => {}, random: () => 0 })
    expect(opened.venue.limits).toEqual({ allowed: { weight: 60_000, perMs: 60_000 } })
    await opened.close()
  })

  test.each([
    {},
    { VENUE_URL: 'https://api.hyperliquid-testnet.xyz' },
    { HYPERLIQUID_URL: 'https://api.hyperliquid.xyz' },
  ])('is not at %j, where more would be refused', (env) => {
    expect(complaints({ ...env, HYPERLIQUID_WEIGHT_PER_MINUTE: '2400' })).toEqual([
      expect.stringMatching(/^HYPERLIQUID_WEIGHT_PER_MINUTE is for a node of your own/),
    ])
    expect(complaints({ ...env, HYPERLIQUID_WEIGHT_PER_MINUTE: '1200' })).toEqual([])
  })

  test.each(['0', '1199', 'lots', '1000001', '1.5e4'])('allows no %s', (weight) => {
    expect(complaints({ ...own, HYPERLIQUID_WEIGHT_PER_MINUTE: weight })).toContainEqual(
      expect.stringMatching(/^HYPERLIQUID_WEIGHT_PER_MINUTE is a whole number from 1200 to 1000000/),
    )
  })
})

test('its own address wins over the one of whichever venue is first', async () => {
  await using bot = await startInfo()
  const env = { VENUE_URL: 'https://venue.example', HYPERLIQUID_URL: bot.url }
  const opened = await open({ env, clock: handClock(), emit: () => {}, random: () => 0 })
  expect(opened.identity).toBe(`hyperliquid ${bot.url}`)
  await opened.close()
})

test('the venue that is opened is the one at that address, and nothing is asked of it yet', async () => {
  await using bot = await startInfo()
  const env = { VENUE_URL: `${bot.url}/` }
  const opened = await open({ env, clock: handClock(), emit: () => {}, random: () => 0 })
  expect(opened.identity).toBe(`hyperliquid ${bot.url}`)
  expect([opened.simulated, opened.endsBot, opened.introduction]).toEqual([false, false, []])
  expect(opened.venue.limits).toEqual({ allowed: { weight: 1_200, perMs: 60_000 } })
  expect(bot.asked).toEqual([])
  expect((await opened.venue.markets(bot.asking(), [])).markets).toHaveLength(2)
  await opened.close()
})
