import { describe, expect, test } from 'vitest'
import { goBlind, patienceMs, seeAgain, wanted } from '../../src/engine/blind.ts'
import type { Fresh } from '../../src/engine/blind.ts'
import type { Outcome } from '../../src/engine/judge.ts'
import { codePoints, ITEM_CODE_POINTS, message, plainLines } from '../../src/message.ts'
import type { Position } from '../../src/position.ts'
import type { Remembered } from '../../src/store.ts'
import { NOON } from '../support/clock.ts'
import { desk } from '../support/engine.ts'
import { ALICE, aChat, aMarket, aPerson, aPosition, aRule, aWatch, BOB, exact } from '../support/fixtures.ts'

const PACE = { marketPollMs: 2_000, ownerPollMinMs: 2_000, ownerPollMaxMs: 60_000 }
const FEED = `owner/${ALICE}`
const short = aPosition({ accountId: '2', size: exact('-1'), liquidationPrice: exact('2750') })

/** Alice's wallet, seen at noon with these positions. */
function seen(positions: Position[] = [aPosition(), short], over: Partial<Remembered> = {}) {
  const { memory, prices, reads } = desk({ rules: [aRule()], ...over })
  prices(aMarket())
  reads(positions)
  for (const feed of ['markets', 'market/100', FEED]) memory.sight.set(feed, { at: NOON, tick: 1_000 })
  return memory
}
const words = (outcomes: Outcome[]) =>
  outcomes.map(({ said }) => plainLines(message(said.map(({ item }) => item)), { now: NOON, zone: 'UTC' }))
const fresh = (price: string, positions: Position[]): Fresh => ({
  market: () => aMarket({ price: exact(price) }),
  positions: () => positions,
})

describe('when we cannot see, we say that we cannot see', () => {
  test('a wallet: since when, why, and what was last seen, nearest to liquidation first', () => {
    const memory = seen()
    memory.trouble.set(FEED, 'the venue answers 500')
    expect(words(goBlind(memory, FEED, NOON + 60_000))).toEqual([
      [
        '[BLIND] I cannot see wallet main',
        '  since 12:00 UTC: the venue answers 500',
        '  last seen: ETH short 10.0 % from liquidation',
        '  last seen: ETH long 20.0 % from liquidation',
        '  Alerts stay as they were. I tell you when I see again.',
      ],
    ])
  })

  test('the venue, and a market that is not listed any more', () => {
    const memory = seen()
    expect(words(goBlind(memory, 'markets', NOON))[0]?.slice(0, 2)).toEqual([
      '[BLIND] I cannot see the venue',
      '  since 12:00 UTC: no answer so far',
    ])
    expect(words(goBlind(memory, 'market/100', NOON))[0]?.[0]).toBe('[BLIND] I cannot see the market ETH')
    expect(words(goBlind(memory, 'market/100', NOON))[0]).toContain(
      '  last seen: ETH short 10.0 % from liquidation',
    )
  })

  test('loudly, as a warning that does not go stale', () => {
    const [outcome] = goBlind(seen(), FEED, NOON)
    expect(outcome).toMatchObject({
      chatId: 1,
      transition: null,
      said: [{ severity: 'warning', quiet: false }],
    })
    expect(outcome?.writes).toEqual([
      { is: 'feed', row: { feed: FEED, chatId: 1, since: NOON, why: 'no answer so far' } },
    ])
  })

  test('and it is said once it is written down', () => {
    const memory = seen()
    const [outcome] = goBlind(memory, FEED, NOON)
    expect(memory.feeds.has(FEED)).toBe(false)
    outcome?.apply()
    expect(memory.feeds.get(FEED)).toEqual({ since: NOON, why: 'no answer so far', chats: new Set([1]) })
  })

  test('of many positions the three nearest are named, the others are counted', () => {
    const many = Array.from({ length: 9 }, (_, n) => aPosition({ accountId: String(n) }))
    const lines = words(goBlind(seen(many), FEED, NOON))[0] ?? []
    expect(lines.filter((line) => line.includes('last seen'))).toHaveLength(3)
    expect(lines).toContain('  and 6 more')
  })

  test('within what an item holds, however long the names and the reason', () => {
    const many = Array.from({ length: 9 }, (_, n) => aPosition({ accountId: String(n) }))
    const memory = seen(many, { watches: [aWatch({ label: 'x'.repeat(200) })] })
    memory.markets.set('100', { value: aMarket({ symbol: 'S'.repeat(200) }), at: NOON, tick: 0 })
    memory.trouble.set(FEED, 'why '.repeat(200))
    const [said] = goBlind(memory, FEED, NOON)[0]?.said ?? []
    const length = [said?.item.title ?? '', ...(said?.item.lines ?? [])].reduce(
      (sum, text) => sum + codePoints(text) + 1,
      -1,
    )
    expect(length).toBeLessThanOrEqual(ITEM_CODE_POINTS)
  })
})

