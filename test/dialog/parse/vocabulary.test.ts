import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { argument, type ArgumentMeta, argumentMeta, type ArgumentType } from '../../../src/chat/argument.ts'
import { choices, nearMiss } from '../../../src/dialog/parse/choices.ts'
import { forLater, match } from '../../../src/dialog/parse/vocabulary.ts'
import { NUMBER_STYLES, type NumberStyle } from '../../../src/lib/text/format.ts'
import { formatDecimal, parseDecimal } from '../../../src/venue/amount.ts'
import { ALICE, BOB, exact } from '../../support/fixtures.ts'
import { inEnglish, vocabulary } from '../world.ts'

function meta(type: ArgumentType, words: readonly string[] = []): ArgumentMeta {
  const field = type === 'choice' ? argument.choice(words, 'one of these') : argument[type]()
  const found = argumentMeta(field)
  if (!found) throw new Error(`no meta of ${type}`)
  return found
}
const reads = (type: ArgumentType, word: string, words?: readonly string[]) =>
  inEnglish(match(meta(type, words), word, vocabulary()))
const readsIn = (numbers: NumberStyle, type: ArgumentType, word: string) =>
  inEnglish(match(meta(type), word, { ...vocabulary(), numbers }))

describe('one word as what it may mean', () => {
  test.each([
    ['address', ALICE, ALICE],
    ['address', ALICE.toLowerCase(), ALICE],
    ['wallet', 'MAIN', ALICE],
    ['wallet', 'my hedge', BOB],
    ['wallet', '0x8617', BOB],
    ['wallet', '0x8617...070d', BOB],
    ['market', 'eth', '100'],
    ['market', 'SOL', '300'],
    ['percent', '5%', 0.05],
    ['percents', '2.5 %', 0.025],
    ['percent', '−5%', -0.05],
    ['alert', 'a41', 41],
    ['alert', '41', 41],
    ['rule', 'R7', 7],
    ['command', '/POS', 'positions'],
    ['page', '12', 12],
    ['account', '123', '123'],
    ['account', '…105001', '105001'],
    ['account', '...105001', '105001'],
    ['code', 'abcd-efgh-jklm', 'ABCD-EFGH-JKLM'],
    ['duration', '1h30m', 5_400_000],
    ['size', '-2', { unit: 'base', amount: exact('-2'), typed: '-2' }],
    ['size', '+0.000000000000000001', { unit: 'base', amount: 1n, typed: '+0.000000000000000001' }],
    ['size', '1.5k', { unit: 'base', amount: exact('1500'), typed: '1.5k' }],
    ['size', '–2', { unit: 'base', amount: exact('-2'), typed: '–2' }],
    ['size', '$5k', { unit: 'usd', amount: exact('5000'), typed: '$5k' }],
    ['size', '-$1,200.50', { unit: 'usd', amount: exact('-1200.5'), typed: '-$1,200.50' }],
    ['size', '$-200', { unit: 'usd', amount: exact('-200'), typed: '$-200' }],
    ['size', '200$', { unit: 'usd', amount: exact('200'), typed: '200$' }],
    ['size', '-50%', { unit: 'share', amount: exact('-0.5'), typed: '-50%' }],
    ['sums', '-5k', { unit: 'usd', value: -5_000 }],
    ['sums', '+$2,000', { unit: 'usd', value: 2_000 }],
    ['sums', '−20%', { unit: 'share', value: -0.2 }],
    ['usd', '500', 500],
    ['usd', '$0', 0],
    ['price', '70000', exact('70000')],
    ['price', '70,000', exact('70000')],
    ['price', '$70k', exact('70000')],
    ['price', '70k$', exact('70000')],
    ['price', '0.0000010412', exact('0.0000010412')],
    ['size', '100%', { unit: 'share', amount: exact('1'), typed: '100%' }],
  ] as const)('as %s, %s', (type, word, value) => expect(reads(type, word)).toEqual({ is: 'value', value }))

  test.each([
    ['wallet', 'ma', ALICE],
    ['wallet', 'my', BOB],
    ['market', '$BTC', '200'],
    ['market', 'BTCUSDT', '200'],
    ['market', 'eth-perp', '100'],
  ] as const)('probably as %s, %s', (type, word, value) =>
    expect(reads(type, word)).toEqual({ is: 'likely', value }),
  )

  test.each([
    ['address', '0x123', 'this one has 3'],
    ['wallet', '0xdead', 'You don’t watch 0xdead'],
    ['wallet', '0x', '2 of your wallets start with 0x'],
    ['alert', 'R7', 'R7 is a rule'],
    ['rule', 'a41', 'A41 is an alert'],
    ['size', '-0', 'A size of zero is no order'],
    ['size', '$0.00', 'A size of zero is no order'],
    ['price', '0', 'A price is more than zero'],
    ['price', '-5', 'A price is more than zero'],
  ] as const)('surely as %s, and wrong: %s', (type, word, why) =>
    expect(reads(type, word)).toEqual({ is: 'wrong', why: expect.stringContaining(why) as string }),
  )

  test.each([
    ['10,5', ['10.5%', '10% 5%']],
    ['2,5 %', ['2.5%', '2% 5%']],
  ])('as one figure or as two: %s', (word, names) =>
    expect(reads('percents', word)).toMatchObject({ is: 'several', names }),
  )

  test.each([
    ['address', 'main'],
    ['wallet', 'm'],
    ['wallet', 'nobody'],
    ['market', 'USD'],
    ['market', 'DOGE'],
    ['percent', 'five'],
    ['percents', '0x5'],
    ['alert', 'B41'],
    ['rule', '-7'],
    ['command', '/nonsense'],
    ['page', '0'],
    ['page', '-1'],
    ['account', '12a'],
    ['code', 'ABCDEFGH'],
    ['duration', '90'],
    ['size', '--2'],
    ['size', '+-2'],
    ['size', '$5%'],
    ['size', '$5$'],
    ['size', 'all'],
    ['sums', '--2'],
    ['sums', '$5%'],
    ['usd', '5%'],
    ['usd', 'all'],
    ['price', '5%'],
    ['price', '$5$'],
    ['price', 'BTC'],
    ['text', 'anything'],
  ] as const)('not as %s, %s', (type, word) => expect(reads(type, word)).toEqual({ is: 'other' }))

  test('one of a few words, or the start of just one', () => {
    const words = ['volume', 'funding', 'flat']
    expect(reads('choice', 'FUNDING', words)).toEqual({ is: 'value', value: 'funding' })
    expect(reads('choice', 'vol', words)).toEqual({ is: 'likely', value: 'volume' })
    expect(reads('choice', 'f', words)).toEqual({ is: 'other' })
  })
})

