import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { eventually } from '../patience.ts'
import { connect, get, type Socket } from './client.ts'
import type { FaultKind } from './faults.ts'
import { OLDER } from './limits.ts'
import { startLighter } from './server.ts'

const owner = (n: number) => `0x${n.toString(16).padStart(40, '0')}`

async function atHand(accounts = 0) {
  const clock = handClock()
  const venue = await startLighter({ clock })
  clock.restsWhen(() => venue.idle())
  const all = Array.from({ length: accounts }, (_, n) => venue.account(owner(n + 1)).index)
  return Object.assign(venue, { clock, all })
}

const UNHURRIED = { messagesAMinute: Infinity, messagesInFlight: Infinity }
const codesOf = (socket: Socket) => socket.frames('error').map(({ error }) => error.code)

describe('requests', () => {
  test('sixty in any minute without a token, then 429 with 23000', async () => {
    await using venue = await atHand()
    for (let n = 0; n < 60; n++) {
      expect((await get(venue, 'orderBookDetails?market_id=0')).status).toBe(200)
      if (n === 29) await venue.clock.advance(30_000)
    }
    expect(await get(venue, 'orderBookDetails')).toEqual({
      status: 429,
      body: { code: 23_000, message: 'too many requests' },
    })
    expect(venue.requests()).toBe(60)
    await venue.clock.advance(30_001)
    expect((await get(venue, 'orderBookDetails')).status).toBe(200)
    expect(venue.broken).toEqual(['requestsAMinute'])
    expect(venue.most.requestsAMinute).toBe(60)
  })

  test('eight hundred with a builder’s token, and another token is refused', async () => {
    await using venue = await atHand()
    const headers = { authorization: venue.token }
    for (let n = 0; n < 800; n++) await get(venue, 'orderBookDetails?market_id=0', headers)
    expect(venue.broken).toEqual([])
    expect((await get(venue, 'orderBookDetails', headers)).status).toBe(429)
    expect((await get(venue, 'orderBookDetails', { authorization: 'guessed' })).status).toBe(429)
    await venue.clock.advance(60_001)
    expect((await get(venue, 'orderBookDetails', { authorization: 'guessed' })).status).toBe(401)
    expect(venue.broken).toEqual(['weightAMinute', 'weightAMinute'])
  })
})

describe('sockets', () => {
  test('255 connections, and as many new ones a minute', async () => {
    await using venue = await atHand()
    const sockets = await Promise.all(Array.from({ length: 255 }, () => connect(venue)))
    await using one = await connect(venue)
    expect((await one.takes('error')).error).toMatchObject({ code: 23_003 })
    expect(await one.closed).toBe(1008)
    expect(venue.most.connections).toBe(255)
    for (const socket of sockets) await socket[Symbol.asyncDispose]()
    await eventually(() => venue.push.connections() === 0)
    await using two = await connect(venue)
    expect(await two.closed).toBe(1008)
    await venue.clock.advance(60_001)
    await using three = await connect(venue)
    await three.takes('connected')
    expect(venue.broken).toEqual(['connections', 'connectionsAMinute'])
  })

  test('two hundred messages a minute of one address', async () => {
    await using venue = await atHand()
    await using one = await connect(venue)
    await using two = await connect(venue)
    for (let n = 0; n < 100; n++) {
      for (const socket of [one, two]) {
        socket.send({ type: 'ping' })
        await socket.takes('pong')
      }
    }
    two.send({ type: 'ping' })
    expect((await two.takes('error')).error.code).toBe(30_009)
    expect(venue.broken).toEqual(['messagesAMinute'])
    expect(venue.most.messagesAMinute).toBe(200)
    await venue.clock.advance(60_001)
    one.send({ type: 'ping' })
    await one.takes('pong')
  })

  test('fifty messages in flight: those that are answered late are until then', async () => {
    await using venue = await atHand()
    venue.push.answersAfter(2_000)
    await using socket = await connect(venue)
    for (let n = 0; n < 51; n++) {
      socket.send({ type: 'ping' })
      await eventually(() => venue.push.heard() === n + 1)
    }
    expect(venue.broken).toEqual(['messagesInFlight'])
    expect(socket.frames('pong')).toEqual([])
    await venue.clock.advance(2_000)
    await eventually(() => socket.frames('pong').length === 50)
    expect(codesOf(socket)).toEqual([30_010])
  })

  test('five hundred subscriptions and five hundred accounts of a connection', async () => {
    await using venue = await atHand(501)
    venue.allow(UNHURRIED)
    await using one = await connect(venue)
    for (const index of venue.all.slice(0, 499)) one.subscribe(`account_all/${index}`)
    one.subscribe('market_stats/all')
    await eventually(() => venue.push.channels().length === 500)
    one.subscribe(`account_all/${venue.all[499]}`)
    expect((await one.takes('error')).error.code).toBe(23_001)
    expect(venue.most).toMatchObject({ subscriptions: 500, accounts: 499, allAccounts: 499 })
    one.unsubscribe('market_stats/all')
    one.subscribe(`user_stats/${venue.all[0]}`)
    await one.takes('subscribed/user_stats')
    expect(venue.most.accounts).toBe(499)
    expect(venue.broken).toEqual(['subscriptions'])
  })

  test('five thousand subscriptions and accounts of all connections; a closed one gives its own back', async () => {
    await using venue = await atHand(4)
    venue.allow({ allSubscriptions: 5, allAccounts: 3 })
    await using one = await connect(venue)
    await using two = await connect(venue)
    for (const index of venue.all.slice(0, 3)) one.subscribe(`account_all/${index}`)
    await eventually(() => venue.push.channels().length === 3)
    two.subscribe(`account_all/${venue.all[3]}`)
    expect((await two.takes('error')).error.code).toBe(23_002)
    two.subscribe(`account_all/${venue.all[0]}`)
    two.subscribe('market_stats/all')
    await eventually(() => venue.push.channels().length === 5)
    two.subscribe(`user_stats/${venue.all[0]}`)
    expect((await two.takes('error')).error.code).toBe(23_001)
    await one[Symbol.asyncDispose]()
    await eventually(() => venue.push.channels().length === 2)
    two.subscribe(`account_all/${venue.all[3]}`)
    await eventually(() => venue.push.channels().length === 3)
    expect(venue.broken).toEqual(['allAccounts', 'allSubscriptions'])
  })

  test('the older limits, where a test gives them', async () => {
    await using venue = await atHand(11)
    venue.allow(OLDER)
    await using socket = await connect(venue)
    for (const index of venue.all) socket.subscribe(`account_all/${index}`)
    await socket.takes('error')
    expect(codesOf(socket)).toEqual([23_002])
    expect(venue.push.channels()).toHaveLength(10)
  })
})

