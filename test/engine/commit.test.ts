import { describe, expect, test } from 'vitest'

import type { Rule } from '../../src/alert/alert.ts'
import { monitorKey } from '../../src/alert/monitor.ts'
import { subjectOfPosition } from '../../src/alert/subject-id.ts'
import { createCommitter } from '../../src/engine/commit.ts'
import { createMemory } from '../../src/engine/memory/apply.ts'
import { StoreBusy } from '../../src/store/store.ts'
import {
  aChat,
  aDraft,
  aMonitor,
  ALICE,
  aMarket,
  aPerson,
  aPosition,
  aRule,
  aWatch,
  exact,
} from '../support/fixtures.ts'
import { isOf, startEngine } from '../support/running.ts'
import { aRow, sends } from '../support/store.ts'

/** Three persons who watch one wallet: at 2050 it is 2.4% from liquidation. */
const three = {
  persons: [
    aPerson(),
    aPerson({ id: 2, identities: [], operator: false }),
    aPerson({ id: 3, identities: [], operator: false }),
  ],
  chats: [1, 2, 3].map((id) => aChat({ id, personId: id })),
  watches: [1, 2, 3].map((personId) => aWatch({ personId })),
  rules: [1, 2, 3].map((id) => aRule({ id, personId: id, chatId: id })),
}
const NEAR = aMarket({ price: exact('2050') })
const key = (chatId: number) => monitorKey(aMonitor({ chatId }))
const says = (chatId: number) => expect.stringMatching(`^${chatId}: ETH long: 2.4% to liquidation`)

async function watched() {
  const running = await startEngine(three)
  await running.prices(aMarket({ price: exact('3000') }))
  await running.reads([aPosition()])
  return running
}
const failures = ({ events }: Awaited<ReturnType<typeof startEngine>>) =>
  events.filter(({ is }) => is === 'turn-failed').length

describe('a chat that cannot be kept', () => {
  test.each([1, 2, 3])(
    'fails alone (chat %d), is loud, and is told with the next reading',
    async (poisonous) => {
      const running = await watched()
      running.refuses((writes) => writes.some((write) => isOf(poisonous, write)))
      await running.prices(NEAR)
      const others = [1, 2, 3].filter((id) => id !== poisonous)
      expect(running.hears().toSorted()).toEqual(others.map(says))
      expect(failures(running)).toBe(1)
      const {
        monitors: { states },
      } = running.engine.memory
      expect([1, 2, 3].filter((id) => states.has(key(id)))).toEqual(others)
      expect(createMemory(await running.store.memory.load()).monitors.states).toEqual(states)

      running.refuses(() => false)
      await running.prices(NEAR)
      expect(running.hears()).toEqual([says(poisonous)])
      await running.prices(NEAR)
      expect(running.hears()).toEqual([])
    },
  )

  test('has the number in the end that it would have had, though nothing could be kept for long', async () => {
    const running = await watched()
    running.refuses((writes) => writes.some(({ is }) => is === 'send'))
    for (let time = 0; time < 5; time++) await running.prices(NEAR)
    expect(failures(running)).toBe(5)
    running.refuses(() => false)
    await running.prices(NEAR)
    const numbers = running.hears().map((title) => /A\d+/.exec(title)?.[0])
    expect(new Set(numbers)).toEqual(new Set(['A42', 'A43', 'A44']))
  })

  test('gets no number twice: one that is open keeps its own when it cannot be kept that it is worse', async () => {
    const running = await watched()
    await running.prices(aMarket({ price: exact('2180') }))
    await running.clock.advance(20_000)
    await running.prices(aMarket({ price: exact('2180') }))
    const told = running.hears()
    running.refuses((writes) => writes.some(({ is }) => is === 'send'))
    await running.prices(NEAR)
    running.refuses(() => false)
    await running.reads([aPosition(), aPosition({ accountId: '2', liquidationPrice: exact('2170') })])
    await running.prices(NEAR)
    const numbers = [...told, ...running.hears()].flatMap((title) => title.match(/A\d+/g) ?? [])
    expect(new Set(numbers).size).toBe(6)
  })

  test('does not keep what was learned from being kept: it goes with the first that can', async () => {
    const running = await watched()
    await running.prices(NEAR)
    running.hears()
    running.refuses((writes) => writes.some((write) => isOf(1, write)))
    const opened = aPosition({ marketId: '100', accountId: '2', liquidationPrice: exact('2040') })
    await running.reads([aPosition(), opened])
    expect(running.hears().toSorted()).toEqual(
      [2, 3].map((id) => expect.stringMatching(`^${id}: ETH long: 0.5%`)),
    )
    const kept = createMemory(await running.store.memory.load())
    for (const memory of [kept, running.engine.memory]) {
      expect(memory.wallets.views.get(ALICE)?.held.size).toBe(2)
      const monitor = aMonitor({ chatId: 1, subject: subjectOfPosition(opened) })
      expect(memory.monitors.states.has(monitorKey(monitor))).toBe(false)
    }
    running.refuses(() => false)
    await running.reads([aPosition(), opened])
    expect(running.hears()).toEqual([expect.stringMatching('^1: ETH long: 0.5%')])
  })
})

