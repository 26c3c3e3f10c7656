import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  findKind,
  type Detected,
  type Kind,
  sameRule,
  type Bounds,
  USUAL_HOLD_MS,
} from '../../src/alert/alert.ts'
import { kinds } from '../../src/alerts/index.ts'
import { argumentMeta } from '../../src/chat/argument.ts'
import { named } from '../../src/engine/evaluate/wording.ts'
import { fromJson, toJson } from '../../src/lib/text/json.ts'
import { codePoints } from '../../src/message/fit.ts'
import { inWords, type Item, ITEM_CODE_POINTS } from '../../src/message/message.ts'
import { titleOf } from '../support/engine.ts'
import { aRule } from '../support/fixtures.ts'
import { along, type Names, paramsOf, sayings, set } from '../support/kinds.ts'

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
  test('is named in words that people can type', () => {
    for (const name of [kind.name, ...kind.aliases]) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
  })

  test('is found by each of its names, and by no other kind’s', () => {
    for (const name of [kind.name, ...kind.aliases]) expect(findKind(kinds, name)).toBe(kind)
  })

  test('asks for parameters that a person can type', () => {
    for (const field of Object.values(kind.params.shape)) expect(argumentMeta(field)).toBeDefined()
    expect(Object.keys(kind.params.shape)).not.toContain('market')
    expect(Object.keys(kind.params.shape)).not.toContain('wallet')
  })

  test('arms itself with parameters that a person could set', () => {
    if (kind.armedByWatch !== null) expect(kind.params.parse(kind.armedByWatch)).toEqual(kind.armedByWatch)
  })

  test('has presets that a person could set, of which the calm one warns as near as the normal one', () => {
    for (const params of Object.values(kind.presets)) expect(kind.params.parse(params)).toEqual(params)
    const { calm } = kind.presets
    if (kind.is !== 'level' || calm === undefined || kind.armedByWatch === null) return
    const urgent = (params: unknown) => {
      const { tiers = [] } = params as { tiers?: readonly number[] }
      return tiers.filter((_, index) => kind.severity(params, index + 1) !== 'info')
    }
    expect(urgent(calm)).toEqual(urgent(kind.armedByWatch))
  })

  test('completes the sentence “Tells you when …”, and gives an example of itself', () => {
    expect(inWords(kind.summary)).toMatch(/^[a-z].*[^.]$/)
    expect([kind.name, ...kind.aliases]).toContain(kind.example.split(' ')[0])
    expect(set(kind, kind.example).scope).toEqual(expect.arrayContaining([...kind.needs]))
  })

  const scope = kind.needs.map((what) => (what === 'market' ? 'ETH' : 'whale')).join(' ')
  test.each(paramsOf(kind).map((params) => [kind.typed(params), params] as const))(
    'set to “%s” is typed, stored, merged and changed without a loss',
    (typed, params) => {
      expect(set(kind, `${kind.name} ${scope} ${typed}`).params).toEqual(params)
      expect(fromJson(toJson(params))).toEqual(params)
      expect(kind.merge([params, params])).toEqual(params)
      if (kind.is === 'level') expect(kind.tierUnder(params, 1, params)).toBe(1)
      const rule = aRule({ kind: kind.name, params })
      expect(sameRule(kinds, rule, { ...rule, params: fromJson(toJson(params)) })).toBe(true)
    },
  )
})

const bounded = kinds.filter(({ on }) => on === 'position' || on === 'market')

