import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Transition } from '../../../src/alert/alert.ts'
import { message, plainLines, plainText } from '../../../src/message/message.ts'
import { NOON } from '../../support/clock.ts'
import { levelNamed, story, titleOf } from '../../support/engine.ts'
import { aMarket, aPosition, exact, seenAt } from '../../support/fixtures.ts'

const kind = levelNamed('liquidation-distance')
const params = { tiers: [0.2, 0.1, 0.05, 0.025] }
const reader = { now: NOON, zone: 'UTC' }

/** Liquidated at 100; the distances are turned into the prices that have them. */
const longAt = (distance: number) =>
  seenAt(100 / (1 - distance), aPosition({ liquidationPrice: exact('100') }))
const shortAt = (distance: number) =>
  seenAt(100 / (1 + distance), aPosition({ size: exact('-2'), liquidationPrice: exact('100') }))

const stories: [string, number[], string][] = [
  ['fires once, however long the danger lasts', [0.3, 0.19, 0.18, 0.17, 0.18, 0.19], '1:0>1'],
  ['stays silent far away', [0.9, 0.5, 0.21, 0.3], ''],
  ['fires at the first reading, at the worst tier it is in', [0.04], '0:0>3'],
  ['gets worse at once, tier by tier', [0.3, 0.15, 0.09, 0.049, 0.02], '1:0>1 2:1>2 3:2>3 4:3>4'],
  ['tells a gap through three tiers once', [0.3, 0.04], '1:0>3'],
  ['is at the worst tier at the liquidation price, and beyond it', [0.3, 0, -0.1, 0.001], '1:0>4'],
  ['does not clear where it fired', [0.19, 0.201, 0.21, 0.22], '0:0>1'],
  ['clears a 20% line at 23%', [0.19, 0.2299, 0.2301], '0:0>1 2:1>0'],
  ['clears a 10% line at 11.5%, and stays in the 20% line', [0.09, 0.1149, 0.1151], '0:0>2 2:2>1'],
  ['eases through several tiers at once', [0.02, 0.15], '0:0>4 1:4>1'],
  ['clears altogether when the danger is far', [0.02, 0.5], '0:0>4 1:4>0'],
  ['fires anew after it has cleared', [0.19, 0.24, 0.19], '0:0>1 1:1>0 2:0>1'],
  ['worsens while it is still in the clear band of a milder tier', [0.09, 0.11, 0.049], '0:0>2 2:2>3'],
]

describe.each([
  ['long', longAt],
  ['short', shortAt],
])('an alert on the liquidation of a %s', (_side, at) => {
  test.each(stories)('%s', (_what, distances, told) => {
    expect(
      story(
        kind,
        params,
        distances.map((distance) => at(distance)),
      ),
    ).toBe(told)
  })

  test('a price that swings by 0.2% around a line is one alert, all day long', () => {
    const swings = Array.from({ length: 1_440 }, (_, minute) => at(0.1 + (minute % 2 === 0 ? 0.001 : -0.001)))
    expect(story(kind, params, [at(0.15), ...swings])).toBe('0:0>1 2:1>2')
  })

  test('touching a line is passing it', () => {
    const verdict = kind.judge(params, at(0.11))
    if (verdict === 'unknown' || !verdict.stableWithin) throw new Error('no bounds')
    const line = at === longAt ? verdict.stableWithin.below : verdict.stableWithin.above
    const touching = { ...at(0.11), price: line ?? 0 }
    expect(story(kind, params, [at(0.11), touching])).toBe('0:0>1 1:1>2')
  })

  test('a line is passed by far where as much is beyond it as it takes to clear it', () => {
    const beyond = (away: number) => kind.judge(params, at(away))
    expect(beyond(0.1701)).toMatchObject({ enter: 1, beyond: 0 })
    expect(beyond(0.1699)).toMatchObject({ enter: 1, beyond: 1 })
    expect(beyond(0.0849)).toMatchObject({ enter: 2, beyond: 2 })
  })

  test('the tier and the bounds say the same: inside them nothing changes', () => {
    const distances = fc.double({ min: -0.5, max: at === longAt ? 0.95 : 5, noNaN: true })
    const inside = fc.double({ min: 0.000001, max: 0.999999, noNaN: true })
    fc.assert(
      fc.property(distances, inside, (distance, share) => {
        const here = at(distance)
        const verdict = kind.judge(params, here)
        if (verdict === 'unknown' || !verdict.stableWithin) throw new Error('no bounds')
        const { below = 0, above = 1e9 } = verdict.stableWithin
        const price = below + (above - below) * share
        if (!(price > below && price < above)) return
        expect(kind.judge(params, { ...here, price })).toMatchObject({
          enter: verdict.enter,
          stay: verdict.stay,
          beyond: verdict.beyond,
        })
        expect(verdict.enter).toBeLessThanOrEqual(verdict.stay)
        expect(here.price >= below && here.price <= above).toBe(true)
      }),
    )
  })
})

