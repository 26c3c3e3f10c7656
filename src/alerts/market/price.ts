import { z } from 'zod'

import { levelKind } from '../../alert/define-kind.ts'
import { argument, typedPrice } from '../../chat/argument.ts'
import { percent, price as priceFigure } from '../../message/figure.ts'
import { item, text, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { marketLines } from '../shared/lines.ts'
import { clearAt, isBeyond, judgeLine, WAYS } from '../shared/tiers.ts'

/** A level of $70,000 clears at $69,650, so a price that hovers around it makes one alert. */
const CLEAR_BAND = 0.005

/** Alerts when the price of a market is beyond a level. Each level is a rule of its own. */
export default levelKind({
  name: 'price',
  cues: WAYS,
  summary: words('kind.price.summary'),
  example: 'price ETH below 2400',
  on: 'market',
  needs: ['market'],
  params: z.object({
    way: argument.choice(WAYS, words('arg.way')),
    level: argument.price(words('arg.price.level')),
  }),
  identity: 'each',
  when: ({ way, level }, symbol) =>
    words('kind.price.when', {
      market: symbol ?? words('kind.price.any-market'),
      way,
      level: priceFigure(toNumber(level)),
    }),
  describe: ({ way, level }) => words('kind.price.line', { way, level: priceFigure(toNumber(level)) }),
  typed: ({ way, level }) => `${way} ${typedPrice(level)}`,
  severity: 'warning',
  figure: (value) => text`${priceFigure(value)}`,
  apart({ level }, value) {
    const share = value / toNumber(level) - 1
    return words('kind.price.apart', { share: percent(Math.abs(share)), way: share < 0 ? 'below' : 'above' })
  },
  judge: ({ way, level }, { price }) =>
    judgeLine(way, toNumber(level), toNumber(level) * CLEAR_BAND, price, 'price'),
  tell({ way, level }, { value, to }, subject) {
    const market = subject.market.symbol
    const [line, clear] = [toNumber(level), clearAt(way, toNumber(level), toNumber(level) * CLEAR_BAND)]
    const said = { market, price: priceFigure(value), level: priceFigure(line) }
    const lines = marketLines(subject, 'price')
    const back = way === 'above' ? 'below' : 'above'
    if (to === 0) return item('good', words('kind.price.back', { ...said, way: back }), lines)
    if (isBeyond(way, value, line))
      return item('warning', words('kind.price.passed', { ...said, way }), lines)
    return item('warning', words('kind.price.near', { ...said, way: back }), [
      words('kind.clears-at', { figure: priceFigure(clear) }),
      ...lines,
    ])
  },
})