describe.each(bounded.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
  const share = fc.double({ min: 0.000001, max: 0.999999, noNaN: true })
  const figures = {
    price: fc.oneof(
      fc.double({ min: 0.001, max: 200_000, noNaN: true }),
      // Where the lines of the examples are.
      fc.double({ min: 2_000, max: 3_000, noNaN: true }),
    ),
    fundingRate: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
  }
  /** Something between the bounds, of whatever they are bounds of. */
  const within = ({ of, below, above }: Bounds, way: number) => {
    const [low, high] = [below ?? (of === 'price' ? 0 : -1), above ?? (of === 'price' ? 1e9 : 1)]
    const there = low + (high - low) * way
    return there > low && there < high ? there : null
  }

  test.each(['price', 'fundingRate'] as const)(
    'says in its bounds of the %s where it can change: inside them nothing does',
    (of) => {
      for (const params of paramsOf(kind)) {
        fc.assert(
          fc.property(fc.array(figures[of], { minLength: 1, maxLength: 6 }), share, (walk, way) => {
            const judged = lastOf(kind, params, of, walk)
            if (judged === null || judged.until?.of !== of) return
            const { below = -Infinity, above = Infinity } = judged.until
            const here = walk.at(-1) ?? 0
            expect(here >= below && here <= above).toBe(true)
            const there = within(judged.until, way)
            if (there === null) return
            const next = lastOf(kind, params, of, [...walk, there])
            expect(next).toMatchObject({ says: judged.says, happened: 0 })
          }),
        )
      }
    },
  )

  test.each(['price', 'fundingRate'] as const)('tells nothing twice while the %s stands still', (of) => {
    for (const params of paramsOf(kind)) {
      fc.assert(
        fc.property(fc.array(figures[of], { minLength: 1, maxLength: 6 }), (walk) => {
          const here = walk.at(-1) ?? 0
          // A second reading may be what shows it.
          const seen = [...walk, here, here]
          const [once, again] = [lastOf(kind, params, of, seen), lastOf(kind, params, of, [...seen, here])]
          expect(again).toMatchObject({ says: once?.says, happened: 0 })
        }),
      )
    }
  })
})

/** What a kind says at the end of such a walk: of a level what is entered and left, of an event what it remembers. */
function lastOf(kind: Kind, params: unknown, of: Bounds['of'], walk: readonly number[]) {
  const subjects = walk.map((one, place) => along(kind.on, of, one, walk.slice(0, place + 1)))
  const last = subjects.at(-1)
  if (kind.is === 'level') {
    const verdict = last && kind.judge(params, last)
    if (!verdict || verdict === 'unknown') return null
    const { enter, stay, beyond, stableWithin: until } = verdict
    expect(enter).toBeLessThanOrEqual(stay)
    expect(beyond ?? 0).toBeLessThanOrEqual(enter)
    // A kind holds against trembling, and says what does not tremble; or its hold is for something else.
    expect(beyond === undefined).toBe(kind.holdMs !== USUAL_HOLD_MS)
    return { says: { enter, stay, beyond }, until, happened: 0 }
  }
  let memo: unknown
  let detected: Detected<unknown> | null = null
  for (const subject of subjects) {
    detected = kind.detect(params, memo, subject)
    memo = detected.state
  }
  return detected && { says: memo, until: detected.stableWithin, happened: detected.occurrences.length }
}

test('no kind is called what none is', () => expect(findKind(kinds, 'no-such-kind')).toBeUndefined())

/** Everything that each kind says with these names and figures, with its id. */
function everythingSaid(names: Names): Item[] {
  return kinds.flatMap((kind) => sayings(kind, names).map((item) => named(item, 123_456)))
}

const length = ({ title, lines }: Item) =>
  [title, ...lines].reduce((sum, text) => sum + codePoints(text) + 1, -1)

describe('what any kind says fits ten times into any platform’s message', () => {
  test('with usual names nothing is cut', () => {
    const said = everythingSaid({
      symbol: '1000PEPE',
      label: 'cold wallet of my sister',
      figure: '1234567.891',
      statuses: ['Committed', 'LimitExecuted'],
    })
    expect(said.map(titleOf).join()).toMatch(/from liquidation.*flipped.*opened.*liquidated.*grew/)
    for (const item of said) {
      expect(length(item)).toBeLessThanOrEqual(ITEM_CODE_POINTS)
      expect(JSON.stringify(item)).not.toContain('…')
    }
  })

  test.each([
    ['a symbol', 'SYMBOL'.repeat(200), 'main', '2500'],
    ['a label', 'ETH', '🦆'.repeat(1_000), '2500'],
    ['a figure', 'ETH', 'main', '9'.repeat(60)],
    ['all of them', 'Ω'.repeat(5_000), 'x'.repeat(5_000), '0.000000000000000001'],
  ])('with %s beyond all bounds too, and its id is always there', (_what, symbol, label, figure) => {
    const statuses = Array.from({ length: 9 }, (_, n) => `${n}${'Status'.repeat(9)}`)
    for (const item of everythingSaid({ symbol, label, figure, statuses })) {
      expect(length(item)).toBeLessThanOrEqual(ITEM_CODE_POINTS)
      expect(titleOf(item)).toMatch(/ \(A123456\)$/)
    }
  })
})
