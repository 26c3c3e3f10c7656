import { describe, expect, test } from 'vitest'

import { message, plainLines } from '../../../src/message/message.ts'
import type { Twap } from '../../../src/venue/record/twap.ts'
import { NOON } from '../../support/clock.ts'
import { eventNamed, occurrences } from '../../support/engine.ts'
import { aPosition, aTwap, exact, holding } from '../../support/fixtures.ts'

const kind = eventNamed('twap')
const MINUTE_MS = 60_000

/** The wallet with its ETH long, and these TWAPs in the list of this look; null where it was not read. */
const look = (place: number, twaps: readonly Twap[] | null, positions = [aPosition()]) => {
  const now = NOON + place * MINUTE_MS
  return holding(positions, { now, positionAt: now, ...(twaps && { twaps: { all: twaps, at: now } }) })
}
const told = (...lists: (readonly Twap[] | null)[]) =>
  occurrences(
    kind,
    {},
    lists.map((twaps, place) => look(place, twaps)),
  )

const done = { size: exact('2'), notionalUsd: exact('6824') }
const part = { size: exact('0.5'), notionalUsd: exact('1706') }
const running = aTwap({ startedAt: NOON + 1_000 })
const waiting: Twap = { ...running, state: 'waiting', trigger: { price: exact('3000'), above: false } }
const finished: Twap = { ...running, state: 'finished', filled: done, at: NOON + 90_000 }
const failed: Twap = { ...finished, state: 'failed', filled: part, why: 'too little margin' }
const old = aTwap({ id: '3', startedAt: NOON - 3_600_000 })

describe('a TWAP', () => {
  test.each([
    [
      'is told when it starts and when it is finished, each once',
      [[], [running], [running], [finished], [finished]],
      '1:started 3:finished',
    ],
    [
      'that ran already at the first look is told at its end alone',
      [[old], [old], [{ ...old, state: 'finished' as const }]],
      '2:finished',
    ],
    ['that had ended at the first look is no news', [[finished], [finished]], ''],
    ['that came and ended between two looks is told once, by its end', [[], [finished]], '1:finished'],
    [
      'that waits for its trigger is no news until it starts',
      [[], [waiting], [waiting], [{ ...running, startedAt: NOON + 120_000 }]],
      '3:started',
    ],
    [
      'that waits and is called off is told',
      [[], [waiting], [{ ...waiting, state: 'cancelled' as const }]],
      '2:cancelled',
    ],
    [
      'that is stopped or fails is told as that',
      [[], [running], [failed], [failed, { ...finished, id: '8', state: 'stopped' as const }]],
      '1:started 2:failed 3:stopped',
    ],
    [
      'that a list lacks stays as it was, and its end is told later',
      [[], [running], [], [], [finished], []],
      '1:started 4:finished',
    ],
    [
      'is not told again by a list that lags',
      [[], [running], [finished], [running], [finished]],
      '1:started 2:finished',
    ],
    [
      'is not told again where a list forgets it for a while',
      [[], [running], [finished], [], [finished]],
      '1:started 2:finished',
    ],
    [
      'that no look has read is not missed by the next',
      [[], null, null, [running], null, [finished]],
      '3:started 5:finished',
    ],
    [
      'that had ended before the rule and shows up late is no news',
      [[], [{ ...old, state: 'finished' as const, at: NOON - 1_800_000 }]],
      '',
    ],
    [
      'that came between the rule and a first list that was late is told',
      [null, null, [running]],
      '2:started',
    ],
    [
      'that came and went between the rule and a late first list is told by its end',
      [null, null, null, [finished]],
      '3:finished',
    ],
    [
      'that ran before the rule and ended before a late first list is told by its end',
      [null, null, null, [{ ...old, state: 'stopped' as const, at: NOON + 60_000 }]],
      '3:stopped',
    ],
    [
      'that ran or had ended before the rule is no news in a late first list',
      [null, null, [old, { ...old, id: '4', state: 'finished' as const, at: NOON - 1_000 }]],
      '',
    ],
    [
      'that the first list lacked because it lagged is told',
      [[], [{ ...running, startedAt: NOON - 60_000 }]],
      '1:started',
    ],
    [
      'of a market is told with others of it, and apart from other markets',
      [[], [running, { ...running, id: '8' }, { ...running, id: '9', marketId: '200' }]],
      '1:started 1:started',
    ],
  ])('%s', (_what, lists, expected) => expect(told(...(lists as Twap[][]))).toBe(expected))

  test('survives a restart: the state is plain data that knows what was told', () => {
    const first = kind.detect({}, undefined, look(0, []))
    const second = kind.detect({}, first.state, look(1, [running]))
    const again = JSON.parse(JSON.stringify(second.state)) as unknown
    expect(second.occurrences.map(({ what }) => what)).toEqual(['started'])
    expect(kind.detect({}, again, look(2, [running])).occurrences).toEqual([])
    expect(kind.detect({}, again, look(200, [finished])).occurrences.map(({ what }) => what)).toEqual([
      'finished',
    ])
  })

  test('of ten thousand the newest are known, and nothing is told twice of those', () => {
    const many = Array.from({ length: 10_000 }, (_, at) =>
      aTwap({ id: `${at}`, startedAt: NOON + at, at: NOON + at }),
    )
    const first = kind.detect({}, undefined, look(0, []))
    const second = kind.detect({}, first.state, look(1, many))
    expect(second.occurrences).toHaveLength(1)
    expect(JSON.stringify(second.state).length).toBeLessThan(200_000)
    expect(kind.detect({}, second.state, look(2, many.slice(-2_000))).occurrences).toEqual([])
  })
})

