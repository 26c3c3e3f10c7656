import { describe, expect, test } from 'vitest'

import { EDIT_PRIORITY } from '../../src/message/delivery.ts'
import { logEvents } from '../../src/ops/log.ts'
import { createEvents, type Event } from '../../src/runtime/event.ts'

const TOKEN = '7000000001:AAF-abc_def/ghi'

/** One of each; TypeScript says when one is missing. */
const EVERY: { [K in Event['is']]: Extract<Event, { is: K }> } = {
  started: {
    is: 'started',
    version: '0.1.0',
    venue: 'sim',
    adapters: ['terminal'],
    database: 'data/sim.sqlite',
  },
  stopping: { is: 'stopping', why: 'SIGTERM' },
  stopped: { is: 'stopped' },
  standing: {
    ...{ is: 'standing', role: 'standby', name: 'b', leader: 'a', epoch: 3, behindSeconds: 0 },
    ...{ standbys: [], why: null },
  },
  'no-standby': { is: 'no-standby', ms: 600_000 },
  listening: { is: 'listening', what: 'http', url: 'http://127.0.0.1:8080' },
  'venue-request': { is: 'venue-request', call: 'markets', ms: 12, weight: 1, outcome: '200' },
  'venue-unusable': { is: 'venue-unusable', call: 'markets', what: 'market 1200', why: 'no price', count: 1 },
  'venue-ended': { is: 'venue-ended' },
  ceiling: { is: 'ceiling', weightPerSecond: 18, why: '429' },
  'markets-read': { is: 'markets-read', markets: 3, mono: 1 },
  'markets-failed': { is: 'markets-failed', why: 'timeout' },
  'wallet-read': { is: 'wallet-read', wallet: '0x1', positions: 2, complete: true, mono: 1 },
  'owner-failed': { is: 'owner-failed', wallet: '0x1', why: 'timeout' },
  transition: {
    is: 'transition',
    kind: 'liquidation-distance',
    subject: 'BTC',
    from: 'tier 0',
    to: 'tier 1',
    reason: 'fired',
    alert: 'A1',
  },
  outage: { is: 'outage', source: 'markets', why: 'timeout' },
  recovered: { is: 'recovered', source: 'markets', blindMs: 12_000 },
  turn: { is: 'turn', of: 'markets', judged: 3, rows: 1, ms: 2, mono: 1 },
  store: { is: 'store', why: 'disk full' },
  commit: { is: 'commit', of: 'engine', ms: 2, ok: true },
  'turn-failed': { is: 'turn-failed', why: 'disk full', error: new Error('SQLITE_FULL') },
  delivery: {
    is: 'delivery',
    row: 1,
    chat: 1,
    platform: 'telegram',
    urgency: 0,
    outcome: 'sent',
    attempts: 0,
    possibleRepeat: false,
    detectedMs: 12,
    ms: 30,
    why: null,
  },
  parked: { is: 'parked', row: 1, chat: 1, why: 'bad markup' },
  command: { is: 'command', platform: 'terminal', command: 'help', ms: 1, outcome: 'answered' },
  trouble: { is: 'trouble', where: 'terminal', why: 'no input', error: new Error('EIO') },
  caution: { is: 'caution', where: 'http', why: 'PUBLIC_URL is not encrypted' },
  remark: { is: 'remark', where: 'telegraf', text: 'polling' },
  platform: { is: 'platform', platform: 'pigeon', why: 'the loft is closed' },
  slow: { is: 'slow', everyMs: 250_000, wishedMs: 60_000 },
  backup: { is: 'backup', madeAt: 1_764_000_000_000, bytes: 204_800 },
  'store-waits': { is: 'store-waits', of: 'engine', ms: 2_000 },
  heartbeat: { is: 'heartbeat', host: 'hc.example', why: 'it answers 404' },
  'wal-grows': { is: 'wal-grows', bytes: 70_000_000 },
  'backup-failed': { is: 'backup-failed', why: 'there is no room for a copy', again: false },
  capacity: { is: 'capacity', served: 1_170, watched: 5_000, wishedMs: 60_000 },
  push: { is: 'push', why: 'the connection was cut' },
  shards: { is: 'shards', platform: 'pigeon', up: 2, count: 3 },
  held: { is: 'held', platform: 'pigeon', why: 'it asks us to wait 1 h' },
}

