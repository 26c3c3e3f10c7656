import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Rule } from '../../src/alert/alert.ts'
import {
  armedBy,
  chosenAfter,
  type ChosenPreset,
  planPreset,
  planUndo,
  type PresetPlan,
  PRESETS,
} from '../../src/alert/preset.ts'
import { findKind } from '../../src/alert/alert.ts'
import { kinds } from '../../src/alerts/index.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { ALICE, aRule, BOB } from '../support/fixtures.ts'

/** The rules of these wallets as /watch arms them, some of them removed, and some changed by hand. */
const rulesOf = (
  wallets: readonly Wallet[],
  touched: readonly ('as it was' | 'removed' | 'by hand')[],
): Rule[] =>
  wallets
    .flatMap((wallet) => armedBy(kinds, null).map((settings) => ({ ...settings, wallet })))
    .flatMap((settings, index) => {
      const is = touched[index % Math.max(touched.length, 1)] ?? 'as it was'
      const rule = aRule({ id: index + 1, chatId: 1, ...settings, armedByWatch: is !== 'by hand' })
      return is === 'removed' ? [] : [is === 'by hand' ? { ...rule, holdMs: 77_000 } : rule]
    })

function applied(rules: readonly Rule[], { changed, added, gone }: PresetPlan): Rule[] {
  const after = new Map(changed.map((one) => [one.after.id, one.after]))
  const without = new Set(gone.map(({ id }) => id))
  const first = Math.max(0, ...rules.map(({ id }) => id)) + 1
  const made = added.map((draft, index) => {
    const identity = findKind(kinds, draft.kind)?.identity(draft.params) ?? ''
    return aRule({ ...draft, identity, id: first + index, armedByWatch: true })
  })
  return [...rules.filter(({ id }) => !without.has(id)).map((rule) => after.get(rule.id) ?? rule), ...made]
}
const told = (rules: readonly Rule[]) => rules.map(({ id: _id, ...rest }) => rest)
const isOwn = ({ armedByWatch }: Rule) => !armedByWatch

const name = fc.constantFrom(...PRESETS)
const touched = fc.array(fc.constantFrom('as it was', 'removed', 'by hand'), { maxLength: 14 })

describe('whatever was removed or set by hand before', () => {
  test('a preset changes none of what people set, and undoing it brings back each rule as it was', () => {
    fc.assert(
      fc.property(name, name, touched, (first, second, how) => {
        const rules = rulesOf([ALICE, BOB], how)
        let chosen: ChosenPreset | null = null
        let now = rules
        const history = [rules]
        for (const one of [first, second]) {
          const plan = planPreset(kinds, now, { name: one, except: {} })
          const before = now
          now = applied(now, plan)
          const ids = now.flatMap(({ id }) => (before.some((rule) => rule.id === id) ? [] : [id]))
          chosen = chosenAfter(chosen, { name: one, except: {} }, plan, { ids, at: 0 })
          expect(now.filter(isOwn)).toEqual(before.filter(isOwn))
          history.push(now)
        }
        const back = chosen?.before
        if (!back) throw new Error('there is a way back')
        const undone = applied(now, planUndo(kinds, now, back, { only: null, isNew: () => false }))
        expect(new Set(told(undone))).toEqual(new Set(told(history[1] ?? [])))
      }),
    )
  })

  test('the same preset once more changes nothing', () => {
    fc.assert(
      fc.property(name, touched, (one, how) => {
        const now = applied(
          rulesOf([ALICE, BOB], how),
          planPreset(kinds, rulesOf([ALICE, BOB], how), { name: one, except: {} }),
        )
        expect(planPreset(kinds, now, { name: one, except: {} })).toEqual({
          changed: [],
          added: [],
          gone: [],
        })
      }),
    )
  })

  test('calm watches for the same things as normal', () => {
    const [calm, normal] = [armedBy(kinds, { name: 'calm', except: {}, before: null }), armedBy(kinds, null)]
    expect(calm.map(({ kind }) => kind)).toEqual(normal.map(({ kind }) => kind))
  })
})