describe('who is told', () => {
  const chats = [1, 2, 3, 4].map((id) => aChat({ id, personId: id === 4 ? 2 : 1 }))
  const persons = [aPerson(), aPerson({ id: 2, operator: false, defaultChat: 4 })]
  const rules = [
    aRule({ id: 1, chatId: 1, owner: ALICE }),
    aRule({ id: 2, chatId: 2, market: { id: '100', symbol: 'ETH' }, owner: BOB }),
    aRule({ id: 3, chatId: 3 }),
    aRule({ id: 4, chatId: 4, personId: 2 }),
  ]
  const memory = () => seen([aPosition()], { chats, persons, rules })
  const told = (feed: string) => goBlind(memory(), feed, NOON).map(({ chatId }) => chatId)

  test.each([
    ['of a wallet: each chat with a rule that rests on it, once', FEED, [1, 3]],
    ['of a market: each chat that has a rule or a position there', 'market/100', [1, 2, 3]],
    ['of a market that nobody is in: nobody', 'market/200', []],
    ['of the venue: each chat with a rule', 'markets', [1, 2, 3, 4]],
  ])('%s', (_what, feed, ids) => expect(told(feed)).toEqual(ids))

  test('of the venue also the operator, who has no rule', () => {
    const idle = desk({ rules: [] }).memory
    expect(goBlind(idle, 'markets', NOON).map(({ chatId }) => chatId)).toEqual([1])
    expect(goBlind(idle, FEED, NOON)).toEqual([])
  })
})

describe('when we see again', () => {
  const blinded = (feed = FEED, chats = [1]) => {
    const memory = seen()
    memory.feeds.set(feed, { since: NOON, why: 'no answer', chats: new Set(chats) })
    return memory
  }

  test('we say from when to when we did not, and how the positions stand against what was last seen', () => {
    const memory = blinded()
    const outcomes = seeAgain(memory, FEED, fresh('2400', [aPosition(), short]), NOON + 7 * 60_000)
    expect(words(outcomes)).toEqual([
      [
        '[CLEARED] I see wallet main again',
        '  I was blind from 12:00 UTC to 12:07 UTC (7 min)',
        '  ETH short 14.6 % from liquidation (was 10.0 %)',
        '  ETH long 16.7 % from liquidation (was 20.0 %)',
      ],
    ])
    expect(outcomes[0]).toMatchObject({
      writes: [{ is: 'feed-gone', feed: FEED, chatId: 1 }],
      said: [{ quiet: true }],
    })
  })

  test('two positions of one side are not mistaken for each other', () => {
    const [near, far] = [aPosition({ liquidationPrice: exact('2250') }), aPosition({ accountId: '2' })]
    const memory = seen([near, far])
    memory.feeds.set(FEED, { since: NOON, why: 'no answer', chats: new Set([1]) })
    expect(words(seeAgain(memory, FEED, fresh('2500', [near, far]), NOON))[0]?.slice(2)).toEqual([
      '  ETH long 10.0 % from liquidation (was 10.0 %)',
      '  ETH long 20.0 % from liquidation (was 20.0 %)',
    ])
  })

  test('a position that is new has nothing to be compared with', () => {
    const added = aPosition({ accountId: '3' })
    const [lines = []] = words(seeAgain(blinded(), FEED, fresh('2500', [added]), NOON))
    expect(lines.at(-1)).toBe('  ETH long 20.0 % from liquidation')
  })

  test('it counts as seen at once, unless that cannot be written down', () => {
    const memory = blinded(FEED, [1, 2])
    const [, second] = seeAgain(memory, FEED, fresh('2500', []), NOON)
    expect(memory.feeds.has(FEED)).toBe(false)
    second?.failed?.()
    expect(memory.feeds.get(FEED)).toEqual({ since: NOON, why: 'no answer', chats: new Set([2]) })
  })

  test('what was seen all along is no news', () => {
    expect(seeAgain(seen(), FEED, fresh('2500', []), NOON)).toEqual([])
  })
})

describe('how long it may be dark', () => {
  test.each([
    ['the markets: their poll and ten seconds', 'markets', false, 12_000],
    ['one market: the same', 'market/100', false, 12_000],
    ['a wallet far from danger: its poll and three minutes', FEED, false, 240_000],
    ['a wallet near danger: its poll and half a minute', FEED, true, 32_000],
  ])('%s', (_what, feed, inDanger, ms) => {
    const { memory } = desk()
    if (inDanger) memory.danger.set(ALICE, new Set(['7|x']))
    expect(patienceMs(memory, feed, PACE)).toBe(ms)
  })
})

test('a feed is wanted while something rests on it', () => {
  const memory = seen()
  const all = ['markets', FEED, 'market/100', `owner/${BOB}`, 'market/200']
  expect(all.map((feed) => wanted(memory, feed))).toEqual([true, true, true, false, false])
})
