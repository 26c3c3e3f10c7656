import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { figureText, FAR, type Measure } from '../../src/lib/text/format.ts'
import { inWords, type words } from '../../src/message/message.ts'
import { type CardOrder, orders } from './orders.ts'
import { soundTexts } from './sound.ts'

/** It shows how a price has moved, and no amount. */
function isForOthers({ picture }: CardOrder): boolean {
  return picture.is === 'position' && picture.size === null
}

/** The lowest and the highest price of such a market, or both of such a position, leave no room for a third figure. */
function isTiny(order: CardOrder): boolean {
  const { picture, course } = order
  if (picture.is === 'day' || (picture.is === 'position' && !isForOthers(order))) return false
  const prices = picture.is === 'public' ? [picture.entry ?? 1] : course.prices
  return Math.min(...prices, picture.price ?? 1) < 2e-8
}

const FACTS = {
  position: ['card.pnl', 'card.entry', 'card.funding'],
  others: ['card.low', 'card.high'],
  market: ['card.low', 'card.high', 'card.funding'],
  day: ['card.day.funding', 'card.day.alerts'],
  public: ['card.entry', 'card.leverage'],
} as const

function fixedWords(order: CardOrder): string[] {
  const { picture, simulated, reader, format } = order
  const say = (key: Parameters<typeof words>[0]) => inWords([{ phrase: key, with: {} }], reader.language)
  const isCard = format === 'card'
  return [
    ...(simulated ? [say('card.simulated')] : []),
    say('card.maker'),
    ...(picture.is === 'day' ? [say('card.day')] : []),
    ...(isCard && !isTiny(order) ? FACTS[isForOthers(order) ? 'others' : picture.is].map(say) : []),
  ]
}

/** The figures that must stand in the picture, each whole and as it is written elsewhere. */
function figuresOf(order: CardOrder): string[] {
  const { picture, reader, format } = order
  const write = (value: number | null, as: Measure) =>
    value === null ? '–' : figureText(value, as, reader.numbers).replace(/^-/, '−')
  if (picture.is === 'day') {
    const [far, away] = reader.language === 'de' ? ['weit weg', 'entfernt'] : ['far away', 'away']
    const writeAway = (value: number | null) => {
      const figure = write(value, 'distance')
      return figure === FAR ? far : `${figure} ${away}`
    }
    return figuresOfDay(
      picture,
      (value, as) => (as === 'distance' ? writeAway(value) : write(value, as)),
      format,
    )
  }
  const isCard = format === 'card' && !isTiny(order)
  const tag = picture.price === null ? [] : [write(picture.price, 'price')]
  switch (picture.is) {
    case 'market':
      return [...tag, ...(isCard ? [write(picture.ratePerDay, 'signed-percent')] : [])]
    case 'public': {
      const { result, entry, leverage } = picture
      return [
        ...tag,
        ...(result === null ? [] : [write(result, 'signed-percent').replace('%', '')]),
        ...(isCard ? [write(entry, 'price')] : []),
        ...(isCard && leverage !== null ? [`${write(leverage, 'plain')}x`] : []),
      ]
    }
    case 'position': {
      const { distance, liquidation, pnl, entry, fundingPerDay } = picture
      const isTold = distance !== null && liquidation !== null && distance >= 0
      const near = isTold ? write(distance, 'distance').replace('%', '') : null
      return [
        ...tag,
        ...(liquidation === null ? [] : [write(liquidation, 'price')]),
        ...(near === null || near === FAR ? [] : [near]),
        ...(isCard && !isForOthers(order)
          ? [write(pnl, 'signed-usd'), write(entry, 'price'), write(fundingPerDay, 'signed-usd')]
          : []),
      ]
    }
  }
}

type Day = Extract<CardOrder['picture'], { is: 'day' }>

function figuresOfDay(
  { pnl, funding, nearest }: Day,
  write: (value: number | null, as: Measure) => string,
  format: CardOrder['format'],
): string[] {
  const near = nearest === null || nearest.distance < 0 ? [] : [write(nearest.distance, 'distance')]
  return [
    ...(pnl === null ? ['?'] : [write(pnl, 'signed-usd')]),
    ...(format === 'card' ? [`≈ ${write(funding, 'signed-usd')}`] : []),
    ...(format === 'card' ? near : []),
  ]
}

describe('of every position, market and day, in both formats and themes', () => {
  test('no text touches another one, all stand inside and are legible, and figures are those of the data', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const written = soundTexts(order)
        expect(figuresOf(order).filter((figure) => !written.includes(figure))).toEqual([])
        expect(fixedWords(order).filter((text) => !written.includes(text))).toEqual([])
      }),
      { numRuns: 6_000 },
    )
  }, 120_000)
})
