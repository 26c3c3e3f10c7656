import { describe, expect, test } from 'vitest'

import { kinds } from '../../src/alerts/index.ts'
import { chunks } from '../../src/engine/chunks.ts'
import { apply } from '../../src/engine/memory/apply.ts'
import type { DecidedTurn, Outcome } from '../../src/engine/monitors/turn.ts'
import { marketsTurn } from '../../src/engine/observe/markets-turn.ts'
import type { Snapshot } from '../../src/store/snapshot.ts'
import { type Desk, desk } from '../support/engine.ts'
import { aChat, ALICE, aMarket, aPerson, aPosition, aRule, aWatch, BOB, exact } from '../support/fixtures.ts'
import { startEngine } from '../support/running.ts'

const PEOPLE = 450
const ids = Array.from({ length: PEOPLE }, (_, place) => place + 1)
/** Of ten people one has set lines that are critical, three have some that warn. */
const tiersOf = (id: number) => (id % 10 === 5 ? [0.04] : id % 10 < 3 ? [0.09] : [0.18])
const rules = ids.map((id) =>
  aRule({ id, personId: id, chatId: id, wallet: ALICE, params: { tiers: tiersOf(id) } }),
)
const crowd: Partial<Snapshot> = {
  persons: ids.map((id) => aPerson({ id, identities: [], operator: id === 1, defaultChat: id })),
  chats: ids.map((id) => aChat({ id, personId: id })),
  watches: ids.map((personId) => aWatch({ personId })),
  rules,
}
/** At 2060 the position is 2.9% from liquidation. */
const [FAR, NEAR] = ['3000', '2060']
const eth = (price: string) => aMarket({ price: exact(price) })
const btc = (price: string) => aMarket({ id: '200', symbol: 'BTC', price: exact(price) })

/** A second after the last look, these prices come: what follows is decided as it is asked for. */
function storm({ memory, look }: Desk, ...markets: ReturnType<typeof aMarket>[]): Outcome {
  const { now, mono, marketStaleMs } = { ...look(), mono: look().mono + 1, now: look().now + 1 }
  const reading = { value: { markets, unusable: [], failedParts: [] }, at: now, mono }
  const turn = marketsTurn(memory, kinds, reading, { now, mono, marketStaleMs }, () => false)
  if (!turn?.crossed) throw new Error('it is a newer reading')
  apply(memory, turn.figures ?? [])
  return turn
}

function chatsIn({ decisions }: DecidedTurn): number[] {
  return decisions.flatMap(({ chatId, notices }) => (notices.length > 0 ? [chatId] : []))
}

function severitiesIn({ decisions }: DecidedTurn): string[] {
  return decisions.flatMap(({ notices }) => notices.map(({ severity }) => severity))
}

test('the first critical alerts of a storm are decided while most of those whom it meets are not found yet', () => {
  const at = desk(crowd)
  at.prices(eth(FAR))
  at.reads([aPosition()])
  const turn = storm(at, eth(NEAR))
  let found = 0
  function* counted(slots: Iterable<number>): Generator<number> {
    for (const slot of slots) {
      found++
      yield slot
    }
  }
  const crossed = turn.crossed && { ...turn.crossed, slots: counted(turn.crossed.slots) }
  const parts = chunks(at.memory, { ...turn, ...(crossed && { crossed }) }, () => 0)
  const first = parts.next().value
  expect(new Set(severitiesIn(first))).toEqual(new Set(['critical']))
  // What was observed is committed with them: whatever comes between goes by it.
  expect(first.observed).toEqual(turn.observed)
  expect(found).toBeLessThan(PEOPLE / 4)
})

