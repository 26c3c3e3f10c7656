import { describe, expect, onTestFinished, test } from 'vitest'

import type { Stats } from '../../../src/alert/stats.ts'
import { startMetrics } from '../../../src/ops/metrics/metrics-server.ts'
import { createEvents, type Event } from '../../../src/runtime/event.ts'
import type { StoreSize } from '../../../src/store/store.ts'
import { handClock } from '../../support/clock.ts'

const ABOUT = { version: '1.2.3', venue: 'sim', adapters: ['telegram', 'terminal'], kinds: ['exposure'] }

const CALM: Stats = {
  ...{
    people: 2,
    chats: 3,
    wallets: 4,
    rules: 5,
    unacknowledged: 0,
    oldestWallets: [{ venue: null, ms: 12_000 }],
  },
  blind: { markets: 0, market: 0, wallet: 0, account: 0, margin: 0, orders: 0 },
  brokenChats: new Map(),
  venueLoads: [
    {
      ...{ venue: null, push: null, weighed: false },
      spent: { markets: 30, wallets: 60, asked: 2, atMost: 1_200, coversMs: 60_000 },
      turns: { everyMs: 90_000, wishedMs: 60_000 },
    },
  ],
}
const EMPTY: StoreSize = {
  waiting: [],
  parked: 0,
  files: [
    { name: 'database', bytes: 4_096 },
    { name: 'wal', bytes: 512 },
  ],
}

const SENT: Event & { is: 'delivery' } = {
  ...{ is: 'delivery', row: 1, chat: 7, platform: 'telegram', urgency: 0, outcome: 'sent' },
  ...{ attempts: 0, possibleRepeat: false, detectedMs: 40, ms: 200, why: null },
}

function start(about: Parameters<typeof startMetrics>[0]['about'] = ABOUT) {
  const clock = handClock()
  const events = createEvents()
  const metrics = startMetrics({ events, clock, about })
  onTestFinished(() => metrics.stop())
  const ask = async () => {
    // Whoever asks twice in a second gets the same figures.
    await clock.advance(1_000)
    const answered = await metrics.route({ method: 'GET', path: '/metrics' })
    return answered?.body ?? ''
  }
  return {
    ...{ clock, metrics, ask, emit: events.emit },
    begin: (stats: Partial<Stats> = {}, kept: Partial<StoreSize> = {}) =>
      metrics.begin({
        stats: () => ({ ...CALM, ...stats }),
        kept: async () => ({ ...EMPTY, ...kept }),
      }),
    /** The value of a series, as its name and labels are written; null when there is none. */
    async shows(series: string): Promise<number | null> {
      const line = (await ask()).split('\n').find((one) => one.startsWith(`${series} `))
      return line === undefined ? null : Number(line.slice(series.length))
    },
  }
}

describe('what has happened is counted', () => {
  test('sends by platform and outcome, from nothing on, and those that were not the first', async () => {
    const bot = start()
    expect(await bot.shows('perch_sends_total{platform="telegram",outcome="delayed"}')).toBe(0)
    bot.emit({ ...SENT, outcome: 'delayed', why: 'flood' })
    bot.emit({ ...SENT, attempts: 1, possibleRepeat: true })
    expect(await bot.shows('perch_sends_total{platform="telegram",outcome="delayed"}')).toBe(1)
    expect(await bot.shows('perch_sends_total{platform="telegram",outcome="sent"}')).toBe(1)
    expect(await bot.shows('perch_send_retries_total{platform="telegram"}')).toBe(1)
    expect(await bot.shows('perch_possible_repeats_total{platform="telegram"}')).toBe(1)
  })

  test('how late: to the first request, and to the end with all that came between', async () => {
    const bot = start()
    bot.emit({ ...SENT, outcome: 'delayed', why: 'flood' })
    bot.emit({ ...SENT, attempts: 1, detectedMs: 30_000, ms: 500 })
    const critical = '{platform="telegram",urgency="critical"}'
    expect(await bot.shows(`perch_detected_to_request_seconds_count${critical}`)).toBe(1)
    expect(await bot.shows(`perch_detected_to_request_seconds_sum${critical}`)).toBe(0.04)
    expect(await bot.shows(`perch_detected_to_sent_seconds_sum${critical}`)).toBe(30.5)
    expect(await bot.shows('perch_request_to_sent_seconds_sum{platform="telegram"}')).toBe(0.5)
  })

  test('what one market tick has crossed, beside all that was judged', async () => {
    const bot = start()
    bot.emit({ is: 'turn', of: 'markets', judged: 7, rows: 1, ms: 2, mono: 1 })
    bot.emit({ is: 'turn', of: 'wallet', judged: 3, rows: 1, ms: 2, mono: 1 })
    expect(await bot.shows('perch_tick_crossed_guards_sum')).toBe(7)
    expect(await bot.shows('perch_judged_guards_total{of="owner"}')).toBe(3)
  })

  test('that no prices were judged, when none ever were', async () => {
    const bot = start()
    bot.emit({ is: 'turn', of: 'deadlines', judged: 0, rows: 1, ms: 2, mono: 1 })
    expect(await bot.shows('perch_turn_seconds_count{of="markets"}')).toBe(0)
  })

  test('requests with their weight; a refusal by what kind of refusal it is', async () => {
    const bot = start()
    bot.emit({ is: 'venue-request', call: 'positions', ms: 20, weight: 2, outcome: 'ok' })
    bot.emit({ is: 'venue-request', call: 'positions', ms: 20, weight: 2, outcome: 'refused 503' })
    expect(await bot.shows('perch_venue_weight_total{venue="sim",call="positions"}')).toBe(4)
    const refused = 'perch_venue_requests_total{venue="sim",call="positions",outcome="refused 5xx"}'
    expect(await bot.shows(refused)).toBe(1)
  })
})

