import { describe, expect, test } from 'vitest'

import { apply } from '../../../src/engine/memory/apply.ts'
import type { Drawers } from '../../../src/engine/memory/memory.ts'
import type { Decision } from '../../../src/engine/monitors/decision.ts'
import { decideAll, type Outcome } from '../../../src/engine/monitors/turn.ts'
import {
  reportOutage as turnBlind,
  reportRecovery as turnSighted,
} from '../../../src/engine/outage/outage-notices.ts'
import { itemPoints } from '../../../src/message/fit.ts'
import { message, MESSAGE_CODE_POINTS, plainLines } from '../../../src/message/message.ts'
import type { Snapshot } from '../../../src/store/snapshot.ts'
import type { Position } from '../../../src/venue/position.ts'
import { NOON } from '../../support/clock.ts'
import { desk, lookAt } from '../../support/engine.ts'
import {
  aChat,
  ALICE,
  aMarket,
  aPerson,
  aPosition,
  aRule,
  aWatch,
  BOB,
  exact,
} from '../../support/fixtures.ts'

const FEED = `owner/${ALICE}`
const short = aPosition({ accountId: '2', size: exact('-1'), liquidationPrice: exact('2750') })

/** Alice's wallet, seen at noon with these positions. */
function seen(positions: Position[] = [aPosition(), short], over: Partial<Snapshot> = {}) {
  const { memory, prices, reads } = desk({ rules: [aRule()], ...over })
  prices(aMarket())
  reads(positions)
  for (const source of ['markets', 'market/100', FEED])
    memory.sources.lastSuccess.set(source, { at: NOON, mono: 1_000 })
  return memory
}
function wasBlind(memory: Drawers, source = FEED, chats = [1]): Drawers {
  const row = { source, since: NOON, why: 'no answer' }
  apply(memory, [{ is: 'outage', ...row }])
  for (const chatId of chats) apply(memory, [{ is: 'source', row: { ...row, chatId } }])
  return memory
}
/** What is said of a feed that has not answered at all. */
const goBlind = (memory: Drawers, source: string, now: number, why = 'no answer') =>
  blindTurn(memory, source, now, why).decisions
const blindTurn = (memory: Drawers, source: string, now: number, why: string): Outcome => {
  const { observed, reports } = turnBlind(memory, [{ sources: [source], why }], now)
  return { observed, decisions: decideAll(reports) }
}
type Fresh = Parameters<typeof turnSighted>[2]
const seeAgain = (memory: Drawers, source: string, seenNow: Fresh, now: number): Outcome => {
  const { observed, reports } = turnSighted({ ...lookAt(memory), now }, new Set([source]), seenNow)
  return { observed, decisions: decideAll(reports) }
}
const words = (decisions: Decision[]) =>
  decisions.map(({ notices: said }) =>
    plainLines(message(said.map(({ item }) => item)), { now: NOON, zone: 'UTC' }),
  )
const fresh = (price: string, positions: Position[]): Fresh => ({
  market: () => aMarket({ price: exact(price) }),
  positions: () => positions,
})

