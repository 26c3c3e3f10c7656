import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Severity } from '../../../src/alert/alert.ts'
import { createMemory } from '../../../src/engine/memory/apply.ts'
import type { Effect } from '../../../src/engine/memory/effect.ts'
import { type Decision, type Notice, silent } from '../../../src/engine/monitors/decision.ts'
import { groupIntoMessages } from '../../../src/engine/notify/batch.ts'
import { alertOf } from '../../../src/message/annotation.ts'
import { codePoints } from '../../../src/message/fit.ts'
import { item, TITLE_CODE_POINTS, ITEMS_PER_MESSAGE, type Tone } from '../../../src/message/message.ts'
import type { Snapshot } from '../../../src/store/snapshot.ts'
import type { NewRow } from '../../../src/store/store.ts'
import { NOON } from '../../support/clock.ts'
import { titleOf } from '../../support/engine.ts'
import { aChat, aMonitor, aPerson, remembered } from '../../support/fixtures.ts'

let alertId = 0
function says(
  chatId: number,
  severity: Severity,
  title: string,
  over: Partial<Notice> & { tone?: Tone } = {},
): Decision {
  const id = ++alertId
  const { tone = severity, ...rest } = over
  const said: Notice = {
    ...{ item: item(tone, title), reason: 'fired', severity, order: 0, alertIds: [id], quiet: false },
    about: `guard ${title}`,
    ...rest,
  }
  return { ...keeps(chatId), notices: [said], steps: [aStep(id, title)] }
}
function aStep(alertId: number, what: string): Decision['steps'][number] {
  return { alertId, at: NOON, reason: 'fired', what, value: null, threshold: '', dataAt: NOON }
}
/** Nothing is said, and so much is kept. */
function keeps(chatId: number, effects = 1): Decision {
  const effect: Effect = { is: 'state-gone', monitor: aMonitor() }
  return silent(
    chatId,
    Array.from({ length: effects }, () => effect),
  )
}

const FOUND = NOON - 5
function batched(decisions: Decision[], over: Partial<Snapshot> = {}) {
  const numbers = { person: 0, chat: 0, rule: 0, alert: 0, row: 100, session: 0 }
  const at = { memory: createMemory(remembered(over)), now: NOON, numbers }
  const transactions = groupIntoMessages(at, decisions, FOUND).map(({ urgency, parts }) => ({
    urgency,
    parts,
    effects: parts.flatMap((part) => part.effects),
  }))
  const rows = transactions.flatMap(({ effects }) =>
    effects.flatMap((effect) => (effect.is === 'send' ? [effect.row] : [])),
  )
  return { transactions, rows, titles: rows.map(titlesOf) }
}
const titlesOf = ({ message }: NewRow) => message.items.map(titleOf)

describe('what one tick says', () => {
  test('to one chat is one message, worst first, then nearest to liquidation', () => {
    const { rows, titles } = batched([
      says(1, 'info', 'mild'),
      says(1, 'critical', 'less near', { order: 0.04 }),
      says(1, 'warning', 'middling'),
      says(1, 'critical', 'nearest', { order: -0.01 }),
    ])
    expect(titles).toEqual([['nearest', 'less near', 'middling', 'mild']])
    expect(rows[0]).toMatchObject({
      id: 101,
      chatId: 1,
      urgency: 0,
      silent: false,
      reason: 'fired',
      detectedAt: FOUND,
      queuedAt: NOON,
      dueAt: NOON,
      expiresAt: null,
    })
  })

  test('to several chats is a message each, the chat with the worst news first', () => {
    const { rows } = batched([
      says(1, 'info', 'a'),
      says(2, 'critical', 'b'),
      says(3, 'warning', 'c'),
      says(1, 'info', 'd'),
    ])
    expect(rows.map(({ chatId, urgency }) => [chatId, urgency])).toEqual([
      [2, 0],
      [3, 1],
      [1, 2],
    ])
  })

  test('is cut into messages of ten items', () => {
    const { rows, titles } = batched(
      Array.from({ length: 23 }, (_, n) => says(1, 'warning', `${n}`, { order: n })),
    )
    expect(titles.map((one) => one.length)).toEqual([10, 10, 3])
    expect(titles.flat()).toEqual(Array.from({ length: 23 }, (_, n) => String(n)))
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3)
  })

  test('is nothing where nothing was said', () => {
    expect(batched([keeps(1)]).rows).toEqual([])
    expect(batched([]).transactions).toEqual([])
  })
})