test('the store fails while a commit waits, also before anybody has given it up', async () => {
  const bot = start()
  bot.emit({ is: 'store-waits', of: 'outbox', ms: 2_000 })
  expect(await bot.shows('perch_store_failing')).toBe(1)
  bot.emit({ is: 'store', why: 'another program keeps it locked' })
  bot.emit({ is: 'commit', of: 'outbox', ms: 5_000, ok: false })
  expect(await bot.shows('perch_store_failing')).toBe(1)
  bot.emit({ is: 'store', why: null })
  expect(await bot.shows('perch_store_failing')).toBe(0)
})

describe('a process that shares its store', () => {
  const stands: Extract<Event, { is: 'standing' }> = {
    ...{ is: 'standing', role: 'standby', name: 'b', leader: 'a', epoch: 3, behindSeconds: 2 },
    ...{ standbys: [], why: null },
  }

  test('has none of these series where it has the store to itself', async () => {
    const bot = start()
    for (const series of ['perch_leader', 'perch_epoch', 'perch_standbys'])
      expect(await bot.shows(series)).toBeNull()
  })

  test('shows as a standby how far it is behind, which grows while it cannot follow', async () => {
    const bot = start()
    bot.emit(stands)
    expect([await bot.shows('perch_leader'), await bot.shows('perch_epoch')]).toEqual([0, 3])
    const behind = 'perch_journal_behind_seconds{of="itself"}'
    expect(await bot.shows(behind)).toBe(2)
    bot.emit({ ...stands, role: 'waiting', why: 'PostgreSQL does not answer' })
    await bot.clock.advance(60_000)
    expect(await bot.shows(behind)).toBeGreaterThanOrEqual(62)
    expect(await bot.shows('perch_standbys')).toBeNull()
  })

  test('shows as the leader how many could take over, and how far the nearest is behind', async () => {
    const bot = start()
    const others = [
      { name: 'b', behindSeconds: 40 },
      { name: 'c', behindSeconds: 0.5 },
    ]
    bot.emit({ ...stands, role: 'leader', standbys: others })
    expect([await bot.shows('perch_leader'), await bot.shows('perch_standbys')]).toEqual([1, 2])
    expect(await bot.shows('perch_journal_behind_seconds{of="standbys"}')).toBe(0.5)
    // Nobody knows of standbys then: the last that was known stays.
    bot.emit({ ...stands, role: 'suspended', why: 'PostgreSQL does not answer' })
    await bot.clock.advance(2_000)
    expect([await bot.shows('perch_leader'), await bot.shows('perch_standbys')]).toEqual([0, 2])
  })
})

