import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { monitorKey } from '../../../src/alert/monitor.ts'
import { subjectOfPosition } from '../../../src/alert/subject-id.ts'
import { kinds } from '../../../src/alerts/index.ts'
import { apply } from '../../../src/engine/memory/apply.ts'
import { createNearestLiquidations, demandOf } from '../../../src/engine/observe/read-demand.ts'
import { createQueue } from '../../../src/engine/queue.ts'
import { rowsFromBytes } from '../../../src/engine/recording/wallet-series.ts'
import { plainText } from '../../../src/message/message.ts'
import type { WalletRow } from '../../../src/store/snapshot.ts'
import type { Position } from '../../../src/venue/position.ts'
import { unsolicited } from '../../../src/venue/reading.ts'
import { NOON } from '../../support/clock.ts'
import { type Desk, desk, titleOf } from '../../support/engine.ts'
import {
  ALICE,
  aMarket,
  aMonitor,
  anAccount,
  aPosition,
  aRule,
  aWatch,
  exact,
} from '../../support/fixtures.ts'

const venue = 'lighter'
const near = aRule({ wallet: ALICE })
const opened = aRule({ id: 9, kind: 'position-opened', params: {} })
const closed = aRule({ id: 10, kind: 'position-closed', params: {} })
const rules = [near, opened, closed]
const eth = aPosition()
const btc = aPosition({ marketId: '200' })
const there = (over: Partial<Position> = {}) =>
  aPosition({ accountId: 'lighter/28', marketId: 'lighter/1', ...over })
const other = there({ marketId: 'lighter/2' })
const prices = (price = '2700') => [
  ...[aMarket({ price: exact('2700') }), aMarket({ id: '200', symbol: 'BTC', price: exact('2700') })],
  aMarket({ id: 'lighter/1', symbol: 'lighter:ETH', dex: venue, price: exact(price) }),
  aMarket({ id: 'lighter/2', symbol: 'lighter:BTC', dex: venue, price: exact('2700') }),
]

function started(over: Parameters<typeof desk>[0] = {}): Desk {
  const world = desk({ rules, watches: [aWatch()], ...over }, kinds, [venue])
  world.prices(...prices())
  return world
}

/** It has been read at both venues, and holds something at each. */
function held(): Desk {
  const world = started()
  world.reads([eth])
  world.reads([there()], { venue })
  return world
}

const keys = ({ memory }: Desk) =>
  [...(memory.wallets.views.get(ALICE)?.held.values() ?? [])].map(({ position }) => position.marketId)
const said = (items: ReturnType<Desk['reads']>) => items.map(titleOf)

describe('a reading of one venue says nothing of another', () => {
  test('what is held at either stays, whichever is read', () => {
    const world = held()
    expect(keys(world)).toEqual(['100', 'lighter/1'])
    world.reads([eth])
    world.reads([eth])
    expect(keys(world)).toEqual(['100', 'lighter/1'])
    expect([world.memory.wallets.views.lacks(ALICE), world.memory.wallets.views.lacks(ALICE, venue)]).toEqual(
      [false, false],
    )
  })

  test('an older reading is dropped by what its own venue has shown, not by another', () => {
    const world = held()
    const [first] = [...(world.memory.wallets.views.get(ALICE)?.looks?.values() ?? [])]
    expect(first?.mono).toBeLessThan(world.memory.wallets.views.at(ALICE, venue)?.mono ?? 0)
    expect(said(world.reads([eth, btc]))).toEqual([expect.stringContaining('BTC')])
  })

  test('a position that one lacks is missing there, and looked for there', () => {
    const world = held()
    world.reads([eth, btc])
    world.reads([], { venue })
    world.prices(...prices())
    const confirms = (at?: string) => demandOf(world.memory, ALICE, world.look().mono, at).confirm
    expect([confirms(), confirms(venue)]).toEqual([false, true])
    expect(said(world.reads([eth, btc]))).toEqual([])
    expect(said(world.reads([], { venue }))).toEqual([expect.stringContaining('lighter:ETH')])
    expect(keys(world)).toEqual(['100', '200'])
  })

  test('accounts that fail at one are in doubt there alone', () => {
    const world = held()
    world.reads([], { venue, failedParts: [{ part: 'lighter/28', why: 'busy' }] })
    expect([...(world.memory.wallets.views.get(ALICE)?.failedParts.keys() ?? [])]).toEqual(['lighter/28'])
    world.reads([eth])
    expect([...(world.memory.wallets.views.at(ALICE, venue)?.failedParts.keys() ?? [])]).toEqual([
      'lighter/28',
    ])
    expect(world.memory.sources.lastFailure.has(`account/${ALICE}/lighter%2F28`)).toBe(true)
  })

  test('danger is that of the venue where it is', () => {
    const world = held()
    world.prices(...prices('2050'))
    const nears = (at?: string) => demandOf(world.memory, ALICE, world.look().mono, at).nearDanger
    expect([nears(), nears(venue)]).toEqual([false, true])
    world.reads([eth])
    expect([nears(), nears(venue)]).toEqual([false, true])
    const key = monitorKey(aMonitor({ subject: subjectOfPosition(there()) }))
    expect(world.memory.monitors.states.has(key)).toBe(true)
  })
})

