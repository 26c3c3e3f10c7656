import { describe, expect, test } from 'vitest'
import { findKind } from '../../src/alert.ts'
import type { Kind, Subject } from '../../src/alert.ts'
import { kinds } from '../../src/alerts/index.ts'
import { argumentMeta } from '../../src/argument.ts'
import { named } from '../../src/engine/judge.ts'
import type { Gone } from '../../src/gone.ts'
import type { Item } from '../../src/message.ts'
import { codePoints, ITEM_CODE_POINTS } from '../../src/message.ts'
import { positionKey } from '../../src/position.ts'
import { NOON } from '../support/clock.ts'
import { titleOf } from '../support/engine.ts'
import { aMarket, anOrder, aPosition, exact, holding, rateOf, seenAt } from '../support/fixtures.ts'

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
  test('is named in words that people can type', () => {
    for (const name of [kind.name, ...kind.aliases]) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
  })

  test('is found by each of its names, and by no other kind’s', () => {
    for (const name of [kind.name, ...kind.aliases]) expect(findKind(kinds, name)).toBe(kind)
  })

  test('asks for parameters that a person can type', () => {
    for (const field of Object.values(kind.params.shape)) expect(argumentMeta(field)).toBeDefined()
  })

  test('arms itself with parameters that a person could set', () => {
    if (kind.armedByWatch !== null) expect(kind.params.parse(kind.armedByWatch)).toEqual(kind.armedByWatch)
  })

  test('completes the sentence “Tells you when …”, and gives an example of itself', () => {
    expect(kind.summary).toMatch(/^[a-z].*[^.]$/)
    expect([kind.name, ...kind.aliases]).toContain(kind.example.split(' ')[0])
  })
})

test('no kind is called what none is', () => expect(findKind(kinds, 'price-above')).toBeUndefined())

/** Everything that each kind can say, with these names and figures. */
function everythingSaid(symbol: string, wallet: string, figure: string, statuses: string[]): Item[] {
  const market = aMarket({ symbol, price: exact(figure) })
  const position = aPosition({
    size: exact(figure),
    entryPrice: exact(figure),
    liquidationPrice: exact(figure),
  })
  const times = { awaySince: NOON - 500 * 86_400_000, marketAt: NOON - 4e10, positionAt: NOON - 4e10, wallet }
  const held = Array.from({ length: 20 }, () => ({ position, wallet }))
  const gone: Gone = {
    key: positionKey(position),
    position,
    symbol,
    lastSeenAt: NOON - 4e10,
    awaySince: times.awaySince,
    cause: 'probably liquidated',
    lastPrice: Number(figure),
    lastDistance: 0.1,
    worstPrice: Number(figure),
    orders: statuses.map((status) => anOrder({ status })),
  }
  const subjects: Record<Subject['is'], Subject> = {
    position: seenAt(1, position, { ...times, market, price: Number(figure) }),
    market: rateOf('0.0123456789', [], {
      ...times,
      market: { ...market, fundingRatePerDay: exact('0.0123') },
      positions: held,
    }),
    owner: holding([position], { ...times, gone: [gone], market: () => market }),
  }
  return kinds.flatMap((kind) => said(kind, subjects[kind.on], gone).map((item) => named(item, 123_456)))
}

function said(kind: Kind, subject: Subject, gone: Gone): Item[] {
  const params = kind.armedByWatch
  if (kind.is === 'level') {
    const change = { value: 0.123, at: NOON, alertId: 1 }
    const steps = [
      { from: 0, to: 4 },
      { from: 4, to: 1 },
      { from: 4, to: 0 },
    ]
    return steps.map((step) => kind.tell(params, { ...change, ...step }, subject))
  }
  const happening = (what: string, detail: unknown) => ({ what, value: 0, position: null, detail })
  const { position } = gone
  const details = [
    happening('you pay', null),
    happening('nobody', null),
    happening('opened', position),
    happening('resized', { position, before: '1' }),
    happening('closed', gone),
  ]
  const mine: Record<string, number[]> = {
    'funding-flip': [0, 1],
    'position-opened': [2],
    'position-resized': [3],
    'position-closed': [4],
  }
  return (mine[kind.name] ?? [])
    .flatMap((at) => details[at] ?? [])
    .map((one) => kind.tell(params, one, subject))
}

const length = ({ title, lines }: Item) =>
  [title, ...lines].reduce((sum, text) => sum + codePoints(text) + 1, -1)

describe('what any kind says fits ten times into any platform’s message', () => {
  test('with usual names nothing is cut', () => {
    for (const item of everythingSaid('1000PEPE', 'cold wallet of my sister', '1234567.891', [
      'Committed',
      'LimitExecuted',
    ])) {
      expect(length(item)).toBeLessThanOrEqual(ITEM_CODE_POINTS)
      expect(JSON.stringify(item)).not.toContain('…')
    }
  })

  test.each([
    ['a symbol', 'SYMBOL'.repeat(200), 'main', '2500'],
    ['a label', 'ETH', '🦆'.repeat(1_000), '2500'],
    ['a figure', 'ETH', 'main', '9'.repeat(60)],
    ['all of them', 'Ω'.repeat(5_000), 'x'.repeat(5_000), '0.000000000000000001'],
  ])('with %s beyond all bounds too, and its id is always there', (_what, symbol, wallet, figure) => {
    for (const item of everythingSaid(
      symbol,
      wallet,
      figure,
      Array.from({ length: 9 }, (_, n) => `${n}${'Status'.repeat(9)}`),
    )) {
      expect(length(item)).toBeLessThanOrEqual(ITEM_CODE_POINTS)
      expect(titleOf(item)).toMatch(/ \(A123456\)$/)
    }
  })
})
