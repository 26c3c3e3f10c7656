import { describe, expect, test } from 'vitest'

import { message, plainLines, plainText } from '../../../src/message/message.ts'
import { NOON } from '../../support/clock.ts'
import { eventNamed, occurrences } from '../../support/engine.ts'
import { aMarket, aPosition, exact, rateOf } from '../../support/fixtures.ts'
import { set } from '../../support/kinds.ts'

const kind = eventNamed('funding-flip')
const usual = { band: 0.00005, warnFrom: 1 }
const none = { band: 0, warnFrom: 1 }
const long = aPosition({ size: exact('2') })
const short = aPosition({ size: exact('-2') })

const story = (rates: string[], { band = usual, held = [long] } = {}) =>
  occurrences(
    kind,
    band,
    rates.map((rate) => rateOf(rate, held)),
  )

describe('a flip of funding', () => {
  test.each([
    ['is told once', ['0.0005', '-0.0005', '-0.0006', '-0.0004'], '1:you receive'],
    ['is told each way', ['0.0005', '-0.0005', '0.0005'], '1:you receive 2:you pay'],
    ['is not the first look at a market', ['-0.0005'], ''],
    ['is not a rate that stays on its side', ['0.0005', '0.0001', '0', '0.0003'], ''],
    [
      'is not the dead band, however often the sign changes',
      ['0.0005', '-0.00004', '0.00004', '-0.00004'],
      '',
    ],
    [
      'is told when the rate leaves the dead band on the other side',
      ['0.0005', '-0.00004', '-0.00005'],
      '2:you receive',
    ],
    ['is told when it touches the other end of the band', ['-0.0005', '0.00005'], '1:you pay'],
    [
      'is told though the rate rested at zero for long',
      ['0.0005', '0', '0', '0', '-0.0005'],
      '4:you receive',
    ],
    [
      'is not told twice for a swing through the band',
      ['0.0005', '-0.0005', '0.00004', '-0.0005'],
      '1:you receive',
    ],
    ['is not a market that never trades', ['0', '0', '0'], ''],
    ['is told from a market that has only begun to trade', ['0', '-0.0005'], '1:you receive'],
    ['is not told of a market whose rate begins as longs pay', ['0', '0.0005'], ''],
  ])('%s', (_what, rates, told) => expect(story(rates)).toBe(told))

  test.each([
    ['the smallest there is', ['0.000000000000000001', '-0.000000000000000001'], '1:you receive'],
    ['and back', ['-0.000000000000000001', '0.000000000000000001'], '1:you pay'],
    ['never zero', ['0.000000000000000001', '0', '-0'], ''],
    ['never zero, from the other side', ['-0.000000000000000001', '0', '-0'], ''],
  ])('without a dead band: %s', (_what, rates, told) => expect(story(rates, { band: none })).toBe(told))

  test.each([
    ['a long', [long], '1:you receive 2:you pay'],
    ['a short', [short], '1:you pay 2:you receive'],
    ['nothing', [], '1:nobody 2:nobody'],
    [
      'more long than short',
      [long, aPosition({ size: exact('-1'), accountId: '2' })],
      '1:you receive 2:you pay',
    ],
    [
      'more short than long',
      [short, aPosition({ size: exact('1'), accountId: '2' })],
      '1:you pay 2:you receive',
    ],
  ])('is told from the side of whoever holds %s', (_what, held, told) => {
    expect(story(['0.0005', '-0.0005', '0.0005'], { held })).toBe(told)
  })
})

test('what costs a dollar a day is a warning; what costs less or brings some is not', () => {
  const occurrence = { value: 0, position: null }
  expect(kind.severity(usual, { ...occurrence, what: 'you pay', detail: -1 })).toBe('warning')
  expect(kind.severity(usual, { ...occurrence, what: 'you pay', detail: -0.4 })).toBe('info')
  expect(kind.severity(usual, { ...occurrence, what: 'you receive', detail: 5 })).toBe('info')
  expect(kind.severity(usual, { ...occurrence, what: 'nobody', detail: null })).toBe('info')
})

