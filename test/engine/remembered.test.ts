import { describe, expect, test } from 'vitest'

import { linesOf, plainText } from '../../src/message/message.ts'
import { titleOf } from '../support/engine.ts'
import { ALICE, aMarket, aPosition, aRule, aWatch, BOB, exact } from '../support/fixtures.ts'
import { type Running, startEngine } from '../support/running.ts'

// A long that is liquidated at 2000, far from that when it was last read; then Perch was away for seven minutes. A price
// of 2060 is 2.9% from liquidation, one of 2180 is 8.3%. No wallet is read unless a story says so.

const AWAY_MS = 420_000
const MINUTE_MS = 60_000
const at = (price: number) => aMarket({ price: exact(price.toFixed(2)) })
const long = aPosition()
const closed = aRule({ id: 8, kind: 'position-closed', params: {} })

async function away(
  { holdMs = 0, price = 4_000, awayMs = AWAY_MS, rules = [aRule({ holdMs })] } = {},
  options: Parameters<typeof startEngine>[1] = {},
): Promise<Running> {
  const running = await startEngine({ rules }, options)
  await running.prices(at(4_000))
  await running.reads([long])
  await running.prices(at(price))
  await running.restart(awayMs)
  running.hears()
  running.kept()
  return running
}

/** Prices and nothing else, every two seconds. */
async function stays(running: Running, price: number, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 2_000) {
    await running.prices(at(price))
    await running.clock.advance(1_000)
  }
}

/** What was said since the last call, with every line of it. */
function lines(running: Running): string[] {
  return running.kept().flatMap((write) => {
    if (write.is !== 'send') return []
    const reader = { now: write.row.queuedAt, zone: 'UTC' }
    return write.row.message.items.map((one) =>
      [titleOf(one), ...linesOf(one).map((line) => plainText(line, reader))].filter(Boolean).join('\n'),
    )
  })
}