describe('an answer that names another venue', () => {
  const past = there({ liquidationPrice: exact('2690') })
  const foreign = there({ marketId: 'lighter/2' })

  test('shows, warns and ends nothing there, and is in doubt itself', () => {
    const world = held()
    expect(said(world.reads([eth, past, foreign]))).toEqual([])
    expect(keys(world)).toEqual(['100', 'lighter/1'])
    const source = `owner/${ALICE}`
    expect(world.memory.sources.lastFailure.get(source)?.why).toBe('position 2 of 3: it names another venue')
    expect(world.memory.wallets.views.at(ALICE, venue)?.held.values().next().value?.position).toEqual(there())
    // What such an answer lacks is not gone.
    for (let times = 0; times < 3; times++) expect(said(world.reads([past]))).toEqual([])
    expect(keys(world)).toEqual(['100', 'lighter/1'])
    expect(said(world.reads([eth, btc]))).toEqual([expect.stringContaining('BTC')])
    expect(world.memory.sources.lastFailure.has(source)).toBe(false)
  })

  test('is refused at the second one as well, whether an account or a market is foreign', () => {
    const world = held()
    const odd = [btc, there({ accountId: 'lighter/29', marketId: '200' })]
    expect(said(world.reads([there(), ...odd], { venue }))).toEqual([])
    expect(keys(world)).toEqual(['100', 'lighter/1'])
    expect(world.memory.sources.lastFailure.get(`owner/${ALICE}/${venue}`)?.why).toBe(
      'position 2 of 3: it names another venue',
    )
  })

  test('brings no accounts and failures of the other one', () => {
    const world = held()
    const account = anAccount({ accountId: 'lighter/28', pool: 'lighter/28' })
    world.reads([eth], {
      accounts: [account],
      failedParts: [{ part: 'lighter/28', why: 'busy' }],
    })
    expect(world.memory.wallets.views.get(ALICE)?.accounts.size).toBe(0)
    expect(world.memory.sources.lastFailure.has(`account/${ALICE}/lighter%2F28`)).toBe(false)
  })
})

test('wallets are nearest at the venue where their position is, and a second venue empties nothing', () => {
  const world = held()
  const at = (one?: string) => createNearestLiquidations(world.memory, one).nearest(1, [])
  world.prices(...prices('2200'))
  expect(at()).toEqual([{ wallet: ALICE, distance: expect.closeTo(0.259, 3) }])
  expect(at(venue)).toEqual([{ wallet: ALICE, distance: expect.closeTo(0.0909, 3) }])
  world.reads([], { venue })
  expect([...world.memory.wallets.emptied.keys()]).toEqual([`owner/${ALICE}/${venue}`])
  world.reads([eth])
  expect([...world.memory.wallets.emptied.keys()]).toEqual([`owner/${ALICE}/${venue}`])
})

test('waiting readings make way for newer ones of the same venue alone', () => {
  const queue = createQueue()
  const answer = { positions: [], accounts: [], unusable: [], failedParts: [], totalCount: null }
  const read = (mono: number, there: { venue?: string }) => ({
    ...unsolicited(ALICE, { value: answer, at: 0, mono }),
    ...there,
  })
  const all = [read(1, {}), read(2, { venue }), read(3, {}), read(4, { venue })]
  for (const reading of all) queue.put({ is: 'wallet', reading })
  expect(
    [queue.next(), queue.next(), queue.next()].map((input) => input?.is === 'wallet' && input.reading),
  ).toEqual([all[2], all[3], false])
})

test('each venue has a recording of its own: the gap of one is none of another', () => {
  const world = held()
  const source = `owner/${ALICE}/${venue}`
  apply(world.memory, [{ is: 'outage', source, since: NOON, why: 'busy', at: NOON + 20_000 }])
  const rows = (id: string) => world.memory.recording.open('wallet', id).flatMap(rowsFromBytes)
  expect(rows(ALICE).map(({ unseenSince }) => unseenSince)).toEqual([null])
  expect(rows(`${ALICE}/${venue}`).map(({ unseenSince }) => unseenSince)).toEqual([null, NOON])
})

