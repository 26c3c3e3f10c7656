import { describe, expect, test } from 'vitest'

import { testVenue } from '../../contracts/venue.ts'
import {
  ACCOUNT,
  guard,
  market,
  markets,
  order,
  OWNER,
  position,
  positions,
  preview,
  STRANGER,
} from './records.ts'
import { type Answer, errorOf, failureOf, json, startVenue, text } from './server.ts'

const DRAFT = { wallet: OWNER, accountId: ACCOUNT, marketId: '100', sizeDelta: -1_000_000_000_000_000_001n }

/** A venue with one owner, one position and two orders. */
const calling =
  (marketId: string): Answer =>
  (response, request, place) => {
    const url = new URL(request.url, 'http://venue')
    const asked = url.searchParams.get('owner')
    const known = asked === OWNER
    const list = [market({ marketId }), market({ marketId: '200', symbol: 'BTC', price: 91_250 })]
    const single = /^\/markets\/([^/]+)$/.exec(url.pathname)?.[1]
    const found = list.find((each) => each['marketId'] === decodeURIComponent(single ?? ''))
    const statuses = (url.searchParams.get('statuses') ?? '').split(',')
    const orders = [order(), guard()].filter((each) => statuses.includes(String(each['status'])))
    const answer =
      url.pathname === '/markets'
        ? json(markets(list))
        : single !== undefined
          ? json(found ?? { message: 'no such market' }, found ? 200 : 404)
          : url.pathname === '/positions/v2'
            ? json(positions(known ? [position({ marketId, tpsl: guard() })] : [], { wallet: asked }))
            : url.pathname === '/orders/v2'
              ? json({ wallet: asked, orders: known ? orders : [] })
              : json(preview())
    answer(response, request, place)
  }
const whole = calling('100')

testVenue('perps-data', async (held) => {
  const bot = await startVenue()
  bot.answers(calling(held))
  return { venue: bot.venue, wallet: OWNER, stranger: STRANGER, draft: DRAFT, held, close: () => bot.close() }
})

describe('what is asked, to the letter', () => {
  const asked = async (apiKey: string | null, prefix = '') => {
    const bot = await startVenue({ apiKey, prefix })
    bot.answers((response, request, place) => {
      whole(response, { ...request, url: request.url.slice(prefix.length) }, place)
    })
    await bot.venue.markets(bot.asking(), [])
    await bot.venue.market('100', bot.asking())
    await bot.venue.positions(OWNER, bot.asking())
    await bot.venue.orders(OWNER, ['pending', 'expired'], bot.asking())
    await bot.venue.orders(OWNER, [], bot.asking())
    await bot.venue.preview(DRAFT, bot.asking())
    await bot.close()
    return bot.heard
  }

  test('the five endpoints, their queries and the statuses as the specification spells them', async () => {
    expect((await asked(null)).map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /markets',
      'GET /markets/100?chainId=8008',
      `GET /positions/v2?owner=${OWNER}&ownershipType=SuperOwner`,
      `GET /orders/v2?owner=${OWNER}&ownershipType=SuperOwner&statuses=Created,Committed,Expired`,
      `GET /orders/v2?owner=${OWNER}&ownershipType=SuperOwner&statuses=Created,Committed,Expired,LimitSubmitted,LimitExecuted`,
      'POST /post-trade-details?chainId=8008',
    ])
  })

  test('the body of a preview is exact to the last digit', async () => {
    const body: unknown = JSON.parse((await asked(null)).at(-1)?.body ?? '')
    expect(body).toEqual({ accountId: ACCOUNT, marketId: '100', sizeDelta: '-1000000000000000001' })
  })

  test('Content-Type and Accept everywhere but on the list of all markets', async () => {
    const heard = await asked(null)
    expect(heard.map(({ headers }) => [headers['content-type'], headers['accept']])).toEqual([
      [undefined, undefined],
      ...Array.from({ length: 5 }, () => ['application/json', 'application/json']),
    ])
  })

  test('the key on every request when there is one, and no such header when there is none', async () => {
    expect(new Set((await asked('k-7731')).map(({ headers }) => headers['x-api-key']))).toEqual(
      new Set(['k-7731']),
    )
    for (const { headers } of await asked(null)) expect(headers).not.toHaveProperty('x-api-key')
  })

  test('nothing else beyond what HTTP needs', async () => {
    const [all, , read, , , post] = await asked(null)
    expect(Object.keys(all?.headers ?? {}).sort()).toEqual(['connection', 'host'])
    expect(Object.keys(read?.headers ?? {}).sort()).toEqual(['accept', 'connection', 'content-type', 'host'])
    expect(Object.keys(post?.headers ?? {}).sort()).toEqual([
      'accept',
      'connection',
      'content-length',
      'content-type',
      'host',
    ])
  })

  test('below the path of the base URL, whether it ends with a slash or not', async () => {
    for (const prefix of ['/api/perps', '/api/perps/']) {
      const bot = await startVenue({ prefix })
      bot.answers(json(markets([market()])))
      await bot.venue.markets(bot.asking(), [])
      expect(bot.heard[0]?.url).toBe('/api/perps/markets')
      await bot.close()
    }
  })

  test.each([
    ['a b/c', '/markets/a%20b%2Fc?chainId=8008'],
    ['100?x=1#y', '/markets/100%3Fx%3D1%23y?chainId=8008'],
    ['Ξ', '/markets/%CE%9E?chainId=8008'],
  ])('a market id is one segment of the path: %s', async (id, url) => {
    await using bot = await startVenue()
    bot.answers(json(market({ marketId: id })))
    expect((await bot.venue.market(id, bot.asking())).id).toBe(id)
    expect(bot.heard[0]?.url).toBe(url)
  })

  test('the chain that is configured', async () => {
    await using bot = await startVenue({ chainId: 80_008 })
    bot.answers(json(preview()))
    await bot.venue.preview(DRAFT, bot.asking())
    expect(bot.heard[0]?.url).toBe('/post-trade-details?chainId=80008')
  })
})

