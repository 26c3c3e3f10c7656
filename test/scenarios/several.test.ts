import { describe, expect, test } from 'vitest'

import { SECOND, startSeveralBot } from '../support/several-bot.ts'

const ALICE = '0x52908400098527886E0F7030069857D2E4169EE7'
const VENUES = [
  ['first', 'hyperliquid', 'second'],
  ['second', SECOND, 'first'],
] as const

/** Alice is 29% from liquidation at the first venue and far from it at the second, and watches. */
async function watching(first: 'both' | 'alone' = 'both') {
  const bot = await startSeveralBot(first)
  const accounts = {
    first: bot.first.account(ALICE, { usd: 4_000 }),
    second: bot.second.account(ALICE, { usd: 4_000 }),
  }
  const { market: btc } = accounts.first.trades('BTC', 0.2, { leverage: 20 })
  const { market: eth } = accounts.second.trades('ETH', -2, { leverage: 10 })
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(60)
  bot.hears()
  /** A move that brings the position of one venue to 5% and less from liquidation. */
  const nears = (which: 'first' | 'second') =>
    which === 'first' ? bot.first.moves({ BTC: btc.mark * 0.73 }) : bot.second.moves({ ETH: eth.mark * 1.93 })
  return Object.assign(bot, { accounts, nears })
}

describe.each(VENUES)('while the %s venue hangs', (which, name, other) => {
  test('its positions are named as unread, and the others come within a second and a half', async () => {
    await using bot = await watching()
    bot[which].push.silence()
    bot[which].fault({ kind: 'hang', times: Infinity })
    await bot.pass(6)
    const early = await bot.says('/positions')
    await bot.pass(60)
    const late = await bot.says('/positions')
    for (const { ms, text } of [early, late]) {
      expect(ms).toBeLessThanOrEqual(1_500)
      expect(text).toContain(`${name} is not answering`)
      expect(text).toContain('BTC long')
      expect(text).toContain('second:ETH short')
      expect(text).toContain('2 positions')
    }
    bot[which].clearFaults()
    bot[which].release()
    bot[which].push.speak()
    await bot.pass(60)
    expect((await bot.says('/positions')).text).not.toContain('I can’t see')
  })

  test('its outage and its end are told as its own, and a danger at the other one is told at once', async () => {
    await using bot = await watching()
    bot[which].push.silence()
    bot[which].fault({ kind: 'hang', times: Infinity })
    await bot.pass(60)
    const outage = bot.hears().join('\n')
    expect(outage).toContain(`[BLIND] I can’t see ${name}`)
    expect(outage).not.toContain(which === 'first' ? 'second:ETH' : 'BTC')
    bot.nears(other)
    await bot.pass(4)
    const danger = bot.hears().join('\n')
    expect(danger).toMatch(other === 'first' ? /CRITICAL\] BTC long/ : /CRITICAL\] second:ETH short/)
    bot[which].clearFaults()
    bot[which].release()
    bot[which].push.speak()
    await bot.pass(60)
    const after = bot.hears().join('\n')
    expect(after).toContain('[RESOLVED]')
    expect(after).not.toMatch(/was closed|opened|liquidated \(/)
  })
})

test.each(VENUES)(
  '429s of the %s venue slow the other one neither in its reads nor in its alerts',
  async (which, _name, other) => {
    const readsIn = async (limits: boolean) => {
      await using bot = await watching()
      for (const one of ['first', 'second'] as const) bot[one].push.silence()
      await bot.pass(30)
      if (limits) bot[which].allow(0)
      const before = bot[other].asked.length
      await bot.pass(120)
      const reads = bot[other].asked.length - before
      const told = bot.hears().join('\n')
      bot.nears(other)
      const began = bot.clock.monotonic()
      const heard: string[] = []
      while (!heard.some((text) => text.includes('[CRITICAL]'))) {
        await bot.clock.advance(250)
        heard.push(...bot.hears())
      }
      return { reads, told, ms: bot.clock.monotonic() - began }
    }
    const [calm, limited] = [await readsIn(false), await readsIn(true)]
    expect(calm.told).toBe('')
    expect(limited.told).toContain('[BLIND]')
    expect(Math.abs(limited.reads - calm.reads)).toBeLessThanOrEqual(3)
    expect(limited.ms).toBeLessThanOrEqual(calm.ms + 250)
  },
)

test('a database of one venue starts with both, loses nothing and tells nothing twice', async () => {
  await using bot = await watching('alone')
  bot.nears('first')
  await bot.pass(20)
  expect(bot.hears().join('\n')).toMatch(/CRITICAL\] BTC long/)
  await bot.says('/ack A1')
  const rules = (await bot.says('/alerts')).text
  await bot.restarts('both')
  await bot.pass(120)
  expect(bot.hears()).toEqual([])
  expect((await bot.says('/alerts')).text).toBe(rules)
  const { text } = await bot.says('/positions')
  expect(text).toContain('BTC long')
  expect(text).toContain('second:ETH short')
  bot.accounts.second.closes('ETH')
  await bot.pass(60)
  expect(bot.hears().join('\n')).toMatch(/^\[INFO\] second:ETH short was closed/)
  await bot.restarts('both')
  await bot.pass(120)
  expect(bot.hears()).toEqual([])
})
