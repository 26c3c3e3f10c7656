import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { monitorKey, monitorOf } from '../../src/alert/monitor.ts'
import { type SubjectId, subjectKey, subjectOf, subjectOfPosition } from '../../src/alert/subject-id.ts'
import { positionKey } from '../../src/venue/position.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { ALICE, aPosition, BOB } from '../support/fixtures.ts'

/** Ids as a venue may give them: anything, with the signs that keys are joined by more often than chance has them. */
const id = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('/', '|', '%', ':', '2', 'F', '7', 'C', '5', 'ü', '🐟', ' ', '\n') }),
  fc.constantFrom('BTC/USD', 'xyz:NVDA', 'a|b', '%2F', '%252F', 'wallet', 'market', 'account', ''),
)
const wallet = fc.constantFrom<Wallet>(ALICE, BOB)
const subject: fc.Arbitrary<SubjectId> = fc.oneof(
  fc.record({
    is: fc.constant('position' as const),
    wallet,
    accountId: id,
    marketId: id,
    side: fc.constantFrom('long' as const, 'short' as const),
  }),
  fc.record({ is: fc.constant('market' as const), marketId: id }),
  fc.constant({ is: 'venue' as const }),
  fc.record({ is: fc.constant('wallet' as const), wallet }),
  fc.record({ is: fc.constant('account' as const), wallet, accountId: id }),
)
const monitor = fc.record({
  chatId: fc.nat(),
  kind: fc.constantFrom('liquidation-distance', 'funding-flip'),
  identity: id,
  subject,
})

test('whatever a venue calls its markets and accounts, a word leads back to the subject that it is of', () => {
  fc.assert(
    fc.property(subject, (one) => {
      expect(subjectOf(subjectKey(one))).toEqual(one)
    }),
  )
})

test('whatever rules are told apart by, a word leads back to the guard that it is of', () => {
  fc.assert(
    fc.property(monitor, (one) => {
      expect(monitorOf(monitorKey(one))).toEqual(one)
    }),
  )
})

test('two guards never have one word', () => {
  fc.assert(
    fc.property(monitor, monitor, (one, other) => {
      fc.pre(JSON.stringify(one) !== JSON.stringify(other))
      expect(monitorKey(one)).not.toBe(monitorKey(other))
    }),
  )
})

test('a position has one word, as a position and as what is judged', () => {
  fc.assert(
    fc.property(id, id, fc.constantFrom(2n, -2n), (accountId, marketId, size) => {
      const position = aPosition({ accountId, marketId, size })
      expect(subjectKey(subjectOfPosition(position))).toBe(positionKey(position))
    }),
  )
})
