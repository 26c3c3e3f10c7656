import { describe, expect, test } from 'vitest'

import type { Asking } from '../../../src/venue/venue.ts'
import { breathe } from '../../support/clock.ts'
import { ACCOUNT, OWNER, position, positions, preview } from '../perps-data/records.ts'
import { type Answer, failureOf, inTurn, json, startVenue, text } from '../perps-data/server.ts'

const DRAFT = { wallet: OWNER, accountId: ACCOUNT, marketId: '100', sizeDelta: -1_000_000_000_000_000_001n }
const good = json(positions([position()]))
const hang: Answer = () => {}
const reset: Answer = (response) => response.socket?.resetAndDestroy()

describe('a poll is one attempt: it is due again', () => {
  test.each([
    ['a refusal', text('', 503)],
    ['a 429', text('', 429)],
    ['a reset', reset],
    ['nonsense', text('hello')],
  ])('after %s', async (_what, answer) => {
    await using bot = await startVenue()
    bot.answers(answer)
    await failureOf(bot.venue.positions(OWNER, bot.asking('poll')))
    await bot.clock.advance(60_000)
    expect(bot.heard).toHaveLength(1)
    expect(bot.clock.waiting()).toBe(0)
  })

  test('and has the whole limit for it', async () => {
    await using bot = await startVenue()
    bot.answers(hang)
    const failure = failureOf(bot.venue.positions(OWNER, bot.asking('poll')))
    await bot.hears(1)
    await bot.clock.advance(5_000)
    expect(await failure).toEqual({ is: 'timeout' })
    expect(bot.heard).toHaveLength(1)
  })
})

describe('a person who waits gets their answer', () => {
  test.each([
    ['a 500', text('', 500)],
    ['a 503', text('<html>', 503)],
    ['a 429 without Retry-After', text('', 429)],
    ['a reset', reset],
  ])('although %s came first', async (_what, answer) => {
    await using bot = await startVenue()
    bot.answers(inTurn(answer, answer, good))
    const read = await bot.turn(bot.venue.positions(OWNER, bot.asking('person')))
    expect(read.positions).toHaveLength(1)
    expect(bot.heard).toHaveLength(3)
  })

  test('although the first attempt hangs: it does not eat the whole limit', async () => {
    await using bot = await startVenue()
    bot.answers(inTurn(hang, good))
    const read = bot.venue.positions(OWNER, bot.asking('person'))
    await bot.hears(1)
    await bot.clock.advance(2_500)
    expect((await bot.turn(read)).positions).toHaveLength(1)
  })

  test.each([
    ['a 400', text('{"message": "owner is not an address"}', 400)],
    ['a 404', text('', 404)],
    ['nonsense', text('hello')],
  ])('but %s will not become better', async (_what, answer) => {
    await using bot = await startVenue()
    bot.answers(answer)
    await bot.turn(failureOf(bot.venue.positions(OWNER, bot.asking('person'))))
    expect(bot.heard).toHaveLength(1)
  })

  test('or hears in time that there is none', async () => {
    await using bot = await startVenue()
    bot.answers(text('', 500))
    const from = bot.clock.monotonic()
    const failure = await bot.turn(failureOf(bot.venue.positions(OWNER, bot.asking('person'))))
    expect(failure).toEqual({ is: 'refused', status: 500, message: null })
    expect(bot.clock.monotonic() - from).toBeLessThanOrEqual(5_100)
    expect(bot.heard.length).toBeGreaterThan(2)
    expect(bot.heard.length).toBeLessThanOrEqual(6)
    expect(bot.clock.waiting()).toBe(0)
  })

  test('and everything hangs: the limit is kept over all attempts', async () => {
    await using bot = await startVenue()
    bot.answers(hang)
    const failure = failureOf(bot.venue.positions(OWNER, bot.asking('person')))
    await bot.hears(1)
    for (let waited = 0; waited < 5_000; waited += 250) {
      await bot.clock.advance(250)
      await breathe(20)
    }
    expect(await failure).toEqual({ is: 'timeout' })
    expect(bot.heard).toHaveLength(2)
  })

  test('or calls it off while waiting for the next attempt', async () => {
    await using bot = await startVenue()
    bot.answers(text('', 500))
    const stop = new AbortController()
    const failure = failureOf(bot.venue.positions(OWNER, bot.asking('person', { signal: stop.signal })))
    await bot.hears(1)
    while (bot.events.length < 1) await breathe(1)
    await breathe()
    stop.abort()
    expect(await failure).toEqual({ is: 'aborted' })
    expect(bot.clock.waiting()).toBe(0)
  })

  test.each([
    ['least', 0, [125, 250, 500, 1_000]],
    ['most', 0.999_999, [250, 500, 1_000, 2_000]],
  ])('after waits that grow, at %s', async (_which, random, waits) => {
    await using bot = await startVenue({ random: () => random })
    bot.answers(text('', 500))
    await bot.turn(failureOf(bot.venue.positions(OWNER, bot.asking('person', { limitMs: 20_000 }))))
    const between = bot.heard.slice(1).map((each, place) => each.mono - (bot.heard[place]?.mono ?? 0))
    for (const [place, wait] of waits.entries()) {
      expect(between[place]).toBeGreaterThanOrEqual(wait - 1)
      expect(between[place]).toBeLessThan(wait + 100)
    }
  })
})

