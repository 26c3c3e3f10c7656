import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { fundingOf } from '../../src/drawing/funding-data.ts'
import { ladderOf } from '../../src/drawing/ladder-data.ts'
import { fundingBlocks, ladderBlocks } from '../../src/picture/bar-blocks.ts'
import { fundingOrder, fundings, ladderOrder, ladders } from '../drawing/bar-orders.ts'

test('a ladder as lines: safe to the liquidation of each account, and danger beyond it', () => {
  expect(ladderBlocks(ladderOf(ladderOrder({ count: 5 }))).join('\n')).toBe(
    `SIMULATED · PLAY MONEY
If all prices −10% · 5 positions · $142k
−4.2% liquidates the first

████████████████╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱ −4.2% BTC long · main
░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ ? cold
████████████████████████████████████████ holds main · xyz
0%                 −5%              −10%  and 2 more
PnL before −$4,496 · PnL after −$18.9k · liquidated then 1 of 5
25 Nov 20:35 · estimated`,
  )
})

test('funding as lines: what is paid to the left, and what is received to the right', () => {
  expect(fundingBlocks(fundingOf(fundingOrder({}, { simulated: false }))).join('\n')).toBe(
    `Funding · 2 positions
−$43.33 you pay a day

██████████████████████████████│          −$62.10 BTC long · main
                              │█████████ +$18.77 kPEPE short · cold
             paid              received
in 30 days −$1,300 · received a day +$18.77
25 Nov 20:35 · at these rates`,
  )
})

test('below the bars, a text that would touch another one is left out', () => {
  const ticks = [
    { at: 0.5, text: '−50%' },
    { at: 0.6, text: '−60%' },
  ]
  const lines = ladderBlocks({ ...ladderOf(ladderOrder()), ticks, more: null })
  expect(lines).toContain(`${' '.repeat(18)}−50%`)
})

const WIDTH = 40

test('all bars are of one width, danger is never left out, and each account has its line', () => {
  fc.assert(
    fc.property(ladders, (order) => {
      const data = ladderOf(order)
      const lines = ladderBlocks(data)
      const bars = lines.slice(order.simulated ? 4 : 3).slice(0, data.accounts.length)
      for (const [at, { ends, figure, name }] of data.accounts.entries()) {
        const line = bars[at] ?? ''
        const bar = line.slice(0, WIDTH)
        expect(line).toBe(`${bar} ${figure} ${name}`)
        expect(bar).toMatch(ends === 'unknown' ? /^░{40}$/ : ends === 'holds' ? /^█{40}$/ : /^█*╱+$/)
        const safe = bar.replaceAll('╱', '').length / WIDTH
        if (typeof ends === 'number') expect(Math.abs(safe - ends)).toBeLessThan(1 / WIDTH + 1e-9)
      }
    }),
  )
})

test('what is paid never crosses the line, and whatever is paid is seen', () => {
  fc.assert(
    fc.property(fundings, (order) => {
      const data = fundingOf(order)
      const lines = fundingBlocks(data)
      const bars = lines.slice(order.simulated ? 4 : 3).slice(0, data.positions.length)
      const zeros = new Set(bars.map((line) => line.indexOf('│')))
      expect(zeros.size).toBe(1)
      for (const [at, { perDay, figure, name }] of data.positions.entries()) {
        const line = bars[at] ?? ''
        const bar = line.slice(0, WIDTH)
        expect(line.slice(WIDTH)).toBe(` ${figure} ${name}`)
        expect(bar).toMatch(perDay < 0 ? /^ *█+│ *$/ : perDay > 0 ? /^ *│█+ *$/ : /^ *│ *$/)
      }
    }),
  )
})
