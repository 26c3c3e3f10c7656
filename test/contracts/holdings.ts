import { describe, expect, test } from 'vitest'

import type { Course, Glance, Holdings } from '../../src/chat/holdings.ts'
import type { Identity } from '../../src/message/address.ts'
import { plainLines } from '../../src/message/message.ts'
import { ALICE, BOB, type BotUnderTest } from '../support/bot.ts'
import { NOON } from '../support/clock.ts'

/** The bot with two people, and one way to ask it for what they hold: the port itself, a page, an assistant. */
export interface HoldingsUnderTest {
  /** Its first platform takes anybody who writes to it, and prices are read every two seconds. */
  bot: BotUnderTest
  /** Who asks there: two people who have written to the bot as `me` and `bob`, and somebody unknown. */
  as: (who: 'me' | 'bob' | 'stranger') => Promise<Identity>
  holdings: Ways
}

type Ways = { [Way in keyof Holdings]: Promised<Holdings[Way]> | { lacks: string } }
type Promised<F> = F extends (...asked: infer A) => infer R ? (...asked: A) => R | Promise<Awaited<R>> : never

const MINUTE = 60_000
const SIMULATED = { simulated: true }

/**
 * The port of what somebody holds: each sentence is a promise to whoever draws, reads aloud or reckons with it. A way that lacks
 * one of the four says why, and is held to the others.
 */
