import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { findKind } from '../../../src/alert/alert.ts'
import { kinds } from '../../../src/alerts/index.ts'
import { nearDanger } from '../../../src/engine/memory/monitors.ts'
import { rowOf } from '../../../src/engine/observe/wallet-row.ts'
import { type Item, message, plainLines } from '../../../src/message/message.ts'
import type { Position } from '../../../src/venue/position.ts'
import { NOON } from '../../support/clock.ts'
import { desk, titleOf } from '../../support/engine.ts'
import { ALICE, aMarket, anAccount, aPosition, aRule, exact } from '../../support/fixtures.ts'

const kind = findKind(kinds, 'margin-ratio')
const margin = aRule({ id: 8, kind: 'margin-ratio', params: { tiers: [0.3, 0.5, 0.7, 0.85] } })
const btc = aMarket({ id: '200', symbol: 'BTC', price: exact('100000') })
const eth = aMarket()

const long = aPosition({ margin: 'cross', liquidationPrice: exact('100') })
const other = aPosition({ margin: 'cross', marketId: '200', size: exact('0.1'), liquidationPrice: null })
const inXyz = (position: Position) => ({ ...position, accountId: 'xyz' })

function watching(rules = [margin]) {
  const one = desk({ rules })
  one.prices(eth, btc)
  return one
}

const at = (marginRatio: number | null, over: Parameters<typeof anAccount>[0] = {}) => ({
  accounts: [anAccount({ marginRatio, ...over })],
})
const titles = (items: Item[]) => items.map((item) => titleOf(item).replace(/ \(A\d+\)$/, ''))
const lines = (items: Item[]) => plainLines(message(items), { now: NOON, zone: 'UTC' })

describe('an account is judged when its wallet is read', () => {
  test('from the first line to the last, and back', () => {
    const { reads } = watching()
    expect(titles(reads([long], at(0.1)))).toEqual([])
    expect(titles(reads([long], at(0.55)))).toEqual(['main: margin ratio 55%'])
    expect(titles(reads([long], at(0.56)))).toEqual([])
    expect(titles(reads([long], at(0.72)))).toEqual(['main: margin ratio 72%'])
    expect(titles(reads([long], at(0.4)))).toEqual(['main recovered to a margin ratio of 40%'])
    expect(titles(reads([long], at(0.1)))).toEqual(['main is safe again: margin ratio 10%'])
  })

  test('a second position that falls is warned of by the ratio, with both that share it', () => {
    const { reads } = watching()
    reads([long, other], at(0.1))
    expect(lines(reads([long, other], at(0.8)))).toContain('  covers BTC long $10k, ETH long $5,000')
  })

  test('at a high ratio its wallet is near danger, and is read often', () => {
    const { reads, memory } = watching()
    reads([long], at(0.35))
    expect(nearDanger(memory, ALICE)).toBe(false)
    reads([long], at(0.55))
    expect(nearDanger(memory, ALICE)).toBe(true)
    reads([long], at(0.1))
    expect(nearDanger(memory, ALICE)).toBe(false)
  })

  test('a ratio that is not known in between leaves everything as it was', () => {
    const { reads } = watching()
    reads([long], at(0.55))
    expect(titles(reads([long], at(null)))).toEqual([])
    expect(titles(reads([long], at(0.55)))).toEqual([])
    expect(titles(reads([long], at(0.72)))).toEqual(['main: margin ratio 72%'])
  })

  test('figures that do not come beside the positions clear nothing, and nothing is over', () => {
    const { reads } = watching()
    reads([long], at(0.55))
    expect(titles(reads([long], { accounts: [] }))).toEqual([])
    expect(titles(reads([long], at(0.1)))).toEqual(['main is safe again: margin ratio 10%'])
  })
})

test('a line that must hold does not while the ratio is not known', () => {
  const { reads, prices } = watching([{ ...margin, params: { tiers: [0.5, 0.7] }, holdMs: 15_000 }])
  const passes = (ratio: number | null) =>
    Array.from({ length: 10 }).flatMap(() => {
      prices(eth, btc)
      return titles(reads([long], at(ratio)))
    })
  reads([long], at(0.53))
  expect(passes(null)).toEqual([])
  expect(titles(reads([long], at(0.53)))).toEqual([])
  expect(passes(0.53)).toEqual(['main: margin ratio 53%'])
})