describe('how it stands is asked when somebody looks', () => {
  test('the newest backup grows old; without one, since the start', async () => {
    const bot = start()
    const age = 'perch_backup_age_seconds'
    bot.emit({ is: 'backup', madeAt: null, bytes: 0 })
    await bot.clock.advance(8_000)
    expect(await bot.shows(age)).toBe(9)
    bot.emit({ is: 'backup', madeAt: bot.clock.now() - 60_000, bytes: 4_096 })
    expect(await bot.shows(age)).toBe(61)
    bot.emit({ is: 'backup-failed', why: 'no room', again: false })
    expect(await bot.shows(age)).toBe(62)
    expect(await bot.shows('perch_backups_failed_total')).toBe(1)
  })

  test('prices grow old while none come, also before the first', async () => {
    const bot = start()
    const age = 'perch_prices_age_seconds{venue="sim"}'
    await bot.clock.advance(8_000)
    expect(await bot.shows(age)).toBe(9)
    bot.emit({ is: 'markets-read', markets: 3, mono: bot.clock.monotonic() })
    expect(await bot.shows(age)).toBe(1)
    bot.emit({ is: 'markets-failed', why: 'timeout' })
    expect(await bot.shows(age)).toBe(2)
  })

  test('before the bot is there nothing is said of it: that nothing waits would be a lie', async () => {
    const bot = start()
    expect(await bot.ask()).not.toMatch(/perch_(outbox|blind_feeds|wallets|database)/)
    bot.begin()
    expect(await bot.shows('perch_outbox_waiting{urgency="critical"}')).toBe(0)
    expect(await bot.shows('perch_wallets')).toBe(4)
  })

  test('the outbox by urgency, with how long the oldest waits', async () => {
    const bot = start()
    const oldestAt = bot.clock.now() - 89_000
    bot.begin({}, { waiting: [{ urgency: 0, rows: 3, oldestAt }] })
    expect(await bot.shows('perch_outbox_oldest_seconds{urgency="critical"}')).toBe(90)
    expect(await bot.shows('perch_outbox_waiting{urgency="critical"}')).toBe(3)
    expect(await bot.shows('perch_outbox_oldest_seconds{urgency="warning"}')).toBe(0)
  })

  test('while the database cannot be read, the rest is still shown', async () => {
    const bot = start()
    bot.metrics.begin({ stats: () => CALM, kept: () => Promise.reject(new Error('disk I/O error')) })
    bot.emit({ is: 'store', why: 'disk I/O error' })
    const text = await bot.ask()
    expect(text).toContain('\nperch_store_failing 1\n')
    expect(text).toContain('\nperch_wallets 4\n')
    expect(text).not.toMatch(/perch_outbox|disk I\/O/)
  })

  test('however many ask, the database is asked once a second', async () => {
    const bot = start()
    let asked = 0
    const kept = async () => {
      asked++
      return EMPTY
    }
    bot.metrics.begin({ stats: () => CALM, kept })
    const asks = Array.from({ length: 50 }, async () =>
      bot.metrics.route({ method: 'GET', path: '/metrics' }),
    )
    await Promise.all(asks)
    expect(asked).toBe(1)
    await bot.ask()
    expect(asked).toBe(2)
  })
})

describe('labels come from closed sets', () => {
  const SECRETS = [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '@alice',
    'chat-4711',
    'BTC/USD',
    'why not',
  ] as const

  /** What is heard, with somebody's wallet, name, chat or market wherever an event has words. */
  function* hostile(many: number): Generator<Event> {
    for (let index = 0; index < many; index++) {
      const word = `${SECRETS[index % SECRETS.length]}${index}` as never
      const [ms, mono, why] = [index, index, word]
      yield { is: 'venue-request', call: word, ms, weight: 1, outcome: word }
      yield { is: 'venue-unusable', call: word, what: word, why, count: 1 }
      yield { is: 'wallet-read', wallet: word, positions: 1, complete: true, mono }
      yield { is: 'owner-failed', wallet: word, why }
      yield { is: 'transition', kind: word, subject: word, from: word, to: word, reason: word, alert: word }
      yield { is: 'outage', source: word, why }
      yield { is: 'turn', of: word, judged: 1, rows: 1, ms, mono }
      yield { is: 'turn-failed', why, error: word }
      yield { is: 'store', why }
      yield { is: 'commit', of: word, ms, ok: false }
      yield { ...SENT, platform: word, urgency: word, outcome: word, why }
      yield { ...SENT, platform: word, why }
      yield { is: 'parked', row: 1, chat: 1, why }
      yield { is: 'command', platform: word, command: word, ms, outcome: word }
      yield { is: 'platform', platform: word, why }
      yield { is: 'held', platform: word, why }
      yield { is: 'push', why }
      yield { is: 'trouble', where: word, why, error: word }
      yield { is: 'caution', where: word, why }
    }
  }

  test('no wallet, person, chat or market is ever shown, whatever happens', async () => {
    const bot = start()
    bot.begin({ brokenChats: new Map(SECRETS.map((name) => [name, 1])) })
    for (const event of hostile(100)) bot.emit(event)
    const text = await bot.ask()
    expect(text).toContain('platform="other"')
    for (const secret of SECRETS) expect(text).not.toContain(secret)
  })

  test('however much happens, there are no more series', async () => {
    const bot = start()
    bot.begin()
    const series = async () => (await bot.ask()).split('\n').filter((line) => /^\w/.test(line)).length
    for (const event of hostile(10)) bot.emit(event)
    const few = await series()
    for (const event of hostile(500)) bot.emit(event)
    expect(await series()).toBe(few)
    expect(few).toBeLessThan(500)
  })
})

