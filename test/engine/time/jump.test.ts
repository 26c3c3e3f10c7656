import { expect, test } from 'vitest'

import { plainText } from '../../../src/message/message.ts'
import { aChat, ALICE, aMarket, aPerson, aPosition, aRule, exact } from '../../support/fixtures.ts'
import { startEngine } from '../../support/running.ts'

// The wall clock is set: intervals keep what is left of them.

const at = (price: number) => aMarket({ price: exact(price.toFixed(2)) })

test('a clock that jumps moves what each chat is to hear, though that of another cannot be kept', async () => {
  const rules = [aRule({ wallet: ALICE }), aRule({ id: 8, chatId: 2, wallet: ALICE })]
  const running = await startEngine({ rules, chats: [aChat(), aChat({ id: 2 })] })
  await running.prices(at(2_050))
  await running.reads([aPosition()])
  running.hears()
  running.refuses((writes) => writes.some((write) => write.is === 'state' && write.row.monitor.chatId === 2))
  running.clock.jump(3_600_000)
  await running.prices(at(2_050))
  running.refuses(() => false)
  await running.clock.advance(30_000)
  expect(running.hears().filter((line) => line.startsWith('1:') && line.includes('from liq'))).toEqual([])
})

test.each([-3_600_000, 3_600_000])(
  'what rings goes on ringing when the wall clock jumps by %d ms and that cannot be kept at first',
  async (byMs) => {
    const running = await startEngine({ rules: [aRule()] })
    await running.prices(at(2_050))
    await running.reads([aPosition()])
    running.hears()
    running.refuses(() => true)
    running.clock.jump(byMs)
    await running.prices(at(2_050))
    running.refuses(() => false)
    const rings = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) await running.prices(at(2_050))
      return running.hears().filter((line) => line.includes('ETH long')).length
    }
    expect(await rings(25)).toBe(0)
    await running.restart(0)
    expect(await rings(25)).toBe(0)
    expect(await rings(20)).toBe(1)
  },
)

test('what rings goes on ringing when the wall clock is set back while the bot is down', async () => {
  const running = await startEngine({ rules: [aRule()] })
  await running.prices(at(2_050))
  await running.reads([aPosition()])
  running.hears()
  await running.restart(1_000, -7_200_000)
  for (let second = 0; second < 70; second++) await running.prices(at(2_050))
  expect(running.hears().filter((line) => line.includes('ETH long'))).toHaveLength(1)
})

test('for how long nothing was seen is counted by the clock that does not jump', async () => {
  const running = await startEngine({ rules: [aRule()] })
  await running.prices(at(4_000))
  await running.clock.advance(30_000)
  running.clock.jump(-3_600_000)
  await running.clock.advance(29_000)
  running.kept()
  await running.prices(at(4_000))
  const said = running.kept().flatMap((write) => (write.is === 'send' ? write.row.message.items : []))
  const lasted = plainText(said[0]?.lines[0] ?? '', { now: 0, zone: 'UTC' })
  expect(lasted).toBe('I couldn’t see for 60 s')
})

test('an acknowledgement an hour after another one counts, though the wall clock was set back by that hour', async () => {
  const running = await startEngine({ rules: [aRule()] })
  await running.prices(at(2_050))
  await running.reads([aPosition()])
  const [alertId = 0] = running.engine.memory.monitors.firing.keys()
  const acknowledges = (by: string) =>
    running.change({
      ...{
        is: 'acknowledgement',
        as: 'acknowledged',
        alertIds: [alertId],
        by,
        readIn: null,
        seenUntil: Infinity,
      },
      until: running.clock.now() + 7_200_000,
    })
  await acknowledges('alice')
  await running.clock.advance(3_600_000)
  running.clock.jump(-3_600_000)
  await acknowledges('bob')
  expect([...running.engine.memory.monitors.states.values()][0]?.state).toMatchObject({
    acknowledgement: { by: 'bob' },
  })
})

test('what rings goes on ringing when the wall clock jumps just before the bot is stopped', async () => {
  const running = await startEngine({ rules: [aRule()] })
  await running.prices(at(2_050))
  await running.reads([aPosition()])
  running.hears()
  running.clock.jump(-3_600_000)
  await running.restart(0)
  for (let second = 0; second < 70; second++) await running.prices(at(2_050))
  expect(running.hears().filter((line) => line.includes('ETH long'))).toHaveLength(1)
})

test('what was held back is summed up when the clock on the wall leaves the quiet hours, also where it goes over their end', async () => {
  const berlin = aPerson({ zone: 'Europe/Berlin' })
  const begun = Date.UTC(2026, 2, 29, 0, 50)
  const running = await startEngine({ rules: [aRule()], persons: [berlin] }, { begun })
  await running.change({ is: 'quiet', chatIds: [1], quiet: { from: 23 * 60, to: 150 } })
  await running.prices(at(2_200))
  await running.reads([aPosition()])
  expect(running.hears()).toEqual([])
  for (let second = 0; second < 11 * 60; second += 2) {
    await running.prices(at(2_200))
    await running.reads([aPosition()])
  }
  expect(running.hears().join()).toContain('While quiet: 1 alert, 1 still on')
})

test('a digest that is told late, after the clock has gone over its time, is not told again when that time comes twice', async () => {
  const berlin = aPerson({ zone: 'Europe/Berlin' })
  const begun = Date.UTC(2026, 9, 25, 0, 20)
  const running = await startEngine({ persons: [berlin] }, { begun })
  await running.change({ is: 'digest', chatId: 1, minute: 146 })
  running.clock.jump(3_600_000)
  await running.clock.advance(20 * 60_000)
  const digests = running.kept().filter((write) => write.is === 'send' && write.row.reason === 'digest')
  expect(digests).toHaveLength(1)
})

test.each([
  ['end', { from: 23 * 60, to: 150 }, true],
  ['begin', { from: 135, to: 480 }, false],
])('quiet hours that %s in the hour that comes twice in autumn do so once', async (_what, quiet, isTold) => {
  const berlin = aPerson({ zone: 'Europe/Berlin' })
  const begun = Date.UTC(2026, 9, 25, 0, 20)
  const running = await startEngine({ rules: [aRule()], persons: [berlin] }, { begun })
  await running.change({ is: 'quiet', chatIds: [1], quiet })
  const passes = async (price: number, seconds: number) => {
    for (let second = 0; second < seconds; second += 2) {
      await running.prices(at(price))
      await running.reads([aPosition()])
    }
    return running.hears()
  }
  expect(await passes(2_450, 300)).toEqual([])
  const first = (await passes(2_450, 600)).join()
  expect(first.includes('While quiet: 1 alert, 1 still on')).toBe(isTold)
  // From a quarter past two to three, and from two to a quarter past once more.
  await passes(2_450, 1_800)
  const second = (await passes(2_190, 300)).join()
  expect(second.includes('ETH long: 8.7% to liquidation')).toBe(isTold)
  expect(await passes(2_190, 1_500)).toEqual([])
})