describe('where one is told', () => {
  test('is elsewhere when a chat is broken: together with what is said there anyway', () => {
    const { rows, titles } = batched([says(1, 'info', 'a'), says(2, 'info', 'b')], {
      persons: [aPerson({ fallbackChat: 2 })],
      chats: [aChat({ id: 1, brokenBecause: 'the bot was blocked' }), aChat({ id: 2 })],
    })
    expect(rows.map(({ chatId }) => chatId)).toEqual([2])
    expect(titles).toEqual([['a', 'b']])
  })
})

describe('a message', () => {
  test('has the reason of what it says first', () => {
    const { rows } = batched([says(1, 'info', 'a'), says(1, 'critical', 'b', { reason: 'worse' })])
    expect(rows[0]?.reason).toBe('worse')
  })

  test('rings when any of it does', () => {
    const quiet = { quiet: true }
    expect(batched([says(1, 'info', 'a', quiet), says(1, 'info', 'b')]).rows[0]?.silent).toBe(false)
    expect(batched([says(1, 'info', 'a', quiet), says(1, 'info', 'b', quiet)]).rows[0]?.silent).toBe(true)
  })

  test('goes stale when it is information and nothing else', () => {
    const hours = 6 * 3_600_000
    expect(batched([says(1, 'info', 'a')]).rows[0]?.expiresAt).toBe(NOON + hours)
    expect(batched([says(1, 'info', 'a'), says(1, 'warning', 'b')]).rows[0]?.expiresAt).toBeNull()
    expect(batched([says(1, 'info', 'resolved', { tone: 'good' })]).rows[0]?.expiresAt).toBeNull()
  })

  test('names each guard and feed that it is about, once', () => {
    const { rows } = batched([says(1, 'info', 'a'), says(1, 'info', 'b'), says(1, 'info', 'a')])
    expect(rows[0]?.about).toEqual(['guard a', 'guard b'])
  })

  test('is named by the steps that it carries', () => {
    const { transactions, rows } = batched(
      Array.from({ length: 12 }, (_, n) => says(1, 'warning', `${n}`, { order: n })),
    )
    const steps = transactions.flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.is === 'step' ? [effect.step] : [])),
    )
    for (const { alertId: id, rowId } of steps)
      expect(rows.find((row) => row.id === rowId)?.alertIds).toContain(id)
    expect(steps).toHaveLength(12)
  })

  test('carries no step of what was not said', () => {
    const step = aStep(9_999, 'closed')
    const [transaction] = batched([{ ...keeps(1), steps: [step] }]).transactions
    expect(transaction?.effects).toContainEqual({ is: 'step', step: { ...step, rowId: null } })
  })
})

describe('what is said elsewhere as well', () => {
  const buttons = ['/ack A7', '/positions main', '/why A7'].map((line) => ({
    label: line,
    line,
    replace: false,
  }))
  const critical = (copiesTo: NonNullable<Notice['copiesTo']>, over: Partial<Notice> = {}) =>
    says(1, 'critical', 'BTC (A7)', {
      item: { ...item('critical', 'BTC (A7)'), buttons },
      ...{ alertIds: [7], copiesTo, ...over },
    })
  const bobs = { chatId: 4, whose: 'Anna', takesOver: false, name: '@Bob' }
  const fallback = { chatId: 2, whose: null, takesOver: true, name: 'blue' }
  const copiedOf = (decision: Decision) =>
    batched([decision]).transactions.flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.is === 'copied' ? [effect] : [])),
    )

  test('to somebody else says whose it is, with what they may do about it', () => {
    const [own, theirs] = batched([critical([bobs])]).rows
    expect(own?.message.items[0]?.buttons).toEqual(buttons)
    expect(theirs && [theirs.chatId, theirs.urgency, titlesOf(theirs)]).toEqual([
      4,
      0,
      ['for Anna: BTC (A7)'],
    ])
    expect(theirs?.message.items[0]?.buttons.map(({ line }) => line)).toEqual(['/ack A7', '/why A7'])
  })

  test('where it goes when the chat fails does not go there twice; anywhere else it still would', () => {
    expect(copiedOf(critical([fallback]))).toEqual([
      { is: 'copied', rowId: 101, at: NOON, copy: null },
      { is: 'copied', rowId: 102, at: NOON, copy: { alertIds: [7], chatId: 2 } },
    ])
    expect(copiedOf(critical([bobs]))).toEqual([
      { is: 'copied', rowId: 102, at: null, copy: { alertIds: [7], chatId: 4 } },
    ])
  })

  test('to somebody else goes on to their other chat when it is not taken, but where that is told already', () => {
    const times = (decision: Decision) => copiedOf(decision).map(({ at }) => at)
    expect(times(critical([bobs]))).toEqual([null])
    expect(times(critical([bobs, { ...bobs, chatId: 5 }]))).toEqual([NOON, NOON])
    expect(times(critical([bobs, { ...bobs, chatId: 5, name: '@Carol' }]))).toEqual([null, null])
  })

  test('is all of it there, in as many messages as it takes, and the end of each is owed', () => {
    const many = Array.from({ length: 12 }, (_, n) =>
      critical([fallback], { item: item('critical', `A${n}`), alertIds: [n], order: n }),
    )
    const { rows, transactions } = batched(many)
    const theirs = rows.filter(({ chatId }) => chatId === 2)
    expect(theirs.map(titlesOf)).toEqual([Array.from({ length: 10 }, (_, n) => `A${n}`), ['A10', 'A11']])
    const owed = transactions.flatMap(({ effects }) =>
      effects.flatMap((effect) => (effect.is === 'copied' ? (effect.copy?.alertIds ?? []) : [])),
    )
    expect(owed).toEqual(Array.from({ length: 12 }, (_, n) => n))
  })

  test('and is over with it is no end that is owed', () => {
    expect(copiedOf(critical([bobs], { reason: 'occurred' }))).toEqual([
      { is: 'copied', rowId: 102, at: null, copy: { alertIds: [], chatId: 4 } },
    ])
  })

  test('keeps the name of the alert, however long the rest of its title is', () => {
    const long = { item: { ...item('critical', 'x'.repeat(115), ['y'.repeat(400)]), alertId: 7 } }
    const [, theirs] = batched([critical([{ ...bobs, whose: 'A'.repeat(24) }], long)]).rows
    const [one] = theirs?.message.items ?? []
    expect(one && alertOf(one)).toBe(7)
    expect(one && codePoints(one.title)).toBeLessThanOrEqual(TITLE_CODE_POINTS)
    expect(one?.lines).toEqual(['y'.repeat(400)])
  })
})

