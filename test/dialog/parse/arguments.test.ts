import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { argument } from '../../../src/chat/argument.ts'
import type { Form } from '../../../src/chat/declaration.ts'
import { parseArguments, parseOptions } from '../../../src/dialog/parse/arguments.ts'
import { choices } from '../../../src/dialog/parse/choices.ts'
import { fieldsOf } from '../../../src/dialog/parse/fields.ts'
import { tokens } from '../../../src/dialog/parse/phrases.ts'
import { NOON } from '../../support/clock.ts'
import { ALICE, aPosition, BOB, exact } from '../../support/fixtures.ts'
import { inEnglish, vocabulary } from '../world.ts'

const form = (args: z.ZodObject): Form => ({ name: '', aliases: [], summary: '', examples: [], args })
const alert = form(
  z.object({
    market: argument.market().optional(),
    wallet: argument.wallet().optional(),
    tiers: argument.percents(),
  }),
)
const preview = form(
  z.object({
    wallet: argument.wallet(),
    market: argument.market(),
    size: argument.size(),
    account: argument.account().optional(),
  }),
)
const watch = form(z.object({ address: argument.address(), label: argument.text('a label').optional() }))

const parse = (of: Form, line: string, over = {}) =>
  inEnglish(parseArguments(of, tokens(line), vocabulary(over)))

describe('words find their places by their types, in any order', () => {
  test.each([
    ['ETH main 10% 5%'],
    ['10% main 5% ETH'],
    ['main 10% ETH 5%'],
    ['10% 5% 0x5290 eth'],
    ['"main" ETH 10% 5%'],
    ['eth-perp 10 % 5 % MAIN'],
  ])('%s', (line) =>
    expect(parse(alert, line)).toEqual({
      ok: true,
      args: { market: '100', wallet: ALICE, tiers: [0.1, 0.05] },
    }),
  )

  test('a label of several words needs no quotes', () => {
    expect(parse(alert, 'my hedge 10%')).toEqual({ ok: true, args: { wallet: BOB, tiers: [0.1] } })
  })

  test('a label that is a market’s name as well', () => {
    const watches = () => [{ personId: 1, wallet: ALICE, label: 'ETH', since: 0, as: 'own' as const }]
    expect(parse(alert, 'ETH ETH 5%', { watches })).toEqual({
      ok: true,
      args: { market: '100', wallet: ALICE, tiers: [0.05] },
    })
  })

  test('what is exact comes before what is likely', () => {
    const watches = () => [
      { personId: 1, wallet: ALICE, label: 'ethereum', since: 0, as: 'own' as const },
      { personId: 1, wallet: BOB, label: 'main', since: 0, as: 'own' as const },
    ]
    expect(parse(preview, 'eth main -2', { watches })).toMatchObject({
      ok: true,
      args: { market: '100', wallet: BOB },
    })
    expect(parse(preview, 'ether ETH -2', { watches })).toMatchObject({ ok: true, args: { wallet: ALICE } })
  })

  test('figures: the size first, then the account', () => {
    expect(parse(preview, 'main ETH 5 105001')).toMatchObject({
      ok: true,
      args: { size: { typed: '5' }, account: '105001' },
    })
  })

  test('the rest is the text', () => {
    expect(parse(watch, `my ${ALICE} hedge`)).toEqual({
      ok: true,
      args: { address: ALICE, label: 'my hedge' },
    })
  })
})

describe('where a space stands between thousands', () => {
  const spaced = (line: string, over = {}) =>
    inEnglish(parseArguments(preview, tokens(line), { ...vocabulary(over), numbers: '1 234,5' }))
  test.each([
    ['main ETH 1 000 000', exact('1000000'), undefined],
    ['1 000,5 main ETH', exact('1000.5'), undefined],
    ['main ETH -$1 000k', exact('-1000000'), undefined],
    ['main ETH "2 500"', exact('2500'), undefined],
    ['main ETH -2 …500', exact('-2'), '500'],
    ['main ETH -2 ...500', exact('-2'), '500'],
    ['main ETH 5 105001', exact('5'), '105001'],
    ['main ETH 5 12', exact('5'), '12'],
  ])('%s', (line, amount, account) => {
    const parsed = spaced(line)
    expect(parsed).toMatchObject({ ok: true, args: { size: { amount } } })
    expect((parsed as { args: { account?: string } }).args.account).toBe(account)
  })

  test('a size or an account is not guessed', () => {
    expect(spaced('main ETH 5 500')).toMatchObject({
      ok: false,
      why: '“5 500” could be 5 500, or 5 in the account that ends with 500. Type 5500 or 5 …500.',
    })
  })

  test('and a button that offers an account of three digits says so', () => {
    const positions = () => ({ value: [aPosition({ accountId: '500' })], at: NOON, mono: 0 })
    const [offered] = choices(
      { argument: 'account', asks: '', words: [] },
      { ...vocabulary({ positions }), numbers: '1 234,5' },
    )
    expect(offered?.value).toBe('…500')
    expect(spaced(`main ETH -2 ${offered?.value}`)).toMatchObject({
      args: { size: { amount: exact('-2') }, account: '500' },
    })
  })
})