describe('a danger that the first prices after a start show on a position of before it', () => {
  test('is told at once, with how old the position is', async () => {
    const running = await away()
    await running.prices(at(2_060))
    const [said = '', ...more] = lines(running)
    expect(more).toEqual([])
    expect(said).toMatch(/^ETH long: 2\.9% to liquidation \(A42\)\n/)
    expect(said).toContain('position as of 12:00 UTC, before my restart; being read now')
    expect(said).not.toContain('not seen')
    expect(said).not.toContain('while I was away')
  })

  test('is told once: a fresh read that confirms it says nothing', async () => {
    const running = await away()
    await running.prices(at(2_060))
    running.hears()
    await running.reads([long])
    await stays(running, 2_060, 20_000)
    expect(running.hears()).toEqual([])
  })

  test('is told as well when the price falls later, and the wallet still waits for its turn', async () => {
    const running = await away()
    await stays(running, 4_000, 30_000)
    expect(running.hears()).toEqual([])
    await running.prices(at(2_180))
    expect(running.hears()).toEqual(['1: ETH long: 8.3% to liquidation (A42)'])
    await running.prices(at(2_060))
    expect(running.hears()).toEqual(['1: ETH long: 2.9% to liquidation (A42)'])
  })

  test('has to hold like any other where it is not critical', async () => {
    const running = await away({ holdMs: 15_000 })
    await stays(running, 2_180, 14_000)
    expect(running.hears()).toEqual([])
    await stays(running, 2_180, 4_000)
    expect(running.hears()).toEqual(['1: ETH long: 8.3% to liquidation (A42)'])
  })

  test('is read about first: its wallet goes before all that are not in danger', async () => {
    const running = await away()
    running.engine.changed()
    await running.prices(at(2_060))
    expect(running.engine.changed()).toEqual([ALICE])
    expect(running.engine.demandOf(ALICE)).toMatchObject({ nearDanger: true, rememberedDistance: 0 })
  })

  test('is confirmed first where its wallet can be read at once', async () => {
    const running = await away({}, { readNow: () => true })
    await running.prices(at(2_060))
    expect(running.hears()).toEqual([])
    await running.reads([long])
    const [said = ''] = lines(running)
    expect(said).toMatch(/^ETH long: 2\.9%/)
    expect(said).not.toContain('before my restart')
  })

  test('and that the fresh read does not show is not told', async () => {
    const running = await away({}, { readNow: () => true })
    await running.prices(at(2_060))
    await running.reads([aPosition({ liquidationPrice: exact('1000') })])
    await running.clock.advance(5_000)
    expect(running.hears()).toEqual([])
  })

  test('is told after two seconds where that read does not come', async () => {
    const running = await away({}, { readNow: () => true })
    await running.prices(at(2_060))
    await running.clock.advance(2_000)
    expect(lines(running).join()).toContain('before my restart')
  })

  test('waits for the next try within these two seconds where the first one fails', async () => {
    const running = await away({ rules: [aRule(), closed] }, { readNow: () => true })
    await running.prices(at(2_060))
    running.engine.failed({ is: 'wallet', wallet: ALICE }, 'HTTP 503')
    await running.clock.advance(100)
    expect(running.hears()).toEqual([])
    await running.reads([])
    await running.prices(at(2_060))
    await running.reads([])
    expect(running.hears()).toEqual(['1: ETH long is gone, cause unknown (A42)'])
  })

  test('is told when they are over where that fails as well', async () => {
    const running = await away({}, { readNow: () => true })
    await running.prices(at(2_060))
    for (let time = 0; time < 2; time++) {
      running.engine.failed({ is: 'wallet', wallet: ALICE }, 'HTTP 503')
      await running.clock.advance(400)
      expect(running.hears()).toEqual([])
    }
    await running.clock.advance(300)
    expect(running.hears()).toEqual(['1: ETH long: 2.9% to liquidation (A42)'])
  })

  test('is told though the wallet cannot be read, and by the same position when that has been said', async () => {
    const running = await away()
    running.engine.failed({ is: 'wallet', wallet: ALICE }, 'HTTP 503')
    await running.prices(at(2_180))
    expect(running.hears()).toEqual(['1: ETH long: 8.3% to liquidation (A42)'])
    await stays(running, 2_180, MINUTE_MS)
    expect(running.hears()).toEqual(['1: I can’t see wallet main'])
    running.kept()
    await running.prices(at(2_060))
    const [said = ''] = lines(running)
    expect(said).toMatch(/^ETH long: 2\.9%/)
    expect(said).toContain('wallet not seen for')
  })

  test('in a market that is not listed waits until it is', async () => {
    const running = await away()
    await running.prices(aMarket({ id: '200', symbol: 'BTC' }))
    expect(running.hears()).toEqual([])
    await running.prices(at(2_060))
    expect(running.hears()).toEqual(['1: ETH long: 2.9% to liquidation (A42)'])
  })

  test('that cannot be kept is told with the next prices', async () => {
    const running = await away()
    running.refuses((writes) => writes.some(({ is }) => is === 'send'))
    await running.prices(at(2_060))
    running.refuses(() => false)
    await running.prices(at(2_060))
    expect(running.hears()).toEqual([expect.stringContaining('ETH long: 2.9% to liquidation')])
  })

  test('is nobody’s when nobody watches the wallet any more', async () => {
    const running = await away()
    await running.change({ is: 'unwatch', personId: 1, wallet: ALICE })
    await running.prices(at(2_060))
    expect(running.hears()).toEqual([])
  })

  test('in two wallets of one chat is one message', async () => {
    const running = await startEngine({ rules: [aRule()], watches: [aWatch(), aWatch({ wallet: BOB })] })
    await running.prices(at(4_000))
    await running.reads([long])
    await running.reads([aPosition({ wallet: BOB })], { wallet: BOB })
    await running.restart(AWAY_MS)
    running.kept()
    await running.prices(at(2_060))
    const sent = running.kept().flatMap((write) => (write.is === 'send' ? [write.row.message.items] : []))
    expect(sent.map((items) => items.length)).toEqual([2])
  })

  test('rings through a mute, and one that warns waits for its end', async () => {
    const running = await away()
    const until = running.clock.now() + MINUTE_MS
    await running.change({ is: 'mute', chatIds: [1], of: { is: 'all' }, until })
    await running.prices(at(2_180))
    expect(running.hears()).toEqual([])
    await running.prices(at(2_060))
    expect(running.hears()).toEqual(['1: ETH long: 2.9% to liquidation (A42)'])
  })

  test('of thousands of wallets is told with the second prices at the latest', async () => {
    const wallets = Array.from(
      { length: 1_500 },
      (_, index) => `0x${index.toString(16).padStart(40, '0')}` as const,
    )
    const running = await startEngine({
      rules: [aRule()],
      watches: wallets.map((wallet) => aWatch({ wallet })),
      wallets: wallets.map((wallet) => {
        const positions = [aPosition({ wallet })]
        return {
          wallet,
          at: 0,
          positions,
          prices: { '100': 4_000 },
          symbols: {},
          gone: [],
          touchedLiquidation: {},
        }
      }),
    })
    await running.prices(at(2_060))
    await running.prices(at(2_060))
    expect(new Set(running.hears()).size).toBe(1_500)
  })
})

