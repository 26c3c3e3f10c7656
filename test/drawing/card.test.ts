import { Resvg } from '@resvg/resvg-wasm'
import { describe, expect, test } from 'vitest'

import { readFonts } from '../../src/drawing/svg.ts'
import type { Picture } from '../../src/message/picture.ts'
import { PALETTES } from '../../src/picture/style.ts'
import { typefaceOf } from '../../src/picture/typeface.ts'
import germanBars from '../../src/words/de/picture/bars.ts'
import germanCard from '../../src/words/de/picture/card.ts'
import englishBars from '../../src/words/en/picture/bars.ts'
import englishCard from '../../src/words/en/picture/card.ts'
import { orderOf } from './orders.ts'
import { startResvg } from './png.ts'
import { partsOf } from './sound.ts'

const { faces, files } = readFonts()
const { dark } = PALETTES

const german = { ...orderOf().reader, language: 'de', numbers: '1.234,5' } as const

test('a card says which position, how near, and when, in the sizes of type that there are', () => {
  const { texts, sizes, fillOf } = partsOf(orderOf())
  expect(texts).toEqual([
    'SIMULATED · PLAY MONEY',
    ...['BTC long', '1.5 BTC · $142k · main'],
    ...['2.8', '%', 'from liquidation', '$2,671.00 away'],
    ...['$94,673', '$92,002', '5%', '20:35', '20:23'],
    ...['PnL', '−$4,496', 'entry', '$97,670', 'funding a day', '+$72.03'],
    ...['25 Nov 20:35 · mark price', 'Perch'],
  ])
  expect(sizes).toEqual(new Set([36, 48, 72, 232]))
  expect([fillOf('2.8'), fillOf('%')]).toEqual([dark.red, dark.red])
})

test.each([
  ['English', [englishBars, englishCard], /\bnow\b/i],
  ['German', [germanBars, germanCard], /\b(?:jetzt|gerade)\b/i],
] as const)('a picture is looked at later: in %s none speaks of the present', (_language, parts, present) => {
  expect(parts.flatMap((part) => Object.values(part)).filter((text) => present.test(text))).toEqual([])
})

test('a strip leaves out the figures below', () => {
  const { texts } = partsOf(orderOf({}, { format: 'strip' }))
  expect(texts).toContain('2.8')
  expect(texts).not.toContain('PnL')
})

test('of a real venue there is no bar, and the chart has its room', () => {
  const { texts, all } = partsOf(orderOf({}, { simulated: false }))
  expect(texts[0]).toBe('BTC long')
  const moved = (of: typeof all) => of.flatMap(({ attributes }) => attributes['transform'] ?? [])[0]
  expect(moved(all)).toBe('translate(0 450)')
  expect(moved(partsOf(orderOf()).all)).toBe('translate(0 516)')
})

test('the reader’s language, number style and zone are used, and the light theme', () => {
  const order = orderOf(
    { distance: -0.004, liquidation: 95_052 },
    { reader: { ...german, zone: 'UTC', theme: 'light' } },
  )
  const { texts, fillOf } = partsOf(order)
  expect(texts).toEqual(
    expect.arrayContaining([
      ...['BTC Long', 'durch', 'die Liquidation', 'noch offen', '1,5 BTC · $142k · main'],
      ...['19:23', '−$4.496', '25. Nov. 19:35 UTC · Mark-Preis'],
    ]),
  )
  expect(fillOf('durch')).toBe(PALETTES.light.red)
})

describe('an old figure', () => {
  test('has its age in the foot, and the price stands where it was seen', () => {
    const whole = partsOf(orderOf())
    const old = partsOf(orderOf({ old: { what: 'price', ms: 180_000 } }))
    expect(old.texts).toContain('25 Nov 20:35 · price was 3 min old')
    expect(old.texts).toEqual(expect.arrayContaining(['from liquidation', 'seen at 20:32']))
    const lastX = ({ all }: typeof old) =>
      Number(all.findLast(({ name }) => name === 'circle')?.attributes['cx'])
    expect(lastX(old)).toBeCloseTo(lastX(whole) * 0.75, 0)
  })

  test('may be the position', () => {
    const { texts } = partsOf(orderOf({ old: { what: 'position', ms: 4_000_000 } }, { reader: german }))
    expect(texts).toContain('25. Nov. 20:35 · Position war 1 h 7 min alt')
  })

  test('that is past liquidation does not say that the position is still open', () => {
    const { texts } = partsOf(orderOf({ liquidation: 95_052, old: { what: 'price', ms: 180_000 } }))
    expect(texts).toEqual(expect.arrayContaining(['past', 'its liquidation price', 'seen at 20:32']))
    expect(texts).not.toContain('still open')
  })
})

describe('how near', () => {
  test.each([
    ['beyond all tiers is white', { liquidation: 60_000 }, '36.6', dark.text],
    ['within a tier that warns is amber', { liquidation: 87_000 }, '8.1', dark.amber],
    ['past it is a word', { liquidation: 95_052 }, 'past', dark.red],
    ['without a liquidation price is a word', { liquidation: null }, 'no', dark.text],
    [
      'is unknown where the price is, and danger stays red',
      { price: null, liquidation: 93_000 },
      '?',
      dark.red,
    ],
    ['of dust is no absurd figure', { side: 'short', liquidation: 94_673 * 200 }, 'far', dark.text],
  ] as const)('%s', (_what, { ...given }, figure, fill) => {
    const differences = 'side' in given ? { ...given, distance: 199 } : given
    expect(partsOf(orderOf(differences)).fillOf(figure)).toBe(fill)
  })
})

