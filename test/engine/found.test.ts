import { expect, test } from 'vitest'

import { aDraft, ALICE, aMarket, aPosition, aRule, aWatch, BOB, exact } from '../support/fixtures.ts'
import { type Running, startEngine } from '../support/running.ts'

// Short stories of what the histories have found.

const at = (price: number) => aMarket({ price: exact(price.toFixed(2)) })
/** At 2,200 it is within the first line, and not far within it. */
const NEAR = { tiers: [0.1, 0.05] }
const closed = aRule({ id: 8, kind: 'position-closed', params: {} })
const mute = (running: Running, ms: number) =>
  running.change({ is: 'mute', chatIds: [1], of: { is: 'all' }, until: running.clock.now() + ms })

test('a position that was enlarged while no price was seen is judged by the first price, not by the next look at it', async () => {
  const running = await startEngine({ rules: [aRule()] })
  await running.prices(at(4_000))
  await running.reads([aPosition()])
  await running.clock.advance(30_000)
  await running.reads([aPosition({ size: exact('9'), liquidationPrice: exact('3880') })])
  running.hears()
  await running.prices(at(4_000))
  expect(running.hears()).toContainEqual(expect.stringContaining('ETH long: 3.0% to liquidation'))
})

test('the end of a mute that cannot be kept is tried again, and not all the time', async () => {
  const running = await startEngine({ rules: [aRule()] })
  await mute(running, 20_000)
  await running.prices(at(2_600))
  running.refuses(() => true)
  await running.clock.advance(60_000)
  running.refuses(() => false)
  expect(running.events.filter(({ is }) => is === 'turn-failed').length).toBeLessThan(60)
  await running.clock.advance(5_000)
  expect(running.engine.memory.silences.mutesIn.of(1).size).toBe(0)
})

test.each([
  ['with a rule on closed positions', [aRule(), closed]],
  ['with none', [aRule()]],
])('whoever was warned before a time of rest hears in it how it ended, %s', async (_which, rules) => {
  const running = await startEngine({ rules })
  await running.prices(at(2_200))
  await running.reads([aPosition()])
  expect(running.hears()).toEqual([expect.stringContaining('ETH long: 9.1%')])
  await mute(running, 3_600_000)
  await running.reads([])
  await running.prices(at(2_200))
  await running.reads([])
  expect(running.hears()).toEqual([expect.stringContaining('ETH long was closed')])
})

test('and that what got worse in it is over as well; whoever was not warned finds both in the summary', async () => {
  const running = await startEngine({ rules: [aRule()] })
  await running.prices(at(2_400))
  await running.reads([aPosition()])
  running.hears()
  await mute(running, 60_000)
  await running.prices(at(2_200))
  expect(running.hears()).toEqual([])
  await running.prices(at(4_000))
  expect(running.hears()).toEqual([expect.stringContaining('ETH long is safe again')])
  await running.prices(at(2_200))
  await running.reads([])
  await running.reads([])
  for (let second = 0; second < 60; second++) await running.prices(at(4_000))
  expect(running.hears()).toEqual([
    expect.stringContaining('While quiet: 1 alert, all over'),
    expect.stringContaining('12:00 UTC: ETH long: 9.1% to liquidation'),
  ])
})

test('what the end of a snooze tells is not summed up as well by the end of a mute at the same moment', async () => {
  const running = await startEngine({ rules: [aRule()] })
  const until = running.clock.now() + 10_000
  await mute(running, 10_000)
  await running.prices(at(2_200))
  await running.reads([aPosition()])
  const alertIds = [...running.engine.memory.monitors.firing.keys()]
  await running.change({
    is: 'acknowledgement',
    as: 'snoozed',
    alertIds,
    by: 'alice',
    until,
    readIn: null,
    seenUntil: Infinity,
  })
  expect(running.hears()).toEqual([])
  for (let second = 0; second < 10; second++) await running.prices(at(2_200))
  expect(running.hears()).toEqual([expect.stringContaining('ETH long: 9.1%')])
})

test('what is said again unseen names what is missing: the price, or the wallet', async () => {
  const running = await startEngine({ rules: [aRule()] })
  await running.prices(at(2_050))
  await running.reads([aPosition()])
  await running.restart(90_000)
  for (let second = 0; second < 14; second++) await running.prices(at(2_400))
  const lines = () =>
    running
      .kept()
      .flatMap((write) => (write.is === 'send' ? write.row.message.items.flatMap((one) => one.lines) : []))
  expect(JSON.stringify(lines())).toContain('Wallet not seen since ')
  await running.clock.advance(130_000)
  expect(JSON.stringify(lines())).toContain('No price since ')
})

test('two stretches without prices within one time of holding count neither the one nor the other', async () => {
  const running = await startEngine({ rules: [aRule({ holdMs: 15_000, params: NEAR })] })
  await running.prices(at(2_200))
  await running.reads([aPosition()])
  await running.prices(at(2_200))
  for (let hole = 0; hole < 2; hole++) {
    await running.clock.advance(5_000)
    await running.prices(at(2_200))
    await running.prices(at(2_200))
  }
  running.hears()
  for (let second = 0; second < 7; second++) await running.prices(at(2_200))
  expect(running.hears()).toEqual([])
  for (let second = 0; second < 6; second++) await running.prices(at(2_200))
  expect(running.hears()).toEqual([expect.stringContaining('ETH long: 9.1%')])
})