describe('of an alert of before a start', () => {
  test('what got worse is told by the first prices, under the same name', async () => {
    const running = await away({ price: 2_180 })
    await running.prices(at(2_060))
    expect(running.hears()).toEqual(['1: ETH long: 2.9% to liquidation (A42)'])
  })

  test.each([
    ['over', 4_000, 'ETH long is safe again: 50.0% from liquidation'],
    ['better', 2_300, 'ETH long recovered to 13.0% from liquidation'],
  ])('nothing is called %s before its wallet is read', async (_what, price, told) => {
    const running = await away({ price: 2_060 })
    await stays(running, price, 10_000)
    expect(running.hears()).toEqual([])
    await running.reads([long])
    expect(running.hears()).toEqual([`1: ${told} (A42)`])
  })

  test('what is worse only by the fresh read is told as what happened while Perch was away', async () => {
    const running = await away({ price: 2_180 })
    await stays(running, 2_180, 4_000)
    expect(running.hears()).toEqual([])
    running.kept()
    await running.reads([aPosition({ liquidationPrice: exact('2120') })])
    const [said = ''] = lines(running)
    expect(said).toMatch(/^ETH long: 2\.8%/)
    expect(said).toContain('while I was away, 12:00 UTC to 12:07 UTC')
  })

  test('what has to hold, and was counted then, is told when its wallet is read: not by the price alone', async () => {
    const running = await startEngine({ rules: [aRule({ holdMs: 15_000, params: { tiers: [0.1, 0.05] } })] })
    await running.prices(at(4_000))
    await running.reads([long])
    await stays(running, 2_190, 6_000)
    await running.restart(AWAY_MS)
    await stays(running, 2_190, MINUTE_MS)
    expect(running.hears()).toEqual([])
    await running.reads([long])
    await stays(running, 2_190, 6_000)
    expect(running.hears()).toEqual([])
    await stays(running, 2_190, 4_000)
    expect(running.hears()).toEqual(['1: ETH long: 8.7% to liquidation (A42)'])
  })

  test('also what had held for long enough then, and could not be kept', async () => {
    const running = await startEngine({ rules: [aRule({ holdMs: 15_000, params: { tiers: [0.1, 0.05] } })] })
    await running.prices(at(4_000))
    await running.reads([long])
    running.refuses((writes) => writes.some(({ is }) => is === 'send'))
    await stays(running, 2_190, 30_000)
    await running.restart(AWAY_MS)
    await stays(running, 2_190, 10_000)
    expect(running.hears()).toEqual([])
    await running.reads([long])
    expect(running.hears()).toEqual([expect.stringContaining('ETH long: 8.7% to liquidation')])
  })

  test('and what of that is critical now waits for nothing', async () => {
    const running = await startEngine({ rules: [aRule({ holdMs: 15_000, params: { tiers: [0.1, 0.05] } })] })
    await running.prices(at(4_000))
    await running.reads([long])
    await stays(running, 2_190, 6_000)
    await running.restart(AWAY_MS)
    await running.prices(at(2_060))
    expect(running.hears()).toEqual(['1: ETH long: 2.9% to liquidation (A42)'])
  })

  test('what nobody has heeded is said again with what the price shows, and how old the rest is', async () => {
    const running = await away({ price: 2_060 })
    await stays(running, 2_060, 20_000)
    const [said = '', ...more] = lines(running)
    expect(more).toEqual([])
    expect(said).toContain('Reminder 1')
    expect(said).toContain('before my restart')
  })

  test('and where the price does not show it any more, with what was last told', async () => {
    const running = await away({ price: 2_060 })
    await stays(running, 4_000, 30_000)
    const [said = '', ...more] = lines(running)
    expect(more).toEqual([])
    expect(said).toContain('2.9% when I last told you')
    expect(said).not.toContain('still so')
  })

  test('what was held back is summed up as it was then, where the price alone has eased it', async () => {
    const running = await startEngine({ rules: [aRule()] })
    await running.prices(at(4_000))
    await running.reads([long])
    const until = running.clock.now() + 2 * MINUTE_MS
    await running.change({ is: 'mute', chatIds: [1], of: { is: 'all' }, until })
    await running.prices(at(2_180))
    await running.restart(MINUTE_MS)
    running.kept()
    await stays(running, 4_000, 2 * MINUTE_MS)
    const said = lines(running).join('\n')
    expect(said).toContain('8.3% when I last told you')
    expect(said).not.toContain('50.0%')
  })

  test('a snooze that ended meanwhile is not said to be over with the first prices', async () => {
    const running = await startEngine({ rules: [aRule()] })
    await running.prices(at(2_060))
    await running.reads([long])
    const until = running.clock.now() + MINUTE_MS
    await running.change({
      is: 'acknowledgement',
      as: 'snoozed',
      alertIds: [42],
      by: 'ann',
      until,
      readIn: null,
      seenUntil: Infinity,
    })
    await running.restart(AWAY_MS)
    running.hears()
    running.kept()
    await running.prices(at(2_060))
    expect(running.hears()).toEqual([])
    await running.reads([long])
    await running.clock.advance(2_000)
    const [said = ''] = lines(running)
    expect(said).toContain('Snooze over, still on')
    expect(said).not.toContain('before my restart')
  })
})