describe('what is wrong is said', () => {
  test.each([
    [alert, 'ETH', { missing: 'tiers', why: 'One or more percentages, e.g. 10% 5%?' }],
    [alert, 'ETHH 5%', { why: 'No market called “ETHH”. Did you mean ETH?', meant: [['ETH', '5%']] }],
    [
      alert,
      'ETH main nonsense 5%',
      { why: 'I don’t understand “nonsense” here.', meant: [['ETH', 'main', '5%']] },
    ],
    [alert, 'ETH eht 5%', { why: 'I don’t understand “eht” here.' }],
    [preview, 'main', { missing: 'market', why: 'A market, e.g. BTC?' }],
    [preview, 'main ETH 0', { why: 'A size of zero is no order. Say for example -2, $5k or -50%.' }],
    [watch, 'main', { why: 'I don’t understand “main” here.' }],
    [watch, '', { missing: 'address', why: 'The wallet address (0x…)?' }],
    [watch, '0x12', { why: 'A wallet address has 40 digits after the 0x; this one has 2.' }],
  ])(
    '%#',
    (
      of,
      line,
      { missing = null, why, meant = [] }: { missing?: string | null; why: string; meant?: string[][] },
    ) => {
      const parsed = parse(of, line)
      if (parsed.ok) throw new Error('it was understood')
      expect({ why: parsed.why, missing: parsed.missing?.name ?? null, meant: parsed.meant }).toEqual({
        why,
        missing,
        meant,
      })
    },
  )

  test('a very long word is shown in part', () => {
    const parsed = parse(preview, '👍'.repeat(100))
    expect(parsed.ok ? '' : parsed.why).toBe(`I don’t understand “${'👍'.repeat(24)}…” here.`)
  })
})

describe('options that a platform has typed', () => {
  test.each([
    [
      alert,
      { market: 'eth', wallet: 'my hedge', tiers: '10% 5%' },
      { market: '100', wallet: BOB, tiers: [0.1, 0.05] },
    ],
    [alert, { tiers: [0.1] }, { tiers: [0.1] }],
    [watch, { address: ALICE, label: ' two\u202E words\u0000 ' }, { address: ALICE, label: 'two words' }],
    [
      preview,
      { wallet: 'main', market: 'ETH', size: '-50 %', account: null },
      { wallet: ALICE, market: '100', size: { unit: 'share' } },
    ],
  ])('%#', (of, options, args) => {
    expect(parseOptions(of, options, vocabulary())).toMatchObject({ ok: true, args })
  })

  test.each([[null], [7], ['text'], [[]], [{ tiers: 'x' }], [{ tiers: {} }], [{ unknown: 1 }]])(
    '%j is none',
    (options) => {
      expect(parseOptions(alert, options, vocabulary()).ok).toBe(false)
    },
  )
})

test('what a form makes of a word it makes of it once, however it came', () => {
  const doubling = form(z.object({ share: argument.percent().transform((share) => share * 2) }))
  const args = { share: 0.1 }
  expect(parse(doubling, '5%')).toEqual({ ok: true, args })
  expect(parseOptions(doubling, { share: '5%' }, vocabulary())).toEqual({ ok: true, args })
})

test('the fields of a form, as they are typed', () => {
  expect(fieldsOf(preview).map(({ name, required }) => [name, required])).toEqual([
    ['wallet', true],
    ['market', true],
    ['size', true],
    ['account', false],
  ])
})
