import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { subjectKey } from '../../../src/alert/subject-id.ts'
import { kinds } from '../../../src/alerts/index.ts'
import type { View } from '../../../src/command/context.ts'
import { pinWords } from '../../../src/commands/start/pinned-status.ts'
import { glanceOf } from '../../../src/commands/start/glance.ts'
import { plainLines } from '../../../src/message/message.ts'
import { positionKey } from '../../../src/venue/position.ts'
import { aView, home } from '../../dialog/world.ts'
import { NOON } from '../../support/clock.ts'
import { aMarket, aMonitor, aPerson, aPosition, aRule, aWatch, exact } from '../../support/fixtures.ts'
import { budget } from '../../support/seed.ts'

const person = aPerson({ id: 1 })
const glance = (over: Partial<View> = {}, who = person) =>
  glanceOf(aView(over), kinds, who, { now: NOON, simulated: false })

const amount = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, 10n ** 18n, 10n ** 330n, -(10n ** 330n), 2n ** 1_100n),
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
)
const positive = amount.map((one) => (one < 0n ? -one : one))
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null })

/** Whatever a venue may send, however absurd. */
const wallet = fc.array(
  fc.record({
    size: amount.filter((one) => one !== 0n),
    entryPrice: maybe(positive),
    liquidationPrice: maybe(positive),
    price: maybe(positive),
    fundingRatePerDay: amount,
  }),
  { maxLength: 6 },
)

function holding(all: readonly ReturnType<typeof drawn>[]): Partial<View> {
  const markets = all.flatMap(({ market }) => (market ? [[market.id, market] as const] : []))
  const known = new Map(markets)
  const seen = { at: NOON - 3_000, mono: 0 }
  return {
    watches: () => [aWatch({ label: 'main' })],
    positions: () => ({ value: all.map(({ position }) => position), ...seen }),
    symbol: (id) => `M${id}`,
    market: (id) => {
      const value = known.get(id)
      return value ? { value, ...seen } : null
    },
  }
}

function drawn(one: (typeof wallet extends fc.Arbitrary<(infer T)[]> ? T : never) & { at: number }): {
  position: ReturnType<typeof aPosition>
  market: ReturnType<typeof aMarket> | null
} {
  const { at, size, entryPrice, liquidationPrice, price, fundingRatePerDay } = one
  const id = String(at)
  return {
    position: aPosition({ marketId: id, accountId: id, size, entryPrice, liquidationPrice }),
    market: price === null ? null : aMarket({ id, symbol: `M${id}`, price, fundingRatePerDay }),
  }
}

test('whatever the venue sends, a glance is JSON, and comes in the order of the live card', () => {
  fc.assert(
    fc.property(wallet, (all) => {
      const view = holding(all.map((one, at) => drawn({ ...one, at })))
      const made = glance(view)
      expect(JSON.parse(JSON.stringify(made))).toStrictEqual(made)
      const card = plainLines(pinWords(aView(view), home, NOON), { now: NOON, zone: 'UTC' })
      const shown = card.flatMap((line) => /^(?:\[\w+\] )?(M\d) (?:long|short)/.exec(line)?.[1] ?? [])
      expect(made.positions.map(({ symbol }) => symbol)).toEqual(shown)
    }),
    { numRuns: budget(2_000, 150) },
  )
})

test('a market that was not seen gives no figure, and none is made up', () => {
  const position = aPosition({ liquidationPrice: null, entryPrice: null })
  const view = holding([{ position, market: null }])
  expect(glance(view).positions).toEqual([
    {
      ...{ key: positionKey(position), wallet: 'main', market: '100', symbol: 'M100', side: 'long', size: 2 },
      ...{ price: null, priceName: null, value: null, liquidation: null, distance: null, entry: null },
      ...{ pnl: null, fundingPerDay: null, tiers: [], readAt: NOON - 3_000 },
    },
  ])
})

