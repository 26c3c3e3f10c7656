import { expect, test } from 'vitest'

import { toJson } from '../../../src/lib/text/json.ts'
import { aChat, aMarket, aPerson, aPosition, aRule, aWatch, exact } from '../../support/fixtures.ts'
import { isOf, startEngine } from '../../support/running.ts'

/** Two persons who watch one wallet. */
const two = {
  persons: [aPerson(), aPerson({ id: 2, identities: [], operator: false })],
  chats: [1, 2].map((id) => aChat({ id, personId: id })),
  watches: [1, 2].map((personId) => aWatch({ personId })),
  rules: [1, 2].map((id) => aRule({ id, personId: id, chatId: id })),
}
const CALM = aMarket({ price: exact('3000') })
const says = (chatId: number) => `${chatId}: I was stopped for 5 min and saw nothing`

test('that the process was stopped is said once in each chat, however long it cannot be kept for another one', async () => {
  const running = await startEngine(two)
  await running.prices(CALM)
  await running.reads([aPosition()])
  running.refuses((writes) => writes.some((write) => isOf(2, write)))
  running.clock.stop(300_000)
  for (let time = 0; time < 3; time++) await running.prices(CALM)
  expect(running.hears()).toEqual([says(1)])
  running.refuses(() => false)
  for (let time = 0; time < 3; time++) await running.prices(CALM)
  expect(running.hears()).toEqual([says(2)])
})

test('a process that is stopped and then told to end leaves the next run the word of that', async () => {
  const running = await startEngine(two)
  await running.prices(CALM)
  await running.reads([aPosition()])
  running.clock.stop(300_000)
  await running.restart(5_000)
  await running.prices(CALM)
  await running.reads([aPosition()])
  expect(running.hears()).toEqual([says(1), says(2)])
})

test('what is asked for as the process goes on is not of before the stop, also where that is found out later', async () => {
  const running = await startEngine(two)
  await running.prices(CALM)
  await running.reads([aPosition()])
  running.clock.stop(300_000)
  await running.reads([aPosition({ liquidationPrice: exact('2950') })])
  await running.prices(CALM)
  expect(running.hears()).toContainEqual(expect.stringMatching('^1: ETH long: 1.7%'))
  expect(toJson(running.kept())).not.toContain('I was stopped; being read now')
})