describe('a bad answer is a typed failure of every endpoint', () => {
  const calls = ['markets', 'market', 'positions', 'orders', 'preview'] as const
  const make = (bot: Awaited<ReturnType<typeof startVenue>>, call: (typeof calls)[number]) =>
    ({
      markets: () => bot.venue.markets(bot.asking(), []),
      market: () => bot.venue.market('100', bot.asking()),
      positions: () => bot.venue.positions(OWNER, bot.asking()),
      orders: () => bot.venue.orders(OWNER, [], bot.asking()),
      preview: () => bot.venue.preview(DRAFT, bot.asking()),
    })[call]()

  describe.each(calls)('%s', (call) => {
    test.each([
      ['nothing', text(''), 'it is empty'],
      ['no content', text('', 204), 'it is empty'],
      ['a page', text('<!doctype html><p>Just a moment...'), 'it is a page of HTML, not JSON'],
      ['words', text('OK'), 'it is not JSON'],
      ['half an object', text('{"owner": "0x'), 'it is not JSON'],
      ['null', text('null'), 'and is null'],
      ['a number', text('7'), 'and is number'],
      ['a string', text('"maintenance"'), 'and is string'],
      ['an empty object', text('{}'), 'an object without it'],
      [
        'an error with message',
        json({ message: 'index is rebuilding' }),
        'it is an error: index is rebuilding',
      ],
      ['an error with error', json({ error: 'index is rebuilding' }), 'it is an error: index is rebuilding'],
      [
        'an error with both',
        json({ error: true, message: 'index is rebuilding' }),
        'it is an error: index is rebuilding',
      ],
      ['an error in an error', json({ error: { message: 'no backend' } }), 'it is an error: no backend'],
      ['no success', json({ success: false, data: [] }), 'it is an error: it says no more'],
    ])('%s', async (_what, answer, why) => {
      await using bot = await startVenue()
      bot.answers(answer)
      const error = await errorOf(make(bot, call))
      expect(error.failure).toMatchObject({ is: 'unreadable', why: expect.stringContaining(why) as unknown })
      expect(error.message).toContain(why)
    })

    test.each([
      ['message', json({ message: 'unknown owner' }, 404), 404, 'unknown owner'],
      ['error', json({ error: 'unknown owner' }, 400), 400, 'unknown owner'],
      ['plain words', text('upstream is away', 502), 502, 'upstream is away'],
      ['HTML', text('<html><h1>502</h1></html>', 502), 502, null],
      ['nothing', text('', 500), 500, null],
      ['a number', text('13', 500), 500, null],
    ])('refused with %s', async (_what, answer, status, message) => {
      await using bot = await startVenue()
      bot.answers(answer)
      expect(await failureOf(make(bot, call))).toEqual({ is: 'refused', status, message })
    })
  })

  test('the words of a refusal are one short line', async () => {
    await using bot = await startVenue()
    bot.answers(text(JSON.stringify({ message: `a\u0000b\n\u001b[31mc ${'x'.repeat(2_000)}` }), 400))
    const failure = await failureOf(bot.venue.markets(bot.asking(), []))
    expect(failure.is === 'refused' && failure.message).toMatch(/^a b \[31mc x{200,}…$/)
  })

  test('an answer about another owner is nobody’s', async () => {
    await using bot = await startVenue()
    bot.answers(json(positions([position()], { owner: STRANGER })))
    expect(await failureOf(bot.venue.positions(OWNER, bot.asking()))).toEqual({
      is: 'unreadable',
      why: `it is about another owner than ${OWNER}`,
    })
    bot.answers(json({ owner: STRANGER, orders: [] }))
    expect((await failureOf(bot.venue.orders(OWNER, [], bot.asking()))).is).toBe('unreadable')
  })
})

describe('events', () => {
  test('tell each attempt and how it ended', async () => {
    await using bot = await startVenue()
    bot.answers(json(positions([position()])))
    await bot.venue.positions(OWNER, bot.asking())
    bot.answers(text('', 503))
    await failureOf(bot.venue.markets(bot.asking(), []))
    bot.answers(text('', 429))
    await failureOf(bot.venue.orders(OWNER, [], bot.asking()))
    bot.answers(text('?'))
    await failureOf(bot.venue.preview(DRAFT, bot.asking()))
    expect(bot.events).toEqual([
      { is: 'venue-request', call: 'positions', ms: 0, weight: 1, outcome: 'ok' },
      { is: 'venue-request', call: 'markets', ms: 0, weight: 1, outcome: 'refused 503' },
      { is: 'venue-request', call: 'orders', ms: 0, weight: 1, outcome: 'limited' },
      { is: 'venue-request', call: 'preview', ms: 0, weight: 1, outcome: 'unreadable' },
    ])
  })

  test('tell how long it took', async () => {
    await using bot = await startVenue()
    bot.answers(() => {})
    const failure = failureOf(bot.venue.markets(bot.asking(), []))
    await bot.hears(1)
    await bot.clock.advance(5_000)
    await failure
    expect(bot.events).toEqual([
      { is: 'venue-request', call: 'markets', ms: 5_000, weight: 1, outcome: 'timeout' },
    ])
  })

  test('tell each element that was skipped', async () => {
    await using bot = await startVenue()
    bot.answers(json(markets([market(), market({ marketId: '1200', price: null })])))
    const answer = await bot.venue.markets(bot.asking(), [])
    expect(answer.markets).toHaveLength(1)
    expect(bot.events).toContainEqual({
      is: 'venue-unusable',
      call: 'markets',
      what: 'market 1200',
      why: 'price is missing or of another type',
      count: 1,
    })
  })
})

describe('the key is in no error, no event and no message', () => {
  const KEY = 'sk_live_51"x'
  test.each([
    ['a refusal that quotes it', json({ message: `bad key ${KEY}` }, 401)],
    ['a refusal in plain text', text(`bad key ${KEY}`, 403)],
    ['an answer that quotes it', json({ error: `bad key ${KEY}` })],
    ['nonsense that quotes it', text(`x-api-key: ${KEY}`)],
    ['a quotation that is cut', json({ message: `${'x'.repeat(295)}${KEY}` }, 401)],
    ['a quotation in other letters', text(`{"message": "\\u0073k_live_51\\"x"}`, 401)],
    ['an error in other letters', text(`{"error": "\\u0073k_live_51\\"x"}`)],
    ['a reset', ((response) => response.destroy()) satisfies Answer],
    ['a 429', text(KEY, 429)],
  ])('%s', async (_what, answer) => {
    await using bot = await startVenue({ apiKey: KEY })
    bot.answers(answer)
    const error = await errorOf(bot.venue.positions(OWNER, bot.asking()))
    expect(bot.heard[0]?.headers['x-api-key']).toBe(KEY)
    const { inspect } = await import('node:util')
    const told = inspect([error, error.failure, error.cause, bot.events], { depth: 12 })
    expect(told).not.toContain('sk_live')
  })
})
