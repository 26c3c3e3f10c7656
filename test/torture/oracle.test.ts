import { describe, expect, test } from 'vitest'

import { darknessFaults } from './darkness.ts'
import { readMessage } from './heard.ts'
import { createOracle } from './oracle.ts'
import { planOf } from './plan.ts'
import { type Due, judge } from './verdict.ts'
import { CALM, HOLDINGS, type World } from './world.ts'

// What judges the program must be able to find it guilty.

/** Both of one wallet; one person watches it. */
const [long, short] = (['long', 'short'] as const).map((side) =>
  HOLDINGS.find((one) => one.label === 'w1' && one.side === side),
)
const chat = 'telegram-0'
const olga = { chat, platform: 'telegram', labels: ['w1'] } as const
const name = (one: typeof long) => `w1 ${one?.symbol} ${one?.side}`
const at = (price: number, more: Partial<World> = {}): World => ({
  ...CALM,
  held: new Set([long?.id ?? 0]),
  prices: { ...CALM.prices, [long?.symbol ?? '']: price },
  ...more,
})
const owes = (...worlds: World[]) => {
  const oracle = createOracle([olga], at(200))
  return worlds.map((world) => oracle(world).map(({ what }) => what))
}
const liquidation = long?.liquidation ?? 0
/** The price at which it is so far from liquidation. */
const away = (share: number) => liquidation / (1 - share)

describe('what is owed', () => {
  test('each line that is crossed is told once, however long the price stays there', () => {
    expect(owes(at(away(0.19)), at(away(0.18)), at(away(0.04)), at(away(0.04)))).toEqual([
      ['worse 1'],
      [],
      ['worse 3'],
      [],
    ])
  })

  test('a line is cleared a good way behind it', () => {
    expect(owes(at(away(0.09)), at(away(0.11)), at(away(0.12)), at(away(0.24)))).toEqual([
      ['worse 2'],
      [],
      ['better 1'],
      ['clear'],
    ])
  })

  test('a position that goes is told as gone, and by its price whether it was liquidated, without an all-clear', () => {
    const nothing = { held: new Set<number>() }
    expect(owes(at(liquidation * 0.98), at(liquidation * 0.98, nothing))).toEqual([
      ['worse 4'],
      ['liquidated'],
    ])
    expect(owes(at(away(0.1)), at(away(0.1), nothing), at(200, nothing))).toEqual([
      ['worse 2'],
      ['closed'],
      [],
    ])
  })

  test('one that opens is told, and at once with the line that it is inside', () => {
    const both = { held: new Set([long?.id ?? 0, short?.id ?? 0]) }
    const oracle = createOracle([olga], at(100))
    expect(oracle(at(100, both)).map(({ about, what }) => [about, what])).toContainEqual([
      `existence of ${name(short)}`,
      'opened',
    ])
  })

  test('funding that turns is told in every chat', () => {
    expect(owes(at(200, { payers: { ...CALM.payers, SOL: 'shorts' } }))).toEqual([['flipped']])
  })
})

describe('the verdict', () => {
  const owed = ['worse 1', 'worse 3', 'clear'].map((what): Due => {
    return { chat, about: `distance of ${name(long)}`, what, servedAt: 1_000 }
  })
  const words: Record<string, string> = {
    'worse 1': ': 19.0% to liquidation (A1)\npast the 20% alert',
    'worse 3': ': 4.0% to liquidation (A1)\npast the 5% alert',
    'worse 3 again': ': 4.0% to liquidation (A1)\nReminder 1\npast the 5% alert',
    'worse 3 unseen': ': 4.0% to liquidation (A1)\nReminder 2\npast the 5% alert',
    'worse 3 beyond': ': 5.1% to liquidation (A1)\nReminder 3\n5% alert, clears at 5.75%',
    clear: ' is safe again: 24.0% from liquidation (A1)\noutside all alerts',
  }
  const hears = (...all: string[]) =>
    judge(
      owed,
      all.flatMap((one) => {
        const [what = '', mark] = one.split(', ')
        const [rest = '', ...lines] = (words[what] ?? '').split('\n')
        const title = `${mark ? '(possible repeat) ' : ''}🚨 ${long?.symbol} ${long?.side}${rest}`
        return readMessage(chat, [title, `2 ETH, $200 · w1`, ...lines].join('\n'), 1_500)
      }),
    )

  test('is good when everything came once, in its order, and may be said again while nobody answers', () => {
    const {
      lost,
      unmarked,
      false: wrong,
      doubled,
      lateMs,
    } = hears('worse 1', 'worse 3', 'worse 3 again', 'worse 3 unseen', 'worse 3 beyond', 'clear')
    expect({ lost, unmarked, wrong, doubled }).toEqual({ lost: [], unmarked: [], wrong: [], doubled: [] })
    expect(lateMs).toEqual([500, 500, 500])
  })

  test.each([
    ['something did not come', ['worse 1', 'clear'], { lost: 1 }],
    ['the last did not come', ['worse 1', 'worse 3'], { lost: 1 }],
    ['something came twice', ['worse 1', 'worse 3', 'worse 3', 'clear'], { unmarked: 1 }],
    ['it came twice and says so', ['worse 1', 'worse 3', 'worse 3, marked', 'clear'], { doubled: 1 }],
    ['a mark is on what never came before', ['worse 1, marked', 'worse 3', 'clear'], {}],
    [
      'an all-clear came that nothing is a reason for',
      ['worse 1', 'worse 3', 'clear', 'clear'],
      { unmarked: 1 },
    ],
    ['a line was never crossed', ['worse 1', 'worse 3', 'clear', 'worse 1'], { wrong: 1 }],
  ])('tells when %s', (_what, all, counts) => {
    const { lost, unmarked, false: wrong, doubled } = hears(...all)
    const found = {
      lost: lost.length,
      unmarked: unmarked.length,
      wrong: wrong.length,
      doubled: doubled.length,
    }
    expect(found).toEqual({ ...{ lost: 0, unmarked: 0, wrong: 0, doubled: 0 }, ...counts })
  })
})

