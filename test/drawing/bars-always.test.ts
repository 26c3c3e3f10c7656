import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { figureText, type Measure } from '../../src/lib/text/format.ts'
import { inWords, type words } from '../../src/message/message.ts'
import type { DrawingOrder, LadderPicture } from '../../src/message/picture.ts'
import { PALETTES } from '../../src/picture/style.ts'
import { overlap } from '../picture/drawn.ts'
import { fundings, ladders } from './bar-orders.ts'
import { drawn, soundTexts } from './sound.ts'

const MOST = { card: 6, strip: 2 }
const RUNS = { numRuns: 1_500 }

/** Expects the picture of an order to be sound, and no text of it to touch a bar. */
function soundBars(order: DrawingOrder) {
  const written = soundTexts(order)
  const { texts, rects } = drawn(order)
  const bars = rects.filter(({ inside }) => inside.includes('g'))
  const body = texts.filter(({ isOfBody }) => isOfBody)
  expect(body.filter(({ box }) => bars.some((bar) => overlap(bar.box, box)))).toEqual([])
  const { reader } = order
  return {
    ...{ written, texts, bars },
    figure: (value: number, as: Measure) => figureText(value, as, reader.numbers).replace(/^-/, '−'),
    say: (key: Parameters<typeof words>[0]) => inWords([{ phrase: key, with: {} }], reader.language),
  }
}

/** How long a bar is, as a share of all of its way. */
function lengths(
  bars: ReturnType<typeof soundBars>['bars'],
  { picture, format }: DrawingOrder<LadderPicture>,
) {
  const accounts = picture.accounts.slice(0, MOST[format])
  const rows = Map.groupBy(bars, ({ box }) => box.top)
  const known = accounts.filter(({ ends }) => ends !== 'unknown')
  return [...rows.values()].map((row, at) => {
    const [left, right] = [
      Math.min(...row.map(({ box }) => box.left)),
      Math.max(...row.map(({ box }) => box.right)),
    ]
    const hatched = row.find(({ fill }) => fill.startsWith('url('))
    const ends = known[at]?.ends
    return { ends, safe: ((hatched?.box.left ?? right) - left) / (right - left) }
  })
}

test(
  'each ladder is sound, and its bars are as long as the way to each liquidation',
  { timeout: 120_000 },
  () => {
    fc.assert(
      fc.property(ladders, (order) => {
        const { picture, format, reader } = order
        const { written, texts, bars, figure, say } = soundBars(order)
        const accounts = picture.accounts.slice(0, MOST[format])
        const part = (share: number) =>
          picture.common === null
            ? figure(rounded(share), 'percent')
            : figure(rounded(picture.common * share), 'signed-percent')
        const figures = accounts.map(({ ends }) =>
          typeof ends === 'number' ? (ends === 0 ? say('ladder.past') : part(ends)) : say(`ladder.${ends}`),
        )
        expect(figures.filter((one) => !written.includes(one))).toEqual([])
        const [first] = figures
        const isNear = typeof picture.accounts[0]?.ends === 'number'
        if (isNear) expect(written).toContain(first?.replace(/%$/, ''))
        if (format === 'card' && picture.pnl) {
          const sums = [picture.pnl.before, picture.pnl.after].map((usd) => figure(usd, 'signed-usd'))
          expect(sums.filter((one) => !written.includes(one))).toEqual([])
        }

        // Each move is there whole, or not at all.
        const title = written[order.simulated ? 1 : 0] ?? ''
        const { moves, hasMoreMoves = false } = picture
        const ends = moves.map(
          ({ by }, at) => figure(by, 'signed-percent') + (hasMoreMoves || at < moves.length - 1 ? ', …' : ''),
        )
        if (format === 'card') expect(ends.filter((end) => title.endsWith(end))).not.toEqual([])

        const tone = picture.accounts[0]?.tone ?? 'calm'
        const palette = PALETTES[reader.theme]
        const huge = texts.filter(({ isOfBody }) => !isOfBody).toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]
        expect(huge?.attributes['fill']).toBe(tone === 'calm' ? palette.text : palette[tone])
        for (const { ends, safe } of lengths(bars, order))
          expect(safe).toBeCloseTo(typeof ends === 'number' ? ends : 1, 1)
      }),
      RUNS,
    )
  },
)

const rounded = (fraction: number) => Math.round(fraction * 1e6) / 1e6

const sizeOf = ({ attributes }: { attributes: Readonly<Record<string, string>> }) =>
  Number(attributes['font-size'])

test('each picture of funding is sound, and its bars grow with what is paid', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(fundings, (order) => {
      const { picture, format } = order
      const { written, bars, figure, say } = soundBars(order)
      const positions = picture.positions.slice(0, MOST[format])
      const figures = [picture, ...positions].map(({ perDay }) => figure(perDay, 'signed-usd'))
      expect(figures.filter((one) => !written.includes(one))).toEqual([])
      if (format === 'card' && picture.payment)
        expect(written).toContain(figure(picture.payment.usd, 'signed-usd'))
      const [paid, received] = [-1, 1].map((sign) => positions.filter(({ perDay }) => perDay * sign > 0))
      expect(written.includes(say('funding-picture.paid'))).toBe((paid?.length ?? 0) > 0)

      const shown = positions.filter(({ perDay }) => perDay !== 0)
      expect(bars).toHaveLength(shown.length)
      const longest = Math.max(...shown.map(({ perDay }) => Math.abs(perDay)))
      const whole = bars.find((_, at) => Math.abs(shown[at]?.perDay ?? 0) === longest)?.box
      for (const [at, { box }] of bars.entries()) {
        const { perDay = 0 } = shown[at] ?? {}
        const length = (box.right - box.left) / ((whole?.right ?? 0) - (whole?.left ?? 0))
        expect(Math.abs(length - Math.abs(perDay) / longest)).toBeLessThan(0.05)
      }
      // Those that pay grow to the left of where those that receive begin.
      const sides = bars.map(({ box }, at) => ({ box, isPaid: (shown[at]?.perDay ?? 0) < 0 }))
      const zero = Math.max(0, ...sides.filter(({ isPaid }) => isPaid).map(({ box }) => box.right))
      const others = sides.filter(({ isPaid }) => !isPaid)
      if ((received?.length ?? 0) > 0) expect(others.filter(({ box }) => box.left < zero - 4)).toEqual([])
    }),
    RUNS,
  )
})