describe('accounts that share collateral', () => {
  const shared = (marginRatio: number) => ({
    accounts: ['1', 'xyz'].map((accountId) =>
      anAccount({ accountId, pool: '1', mode: 'unified', marginRatio }),
    ),
  })

  test('ring once, not once for each book', () => {
    const { reads } = watching()
    const said = reads([long, inXyz(other)], shared(0.8))
    expect(titles(said)).toEqual(['main: margin ratio 80%'])
    expect(lines(said)).toContain('  covers BTC long $10k, ETH long $5,000')
  })

  test('go on as one when the first of them holds nothing any more', () => {
    const { reads } = watching()
    reads([long, inXyz(other)], shared(0.8))
    reads([inXyz(other)], shared(0.8))
    expect(titles(reads([inXyz(other)], shared(0.6)))).toEqual(['main recovered to a margin ratio of 60%'])
  })

  test('and those that do not are named apart', () => {
    const { reads } = watching()
    const apart = {
      accounts: [anAccount({ marginRatio: 0.55 }), anAccount({ accountId: 'xyz', marginRatio: 0.8 })],
    }
    expect(titles(reads([long, inXyz(other)], apart))).toEqual([
      'main · 1: margin ratio 55%',
      'main · xyz: margin ratio 80%',
    ])
  })
})

describe('an account that covers nothing any more', () => {
  test('ends with words, and is not said to be clear for having lost its positions', () => {
    const { reads, memory } = watching()
    reads([long], at(0.9))
    expect(titles(reads([], at(0)))).toEqual([])
    expect(lines(reads([], at(0)))).toEqual([
      '[WARNING] main: margin alert ended (A41)',
      '  No open position uses this margin now.',
      '  ETH long is gone, cause unknown',
      '  margin ratio 90% when I last told you',
      expect.stringContaining('[Why: /why A41]'),
    ])
    expect(memory.monitors.states.size).toBe(0)
  })

  test('says what became of its positions where nothing else tells of them', () => {
    const { reads, prices } = watching()
    reads([long], at(0.9))
    prices({ ...eth, price: exact('90') })
    reads([], at(0))
    const [end] = reads([], at(0))
    expect(end?.tone).toBe('critical')
    expect(end && lines([end])).toContain('  ETH long was probably liquidated')
  })

  test('says nothing of it where nobody was warned', () => {
    const { reads } = watching()
    reads([long], at(0.1))
    reads([], at(0))
    expect(titles(reads([], at(0)))).toEqual([])
  })

  test('what has lost one of several positions waits until that one is gone for certain', () => {
    const { reads } = watching()
    reads([long, other], at(0.9))
    expect(titles(reads([long], at(0.2)))).toEqual([])
    expect(titles(reads([long], at(0.2)))).toEqual(['main is safe again: margin ratio 20%'])
  })

  test('an isolated position has a margin of its own', () => {
    const { reads } = watching()
    expect(titles(reads([{ ...long, margin: 'isolated' }], at(0.9)))).toEqual([])
  })

  test('that of a book which counts with another one now says so', () => {
    const { reads } = watching()
    reads([inXyz(long)], at(0.9, { accountId: 'xyz' }))
    const said = reads([inXyz(long)], {
      accounts: [anAccount({ accountId: 'xyz', pool: '1', marginRatio: 0.2 })],
    })
    expect(lines(said)).toContain('  Its margin belongs to 1 now.')
  })
})