describe('a position without a liquidation price', () => {
  const none = (price: number) => seenAt(price, aPosition({ liquidationPrice: null }))

  test('never fires, whatever the price does', () => {
    expect(story(kind, params, [2500, 100, 0.0001, 1e9].map(none))).toBe('')
  })

  test('is not looked at again because of a price', () => {
    expect(kind.judge(params, none(2500))).toEqual({
      enter: 0,
      stay: 0,
      value: Infinity,
      stableWithin: { of: 'price' },
    })
  })

  test('clears what was firing', () => {
    expect(story(kind, params, [longAt(0.04), none(105)])).toBe('0:0>3 1:3>0')
  })
})

describe('how loud a tier is', () => {
  test.each([
    [1, 'info', '20% line'],
    [2, 'warning', '10% line'],
    [3, 'critical', '5% line'],
    [4, 'critical', '2.5% line'],
  ])('tier %d is %s, the %s', (tier, severity, line) => {
    expect(kind.severity(params, tier)).toBe(severity)
    expect(plainText(kind.tier(params, tier), reader)).toBe(line)
  })

  test('a rule is described by its lines', () =>
    expect(plainText(kind.describe(params), reader)).toBe('at 20 / 10 / 5 / 2.5%'))
})

describe('the lines that people set', () => {
  test('are put in order, each once', () => {
    expect(kind.params.parse({ tiers: [0.05, 0.2, 0.05, 0.1] })).toEqual({ tiers: [0.2, 0.1, 0.05] })
  })

  test.each([
    [[]],
    [[0]],
    [[-0.1]],
    [[0.95]],
    [[0.1, Number.NaN]],
    [Array.from({ length: 9 }, (_, n) => (n + 1) / 20)],
  ])('%j is refused', (tiers) => {
    expect(kind.params.safeParse({ tiers }).success).toBe(false)
  })

  const lines = fc
    .uniqueArray(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 8 })
    .map((permille) => kind.params.parse({ tiers: permille.map((line) => line / 1_000) }) as typeof params)
  const lineAt = ({ tiers }: typeof params, tier: number) => tiers[tier - 1] ?? Infinity
  const entered = (set: typeof params, distance: number) => {
    const verdict = kind.judge(set, longAt(distance))
    return verdict === 'unknown' ? Number.NaN : lineAt(set, verdict.enter)
  }

  test('of several rules together tell all that each of them would', () => {
    const distance = fc.double({ min: -0.5, max: 0.95, noNaN: true })
    fc.assert(
      fc.property(lines, lines, distance, (one, other, at) => {
        const both = kind.merge([one, other]) as typeof params
        expect(entered(both, at)).toBe(Math.min(entered(one, at), entered(other, at)))
      }),
    )
  })

  test('may change while an alert stands: it stands at the nearest line that is not worse', () => {
    fc.assert(
      fc.property(lines, lines, fc.nat(8), (before, after, any) => {
        const tier = Math.min(any, before.tiers.length)
        const carried = kind.tierUnder(before, tier, after)
        expect(lineAt(after, carried)).toBeGreaterThanOrEqual(lineAt(before, tier))
        const next = after.tiers[carried]
        if (next !== undefined) expect(next).toBeLessThan(lineAt(before, tier))
      }),
    )
  })

  test('/watch arms lines that they may set', () => {
    expect(kind.params.parse(kind.armedByWatch)).toEqual(kind.armedByWatch)
  })
})