describe('a figure is read in the style of whoever types it', () => {
  const thousand = (typed: string) => ({ unit: 'base', amount: exact('1000'), typed })
  const one = (typed: string) => ({ unit: 'base', amount: exact('1'), typed })
  test.each([
    ['1.234,5', 'size', '1.000', thousand('1.000')],
    ['1.234,5', 'size', '1,000', one('1,000')],
    ['1,234.5', 'size', '1,000', thousand('1,000')],
    ['1 234,5', 'size', '1 000', thousand('1 000')],
    ['1 234,5', 'size', '1\u00A0000', thousand('1\u00A0000')],
    ['1.234,5', 'size', '-$1.200,50', { unit: 'usd', amount: exact('-1200.5'), typed: '-$1.200,50' }],
    ['1.234,5', 'size', '$1.5k', { unit: 'usd', amount: exact('1500'), typed: '$1.5k' }],
    ['1,234.5', 'percent', '10,5%', 0.105],
    ['1.234,5', 'percent', '10,5%', 0.105],
    ['1.234,5', 'percents', '10,5%', 0.105],
    ['1 234,5', 'percents', '10,5', 0.105],
    ['1.234,5', 'percent', '10.5%', 0.105],
    ['1.234,5', 'percent', '0.005%', 0.00005],
    ['1.234,5', 'duration', '1,5h', 5_400_000],
  ] as const)('with %s, as %s, %s', (style, type, word, value) =>
    expect(readsIn(style, type, word)).toEqual({ is: 'value', value }),
  )

  test('and a point that may stand between thousands is asked about, of whoever has not said how they write', () =>
    expect(readsIn('1,234.5', 'price', '2.400')).toEqual({
      is: 'several',
      names: ['2.4', '2400'],
      labels: ['2.4', '2,400'],
      why: 'Do you mean 2.4 or 2,400?',
    }))

  test.each([
    ['size', '1.234', 'Do you mean 1,234 or 1 234?', ['1,234', '1234']],
    ['size', '-$12.345k', 'Do you mean -$12 345 or -$12 345 000?', ['-$12345', '-$12345000']],
    ['percent', '1.000%', 'Do you mean 1,000% or 1 000%?', ['1,000%', '1000%']],
  ] as const)('what could be two is asked about, as %s: %s', (type, word, why, names) => {
    expect(readsIn('1 234,5', type, word)).toMatchObject({ is: 'several', why, names })
    for (const way of names) expect(readsIn('1 234,5', type, way).is).toBe('value')
  })
})

