import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { watched } from '../support/watched.ts'

const titles = (heard: string[]) => heard.map((text) => text.split('\n')[0])

describe('when the venue cannot be seen', () => {
  test('people are told once after ten seconds, with what was last seen, and once on return', async () => {
    await using bot = await startBot()
    await watched(bot, 99)
    bot.stage.fails('/', 503)
    await bot.pass(11_000)
    expect(bot.hears()).toEqual([])
    await bot.pass(300_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual(['[BLIND] I can’t see the venue'])
    expect(heard[0]).toContain('last seen: BTC long 9.1% from liquidation')
    bot.stage.market('BTC', { price: 98 })
    bot.stage.fails('/', null)
    await bot.pass(4_000)
    const back = bot.hears()
    expect(titles(back)).toEqual(['[RESOLVED] I can see the venue again'])
    expect(back[0]).toContain('BTC long 8.2% from liquidation (was 9.1%)')
    expect(back[0]).toMatch(/I couldn’t see from 12:00 UTC to 12:05 UTC \(5 min\)/)
  })

  test('a venue that answers with what was before is not believed, also where somebody asks', async () => {
    await using bot = await startBot()
    await watched(bot, 120)
    for (let poll = 0; poll < 40; poll++) {
      bot.stage.market('BTC', { price: 120 + (poll % 7) / 10 })
      await bot.pass(2_000)
    }
    expect(bot.hears()).toEqual([])
    await bot.pass(150_000)
    const [blind, ...more] = bot.hears()
    expect(more).toEqual([])
    expect(blind).toMatch(/^\[BLIND\] I can’t see the venue/)
    expect(blind).toContain('not one figure of any market has changed for two minutes')
    expect(await bot.says('/markets')).toContain('not one figure of any market has changed')
    await bot.pass(60_000)
    expect(bot.hears()).toEqual([])
    bot.stage.market('BTC', { price: 119 })
    await bot.pass(4_000)
    expect(titles(bot.hears())).toEqual(['[RESOLVED] I can see the venue again'])
  })

  test('a market whose figures cannot be used is not called unlisted', async () => {
    await using bot = await startBot()
    await watched(bot, 120)
    bot.stage.market('BTC', { price: Number.NaN })
    await bot.pass(30_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual(['[BLIND] I can’t see the market BTC'])
    expect(heard[0]).toContain('its figures cannot be used: price is missing or of another type')
  })

  test("short gaps are nobody's business: no false all-clear, no second warning", async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    for (let gap = 0; gap < 6; gap++) {
      bot.stage.fails('/', 503)
      await bot.pass(3_000)
      bot.stage.fails('/', null)
      await bot.pass(7_000)
    }
    expect(bot.hears()).toEqual([])
  })

  test('what happened meanwhile is told on return in the same message', async () => {
    await using bot = await startBot()
    await watched(bot, 99)
    bot.stage.fails('/', 503)
    await bot.pass(60_000)
    bot.hears()
    bot.stage.market('BTC', { price: 91 })
    bot.stage.fails('/', null)
    await bot.pass(4_000)
    const [heard = '', ...more] = bot.hears()
    expect(more).toEqual([])
    expect(heard).toContain('[CRITICAL] BTC long: 1.1% to liquidation')
    expect(heard).toContain('I can see the venue again')
  })

  test('a bot that starts blind says so and recovers by itself', async () => {
    await using bot = await startBot()
    bot.stage.fails('/', 'hang')
    await bot.says('/status')
    await bot.pass(30_000)
    expect(titles(bot.hears())).toEqual(['[BLIND] I can’t see the venue'])
    expect(await bot.says('/status')).toContain('I can’t see everything')
    bot.stage.fails('/', null)
    bot.stage.market('BTC', { price: 95 })
    await bot.pass(10_000)
    expect(titles(bot.hears())).toEqual(['[RESOLVED] I can see the venue again'])
  })
})

describe('when it is restarted again and again while the venue is down', () => {
  test('people are told all the same, once', async () => {
    await using bot = await startBot()
    await watched(bot, 99)
    bot.stage.fails('/', 503)
    for (let life = 0; life < 4; life++) {
      await bot.restart()
      await bot.pass(9_000)
    }
    expect(titles(bot.hears())).toEqual(['[BLIND] I can’t see the venue'])
    bot.stage.fails('/', null)
    await bot.pass(10_000)
    expect(titles(bot.hears())).toEqual(['[RESOLVED] I can see the venue again'])
  })

  test('a wallet near danger is told as well, after the patience of one run', async () => {
    await using bot = await startBot()
    await watched(bot, 99)
    bot.stage.fails('/positions', 503)
    for (let life = 0; life < 5; life++) {
      await bot.restart()
      await bot.pass(9_000)
    }
    expect(titles(bot.hears())).toEqual(['[BLIND] I can’t see wallet main'])
  })

  test('what an earlier run did not see is looked for before anybody is told', async () => {
    await using bot = await startBot()
    await watched(bot, 99)
    bot.stage.fails('/', 503)
    await bot.restart()
    await bot.pass(5_000)
    bot.stage.fails('/', null)
    await bot.restart(3_600_000)
    await bot.pass(60_000)
    expect(bot.hears()).toEqual([])
  })
})

test('a wallet that nobody watches any more is not counted as blind, also after a restart', async () => {
  await using bot = await startBot()
  await watched(bot, 95)
  bot.stage.fails('/positions', 500)
  await bot.pass(40_000)
  expect(await bot.says('/status')).toContain('I can’t see everything')
  await bot.says('/unwatch main')
  bot.stage.fails('/positions', null)
  await bot.restart()
  await bot.pass(2_000)
  expect(await bot.says('/status')).toContain('I see everything')
})

test('ten wallets that cannot be seen are one message, and one when they are seen again', async () => {
  await using bot = await startBot({ settings: UNHURRIED })
  bot.stage.market('BTC', { price: 200 })
  const wallets = Array.from({ length: 10 }, (_, at) => `0x${String(at + 1).padStart(40, '0')}`)
  for (const [at, wallet] of wallets.entries()) {
    bot.stage.positions(wallet, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
    await bot.says(`/watch ${wallet} w${at}`)
    // Each is read at another time.
    await bot.pass(5_500)
  }
  await bot.pass(60_000)
  bot.hears()
  bot.stage.fails('/positions', 500)
  await bot.pass(400_000)
  const told = bot.hears()
  expect(told).toHaveLength(1)
  expect(told[0]?.match(/I can’t see wallet/g)).toHaveLength(10)
  bot.stage.fails('/positions', null)
  await bot.pass(200_000)
  const back = bot.hears()
  expect(back).toHaveLength(1)
  expect(back[0]?.match(/I can see wallet w\d again/g)).toHaveLength(10)
})

describe('when one wallet cannot be seen', () => {
  test('near danger it is told after half a minute', async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    bot.stage.fails('/positions', 500)
    await bot.pass(29_000)
    expect(bot.hears()).toEqual([])
    await bot.pass(10_000)
    expect(titles(bot.hears())).toEqual(['[BLIND] I can’t see wallet main'])
    bot.stage.fails('/positions', null)
    await bot.pass(70_000)
    expect(titles(bot.hears())).toEqual(['[RESOLVED] I can see wallet main again'])
  })

  test('far from danger it is told after three minutes', async () => {
    await using bot = await startBot()
    await watched(bot, 200)
    bot.stage.fails('/positions', 500)
    await bot.pass(215_000)
    expect(bot.hears()).toEqual([])
    await bot.pass(10_000)
    expect(titles(bot.hears())).toEqual(['[BLIND] I can’t see wallet main'])
  })

  test('one that comes near danger while it cannot be read is told by the short patience', async () => {
    await using bot = await startBot()
    await watched(bot, 200)
    bot.stage.fails('/positions', 500)
    await bot.pass(60_000)
    expect(bot.hears()).toEqual([])
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    const heard = titles(bot.hears())
    expect(heard).toContain('[CRITICAL] BTC long: 4.3% to liquidation (A1)')
    expect(heard).toContain('[BLIND] I can’t see wallet main')
  })

  test('the price falls on: that is told, with how old the position is, and nothing counts as over', async () => {
    await using bot = await startBot()
    await watched(bot, 200)
    bot.stage.fails('/positions', 500)
    await bot.pass(300_000)
    expect(titles(bot.hears())).toEqual(['[BLIND] I can’t see wallet main'])
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(2_000)
    const [worse = ''] = bot.hears()
    expect(worse).toContain('[CRITICAL] BTC long: 4.3% to liquidation (A1)')
    expect(worse).toMatch(/wallet not seen for 5 min: by its last known position/)
    bot.stage.market('BTC', { price: 130 })
    await bot.pass(30_000)
    expect(bot.hears()).toEqual([])
    bot.stage.fails('/positions', null)
    await bot.pass(120_000)
    const back = bot.hears().join('\n')
    expect(back).toContain('I can see wallet main again')
    expect(back).toContain('BTC long is safe again: 30.8% from liquidation (A1)')
  })

  test('an answer that does not show everything is no sight', async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    bot.stage.claims(ALICE, 3)
    await bot.pass(40_000)
    const [heard = ''] = bot.hears()
    expect(heard).toContain('I can’t see wallet main')
    expect(heard).toContain('the venue speaks of 3 positions and sent 1')
  })

  test('a position on a broken scale is not in danger, it is not seen', async () => {
    await using bot = await startBot({ settings: UNHURRIED })
    await watched(bot, 200)
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 0.00000001, liquidation: 150 }])
    await bot.pass(400_000)
    const heard = bot.hears().join('\n')
    expect(heard).toContain('I can’t see wallet main')
    expect(heard).toContain('a broken scale')
    expect(heard).not.toContain('to liquidation (A')
  })

  test('a shared chat hears nothing of the wallets of whoever set its alerts', async () => {
    await using bot = await startBot({ settings: UNHURRIED })
    bot.platforms.get('recorder')?.groups.set('club', { title: 'Club', mayPost: true, configurers: ['me'] })
    await watched(bot, 95)
    const club = { place: { chat: 'club', mayConfigure: true } }
    await bot.says('/channel bind', club)
    expect(await bot.says('/alert flip', club)).toContain('in Club')
    await bot.pass(2_000)
    bot.hears('club')
    bot.stage.fails('/positions', 500)
    await bot.pass(60_000)
    expect(titles(bot.hears())).toContain('[BLIND] I can’t see wallet main')
    expect(bot.hears('club')).toEqual([])
    bot.stage.fails('/positions', null)
    bot.stage.fails('/markets', 500)
    await bot.pass(60_000)
    const heard = bot.hears('club').join('\n')
    expect(heard).toContain('I can’t see the venue')
    expect(heard).not.toContain('BTC long')
    bot.stage.fails('/markets', null)
    await bot.pass(60_000)
    expect(bot.hears('club').join('\n')).not.toContain('BTC long')
  })

  test('a group that is unbound while it waits for the return of the venue mutes nobody', async () => {
    await using bot = await startBot()
    bot.platforms.get('recorder')?.groups.set('club', { title: 'Club', mayPost: true, configurers: ['me'] })
    await watched(bot, 99)
    const club = { place: { chat: 'club', mayConfigure: true } }
    await bot.says('/channel bind', club)
    await bot.says('/alert flip', club)
    await bot.pass(2_000)
    bot.hears('club')
    bot.stage.fails('/', 503)
    await bot.pass(60_000)
    expect(titles(bot.hears('club'))).toEqual(['[BLIND] I can’t see the venue'])
    expect(titles(bot.hears())).toEqual(['[BLIND] I can’t see the venue'])
    expect(await bot.says('/channel unbind yes', club)).toMatch(/unbound|no longer|not bound/i)
    bot.stage.market('BTC', { price: 91 })
    bot.stage.fails('/', null)
    await bot.pass(10_000)
    const heard = bot.hears().join('\n')
    expect(heard).toContain('I can see the venue again')
    expect(heard).toContain('[CRITICAL] BTC long: 1.1% to liquidation')
    expect(bot.events.filter(({ is }) => is === 'turn-failed')).toEqual([])
  })

  test('a market that is missing from the list is told when a position rests on it', async () => {
    await using bot = await startBot()
    bot.stage.market('ETH', { price: 100 })
    await watched(bot, 95)
    bot.stage.market('BTC', { missing: true })
    await bot.pass(20_000)
    const [heard = ''] = bot.hears()
    expect(heard).toContain('I can’t see the market BTC')
    bot.stage.market('BTC', { missing: false })
    await bot.pass(4_000)
    expect(titles(bot.hears())).toEqual(['[RESOLVED] I can see the market BTC again'])
  })

  test('a market that this run has never seen is missed as well: after a restart, and by a new watch or rule', async () => {
    await using bot = await startBot()
    bot.stage.market('ETH', { price: 100 })
    await watched(bot, 95)
    bot.stage.market('BTC', { missing: true })
    await bot.restart()
    await bot.pass(20_000)
    expect(titles(bot.hears())).toEqual(['[BLIND] I can’t see the market BTC'])
    expect(await bot.says('/status')).toContain('I can’t see everything')
    bot.stage.market('BTC', { missing: false })
    await bot.pass(4_000)
    expect(titles(bot.hears())).toEqual(['[RESOLVED] I can see the market BTC again'])

    // What rests on it is a rule alone, without a position.
    await bot.says('/unwatch main yes')
    await bot.says('/alert flip BTC')
    bot.stage.market('BTC', { missing: true })
    await bot.restart()
    await bot.pass(20_000)
    expect(titles(bot.hears())).toEqual(['[BLIND] I can’t see the market BTC'])
  })

  test('a position in a market that was never listed is told as unseen', async () => {
    await using bot = await startBot()
    bot.stage.market('ETH', { price: 100 })
    bot.stage.market('BTC', { price: 95, missing: true })
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
    await bot.pass(0)
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(20_000)
    expect(titles(bot.hears())).toEqual(['[BLIND] I can’t see the market 200'])
  })

  test('a liquidation price that the venue drops once is not believed; twice it is', async () => {
    await using bot = await startBot()
    await watched(bot, 95)
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 0 }])
    await bot.pass(2_000)
    expect(bot.hears()).toEqual([])
    await bot.pass(2_000)
    expect(titles(bot.hears())).toEqual(['[RESOLVED] BTC long has no liquidation price now (A1)'])
  })
})

