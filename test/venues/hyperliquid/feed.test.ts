import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../src/venue/amount.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import { contextsOf } from '../../support/hyperliquid/market-wire.ts'
import { allClearinghouseStates } from '../../support/hyperliquid/state-wire.ts'
import { accountOf } from '../../support/hyperliquid/world.ts'
import { asking, startPushed } from './pushed.ts'
import { OWNER, STRANGER } from './records.ts'

const other = (n: number): Wallet => `0x${n.toString(16).padStart(40, '0')}`
const priceOf = (markets: { id: string; price: bigint }[] = [], coin = 'BTC') =>
  toNumber(markets.find(({ id }) => id === coin)?.price ?? 0n)

describe('markets are pushed', () => {
  test('as the very markets that are read, of every book whose list was read', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    await bot.listens()
    bot.standIn.moves({ BTC: 61_234 })
    await bot.hears(() => priceOf(bot.markets.at(-1)?.answer.markets) === 61_234)
    const { answer, whole } = bot.markets.at(-1) ?? {}
    const polled = await bot.venue.markets(asking, [])
    expect(answer?.markets.filter(({ dex }) => dex === null)).toEqual(
      polled.markets.filter(({ dex }) => dex === null),
    )
    expect(new Set(answer?.markets.map(({ dex }) => dex))).toEqual(
      new Set(bot.standIn.world.dexes.map(({ name }) => name || null)),
    )
    expect([answer?.failedParts, whole]).toEqual([[], true])
    expect(bot.told()).toEqual(['on'])
    expect(bot.push.status()).toMatchObject({ open: true, why: null, subscriptions: 1 })
  })

  test('only where their list is known, and it is said that polling is still wanted', async () => {
    await using bot = await startPushed({ needed: ['BTC', 'xyz:NVDA'] })
    await bot.venue.markets(asking, [])
    await bot.listens()
    await bot.hears(() => bot.markets.length > 0)
    const [first] = bot.markets
    expect(new Set(first?.answer.markets.map(({ dex }) => dex))).toEqual(new Set([null]))
    expect(first?.answer.failedParts.map(({ part }) => part)).toContain('xyz')
    expect(first?.whole).toBe(false)
    await bot.readsDexes()
    expect(bot.markets.at(-1)?.whole).toBe(true)
  })

  test('with a delisted one in the middle, and every other keeps its own price', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    const [, second] = bot.standIn.world.dexes[0]?.markets ?? []
    await bot.listens()
    bot.standIn.delists(second?.name ?? '')
    bot.standIn.moves({ BTC: 61_234 })
    await bot.clock.advance(1_000)
    const told = bot.markets.at(-1)?.answer.markets ?? []
    for (const { name, mark } of bot.standIn.world.dexes.flatMap(({ markets }) => markets)) {
      if (name !== second?.name) expect(priceOf(told, name), name).toBeCloseTo(mark, 8)
    }
  })

  test('of a book whose list has changed not before it is read again; the others go on', async () => {
    await using bot = await startPushed({ needed: ['BTC', 'xyz:NVDA'] })
    await bot.readsDexes()
    await bot.listens()
    bot.standIn.lists('xyz:NEW', 12)
    await bot.clock.advance(1_000)
    const told = bot.markets.at(-1)
    expect(told?.whole).toBe(false)
    expect(told?.answer.failedParts).toMatchObject([
      { part: 'xyz', why: expect.stringContaining('figures for') },
    ])
    expect(priceOf(told?.answer.markets)).toBeGreaterThan(0)
    await bot.venue.markets(asking, ['BTC', 'xyz:NVDA'])
    await bot.clock.advance(1_000)
    expect(bot.markets.at(-1)?.whole).toBe(true)
    expect(priceOf(bot.markets.at(-1)?.answer.markets, 'xyz:NEW')).toBe(12)
  })

  test('whose names seem to have changed places not before they are read again', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    await bot.listens()
    const { markets } = bot.standIn.world.dexes[0] ?? { markets: [] }
    markets.reverse()
    await bot.clock.advance(1_000)
    const told = bot.markets.at(-1)
    expect(told?.whole).toBe(false)
    expect(told?.answer.failedParts).toMatchObject([
      { part: 'main', why: expect.stringContaining('may have changed') },
    ])
    await bot.venue.markets(asking, ['BTC'])
    await bot.clock.advance(1_000)
    expect(bot.markets.at(-1)?.whole).toBe(true)
    for (const { name, mark } of markets) {
      expect(priceOf(bot.markets.at(-1)?.answer.markets, name), name).toBeCloseTo(mark, 8)
    }
  })

  test('of one that falls by more than half in a second at once', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    await bot.listens()
    bot.standIn.moves({ HYPE: 1 })
    await bot.clock.advance(1_000)
    expect(priceOf(bot.markets.at(-1)?.answer.markets, 'HYPE')).toBe(1)
  })

  test('in a crash that more than halves several of them in a second, at once', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    await bot.listens()
    const { markets } = bot.standIn.world.dexes[0] ?? { markets: [] }
    const falls = markets.filter(({ delisted }) => !delisted).slice(0, 3)
    const marks = Object.fromEntries(falls.map(({ name, mark }) => [name, mark * 0.3]))
    bot.standIn.moves(marks)
    await bot.clock.advance(1_000)
    const { answer, whole } = bot.markets.at(-1) ?? {}
    expect([answer?.failedParts, whole]).toEqual([[], true])
    const fallen = falls.map(({ name }) => priceOf(answer?.markets, name) / (marks[name] ?? 0))
    expect(fallen.map((factor) => factor.toFixed(2))).toEqual(['1.00', '1.00', '1.00'])
  })

  test('but for what looks delisted, as what is halted may look: its list tells, and is read for it', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    await bot.listens()
    const isDelisted = (coin: string) =>
      bot.markets.at(-1)?.answer.markets.find(({ id }) => id === coin)?.delisted
    const halts = async () => {
      const { world } = bot.standIn
      const ctxs = world.dexes.map((dex) => [
        dex.name,
        contextsOf(world, dex).map((context, place) => {
          const looks = dex.markets[place]?.name === 'BTC'
          return looks ? { ...context, midPx: null, openInterest: '0.0', funding: '0.0' } : context
        }),
      ])
      const before = bot.markets.length
      bot.standIn.push.garble(JSON.stringify({ channel: 'allDexsAssetCtxs', data: { ctxs } }))
      await bot.hears(() => bot.markets.length > before)
      return [isDelisted('BTC'), bot.markets.at(-1)?.whole]
    }
    expect(await halts()).toEqual([undefined, false])
    expect(priceOf(bot.markets.at(-1)?.answer.markets, 'HYPE')).toBeGreaterThan(0)
    await bot.clock.advance(1)
    await bot.venue.markets(asking, ['BTC'])
    expect(await halts()).toEqual([false, true])
  })

  test('with one that is delisted, or resumed, as that when its list was read again', async () => {
    await using bot = await startPushed({ needed: ['BTC', 'DOGE'] })
    await bot.readsDexes()
    await bot.listens()
    const isDelisted = () => bot.markets.at(-1)?.answer.markets.find(({ id }) => id === 'DOGE')?.delisted
    bot.standIn.delists('DOGE')
    await bot.clock.advance(1_000)
    expect([isDelisted(), bot.markets.at(-1)?.whole]).toEqual([undefined, false])
    await bot.venue.markets(asking, ['BTC', 'DOGE'])
    await bot.clock.advance(1_000)
    expect([isDelisted(), bot.markets.at(-1)?.whole]).toEqual([true, true])
    // It has quotes again: it was halted, and is resumed.
    bot.standIn.market('DOGE').delisted = false
    await bot.clock.advance(1_000)
    expect([isDelisted(), bot.markets.at(-1)?.whole]).toEqual([undefined, false])
    await bot.venue.markets(asking, ['BTC', 'DOGE'])
    await bot.clock.advance(1_000)
    expect([isDelisted(), bot.markets.at(-1)?.whole]).toEqual([false, true])
  })

  test('whose names may have changed places are read again after ten minutes', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    await bot.listens()
    await bot.clock.advance(500_000)
    expect(bot.markets.at(-1)?.whole).toBe(true)
    await bot.clock.advance(100_000)
    expect(bot.markets.at(-1)?.whole).toBe(false)
    const before = bot.standIn.asked.length
    await bot.venue.markets(asking, ['BTC'])
    expect(bot.standIn.asked.slice(before).map(({ type }) => type)).toContain('metaAndAssetCtxs')
  })
})

