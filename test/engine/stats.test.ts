import { expect, test } from 'vitest'

import { statsOf } from '../../src/engine/stats.ts'
import { aChat, aMarket, aPosition, aRule, exact } from '../support/fixtures.ts'
import { type Running, startEngine } from '../support/running.ts'

const at = (price: number) => aMarket({ price: exact(price.toFixed(2)) })
const turns = (running: Running) =>
  running.events.flatMap((event) =>
    event.is === 'turn' && event.judged > 0 ? [`${event.of} ${event.judged}`] : [],
  )

test('a critical alert is unacknowledged until somebody answers it; a warning never is', async () => {
  const running = await startEngine({ rules: [aRule()] })
  const open = () => statsOf(running.engine.memory).unacknowledged
  await running.prices(at(2_200))
  await running.reads([aPosition()])
  expect(running.hears()).toHaveLength(1)
  expect(open()).toBe(0)
  await running.prices(at(2_040))
  expect(open()).toBe(1)
  const [alertId = 0] = running.engine.memory.monitors.firing.keys()
  const until = running.clock.now() + 3_600_000
  await running.change({
    is: 'acknowledgement',
    as: 'snoozed',
    alertIds: [alertId],
    by: 'Alice',
    until,
    readIn: null,
    seenUntil: Infinity,
  })
  expect(open()).toBe(0)
})

test('what cannot be seen and which chats are broken is counted, not named', async () => {
  const running = await startEngine({ rules: [aRule()], chats: [aChat({ brokenBecause: 'blocked' })] })
  await running.prices(at(4_000))
  await running.reads([aPosition()])
  const found = () => statsOf(running.engine.memory)
  expect(found()).toMatchObject({ people: 1, wallets: 1, rules: 1, blind: { markets: 0 } })
  running.engine.failed({ is: 'markets' }, 'timeout')
  await running.clock.advance(60_000)
  expect(found().blind).toMatchObject({ markets: 1, wallet: 0 })
  expect([...found().brokenChats.values()]).toEqual([1])
})

test('a market tick says how many guards it crossed, and of none that it crossed none', async () => {
  const running = await startEngine({ rules: [aRule()] })
  await running.prices(at(4_000))
  await running.reads([aPosition()])
  running.events.length = 0
  await running.prices(at(3_999))
  expect(turns(running)).toEqual([])
  await running.prices(at(2_040))
  expect(turns(running)).toEqual(['markets 1'])
})
