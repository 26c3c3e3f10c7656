import { describe, expect, test } from 'vitest'

import type { WalletSubject } from '../../../src/alert/subject.ts'
import { fromJson, toJson } from '../../../src/lib/text/json.ts'
import { message, plainLines } from '../../../src/message/message.ts'
import type { Position } from '../../../src/venue/position.ts'
import { NOON } from '../../support/clock.ts'
import { eventNamed, occurrences } from '../../support/engine.ts'
import { aMarket, anAccount, aPosition, exact, holding } from '../../support/fixtures.ts'

const kind = eventNamed('liquidation-moved')
const usual = { by: 0.1 }

/** Two ETH that are liquidated at this; the price is 2500. */
const eth = (line: number | null, over: Partial<Position> = {}) =>
  aPosition({ liquidationPrice: line === null ? null : exact(String(line)), ...over })
const short = (line: number | null) => eth(line, { size: exact('-2') })

let places = 0
/** Each look is at a time of its own. */
const look = (positions: Position[], over: Partial<WalletSubject> = {}) =>
  holding(positions, { positionAt: NOON - 60_000 + ++places, ...over })
const story = (readings: Position[][], params = usual) =>
  occurrences(
    kind,
    params,
    readings.map((positions) => look(positions)),
  )
const lines = (...all: (number | null)[]) => all.map((line) => [eth(line)])

describe('a liquidation price that comes nearer by itself', () => {
  test.each([
    ['is told from a tenth of the distance on', lines(2000, 2049, 2051), '2:nearer'],
    ['is told once, and again for the next tenth', lines(2000, 2051, 2060, 2099), '1:nearer 3:nearer'],
    ['is not told at the first look', lines(2000), ''],
    ['is not told when it goes away', lines(2000, 1500, 1000), ''],
    ['is measured from where it went to', lines(2000, 1900, 1950, 1961), '3:nearer'],
    ['does not follow what only trembles', lines(2000, 1995, 2048, 1995, 2048), ''],
    ['is told at last when it creeps', lines(2000, 2010, 2020, 2030, 2040, 2051), '5:nearer'],
    ['is not told so near that a tenth is nothing', lines(2460, 2465, 2470), ''],
    ['is not told where it is far away', lines(100, 700, 1200), ''],
    ['is told when there was none', lines(null, 1500), '1:nearer'],
    ['is not told when there is none any more', lines(2000, null), ''],
    ['is not told past the price: others do that', lines(2600, 2700), ''],
    ['is not told when its size changes', [[eth(2000)], [eth(2200, { size: exact('3') })]], ''],
    [
      'is told from the new size on',
      [[eth(2000)], [eth(2100, { size: exact('3') })], [eth(2200, { size: exact('3') })]],
      '2:nearer',
    ],
    ['is not told of a position that is new', [[], [eth(2200)]], ''],
    ['is told of a short as well', [[short(3000)], [short(2951)], [short(2949)]], '2:nearer'],
    ['is not told of a short when it goes away', [[short(3000)], [short(4000)]], ''],
    ['is told of a short that had none', [[short(null)], [short(3000)]], '1:nearer'],
    [
      'is told of the one that did',
      [
        [eth(2000), eth(2000, { accountId: '2' })],
        [eth(2000), eth(2200, { accountId: '2' })],
      ],
      '1:nearer',
    ],
  ])('%s', (_what, readings, told) => expect(story(readings)).toBe(told))

  test('is not judged without a price, and not forgotten', () => {
    const unseen = { market: () => undefined }
    const readings = [look([eth(2000)]), look([eth(2100)], unseen), look([eth(2100)])]
    expect(occurrences(kind, usual, readings)).toBe('2:nearer')
  })

  test('is not told of a market that is delisted', () => {
    const market = () => aMarket({ delisted: true })
    expect(occurrences(kind, usual, [look([eth(2000)]), look([eth(2200)], { market })])).toBe('')
  })

  test('changes what is remembered only when it has moved: most answers keep nothing', () => {
    const first = kind.detect(usual, undefined, look([eth(2000)]))
    const second = kind.detect(usual, first.state, look([eth(2010, { fundingUsd: exact('-7') })]))
    expect(toJson(second.state)).toBe(toJson(first.state))
  })

  test('remembers no more looks than it has positions', () => {
    let memo: unknown
    for (let n = 0; n < 50; n++)
      memo = kind.detect(usual, memo, look([eth(2000 - n * 20), eth(2000, { accountId: '2' })])).state
    expect(Object.keys((memo as { snapshots: object }).snapshots).length).toBeLessThanOrEqual(2)
  })
})

test('it rings within a fifth of the price, and is quiet beyond', () => {
  const occurrence = (line: number) => {
    const { state: memo } = kind.detect(usual, undefined, look([eth(line - 300)]))
    const [happened] = kind.detect(usual, memo, look([eth(line)])).occurrences
    if (!happened) throw new Error('nothing has happened')
    return kind.severity(usual, happened)
  }
  expect(occurrence(2000)).toBe('warning')
  expect(occurrence(1990)).toBe('info')
})

test('of several rules the one counts that tells more', () => {
  expect(kind.merge([usual, { by: 0.3 }])).toEqual(usual)
})

test.each([[0], [0.009], [1.1], [Number.NaN]])('a share of %d is refused', (by) => {
  expect(kind.params.safeParse({ by }).success).toBe(false)
})

