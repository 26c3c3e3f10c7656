import { describe, expect, test } from 'vitest'

import type { Account } from '../../src/venue/account.ts'
import { ALICE, PERIODS, startBot, UNHURRIED } from '../support/bot.ts'
import { anAccount } from '../support/fixtures.ts'

const DISTANT = { symbol: 'BTC', size: 1, entry: 100_000, liquidation: 10_000 }
const MINUTE_MS = 60_000

/** A wallet far from every liquidation price, on a venue that shows its account; nothing of the start is heard any more. */
async function watching(settings: Partial<typeof PERIODS> = UNHURRIED) {
  const accounts = new Map<string, Account[]>()
  const needs = (ratio: number | null) => void accounts.set(ALICE, [anAccount({ marginRatio: ratio })])
  needs(0.1)
  const bot = await startBot({ accounts, settings })
  bot.stage.market('BTC', { price: 100_000 })
  bot.stage.positions(ALICE, [DISTANT])
  await bot.pass(0)
  const answer = await bot.says(`/watch ${ALICE} main`)
  await bot.pass(MINUTE_MS)
  bot.hears()
  const showsNone = () => void accounts.set(ALICE, [])
  return Object.assign(bot, { needs, showsNone, answer })
}

describe('where the venue shows accounts', () => {
  test('/watch arms the ratio, says so, and /alerts lists it', async () => {
    await using bot = await watching()
    expect(bot.answer).toContain('when margin runs low (at 30 / 50 / 70 / 85%)')
    expect(await bot.says('/alerts')).toMatch(
      /margin-ratio at 30 \/ 50 \/ 70 \/ 85%\n {2}for every account of main/,
    )
  })

  test('a wallet that was watched without it is told that it is there, and is not changed', async () => {
    await using bot = await watching()
    const [id] = /R\d+(?= margin-ratio)/.exec(await bot.says('/alerts')) ?? []
    await bot.says(`/remove ${id}`)
    expect(await bot.says(`/watch ${ALICE} main`)).toContain(
      'Not set for it: margin-ratio. For example: /alert margin-ratio "main"',
    )
    expect(await bot.says('/alerts')).not.toContain('margin-ratio')
  })

  test('/watch says that it could not see the ratio, where it could not', async () => {
    await using bot = await watching()
    expect(bot.answer).not.toContain('couldn’t see its margin ratio')
    bot.needs(null)
    expect(await bot.says(`/watch ${ALICE} main`)).toContain(
      'I couldn’t see its margin ratio yet, and keep trying.',
    )
  })

  test('a rule on it is set for a wallet, not for a market', async () => {
    await using bot = await watching()
    expect(await bot.says('/alert margin 60%')).toMatch(
      /I’ll alert you when the equity behind cross positions comes near their maintenance margin at 60%\n {2}for every account of all your wallets · now: main margin ratio 10% · R7\n[^]*\nAlerts on the margin of main: 30% \(info\) · 50%, 60% \(warning\) · 70%, 85% \(critical\)/,
    )
  })
})

describe('where it does not', () => {
  test('/watch does not speak of it, and whoever asks is told what there is', async () => {
    await using bot = await startBot()
    bot.stage.market('BTC', { price: 100_000 })
    await bot.pass(0)
    expect(await bot.says(`/watch ${ALICE} main`)).not.toContain('margin')
    for (const line of ['/alert margin-ratio 50%', '/alert Margin main 50%', '/alert ratio'])
      expect(await bot.says(line)).toMatch(
        /so I can’t watch its margin\.\s+Liquidation works: \/alert liq 10% 5%/,
      )
    expect(await bot.says('/help alert')).not.toContain('margin-ratio')
    expect(await bot.says('/alert')).not.toContain('margin-ratio')
  })
})