describe('a start', () => {
  const fired = () => {
    const { reads, memory } = watching()
    reads([long], at(0.9))
    const [[, state] = []] = memory.monitors.states
    const monitor = [...memory.monitors.monitorsIn.of(1).values()].find((one) => one.kind === kind?.name)
    if (!state || !monitor) throw new Error('nothing fires')
    const view = memory.wallets.views.get(ALICE)
    if (!view) throw new Error('nothing is kept')
    return desk({ rules: [margin], states: [{ monitor, ...state }], wallets: [rowOf(memory, view)] })
  }

  test('says nothing anew, and clears when it sees that it is safe again', () => {
    const { reads, prices } = fired()
    prices(eth, btc)
    expect(titles(reads([long], at(0.9)))).toEqual([])
    expect(titles(reads([long], at(0.1)))).toEqual(['main is safe again: margin ratio 10%'])
  })

  test('whose first answer has no figures ends nothing', () => {
    const { reads, memory } = fired()
    expect(titles(reads([long], { accounts: [] }))).toEqual([])
    expect(memory.monitors.states.size).toBe(1)
    expect(titles(reads([long], at(0.1)))).toEqual(['main is safe again: margin ratio 10%'])
  })
})

describe('a position and its account that get worse in one turn', () => {
  const near = aRule({ id: 9, kind: 'liquidation-distance', params: { tiers: [0.1, 0.05] } })
  const close = { ...long, liquidationPrice: exact('2400') }

  const HELP = /margin → /

  test('are one message that says once what there is to do', () => {
    const { reads } = watching([margin, near])
    const said = reads([close, other], at(0.8))
    expect(titles(said)).toEqual(['ETH long: 4.0% to liquidation', 'main: margin ratio 80%'])
    expect(lines(said).filter((line) => HELP.test(line))).toHaveLength(2)
    expect(lines(said).join()).not.toContain('covers')
  })

  test('an isolated one beside it has nothing to do with it', () => {
    const { reads } = watching([margin, near])
    const alone = { ...close, margin: 'isolated' as const }
    expect(lines(reads([alone, other], at(0.8))).filter((line) => HELP.test(line))).toHaveLength(4)
  })
})

describe('whatever comes', () => {
  const LINES = [0.3, 0.5, 0.7, 0.85]
  /** Computed the other way round: by how much of the maintenance margin equity has beyond it. */
  const spare = (ratio: number) => 1 / ratio - 1
  const entered = (ratio: number) => LINES.filter((line) => spare(ratio) <= spare(line) + 1e-12).length
  const kept = (ratio: number) => LINES.filter((line) => spare(ratio) < spare(line) * 1.15 - 1e-12).length

  const look = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .double({ min: 0.05, max: 1.1, noNaN: true })
        .map((ratio) => ({ is: 'ratio', ratio }) as const),
    },
    { weight: 1, arbitrary: fc.constant({ is: 'unknown' } as const) },
    { weight: 1, arbitrary: fc.constant({ is: 'absent' } as const) },
    { weight: 2, arbitrary: fc.constant({ is: 'missing' } as const) },
    { weight: 1, arbitrary: fc.constant({ is: 'incomplete' } as const) },
  )

  test('what stands is what the last ratios that were seen say, and nothing clears for being out of sight', () => {
    fc.assert(
      fc.property(fc.array(look, { maxLength: 40 }), (looks) => {
        const { reads, memory } = watching()
        let tier = 0
        let missing = 0
        for (const one of looks) {
          const isMissing = one.is === 'missing'
          const ratio = one.is === 'ratio' ? one.ratio : null
          const failedParts = one.is === 'incomplete' ? [{ part: 'xyz', why: 'HTTP 500' }] : []
          const accounts =
            one.is === 'absent' || one.is === 'incomplete' ? [] : at(isMissing ? 0 : ratio).accounts
          const said = titles(reads(isMissing ? [] : [long], { accounts, failedParts }))
          missing = isMissing ? missing + 1 : 0
          const before = tier
          if (missing === 2) tier = 0
          else if (ratio !== null) tier = Math.max(entered(ratio), Math.min(tier, kept(ratio)))
          const [state] = memory.monitors.states.values()
          expect(state?.state.is === 'firing' ? state.state.tier : 0).toBe(tier)
          const words =
            missing === 2
              ? 'margin alert ended'
              : tier === 0
                ? 'is safe again'
                : tier < before
                  ? 'recovered'
                  : 'main: margin'
          expect(said).toEqual(tier === before ? [] : [expect.stringContaining(words)])
        }
      }),
    )
  })
})
