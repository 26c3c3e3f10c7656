import { expect, test } from 'vitest'

import type { Alert } from '../../../src/alert/alert.ts'
import type { NewTimelineEntry } from '../../../src/alert/timeline.ts'
import type { Gap } from '../../../src/people/digest.ts'
import type { Write } from '../../../src/store/store.ts'
import { closingOf } from '../../../src/venue/close-outcome.ts'
import type { WithStore } from '../store.ts'
import { anEnding, aPerson, aPosition } from '../../support/fixtures.ts'
import { anAlert, aStep } from '../../support/store-everything.ts'
import { aRow, aTurn, chatsOfAlice, sends, sentAt } from '../../support/store.ts'

export function testHistoryStore(withStore: WithStore): void {
  test('what happened lately in some chats, the worst first, and what was not seen there', () =>
    withStore(async ({ store }) => {
      const alert = (id: number, over: Partial<Alert>): Write => ({
        is: 'alert',
        alert: anAlert({ id, openedAt: 10, closedAt: 20, ...over }),
      })
      const gap = (over: Partial<Gap>): Write => ({
        is: 'gap',
        gap: { chatId: 1, source: 'markets', since: 30, until: 60, ...over },
      })
      await store.memory.commit([
        ...chatsOfAlice(2),
        alert(1, { severity: 'critical' }),
        alert(2, { severity: 'critical', closedAt: null }),
        alert(3, { openedAt: 60, closedAt: 60, severity: 'info' }),
        alert(4, { closedAt: 55 }),
        alert(5, { chatId: 2, closedAt: null }),
        alert(6, { closedAt: null }),
        { is: 'step', step: aStep({ alertId: 6, at: 57, reason: 'worse' }) },
        { is: 'step', step: aStep({ alertId: 6, at: 58, reason: 'worse' }) },
        { is: 'step', step: aStep({ alertId: 6, at: 59, reason: 'better' }) },
        gap({}),
        gap({ until: 49 }),
        gap({ chatId: 2, since: 31 }),
        gap({ chatId: null, source: null, since: 32 }),
      ])
      const { fired, worst, reached, gaps } = await store.history.dailySummary([1], 50)
      expect(fired).toEqual({ critical: 1, warning: 2, info: 1 })
      expect(worst.map(({ id }) => id)).toEqual([2, 6, 4])
      expect(reached).toEqual([
        { at: 58, severity: 'warning' },
        { at: 60, severity: 'info' },
      ])
      expect(gaps).toEqual([
        { chatId: 1, source: 'markets', since: 30, until: 60 },
        { chatId: null, source: null, since: 32, until: 60 },
      ])
      expect((await store.history.dailySummary([1, 2], 50)).gaps).toHaveLength(3)
    }))

  test('what became of messages, and nothing of those it does not know', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...chatsOfAlice(1), ...sends(aRow({ id: 1 }), aRow({ id: 2 }))])
      await store.outbox.round(aTurn({ take: [{ platform: 'telegram', most: 1, edits: 9, pictures: 9 }] }))
      await store.outbox.round(aTurn({ take: [], settled: [sentAt(1, 2_000)] }))
      expect(await store.history.deliveryStatus([1, 2, 3])).toEqual([
        { rowId: 1, chatId: 1, outcome: 'sent', settledAt: 2_000, attempts: 1 },
        { rowId: 2, chatId: 1, outcome: 'waiting', settledAt: null, attempts: 0 },
      ])
    }))

  test('an alert that gets worse as the one that opened, until it is closed', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...chatsOfAlice(1), { is: 'alert', alert: anAlert() }])
      await store.memory.commit([
        { is: 'alert', alert: anAlert({ title: 'worse', severity: 'critical', openedAt: 9_000 }) },
      ])
      expect(await store.history.alert(41)).toEqual(anAlert({ title: 'worse', severity: 'critical' }))
      await store.memory.commit([{ is: 'alert-closed', alertId: 41, at: 9_500 }])
      expect((await store.history.alert(41))?.closedAt).toBe(9_500)
      expect(await store.history.alert(1)).toBeNull()
    }))

  test('what the end of a position brought, with the alert that told of it and to the last digit', () =>
    withStore(async ({ store }) => {
      const closing = closingOf({
        ...{ position: aPosition({ size: -(2n ** 200n), fundingUsd: -1n }), symbol: 'ETH' },
        ...{ cause: 'closed', ending: anEnding({ price: null }), lastPrice: 1 / 3, takerFee: null },
      })
      await store.memory.commit([...chatsOfAlice(1), { is: 'alert', alert: anAlert({ closing }) }])
      expect(await store.history.alert(41)).toEqual(anAlert({ closing }))
      await store.memory.commit([{ is: 'alert', alert: anAlert({ id: 42 }) }])
      expect((await store.history.alerts(1, 9)).map(({ id }) => id)).toEqual([42, 41])
      expect(await store.history.alerts(1, 9, { ends: true })).toEqual([anAlert({ closing })])
      expect(await store.history.alerts(1, 9, { ends: true, before: 41 })).toEqual([])
      await store.memory.commit([{ is: 'alert-closed', alertId: 42, at: 9_500, closing }])
      expect(await store.history.alert(42)).toEqual(anAlert({ id: 42, closedAt: 9_500, closing }))
    }))

  test('the timeline of an alert, with what became of each message', () =>
    withStore(async ({ store }) => {
      await store.memory.commit([...chatsOfAlice(2), { is: 'alert', alert: anAlert() }])
      await store.memory.commit(
        sends(aRow({ id: 1, alertIds: [41] }), aRow({ id: 2, chatId: 2, queuedAt: 3_000 })),
      )
      const steps = [
        aStep({ rowId: 1 }),
        aStep({ at: 11, what: 'worse', rowId: 2 }),
        aStep({ at: 12, value: null }),
      ]
      await store.memory.commit(steps.map((step) => ({ is: 'step', step })))
      await store.outbox.round(aTurn())
      const again = { rowId: 1, is: 'again', dueAt: 5_000, maybeSent: true, plain: false } as const
      await store.outbox.round(aTurn({ settled: [again, sentAt(2, 3_500)] }))
      await store.outbox.round(aTurn({ settled: [sentAt(1, 6_000)] }))
      const told = { possibleRepeat: false, attempts: 1, outcome: 'sent' }
      expect(await store.history.timeline(41)).toEqual([
        { ...without(steps[0]), ...told, queuedAt: 1_000, sentAt: 6_000, attempts: 2, possibleRepeat: true },
        { ...without(steps[1]), ...told, queuedAt: 3_000, sentAt: 3_500 },
        { ...without(steps[2]), ...told, queuedAt: null, sentAt: null, attempts: 0, outcome: null },
      ])
      expect(await store.history.timeline(1)).toEqual([])
    }))

  test('the history of a person, newest first', () =>
    withStore(async ({ store }) => {
      const bob = aPerson({ id: 2, operator: false, identities: [], defaultChat: null })
      const alerts = [1, 2, 3, 4, 5].map((id) => anAlert({ id, personId: id === 4 ? 2 : 1 }))
      await store.memory.commit([
        ...chatsOfAlice(1),
        { is: 'person', person: bob },
        ...alerts.map((alert): Write => ({ is: 'alert', alert })),
      ])
      expect((await store.history.alerts(1, 3)).map(({ id }) => id)).toEqual([5, 3, 2])
      expect((await store.history.alerts(2, 3)).map(({ id }) => id)).toEqual([4])
      const before = async (id: number) =>
        (await store.history.alerts(1, 9, { before: id })).map((one) => one.id)
      expect([await before(5), await before(2)]).toEqual([[3, 2, 1], [1]])
    }))
}

function without(step: NewTimelineEntry | undefined): Omit<NewTimelineEntry, 'rowId'> {
  const { rowId: _rowId, ...rest } = step ?? aStep()
  return rest
}
