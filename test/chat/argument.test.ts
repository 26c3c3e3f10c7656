import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { argument, argumentMeta } from '../../src/chat/argument.ts'
import { words } from '../../src/message/message.ts'

describe('a field knows what is to be typed there', () => {
  test.each([
    ['plain', argument.percent()],
    ['optional', argument.percent().optional()],
    ['with a default', argument.percent().default(0.1)],
    ['checked', argument.percent().refine((value) => value > 0)],
    [
      'checked, with a default',
      argument
        .percent()
        .refine((value) => value > 0)
        .default(0.1),
    ],
    ['transformed', argument.percent().transform((value) => value * 2)],
    [
      'transformed and optional',
      argument
        .percent()
        .transform((value) => value * 2)
        .optional(),
    ],
  ])('%s', (_how, field) => {
    expect(argumentMeta(field)).toMatchObject({ argument: 'percent', asks: words('arg.percent') })
  })

  test('each of its own', () => {
    const { choice, coin, ...plain } = argument
    for (const [name, make] of Object.entries(plain)) expect(argumentMeta(make())?.argument).toBe(name)
    // It is typed as a market is, and means all of the same coin.
    expect(argumentMeta(coin())).toMatchObject({ argument: 'market', everywhere: true })
    expect(argumentMeta(choice(['a', 'b'], 'a letter'))).toMatchObject({
      argument: 'choice',
      words: ['a', 'b'],
    })
  })

  test('unless it was made otherwise', () => {
    expect(argumentMeta(z.string())).toBeUndefined()
    expect(argumentMeta(z.string().optional())).toBeUndefined()
    expect(argumentMeta(z.string().meta({ title: 'other' }))).toBeUndefined()
  })
})

test('figures are figures, not their text', () => {
  expect(argument.percents().safeParse([0.1, 0.05]).success).toBe(true)
  expect(argument.percents().safeParse(['10%']).success).toBe(false)
  expect(argument.price().safeParse(70_000n).success).toBe(true)
  for (const price of ['70000', 70_000, 0n, -1n, undefined])
    expect(argument.price().safeParse(price).success).toBe(false)
  expect(argument.alert().safeParse(4.5).success).toBe(false)
})
