import { z } from 'zod'

import type { Bounds, Verdict } from '../../alert/alert.ts'
import { levelKind } from '../../alert/define-kind.ts'
import { argument, typedPrice } from '../../chat/argument.ts'
import { price as priceFigure } from '../../message/figure.ts'
import { item, text } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { marketLines } from '../shared/lines.ts'

/** A level of $70,000 clears at $69,650, so a price that hovers around it makes one alert. */
const CLEAR_BAND = 0.005

const WAYS = ['above', 'below'] as const
type Way = (typeof WAYS)[number]

/** Alerts when the price of a market is beyond a level. Each level is a rule of its own. */
export default levelKind({
  name: 'price',
  cues: WAYS,
  summary: 'the price of a market goes above or below your level',
  example: 'price ETH below 2400',
  on: 'market',
  needs: ['market'],
  params: z.object({
    way: argument.choice(WAYS, 'above or below'),
    level: argument.price(),
  }),
  identity: 'each',
  when: ({ way, level }) => text`the price is ${way} ${priceFigure(toNumber(level))}`,
  describe: ({ way, level }) => text`${way} ${priceFigure(toNumber(level))}`,
  typed: ({ way, level }) => `${way} ${typedPrice(level)}`,
  severity: 'warning',
  figure: (value) => text`${priceFigure(value)}`,
  judge: ({ way, level }, { price }) => judge(way, toNumber(level), price),
  tell({ way, level }, { value, to }, subject) {
    const { symbol } = subject.market
    const line = priceFigure(toNumber(level))
    const lines = marketLines(subject, 'price')
    const back = way === 'above' ? 'below' : 'above'
    const at = text`${symbol} is at ${priceFigure(value)}`
    if (to > 0 && isBeyond(way, value, toNumber(level)))
      return item('warning', text`${at}, ${way} your ${line}`, lines)
    if (to > 0)
      return item('warning', text`${at}, just ${back} your ${line}`, [
        text`over at ${priceFigure(clearLevel(way, toNumber(level)))}`,
        ...lines,
      ])
    return item('good', text`${symbol} is back ${back} ${line}, at ${priceFigure(value)}`, lines)
  },
})

function isBeyond(way: Way, price: number, bound: number): boolean {
  return way === 'above' ? price >= bound : price <= bound
}

function clearLevel(way: Way, level: number): number {
  return level * (way === 'above' ? 1 - CLEAR_BAND : 1 + CLEAR_BAND)
}

function judge(way: Way, enterAt: number, price: number): Verdict {
  const clearAt = clearLevel(way, enterAt)
  const passed = (bound: number) => isBeyond(way, price, bound)
  const [entered, stays] = [passed(enterAt), passed(clearAt)]
  return { enter: entered ? 1 : 0, stay: stays ? 1 : 0, value: price, stableWithin: stableWithin() }

  function stableWithin(): Bounds {
    const [low, high] = [Math.min(enterAt, clearAt), Math.max(enterAt, clearAt)]
    if (entered) return way === 'above' ? { of: 'price', below: enterAt } : { of: 'price', above: enterAt }
    if (stays) return { of: 'price', below: low, above: high }
    return way === 'above' ? { of: 'price', above: clearAt } : { of: 'price', below: clearAt }
  }
}