describe('when we cannot see, we say that we cannot see', () => {
  test('a wallet: since when, why, and what was last seen, nearest to liquidation first', () => {
    const memory = seen()
    expect(words(goBlind(memory, FEED, NOON + 60_000, 'the venue answers 500'))).toEqual([
      [
        '[BLIND] I can’t see wallet main',
        '  since 12:00 UTC: the venue answers 500',
        '  last seen: ETH short 10.0% from liquidation',
        '  last seen: ETH long 20.0% from liquidation',
        '  I’ll warn you if it gets worse, by live prices. Nothing counts as safe until I see it again.',
      ],
    ])
  })

  test('a reason that is too long is cut, and shows that it is', () => {
    const why = `The venue refused with status 503: ${'Dear customer, '.repeat(9)}`
    const [reason] = words(goBlind(seen(), FEED, NOON + 60_000, why))[0]?.slice(1) ?? []
    expect(reason).toBe(`  since 12:00 UTC: ${why.slice(0, 79)}…`)
  })

  test('the venue, and a market that is not listed any more', () => {
    const memory = seen()
    expect(words(goBlind(memory, 'markets', NOON))[0]?.slice(0, 2)).toEqual([
      '[BLIND] I can’t see the venue',
      '  since 12:00 UTC: no answer',
    ])
    expect(words(goBlind(memory, 'market/100', NOON))[0]?.[0]).toBe('[BLIND] I can’t see the market ETH')
    expect(words(goBlind(memory, 'market/100', NOON))[0]).toContain(
      '  last seen: ETH short 10.0% from liquidation',
    )
  })

  test('loudly, as a warning that does not go stale', () => {
    const [decision] = goBlind(seen(), FEED, NOON)
    expect(decision).toMatchObject({
      chatId: 1,
      transition: null,
      notices: [{ severity: 'warning', reason: 'outage', quiet: false }],
    })
    expect(decision?.effects).toEqual([
      { is: 'source', row: { source: FEED, chatId: 1, since: NOON, why: 'no answer' } },
    ])
  })

  test('and it is said once it is written down', () => {
    const memory = seen()
    const { observed, decisions } = blindTurn(memory, FEED, NOON, 'no answer')
    expect([memory.sources.blind.has(FEED), memory.sources.outageNotices.size]).toEqual([false, 0])
    apply(memory, [...observed, ...decisions.flatMap(({ effects }) => effects)])
    expect(memory.sources.blind.get(FEED)).toEqual({ since: NOON, why: 'no answer' })
    expect([...memory.sources.outageNotices.of(FEED).keys()]).toEqual([1])
  })

  test('of many positions the three nearest are named, the others are counted', () => {
    const many = Array.from({ length: 9 }, (_, n) => aPosition({ accountId: String(n) }))
    const lines = words(goBlind(seen(many), FEED, NOON))[0] ?? []
    expect(lines.filter((line) => line.includes('last seen'))).toHaveLength(3)
    expect(lines).toContain('  and 6 more')
  })

  test('within what a message holds, however long the names and the reason', () => {
    const many = Array.from({ length: 9 }, (_, n) => aPosition({ accountId: String(n) }))
    const memory = seen(many, { watches: [aWatch({ label: 'x'.repeat(200) })] })
    memory.markets.readings.set('100', { value: aMarket({ symbol: 'S'.repeat(200) }), at: NOON, mono: 0 })
    const [said] = goBlind(memory, FEED, NOON, 'why '.repeat(200))[0]?.notices ?? []
    expect(said && itemPoints(said.item)).toBeLessThanOrEqual(MESSAGE_CODE_POINTS)
    expect(said?.item.lines.at(-1)).toBeDefined()
  })
})

describe('who is told', () => {
  const chats = [1, 2, 3, 4].map((id) => aChat({ id, personId: id === 4 ? 2 : 1 }))
  const persons = [aPerson(), aPerson({ id: 2, operator: false, defaultChat: 4 })]
  const rules = [
    aRule({ id: 1, chatId: 1, wallet: ALICE }),
    aRule({ id: 2, chatId: 2, market: { id: '100', symbol: 'ETH' }, wallet: BOB }),
    aRule({ id: 3, chatId: 3 }),
    aRule({ id: 4, chatId: 4, personId: 2 }),
  ]
  const memory = () => seen([aPosition()], { chats, persons, rules })
  const told = (source: string) => goBlind(memory(), source, NOON).map(({ chatId }) => chatId)

  test.each([
    ['of a wallet: each chat with a rule that rests on it, once', FEED, [1, 3]],
    ['of a market: each chat that has a rule or a position there', 'market/100', [1, 2, 3]],
    ['of a market that nobody is in: nobody', 'market/200', []],
    ['of the venue: each chat with a rule', 'markets', [1, 2, 3, 4]],
  ])('%s', (_what, source, ids) => expect(new Set(told(source))).toEqual(new Set(ids)))

  test('of the venue also the operator, who has no rule', () => {
    const idle = desk({ rules: [] }).memory
    expect(goBlind(idle, 'markets', NOON).map(({ chatId }) => chatId)).toEqual([1])
    expect(goBlind(idle, FEED, NOON)).toEqual([])
    const homeless = desk({ rules: [], chats: [] }).memory
    expect(goBlind(homeless, 'markets', NOON)).toEqual([])
  })
})