function logged(occurrence: Event[], { level = 'trace', secrets = [TOKEN], monotonic = () => 0 } = {}) {
  const lines: string[] = []
  const events = createEvents()
  const stop = logEvents(events, {
    ...{ level, secrets, monotonic },
    destination: { write: (line) => lines.push(line) },
  })
  for (const event of occurrence) events.emit(event)
  stop()
  events.emit(EVERY.stopped)
  return lines
}

function entries(occurrence: Event[], options = {}) {
  return logged(occurrence, options).map((line): Record<string, unknown> => JSON.parse(line))
}

describe('the log', () => {
  test.each(Object.values(EVERY))('has one JSON line for "$is"', (event) => {
    const [line, ...more] = logged([event])
    expect(more).toEqual([])
    expect(line).toMatch(/^\{.*\}\n$/)
    // How an error is written has tests of its own.
    const { is, error: _, ...fields } = { error: undefined, ...event }
    expect(JSON.parse(line ?? '')).toMatchObject({ event: is, ...fields })
  })

  test('names no whole wallet, but where everything is asked for', () => {
    const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'
    const event: Event = {
      is: 'outage',
      source: `owner/${wallet}`,
      why: `GET /positions?owner=${wallet} failed`,
    }
    expect(entries([event])[0]).toMatchObject({
      source: 'owner/0x5290…9EE7',
      why: 'GET /positions?owner=0x5290…9EE7 failed',
    })
    const read: Event = { is: 'wallet-read', wallet, positions: 1, complete: true, mono: 1 }
    expect(entries([read], { level: 'trace' })[0]).toMatchObject({ wallet })
  })

  test('has nothing in it that steers a terminal or reorders a line, and loses no sign of it', () => {
    const signs = Array.from({ length: 0x2070 }, (_, code) => String.fromCharCode(code)).join('')
    const why = `fine \u009b2J\u202egnorw${signs}\ufeff`
    const [line = ''] = logged([{ ...EVERY.trouble, why, error: { [why]: why } }])
    expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u)
    expect(JSON.parse(line)).toMatchObject({ why, error: { [why]: why } })
  })

  test('is quiet at its usual level about what happens all the time', () => {
    const shown = new Set(entries(Object.values(EVERY), { level: 'info' }).map(({ event }) => event))
    const hidden = Object.keys(EVERY).filter((is) => !shown.has(is))
    expect(hidden).toEqual(['venue-request', 'markets-read', 'wallet-read', 'turn', 'commit'])
  })

  test('says how a process stands when that has changed, and not every few seconds', () => {
    const { standing } = EVERY
    const lines = entries(
      [
        ...[standing, { ...standing, behindSeconds: 3 }, standing],
        ...[{ ...standing, why: 'PostgreSQL does not answer', role: 'waiting' as const }, standing],
        { ...standing, leader: null },
      ],
      { level: 'info' },
    )
    expect(lines.map(({ level, role, leader }) => [level, role, leader])).toEqual([
      ['info', 'standby', 'a'],
      ['warn', 'waiting', 'a'],
      ['info', 'standby', 'a'],
      ['info', 'standby', null],
    ])
  })

  test('at level error speaks of what somebody must look at', () => {
    expect(entries(Object.values(EVERY), { level: 'error' }).map(({ event }) => event)).toEqual([
      'store',
      'turn-failed',
      'parked',
      'trouble',
    ])
  })

  test('warns once of a read that fails, until it has worked or fails otherwise', () => {
    const other: Event = { is: 'markets-failed', why: 'refused' }
    const happened: Event[] = [
      ...[EVERY['markets-failed'], EVERY['markets-failed'], other, other, EVERY['markets-read'], other],
      ...[EVERY['owner-failed'], EVERY['owner-failed'], { ...EVERY['owner-failed'], wallet: '0x2' }],
      ...[EVERY['wallet-read'], EVERY['owner-failed']],
    ]
    const said = entries(happened, { level: 'info' })
    expect(said.map(({ event, why, wallet }) => [event, why, wallet].join(' ').trim())).toEqual([
      ...['markets-failed timeout', 'markets-failed refused', 'markets-failed refused'],
      ...['owner-failed timeout 0x1', 'owner-failed timeout 0x2', 'owner-failed timeout 0x1'],
    ])
  })

  test('warns of a message that did not go out', () => {
    const [entry] = entries([{ ...EVERY.delivery, outcome: 'delayed', why: '429' }])
    expect(entry).toMatchObject({ level: 'warn', outcome: 'delayed', why: '429' })
  })

  test('mentions a message that can no longer be changed', () => {
    const refused = { ...EVERY.delivery, outcome: 'rejected', urgency: EDIT_PRIORITY } as const
    expect(entries([refused])[0]).toMatchObject({ level: 'info', outcome: 'rejected' })
    expect(entries([{ ...refused, urgency: 0 }])[0]).toMatchObject({ level: 'warn' })
  })

  test('warns of what only wants care, and calls it no error', () => {
    expect(entries([EVERY.caution])[0]).toMatchObject({ level: 'warn', where: 'http' })
  })

  test('tells where an error came from, and what caused it', () => {
    const error = new Error('commit failed', {
      cause: new AggregateError([new Error('disk full')], 'two things'),
    })
    const [entry] = entries([{ is: 'turn-failed', why: 'commit', error }])
    expect(entry?.error).toMatch(
      /^Error: commit failed\n\s+at .*\ncaused by: AggregateError.*caused by: Error: disk full/s,
    )
  })
})