describe('an alert of a chat that cannot be kept, and that rang elsewhere', () => {
  test('is over there once, when its end can be kept', async () => {
    const running = await startEngine({
      persons: [aPerson({ defaultChat: 1, fallbackChat: 2, escalateFrom: 0 })],
      chats: [1, 2].map((id) => aChat({ id })),
      watches: [aWatch()],
      rules: [aRule()],
    })
    await running.prices(aMarket({ price: exact('3000') }))
    await running.reads([aPosition()])
    await running.prices(NEAR)
    expect(running.hears().toSorted()).toEqual([says(1), says(2)])
    running.refuses((writes) => writes.some((write) => isOf(1, write)))
    await running.prices(aMarket({ price: exact('3000') }))
    await running.prices(aMarket({ price: exact('3000') }))
    expect(running.hears()).toEqual([])
    running.refuses(() => false)
    await running.prices(aMarket({ price: exact('3000') }))
    const clear = (chatId: number) => expect.stringMatching(`^${chatId}: ETH long is safe again`)
    expect(running.hears().toSorted()).toEqual([clear(1), clear(2)])
  })
})

describe('a position that is gone while one chat cannot be kept', () => {
  const closed = (id: number) =>
    aRule({ id: id + 10, personId: id, chatId: id, kind: 'position-closed', params: {} })
  const liquidated = (chatId: number) => expect.stringMatching(`^${chatId}: ETH long was probably liquidated`)

  async function gone(near: boolean, rules: (id: number) => Rule[]) {
    const running = await startEngine({ ...three, rules: [1, 2, 3].flatMap(rules) })
    await running.prices(aMarket({ price: exact('3000') }))
    await running.reads([aPosition()])
    if (near) await running.prices(NEAR)
    running.hears()
    running.refuses((writes) => writes.some((write) => isOf(2, write)))
    await running.reads([])
    await running.prices(aMarket({ price: exact('1990') }))
    await running.reads([])
    running.hears()
    return running
  }

  test.each([
    ['that was warned of it', true, (id: number) => [aRule({ id, personId: id, chatId: id })]],
    ['that has a rule on closed positions', false, (id: number) => [closed(id)]],
    ['that has both', true, (id: number) => [aRule({ id, personId: id, chatId: id }), closed(id)]],
  ])('is told in the chat %s with the next reading, once, with its evidence', async (_which, near, rules) => {
    const running = await gone(near, rules)
    await running.reads([], { totalCount: 1 })
    await running.reads([])
    expect(running.hears()).toEqual([])
    running.refuses(() => false)
    await running.reads([])
    expect(running.hears()).toEqual([liquidated(2)])
    await running.reads([])
    await running.reads([])
    expect(running.hears()).toEqual([])
    expect([...(await running.store.memory.load()).wallets]).toMatchObject([{ positions: [], gone: [] }])
  })

  test('is told there also by the run after a crash', async () => {
    const { store } = await gone(false, (id) => [closed(id)])
    const running = await startEngine(await store.memory.load())
    await running.reads([])
    expect(running.hears()).toEqual([liquidated(2)])
  })

  test('and is there again is not called gone', async () => {
    const running = await gone(false, (id) => [closed(id)])
    running.refuses(() => false)
    await running.reads([aPosition()])
    await running.reads([aPosition()])
    expect(running.hears()).toEqual([])
  })
})

