import { expect, test } from 'vitest'

import { kinds } from '../../../src/alerts/index.ts'
import { withDefaults } from '../../../src/engine/memory/rules.ts'
import { aRule, remembered } from '../../support/fixtures.ts'

const params = (kind: string, known: unknown) =>
  withDefaults(kinds, remembered({ rules: [aRule({ kind, params: known })] })).rules[0]?.params

test('a rule of an earlier version has what was added since as whoever leaves it out', () => {
  expect(params('funding-flip', { band: 0.001 })).toEqual({ band: 0.001, warnFrom: 1 })
})

test.each([
  ['one that has everything', 'funding-flip', { band: 0.001, warnFrom: 7 }],
  ['one of a kind that is no more', 'tides', { height: 3 }],
  ['one that could not be set any more', 'funding-flip', { band: 7 }],
  ['one without parameters', 'position-opened', {}],
])('%s stays as it is', (_what, kind, known) => expect(params(kind, known)).toBe(known))

test('rules that share what they ask for go on sharing it', () => {
  const shared = { band: 0.001 }
  const [one, other] = withDefaults(
    kinds,
    remembered({
      rules: [1, 2].map((id) => aRule({ id, kind: 'funding-flip', params: shared })),
    }),
  ).rules
  expect(one?.params).toBe(other?.params)
})
