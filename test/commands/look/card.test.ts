import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { renderCaption } from '../../../adapters/telegram/send/render.ts'
import { publicPicture } from '../../../src/commands/look/card.ts'
import { readFonts, svgOf } from '../../../src/drawing/svg.ts'
import { message, plainLines, type Text } from '../../../src/message/message.ts'
import type { Picture } from '../../../src/message/picture.ts'
import { localize } from '../../../src/outbox/localize.ts'
import type { Position } from '../../../src/venue/position.ts'
import { LANGUAGES } from '../../../src/words/words.ts'
import { aDialog, anInbound } from '../../dialog/world.ts'
import { NOON } from '../../support/clock.ts'
import { aMarket, aPosition, aWatch, BOB, exact } from '../../support/fixtures.ts'

async function says(line: string, from = anInbound(), view = {}): Promise<string[]> {
  const { dialog } = aDialog({ view })
  return plainLines(await dialog.line(from, line), { now: NOON, zone: 'UTC' })
}

describe('/card', () => {
  test('of the only position in a market says how it fares, and no amount', async () => {
    const lines = await says('/card ETH')
    expect(lines[0]).toBe('ETH long: 0% of its entry price')
    expect(lines[1]).toBe('  entry $2,500.00 · index price $2,500.00')
    expect(lines.join('\n')).toContain('[As a file: /card 0x')
    expect(lines.join('\n')).not.toMatch(/\$5|2 ETH|main/)
  })

  test('asks which one is meant, and each button means one', async () => {
    const lines = await says('/card')
    expect(lines[0]).toBe('Which position do you want to show?')
    const offered = [...(lines.at(-1) ?? '').matchAll(/\[(.+?): (\/card .+?)\]/g)]
    expect(offered.map(([, label]) => label)).toEqual(['ETH long · main', 'Sol short · main'])
    for (const [, label = '', line = ''] of offered)
      expect((await says(line))[0]).toContain(`${label.replace(/ · .*/, '')}: `)
  })

  test('without a position says so', async () => {
    expect(await says('/card BTC')).toContain('You have no open position in BTC.')
  })

  test('is for a private chat', async () => {
    const [line] = await says('/card ETH', anInbound({ private: false, whisper: true }))
    expect(line).toBe('I only show that in our private chat. Send me /card there.')
  })
})

const price = fc.double({ min: 0.01, max: 90_000, noNaN: true }).map((value) => exact(value.toFixed(6)))
const shown = fc.record({
  entryPrice: fc.option(price),
  leverage: fc.option(fc.integer({ min: 1, max: 100 })),
  openedAt: fc.option(fc.integer({ min: NOON - 90 * 86_400_000, max: NOON })),
  isLong: fc.boolean(),
  now: price,
})
/** All that nobody else may know. */
const secret = fc.record({
  size: fc.double({ min: 1e-6, max: 1e9, noNaN: true }).map((value) => exact(value.toFixed(9))),
  liquidation: fc.option(fc.double({ min: 0.2, max: 5, noNaN: true })),
  margin: fc.constantFrom('cross' as const, 'isolated' as const, null),
  fundingUsd: fc.option(price),
  realisedPnlUsd: fc.option(price),
  breakEvenPrice: fc.option(price),
  accountId: fc.integer({ min: 1, max: 1e9 }).map(String),
  isBobs: fc.boolean(),
  label: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 24 }),
})
type Shown = typeof shown extends fc.Arbitrary<infer Value> ? Value : never
type Secret = typeof secret extends fc.Arbitrary<infer Value> ? Value : never

function pictureOf({ isLong, now, ...known }: Shown, { isBobs, label, size, liquidation, ...rest }: Secret) {
  const { wallet } = aWatch(isBobs ? { wallet: BOB } : {})
  const liquidationPrice =
    liquidation === null ? null : exact(((Number(now) / 1e18) * liquidation).toFixed(6))
  const over: Partial<Position> = { ...known, ...rest, wallet, liquidationPrice, size: isLong ? size : -size }
  const held = { position: aPosition(over), market: aMarket({ price: now }), symbol: 'ETH', wallet: label }
  return publicPicture(held, NOON, { priceAt: NOON, positionAt: NOON })
}

const { faces } = readFonts()
const course = { times: [NOON - 60_000], prices: [2_500], gaps: [] }

/** What is kept in the outbox, drawn, and written below it. */
function madeOf(picture: Picture<Text>, language: (typeof LANGUAGES)[number]): string[] {
  const row = message([], { picture })
  const said = localize(row, { numbers: '1,234.5', language, simulated: false })
  const reader = { zone: 'UTC', language, numbers: '1,234.5', theme: 'dark' } as const
  const order = { picture, course, reader, simulated: false, format: 'card' } as const
  const { text } = renderCaption(said, { now: NOON, possibleRepeat: false })
  return [JSON.stringify(row), svgOf(order, faces), text]
}

test('whatever others may not know changes nothing of what they see', () => {
  fc.assert(
    fc.property(shown, secret, secret, fc.constantFrom(...LANGUAGES), (known, one, other, language) => {
      const made = madeOf(pictureOf(known, one), language)
      expect(madeOf(pictureOf(known, other), language)).toEqual(made)
      expect(made[0]?.length).toBeLessThan(1_500)
    }),
    { numRuns: 500 },
  )
})

test('the result is that of the margin where the leverage is known', () => {
  const of = (over: Partial<Position>) => {
    const position = aPosition({ entryPrice: exact('2000'), ...over })
    const held = { position, market: aMarket(), symbol: 'ETH', wallet: 'main' }
    const { result, leverage, since } = publicPicture(held, NOON, { priceAt: NOON, positionAt: NOON })
    return { result, leverage, hours: (NOON - since) / 3_600_000 }
  }
  expect(of({ leverage: 10 })).toEqual({ result: 2.5, leverage: 10, hours: 24 })
  expect(of({ size: exact('-1') })).toEqual({ result: -0.25, leverage: null, hours: 24 })
  expect(of({ entryPrice: null, openedAt: NOON - 7_200_000 })).toMatchObject({ result: null, hours: 2 })
  expect(of({ openedAt: NOON - 90 * 86_400_000 }).hours).toBe(7 * 24)
})