describe('transactions', () => {
  test('hold at most eight hundred effects, and the small ones of many chats share one', () => {
    const { transactions } = batched(Array.from({ length: 600 }, (_, n) => says(n, 'warning', 'a')))
    expect(transactions.map(({ effects }) => effects.length)).toEqual([798, 798, 204])
  })

  test('of one chat are cut where it has too many, the worst in the first', () => {
    const many = Array.from({ length: 600 }, (_, n) => says(1, n === 599 ? 'critical' : 'info', `${n}`))
    const { transactions, rows } = batched(many)
    expect(transactions.length).toBeGreaterThan(1)
    for (const { effects } of transactions) expect(effects.length).toBeLessThanOrEqual(800)
    expect(rows[0] && titlesOf(rows[0])[0]).toBe('599')
    expect(rows.flatMap(titlesOf)).toHaveLength(600)
  })

  test('one that cannot be cut stays whole: a judgement and its message are one', () => {
    const { transactions } = batched([keeps(1, 500)])
    expect(transactions.map(({ effects }) => effects.length)).toEqual([500])
  })

  test('hold what has nothing to write as well: it takes effect too', () => {
    expect(batched([keeps(1, 0)]).transactions[0]?.parts).toHaveLength(1)
  })
})

test('whatever is judged: all of it is said once, each chat’s worst first, and the worst chats first', () => {
  const severities = fc.constantFrom<Severity>('critical', 'warning', 'info')
  const decision = fc.record({
    chat: fc.integer({ min: 1, max: 6 }),
    severity: severities,
    order: fc.double({ noNaN: true }),
    quiet: fc.boolean(),
  })
  const rank = { critical: 0, warning: 1, info: 2 }
  fc.assert(
    fc.property(fc.array(decision, { maxLength: 150 }), (all) => {
      const decisions = all.map(({ chat, severity, order, quiet }, n) =>
        says(chat, severity, `${chat} ${n}`, { order, quiet }),
      )
      const { transactions, rows } = batched(decisions)
      expect(rows.flatMap(titlesOf).toSorted()).toEqual(all.map(({ chat }, n) => `${chat} ${n}`).toSorted())
      const kept = transactions.flatMap(({ effects }) => effects.filter(({ is }) => is === 'state-gone'))
      expect(kept).toHaveLength(all.length)
      for (const { effects } of transactions) expect(effects.length).toBeLessThanOrEqual(800)
      const urgencies = transactions.map(({ urgency }) => urgency)
      expect(urgencies).toEqual(urgencies.toSorted((a, b) => a - b))
      for (const row of rows) {
        const here = titlesOf(row).map((title) => all[Number(title.split(' ')[1])])
        expect(here.length).toBeLessThanOrEqual(ITEMS_PER_MESSAGE)
        expect(here.every((one) => one?.chat === row.chatId)).toBe(true)
        const ranks = here.map((one) => rank[one?.severity ?? 'info'])
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
        expect(row.urgency).toBe(ranks[0])
      }
    }),
  )
})