describe('the words', () => {
  const btc = (over: Partial<Position> = {}) =>
    aPosition({
      marketId: '200',
      size: exact('-1'),
      entryPrice: exact('90000'),
      liquidationPrice: null,
      ...over,
    })
  const at = (btcPrice: number, equity: number | null = null): Partial<WalletSubject> => ({
    market: (id) =>
      id === '100' ? aMarket() : aMarket({ id, symbol: 'BTC', price: exact(String(btcPrice)) }),
    symbol: (id) => (id === '100' ? 'ETH' : 'BTC'),
    accounts: equity === null ? [] : [anAccount({ equityUsd: exact(String(equity)) })],
  })
  const told = (before: WalletSubject, after: WalletSubject) => {
    const memo = fromJson(toJson(kind.detect(usual, undefined, before).state))
    const [occurrence] = kind.detect(usual, memo, after).occurrences
    if (!occurrence) throw new Error('nothing has happened')
    const told = plainLines(message([kind.tell(usual, occurrence, after)]), { now: NOON, zone: 'UTC' })
    return {
      all: told,
      why: told.slice(2).flatMap((line) => (/ old$|less margin$|same size$/.test(line) ? [] : line.trim())),
    }
  }
  const paid = (usd: number) => ({ fundingUsd: exact(String(-usd)) })

  test('say from where to where, and what is missing', () => {
    const after = look([eth(2100, paid(190))], at(90_000))
    expect(told(look([eth(2000, paid(0))], at(90_000)), after).all).toEqual([
      '[WARNING] ETH long: liquidation moved nearer, 16.0% away',
      '  $2,000.00 → $2,100.00 · main',
      '  $190 of funding paid',
      expect.stringMatching(/^ {2}position 1 min old$|^ {2}position \d+ s old$/),
      '  liquidation price since 11:59 UTC, same size',
      '  about $200 less margin',
    ])
  })

  test.each([
    ['another position lost', [btc()], [btc()], 90_210, ['BTC short lost $210']],
    [
      'another position lost and funding was paid: what took most is first',
      [btc(paid(0))],
      [btc(paid(60))],
      90_140,
      ['BTC short lost $140', '$60.00 of funding paid'],
    ],
    ['another position was opened', [], [btc()], 90_000, ['BTC short was opened, and needs margin']],
    [
      'another position grew',
      [btc()],
      [btc({ size: exact('-2') })],
      90_000,
      ['BTC short grew, and needs more margin'],
    ],
    [
      'another position was closed: how is not known here',
      [btc()],
      [],
      90_000,
      ['BTC short was closed', 'I see no cause for the rest: perhaps margin was taken out'],
    ],
    ['nothing shows why', [btc()], [btc()], 90_000, ['I see no cause: perhaps margin was taken out']],
    [
      'a position of another account is no cause',
      [btc({ accountId: '2' })],
      [btc({ accountId: '2' })],
      90_500,
      ['I see no cause: perhaps margin was taken out'],
    ],
    [
      'an isolated position is no cause',
      [btc({ margin: 'isolated' })],
      [btc({ margin: 'isolated' })],
      90_500,
      ['I see no cause: perhaps margin was taken out'],
    ],
    [
      'little of it is explained',
      [btc()],
      [btc()],
      90_050,
      ['BTC short lost $50.00', 'I see no cause for the rest: perhaps margin was taken out'],
    ],
    ['what gained is no cause', [btc()], [btc()], 89_000, ['I see no cause: perhaps margin was taken out']],
  ])('%s', (_what, before, after, price, why) => {
    const { why: said } = told(
      look([eth(2000), ...before], at(90_000)),
      look([eth(2100), ...after], at(price)),
    )
    expect(said).toEqual(why)
  })

  test('say what was withdrawn, where the venue shows what an account has', () => {
    const known = [eth(2000, paid(10)), btc(paid(0))]
    const after = [eth(2100, paid(15)), btc(paid(0))]
    // Of 250 less the other position has lost 40 and 5 were paid.
    const { why } = told(look(known, at(90_000, 5_000)), look(after, at(90_040, 4_750)))
    expect(why).toEqual(['$205 withdrawn', 'BTC short lost $40.00'])
    const deposited = told(look(known, at(90_000, 5_000)), look(after, at(90_200, 5_500)))
    expect(deposited.why).toEqual(['BTC short lost $200'])
  })

  test('do not say that anything was withdrawn where isolated margin counts into the figure', () => {
    const own = (line: number, funding = 0) => [
      eth(line, paid(funding)),
      btc({ ...paid(0), margin: 'isolated' }),
    ]
    const { why } = told(look(own(2000), at(90_000, 5_000)), look(own(2100), at(90_200, 4_800)))
    expect(why).toEqual(['I see no cause: perhaps margin was taken out'])
  })

  test('do not say that anything was withdrawn where a figure is missing', () => {
    const { why } = told(look([eth(2000)], at(90_000, 5_000)), look([eth(2100)], at(90_000, 4_000)))
    expect(why).toEqual(['I see no cause: perhaps margin was taken out'])
  })

  test('say that there was no liquidation price', () => {
    const { all } = told(look([eth(null), btc()], at(90_000)), look([eth(1500), btc()], at(91_000)))
    expect(all.slice(0, 3)).toEqual([
      '[INFO] ETH long: liquidation moved nearer, 40.0% away',
      '  none → $1,500.00 · main',
      '  BTC short lost $1,000',
    ])
  })

  test('say what happened while the bot was away', () => {
    const after = look([eth(2100)], { awaySince: NOON - 420_000 })
    expect(told(look([eth(2000)]), after).all).toContain('  while I was away, 11:53 UTC to 12:00 UTC')
  })
})