describe('what is said again later is read as it was meant, whatever the style is by then', () => {
  const sizes = fc
    .tuple(
      fc.constantFrom('', '-', '$', '-$'),
      fc.constantFrom('1.000', '1,000', '1 000', '2.125', '2,125', '1.234.567,8', '0,005', '12', '.5', '7,'),
      fc.constantFrom('', 'k', '%'),
    )
    .filter(([sign, , unit]) => !(sign.includes('$') && unit === '%'))
    .map((parts) => parts.join(''))
  const amountOf = (read: ReturnType<typeof match>) => {
    const { unit, amount } = (read.is === 'value' ? read.value : {}) as { unit?: string; amount?: bigint }
    return { is: read.is, unit, amount }
  }

  test('a size', () => {
    fc.assert(
      fc.property(sizes, fc.constantFrom(...NUMBER_STYLES), (word, typedIn) => {
        const meant = readsIn(typedIn, 'size', word)
        if (meant.is !== 'value') return
        const line = forLater(meta('size'), word, { ...vocabulary(), numbers: typedIn })
        for (const style of NUMBER_STYLES) {
          expect(amountOf(readsIn(style, 'size', line))).toEqual(amountOf(meant))
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('a size of any digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 24n }), (amount) => {
        const word = `-${formatDecimal(amount)}`
        const line = forLater(meta('size'), word, vocabulary())
        for (const style of NUMBER_STYLES) {
          expect(amountOf(readsIn(style, 'size', line)).amount).toBe(parseDecimal(word))
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('percentages, prices and times', () => {
    const later = (type: ArgumentType, word: string, numbers: NumberStyle) =>
      forLater(meta(type), word, { ...vocabulary(), numbers })
    expect(later('percent', '2,5%', '1.234,5')).toBe('2.5%')
    expect(later('percents', '12,125%', '1.234,5')).toBe('12.1250%')
    expect(later('duration', '1,5h', '1.234,5')).toBe('1h30m')
    expect(later('size', '1.000', '1.234,5')).toBe('1000')
    expect(later('price', '$2,125', '1.234,5')).toBe('2.1250')
    expect(later('sums', '-2,125', '1.234,5')).toBe('-$2.1250')
    expect(later('sums', '-2,5%', '1.234,5')).toBe('-2.5%')
    expect(later('usd', '1.000', '1.234,5')).toBe('$1000')
    expect(later('price', '70.000', '1.234,5')).toBe('70000')
    // What says the same everywhere stays as it was typed, and so does what is no figure.
    expect(later('size', '-$1.5k', '1,234.5')).toBe('-$1.5k')
    expect(later('wallet', 'sub-account 1.500', '1.234,5')).toBe('sub-account 1.500')
  })
})

describe('what was probably meant', () => {
  test.each([
    ['market', 'ETHH', 'ETH'],
    ['market', 'btcc', 'BTC'],
    ['wallet', 'mian', 'main'],
    ['command', 'positons', 'positions'],
    ['market', 'WXYZ', null],
    ['market', '12', null],
    ['address', 'main', null],
  ] as const)('as %s, by %s: %s', (type, word, near) =>
    expect(nearMiss(meta(type), word, vocabulary())).toBe(near),
  )
})

test('every likely value is one, in every style of numbers', () => {
  const types: ArgumentType[] = [
    'wallet',
    'market',
    'rule',
    'alert',
    'command',
    'percent',
    'percents',
    'moves',
    'size',
    'usd',
    'sums',
    'duration',
    'account',
  ]
  for (const type of types) {
    const likely = choices(meta(type), vocabulary())
    expect(likely).not.toEqual([])
    for (const { value } of likely) {
      const [meant, ...others] = NUMBER_STYLES.map((style) => readsIn(style, type, value))
      expect(meant?.is).toBe('value')
      for (const other of others) expect(other).toEqual(meant)
    }
  }
})