describe('a turn of which nothing can be kept', () => {
  test('changes nothing, and the next reading says it all again, once', async () => {
    const running = await watched()
    const { memory } = running.engine
    running.refuses(() => true)
    await running.prices(NEAR)
    await running.reads([aPosition({ liquidationPrice: exact('2040') })])
    expect([running.hears(), memory.monitors.states.size, failures(running)]).toEqual([[], 0, 2])
    expect(memory.wallets.views.get(ALICE)?.held.values().next().value?.position).toEqual(aPosition())
    running.refuses(() => false)
    await running.reads([aPosition()])
    expect(running.hears().toSorted()).toEqual([says(1), says(2), says(3)])
    await running.reads([aPosition()])
    expect(running.hears()).toEqual([])
  })

  test('leaves a position that is gone to be found gone', async () => {
    const running = await watched()
    await running.prices(NEAR)
    running.hears()
    await running.reads([])
    running.refuses(() => true)
    await running.reads([])
    expect(running.hears()).toEqual([])
    running.refuses(() => false)
    await running.reads([])
    expect(running.hears()).toHaveLength(3)
    await running.reads([])
    expect(running.hears()).toEqual([])
  })

  test('leaves nobody in the dark about blindness: it is told as soon as it can be, once', async () => {
    const running = await watched()
    running.refuses((writes) => writes.some(({ is }) => is === 'send'))
    await running.clock.advance(15_000)
    expect(running.hears()).toEqual([])
    running.refuses(() => false)
    await running.clock.advance(60_000)
    expect(running.hears().toSorted()).toEqual([1, 2, 3].map((id) => `${id}: I can’t see the venue`))
  })

  test('finds no feed again that memory still has as lost', async () => {
    const running = await watched()
    const found = () => running.events.filter(({ is }) => is === 'recovered').length
    running.engine.failed({ is: 'wallet', wallet: ALICE }, 'no answer')
    for (let second = 0; second < 300; second++) await running.prices(aMarket({ price: exact('3000') }))
    expect(running.engine.memory.sources.blind.has(`owner/${ALICE}`)).toBe(true)
    running.refuses(() => true)
    await running.reads([aPosition({ size: exact('9') })])
    expect([running.engine.memory.sources.blind.has(`owner/${ALICE}`), found()]).toEqual([true, 0])
    running.refuses(() => false)
    await running.reads([aPosition({ size: exact('9') })])
    expect(found()).toBe(1)
  })

  test('of what somebody asked for is told to them, and has not been', async () => {
    const running = await watched()
    running.refuses(() => true)
    const rule = { is: 'rule', personId: 1, chatId: 1, draft: aDraft({ wallet: ALICE }) } as const
    const input = { platform: 'terminal', id: '1' }
    await expect(running.change(rule, input)).rejects.toThrow('disk full')
    expect([...running.engine.memory.rules.all.keys()]).toEqual([1, 2, 3])
    running.refuses(() => false)
    expect((await running.change(rule, input)).repeated).toBe(false)
    expect((await running.store.memory.load()).rules).toHaveLength(4)
  })
})

test('what nobody is told of waits for somebody too: the message of a test, a wallet to be read', async () => {
  const running = await startEngine()
  await running.clock.advance(2_000)
  running.commits()
  await running.change({ is: 'test', chatId: 1 })
  expect(running.commits()).toEqual(['change'])
})

test('whoever waits for a commit hears which input led to it', async () => {
  const running = await watched()
  running.commits()
  await running.prices(NEAR)
  expect(new Set(running.commits())).toEqual(new Set(['markets']))
  await running.reads([aPosition({ size: exact('-1'), liquidationPrice: exact('2060') })])
  expect(new Set(running.commits())).toEqual(new Set(['wallet']))
  await running.change({ is: 'test', chatId: 1 })
  expect(running.commits()).toEqual(['change'])
})

describe('an input that is handed over again', () => {
  test('has taken effect once', async () => {
    const running = await startEngine()
    const input = { platform: 'telegram', id: 'new' }
    const test = { is: 'test', chatId: 1 } as const
    expect((await running.change(test, input)).repeated).toBe(false)
    expect((await running.change(test, input)).repeated).toBe(true)
    expect(running.hears()).toHaveLength(1)
    expect((await running.change(test, { ...input, platform: 'discord' })).repeated).toBe(false)
    expect(running.hears()).toHaveLength(1)
  })
})

describe('while the store can keep nothing', () => {
  test('time passes in which the venue is seen all the same: it is not told as unseen afterwards', async () => {
    const running = await watched()
    running.refuses(() => true)
    for (let second = 0; second < 240; second += 2) {
      await running.prices(NEAR)
      await running.reads([aPosition()])
    }
    running.refuses(() => false)
    await running.clock.advance(5_000)
    expect(running.hears()).toEqual([])
    expect(running.events.filter(({ is }) => is === 'outage')).toEqual([])
    await running.prices(NEAR)
    expect(running.hears().toSorted()).toEqual([1, 2, 3].map(says))
    // A venue that is really silent is told as ever.
    await running.clock.advance(60_000)
    expect(running.events.filter(({ is }) => is === 'outage')).toHaveLength(1)
  })

  test('because another program holds it, a turn tries once, whatever the number of its chats', async () => {
    const running = await watched()
    let tries = 0
    running.refuses((writes) => {
      if (writes.some(({ is }) => is === 'send')) tries++
      if (tries > 0) throw new StoreBusy('locked')
      return false
    })
    await running.prices(NEAR)
    expect([tries, failures(running)]).toEqual([1, 1])
    running.refuses(() => false)
    await running.prices(NEAR)
    expect(running.hears().toSorted()).toEqual([1, 2, 3].map(says))
  })
})

test('a message that is under way in the store is sent, also where memory fails to take its commit', async () => {
  const heard: unknown[] = []
  const departed = [{ rowId: 1, replyTo: null }]
  const keep = createCommitter({
    store: { commit: async () => departed, load: () => Promise.reject(new Error()), seen: async () => false },
    departures: {
      prepare: () => ({
        sending: null,
        kept: (rows) => heard.push(rows),
        failed: () => heard.push('failed'),
      }),
    },
    emit() {},
    apply() {
      throw new Error('a flaw')
    },
    languageIn: () => 'en',
    committed() {},
    transitioned() {},
  })
  await expect(keep([...sends(aRow({ id: 1 }))], [])).rejects.toThrow('a flaw')
  expect(heard).toEqual([departed])
})
