import { describe, expect, test } from 'vitest'

import { type SubjectId, subjectOfPosition } from '../../../src/alert/subject-id.ts'
import { named } from '../../../src/engine/evaluate/wording.ts'
import { type Effect, isWrite } from '../../../src/engine/memory/effect.ts'
import { nearDanger } from '../../../src/engine/memory/monitors.ts'
import type { Decision } from '../../../src/engine/monitors/decision.ts'
import { type Item, item, message, plainLines } from '../../../src/message/message.ts'
import { positionKey } from '../../../src/venue/position.ts'
import { crossedBy, isArmed } from '../../support/armed.ts'
import { NOON } from '../../support/clock.ts'
import { desk, looking, titleOf } from '../../support/engine.ts'
import {
  aFiring,
  aMonitor,
  ALICE,
  aMarket,
  aPosition,
  aRule,
  exact,
  holding,
  rateOf,
  seenAt,
} from '../../support/fixtures.ts'

const eth = subjectOfPosition(aPosition())
const wallet: SubjectId = { is: 'wallet', wallet: ALICE }
/** What the store is given of it. */
const writesOf = (decision: Decision | null) => (decision?.effects ?? []).filter(isWrite)
const kindsOf = (effects: Effect[]) => effects.map(({ is }) => is)

const position = () => looking({}, eth)
/** Liquidated at 2000: at these prices 20%, 10%, 5% and 30% away, or a little less. */
const info = seenAt(2450)
const warning = seenAt(2200)
const critical = seenAt(2100)
const safe = seenAt(2900)