test('a position that the last answers lacked is as old as the answer that had it', () => {
  const [held, lacking] = [aPosition({ accountId: '1' }), aPosition({ accountId: '2' })]
  const view = holding([held, lacking].map((position) => ({ position, market: aMarket() })))
  const positionSeenAt = (_: string, key: string) => (key === positionKey(lacking) ? NOON - 60_000 : null)
  const ages = glance({ ...view, positionSeenAt }).positions.map(({ key, readAt }) => [key, readAt])
  expect(new Map(ages as [string, number][])).toEqual(
    new Map([
      [positionKey(held), NOON - 3_000],
      [positionKey(lacking), NOON - 60_000],
    ]),
  )
})

test('a position past its liquidation has a distance below zero', () => {
  const market = aMarket({ price: exact('1900') })
  expect(glance(holding([{ position: aPosition(), market }])).positions[0]?.distance).toBeCloseTo(
    -100 / 1_900,
  )
})

test('the same market in two accounts of a wallet is told apart by the account', () => {
  const both = ['170141183460469231731687303715884105001', '170141183460469231731687303715884105002']
  const view = holding(both.map((accountId) => ({ position: aPosition({ accountId }), market: aMarket() })))
  expect(glance(view).positions.map(({ wallet: label }) => label)).toEqual(['main …105001', 'main …105002'])
})

test('the lines of all chats in which the person is alerted count, each once', () => {
  const rules = [
    aRule({ id: 1, kind: 'liquidation-distance', chatId: 1, params: { tiers: [0.2, 0.05] } }),
    aRule({ id: 2, kind: 'liquidation-distance', chatId: 2, params: { tiers: [0.1, 0.05] } }),
    aRule({ id: 3, kind: 'pnl', chatId: 3 }),
  ]
  const view = {
    ...holding([{ position: aPosition(), market: aMarket() }]),
    rules: () => rules,
    monitor: ({ chatId }: { chatId: number }) => {
      const rule = rules.find((one) => one.chatId === chatId)
      return rule ? { params: rule.params, ruleIds: [rule.id] } : null
    },
  }
  expect(glance(view).positions[0]?.tiers).toEqual([
    { at: 0.2, severity: 'info' },
    { at: 0.1, severity: 'warning' },
    { at: 0.05, severity: 'critical' },
  ])
})

test('the worst comes first, also when it is another’s', () => {
  const [own] = aView().firing(1)
  if (!own) throw new Error('nothing fires')
  const mild = { ...own, alertId: 1, severity: 'info' as const }
  const others = { ...own, alertId: 2, about: 'for Ann: ETH long · main' }
  const { firing } = glance({ firing: () => [mild], helping: () => [others] })
  expect(firing.map(({ alertId, about }) => [alertId, about])).toEqual([
    [2, 'for Ann: ETH long · main'],
    [1, own.about],
  ])
})

test.each([
  [{ is: 'waiting', since: 1, reminders: 3, remindAt: null }, { is: 'waiting' }],
  // Nobody has answered, and nobody is reminded any more.
  [{ is: 'given-up' }, { is: 'waiting' }],
  [
    { is: 'acknowledged', by: 'Ann', at: 1, until: 2 },
    { is: 'acknowledged', by: 'Ann', until: 2 },
  ],
  [
    { is: 'snoozed', by: 'Ann', at: 1, until: 2 },
    { is: 'snoozed', by: 'Ann', until: 2 },
  ],
] as const)('the state %o is the answer %o', (acknowledgement, heed) => {
  const [own] = aView().firing(1)
  if (!own) throw new Error('nothing fires')
  expect(glance({ firing: () => [{ ...own, acknowledgement }] }).firing[0]?.heed).toEqual(heed)
})

test('a source that cannot be seen is named in the language of the reader', () => {
  const source = { is: 'markets' } as const
  const blind = () => ({ own: [{ source, since: 5, why: 'timeout' }], others: 3 })
  expect(glance({ blind }).blind).toEqual([{ what: 'prices', since: 5, why: 'timeout' }])
  expect(glance({ blind }, { ...person, language: 'de' }).blind[0]?.what).toBe('Preise')
})

test('that nothing can be kept is said', () => {
  const status = { ...aView().status(), failure: { since: 5, why: 'the disk is full' } }
  expect(glance({ status: () => status }).failure).toEqual({ since: 5, why: 'the disk is full' })
})

test('an alert names its subject by its key', () => {
  expect(glance().firing[0]?.subject).toBe(subjectKey(aMonitor().subject))
})