export function testHoldings(
  name: string,
  open: (options: { simulated: boolean }) => Promise<HoldingsUnderTest & AsyncDisposable>,
  lacking: readonly (keyof Holdings)[] = [],
): void {
  const has = (way: keyof Holdings) => !lacking.includes(way)

  describe.runIf(has('glance'))(`what somebody holds, by ${name}`, () => {
    test('the nearest to liquidation comes first, with the figures that /positions says', async () => {
      await using world = await open(SIMULATED)
      await watched(world)
      const { positions } = await glanceOf(world)
      expect(positions.map(({ symbol, side }) => `${symbol} ${side}`)).toEqual([
        'BTC short',
        'ETH long',
        'SOL long',
      ])
      const [nearest, next, last] = positions
      expect(nearest).toMatchObject({
        ...{ wallet: 'main', size: 2, price: 100, priceName: 'index', value: 200 },
        ...{ liquidation: 108, entry: 110, pnl: 20 },
        readAt: expect.toSatisfy((at) => at >= NOON && at <= world.bot.clock.now()),
      })
      expect(nearest?.distance).toBeCloseTo(0.08)
      // A short is paid where longs pay.
      expect(nearest?.fundingPerDay).toBeCloseTo(0.2)
      expect(next?.distance).toBeCloseTo(0.2)
      expect(next?.fundingPerDay).toBeCloseTo(-1)
      expect(last).toMatchObject({ liquidation: null, distance: null, price: 10 })
      const said = (await world.bot.says('/positions')).split('\n').filter((line) => /short|long/.test(line))
      expect(said.map((line) => line.trim().split(':')[0])).toContain('BTC short')
      const places = positions.map(({ symbol, side }) =>
        said.findIndex((line) => line.includes(`${symbol} ${side}`)),
      )
      expect(places).toEqual(places.toSorted((a, b) => a - b))
    })

    test('it says at which distances the person is alerted, and how loudly', async () => {
      await using world = await open(SIMULATED)
      await watched(world)
      await world.bot.says('/alert liq BTC 30%')
      const { positions } = await glanceOf(world)
      expect(positions[0]?.tiers).toEqual([
        { at: 0.3, severity: 'info' },
        { at: 0.2, severity: 'info' },
        { at: 0.1, severity: 'warning' },
        { at: 0.05, severity: 'critical' },
        { at: 0.025, severity: 'critical' },
      ])
      expect(positions[1]?.tiers.map(({ at }) => at)).toEqual([0.2, 0.1, 0.05, 0.025])
    })

    test('it says what fires, the worst first, and who has answered', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      await bot.pass(MINUTE)
      bot.stage.market('BTC', { price: 105 })
      await bot.pass(2_000)
      const { firing, positions } = await glanceOf(world)
      expect(firing.map(({ severity, about, heed }) => [severity, about, heed])).toEqual([
        ['critical', 'BTC short · main', { is: 'waiting' }],
        ['info', 'ETH long · main', { is: 'waiting' }],
      ])
      expect(firing[0]?.subject).toBe(positions[0]?.key)
      await bot.says(`/ack A${firing[0]?.alertId}`)
      const [answered] = (await glanceOf(world)).firing
      expect(answered?.heed).toEqual({
        ...{ is: 'acknowledged', by: 'me' },
        until: expect.toSatisfy((until) => until > bot.clock.now()),
      })
      await bot.says(`/snooze A${firing[0]?.alertId} 10m`)
      expect((await glanceOf(world)).firing[0]?.heed).toMatchObject({ is: 'snoozed', by: 'me' })
      bot.stage.market('BTC', { price: 60 })
      bot.stage.market('ETH', { price: 4_000 })
      await bot.pass(MINUTE)
      expect((await glanceOf(world)).firing).toEqual([])
    })

    test('it says what waits to fire, and for how long', async () => {
      await using world = await open(SIMULATED)
      await watched(world)
      const [waits, ...others] = (await glanceOf(world)).pending
      expect(others).toEqual([])
      expect(waits).toMatchObject({ kind: 'liquidation-distance', about: 'ETH long · main' })
      expect(waits?.leftMs).toBeGreaterThan(0)
      expect(waits?.leftMs).toBeLessThan(15_000)
    })

    test('it says whether all of it is play money, and how the reader reads', async () => {
      await using play = await open({ simulated: true })
      await watched(play)
      expect(await glanceOf(play)).toMatchObject({
        simulated: true,
        reader: { zone: 'UTC', language: 'en', numbers: '1,234.5' },
      })
      await play.bot.says('/settings language de')
      expect((await glanceOf(play)).reader.language).toBe('de')
      await using real = await open({ simulated: false })
      await watched(real)
      expect((await glanceOf(real)).simulated).toBe(false)
    })

    test('it names what cannot be seen, and the age of what it shows', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      const seenAt = (await glanceOf(world)).prices.at
      bot.stage.fails('/', 503)
      await bot.pass(2 * MINUTE)
      const { at, prices, blind, positions } = await glanceOf(world)
      expect(prices.at).toBe(seenAt)
      expect(at - (prices.at ?? at)).toBeGreaterThan(prices.staleMs)
      expect(blind).toEqual([{ what: 'prices', since: expect.any(Number), why: expect.any(String) }])
      expect(positions).toHaveLength(3)
      bot.stage.fails('/', null)
      bot.stage.fails('/positions', 503)
      await bot.pass(2 * MINUTE)
      expect((await glanceOf(world)).blind.map(({ what }) => what)).toEqual(['main'])
    })

    test('a wallet that was not read yet is no empty wallet', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      expect((await glanceOf(world)).wallets).toEqual([{ label: 'main', readAt: expect.any(Number) }])
      bot.stage.fails('/positions', 503)
      await bot.restart()
      await bot.pass(1_000)
      expect(await glanceOf(world)).toMatchObject({
        wallets: [{ label: 'main', readAt: null }],
        positions: [],
      })
    })

    test('a price on another scale is no price', async () => {
      await using world = await open(SIMULATED)
      await watched(world)
      world.bot.stage.market('BTC', { price: 100e9 })
      await world.bot.pass(2_000)
      const { positions } = await glanceOf(world)
      expect(positions.find(({ symbol }) => symbol === 'BTC')).toMatchObject({
        ...{ price: null, priceName: null, value: null, distance: null, pnl: null, fundingPerDay: null },
        liquidation: 108,
      })
    })

    test('everybody sees their own, and a stranger nothing', async () => {
      await using world = await open(SIMULATED)
      await watched(world)
      expect(await glanceOf(world, 'bob')).toMatchObject({ wallets: [], positions: [], firing: [] })
      expect(await call(world, 'glance', await world.as('stranger'))).toBeNull()
    })

    test('it is JSON through and through', async () => {
      await using world = await open(SIMULATED)
      await watched(world)
      const glance = await glanceOf(world)
      expect(JSON.parse(JSON.stringify(glance))).toStrictEqual(glance)
    })
  })

  describe.runIf(has('follow'))(`following it, by ${name}`, () => {
    test('one is told of a new price at once, and nothing while nothing changes', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      const heard = await following(world, 'me')
      expect(heard.all).toEqual([])
      bot.stage.market('BTC', { price: 101 })
      await bot.pass(2_000)
      expect(priceOf(heard.all.at(-1))).toBe(101)
      const told = heard.all.length
      // No look at the venue is a newer one.
      bot.stage.fails('/', 503)
      await bot.pass(6_000)
      expect(heard.all).toHaveLength(told)
      await heard.stop()
    })

    test('many changes are told at most four times a second, and the last of them always', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      const heard = await following(world, 'me')
      for (let at = 0; at < 50; at++) {
        await bot.says(`/settings language ${at % 2 === 0 ? 'de' : 'en'}`)
        await bot.pass(20)
      }
      await bot.pass(250)
      expect(heard.all.length).toBeGreaterThan(2)
      expect(heard.all.at(-1)?.reader.language).toBe('en')
      const times = heard.all.map((glance) => glance?.at ?? 0)
      for (const [at, time] of times.entries())
        expect(times.filter((other) => other >= time && other < time + 1_000).length, `${at}`).toBeLessThan(5)
      await heard.stop()
    })

    test('what others do is not told', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      await bot.pass(2_000)
      const heard = await following(world, 'me')
      await bot.says('/settings language de', { user: 'bob' })
      await bot.says(`/watch ${BOB} hers`, { user: 'bob' })
      expect(heard.all).toEqual([])
      await heard.stop()
    })

    test('an answer to an alert is told', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      bot.stage.market('BTC', { price: 105 })
      await bot.pass(5_000)
      const heard = await following(world, 'me')
      await bot.says('/ack')
      await bot.pass(250)
      expect(heard.all.map((glance) => glance?.firing[0]?.heed.is)).toEqual(['acknowledged'])
      await heard.stop()
    })

    test('whoever is gone hears so once, and nothing more', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      const [mine, strange] = [await following(world, 'me'), await following(world, 'stranger')]
      await bot.pass(250)
      expect(strange.all).toEqual([null])
      await bot.says('/forget yes')
      await bot.pass(10_000)
      expect(mine.all.indexOf(null)).toBe(mine.all.length - 1)
      expect(strange.all).toEqual([null])
    })

    test('whoever stops hears nothing more', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      const heard = await following(world, 'me')
      await heard.stop()
      bot.stage.market('BTC', { price: 101 })
      await bot.pass(5_000)
      expect(heard.all).toEqual([])
    })
  })

  describe.runIf(has('course'))(`the recorded prices of a market, by ${name}`, () => {
    test('reach to the newest price, with the extremes between', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      const began = bot.clock.now()
      for (const price of [101, 97, 104, 100, 99]) {
        bot.stage.market('BTC', { price })
        await bot.pass(MINUTE)
      }
      const course = await courseOf(world, 'BTC', began, 16)
      expect(course).toMatchObject({ symbol: 'BTC', since: began, until: bot.clock.now() })
      expect(course.times.length).toBe(course.prices.length)
      expect(course.times.length).toBeLessThanOrEqual(4 * 16)
      expect(course.times).toEqual([...course.times].sort((a, b) => a - b))
      expect(Math.min(...course.prices)).toBe(97)
      expect(Math.max(...course.prices)).toBe(104)
      expect(course.prices.at(-1)).toBe(99)
      expect(course.gaps).toEqual([])
      expect(JSON.parse(JSON.stringify(course))).toStrictEqual(course)
    })

    test('name the times that nobody saw, also before the first price', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      await bot.pass(MINUTE)
      const failsAt = bot.clock.now()
      bot.stage.fails('/', 503)
      await bot.pass(5 * MINUTE)
      bot.stage.fails('/', null)
      await bot.pass(MINUTE)
      const course = await courseOf(world, 'BTC', bot.clock.now() - 3_600_000, 300)
      const [before, between, ...more] = course.gaps
      expect(more).toEqual([])
      expect(before?.since).toBe(course.since)
      expect(before?.until).toBe(course.times[0])
      expect(Math.abs((between?.since ?? 0) - failsAt)).toBeLessThan(5_000)
      expect((between?.until ?? 0) - (between?.since ?? 0)).toBeGreaterThan(4 * MINUTE)
    })

    test('end in a gap while the venue cannot be seen', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      await bot.pass(MINUTE)
      bot.stage.fails('/', 503)
      await bot.pass(5 * MINUTE)
      const course = await courseOf(world, 'BTC', bot.clock.now() - 2 * MINUTE, 300)
      expect(course.times).toEqual([])
      expect(course.gaps).toEqual([{ since: course.since, until: course.until }])
    })

    test('reach back eight days at most, and have sixteen columns at least', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      await bot.pass(10 * MINUTE)
      for (const since of [0, Number.NaN, -Infinity]) {
        const { since: from, until, times } = await courseOf(world, 'BTC', since, Number.NaN)
        expect(until - from).toBe(8 * 86_400_000)
        expect(times.length).toBeGreaterThan(0)
      }
      const tomorrow = await courseOf(world, 'BTC', bot.clock.now() + 86_400_000, 1e9)
      expect(tomorrow.until - tomorrow.since).toBe(MINUTE)
    })

    test('are shown for one’s own positions and rules alone', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      const [me, bob, stranger] = [await world.as('me'), await world.as('bob'), await world.as('stranger')]
      const btc = await marketOf(world, 'BTC')
      expect(await call(world, 'course', bob, btc, 0, 100)).toBeNull()
      expect(await call(world, 'course', stranger, btc, 0, 100)).toBeNull()
      expect(await call(world, 'course', me, '999', 0, 100)).toBeNull()
      expect(await call(world, 'course', me, '__proto__', 0, 100)).toBeNull()
      await bot.says('/alert price BTC above 120', { user: 'bob' })
      expect(await call(world, 'course', bob, btc, 0, 100)).toMatchObject({ symbol: 'BTC' })
    })
  })

  describe.runIf(has('ask'))(`the data behind commands, by ${name}`, () => {
    test('are plain JSON, with amounts as numbers', async () => {
      await using world = await open(SIMULATED)
      await watched(world)
      const asked = await call(world, 'ask', await world.as('me'), 'positions', { market: 'btc' })
      expect(asked).toMatchObject({
        is: 'data',
        data: { is: 'positions', positions: [{ symbol: 'BTC', position: { size: -2, entryPrice: 110 } }] },
      })
      expect(JSON.parse(JSON.stringify(asked))).toStrictEqual(asked)
    })

    test('tell of an alert what /why tells', async () => {
      await using world = await open(SIMULATED)
      const { bot } = world
      await watched(world)
      bot.stage.market('BTC', { price: 105 })
      await bot.pass(5_000)
      const [alert] = (await glanceOf(world)).firing
      const me = await world.as('me')
      const asked = await call(world, 'ask', me, 'why', { alert: `A${alert?.alertId}` })
      expect(asked).toMatchObject({
        is: 'data',
        data: { is: 'why', id: alert?.alertId, severity: 'critical', closedAt: null },
      })
      const bobs = await call(world, 'ask', await world.as('bob'), 'why', { alert: `A${alert?.alertId}` })
      expect(bobs).toMatchObject({ is: 'data', data: { is: 'unknown' } })
    })

    test('are said in words where they cannot be had', async () => {
      await using world = await open(SIMULATED)
      await watched(world)
      const me = await world.as('me')
      expect(await saidTo(world, me, 'positions', { market: 'nonsense' })).toContain('No market called')
      expect(await saidTo(world, await world.as('stranger'), 'positions', {})).not.toContain('BTC')
    })

    test('no command that changes something is asked', async () => {
      await using world = await open(SIMULATED)
      await watched(world)
      const me = await world.as('me')
      for (const command of ['mute', 'ack', 'forget', 'remove', 'positions full', 'nonsense', ''])
        expect(await saidTo(world, me, command, { what: 'yes', for: '2h' })).not.toBe('')
      expect((await glanceOf(world)).positions).toHaveLength(3)
      expect(await world.bot.says('/mute')).not.toContain('Muted')
    })
  })
}