test('what is dear is for everybody to set', () => {
  const costs = { what: 'you pay', value: 0, position: null, detail: -20 }
  expect(kind.severity({ ...usual, warnFrom: 20 }, costs)).toBe('warning')
  expect(kind.severity({ ...usual, warnFrom: 21 }, costs)).toBe('info')
  expect(kind.severity({ ...usual, warnFrom: 0 }, { ...costs, detail: 0 })).toBe('info')
  expect(set(kind, 'flip $20').params).toEqual({ ...usual, warnFrom: 20 })
  expect(plainText(kind.describe({ ...usual, warnFrom: 20 }), { now: NOON, zone: 'UTC' })).toBe(
    'past 0.005% a day, a warning from $20.00 a day',
  )
  expect(set(kind, `flip ${kind.typed({ ...usual, warnFrom: 20 })}`).params).toEqual({
    ...usual,
    warnFrom: 20,
  })
  expect(kind.params.safeParse({ warnFrom: -1 }).success).toBe(false)
})

test('it is looked at again when the rate reaches the other side of the band', () => {
  expect(kind.detect(usual, 'longs pay', rateOf('0.0005')).stableWithin).toEqual({
    of: 'fundingRate',
    below: -0.00005,
  })
  expect(kind.detect(usual, 'shorts pay', rateOf('-0.0005')).stableWithin).toEqual({
    of: 'fundingRate',
    above: 0.00005,
  })
})

test('it judges markets and nothing else', () => {
  expect(() => kind.detect(usual, undefined, { is: 'wallet' } as never)).toThrow('markets')
})

describe('the words', () => {
  const told = (what: string, rate: string, held = [long], over = {}) =>
    plainLines(
      message([kind.tell(usual, { what, value: 0, position: null, detail: null }, rateOf(rate, held, over))]),
      {
        now: NOON,
        zone: 'UTC',
      },
    )

  test('say who pays whom, and what that is in my money', () => {
    expect(told('you pay', '0.00078')).toEqual([
      '[WARNING] ETH funding flipped: your long now pays $3.90 a day',
      '  longs now pay shorts, 0.078% a day',
      '  long 2 ETH, $5,000 pays $3.90 a day · main',
    ])
  })

  test.each([
    ['one short', 'you receive', '0.00078', [short], 'your short now receives $3.90 a day'],
    ['several', 'you pay', '0.00078', [long, aPosition({ accountId: '2' })], 'you now pay $7.80 a day'],
    [
      'several that are paid',
      'you receive',
      '-0.00078',
      [long, aPosition({ accountId: '2' })],
      'you now receive $7.80 a day',
    ],
    ['nobody’s', 'nobody', '-0.00078', [], 'shorts now pay longs'],
  ])('%s', (_what, what, rate, held, words) => {
    expect(told(what, rate, held)[0]).toContain(`ETH funding flipped: ${words}`)
  })

  test('name two positions and count the others', () => {
    const many = ['1', '2', '3', '4', '5'].map((accountId) => aPosition({ accountId }))
    const lines = told('you pay', '0.00078', many)
    expect(lines.filter((line) => line.includes('2 ETH'))).toHaveLength(2)
    expect(lines).toContain('  and 3 more')
  })

  test('say what happened while the bot was away', () => {
    const lines = told('you pay', '0.00078', [long], { awaySince: NOON - 420_000 })
    expect(lines.at(-1)).toBe('  while I was away, 11:53 UTC to 12:00 UTC')
  })

  test('have the market’s symbol as the venue writes it', () => {
    expect(told('nobody', '0.00078', [], { market: aMarket({ symbol: 'Sol' }) })[0]).toContain('Sol funding')
  })
})

test.each([[-0.1], [0.2], [Number.NaN]])('a dead band of %d is refused', (band) => {
  expect(kind.params.safeParse({ band }).success).toBe(false)
})

test('a dead band that nobody names is the one that /watch arms', () => {
  expect(kind.params.parse({})).toEqual(kind.armedByWatch)
  expect(plainText(kind.describe(usual), { now: NOON, zone: 'UTC' })).toBe('past 0.005% a day')
})

test('of several dead bands together the smallest counts: it tells all that the others would', () => {
  expect(kind.merge([usual, { band: 0.01, warnFrom: 0.5 }, { band: 0.00001, warnFrom: 9 }])).toEqual({
    ...{ band: 0.00001, warnFrom: 0.5 },
  })
  expect(kind.identity(usual)).toBe(kind.identity(none))
})