describe('names', () => {
  test('that the font cannot show are left out', () => {
    const { texts } = partsOf(orderOf({ wallet: 'שלום', symbol: '鯨' }))
    expect(texts.slice(1, 3)).toEqual(['long', '1.5 · $142k'])
  })

  test('that find no room are cut, and figures never', () => {
    const { texts } = partsOf(orderOf({ wallet: 'W'.repeat(24), symbol: 'W'.repeat(40) }))
    expect(texts[1]).toMatch(/^W+… long$/)
    expect(texts[2]).toMatch(/^1\.5 W+… · \$142k( · W+…)?$/)
    const strip = partsOf(orderOf({ wallet: 'W'.repeat(24), symbol: '1000000MOG' }, { format: 'strip' }))
    expect(strip.texts[2]).toBe('1.5 1000000MOG · $142k')
  })
})

test('a market shows its price, its change and its range', () => {
  const { since, until } = orderOf().picture
  const picture: Picture = {
    ...{ is: 'market', market: 'ETH', symbol: 'ETH', since, until, words: '' },
    ...{ price: 2_612.11, priceName: 'index', ratePerDay: -0.0003 },
  }
  const course = { times: [since, since + 60_000], prices: [2_500, 2_700.5], gaps: [] }
  const { texts } = partsOf({ ...orderOf(), picture, course })
  expect(texts).toEqual(
    expect.arrayContaining([
      ...['ETH', '+4.5% since 20:23', '$2,612.11', 'lowest', '$2,500.00', 'highest', '$2,700.50'],
      ...['funding a day', '−0.03%', '25 Nov 20:35 · index price'],
    ]),
  )
})

describe('a picture for others', () => {
  const { since, until } = orderOf().picture
  const shown: Picture = {
    ...{ is: 'public', market: 'BTC', symbol: 'BTC', side: 'long', since, until, words: '' },
    ...{ entry: 90_000, price: 95_000, priceName: 'mark', leverage: 20, result: 1.111, openMs: 7_200_000 },
  }

  test('says the result as a share of its margin, both prices, the leverage and for how long', () => {
    const { texts, fillOf } = partsOf({ ...orderOf(), picture: shown })
    expect(texts).toEqual([
      'SIMULATED · PLAY MONEY',
      ...['BTC long', 'open for 2 h', '+111', '%', 'on margin', 'price +5.6%'],
      ...['$95,000', 'entry', '20:35', '20:23'],
      ...['entry', '$90,000', 'mark price', '$95,000', 'leverage', '20x'],
      ...['25 Nov 20:35 · mark price', 'Perch'],
    ])
    expect(fillOf('+111')).toBe(dark.text)
  })

  test('leaves out a move that is absurd, so that the result keeps its room', () => {
    const moved = (price: number) => partsOf({ ...orderOf(), picture: { ...shown, entry: 1, price } }).texts
    expect(moved(100)).toContain('price +9,900%')
    expect(moved(101).filter((text) => text.startsWith('price '))).toEqual([])
  })

  test('says the share of the entry price where no leverage is known, and nothing that is not known', () => {
    const unknown = { ...shown, leverage: null, openMs: null }
    expect(partsOf({ ...orderOf(), picture: { ...unknown, result: -0.0556 } }).texts).toEqual(
      expect.arrayContaining(['−5.6', 'on entry', 'leverage', '–']),
    )
    const unseen = partsOf({ ...orderOf(), picture: { ...unknown, result: null, price: null } })
    expect(unseen.texts).toEqual(expect.arrayContaining(['?', 'result not known', 'mark price']))
  })
})

test('a week begins on another day, which stands there', () => {
  const until = orderOf().picture.until
  const since = until - 7 * 24 * 60 * 60_000
  const course = { times: [since], prices: [95_000], gaps: [] }
  expect(partsOf(orderOf({ since }, { course })).texts).toEqual(
    expect.arrayContaining(['18 Nov 20:35', '20:35']),
  )
})

describe('the typeface', () => {
  test('measures as wide as it is drawn', async () => {
    await startResvg()
    const font = { fontBuffers: [...files], loadSystemFonts: false }
    const drawnWidth = (text: string, weight: number) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="200" style="font-kerning:none"><text x="9" y="150" font-family="Inter" font-size="100" font-weight="${weight}">${text}</text></svg>`
      const renderer = new Resvg(svg, { font })
      const width = renderer.getBBox()?.width ?? Number.NaN
      renderer.free()
      return width
    }
    // Of the same character once and five times, so that the margins of the ends cancel out.
    for (const weight of [500, 700] as const) {
      for (const character of ['H', '0', 'W', '–', 'm', 'ß']) {
        const four = drawnWidth(character.repeat(5), weight) - drawnWidth(character, weight)
        expect(faces[weight].measure(character.repeat(4), 100)).toBeCloseTo(four, 1)
      }
    }
  })

  test.each([
    ['BTC ↑↓…·–−€äöüß%', true],
    ['שלום', false],
    ['鯨', false],
    ['🚀', false],
    ['a\u202Eb', false],
    // The font has a glyph for it, which nobody sees.
    ['\u200B', false],
    ['a\nb', false],
  ])('knows whether it can show %j', (text, isShown) => {
    expect(faces[500].has(text)).toBe(isShown)
  })

  test('of no font at all is refused', () => {
    expect(() => typefaceOf(new Uint8Array(64))).toThrow('the font has no table head')
  })
})