describe('wallets are pushed', () => {
  test('as the very positions and accounts that are read', async () => {
    await using bot = await startPushed()
    const wallet = bot.standIn.account(OWNER, { usd: 10_000 })
    wallet.trades('BTC', 0.5, { leverage: 10 })
    wallet.deposits(1_000, 'xyz')
    wallet.trades('xyz:NVDA', 5, { leverage: 5, margin: 'isolated' })
    await bot.readsDexes()
    const polled = await bot.venue.positions(OWNER, asking)
    await bot.listens(OWNER)
    await bot.clock.advance(5_000)
    expect(bot.wallets.at(-1)).toMatchObject({ wallet: OWNER, whole: true, answer: polled })
  })

  test('whose collateral is in spot with what was told of it, and are to be read while that is silent', async () => {
    await using bot = await startPushed()
    const wallet = bot.standIn.account(OWNER, { usd: 10_000, mode: 'unifiedAccount' })
    wallet.trades('BTC', 0.5, { leverage: 10 })
    await bot.readsDexes()
    await bot.listens(OWNER)
    await bot.clock.advance(5_000)
    expect(bot.wallets.at(-1)).toMatchObject({ whole: false, answer: { accounts: [] } })
    const polled = await bot.venue.positions(OWNER, asking)
    await bot.clock.advance(5_000)
    expect(bot.wallets.at(-1)).toMatchObject({ whole: true, answer: polled })
    expect(bot.standIn.push.subscriptions()).toContainEqual({ type: 'spotState', user: OWNER.toLowerCase() })
    await bot.clock.advance(20_000)
    expect(bot.wallets.at(-1)?.whole).toBe(false)
    expect(bot.wallets.at(-1)?.answer.accounts).toMatchObject([{ equityUsd: null, marginRatio: null }])
    wallet.deposits(500)
    await bot.clock.advance(5_000)
    expect(bot.wallets.at(-1)?.whole).toBe(true)
    expect(toNumber(bot.wallets.at(-1)?.answer.accounts[0]?.equityUsd ?? 0n)).toBeGreaterThan(10_000)
  })

  test('no more than ten of them, those that are named first', async () => {
    await using bot = await startPushed()
    const wallets = Array.from({ length: 14 }, (_, n) => other(n + 1))
    push(bot, wallets)
    await bot.hears(() => bot.standIn.push.users() === 10)
    expect(bot.push.status().wallets.allowed).toBe(10)
    bot.push.follow([...wallets.slice(4), ...wallets.slice(0, 4)])
    await bot.hears(() => bot.push.status().wallets.followed === 10)
    const users = bot.standIn.push.subscriptions().flatMap(({ user }) => (user ? [user] : []))
    expect(new Set(users)).toEqual(new Set(wallets.slice(4)))
    expect(bot.unusable()).toEqual([])
  })

  test('as many as the venue has places for, and after a while it is asked for more', async () => {
    await using bot = await startPushed()
    bot.standIn.push.allowUsers(3)
    const wallets = Array.from({ length: 6 }, (_, n) => other(n + 1))
    push(bot, wallets)
    await bot.hears(() => bot.push.status().wallets.followed === 3)
    expect(bot.push.status().wallets).toEqual({ followed: 3, allowed: 3 })
    const heard = bot.standIn.push.asks()
    await bot.clock.advance(60_000)
    expect(bot.standIn.push.asks() - heard).toBe(0)
    bot.standIn.push.allowUsers(10)
    await bot.clock.advance(300_000)
    expect(bot.push.status().wallets).toEqual({ followed: 6, allowed: 10 })
  })

  test('fewer than before when a new connection is granted fewer places, those that are named first', async () => {
    await using bot = await startPushed()
    const wallets = Array.from({ length: 6 }, (_, n) => other(n + 1))
    push(bot, wallets)
    await bot.hears(() => bot.push.status().wallets.followed === 6)
    bot.standIn.push.allowUsers(2)
    bot.standIn.push.refuse()
    bot.standIn.push.cut()
    await bot.hears(() => !bot.push.status().open)
    bot.push.follow(wallets.slice(2))
    // What has just closed counts for two seconds more.
    await bot.clock.advance(5_000)
    bot.standIn.push.refuse(false)
    await bot.clock.advance(20_000)
    await bot.hears(() => bot.push.status().wallets.followed === 2)
    await bot.clock.advance(60_000)
    expect(bot.push.status().wallets).toEqual({ followed: 2, allowed: 2 })
    const users = bot.standIn.push.subscriptions().flatMap(({ user }) => (user ? [user] : []))
    expect(new Set(users)).toEqual(new Set(wallets.slice(2, 4)))
  })

  test('without a book in which something was, as far as they go: nothing has vanished from it', async () => {
    await using bot = await startPushed()
    const wallet = bot.standIn.account(OWNER, { usd: 10_000 })
    wallet.trades('BTC', 0.5, { leverage: 10 })
    wallet.deposits(1_000, 'xyz')
    wallet.trades('xyz:NVDA', 5, { leverage: 5, margin: 'isolated' })
    await bot.readsDexes()
    await bot.venue.positions(OWNER, asking)
    await bot.listens(OWNER)
    bot.standIn.push.garble(statesOf(bot, ([name]) => name !== 'xyz'))
    await bot.hears(() => bot.wallets.length > 0 && bot.wallets.at(-1)?.answer.failedParts.length === 1)
    const { answer, whole } = bot.wallets.at(-1) ?? {}
    expect(answer?.failedParts).toEqual([{ part: 'xyz', why: expect.stringContaining('lacks it') }])
    expect([answer?.positions.length, whole]).toEqual([1, true])
    // Seen to be empty, it may be left out.
    wallet.trades('xyz:NVDA', -5)
    await bot.venue.positions(OWNER, asking)
    await bot.clock.advance(1)
    bot.standIn.push.garble(statesOf(bot, ([name]) => name !== 'xyz'))
    await bot.hears(() => bot.wallets.at(-1)?.answer.failedParts.length === 0)
  })

  test('not by what was so before they were read last', async () => {
    await using bot = await startPushed()
    const wallet = bot.standIn.account(OWNER, { usd: 10_000 })
    await bot.readsDexes()
    await bot.listens(OWNER)
    const late = statesOf(bot)
    await bot.clock.advance(100)
    wallet.trades('BTC', 0.5, { leverage: 10 })
    await bot.venue.positions(OWNER, asking)
    const before = bot.wallets.length
    bot.standIn.push.garble(late)
    await bot.clock.advance(5_000)
    expect(bot.wallets.slice(before).map(({ answer }) => answer.positions.length)).toEqual([1])
  })

  test('not by the same moment again and again, which is asked for anew like silence', async () => {
    await using bot = await startPushed()
    bot.standIn.account(OWNER, { usd: 10_000 })
    await bot.readsDexes()
    await bot.listens(OWNER)
    await bot.clock.advance(5_000)
    bot.standIn.push.silence({ type: 'allDexsClearinghouseState' })
    const frozen = statesOf(bot)
    const heard = bot.standIn.push.asks()
    for (let time = 0; time < 8; time++) {
      bot.standIn.push.garble(frozen)
      await bot.clock.advance(5_000)
    }
    expect(bot.wallets.filter(({ ms }) => ms > 75_000)).toEqual([])
    expect(bot.standIn.push.asks() - heard).toBeGreaterThan(1)
  })

  test('that are followed no more are told of no more', async () => {
    await using bot = await startPushed()
    await bot.listens(OWNER)
    bot.push.follow([STRANGER])
    await bot.clock.advance(10_000)
    const since = bot.wallets.filter(({ ms }) => ms >= 5_000)
    expect(new Set(since.map(({ wallet }) => wallet))).toEqual(new Set([STRANGER]))
  })
})