describe('who is told before the others are found', () => {
  /** Person 5 is told all in a second chat: of the first position, which only warns, and of another that is critical. */
  const several: Partial<Snapshot> = {
    ...crowd,
    persons: ids.map((id) =>
      aPerson({
        ...{ id, identities: [], operator: id === 1, defaultChat: id },
        ...(id === 5 && { fallbackChat: 1_000 }),
      }),
    ),
    chats: [
      ...ids.map((id) => aChat({ id, personId: id, brokenBecause: id === 5 ? 'blocked' : null })),
      aChat({ id: 1_000, personId: 5 }),
    ],
    watches: [...ids.map((personId) => aWatch({ personId })), aWatch({ personId: 5, wallet: BOB })],
    rules: [
      ...rules.map((rule) => ({ ...rule, params: { tiers: [rule.id === 5 ? 0.09 : 0.18] } })),
      aRule({ id: 1_000, personId: 5, chatId: 1_000, wallet: BOB, params: { tiers: [0.04] } }),
    ],
  }

  test('reads everything in one message, also what a chat was to read that does not work', async () => {
    const running = await startEngine(several)
    await running.prices(eth(FAR), btc(FAR))
    await running.reads([aPosition()])
    await running.reads([aPosition({ wallet: BOB, marketId: '200', accountId: '2' })], { wallet: BOB })
    running.kept()
    await running.prices(eth(NEAR), btc(NEAR))
    const rows = running.kept().flatMap((write) => (write.is === 'send' ? [write.row] : []))
    const [first] = rows
    expect([first?.chatId, first?.urgency, first?.message.items.length]).toEqual([1_000, 0, 2])
    const told = rows.map(({ chatId }) => chatId).toSorted((a, b) => a - b)
    expect(told).toEqual([...ids.filter((id) => id !== 5), 1_000])
  })
})

test('each monitor is judged once, whoever is told first', () => {
  const at = desk(crowd)
  at.prices(eth(FAR))
  at.reads([aPosition()])
  const judged: number[] = []
  for (const part of chunks(at.memory, storm(at, eth(NEAR)), () => 0)) {
    judged.push(...part.decisions.map(({ chatId }) => chatId))
    apply(at.memory, [...part.observed, ...part.decisions.flatMap(({ effects }) => effects)])
  }
  expect(judged.toSorted((a, b) => a - b)).toEqual(ids)
})

test.each([
  [
    'on a slow machine, as far as the time goes, but not so few that the disk is waited for each time',
    10,
    50,
  ],
  ['on a fast one, a hundred', 0, 100],
])('so many chats are decided at a time: %s', (_what, stepMs, most) => {
  const at = desk(crowd)
  at.prices(eth(FAR))
  at.reads([aPosition()])
  let mono = 0
  const sizes: number[] = []
  for (const part of chunks(at.memory, storm(at, eth(NEAR)), () => (mono += stepMs))) {
    sizes.push(chatsIn(part).length)
    apply(at.memory, [...part.observed, ...part.decisions.flatMap(({ effects }) => effects)])
  }
  expect(Math.max(...sizes)).toBe(most)
})

test('who takes a rule back while a storm goes on is not told by it, and the others are, once', async () => {
  let takesBack: (() => void) | null = null
  const running = await startEngine(crowd, {
    listens(event) {
      if (event.is !== 'transition') return
      takesBack?.()
      takesBack = null
    },
  })
  await running.prices(eth(FAR))
  await running.reads([aPosition()])
  const changed: Promise<unknown>[] = []
  // Their line is the mildest: they are told last.
  const [last, other] = [449, 448]
  takesBack = () => changed.push(running.engine.change({ is: 'remove', personId: last, ruleId: last }, null))
  await running.prices(eth(NEAR))
  await Promise.all(changed)
  expect(changed).toHaveLength(1)
  const told = running.hears().map((line) => Number.parseInt(line, 10))
  expect(told.toSorted((a, b) => a - b)).toEqual(ids.filter((id) => id !== last))
  expect(told).toContain(other)
})

test('prices that recover while a storm goes on are judged when all have read of it: each reads one alert, then its end', async () => {
  let recovers: (() => void) | null = null
  const running = await startEngine(crowd, {
    listens(event) {
      if (event.is !== 'transition') return
      recovers?.()
      recovers = null
    },
  })
  await running.prices(eth(FAR))
  await running.reads([aPosition()])
  recovers = () =>
    running.engine.markets({
      value: { markets: [eth(FAR)], unusable: [], failedParts: [] },
      ...{ at: running.clock.now() + 1, mono: running.clock.monotonic() + 1 },
    })
  await running.prices(eth(NEAR))
  const heard = running.hears()
  expect(heard).toHaveLength(2 * PEOPLE)
  const by = Map.groupBy(heard, (line) => Number.parseInt(line, 10))
  expect([...by.keys()].toSorted((a, b) => a - b)).toEqual(ids)
  const [alert, end] = by.get(5) ?? []
  expect([alert, end]).toEqual([
    expect.stringContaining('2.9% to liquidation'),
    expect.stringContaining('safe'),
  ])
  expect([...by.values()].every((lines) => lines.length === 2)).toBe(true)
})