describe('when we see again', () => {
  const blinded = (source = FEED, chats = [1]) => {
    const memory = seen()
    return wasBlind(memory, source, chats)
  }

  test('we say from when to when we did not, and how the positions stand against what was last seen', () => {
    const memory = blinded()
    const { decisions } = seeAgain(memory, FEED, fresh('2400', [aPosition(), short]), NOON + 7 * 60_000)
    expect(words(decisions)).toEqual([
      [
        '[RESOLVED] I can see wallet main again',
        '  I couldn’t see from 12:00 UTC to 12:07 UTC (7 min)',
        '  ETH short 14.6% from liquidation (was 10.0%)',
        '  ETH long 16.7% from liquidation (was 20.0%)',
      ],
    ])
    expect(decisions[0]).toMatchObject({
      effects: [
        { is: 'source-gone', source: FEED, chatId: 1 },
        { is: 'gap', gap: { chatId: 1, source: FEED, since: NOON, until: NOON + 7 * 60_000 } },
      ],
      notices: [{ quiet: true, reason: 'recovered' }],
    })
  })

  test('two positions of one side are not mistaken for each other', () => {
    const [near, far] = [aPosition({ liquidationPrice: exact('2250') }), aPosition({ accountId: '2' })]
    const memory = seen([near, far])
    wasBlind(memory)
    expect(words(seeAgain(memory, FEED, fresh('2500', [near, far]), NOON).decisions)[0]?.slice(2)).toEqual([
      '  ETH long 10.0% from liquidation (was 10.0%)',
      '  ETH long 20.0% from liquidation (was 20.0%)',
    ])
  })

  test('of a moment we say how long it was: two times of the clock would be one and the same', () => {
    const { decisions } = seeAgain(blinded(), FEED, fresh('2500', [aPosition()]), NOON + 21_000)
    expect(words(decisions)[0]?.[1]).toBe('  I couldn’t see for 21 s')
  })

  test('a price that has gone through is said so, without a figure below zero', () => {
    const [lines = []] = words(seeAgain(blinded(), FEED, fresh('1950', [aPosition()]), NOON).decisions)
    expect(lines.at(-1)).toBe('  ETH long past its liquidation price (was 20.0%)')
  })

  test('a position that is new has nothing to be compared with', () => {
    const added = aPosition({ accountId: '3' })
    const [lines = []] = words(seeAgain(blinded(), FEED, fresh('2500', [added]), NOON).decisions)
    expect(lines.at(-1)).toBe('  ETH long 20.0% from liquidation')
  })

  test('it is seen when that is written down, and a chat that could not be told is told the next time', () => {
    const memory = blinded(FEED, [1, 2])
    const { observed, decisions } = seeAgain(memory, FEED, fresh('2500', []), NOON)
    expect([memory.sources.blind.has(FEED), memory.sources.outageNotices.of(FEED).size]).toEqual([true, 2])
    const [first] = decisions
    apply(memory, [...observed, ...(first?.effects ?? [])])
    expect([memory.sources.blind.has(FEED), [...memory.sources.outageNotices.of(FEED).keys()]]).toEqual([
      false,
      [2],
    ])
    expect(seeAgain(memory, FEED, fresh('2500', []), NOON).decisions.map(({ chatId }) => chatId)).toEqual([2])
  })

  test('what was seen all along is no news', () => {
    expect(seeAgain(seen(), FEED, fresh('2500', []), NOON)).toEqual({ observed: [], decisions: [] })
  })
})
