import { expect, test } from 'vitest'

import { type Channel, MOST_PER_CONNECTION, planned } from '../../../../src/venues/lighter/rules/places.ts'

const positions = (...accounts: number[]): Channel[] =>
  accounts.map((account) => ({ purpose: 'account_all', of: String(account) }))
const figures = (...accounts: number[]): Channel[] =>
  accounts.map((account) => ({ purpose: 'user_stats', of: String(account) }))
const place = (id: number, free: number, isOpen = true) =>
  ({ id, purpose: 'account_all', isOpen, free }) as const
const asked = (plan: ReturnType<typeof planned>) =>
  plan.ask.map(({ channel, connection }) => `${channel.of}@${connection}`)

test('the first ones are asked for first, and no more than may be asked for', () => {
  const plan = planned(positions(3, 1, 2), [place(7, 400)], 2)
  expect(asked(plan)).toEqual(['3@7', '1@7'])
  expect(plan.open).toEqual([])
})

test('one connection is filled before the next', () => {
  expect(asked(planned(positions(1, 2, 3), [place(7, 2), place(8, 400)], 9))).toEqual(['1@7', '2@7', '3@8'])
})

test('an open connection is taken before one that still opens', () => {
  expect(asked(planned(positions(1), [place(7, 400, false), place(8, 1)], 9))).toEqual(['1@8'])
})

test('for what has room on no connection as many are opened as it takes', () => {
  const many = positions(...Array.from({ length: MOST_PER_CONNECTION * 2 + 1 }, (_, n) => n))
  expect(planned(many, [], 9_999)).toEqual({ ask: [], open: ['account_all', 'account_all', 'account_all'] })
})

test('what has room on a connection that opens waits for it, and opens no other one', () => {
  expect(planned(positions(1, 2), [place(7, 400, false)], 9)).toEqual({ ask: [], open: [] })
})

test('prices, positions and the figures of accounts do not share a connection', () => {
  const prices: Channel = { purpose: 'market_stats', of: 'all' }
  const plan = planned([prices, ...positions(1)], [{ ...place(7, 399), purpose: 'market_stats' }], 9)
  expect([asked(plan), plan.open]).toEqual([['all@7'], ['account_all']])
})

test('figures wait until every position has a connection', () => {
  const ready = { id: 9, purpose: 'user_stats', isOpen: true, free: 400 } as const
  const wanted = [...positions(1), ...figures(1)]
  expect(planned(wanted, [ready], 9)).toEqual({ ask: [], open: ['account_all'] })
  expect(planned(wanted, [ready, place(7, 1, false)], 9)).toEqual({ ask: [], open: [] })
  expect(asked(planned(wanted, [ready, place(7, 1)], 9))).toEqual(['1@7', '1@9'])
})

test('nothing is asked for and nothing opened while nothing may be said', () => {
  expect(planned(positions(1), [], 0)).toEqual({ ask: [], open: [] })
})
