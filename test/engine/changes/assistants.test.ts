import { describe, expect, test } from 'vitest'

import { kinds } from '../../../src/alerts/index.ts'
import type { Rule } from '../../../src/alert/alert.ts'
import { inWords } from '../../../src/message/message.ts'
import type { Change } from '../../../src/store/change.ts'
import { made } from '../../support/engine.ts'
import { aDraft, ALICE, aRule } from '../../support/fixtures.ts'
import { paramsOf } from '../../support/kinds.ts'

const own = aRule({ id: 7, wallet: ALICE, params: { tiers: [0.1] }, holdMs: 60_000, armedByWatch: true })
const asked = (over: Partial<Rule>): Change => ({
  ...{ is: 'rule', personId: 1, chatId: 1, setBy: 'claude' },
  draft: aDraft({ wallet: ALICE, ...over }),
})
const rulesOf = ({ writes }: ReturnType<typeof made>) =>
  writes.flatMap((write) => (write.is === 'rule' ? [write.rule] : []))
const toldOf = ({ writes }: ReturnType<typeof made>) =>
  writes.flatMap((write) => (write.is === 'send' ? [write.row] : []))

describe('a rule that an assistant sets', () => {
  test('is told to its person without a sound, and can be taken back', () => {
    const done = made(asked({ params: { tiers: [0.2] } }), { rules: [] })
    const [rule] = rulesOf(done)
    expect(rule).toMatchObject({ setBy: 'claude', params: { tiers: [0.2] } })
    const [row] = toldOf(done)
    const [told] = row?.message.items ?? []
    expect([row?.chatId, row?.silent]).toEqual([1, true])
    expect(inWords(told?.title ?? '')).toBe(`Your assistant “claude” set R${rule?.id}`)
    expect(told?.buttons.map(({ line }) => line)).toEqual([`/remove R${rule?.id}`])
  })

  test('takes nothing away from one that is there', () => {
    const done = made(asked({ params: { tiers: [0.2] }, holdMs: 3_600_000 }), { rules: [own] })
    expect(rulesOf(done)).toEqual([{ ...own, params: { tiers: [0.2, 0.1] }, setBy: 'claude' }])
    const [told] = toldOf(done)[0]?.message.items ?? []
    expect(inWords(told?.title ?? '')).toBe('Your assistant “claude” added to R7')
    expect(told?.lines.map((line) => inWords(line))).toContain('Before: at 10%')
    expect(told?.buttons.map(({ line }) => line)).toEqual(['/alerts'])
  })

  test('may hold for less time, and changes nothing where it adds nothing', () => {
    expect(rulesOf(made(asked({ params: { tiers: [0.1] }, holdMs: 5_000 }), { rules: [own] }))).toEqual([
      { ...own, holdMs: 5_000, setBy: 'claude' },
    ])
    const same = made(asked({ params: { tiers: [0.1] }, holdMs: 90_000 }), { rules: [own] })
    expect([same.writes, same.rules]).toEqual([[], [own]])
  })

  test('is its person’s own again once they set it', () => {
    const { memory } = made(asked({ params: { tiers: [0.2] } }), { rules: [own] })
    const change: Change = { is: 'rule', personId: 1, chatId: 1, draft: aDraft({ wallet: ALICE }) }
    expect(rulesOf(made(change, {}, memory))[0]).not.toHaveProperty('setBy')
  })
})

test.each(kinds.map((kind) => [kind.name, kind] as const))(
  'two rules of %s that are one stay one when they are merged',
  (_, kind) => {
    const all = paramsOf(kind)
    const pairs = all.flatMap((a) => all.map((b) => [a, b] as const))
    const alike = pairs.filter(([a, b]) => kind.identity(a) === kind.identity(b))
    expect(alike.length).toBeGreaterThan(0)
    for (const [a, b] of alike) expect(kind.identity(kind.merge([a, b]))).toBe(kind.identity(a))
    // Asked again and again, a rule does not grow.
    for (const [a, b] of alike) expect(kind.merge([kind.merge([a, b]), b])).toEqual(kind.merge([a, b]))
  },
)
