import { describe, expect, test } from 'vitest'

import { monitorKey } from '../../../src/alert/monitor.ts'
import { apply } from '../../../src/engine/memory/apply.ts'
import type { Drawers } from '../../../src/engine/memory/memory.ts'
import { decideAll } from '../../../src/engine/monitors/turn.ts'
import { lookAfter, overdue, patienceMs, startWatching } from '../../../src/engine/outage/sources.ts'
import { sourceOf } from '../../../src/venue/source.ts'
import { NOON } from '../../support/clock.ts'
import { desk } from '../../support/engine.ts'
import { aChat, aMonitor, ALICE, aMarket, aPosition, aRule, BOB } from '../../support/fixtures.ts'

const PERIODS = { marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs: 60_000 }
const FEED = `owner/${ALICE}`

/** Everything was last seen at tick 1000. */
function seen(): Drawers {
  const { memory, prices, reads } = desk({ rules: [aRule()] })
  prices(aMarket())
  reads([aPosition()])
  for (const source of ['markets', 'market/100', FEED])
    memory.sources.lastSuccess.set(source, { at: NOON, mono: 1_000 })
  return memory
}
function endanger(memory: Drawers): void {
  const monitor = aMonitor()
  const figures = { value: 0.04, danger: true, marketId: '100', until: undefined, wakeAt: null }
  apply(memory, [{ is: 'judged', key: monitorKey(monitor), monitor, ...figures }])
}

/** A look at it has failed. */
function fails(memory: Drawers, source = FEED, mono = 1_000): void {
  apply(memory, [{ is: 'trouble', source, why: 'status 500', mono }])
}

describe('how long it may be dark', () => {
  test.each([
    ['the markets: their poll and ten seconds', 'markets', false, 12_000],
    ['one market: the same', 'market/100', false, 12_000],
    ['a wallet far from danger: its poll and three minutes', FEED, false, 240_000],
    ['a wallet near danger: its poll and half a minute', FEED, true, 32_000],
  ])('%s', (_what, source, inDanger, ms) => {
    const memory = seen()
    if (inDanger) endanger(memory)
    fails(memory, source)
    expect(patienceMs(memory, sourceOf(source), PERIODS)).toBe(ms)
    expect(lookAfter(memory, source, PERIODS)).toBe(1_000 + ms)
  })
})

describe('a wallet', () => {
  const due = (memory: Drawers) => lookAfter(memory, FEED, PERIODS)

  test('that nobody has looked at in vain is not blind, however long it waits for its turn', () => {
    const memory = seen()
    expect(due(memory)).toBeNull()
    expect(overdue(memory, [FEED], PERIODS, { at: NOON, mono: 9_999_000 })).toEqual({
      observed: [],
      decisions: [],
    })
    endanger(memory)
    expect(due(memory)).toBeNull()
  })

  test('is dark so long after the first look that failed, whatever the others did', () => {
    const memory = seen()
    fails(memory, FEED, 301_000)
    fails(memory, FEED, 400_000)
    expect(due(memory)).toBe(301_000 + 180_000)
    endanger(memory)
    expect(due(memory)).toBe(301_000 + 30_000)
  })

  test('is not missed before it was due', () => {
    const memory = seen()
    fails(memory, FEED, 2_000)
    expect(due(memory)).toBe(1_000 + 60_000 + 180_000)
  })

  test('begins anew once it was seen', () => {
    const memory = seen()
    fails(memory, FEED, 301_000)
    apply(memory, [{ is: 'seen', source: FEED, at: NOON, mono: 310_000 }])
    expect(due(memory)).toBeNull()
    fails(memory, FEED, 400_000)
    expect(due(memory)).toBe(400_000 + 180_000)
  })

  test('that an earlier run has missed does not begin anew with a start', () => {
    const memory = seen()
    memory.sources.lastSuccess.set(FEED, { at: NOON - 99_000, mono: -98_000 })
    apply(memory, [{ is: 'dark', source: FEED, since: NOON - 99_000 }])
    expect(due(memory)).toBeNull()
    fails(memory, FEED, 2_000)
    expect(due(memory)).toBe(-98_000 + 60_000 + 180_000)
  })
})