describe('what breaks', () => {
  test('a single subscription that falls silent is asked for again, and is there again', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    await bot.listens(OWNER)
    await bot.clock.advance(5_000)
    bot.standIn.push.silence({ type: 'allDexsAssetCtxs' })
    await bot.clock.advance(9_000)
    const heard = bot.standIn.push.asks()
    const wallets = bot.wallets.length
    await bot.clock.advance(2_000)
    expect(bot.standIn.push.asks() - heard).toBe(2)
    expect(bot.told()).toEqual(['on', 'no prices were told for 10 s'])
    bot.standIn.push.speak()
    await bot.clock.advance(1_000)
    expect(bot.told().at(-1)).toBe('on')
    expect(bot.wallets.length).toBeGreaterThan(wallets)
    // The prices and wallets, and the public trades.
    expect(bot.standIn.push.connections()).toBe(2)
  })

  test('prices that never come are asked for on another connection, ever more rarely', async () => {
    await using bot = await startPushed()
    bot.standIn.push.silence({ type: 'allDexsAssetCtxs' })
    await bot.listens(OWNER)
    await bot.clock.advance(3_600_000)
    // A ping and a subscription now and then; never many.
    expect(bot.standIn.push.asks()).toBeLessThan(100)
    expect(bot.told().length).toBe(1)
  })

  test('a cut connection is opened again soon, with everything that was followed', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    await bot.listens(OWNER)
    await bot.clock.advance(60_000)
    bot.standIn.push.cut()
    await bot.hears(() => !bot.push.status().open)
    expect(bot.push.status()).toMatchObject({ open: false, why: 'the connection was cut (1006)' })
    await bot.clock.advance(1_000)
    await bot.hears(() => bot.push.status().wallets.followed === 1)
    await bot.clock.advance(1_000)
    expect(bot.told()).toEqual(['on', 'the connection was cut (1006)', 'on'])
  })

  test('refused connections are tried later and later, and told once', async () => {
    await using bot = await startPushed()
    bot.standIn.push.refuse()
    push(bot, [OWNER])
    await bot.hears(() => bot.told().length > 0)
    await bot.clock.advance(600_000)
    expect(bot.told()).toHaveLength(1)
    bot.standIn.push.refuse(false)
    await bot.clock.advance(60_000)
    await bot.hears(() => bot.push.status().open)
  })

  test('however often it is cut, no more than thirty connections are opened in a minute', async () => {
    await using bot = await startPushed()
    push(bot, [OWNER])
    let opened = 0
    for (let second = 0; second < 60; second++) {
      await bot.clock.advance(1_000)
      if (bot.standIn.push.connections() > 0) opened++
      bot.standIn.push.cut()
    }
    expect(opened).toBeLessThan(15)
  })

  test('texts that are no frames are told once, and nothing else is lost', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    await bot.listens()
    for (const _time of [1, 2, 3]) {
      bot.standIn.push.garble('<html>one moment</html>')
      bot.standIn.push.garble('{"channel":"allDexsAssetCtxs","data":{"ctxs":7}}')
      bot.standIn.push.garble('{"channel":"error","data":"Error parsing JSON"}')
    }
    await bot.clock.advance(1_000)
    expect(bot.unusable()).toEqual([
      "a frame: The venue's answer cannot be used: it is a page of HTML, not JSON.",
      "a frame: The venue's answer cannot be used: the markets: ctxs is missing or of another type.",
      'an error frame: Error parsing JSON',
    ])
    expect(bot.markets.at(-1)?.whole).toBe(true)
  })

  test('an enormous text ends the connection, and the next one is well', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    await bot.listens()
    bot.standIn.push.garble('x'.repeat(5 * 1024 * 1024))
    await bot.hears(() => !bot.push.status().open)
    await bot.clock.advance(1_000)
    await bot.hears(() => bot.push.status().open)
    await bot.clock.advance(1_000)
    expect(bot.told().at(-1)).toBe('on')
  })

  test('through which nothing comes, however often it is asked for, is left for another one', async () => {
    await using bot = await startPushed()
    await bot.listens()
    const { since } = bot.push.status()
    bot.standIn.push.silence()
    bot.standIn.push.withholdPongs()
    await bot.clock.advance(55_000)
    expect(bot.push.status()).toMatchObject({ open: true, since })
    await bot.clock.advance(20_000)
    await bot.hears(() => bot.push.status().open)
    expect(bot.push.status().since).toBeGreaterThan(since)
    // The prices and wallets, and the public trades.
    expect(bot.standIn.push.connections()).toBe(2)
  })

  test('a venue that goes down and comes up again is listened to again', async () => {
    await using bot = await startPushed()
    await bot.readsDexes()
    await bot.listens(OWNER)
    await bot.standIn.down()
    await bot.clock.advance(30_000)
    expect(bot.push.status().open).toBe(false)
    await bot.standIn.up()
    await bot.clock.advance(60_000)
    await bot.hears(() => bot.push.status().open)
    await bot.clock.advance(6_000)
    expect(bot.told().at(-1)).toBe('on')
    expect(bot.wallets.at(-1)?.wallet).toBe(OWNER)
  })
})