describe('a ratio that rises', () => {
  test('is told at once where it is critical, said again until somebody acknowledges it, and listed', async () => {
    await using bot = await watching()
    bot.needs(0.75)
    await bot.pass(MINUTE_MS)
    expect(bot.hears()).toEqual([expect.stringMatching(/^\[CRITICAL\] main: margin ratio 75% \(A1\)\n/)])
    expect(await bot.says('/alerts')).toContain('main: margin ratio 75% (A1)')
    expect(await bot.says('/why A1')).toMatch(
      /^main: margin ratio 75% \(A1\)\n.* margin-ratio, since .*[^]*value margin ratio 75%, threshold at 30 \/ 50 \/ 70 \/ 85%/,
    )
    expect(await bot.says('/history')).toMatch(/^main: margin ratio 75% \(A1\)\n/m)
    await bot.pass(MINUTE_MS)
    expect(bot.hears()).toEqual([expect.stringContaining('Reminder 1')])
    await bot.says('/ack A1')
    await bot.pass(10 * MINUTE_MS)
    expect(bot.hears()).toEqual([])
    bot.needs(0.9)
    await bot.pass(MINUTE_MS)
    expect(bot.hears()[0]).toMatch(/^\[CRITICAL\] main: margin ratio 90% \(A1\)\n/)
  })

  test('has its costs to fix on demand, as far as it is seen, until nothing shares its margin any more', async () => {
    await using bot = await watching()
    bot.needs(0.8)
    await bot.pass(MINUTE_MS)
    const costs = await bot.says('/fix A1')
    expect(costs).toContain('main: margin 80% · equity $1,000')
    expect(costs).toContain(
      '  Add $375 margin → ratio 50%\n  Add $1,042 margin → ratio 30%\nIf you close now (',
    )
    bot.showsNone()
    expect(await bot.says('/fix A1')).toMatch(
      /^\[BLIND\] I can’t see everything now\n {2}the account of A1: the venue doesn’t show it now$/m,
    )
    bot.stage.positions(ALICE, [])
    expect(await bot.says('/fix A1')).toContain('No open position uses the margin of A1 now')
  })

  test('is read soon: a wallet with a high ratio is near danger', async () => {
    await using bot = await watching(PERIODS)
    bot.needs(0.6)
    await bot.pass(2 * MINUTE_MS)
    bot.hears()
    bot.needs(0.75)
    await bot.pass(4_000)
    expect(bot.hears()).toHaveLength(1)
  })

  test('is held back with its wallet, not with one of its markets', async () => {
    await using bot = await watching()
    await bot.says('/mute BTC 1h')
    bot.needs(0.6)
    await bot.pass(2 * MINUTE_MS)
    expect(bot.hears()).toEqual([expect.stringContaining('main: margin ratio 60%')])
    bot.needs(0.1)
    await bot.pass(MINUTE_MS)
    bot.hears()
    await bot.says('/mute main 1h')
    bot.needs(0.6)
    await bot.pass(2 * MINUTE_MS)
    expect(bot.hears()).toEqual([])
  })

  test('is not over for being out of sight: it is said again as what was last known, and as over when it is seen to be', async () => {
    await using bot = await watching()
    bot.needs(0.75)
    await bot.pass(MINUTE_MS)
    bot.hears()
    bot.stage.fails('/positions', 503)
    bot.needs(0.1)
    await bot.pass(4 * MINUTE_MS)
    const dark = bot.hears()
    expect(dark.filter((text) => text.includes('clear'))).toEqual([])
    expect(dark.at(-1)).toMatch(/account not seen for .*: by its last known figures/)
    bot.stage.fails('/positions', null)
    await bot.pass(MINUTE_MS)
    expect(bot.hears().join('\n')).toContain('main is safe again: margin ratio 10%')
  })

  test('whose figures stop coming while the positions do is not judged: that is told, and it is said again as what it was', async () => {
    await using bot = await watching()
    bot.needs(0.75)
    await bot.pass(MINUTE_MS)
    bot.hears()
    bot.needs(null)
    await bot.pass(MINUTE_MS)
    expect(bot.hears()).toEqual([
      expect.stringMatching(/main: margin ratio 75% when I last told you/),
      expect.stringMatching(/I can’t see the margin of wallet main/),
    ])
    bot.needs(0.75)
    await bot.pass(MINUTE_MS)
    expect(bot.hears()[0]).toMatch(/I can see the margin of wallet main again/)
  })

  test('is told once over a restart, and its end after it', async () => {
    await using bot = await watching()
    bot.needs(0.6)
    await bot.pass(2 * MINUTE_MS)
    expect(bot.hears()).toHaveLength(1)
    await bot.restart(MINUTE_MS)
    await bot.pass(2 * MINUTE_MS)
    expect(bot.hears()).toEqual([])
    expect(await bot.says('/alerts')).toContain('main: margin ratio 60% (A1)')
    await bot.restart()
    bot.needs(0.1)
    await bot.pass(2 * MINUTE_MS)
    expect(bot.hears()).toEqual([expect.stringContaining('main is safe again: margin ratio 10%')])
  })

  test('of an account that is liquidated as a whole ends with its positions', async () => {
    await using bot = await watching()
    bot.needs(0.95)
    await bot.pass(MINUTE_MS)
    bot.hears()
    bot.stage.positions(ALICE, [])
    bot.needs(0)
    await bot.pass(MINUTE_MS)
    const [said = '', ...more] = bot.hears()
    expect(said).toMatch(/BTC long (is gone|was)/)
    expect(said).toContain('main: margin alert ended')
    expect([said, ...more].join()).not.toContain('clear')
    expect(await bot.says('/alerts')).toContain('No active alerts')
  })
})