describe('faults', () => {
  test.each<[FaultKind, number, RegExp]>([
    ['error', 500, /internal/],
    ['unavailable', 503, /html/],
    ['limit', 429, /23000/],
    ['firewall', 405, /Not Allowed/],
    ['html', 200, /one moment/],
  ])('%s: %i, once, and no limit is broken', async (kind, status, said) => {
    await using venue = await startLighter()
    venue.fault({ kind, path: 'orderBookDetails' })
    expect((await get(venue, 'funding-rates')).status).toBe(200)
    const answer = await get(venue, 'orderBookDetails')
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.body)).toMatch(said)
    expect((await get(venue, 'orderBookDetails')).status).toBe(200)
    expect(venue.asked.map((one) => one.status)).toEqual([200, status, 200])
    expect(venue.broken).toEqual([])
  })

  test('a body that is cut, a reset, and no answer at all', async () => {
    await using venue = await startLighter()
    venue.account(owner(1))
    venue.fault({ kind: 'half-body' }, { kind: 'reset' }, { kind: 'hang', value: '1077', times: Infinity })
    await expect(get(venue, 'orderBookDetails')).rejects.toThrow(/fetch failed|terminated/)
    await expect(get(venue, 'orderBookDetails')).rejects.toThrow(/fetch failed|terminated/)
    const never = get(venue, 'account?by=index&value=1077')
    await eventually(() => venue.asked.length === 3)
    venue.release()
    await expect(never).rejects.toThrow('fetch failed')
    venue.clearFaults()
    expect((await get(venue, 'account?by=index&value=1077')).status).toBe(200)
  })

  test('an answer that comes late', async () => {
    await using venue = await atHand()
    venue.fault({ kind: 'slow', ms: 4_000 })
    const late = get(venue, 'orderBookDetails')
    await eventually(() => venue.asked.length === 1)
    await venue.clock.advance(3_999)
    expect(venue.asked[0]?.status).toBe(0)
    await venue.clock.advance(1)
    expect((await late).status).toBe(200)
  })

  test('nothing listens, and then it does again at the same place', async () => {
    await using venue = await startLighter()
    await using socket = await connect(venue)
    await venue.down()
    expect(await socket.closed).toBe(1006)
    await expect(get(venue, 'orderBookDetails')).rejects.toThrow(/fetch failed|terminated/)
    await venue.up()
    expect((await get(venue, 'orderBookDetails')).status).toBe(200)
  })
})