test('a book that is new to the venue is read as soon as somebody holds something there', async () => {
  const needed = ['BTC']
  await using bot = await startPushed({ needed })
  await bot.readsDexes()
  await bot.listens(OWNER)
  const { world } = bot.standIn
  const [first] = world.dexes.slice(1)
  if (!first) throw new Error('there is no builder’s dex')
  const dex = { ...first, name: 'new', markets: [] }
  world.dexes.push(dex)
  bot.standIn.lists('new:COIN', 12)
  needed.push('new:COIN')
  await bot.clock.advance(2_000)
  expect(bot.markets.at(-1)?.whole).toBe(false)
  const { markets } = await bot.venue.markets(asking, needed)
  expect(priceOf(markets, 'new:COIN')).toBe(12)
  await bot.clock.advance(2_000)
  expect(priceOf(bot.markets.at(-1)?.answer.markets, 'new:COIN')).toBe(12)
  // A wallet that is polled is read there too.
  bot.standIn.account(STRANGER, { usd: 1_000 }).deposits(500, 'new')
  bot.standIn.account(STRANGER).trades('new:COIN', 1)
  const { positions } = await bot.venue.positions(STRANGER, asking)
  expect(positions.map(({ marketId }) => marketId)).toEqual(['new:COIN'])
})