describe('a level that gets worse', () => {
  test('is an alert, a state, a step and words, all at once', () => {
    const outcome = position().look(warning)
    expect(writesOf(outcome)).toEqual([
      {
        is: 'state',
        row: {
          monitor: aMonitor(),
          value: expect.closeTo(0.0909, 4),
          state: aFiring({ tier: 2, alertId: 41, since: NOON }),
          params: { tiers: [0.2, 0.1, 0.05] },
        },
      },
      {
        is: 'alert',
        alert: {
          ...aMonitor(),
          id: 41,
          ruleIds: [7],
          personId: 1,
          title: 'ETH long: 9.1% to liquidation (A41)',
          severity: 'warning',
          openedAt: NOON,
          closedAt: null,
          closing: null,
        },
      },
    ])
    expect(outcome?.steps).toEqual([
      {
        alertId: 41,
        at: NOON,
        reason: 'fired',
        what: 'ok → 10% line',
        value: expect.closeTo(0.0909, 4),
        threshold: 'at 20 / 10 / 5%',
        dataAt: NOON - 2_000,
      },
    ])
    expect(outcome?.notices).toMatchObject([
      { severity: 'warning', reason: 'fired', quiet: false, alertIds: [41] },
    ])
    expect(outcome?.transition).toEqual({
      kind: 'liquidation-distance',
      subject: positionKey(aPosition()),
      from: 'tier 0',
      to: 'tier 2',
      reason: 'fired',
      alert: 'A41',
    })
  })

  test('changes nothing that is remembered before it is written down', () => {
    const { memory, look, key } = position()
    look(warning)
    look(warning)
    expect([memory.monitors.states.has(key), isArmed(memory, key), nearDanger(memory, ALICE)]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('is armed, and near danger, once it is', () => {
    const { memory, believe, key } = position()
    believe(warning)
    expect(memory.monitors.states.get(key)?.state).toMatchObject({ tier: 2, alertId: 41 })
    expect(crossedBy(memory, '100', { price: 2105, fundingRate: 0 })).toEqual([key])
    expect(crossedBy(memory, '100', { price: 2210, fundingRate: 0 })).toEqual([])
    expect(nearDanger(memory, ALICE)).toBe(true)
  })

  test('that must hold first is near danger meanwhile: its wallet is read as often as then', () => {
    const { memory, believe, key } = looking({ holdMs: 60_000, params: { tiers: [0.1, 0.05] } }, eth)
    expect(believe(warning)?.notices).toEqual([])
    expect(memory.monitors.states.get(key)?.state).toMatchObject({ is: 'pending', tier: 1 })
    expect(nearDanger(memory, ALICE)).toBe(true)
    believe(safe)
    expect(nearDanger(memory, ALICE)).toBe(false)
  })

  test('again keeps its alert, and is judged by its new tier; near danger is more than information', () => {
    const { believe, memory } = position()
    believe(info)
    expect(nearDanger(memory, ALICE)).toBe(false)
    const worse = believe(critical)
    expect(worse?.notices).toMatchObject([{ severity: 'critical', reason: 'worse', alertIds: [41] }])
    expect(writesOf(worse)).toMatchObject([
      { is: 'state' },
      { is: 'alert', alert: { id: 41, severity: 'critical' } },
    ])
  })
})

describe('a level that gets better', () => {
  test('is one quiet message', () => {
    const { believe, memory } = position()
    believe(critical)
    const eased = believe(seenAt(2300))
    expect(eased?.notices).toMatchObject([{ severity: 'info', reason: 'better', quiet: true }])
    expect(kindsOf(writesOf(eased))).toEqual(['state'])
    expect(eased?.steps[0]?.what).toBe('5% line → 20% line')
    expect(nearDanger(memory, ALICE)).toBe(false)
  })

  test('clears: the state is gone and the alert is closed', () => {
    const { believe } = position()
    believe(critical)
    const cleared = believe(safe)
    expect(writesOf(cleared)).toEqual([
      { is: 'state-gone', monitor: aMonitor() },
      { is: 'alert-closed', alertId: 41, at: NOON },
    ])
    expect(cleared?.notices[0]?.item.tone).toBe('good')
  })

  test('because there is no liquidation price any more has no figure for the trail', () => {
    const { believe } = position()
    believe(critical)
    expect(believe(seenAt(2100, aPosition({ liquidationPrice: null })))?.steps[0]?.value).toBeNull()
  })
})

describe('a level that stays as it is', () => {
  test('writes and says nothing, and takes no number', () => {
    const { believe, memory } = position()
    believe(warning)
    const same = believe(seenAt(2190))
    expect(same).toMatchObject({ notices: [], steps: [], transition: null })
    expect(writesOf(same)).toEqual([])
    expect(memory.run.last.alert).toBe(41)
  })
})

describe('what cannot be seen', () => {
  test('freezes the state and its bounds as they are', () => {
    const { believe, look, memory, key } = position()
    believe(warning)
    expect(look(null)).toBeNull()
    expect(memory.monitors.states.get(key)?.state).toMatchObject({ tier: 2 })
    expect(crossedBy(memory, '100', { price: 2210, fundingRate: 0 })).toEqual([])
  })

  test('is looked at again with each reading of its market until it can be', () => {
    const { believe, memory, key } = position()
    believe(null)
    expect(crossedBy(memory, '100', { price: 1, fundingRate: 0 })).toEqual([key])
  })

  test('is so too when an earlier run left it firing: it must not wait for the owner’s next read', () => {
    const state = aFiring({ tier: 1, alertId: 3, since: 1 })
    const world = desk({
      rules: [aRule()],
      states: [{ monitor: aMonitor(), value: 0.2, state, params: aRule().params }],
    })
    expect(world.reads([aPosition()])).toEqual([])
    const said = world.prices(aMarket({ price: exact('2050') }))
    expect(said.map(titleOf)).toEqual(['ETH long: 2.4% to liquidation (A3)'])
  })

  test('of an owner waits for the owner’s next read', () => {
    const { look, memory, key } = looking({ kind: 'opened', params: {} }, wallet)
    expect(look(null)).toBeNull()
    expect(isArmed(memory, key)).toBe(false)
  })
})

describe('something that happens', () => {
  const opened = () => looking({ kind: 'opened', params: {} }, wallet)
  const both = [aPosition(), aPosition({ accountId: '2' })]

  test('is an alert that is closed at once, for each', () => {
    const { believe, memory, key } = opened()
    const first = believe(holding([]))
    expect(first?.notices).toEqual([])
    expect(writesOf(first)).toMatchObject([{ is: 'memo', row: { memo: [] } }])
    const outcome = believe(holding(both))
    const monitor = { chatId: 1, kind: 'opened', identity: '', subject: wallet }
    expect(writesOf(outcome)).toMatchObject([
      { is: 'memo', row: { monitor, memo: both.map(positionKey) } },
      { is: 'alert', alert: { id: 41, kind: 'opened', closedAt: NOON, severity: 'info' } },
      { is: 'alert', alert: { id: 42, kind: 'opened', closedAt: NOON } },
    ])
    expect(outcome?.mentions).toEqual(both.map(positionKey))
    expect(outcome?.notices).toMatchObject([
      { quiet: true, reason: 'occurred', alertIds: [41] },
      { quiet: true, alertIds: [42] },
    ])
    expect(outcome?.steps).toMatchObject([{ what: 'opened', dataAt: NOON - 2_000 }, { what: 'opened' }])
    expect(memory.monitors.memos.get(key)).toEqual(both.map(positionKey))
  })

  test('is told again when it could not be written down', () => {
    const { believe, look } = opened()
    believe(holding([]))
    expect(look(holding(both))?.notices).toHaveLength(2)
    expect(look(holding(both))?.notices).toHaveLength(2)
    believe(holding(both))
    expect(look(holding(both))?.notices).toHaveLength(0)
  })

  test('writes no memo that has not changed', () => {
    const { believe } = opened()
    believe(holding(both))
    expect(writesOf(believe(holding(both)))).toEqual([])
  })

  test('in a market is looked for again at its bound, and rings when it costs money', () => {
    const { believe, memory, key } = looking(
      { kind: 'flip', params: { band: 0.00005, warnFrom: 1 } },
      { is: 'market', marketId: '100' },
    )
    believe(rateOf('-0.0005'))
    expect(crossedBy(memory, '100', { price: 0, fundingRate: 0.00004 })).toEqual([])
    expect(crossedBy(memory, '100', { price: 0, fundingRate: 0.00005 })).toEqual([key])
    expect(believe(rateOf('0.0005', [aPosition()]))?.notices).toMatchObject([
      { severity: 'warning', quiet: false },
    ])
  })
})

test('people name an alert by its id, whatever its title is made of', () => {
  const shown = (one: Item) => plainLines(message([one]), { now: NOON, zone: 'UTC' })
  expect(shown(named(item('info', 'ETH long opened'), 41))).toEqual(['[INFO] ETH long opened (A41)'])
  expect(named(item('info', ['ETH ', { strong: 'long' }]), 41)).toMatchObject({
    ...{ title: ['ETH ', { strong: 'long' }], alertId: 41 },
  })
  expect(shown(named(item('info', 'x'.repeat(500)), 41))[0]).toMatch(/^\[INFO\] x+…x+ \(A41\)$/)
})