test('what rings is one message after a restart too, whichever wallet is read first', async () => {
  const watches = [aWatch(), aWatch({ wallet: BOB, label: 'cold' })]
  const running = await startEngine({ rules: [aRule()], watches })
  const reads = async () => {
    await running.prices(at(2_050))
    await running.reads([aPosition()])
    await running.reads([aPosition({ wallet: BOB })], { wallet: BOB })
  }
  await reads()
  await running.clock.advance(50_000)
  running.hears()
  running.kept()
  await running.restart(10_000)
  for (let look = 0; look < 3; look++) await reads()
  const rows = running.kept().flatMap((write) => (write.is === 'send' ? [write.row] : []))
  const rings = rows.filter(({ reason }) => reason === 'reminder')
  expect(rings.map(({ message }) => message.items.length)).toEqual([2])
})

test('what was dark before a restart does not count as seen after it', async () => {
  const running = await startEngine({ rules: [aRule({ holdMs: 30_000, params: NEAR })] })
  await running.prices(at(2_200))
  await running.reads([aPosition()])
  await running.clock.advance(20_000)
  running.hears()
  await running.restart(1_000)
  const looks = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 2) {
      await running.prices(at(2_200))
      await running.reads([aPosition()])
    }
    return running.hears().filter((line) => line.includes('to liquidation'))
  }
  expect(await looks(24)).toEqual([])
  expect(await looks(8)).toEqual([expect.stringContaining('ETH long: 9.1%')])
})

test('nor after a second restart, though no position was read in between', async () => {
  const running = await startEngine({ rules: [aRule({ holdMs: 60_000, params: NEAR })] })
  await running.prices(at(2_200))
  await running.reads([aPosition()])
  await running.restart(600_000)
  await running.prices(at(2_200))
  await running.restart(0)
  for (let second = 0; second < 50; second += 2) {
    await running.prices(at(2_200))
    await running.reads([aPosition()])
  }
  expect(running.hears()).toEqual([])
})

test('a position is called by its symbol, though the venue has been dark since the bot was started', async () => {
  const opened = aRule({ id: 9, kind: 'position-opened', params: {} })
  const running = await startEngine({ rules: [aRule(), closed, opened] })
  await running.prices(at(2_050), aMarket({ id: '200', symbol: 'BTC' }))
  const other = aPosition({ accountId: '2', size: exact('1') })
  await running.reads([aPosition(), other])
  running.hears()
  await running.restart(90_000)
  running.engine.failed({ is: 'markets' }, 'no answer')
  await running.clock.advance(60_000)
  for (const positions of [[other], [other], [], [], [other], [other]]) await running.reads(positions)
  const heard = running.hears().join('\n')
  expect(heard).toContain('ETH long is gone, cause unknown')
  expect(heard).toContain('ETH long · main …1: 2.4% when I last told you')
  expect(heard).toContain('ETH long opened')
  expect(heard).not.toContain('market 100')
})

test('while a wallet cannot be read, what the price alone has ended neither counts towards its hold nor begins anew', async () => {
  const running = await startEngine({ rules: [aRule({ holdMs: 120_000, params: NEAR })] })
  const heard = () => running.hears().filter((line) => line.includes('to liquidation'))
  const shows = async (price: number, seconds: number) => {
    for (let second = 0; second < seconds; second++) await running.prices(at(price))
    return heard()
  }
  await running.prices(at(2_600))
  await running.reads([aPosition()])
  running.engine.failed({ is: 'wallet', wallet: ALICE }, 'no answer')
  await shows(2_600, 200)
  expect(await shows(2_200, 60)).toEqual([])
  expect(await shows(2_600, 300)).toEqual([])
  expect(await shows(2_200, 55)).toEqual([])
  expect(await shows(2_200, 10)).toEqual([expect.stringContaining('ETH long: 9.1%')])
})

test('a digest that is due soon after a restart waits for prices, and for nothing else', async () => {
  const running = await startEngine({}, { begun: Date.UTC(2026, 0, 15, 12, 0, 50) })
  await running.change({ is: 'digest', chatId: 1, minute: 12 * 60 + 1 })
  await running.prices(at(2_200))
  await running.restart(0)
  await running.prices(at(2_200))
  await running.clock.advance(7_000)
  expect(running.hears()).toContainEqual(expect.stringContaining('Daily digest'))
})

test('nor is it judged, and does not count, while its wallet was not read in this run', async () => {
  const running = await startEngine({ rules: [aRule({ holdMs: 30_000, params: NEAR })] })
  await running.prices(at(2_200))
  await running.reads([aPosition()])
  await running.restart(0)
  for (let second = 0; second < 40; second++) await running.prices(at(4_000))
  await running.prices(at(2_200))
  await running.reads([aPosition()])
  expect(running.hears()).toEqual([])
})