describe('of several venues', () => {
  const TWO = { ...ABOUT, venue: 'hyperliquid,lighter', venues: ['hyperliquid', 'lighter'] }

  test('each has its own requests, prices and pace', async () => {
    const { emit, shows, begin, clock } = start(TWO)
    const request = { is: 'venue-request', call: 'markets', ms: 20, weight: 1, outcome: 'ok' } as const
    const [load] = CALM.venueLoads
    begin({
      venueLoads: load
        ? [
            { ...load, venue: 'hyperliquid', spent: { ...load.spent, followed: 25, records: 80 } },
            { ...load, venue: 'lighter', turns: { everyMs: 120_000, wishedMs: 60_000 } },
          ]
        : [],
      oldestWallets: [{ venue: 'hyperliquid', ms: 4_000 }],
    })
    await clock.advance(30_000)
    emit({ is: 'markets-read', markets: 1, mono: clock.monotonic(), venue: 'lighter' })
    emit({ ...request, venue: 'lighter' })
    emit({ ...request, venue: 'hyperliquid', outcome: 'timeout' })
    emit({ is: 'push', why: null, venue: 'lighter' })
    expect(await shows('perch_venue_requests_total{venue="lighter",call="markets",outcome="ok"}')).toBe(1)
    expect(
      await shows('perch_venue_requests_total{venue="hyperliquid",call="markets",outcome="timeout"}'),
    ).toBe(1)
    expect(await shows('perch_prices_age_seconds{venue="lighter"}')).toBeLessThan(10)
    expect(await shows('perch_prices_age_seconds{venue="hyperliquid"}')).toBeGreaterThanOrEqual(30)
    expect(await shows('perch_venue_push_up{venue="lighter"}')).toBe(1)
    expect(await shows('perch_venue_push_up{venue="hyperliquid"}')).toBeNull()
    expect(await shows('perch_wallet_turn_seconds{venue="hyperliquid"}')).toBe(90)
    expect(await shows('perch_wallet_turn_seconds{venue="lighter"}')).toBe(120)
    const weight = (venue: string, purpose: string) =>
      shows(`perch_venue_weight_last_minute{venue="${venue}",purpose="${purpose}"}`)
    expect(await weight('hyperliquid', 'followed')).toBe(25)
    expect(await weight('hyperliquid', 'records')).toBe(80)
    expect(await weight('lighter', 'wallets')).toBe(60)
    expect(await weight('lighter', 'followed')).toBe(0)
  })

  test('one that has gone blind is not hidden by another that is read', async () => {
    const { begin, shows } = start(TWO)
    begin({
      oldestWallets: [
        { venue: 'hyperliquid', ms: 3_000 },
        { venue: 'lighter', ms: 900_000 },
      ],
    })
    expect(await shows('perch_oldest_wallet_age_seconds{venue="hyperliquid"}')).toBe(3)
    expect(await shows('perch_oldest_wallet_age_seconds{venue="lighter"}')).toBe(900)
    // Before each wallet was read once, its age is unknown, not zero.
    begin({ oldestWallets: [] })
    expect(await shows('perch_oldest_wallet_age_seconds{venue="lighter"}')).toBeNull()
  })

  test('one that nobody has named is none of them', async () => {
    const { emit, shows } = start(TWO)
    emit({ is: 'markets-read', markets: 1, mono: 1, venue: '0x1234' })
    expect(await shows('perch_prices_age_seconds{venue="0x1234"}')).toBeNull()
  })
})

describe('asking', () => {
  test('is a GET of /metrics, in the format that Prometheus reads', async () => {
    const { metrics } = start()
    expect(await metrics.route({ method: 'POST', path: '/metrics' })).toBeNull()
    expect(await metrics.route({ method: 'GET', path: '/metrics/' })).toBeNull()
    const type = 'text/plain; version=0.0.4'
    expect(await metrics.route({ method: 'GET', path: '/metrics' })).toMatchObject({ status: 200, type })
  })
})

test.each<[string, Parameters<ReturnType<typeof startMetrics>['begin']>[0]]>([
  ['a store that never answers', { stats: () => CALM, kept: () => new Promise(() => {}) }],
  [
    'a bot that cannot say how it stands',
    {
      stats() {
        throw new Error('out of order')
      },
      kept: async () => EMPTY,
    },
  ],
])('%s takes no other figure away', async (_what, asked) => {
  const { metrics, clock, shows, emit } = start()
  metrics.begin(asked)
  emit({ is: 'store', why: 'another process writes to it' })
  const shown = shows('perch_store_failing')
  for (let second = 0; second < 5; second++) await clock.advance(1_000)
  expect(await shown).toBe(1)
})