describe('the words', () => {
  const change = (over: Partial<Transition>): Transition => ({
    reason: 'fired',
    from: 0,
    to: 3,
    value: 0.048,
    at: NOON,
    alertId: 41,
    reminders: 0,
    ...over,
  })
  const told = (over: Partial<Transition>, subject = longAt(0.048)) =>
    plainLines(message([kind.tell(params, change(over), subject)]), reader)

  test('say what, how near, the prices, the size, what can be done, and then the details', () => {
    expect(told({})).toEqual([
      '[CRITICAL] ETH long: 4.8% to liquidation',
      '  $105.04 → $100.00 · main',
      '  2 ETH ($210) · PnL -$4,790',
      '  Add $10.65 margin → 10% away',
      '  Add $31.13 margin → 20% away',
      '  Or close a part of it',
      '  index price; past the 5% alert',
      '  price live, position live',
      '  Margin: a rough estimate',
      '  Closing: no quote yet',
    ])
  })

  test.each([
    ['easing', { from: 3, to: 2, value: 0.08 }, '[INFO] ETH long recovered to 8.0% from liquidation'],
    [
      'resolved',
      { from: 1, to: 0, value: 0.25 },
      '[RESOLVED] ETH long is safe again: 25.0% from liquidation',
    ],
    ['a warning', { from: 1, to: 2, value: 0.09 }, '[WARNING] ETH long: 9.0% to liquidation'],
    ['reached', { from: 3, to: 4, value: 0 }, '[CRITICAL] ETH long: at its liquidation price'],
    ['passed', { from: 3, to: 4, value: -0.02 }, '[CRITICAL] ETH long: past its liquidation price'],
    ['gone', { from: 3, to: 0, value: Infinity }, '[RESOLVED] ETH long has no liquidation price now'],
  ])('%s', (_what, over, title) => expect(told(over)[0]).toBe(title))

  test('say how far the price is past it where it has gone through', () => {
    const beyond = told({ from: 3, to: 4, value: -0.02 }, longAt(-0.02))
    expect(beyond[1]).toBe('  $98.039 is past $100.00 · main')
  })

  test('tell which line was cleared, and which one still stands', () => {
    expect(told({ from: 2, to: 1, value: 0.12 })).toContain('  10% alert cleared, 20% alert still on')
    expect(told({ from: 3, to: 0, value: 0.3 })).toContain('  index price; outside all alerts')
  })

  test('said again while it trembles beside its line claim no more than that', () => {
    expect(told({ from: 0, to: 3, value: 0.053, reason: 'reminder' })).toContain(
      '  index price; 5% alert, clears at 5.75%',
    )
    expect(told({ from: 3, to: 2, value: 0.11 })).toContain('  index price; 10% alert, clears at 11.5%')
  })

  test('give no advice where there is time', () => {
    expect(told({ to: 1, value: 0.19 }).join()).not.toMatch(/Add|close/)
  })

  test('say what happened while the bot was away', () => {
    const subject = { ...longAt(0.048), awaySince: NOON - 420_000 }
    expect(told({}, subject)[2]).toBe('  while I was away, 11:53 UTC to 12:00 UTC')
  })

  test('say the age of the figures from ten seconds on, beside the figures', () => {
    const read = (ms: number) => told({}, { ...longAt(0.048), positionAt: NOON - ms })[1]
    expect(read(9_900)).toBe('  $105.04 → $100.00 · main')
    expect(read(19_000)).toBe('  $105.04 → $100.00 · 19 s old · main')
    expect(told({}, { ...longAt(0.048), marketAt: NOON - 12_000 })[1]).toContain('12 s old')
  })

  test('fit nine lines of a phone, and their first line a lock screen', () => {
    const [title = '', ...lines] = told({}).slice(0, 6)
    expect(title.replace('[CRITICAL]', '🚨').length).toBeLessThanOrEqual(36)
    expect(lines.every((line) => line.trim().length <= 36)).toBe(true)
  })
})

describe('a position in a market that is delisted', () => {
  const delisted = (positionAt: number) => ({
    ...longAt(0.01),
    market: aMarket({ delisted: true }),
    ...{ marketAt: NOON, positionAt },
  })

  test('rings nobody, and takes nothing back, until its wallet was read again: it is settled, as a rule', () => {
    expect(kind.judge(params, delisted(NOON - 1))).toBe('unknown')
    expect(story(kind, params, [longAt(0.09), delisted(NOON - 1)])).toBe('0:0>2')
  })

  test('and is still there cannot be liquidated any more', () => {
    expect(story(kind, params, [longAt(0.09), delisted(NOON)])).toBe('0:0>2 1:2>0')
    const change = {
      at: NOON,
      from: 2,
      to: 0,
      value: Infinity,
      reason: 'resolved',
      alertId: 1,
      reminders: 0,
    } as const
    expect(titleOf(kind.tell(params, change, delisted(NOON)))).toBe('ETH long can’t be liquidated: delisted')
  })
})

test('a distance past the liquidation price is no negative one', () => {
  const words = (value: number) => plainText(kind.figure(value), { now: NOON, zone: 'UTC' })
  expect([words(0.043), words(-0.186)]).toEqual(['4.3%', '18.6% past it'])
})
