import { expect, test } from 'vitest'

import type { Backtest } from '../../../src/alert/backtest.ts'
import { backtestLines } from '../../../src/commands/alerts/backtest-lines.ts'
import { plainText } from '../../../src/message/message.ts'
import { NOON } from '../../support/clock.ts'
import { levelNamed } from '../../support/engine.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const about = 'ETH long · main'

function lines(over: Partial<Backtest>): string[] {
  const nothing = {
    now: [],
    unseen: 0,
    since: null,
    fired: [],
    gaps: [],
    byMinute: false,
    cut: false,
    later: [],
    beside: [],
  }
  const would: Backtest = { kind: levelNamed('liquidation-distance'), ...nothing, ...over }
  return backtestLines(would, NOON, { named: false }).map((line) =>
    plainText(line, { now: NOON, zone: 'UTC' }),
  )
}
const told = (over: Partial<Backtest>) => lines(over).slice(1).join(' | ')
const fired = (...hoursAgo: number[]) =>
  hoursAgo.map((hours) => ({ at: NOON - hours * HOUR, about, tier: 1 }))

test.each([
  ['nothing is recorded', {}, 'No record yet: I can’t say how often it would have fired.'],
  [
    'it is judged by orders',
    { kind: levelNamed('no-stop'), since: NOON - 8 * DAY },
    'No record of orders: I can’t say how often it would have fired.',
  ],
  ['the record has begun just now', { since: NOON - 5_000 }, 'No price history yet; ask again in an hour.'],
  [
    'the record is shorter than a day',
    { since: NOON - 5 * HOUR, fired: fired(4, 2) },
    'would have fired 2 times in the 5 h on record | last 2 h ago: ETH long · main',
  ],
  [
    'it is shorter than a week',
    { since: NOON - 3 * DAY, fired: fired(60, 50, 3) },
    'would have fired once in 24 h, 3 times in the 3 d on record | last 3 h ago: ETH long · main',
  ],
  [
    'the whole week is recorded, and what was before it does not count',
    { since: NOON - 8 * DAY, fired: fired(180, 30, 29) },
    'would have fired 2 times in 7 days, not once in 24 h | last 1 d 5 h ago: ETH long · main',
  ],
  ['it would have been quiet', { since: NOON - 8 * DAY, fired: fired(180) }, 'wouldn’t have fired in 7 days'],
  [
    'a part of the time was not seen',
    { since: NOON - 8 * DAY, gaps: [{ since: NOON - 10 * HOUR, until: NOON - 8 * HOUR }] },
    'wouldn’t have fired in 7 days | I couldn’t see 2 h of that time',
  ],
  [
    'some of its wallets were added later',
    {
      since: NOON - 8 * DAY,
      later: [
        { wallet: 'second', since: NOON - 2 * HOUR },
        { wallet: 'third', since: null },
      ],
    },
    'wouldn’t have fired in 7 days | second: only 2 h recorded | third: no record',
  ],
  [
    'other rules stand behind the same alerts',
    { since: NOON - 8 * DAY, fired: fired(30), beside: [1, 4, 5, 9] },
    'would have fired once in 7 days, not once in 24 h | counted together with R1, R4, R5 and 1 more, as it would ring | last 1 d 6 h ago: ETH long · main',
  ],
  [
    'only minutes are known, and there is more than can be looked through',
    { since: NOON - 8 * DAY, byMinute: true, cut: true },
    'wouldn’t have fired in 7 days | Part of it is recorded by the minute: shorter moves may be missing. | That is only a part: name a market or a wallet for all of it.',
  ],
])('when %s', (_when, over, words) => {
  expect(told(over)).toBe(words)
})

const seen = (tier: number) => ({ about, figure: '4.8%', apart: null, tier, dueInMs: null })
test.each([
  ['there is none', {}, 'now: nothing to watch for it yet'],
  ['it cannot be seen', { unseen: 1 }, 'now: I can’t see it'],
  [
    'its orders are read for nobody yet',
    { kind: levelNamed('no-stop'), unseen: 2 },
    'now: unknown, I haven’t read orders yet',
  ],
  [
    'a part of it cannot be seen',
    { now: [seen(1), seen(0)], unseen: 2 },
    'now: ETH long · main 4.8% (already past it), ETH long · main 4.8%; 2 more I can’t see',
  ],
])('of now, when %s', (_when, over, words) => {
  expect(lines(over)[0]).toBe(words)
})
