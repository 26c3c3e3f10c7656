import { describe, expect, test } from 'vitest'

import { ALICE, aMarket, anAccount, aPosition, aRule, aWatch } from '../../support/fixtures.ts'
import { startEngine } from '../../support/running.ts'

const held = aPosition({ margin: 'cross' })
const margin = aRule({ id: 8, kind: 'margin-ratio', params: { tiers: [0.3, 0.5, 0.7, 0.85] } })
const near = aRule({ id: 9, params: { tiers: [0.1, 0.05] } })
const NEAR_MS = 40_000
const FAR_MS = 260_000

const at = (marginRatio: number | null) => ({ accounts: [anAccount({ marginRatio })] })
const NOTHING = { accounts: [] }

async function started(rules = [margin, near]) {
  const engine = await startEngine({ rules, watches: [aWatch()] })
  const titles = () => engine.hears().map((title) => title.replace(/ \(A\d+\)$/, ''))
  await engine.prices(aMarket())
  return Object.assign(engine, {
    titles,
    /** The wallet is read every ten seconds with these figures beside it, for so long. */
    async pass(ms: number, answer: { accounts: ReturnType<typeof anAccount>[] }, positions = [held]) {
      for (let left = ms; left > 0; left -= 10_000) {
        await engine.reads(positions, answer)
        for (let poll = 0; poll < 4; poll++) {
          await engine.prices(aMarket())
          await engine.clock.advance(1_250)
        }
      }
      return titles()
    },
  })
}

describe('a margin ratio that cannot be had', () => {
  test.each([
    ['no figures come', NOTHING],
    ['the figures have no ratio', at(null)],
  ])('is told once, and so is its return: %s', async (_why, answer) => {
    const bot = await started()
    await bot.reads([held], at(0.1))
    expect(await bot.pass(FAR_MS - 40_000, answer)).toEqual([])
    expect(await bot.pass(60_000, answer)).toEqual(['1: I can’t see the margin of wallet main'])
    expect(await bot.pass(FAR_MS, answer)).toEqual([])
    await bot.reads([held], at(0.1))
    expect(bot.titles()).toEqual(['1: I can see the margin of wallet main again'])
    expect(await bot.pass(20_000, at(0.1))).toEqual([])
    expect([...bot.engine.memory.sources.accountSources.of(ALICE)]).toEqual([])
  })

  test('is told soon where it was high', async () => {
    const bot = await started()
    await bot.reads([held], at(0.6))
    bot.titles()
    expect(await bot.pass(NEAR_MS, NOTHING)).toEqual(['1: I can’t see the margin of wallet main'])
  })

  test('is told where it was never there', async () => {
    const bot = await started()
    expect(await bot.pass(FAR_MS, NOTHING)).toEqual(['1: I can’t see the margin of wallet main'])
    await bot.reads([held], at(0.1))
    expect(bot.titles()).toEqual(['1: I can see the margin of wallet main again'])
  })

  test('hides nothing of the positions', async () => {
    const bot = await started()
    await bot.reads([held], at(0.1))
    await bot.pass(FAR_MS, NOTHING)
    const nearer = { ...held, liquidationPrice: aMarket().price - aMarket().price / 25n }
    await bot.reads([nearer], NOTHING)
    expect(bot.titles()).toEqual(['1: ETH long: 4.0% to liquidation'])
    await bot.reads([held], NOTHING)
    expect(bot.titles()).toEqual([expect.stringMatching(/^1: ETH long is safe again/)])
  })

  test('is told however often the bot is restarted, and known after that', async () => {
    const bot = await started()
    await bot.reads([held], at(0.1))
    const heard: string[] = []
    for (let life = 0; life < 5; life++) {
      await bot.restart(5_000)
      await bot.prices(aMarket())
      heard.push(...(await bot.pass(90_000, NOTHING)))
    }
    expect(heard).toEqual(['1: I can’t see the margin of wallet main'])
    await bot.restart(5_000)
    await bot.reads([held], at(0.1))
    expect(bot.titles()).toEqual(['1: I can see the margin of wallet main again'])
  })

  test.each([
    ['has no rule on it', [near], [held]],
    ['holds nothing that shares it', [margin], [{ ...held, margin: 'isolated' as const }]],
  ])('disturbs nobody who %s', async (_who, rules, positions) => {
    const bot = await started(rules)
    expect(await bot.pass(FAR_MS, NOTHING, positions)).toEqual([])
    expect([...bot.engine.memory.sources.lastFailure.keys()]).toEqual([])
  })

  test('is over with the last position that shares it', async () => {
    const bot = await started()
    await bot.reads([held], at(0.1))
    await bot.pass(FAR_MS, NOTHING)
    await bot.reads([], NOTHING)
    await bot.reads([], NOTHING)
    expect(bot.titles()).toEqual(['1: I can see the margin of wallet main again'])
    expect([...bot.engine.memory.sources.accountSources.of(ALICE)]).toEqual([])
    await bot.change({ is: 'unwatch', personId: 1, wallet: ALICE })
    expect([...bot.engine.memory.sources.outageNoticesByChat.of(1)]).toEqual([])
  })

  test('is nobody’s business any more when the wallet is not watched', async () => {
    const bot = await started()
    await bot.reads([held], at(0.1))
    await bot.pass(FAR_MS, NOTHING)
    await bot.change({ is: 'unwatch', personId: 1, wallet: ALICE })
    expect([...bot.engine.memory.sources.outageNoticesByChat.of(1)]).toEqual([])
    await bot.restart(10_000)
    expect(bot.engine.memory.sources.blind.size).toBe(0)
  })
})

test('the venue’s own frames without a ratio, between reads that have it, are no trouble', async () => {
  const bot = await started()
  for (let turn = 0; turn < 6; turn++) {
    await bot.reads([held], at(0.1))
    for (let frame = 0; frame < 5; frame++) {
      const value = { positions: [held], unusable: [], failedParts: [], totalCount: null, ...at(null) }
      const [now, mono] = [bot.clock.now(), bot.clock.monotonic()]
      bot.engine.wallet({
        ...{ wallet: ALICE, value, orders: null, closeRecords: null, unsolicited: true, at: now, mono },
      })
      await bot.clock.advance(5_000)
      expect([...bot.engine.memory.sources.lastFailure.keys()]).toEqual([])
    }
  }
})