describe('a danger that was told by a position of before the start', () => {
  async function told(rules = [aRule()]): Promise<Running> {
    const running = await away({ rules })
    await running.prices(at(2_060))
    running.hears()
    running.kept()
    return running
  }

  test('is over when the fresh read shows that it is none, and that says why', async () => {
    const running = await told()
    await running.reads([aPosition({ liquidationPrice: exact('1000') })])
    const [said = '', ...more] = lines(running)
    expect(more).toEqual([])
    expect(said).toMatch(/^ETH long is safe again: 51\.5% from liquidation \(A42\)\n/)
    expect(said).toContain('changed since 12:00 UTC: before my restart its liquidation was at $2,000')
  })

  test('eases when the fresh read shows less, and that says why', async () => {
    const running = await told()
    await running.reads([aPosition({ size: exact('1'), liquidationPrice: exact('1850') })])
    const [said = ''] = lines(running)
    expect(said).toMatch(/^ETH long recovered to 10\.2% from liquidation \(A42\)\n/)
    expect(said).toContain('before my restart its liquidation was at $2,000')
  })

  test('and is over because the price went is said as ever', async () => {
    const running = await told()
    await stays(running, 4_000, 4_000)
    expect(running.hears()).toEqual([])
    running.kept()
    await running.reads([long])
    const [said = ''] = lines(running)
    expect(said).toMatch(/^ETH long is safe again: 50\.0%/)
    expect(said).not.toContain('before my restart')
  })

  test('is worse when the fresh read shows more', async () => {
    const running = await away()
    await running.prices(at(2_180))
    running.hears()
    await running.reads([aPosition({ liquidationPrice: exact('2120') })])
    expect(running.hears()).toEqual(['1: ETH long: 2.8% to liquidation (A42)'])
  })

  test.each([
    ['with a rule on closed positions', [aRule(), closed], '(A43)'],
    ['with none', [aRule()], '(A42)'],
  ])('ends when two whole reads lack it, %s', async (_which, rules, name) => {
    const running = await told(rules)
    await running.reads([])
    await running.prices(at(2_060))
    expect(running.hears()).toEqual([])
    running.kept()
    await running.reads([])
    const [said = '', ...more] = lines(running)
    expect(more).toEqual([])
    expect(said).toContain(`ETH long is gone, cause unknown ${name}`)
    expect(said).toContain('while I was away, 12:00 UTC to 12:07 UTC')
  })

  test('and was beyond its liquidation ends as probably liquidated', async () => {
    const running = await away()
    await running.prices(at(1_900))
    expect(running.hears()).toEqual(['1: ETH long: past its liquidation price (A42)'])
    await running.reads([])
    await running.prices(at(2_060))
    await running.reads([])
    expect(running.hears()).toEqual([expect.stringContaining('ETH long was probably liquidated')])
  })

  test('is not told again by the next run, which reads its wallet no sooner', async () => {
    const running = await told()
    await running.restart(10_000)
    await stays(running, 2_060, 20_000)
    expect(running.hears()).toEqual([])
    await running.reads([long])
    expect(running.hears()).toEqual([])
  })

  test('and has begun to hold in a run that was never told of it goes on holding when its wallet is read', async () => {
    const running = await away({ holdMs: 15_000 })
    await stays(running, 2_180, 6_000)
    await running.restart(10_000)
    await stays(running, 2_180, MINUTE_MS)
    expect(running.hears()).toEqual([])
    await running.reads([long])
    await stays(running, 2_180, 12_000)
    expect(running.hears()).toEqual(['1: ETH long: 8.3% to liquidation (A42)'])
  })
})
