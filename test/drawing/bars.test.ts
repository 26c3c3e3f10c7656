import { describe, expect, test } from 'vitest'

import { PALETTES } from '../../src/picture/style.ts'
import { fundingOrder, ladderOrder } from './bar-orders.ts'
import { partsOf } from './sound.ts'

const { dark, light } = PALETTES
const german = { zone: 'UTC', language: 'de', numbers: '1.234,5', theme: 'light' } as const

describe('a ladder', () => {
  test('says what falls, how far the nearest liquidation is, and who holds, in the sizes of type that there are', () => {
    const { texts, fillOf, sizes } = partsOf(ladderOrder())
    expect(texts).toEqual([
      'SIMULATED · PLAY MONEY',
      ...['If all prices −10%', '5 positions · $142k'],
      ...['−4.2', '%', 'liquidates', 'the first'],
      ...['−4.2%', 'BTC long · main', '?', 'cold', 'holds', 'main · xyz'],
      ...['−10%', '0%', '−5%'],
      ...['PnL before', '−$4,496', 'PnL after', '−$18.9k', 'liquidated then', '1 of 3'],
      ...['25 Nov 20:35 · estimated', 'Perch'],
    ])
    expect(sizes).toEqual(new Set([36, 48, 72, 232]))
    expect(['−4.2', '−4.2%', 'holds'].map(fillOf)).toEqual([dark.red, dark.red, dark.text])
  })

  test('is hatched beyond a liquidation, in the colour of its tier', () => {
    const accounts = [{ name: 'main', ends: 0.5, tone: 'amber' }] as const
    const { bars } = partsOf(ladderOrder({ accounts, count: 1 }))
    const [hatched, safe] = bars
    expect(hatched?.['fill']).toBe('url(#ladder-amber)')
    expect(safe?.['x']).toBe('60')
    expect(Number(hatched?.['x'])).toBeCloseTo(Number(safe?.['x']) + Number(safe?.['width']), 0)
    expect(Number(hatched?.['width'])).toBeCloseTo(Number(safe?.['width']), 0)
  })

  test('of different moves counts parts of the way', () => {
    const moves = [
      { symbol: 'BTC', by: -0.08 },
      { symbol: '鯨', by: 0.12 },
      { symbol: null, by: -0.1 },
    ]
    const { texts } = partsOf(ladderOrder({ moves, common: null }))
    expect(texts).toEqual(
      expect.arrayContaining([
        ...['If BTC −8%, +12%, all others −10%', '42', 'of the way', 'liquidates the first'],
        ...['42%', '100%', '0%', '50%'],
      ]),
    )
  })

  test('of many moves leaves out the last ones whole, and of a long name the end', () => {
    const symbols = ['BTC', 'ETH', 'SOL', 'DOGE', 'kPEPE', 'AVAX']
    const moves = symbols.map((symbol) => ({ symbol, by: -0.125 }))
    const { texts } = partsOf(ladderOrder({ moves, common: null }))
    expect(texts).toContain('If BTC −12.5%, ETH −12.5%, SOL −12.5%, DOGE −12.5%, …')
    const one = ladderOrder({ moves: moves.slice(0, 1), hasMoreMoves: true, common: null })
    expect(partsOf(one).texts).toContain('If BTC −12.5%, …')
    const wide = [{ symbol: 'W'.repeat(40), by: -0.08 }]
    expect(partsOf(ladderOrder({ moves: wide, common: -0.08 })).texts[1]).toMatch(/^If W+… −8%$/)
  })

  test.each([
    ['past its liquidation', [{ name: 'main', ends: 0, tone: 'red' }], 'durch', light.red],
    ['liquidated nowhere', [{ name: 'main', ends: 'holds', tone: 'calm' }], 'keine', light.text],
    ['unknown', [{ name: 'main', ends: 'unknown', tone: 'calm' }], '?', light.text],
  ] as const)('of an account that is %s has a word', (_what, accounts, word, fill) => {
    const unknown = accounts.filter(({ ends }) => ends === 'unknown').length
    const order = ladderOrder({ accounts, count: 1, unknown }, { reader: german })
    const { texts, fillOf } = partsOf(order)
    expect(texts).toEqual(expect.arrayContaining(['Falls alle Preise −10%', word]))
    expect(fillOf(word)).toBe(fill)
  })

  test('of many accounts shows the nearest, and says how many more there are', () => {
    const accounts = Array.from({ length: 6 }, (_, at) => ({
      ...{ name: `W${at}`, ends: 0.1 + at / 10, tone: 'red' as const },
    }))
    const { texts } = partsOf(ladderOrder({ accounts, count: 11, liquidated: 9 }))
    expect(texts).toEqual(expect.arrayContaining(['W0', 'W5', 'and 5 more', '9 of 11']))
    const strip = partsOf(ladderOrder({ accounts, count: 11 }, { format: 'strip' })).texts
    expect(strip).toEqual(expect.arrayContaining(['W1', 'and 9 more']))
    expect(strip).not.toContain('W2')
  })

  test('says what it did not see, and how old the rest was', () => {
    const { texts } = partsOf(ladderOrder({ isWhole: false, old: { what: 'price', ms: 240_000 } }))
    expect(texts).toEqual(
      expect.arrayContaining(['5 positions · $142k · not all seen', '25 Nov 20:35 · price was 4 min old']),
    )
  })
})

describe('funding', () => {
  test('says what is paid a day, by whom, and what that comes to', () => {
    const { texts, fillOf } = partsOf(fundingOrder())
    expect(texts).toEqual([
      'SIMULATED · PLAY MONEY',
      ...['Funding', '2 positions'],
      ...['−$43.33', 'you pay', 'a day'],
      ...['−$62.10', 'BTC long · main', '+$18.77', 'kPEPE short · cold'],
      ...['paid', 'received'],
      ...['in 30 days', '−$1,300', 'received a day', '+$18.77'],
      ...['25 Nov 20:35 · at these rates', 'Perch'],
    ])
    expect(fillOf('−$43.33')).toBe(dark.text)
  })

  test('grows to the left for what is paid, and to the right for what is received', () => {
    const [paid, received] = partsOf(fundingOrder()).bars
    const [zero, end] = [Number(received?.['x']), Number(paid?.['x']) + Number(paid?.['width'])]
    expect(zero).toBeCloseTo(end, 0)
    expect(Number(received?.['width']) / Number(paid?.['width'])).toBeCloseTo(18.77 / 62.1, 2)
  })

  test('tells the next payment and the next flip first', () => {
    const { until } = fundingOrder().picture
    const order = fundingOrder({
      payment: { at: until + 25 * 60_000, usd: -7.37 },
      flip: { symbol: 'kPEPE', at: until + 5 * 3_600_000 },
    })
    expect(partsOf(order).texts).toEqual(
      expect.arrayContaining(['at 21:00', '−$7.37', 'kPEPE flips about', '26 Nov 01:35', 'in 30 days']),
    )
  })

  test('is told in the reader’s language, and names that the font lacks are left out', () => {
    const positions = [{ symbol: '鯨', side: 'short', wallet: null, perDay: 18.77 }] as const
    const amounts = { perDay: 18.77, paidPerDay: 0, receivedPerDay: 18.77 }
    const { texts } = partsOf(fundingOrder({ positions, count: 1, ...amounts }, { reader: german }))
    expect(texts.slice(1)).toEqual([
      ...['Funding', '1 Position', '+$18,77', 'bekommst du', 'am Tag', '+$18,77', 'bekommen'],
      ...['in 30 Tagen', '+$563', '25. Nov. 19:35 UTC · bei diesen Raten', 'Perch'],
    ])
  })
})
