import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { eventually } from '../patience.ts'
import { connect, info, leaving, type Socket, subscribing } from './client.ts'
import { startHyperliquid } from './server.ts'

const USER = '0x5AAEB6053f3e94c9b9a09f33669435e7ef1beaed'
const other = (n: number) => `0x${n.toString(16).padStart(40, '0')}`

async function atHand() {
  const clock = handClock()
  const venue = await startHyperliquid({ clock })
  clock.restsWhen(() => venue.idle())
  return Object.assign(venue, { clock })
}

describe('limits', () => {
  test('ten users on all sockets of an address; leaving frees at once, closing after two seconds', async () => {
    await using venue = await atHand()
    await using one = await connect(venue)
    await using two = await connect(venue)
    await eventually(() => one.texts.length + two.texts.length === 2)
    const fills = (n: number) => ({ type: 'userFills', user: other(n) })
    for (let n = 0; n < 10; n++) (n % 2 ? one : two).subscribe(fills(n))
    await eventually(() => venue.push.users() === 10)
    expect(await one.asks(subscribing({ type: 'userEvents', user: other(4) }))).toContain(
      'subscriptionResponse',
    )
    const full = '{"channel":"error","data":"Cannot track more than 10 total users."}'
    expect(await one.asks(subscribing(fills(10)))).toBe(full)
    await two.asks(leaving(fills(0)))
    expect(await one.asks(subscribing(fills(10)))).toContain('subscriptionResponse')
    expect(venue.push.users()).toBe(10)
    await two[Symbol.asyncDispose]()
    await eventually(() => venue.push.connections() === 1)
    expect(venue.push.users()).toBe(10)
    await venue.clock.advance(2_000)
    expect(venue.push.users()).toBe(7)
  })

  test('a thousand subscriptions', async () => {
    await using venue = await startHyperliquid({ universe: 'recorded', clock: handClock(), greets: false })
    const sockets = await Promise.all(Array.from({ length: 5 }, () => connect(venue)))
    const coins = (await info(venue, { type: 'meta' })).universe.map(({ name }: { name: string }) => name)
    for (const socket of sockets) {
      for (const coin of coins.slice(0, 200)) socket.subscribe({ type: 'activeAssetCtx', coin })
    }
    await eventually(() => venue.push.subscriptions().length === 1_000)
    const [socket] = sockets
    if (!socket) throw new Error('no socket')
    socket.subscribe({ type: 'allDexsAssetCtxs' })
    expect((await socket.takes('error')).data).toBe('Cannot subscribe to more than 1000 channels.')
    for (const one of sockets) await one[Symbol.asyncDispose]()
  })

  test('ten connections, thirty new ones a minute', async () => {
    const clock = handClock()
    await using venue = await startHyperliquid({ clock })
    const open = async (count: number) => {
      const sockets: Socket[] = []
      for (let n = 0; n < count; n++) sockets.push(await connect(venue))
      return sockets
    }
    const close = async (sockets: Socket[]) => {
      for (const socket of sockets) await socket[Symbol.asyncDispose]()
      await eventually(() => venue.push.connections() === 0)
    }
    const ten = await open(10)
    await expect(connect(venue)).rejects.toThrow('429')
    await close(ten)
    await close(await open(10))
    await close(await open(10))
    await expect(connect(venue)).rejects.toThrow('429')
    await clock.advance(60_000)
    await close(await open(1))
  })
})

describe('what breaks', () => {
  test('a socket to which nothing was said for a minute is cut without a word; pings keep it', async () => {
    await using venue = await atHand()
    await using silent = await connect(venue)
    await using kept = await connect(venue)
    await eventually(() => silent.texts.length + kept.texts.length === 2)
    await venue.clock.advance(50_000)
    expect(await kept.asks({ method: 'ping' })).toContain('pong')
    expect(venue.push.connections()).toBe(2)
    await venue.clock.advance(10_000)
    expect(await silent.closed).toBe(1006)
    await eventually(() => venue.push.connections() === 1)
    await venue.clock.advance(50_000)
    expect(await kept.closed).toBe(1006)
  })

  test('one subscription falls silent, and nothing closes', async () => {
    await using venue = await atHand()
    await using socket = await connect(venue)
    socket.subscribe({ type: 'allDexsAssetCtxs' })
    socket.subscribe({ type: 'allDexsClearinghouseState', user: USER })
    await eventually(() => socket.frames('subscriptionResponse').length === 2)
    await venue.clock.advance(5_000)
    const count = () => [
      socket.frames('allDexsAssetCtxs').length,
      socket.frames('allDexsClearinghouseState').length,
    ]
    const [markets = 0, accounts = 0] = count()
    venue.push.silence({ type: 'allDexsAssetCtxs' })
    venue.moves({ BTC: 60_000 })
    await venue.clock.advance(30_000)
    expect(count()).toEqual([markets, accounts + 6])
    expect(await socket.asks(leaving({ type: 'allDexsAssetCtxs' }))).toContain('unsubscribe')
    venue.push.speak()
    socket.subscribe({ type: 'allDexsAssetCtxs' })
    await eventually(() => count()[0] === markets + 1)
  })

  test('every socket is cut, and new ones are refused until they are not', async () => {
    await using venue = await startHyperliquid()
    await using socket = await connect(venue)
    venue.push.refuse()
    venue.push.cut()
    expect(await socket.closed).toBe(1006)
    await expect(connect(venue)).rejects.toThrow('503')
    venue.push.refuse(false)
    await using again = await connect(venue)
    venue.push.garble('<html>')
    await eventually(() => again.texts.includes('<html>'))
    venue.push.withholdPongs()
    again.send({ method: 'ping' })
    await eventually(() => venue.push.heard() === 1)
    venue.push.withholdPongs(false)
    expect(await again.asks({ method: 'ping' })).toContain('pong')
    expect(again.frames('pong')).toHaveLength(1)
  })

  test('nothing listens any more, and then it does again, at the same address', async () => {
    await using venue = await atHand()
    await using socket = await connect(venue)
    await venue.down()
    expect(await socket.closed).toBe(1006)
    await expect(info(venue, { type: 'perpDexs' })).rejects.toThrow('fetch failed')
    await venue.up()
    expect(await info(venue, { type: 'perpDexs' })).toHaveLength(4)
    await using again = await connect(venue)
    expect(await again.asks({ method: 'ping' })).toBeTruthy()
  })

  test('a stand-in that was stopped waits for nothing', async () => {
    const venue = await atHand()
    venue.fault({ kind: 'slow' })
    const asked = info(venue, { type: 'meta' }).catch(({ message }: Error) => message)
    await eventually(() => venue.asked.length === 1)
    await venue.stop()
    expect(await asked).toBe('fetch failed')
    expect(venue.clock.waiting()).toBe(0)
  })
})
