import { z } from 'zod'

import { levelKind } from '../../alert/define-kind.ts'
import { argument, typedPrice } from '../../chat/argument.ts'
import { percent, price as priceFigure } from '../../message/figure.ts'
import { item, text } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { marketLines } from '../shared/lines.ts'
import { clearAt, isBeyond, judgeLine, WAYS } from '../shared/tiers.ts'

/** A level of $70,000 clears at $69,650, so a price that hovers around it makes one alert. */
const CLEAR_BAND = 0.005

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
  when: ({ way, level }, symbol) => text`${symbol ?? 'the price'} is ${way} ${priceFigure(toNumber(level))}`,
  describe: ({ way, level }) => text`${way} ${priceFigure(toNumber(level))}`,
  typed: ({ way, level }) => `${way} ${typedPrice(level)}`,
  severity: 'warning',
  figure: (value) => text`${priceFigure(value)}`,
  apart({ level }, value) {
    const share = value / toNumber(level) - 1
    return text`${percent(Math.abs(share))} ${share < 0 ? 'below' : 'above'}`
  },
  judge: ({ way, level }, { price }) =>
    judgeLine(way, toNumber(level), toNumber(level) * CLEAR_BAND, price, 'price'),
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
        text`over at ${priceFigure(clearAt(way, toNumber(level), toNumber(level) * CLEAR_BAND))}`,
        ...lines,
      ])
    return item('good', text`${symbol} is back ${back} ${line}, at ${priceFigure(value)}`, lines)
  },
})