/** Three positions of mine: a short near its liquidation, a long farther away, and one without a liquidation price. */
async function watched({ bot }: HoldingsUnderTest): Promise<void> {
  const { stage } = bot
  stage.market('BTC', { price: 100, funding: 0.001 })
  stage.market('ETH', { price: 2_000, funding: 0.0005 })
  stage.market('SOL', { price: 10, funding: 0 })
  stage.positions(ALICE, [
    { symbol: 'SOL', size: 3, entry: 9, liquidation: 0, accountId: '3' },
    { symbol: 'ETH', size: 1, entry: 1_900, liquidation: 1_600, accountId: '1' },
    { symbol: 'BTC', size: -2, entry: 110, liquidation: 108, accountId: '2' },
  ])
  await bot.says('/start', { user: 'bob' })
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(4_000)
}

/** Calls one way of the port; one that is lacking is never called. */
async function call<Way extends keyof Holdings>(
  { holdings }: HoldingsUnderTest,
  way: Way,
  ...asked: Parameters<Holdings[Way]>
): Promise<Awaited<ReturnType<Holdings[Way]>>> {
  const one = holdings[way] as unknown
  if (typeof one !== 'function') throw new Error(`${way} is lacking`)
  return (await one(...asked)) as Awaited<ReturnType<Holdings[Way]>>
}