test('a feed is looked after while something rests on it, since it is wanted', () => {
  const memory = seen()
  for (const source of [FEED, `owner/${BOB}`]) fails(memory, source)
  const sources = ['markets', FEED, 'market/100', `owner/${BOB}`, 'market/200']
  for (const source of sources.slice(3)) memory.sources.lastSuccess.set(source, { at: NOON, mono: 1_000 })
  expect(sources.map((source) => lookAfter(memory, source, PERIODS) !== null)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
  expect(overdue(memory, ['market/200'], PERIODS, { at: NOON, mono: 99_000 })).toEqual({
    observed: [{ is: 'unwanted', source: 'market/200' }],
    decisions: [],
  })
  expect(startWatching(memory, FEED, { at: NOON, mono: 9_000 })).toEqual([])
  apply(memory, [{ is: 'unwanted', source: FEED }])
  expect(lookAfter(memory, FEED, PERIODS)).toBeNull()
  expect(startWatching(memory, FEED, { at: NOON, mono: 9_000 })).toEqual([
    { is: 'seen', source: FEED, at: NOON, mono: 9_000 },
  ])
})

describe('what is overdue', () => {
  const due = (source: string, mono: number, prepare: (memory: Drawers) => void = () => {}) => {
    const memory = seen()
    prepare(memory)
    const { observed, reports } = overdue(memory, [source], PERIODS, { at: NOON + mono, mono })
    return { observed, decisions: reports ? decideAll(reports) : [] }
  }
  const listed = (mono: number) => (memory: Drawers) => {
    memory.sources.lastSuccess.set('markets', { at: NOON, mono })
    memory.markets.lists.lastMono.set(null, mono)
  }

  test('is blind, with the reason why the last try failed', () => {
    const failed = (memory: Drawers) =>
      apply(memory, [{ is: 'trouble', source: 'markets', why: 'status 500', mono: 3_000 }])
    expect(due('markets', 13_000, failed).observed).toEqual([
      { is: 'outage', source: 'markets', since: NOON, why: 'status 500', at: NOON + 13_000 },
    ])
    expect(due('markets', 13_000).observed).toMatchObject([{ why: 'no answer' }])
    expect(due('market/100', 13_000, listed(12_000)).observed).toMatchObject([
      { why: 'the venue does not list it' },
    ])
    // Lists of other dexes were read meanwhile: that says nothing of this one.
    const others = (memory: Drawers) => {
      const { mono } = memory.markets.readings.get('100') ?? { mono: 0 }
      listed(60_000)(memory)
      memory.markets.lists.lastMono.set(null, mono)
    }
    expect(due('market/100', 60_000, others).observed).toMatchObject([{ why: 'no answer' }])
  })

  test('is told to whoever does not know it yet: the same as those who were told', () => {
    const told = { source: FEED, chatId: 1, since: NOON - 5, why: 'status 500' }
    const { observed, decisions } = due(FEED, 999_000, (memory) =>
      apply(memory, [
        { is: 'outage', ...told },
        { is: 'source', row: told },
        { is: 'chat', chat: aChat({ id: 2, private: false }) },
        { is: 'rule', rule: aRule({ id: 8, chatId: 2, wallet: ALICE }) },
      ]),
    )
    expect(observed).toEqual([])
    expect(decisions.map(({ effects }) => effects)).toEqual([[{ is: 'source', row: { ...told, chatId: 2 } }]])
  })

  test.each([
    ['before its time', 'markets', 12_999, () => {}],
    [
      'twice',
      'markets',
      13_000,
      (memory) =>
        apply(memory, [
          { is: 'outage', source: 'markets', since: NOON, why: '' },
          { is: 'source', row: { source: 'markets', chatId: 1, since: NOON, why: '' } },
        ]),
    ],
    [
      'of a wallet while the venue is dark',
      FEED,
      999_000,
      (memory) => apply(memory, [{ is: 'outage', source: 'markets', since: NOON, why: '' }]),
    ],
    ['of a market while there is no newer list that lacks it', 'market/100', 13_000, () => {}],
    ['of a market while the list itself is late', 'market/100', 13_000, listed(8_999)],
  ] as [string, string, number, (memory: Drawers) => void][])(
    'is not said %s',
    (_what, source, mono, prepare) =>
      expect(due(source, mono, prepare)).toEqual({ observed: [], decisions: [] }),
  )
})