describe('what a wallet holds where it was never read', () => {
  const stored: WalletRow = {
    ...{ wallet: ALICE, at: NOON - 60_000, positions: [eth], prices: { 100: 2_500 } },
    ...{ symbols: { 100: 'ETH' }, gone: [], touchedLiquidation: {} },
  }

  test('is no news when the venue is new, but a danger is told', () => {
    const world = started()
    expect(said(world.reads([eth]))).toEqual([])
    expect(said(world.reads([there()], { venue }))).toEqual([])
    expect(said(world.reads([there(), other], { venue }))).toEqual([expect.stringContaining('lighter:BTC')])
    const endangered = started({ wallets: [stored] })
    endangered.reads([eth])
    endangered.prices(...prices('2050'))
    expect(said(endangered.reads([there()], { venue }))).toEqual([
      expect.stringMatching(/^lighter:ETH long: 2\.4/),
    ])
  })

  test('is no news if the other venue answered first', () => {
    const world = started()
    world.reads([there()], { venue })
    expect(said(world.reads([eth]))).toEqual([])
    expect(said(world.reads([eth, btc]))).toEqual([expect.stringContaining('BTC')])
  })

  test('is news once an earlier run has read it there, with nothing held', () => {
    const memos = [opened, closed].map(({ kind, chatId, identity }) => ({
      monitor: { kind, chatId, identity, subject: { is: 'wallet', wallet: ALICE } as const },
      memo: [],
    }))
    const world = started({
      memos,
      wallets: [{ ...stored, positions: [], looks: { [venue]: { at: NOON } } }],
    })
    expect(said(world.reads([]))).toEqual([])
    expect(said(world.reads([there()], { venue }))).toEqual([expect.stringContaining('lighter:ETH')])
  })
})

test('a start finds what each venue has shown, and when', () => {
  const world = started()
  const rows: WalletRow[] = []
  world.reads([eth])
  world.reads([there()], { venue })
  const { views } = world.memory.wallets
  expect([...(views.at(ALICE, venue)?.held.keys() ?? [])]).toHaveLength(1)
  rows.push({
    ...{ wallet: ALICE, at: NOON - 60_000, looks: { [venue]: { at: NOON - 5_000 } }, gone: [] },
    ...{ positions: [eth, there()], prices: {}, symbols: { 100: 'ETH', 'lighter/1': 'lighter:ETH' } },
    touchedLiquidation: {},
  })
  const again = desk({ rules, watches: [aWatch()], wallets: rows }, kinds, [venue]).memory.wallets.views
  expect([undefined, venue].map((at) => again.at(ALICE, at)?.at)).toEqual([NOON - 60_000, NOON - 5_000])
  expect([...(again.get(ALICE)?.held.values() ?? [])].map(({ seenAt }) => seenAt)).toEqual([
    NOON - 60_000,
    NOON - 5_000,
  ])
})

test('readings of two venues in any order lead to what each alone leads to', () => {
  const of = (own: Position[]) =>
    fc.record({
      positions: fc.subarray(own),
      fails: fc.boolean(),
    })
  const step = fc.oneof(
    fc.record({ at: fc.constant(undefined), answer: of([eth, btc]) }),
    fc.record({ at: fc.constant(venue), answer: of([there(), other, there({ accountId: 'lighter/29' })]) }),
    fc.record({ at: fc.constant('prices' as const), price: fc.constantFrom('2700', '2050', '2300') }),
  )
  const fails = (own: string | undefined) =>
    own === undefined ? { part: eth.accountId, why: 'busy' } : { part: 'lighter/28', why: 'busy' }
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
      const run = (which: readonly (string | undefined)[]) => {
        const world = desk({ rules, watches: [aWatch()] }, kinds, [venue])
        world.prices(...prices())
        const all = steps.flatMap((one) => {
          if (one.at === 'prices') return world.prices(...prices(one.price))
          if (!which.includes(one.at)) {
            world.passes()
            return []
          }
          const { positions, fails: isFailing } = one.answer
          return world.reads(positions, {
            ...(one.at !== undefined && { venue: one.at }),
            failedParts: isFailing ? [fails(one.at)] : [],
          })
        })
        return { world, told: all.map(({ title }) => plainText(title, { now: NOON, zone: 'UTC' })) }
      }
      const both = run([undefined, venue])
      const alone = [run([undefined]), run([venue])]
      expect(both.told.toSorted()).toEqual(alone.flatMap(({ told }) => told).toSorted())
      const held = alone.flatMap(({ world }) => keys(world))
      expect(keys(both.world).toSorted()).toEqual(held.toSorted())
      const states = alone.flatMap(({ world }) => [...world.memory.monitors.states.keys()])
      expect([...both.world.memory.monitors.states.keys()].toSorted()).toEqual(states.toSorted())
    }),
  )
})
