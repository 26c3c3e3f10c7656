import { expect, test } from 'vitest'

import { kinds } from '../../src/alerts/index.ts'
import { chunks } from '../../src/engine/chunks.ts'
import { apply } from '../../src/engine/memory/apply.ts'
import { marketsTurn } from '../../src/engine/observe/markets-turn.ts'
import type { Snapshot } from '../../src/store/snapshot.ts'
import { desk } from '../support/engine.ts'
import { aChat, ALICE, aMarket, aPerson, aPosition, aRule, aWatch, exact } from '../support/fixtures.ts'
import { startEngine } from '../support/running.ts'

const PEOPLE = 450
const ids = Array.from({ length: PEOPLE }, (_, place) => place + 1)
/** Of ten people one has set lines that are critical, three have some that warn. */
const tiersOf = (id: number) => (id % 10 === 5 ? [0.04] : id % 10 < 3 ? [0.09] : [0.18])
/** All of them watch one wallet, each from a chat of their own: at 2060 it is 2.9% from liquidation. */
const crowd: Partial<Snapshot> = {
  persons: ids.map((id) => aPerson({ id, identities: [], operator: id === 1, defaultChat: id })),
  chats: ids.map((id) => aChat({ id, personId: id })),
  watches: ids.map((personId) => aWatch({ personId })),
  rules: ids.flatMap((id) => [
    aRule({ id, personId: id, chatId: id, wallet: ALICE, params: { tiers: tiersOf(id) } }),
    aRule({ id: PEOPLE + id, personId: id, chatId: id, wallet: ALICE, kind: 'position-closed', params: {} }),
  ]),
}
const FAR = aMarket({ price: exact('3000') })
const NEAR = aMarket({ price: exact('2060') })

test('a storm is judged in parts: what is critical first, then what warns; all of a chat in one of them, once', () => {
  const { memory, prices, reads, look } = desk(crowd)
  prices(FAR)
  reads([aPosition()])
  const { now, mono, marketStaleMs } = { ...look(), mono: look().mono + 1, now: look().now + 1 }
  const reading = { value: { markets: [NEAR], unusable: [], failedParts: [] }, at: now, mono }
  const turn = marketsTurn(memory, kinds, reading, { now, mono, marketStaleMs }, () => false)
  if (!turn) throw new Error('it is a newer reading')
  apply(memory, turn.figures ?? [])
  const told: string[] = []
  const chats: number[] = []
  for (const { observed, decisions } of chunks(memory, turn, () => 0)) {
    apply(memory, [...observed, ...decisions.flatMap(({ effects }) => effects)])
    expect(decisions.length).toBeLessThanOrEqual(400)
    for (const { chatId, notices: said } of decisions) {
      chats.push(chatId)
      told.push(...said.map(({ severity }) => severity))
    }
  }
  expect(chats.toSorted((a, b) => a - b)).toEqual(ids)
  const places = (one: string) => told.flatMap((severity, place) => (severity === one ? [place] : []))
  const [critical, warning, info] = [places('critical'), places('warning'), places('info')]
  expect([critical.length, warning.length, info.length]).toEqual([45, 135, 270])
  expect(Math.max(...critical)).toBeLessThan(Math.min(...warning))
  expect(Math.max(...warning)).toBeLessThan(Math.min(...info))
})

test.each([1, 2, 4])(
  'a process that dies in a storm, after %d commits, has lost nothing: the next one tells the others, once',
  async (kept) => {
    const running = await startEngine(crowd)
    await running.prices(FAR)
    await running.reads([aPosition()])
    expect(running.hears()).toEqual([])
    let commits = 0
    running.refuses((writes) => writes.some(({ is }) => is === 'send') && ++commits > kept)
    await running.prices(NEAR)
    const before = running.hears()
    expect(before.length).toBeGreaterThan(0)
    expect(before.length).toBeLessThan(PEOPLE)
    const left = await running.store.memory.load()
    expect(left.states).toHaveLength(before.length)
    const next = await startEngine(left)
    await next.prices(NEAR)
    await next.reads([aPosition()])
    await next.prices(NEAR)
    const chatsOf = (said: string[]) => said.map((line) => Number.parseInt(line, 10))
    expect([...chatsOf(before), ...chatsOf(next.hears())].toSorted((a, b) => a - b)).toEqual(ids)
  },
)

test('what can be kept of a storm is kept, whatever part of it cannot: that is told with the next reading', async () => {
  const running = await startEngine(crowd)
  await running.prices(FAR)
  await running.reads([aPosition()])
  let commits = 0
  running.refuses((writes) => ++commits === 2 || (writes.length > 0 && commits === 3))
  await running.prices(NEAR)
  running.refuses(() => false)
  await running.prices(NEAR)
  expect(
    running
      .hears()
      .map((line) => Number.parseInt(line, 10))
      .toSorted((a, b) => a - b),
  ).toEqual(ids)
})

test('what has held for long enough in very many chats is told in each of them with one message', async () => {
  const held = ['100', '200', '300']
  const running = await startEngine({
    ...crowd,
    rules: ids.map((id) =>
      aRule({ id, personId: id, chatId: id, wallet: ALICE, params: { tiers: [0.09] }, holdMs: 15_000 }),
    ),
  })
  const prices = async (price: string) =>
    running.prices(...held.map((id) => aMarket({ id, symbol: `M${id}`, price: exact(price) })))
  await prices('3000')
  await running.reads(held.map((marketId) => aPosition({ marketId })))
  await prices('2180')
  running.kept()
  for (let second = 0; second < 20; second++) await prices('2180')
  const rows = running.kept().flatMap((write) => (write.is === 'send' ? [write.row] : []))
  expect(rows.map(({ chatId }) => chatId).toSorted((a, b) => a - b)).toEqual(ids)
  expect(rows.every(({ message }) => message.items.length === held.length)).toBe(true)
})