describe('the venue says how long to wait', () => {
  const limited = (after: string) => text('slow down', 429, { 'retry-after': after })

  test('in seconds, and is obeyed when that fits', async () => {
    await using bot = await startVenue()
    bot.answers(inTurn(limited('2'), good))
    await bot.turn(bot.venue.positions(OWNER, bot.asking('person')))
    expect((bot.heard[1]?.mono ?? 0) - (bot.heard[0]?.mono ?? 0)).toBeGreaterThanOrEqual(2_000)
  })

  test('as a date, and is obeyed when that fits', async () => {
    await using bot = await startVenue()
    bot.answers(inTurn(limited(new Date(bot.clock.now() + 3_000).toUTCString()), good))
    await bot.turn(bot.venue.positions(OWNER, bot.asking('person')))
    expect((bot.heard[1]?.mono ?? 0) - (bot.heard[0]?.mono ?? 0)).toBeGreaterThanOrEqual(2_800)
  })

  test('on a 503 as well', async () => {
    await using bot = await startVenue()
    bot.answers(inTurn(text('', 503, { 'retry-after': '1' }), good))
    await bot.turn(bot.venue.positions(OWNER, bot.asking('person')))
    expect((bot.heard[1]?.mono ?? 0) - (bot.heard[0]?.mono ?? 0)).toBeGreaterThanOrEqual(1_000)
  })

  test('longer than the person waits: they hear it at once', async () => {
    await using bot = await startVenue()
    bot.answers(limited('30'))
    const from = bot.clock.monotonic()
    const failure = await failureOf(bot.venue.positions(OWNER, bot.asking('person')))
    expect(failure).toEqual({ is: 'limited', retryAfterMs: 30_000 })
    expect(bot.clock.monotonic()).toBe(from)
    expect(bot.heard).toHaveLength(1)
  })

  test.each([
    ['not at all', undefined, null],
    ['as nonsense', 'soon', null],
    ['as a negative number', '-5', null],
    ['as a moment that is past', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['as zero', '0', 0],
    ['as a fraction of a second', '0.5', 500],
  ])('%s', async (_how, after, retryAfterMs) => {
    await using bot = await startVenue()
    bot.answers(text('', 429, after === undefined ? {} : { 'retry-after': after }))
    expect(await failureOf(bot.venue.markets(bot.asking(), []))).toEqual({ is: 'limited', retryAfterMs })
  })
})

describe('a preview', () => {
  test.each([
    ['after a reset', reset],
    ['after a 500', text('', 500)],
    ['after a 503', text('', 503)],
  ])('is never repeated once it was written: %s', async (_what, answer) => {
    await using bot = await startVenue()
    bot.answers(answer)
    await bot.turn(failureOf(bot.venue.preview(DRAFT, bot.asking('person'))))
    expect(bot.heard).toHaveLength(1)
  })

  test('is never repeated once it was written: after a hang', async () => {
    await using bot = await startVenue()
    bot.answers(hang)
    const failure = failureOf(bot.venue.preview(DRAFT, bot.asking('person')))
    await bot.hears(1)
    await bot.clock.advance(20_000)
    expect(await failure).toEqual({ is: 'timeout' })
    expect(bot.heard).toHaveLength(1)
  })

  test('is repeated after a 429, which turned it away unread', async () => {
    await using bot = await startVenue()
    bot.answers(inTurn(text('', 429), json(preview())))
    expect((await bot.turn(bot.venue.preview(DRAFT, bot.asking('person')))).feasible).toBe(true)
    expect(bot.heard).toHaveLength(2)
  })

  test('is repeated when it surely never left', async () => {
    const bot = await startVenue()
    await bot.close()
    const { createClient } = await import('../../../src/venues/perps-data/client.ts')
    let attempts = 0
    const client = createClient({
      url: bot.url,
      chainId: 8008,
      apiKey: null,
      clock: bot.clock,
      emit: () => attempts++,
      random: () => 0.5,
    })
    expect(await bot.turn(failureOf(client.venue.preview(DRAFT, bot.asking('person'))))).toEqual({
      is: 'network',
      sent: false,
    })
    expect(attempts).toBeGreaterThan(1)
    await client.close()
  })
})

describe('the budget', () => {
  test('counts every attempt', async () => {
    await using bot = await startVenue()
    bot.answers(inTurn(text('', 500), text('', 429), good))
    let spent = 0
    const spend: Asking['spend'] = (request) => {
      spent++
      return request(() => {})
    }
    await bot.turn(bot.venue.positions(OWNER, bot.asking('person', { spend })))
    expect(spent).toBe(3)
  })

  test('sees what each attempt came to, so that a 429 lowers it', async () => {
    await using bot = await startVenue()
    bot.answers(inTurn(text('', 429), good))
    const seen: string[] = []
    const spend: Asking['spend'] = async (request) => {
      try {
        const value = await request(() => {})
        seen.push('good')
        return value
      } catch (error) {
        seen.push('bad')
        throw error
      }
    }
    await bot.turn(bot.venue.positions(OWNER, bot.asking('person', { spend })))
    expect(seen).toEqual(['bad', 'good'])
  })

  test('that lets nobody through does not keep a person beyond the limit, and sends nothing later', async () => {
    await using bot = await startVenue()
    let letThrough = () => {}
    const spend: Asking['spend'] = (request) =>
      new Promise((resolve, reject) => {
        letThrough = () => {
          request(() => {}).then(resolve, reject)
        }
      })
    const failure = failureOf(bot.venue.positions(OWNER, bot.asking('poll', { spend })))
    await bot.clock.advance(5_000)
    expect(await failure).toEqual({ is: 'queued' })
    letThrough()
    await breathe()
    expect(bot.heard).toEqual([])
    expect(bot.clock.waiting()).toBe(0)
  })

  test('that lets nobody through keeps nobody who has called it off', async () => {
    await using bot = await startVenue()
    const stop = new AbortController()
    const asking = bot.asking('poll', { spend: () => new Promise(() => {}), signal: stop.signal })
    const failure = failureOf(bot.venue.positions(OWNER, asking))
    stop.abort(new Error('stopping'))
    expect(await failure).toEqual({ is: 'aborted' })
    expect(bot.clock.waiting()).toBe(0)
  })

  test('that lets through late leaves what is left of the limit', async () => {
    await using bot = await startVenue()
    bot.answers(hang)
    let letThrough = () => {}
    const spend: Asking['spend'] = (request) =>
      new Promise((resolve, reject) => {
        letThrough = () => {
          request(() => {}).then(resolve, reject)
        }
      })
    const failure = failureOf(bot.venue.positions(OWNER, bot.asking('poll', { spend })))
    await bot.clock.advance(4_000)
    letThrough()
    await bot.hears(1)
    await bot.clock.advance(1_000)
    expect(await failure).toEqual({ is: 'timeout' })
    expect(bot.clock.waiting()).toBe(0)
  })

  test('that fails in its own words still fails as a VenueError', async () => {
    await using bot = await startVenue()
    const spend: Asking['spend'] = () => Promise.reject(new Error('closed'))
    expect(await failureOf(bot.venue.positions(OWNER, bot.asking('person', { spend })))).toEqual({
      is: 'aborted',
    })
  })
})
