import * as fc from 'fast-check'

import type { DrawingOrder, FundingPicture, LadderPicture } from '../../src/message/picture.ts'
import { money, name, reader } from './orders.ts'

const UNTIL = Date.UTC(2025, 10, 25, 19, 35)
const HOUR_MS = 3_600_000
const READER = { zone: 'Europe/Berlin', language: 'en', numbers: '1,234.5', theme: 'dark' } as const

type Ladder = Omit<LadderPicture, 'words'>
type Funding = Omit<FundingPicture, 'words'>

/** All prices fall by a tenth: one account is liquidated, of one nobody can tell, and one holds. */
export function ladderOrder(
  differences: Partial<Ladder> = {},
  others: Partial<Omit<DrawingOrder, 'picture'>> = {},
): DrawingOrder<LadderPicture> {
  return orderOf(
    {
      ...{ is: 'ladder', until: UNTIL, moves: [{ symbol: null, by: -0.1 }], common: -0.1, wallet: null },
      accounts: [
        { name: 'BTC long · main', ends: 0.42, tone: 'red' },
        { name: 'cold', ends: 'unknown', tone: 'calm' },
        { name: 'main · xyz', ends: 'holds', tone: 'calm' },
      ],
      ...{ count: 3, positions: { count: 5, value: 142_009.5 }, liquidated: 1, unknown: 1, isWhole: true },
      ...{ pnl: { before: -4_496, after: -18_912 }, words: '' },
      ...differences,
    },
    others,
  )
}

/** One position pays, and one receives less. */
export function fundingOrder(
  differences: Partial<Funding> = {},
  others: Partial<Omit<DrawingOrder, 'picture'>> = {},
): DrawingOrder<FundingPicture> {
  return orderOf(
    {
      ...{ is: 'funding', until: UNTIL, perDay: -43.33, count: 2, isWhole: true, words: '' },
      positions: [
        { symbol: 'BTC', side: 'long', wallet: 'main', perDay: -62.1 },
        { symbol: 'kPEPE', side: 'short', wallet: 'cold', perDay: 18.77 },
      ],
      ...{ paidPerDay: 62.1, receivedPerDay: 18.77, payment: null, flip: null },
      ...differences,
    },
    others,
  )
}

function orderOf<Of extends LadderPicture | FundingPicture>(
  picture: Of,
  others: Partial<Omit<DrawingOrder, 'picture'>>,
): DrawingOrder<Of> {
  const course = { times: [], prices: [], gaps: [] }
  return { picture, course, reader: READER, simulated: true, format: 'card', ...others }
}

const share = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, 1e-12, 0.999_999))
const move = fc.oneof(
  fc.double({ min: -0.99, max: 10, noNaN: true }).filter((by) => Math.abs(by) > 1e-9),
  fc.constantFrom(-0.1, 0.05, -0.0004, 10, -0.99),
)
const old = fc.option(
  fc.record({
    what: fc.constantFrom('price' as const, 'position' as const),
    ms: fc.integer({ min: 10_000, max: 40 * 24 * HOUR_MS }),
  }),
  { nil: undefined },
)
/** Nobody pays less than a billionth of a dollar. */
const paid = money.map((usd) => (Math.abs(usd) < 1e-9 ? 0 : usd))
const count = fc.nat({ max: 3 }).chain((more) => fc.constantFrom(0, more, 1_234))

const ladder: fc.Arbitrary<LadderPicture> = fc
  .record({
    moves: fc.array(fc.record({ symbol: fc.option(name), by: move }), { minLength: 1, maxLength: 6 }),
    hasMore: fc.boolean(),
    common: fc.option(move),
    wallet: fc.option(name),
    falling: fc.array(
      fc.record({
        name,
        ends: share,
        tone: fc.constantFrom('calm' as const, 'amber' as const, 'red' as const),
      }),
      { maxLength: 6 },
    ),
    others: fc.array(fc.record({ name, ends: fc.constantFrom('holds' as const, 'unknown' as const) }), {
      minLength: 1,
      maxLength: 6,
    }),
    more: count,
    positions: fc.record({
      count: fc.integer({ min: 1, max: 99_999 }),
      value: fc.option(money.map(Math.abs)),
    }),
    pnl: fc.option(fc.record({ before: money, after: money })),
    isWhole: fc.boolean(),
    old,
  })
  .map(({ falling, others, more, hasMore, old: age, ...rest }) => {
    const first = falling.toSorted((a, b) => a.ends - b.ends)
    const later = others.map((one) => ({ ...one, tone: 'calm' as const }))
    const accounts = [...first, ...later].slice(0, 6)
    const unknown = accounts.filter(({ ends }) => ends === 'unknown').length
    return {
      ...{ is: 'ladder', until: UNTIL, words: '', accounts, count: accounts.length + more },
      ...{ liquidated: first.length, unknown, ...(age && { old: age }) },
      ...(hasMore && { hasMoreMoves: true as const }),
      ...rest,
    }
  })

const funding: fc.Arbitrary<FundingPicture> = fc
  .record({
    positions: fc.array(
      fc.record({
        ...{ symbol: name, side: fc.constantFrom('long' as const, 'short' as const) },
        ...{ wallet: fc.option(name), perDay: fc.oneof(paid, fc.constantFrom(0, 1e-9)) },
      }),
      { minLength: 1, maxLength: 6 },
    ),
    more: count,
    payment: fc.option(fc.record({ at: fc.constant(UNTIL + HOUR_MS), usd: money })),
    flip: fc.option(fc.record({ symbol: name, at: fc.constant(UNTIL + 9 * HOUR_MS) })),
    isWhole: fc.boolean(),
    old,
  })
  .map(({ positions, more, old: age, ...rest }) => {
    const sorted = positions.toSorted((a, b) => a.perDay - b.perDay)
    const sum = (sign: number) => sorted.reduce((total, { perDay }) => total + Math.max(sign * perDay, 0), 0)
    return {
      ...{ is: 'funding', until: UNTIL, words: '', positions: sorted, count: sorted.length + more },
      ...{ paidPerDay: sum(-1), receivedPerDay: sum(1), perDay: sum(1) - sum(-1) },
      ...(age && { old: age }),
      ...rest,
    }
  })

function ordersOf<Of extends LadderPicture | FundingPicture>(
  picture: fc.Arbitrary<Of>,
): fc.Arbitrary<DrawingOrder<Of>> {
  const format = fc.constantFrom('card' as const, 'strip' as const)
  return fc
    .record({ picture, reader, simulated: fc.boolean(), format })
    .map(({ picture: drawn, ...others }) => orderOf(drawn, others))
}

/** Ladders of all sorts, of accounts that exist and of those that should not. */
export const ladders = ordersOf(ladder)
/** The same of funding. */
export const fundings = ordersOf(funding)