test('an alert whose line is taken away while its wallet cannot be read is over when that is seen, and not before', async () => {
  const running = await startEngine({ rules: [aRule({ params: { tiers: [0.3] } })] })
  await running.prices(at(2_500))
  await running.reads([aPosition()])
  running.engine.failed({ is: 'wallet', wallet: ALICE }, 'no answer')
  for (let second = 0; second < 300; second++) await running.prices(at(2_500))
  running.hears()
  await running.change({ is: 'rule', personId: 1, chatId: 1, draft: aDraft({ params: { tiers: [0.1] } }) })
  await running.prices(at(2_500))
  expect(running.hears()).toEqual([])
  running.kept()
  await running.reads([aPosition()])
  expect(running.hears()).toContainEqual(expect.stringContaining('ETH long is safe again'))
  const rows = running.kept().flatMap((write) => (write.is === 'send' ? [write.row] : []))
  expect(rows.map(({ silent }) => silent)).toEqual(rows.map(() => true))
  expect(JSON.stringify(rows)).toContain('outside all alerts')
})

test('what must hold does not while one answer lacks its position, and goes on when it is there again', async () => {
  const running = await startEngine({ rules: [aRule({ holdMs: 15_000, params: NEAR })] })
  const shows = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) await running.prices(at(2_200))
    return running.hears().filter((line) => line.includes('to liquidation'))
  }
  await running.prices(at(2_200))
  await running.reads([aPosition()])
  await running.reads([])
  expect(await shows(20)).toEqual([])
  await running.reads([aPosition()])
  expect(await shows(9)).toEqual([])
  expect(await shows(6)).toEqual([expect.stringContaining('ETH long: 9.1%')])
})

test('nor does what a later run did not look at, though it saw prices', async () => {
  const running = await startEngine({ rules: [aRule({ holdMs: 60_000, params: NEAR })] })
  await running.prices(at(2_200))
  await running.reads([aPosition()])
  await running.restart(0)
  for (let second = 0; second < 20; second++) await running.prices(at(2_200))
  await running.restart(0)
  for (let second = 0; second < 50; second += 2) {
    await running.prices(at(2_200))
    await running.reads([aPosition()])
  }
  expect(running.hears()).toEqual([])
})

test('a wallet that cannot be read since a restart is judged by the price, and by where it was last seen', async () => {
  const running = await startEngine({ rules: [aRule()] })
  await running.prices(at(4_000))
  await running.reads([aPosition()])
  await running.reads([aPosition({ liquidationPrice: exact('2001') })])
  await running.restart(0)
  running.engine.failed({ is: 'wallet', wallet: ALICE }, 'no answer')
  for (let second = 0; second < 300; second++) await running.prices(at(4_000))
  const warned = async () => {
    await running.prices(at(2_200))
    const sent = running.kept().flatMap((write) => (write.is === 'send' ? [write.row] : []))
    return JSON.stringify(sent.filter(({ reason }) => reason === 'fired'))
  }
  expect(await warned()).toContain('{"figure":2001,')
  await running.prices(at(4_000))
  await running.restart(0)
  running.engine.failed({ is: 'wallet', wallet: ALICE }, 'no answer')
  await running.prices(at(4_000))
  running.hears()
  await running.prices(at(2_050))
  expect(running.hears()).toEqual([expect.stringContaining('ETH long: 2.4% to liquidation')])
})

test('a crash may lose of a liquidation price only what moved it by a small share of its distance', async () => {
  const running = await startEngine({ rules: [aRule()] })
  await running.prices(at(4_000))
  const writes = async (liquidation: string) => {
    running.kept()
    await running.reads([aPosition({ liquidationPrice: exact(liquidation) })])
    return running.kept().filter(({ is }) => is === 'wallet').length
  }
  expect(await writes('2000')).toBe(1)
  expect(await writes('2030')).toBe(0)
  expect(await writes('2050')).toBe(1)
  expect(await writes('2080')).toBe(0)
  await running.prices(at(2_200))
  expect(await writes('2081')).toBe(1)
})

test('a market that was left before a restart is called by its symbol when somebody is in it again', async () => {
  const opened = aRule({ id: 9, kind: 'position-opened', params: {} })
  const running = await startEngine({ rules: [aRule(), opened] })
  await running.prices(at(4_000))
  for (const positions of [[aPosition()], [], []]) await running.reads(positions)
  await running.restart(0)
  running.hears()
  await running.reads([aPosition()])
  expect(running.hears()).toEqual([expect.stringContaining('ETH long opened')])
})

test('a price of before a position is no evidence of how it ended, though a window has brought it over a restart', async () => {
  const params = { way: 'either', share: 0.05, within: 3_600_000 }
  const move = aRule({ id: 9, kind: 'price-move', params, market: { id: '100', symbol: 'ETH' } })
  const running = await startEngine({ rules: [closed, move] })
  for (const price of [1_900, 2_500, 2_500]) await running.prices(at(price))
  await running.reads([aPosition()])
  await running.restart(0)
  await running.prices(at(2_500))
  running.hears()
  await running.reads([])
  await running.reads([])
  expect(running.hears()).toEqual([expect.stringContaining('ETH long is gone, cause unknown')])
})