/** The message of what is news in the last list. */
function says(positions: Parameters<typeof look>[2], ...twaps: Twap[]): string[] {
  const first = kind.detect({}, undefined, look(0, []))
  const subject = look(2, twaps, positions)
  const [one] = kind.detect({}, first.state, subject).occurrences
  if (!one) return []
  return [
    kind.severity({}, one),
    ...plainLines(message([kind.tell({}, one, subject)]), { now: NOON, zone: 'UTC' }).map((line) =>
      line.trim(),
    ),
  ]
}
const long = [aPosition({ size: exact('5') })]

describe('its message', () => {
  test('of a start: what, how long, until which price', () => {
    expect(says([], { ...running, priceLimit: exact('3600') })).toEqual([
      'info',
      '[INFO] ETH TWAP started: buy 2 ETH',
      'over 1 h · stops at $3,600.00',
      'main',
    ])
  })

  test('of an end: what it did and at what average, in one line for the lock screen', () => {
    const sold = {
      ...finished,
      size: exact('-12'),
      filled: { size: exact('12'), notionalUsd: exact('40944') },
    }
    expect(says([], sold)).toEqual([
      ...['info', '[INFO] ETH TWAP finished: sold 12 ETH at $3,412.00 on average', '100% done', 'main'],
    ])
  })

  test('of a failure: how far it came, and why', () => {
    expect(says([], failed)).toEqual([
      ...['warning', '[WARNING] ETH TWAP failed', 'bought 0.5 ETH at $3,412.00 on average · 25% done'],
      ...['reason: too little margin', 'main'],
    ])
  })

  test('of one that was to close a position and left some of it: a warning', () => {
    const exit: Twap = { ...finished, state: 'stopped', size: exact('-2'), filled: part }
    expect(says(long, exit)).toEqual([
      ...['warning', '[WARNING] ETH TWAP stopped by its price limit'],
      ...['sold 0.5 ETH at $3,412.00 on average · 25% done'],
      ...['The position it was meant to reduce is still open.', 'main'],
    ])
    // Its trader knows, and one that did all of it has nothing left to do.
    expect(says(long, { ...exit, state: 'cancelled' })[0]).toBe('info')
    expect(says(long, { ...exit, state: 'finished', filled: { ...done } })[0]).toBe('info')
    expect(says([], exit)[0]).toBe('info')
  })

  test('of one that filled nothing claims no price', () => {
    const nothing = { ...failed, filled: { size: 0n, notionalUsd: 0n } }
    expect(says([], nothing)[2]).toBe('nothing filled · 0% done')
  })

  test('of many is one message that counts them', () => {
    const many = Array.from({ length: 12 }, (_, at) => ({ ...finished, id: String(at) }))
    const lines = says([], ...many)
    expect(lines[1]).toBe('[INFO] ETH: 12 TWAPs finished')
    expect(lines).toHaveLength(7)
    expect(lines[5]).toContain('9 more')
  })
})
