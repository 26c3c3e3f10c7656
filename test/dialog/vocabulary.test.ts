import { describe, expect, test } from 'vitest'

import { argument, argumentMeta } from '../../src/argument.ts'
import type { ArgumentMeta, ArgumentType } from '../../src/argument.ts'
import { choices, nearMiss } from '../../src/dialog/choices.ts'
import { match } from '../../src/dialog/vocabulary.ts'
import { ALICE, BOB, exact } from '../support/fixtures.ts'
import { vocabulary } from './world.ts'

function meta(type: ArgumentType, words: readonly string[] = []): ArgumentMeta {
  const field = type === 'choice' ? argument.choice(words, 'one of these') : argument[type]()
  const found = argumentMeta(field)
  if (!found) throw new Error(`no meta of ${type}`)
  return found
}
const reads = (type: ArgumentType, word: string, words?: readonly string[]) =>
  match(meta(type, words), word, vocabulary())

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
    ['percents', '2,5 %', 0.025],
    ['percent', '−5%', -0.05],
    ['alert', 'a41', 41],
    ['alert', '41', 41],
    ['rule', 'R7', 7],
    ['command', '/POS', 'positions'],
    ['page', '12', 12],
    ['account', '123', '123'],
    ['account', '…105001', '105001'],
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
    ['wallet', '0xdead', 'You do not watch 0xdead'],
    ['wallet', '0x', '2 of your wallets start with 0x'],
    ['alert', 'R7', 'R7 is a rule'],
    ['rule', 'a41', 'A41 is an alert'],
    ['size', '-0', 'A size of zero is no order'],
    ['size', '$0.00', 'A size of zero is no order'],
  ] as const)('surely as %s, and wrong: %s', (type, word, why) =>
    expect(reads(type, word)).toEqual({ is: 'wrong', why: expect.stringContaining(why) as string }),
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
    ['text', 'anything'],
  ] as const)('not as %s, %s', (type, word) => expect(reads(type, word)).toEqual({ is: 'other' }))

  test('one of a few words, or the start of just one', () => {
    const words = ['volume', 'funding', 'flat']
    expect(reads('choice', 'FUNDING', words)).toEqual({ is: 'value', value: 'funding' })
    expect(reads('choice', 'vol', words)).toEqual({ is: 'likely', value: 'volume' })
    expect(reads('choice', 'f', words)).toEqual({ is: 'other' })
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

test('every likely value is one', () => {
  const types: ArgumentType[] = [
    'wallet',
    'market',
    'rule',
    'alert',
    'command',
    'percent',
    'percents',
    'size',
    'duration',
    'account',
  ]
  for (const type of types) {
    const likely = choices(meta(type), vocabulary())
    expect(likely).not.toEqual([])
    for (const { value } of likely) expect(reads(type, value).is).toBe('value')
  }
})