test('of happenings that are alike each is counted by its own alert: a repeat of the first does not stand for the second', () => {
  const flips = [0, 1].map((): Due => ({ chat, about: 'funding of BTC', what: 'flipped', servedAt: null }))
  const flip = (alert: string, mark = '') =>
    readMessage(chat, `${mark}🔔 BTC funding flipped: shorts now pay longs (${alert})`, 0)
  const judged = (...heard: ReturnType<typeof readMessage>[]) => judge(flips, heard.flat())
  const repeat = flip('A1', '(possible repeat) ')
  expect(judged(flip('A1'), repeat, flip('A2'))).toMatchObject({ lost: [], unmarked: [], false: [] })
  expect(judged(flip('A1'), repeat).lost).toHaveLength(1)
  expect(judged(flip('A1'), flip('A1'), flip('A2')).unmarked).toHaveLength(1)
})

test('a repeat of what was said of a position does not stand for the same line of the next one there', () => {
  const about = `distance of ${name(long)}`
  const lines = [0, 1].map((): Due => ({ chat, about, what: 'worse 4', servedAt: null }))
  const line = (alert: string, mark = '') =>
    readMessage(
      chat,
      `${mark}🚨 ${name(long).slice(3)}: 1.1% to liquidation (${alert})\n2 ETH · w1\npast the 2.5% alert`,
      0,
    )
  const judged = (...heard: ReturnType<typeof readMessage>[]) => judge(lines, heard.flat())
  const repeat = line('A1', '(possible repeat) ')
  const none = { lost: [], unmarked: [], false: [] }
  expect(judged(line('A1'), repeat, line('A2'))).toMatchObject(none)
  expect(judged(line('A1'), line('A2'), line('A2', '(possible repeat) '))).toMatchObject(none)
  expect(judged(line('A1'), repeat).lost).toHaveLength(1)
  expect(judged(line('A1'), line('A1'), line('A2')).unmarked).toHaveLength(1)
})

test('a chat that is not told of a dark venue is found, and one that is not told of its return', () => {
  const [told, deaf, halfTold] = ['telegram-0', 'telegram-1', 'discord-2'] as const
  const says = (chat: string, what: string, at: number) => ({ chat, about: 'sight of the venue', what, at })
  const heard = [
    ...[says(told, 'blind', 20), says(told, 'recovered', 40)],
    // Of an earlier outage.
    ...[says(deaf, 'blind', 5), says(deaf, 'recovered', 40)],
    // Of an end that was told before the venue was back.
    ...[says(halfTold, 'blind', 20), says(halfTold, 'recovered', 25)],
  ]
  const found = (relit: number | null) =>
    darknessFaults(heard, [told, deaf, halfTold], { since: 10, relit }, 99).map(
      ({ chat, what }) => `${chat} ${what}`,
    )
  expect(found(null)).toEqual(['telegram-1 blind'])
  expect(found(30)).toEqual(['telegram-1 blind', 'discord-2 recovered'])
})

test('what is said of a dark venue and of its return is read, and a quiet sentence about sight is not', () => {
  const read = (text: string) => readMessage(chat, text, 0).map(({ about, what }) => `${about}: ${what}`)
  expect(read('⚠ I can’t see the venue\nsince 14:02: it does not answer')).toEqual([
    'sight of the venue: blind',
  ])
  expect(read('✅ I can see the venue again\nI couldn’t see for 2 min')).toEqual([
    'sight of the venue: recovered',
  ])
  expect(
    read('✅ I can see the venue again\nI couldn’t see for 12 s\nETH short past its liquidation price'),
  ).toEqual(['sight of the venue: recovered'])
  expect(read('I’ll tell you when I can see again.')).toEqual([])
})

test('a reminder of several alerts on Discord, which says so once below them all, is read', () => {
  const text =
    'CRITICAL: ETH long: 1.4% to liquidation (A81)\n2 ETH · w3\npast the 2.5% alert\n**SOL long: 3.3% to liquidation (A3)**\n' +
    '2 SOL · w1\npast the 5% alert\n-# Reminder 1. Tap Ack to stop these.'
  expect(readMessage(chat, text, 0).map(({ alert, again }) => [alert, again])).toEqual([
    ['A81', true],
    ['A3', true],
  ])
})

test('a plan is the same for the same seed, and has as many kills as were asked for', () => {
  const plan = () => planOf(7, 40, { traces: true, faults: true, darkness: true })
  expect(plan()).toEqual(plan())
  expect(plan().flatMap(({ kills }) => kills)).toHaveLength(40)
  expect(planOf(8, 40, { traces: true, faults: true, darkness: true })).not.toEqual(plan())
})