test('a wallet that could not be read is read at once when the venue is back', async () => {
  await using bot = await startBot()
  bot.stage.market('BTC', { price: 130 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1, entry: 120, liquidation: 10 }])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  bot.stage.fails('/', 503)
  await bot.pass(4 * 60_000)
  bot.stage.fails('/', null)
  const reads = (what: 'markets-read' | 'wallet-read') => bot.events.filter(({ is }) => is === what).length
  const [markets, wallets] = [reads('markets-read'), reads('wallet-read')]
  while (reads('markets-read') === markets) await bot.pass(100)
  await bot.pass(300)
  expect(reads('wallet-read')).toBeGreaterThan(wallets)
})

describe('when no wallet can be read, of one near danger and two far from it', () => {
  const FAR = ['0x00000000000000000000000000000000000000f1', '0x00000000000000000000000000000000000000f2']

  async function outage(): Promise<BotUnderTest> {
    const bot = await startBot({ settings: UNHURRIED })
    await watched(bot, 95)
    bot.stage.market('ETH', { price: 3_000 })
    for (const [at, wallet] of FAR.entries()) {
      bot.stage.positions(wallet, [{ symbol: 'ETH', size: 1, entry: 2_900, liquidation: 500 }])
      await bot.says(`/watch ${wallet} far${at}`)
    }
    await bot.pass(120_000)
    bot.hears()
    bot.stage.fails('/positions', 500)
    return bot
  }

  test('the near one rings and names what else fails; the far ones follow without ringing', async () => {
    await using bot = await outage()
    await bot.pass(500_000)
    const posts = bot.platforms.get('recorder')?.sees('me', 'me') ?? []
    const blind = posts.filter(({ text }) => text.includes('[BLIND]'))
    expect(titles(blind.map(({ text }) => text))[0]).toBe('[BLIND] I can’t see wallet main')
    expect(blind.map(({ silent }) => silent)).toEqual([false, ...blind.slice(1).map(() => true)])
    expect(blind[0]?.text).toContain('also failing, far from danger: far0')
    const later = blind
      .slice(1)
      .map(({ text }) => text)
      .join('\n')
    expect(later).toMatch(/I can’t see wallet far0 either/)
    expect(later).toMatch(/I can’t see wallet far1 either/)
  })

  test('a far one that comes near danger meanwhile rings', async () => {
    await using bot = await outage()
    await bot.pass(60_000)
    bot.stage.market('ETH', { price: 520 })
    await bot.pass(10_000)
    const posts = bot.platforms.get('recorder')?.sees('me', 'me') ?? []
    const blind = posts.filter(({ text }) => text.includes('I can’t see wallet far'))
    expect(blind.length).toBeGreaterThan(0)
    expect(blind.every(({ silent }) => !silent)).toBe(true)
  })
})