async function glanceOf(world: HoldingsUnderTest, who: 'me' | 'bob' = 'me'): Promise<Glance> {
  const glance = await call(world, 'glance', await world.as(who))
  if (!glance) throw new Error(`${who} is unknown`)
  return glance
}

async function following(world: HoldingsUnderTest, who: 'me' | 'stranger') {
  const all: (Glance | null)[] = []
  const stop = await call(world, 'follow', await world.as(who), (glance) => all.push(glance))
  return { all, stop: async () => stop() }
}

async function marketOf(world: HoldingsUnderTest, symbol: string): Promise<string> {
  const found = (await glanceOf(world)).positions.find((one) => one.symbol === symbol)
  if (!found) throw new Error(`no position in ${symbol}`)
  return found.market
}

async function courseOf(
  world: HoldingsUnderTest,
  symbol: string,
  since: number,
  columns: number,
): Promise<Course> {
  const market = await marketOf(world, symbol)
  const course = await call(world, 'course', await world.as('me'), market, since, columns)
  if (course === null || course === 'busy') throw new Error(`no course: ${course}`)
  return course
}

async function saidTo(
  world: HoldingsUnderTest,
  by: Identity,
  command: string,
  args: unknown,
): Promise<string> {
  const asked = await call(world, 'ask', by, command, args)
  if (asked.is === 'data') throw new Error(`/${command} gave data`)
  return plainLines(asked.message, { now: NOON, zone: 'UTC' }).join('\n')
}

function priceOf(glance: Glance | null | undefined): number | null | undefined {
  return glance?.positions.find(({ symbol }) => symbol === 'BTC')?.price
}
