import { describe, expect, test } from 'vitest'

import { ALICE, BOB, startBot } from '../support/bot.ts'
import { titles } from '../support/watched.ts'

const LONG = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }
const NOTHINGS = `[${'1,'.repeat(4_000_000)}1]`
/** Short enough to be read, and no element of it can be used. */
const SMALL = `[${'1,'.repeat(4_000)}1]`

describe('work per element of somebody else’s list is bounded', () => {
  test.each([
    ['eight megabytes of nothings', NOTHINGS, /it has more than 100000 values/],
    ['some thousand nothings', SMALL, /more than 500 elements, such as position 1 o/],
  ])('%s as one wallet’s positions blind that wallet alone', async (_what, list, why) => {
    await using bot = await startBot()
    bot.stage.market('BTC', { price: 130 })
    for (const wallet of [ALICE, BOB]) bot.stage.positions(wallet, [LONG])
    await bot.pass(0)
    await bot.says(`/watch ${ALICE} main`)
    await bot.says(`/watch ${BOB} spare`)
    await bot.pass(10_000)
    bot.hears()
    const fails = `/positions/v2?owner=${ALICE}`
    bot.stage.fails(fails, { text: `{"positions":${list}}` })
    bot.events.splice(0)
    await bot.pass(240_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual([expect.stringMatching(/\[BLIND\] I can’t see wallet main/)])
    expect(heard[0]).toMatch(why)
    // No event per element: one a read.
    expect(bot.events.filter(({ is }) => is === 'venue-unusable')).toEqual([])
    const reads = bot.stage.asked.filter((path) => path.startsWith(fails)).length
    expect(bot.events.filter(({ is }) => is === 'owner-failed').length).toBeLessThanOrEqual(reads)
    bot.stage.market('BTC', { price: 91 })
    await bot.pass(6_000)
    expect(titles(bot.hears())).toContainEqual(expect.stringMatching(/CRITICAL.*BTC long: 1.1%/))
  })

  test('as markets they are an outage, and the bot answers', async () => {
    await using bot = await startBot()
    bot.stage.market('BTC', { price: 130 })
    bot.stage.positions(ALICE, [LONG])
    await bot.pass(0)
    await bot.says(`/watch ${ALICE} main`)
    bot.hears()
    bot.stage.fails('/markets', { text: `{"chainId":8008,"markets":${NOTHINGS}}` })
    await bot.pass(14_000)
    const heard = bot.hears()
    expect(titles(heard)).toEqual([expect.stringMatching(/\[BLIND\] I can’t see the venue/)])
    expect(heard[0]).toMatch(/it has more than 100000 values/)
    expect(await bot.says('/status')).toContain('BLIND')
    bot.stage.fails('/markets', null)
    await bot.pass(6_000)
    expect(titles(bot.hears())).toEqual([expect.stringMatching(/I can see the venue again/)])
  })
})