test('a market that is renamed at the same count of markets is read again when somebody holds it', async () => {
  await using bot = await startPushed()
  await bot.readsDexes()
  await bot.listens(OWNER)
  bot.standIn.account(OWNER, { usd: 1_000 }).trades('ATOM', -10)
  await bot.clock.advance(6_000)
  bot.standIn.market('ATOM').name = 'ATOM2'
  await bot.clock.advance(6_000)
  expect(bot.markets.at(-1)?.whole).toBe(false)
  const { markets } = await bot.venue.markets(asking, ['BTC'])
  expect(markets.map(({ id }) => id)).toContain('ATOM2')
})

test('nothing is opened before somebody listens, and after the end nothing is open', async () => {
  await using bot = await startPushed()
  bot.push.follow([OWNER])
  await bot.clock.advance(10_000)
  expect(bot.standIn.push.connections()).toBe(0)
  await bot.listens(OWNER)
  // The prices and wallets, and the public trades.
  expect(bot.standIn.push.connections()).toBe(2)
  await bot.push.stop()
  await bot.hears(() => bot.standIn.push.connections() === 0)
  const heard = bot.markets.length
  await bot.clock.advance(60_000)
  expect([bot.markets.length, bot.standIn.push.connections()]).toEqual([heard, 0])
})

/** What a wallet's subscription tells at this moment, of the books that are meant. */
function statesOf(
  { standIn: { world } }: Awaited<ReturnType<typeof startPushed>>,
  meant: (state: [string, unknown]) => boolean = () => true,
): string {
  const account = accountOf(world, OWNER.toLowerCase())
  const clearinghouseStates = allClearinghouseStates(world, account).filter(meant)
  const data = { user: account.address, clearinghouseStates }
  return JSON.stringify({ channel: 'allDexsClearinghouseState', data })
}

function push({ push, hear }: Awaited<ReturnType<typeof startPushed>>, wallets: Wallet[]): void {
  push.follow(wallets)
  push.start(hear)
}
