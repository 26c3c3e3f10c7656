import { describe, expect, test } from 'vitest'

import { isConfigured, schema, urlOf } from '../../../src/venues/lighter/config.ts'
import open from '../../../src/venues/lighter/index.ts'
import { handClock } from '../../support/clock.ts'
import { startLighter } from '../../support/lighter/server.ts'

const placeOf = (env: Record<string, string>) => urlOf(schema.parse(env))
const complaints = (env: Record<string, string>) =>
  schema.safeParse(env).error?.issues.map((issue) => issue.message) ?? []

test.each([
  ['nothing has to be set: it is Lighter itself', {}, 'https://mainnet.zklighter.elliot.ai'],
  ['the address of the first venue', { VENUE_URL: 'http://a.example' }, 'http://a.example'],
  [
    'its own goes before',
    { VENUE_URL: 'http://a.example', LIGHTER_URL: 'http://b.example/x/' },
    'http://b.example/x',
  ],
])('%s', (_, env, place) => {
  expect(placeOf(env)).toBe(place)
})

test.each([
  [{}, false],
  [{ VENUE_URL: 'https://venue.example' }, false],
  [{ LIGHTER_URL: ' ' }, false],
  [{ LIGHTER_URL: 'https://venue.example' }, true],
  [{ LIGHTER_TOKEN: 'token' }, true],
])('only its own variables mean it: %j', (env, isMeant) => {
  expect(isConfigured(env)).toBe(isMeant)
})

describe('a mistake is told in a sentence', () => {
  test.each([
    [{ LIGHTER_URL: 'mainnet.zklighter.elliot.ai' }, /^LIGHTER_URL must be a whole http/],
    [{ LIGHTER_URL: 'wss://mainnet.zklighter.elliot.ai/stream' }, /^LIGHTER_URL must be a whole http/],
    [{ LIGHTER_URL: 'https://me:secret@lighter.example' }, /^LIGHTER_URL must have no user name/],
    [{ VENUE_URL: 'https://lighter.example/?key=1' }, /^VENUE_URL must have no user name/],
    [{ LIGHTER_TOKEN: 'two words' }, /^LIGHTER_TOKEN must be the token alone/],
  ])('%j', (env, sentence) => {
    expect(complaints(env)).toEqual([expect.stringMatching(sentence)])
    expect(complaints(env).join()).not.toContain('secret')
  })
})

test('the venue that is opened is the one at that address, and nothing is asked of it yet', async () => {
  await using standIn = await startLighter()
  const env = { LIGHTER_URL: `${standIn.url}/` }
  const opened = await open({ env, clock: handClock(), emit: () => {}, random: () => 0 })
  expect(opened.identity).toBe(`lighter ${standIn.url}`)
  expect([opened.simulated, opened.endsBot, opened.introduction]).toEqual([false, false, []])
  expect(opened.venue.limits).toEqual({ allowed: { weight: 60, perMs: 60_000 } })
  expect(standIn.asked).toEqual([])
  await opened.close()
})