describe('a secret', () => {
  const url = `https://api.telegram.org/bot${TOKEN}/getUpdates`
  const self: Record<string, unknown> = { url }
  self.self = self
  const leaks: [string, Event][] = [
    ['in a sentence', { ...EVERY.trouble, why: `GET ${url} failed` }],
    ['encoded for a URL', { ...EVERY.remark, text: `?token=${encodeURIComponent(TOKEN)}` }],
    ['in the stack of an error', { ...EVERY.trouble, error: new Error(url) }],
    ['in the cause of an error', { ...EVERY.trouble, error: new Error('fetch', { cause: new Error(url) }) }],
    ['in a cause that is no error', { ...EVERY.trouble, error: new Error('fetch', { cause: url }) }],
    [
      'in a field of an error',
      { ...EVERY.trouble, error: Object.assign(new Error('x'), { request: { url } }) },
    ],
    ['in something thrown that holds itself', { ...EVERY.trouble, error: self }],
    ['as the name of a field', { ...EVERY.trouble, error: { [TOKEN]: 1 } }],
    ['in a list', { ...EVERY.started, adapters: [TOKEN] }],
  ]

  test.each(leaks)('%s is never written', (_where, event) => {
    const text = logged([event]).join('')
    expect(text).not.toContain(TOKEN)
    expect(text).not.toContain(encodeURIComponent(TOKEN))
    expect(text).not.toContain('AAF-abc')
  })

  test('leaves the rest of the sentence readable', () => {
    expect(entries([{ ...EVERY.trouble, why: `GET ${url} failed` }])[0]?.why).toBe(
      'GET https://api.telegram.org/bot[secret]/getUpdates failed',
    )
  })

  test('in a header is not written even when nobody configured it', () => {
    const error = { headers: { authorization: 'Bot stranger' }, apiKey: 'stranger' }
    expect(logged([{ ...EVERY.trouble, error }]).join('')).not.toContain('stranger')
  })

  test('that is empty or tiny hides nothing', () => {
    expect(entries([EVERY.remark], { secrets: ['', 'p'] })[0]?.text).toBe('polling')
  })
})
