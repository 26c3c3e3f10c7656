import { describe, expect, test } from 'vitest'

import { monitorKey } from '../../../src/alert/monitor.ts'
import { decideChange } from '../../../src/engine/changes/changes.ts'
import { apply } from '../../../src/engine/memory/apply.ts'
import { inWords, item, message } from '../../../src/message/message.ts'
import type { Change } from '../../../src/store/change.ts'
import type { Write } from '../../../src/store/store.ts'
import { NOON } from '../../support/clock.ts'
import { lookAt, made, titleOf } from '../../support/engine.ts'
import { aChat, aFiring, aMonitor, aPerson, aRule } from '../../support/fixtures.ts'

const text = (write: Write | undefined) =>
  write?.is === 'send' ? write.row.message.items.map(titleOf).join() : 'no message'

const linesOf = (write: Write | undefined) =>
  write?.is === 'send'
    ? write.row.message.items.flatMap(({ lines }) => lines.map((line) => inWords(line)))
    : []

describe('a chat', () => {
  const chats = [aChat(), aChat({ id: 2 })]
  const refused = {
    ...{ is: 'undeliverable' as const, chatId: 1, alertIds: [40, 41], why: 'bad markup' },
    message: message([
      item('critical', 'BTC long: 4.3% (A40)', ['inside your 5% line']),
      item('warning', 'ETH long: 8.2% (A41)'),
    ]),
  }
  const broken: Change = { is: 'chat-broken', chatId: 1, why: 'the bot was blocked' }

  test('that breaks is told on another chat of the same person, once', () => {
    const first = made(broken, { chats })
    expect(first.memory.people.chats.get(1)?.brokenBecause).toBe('the bot was blocked')
    expect(first.writes[1]).toMatchObject({ is: 'send', row: { chatId: 2, urgency: 1, silent: false } })
    expect(text(first.writes[1])).toBe('I can’t write to terminal chat chat-1 any longer')
    expect(linesOf(first.writes[1])).toEqual(['the bot was blocked'])
    expect(made(broken, {}, first.memory).kinds).toEqual(['chat'])
  })

  test('that breaks leaves there what shows, when it arrives, that it works again; the rest goes elsewhere', () => {
    const { kinds, writes } = made(broken, { chats, persons: [aPerson({ fallbackChat: 2 })] })
    expect(kinds).toEqual(['chat', 'send', 'rows-moved', 'send'])
    expect(writes[3]).toMatchObject({ is: 'send', row: { chatId: 1 } })
    expect(text(writes[3])).toContain('I can write to you here again')
  })

  test('that breaks is told to the operator where its person has no other', () => {
    const bobs = aChat({ id: 3, personId: 2 })
    const persons = [aPerson(), aPerson({ id: 2, operator: false })]
    const { writes } = made({ ...broken, chatId: 3 }, { persons, chats: [bobs, aChat()] })
    // Behind the operator's own alerts, and without a sound.
    expect(writes[1]).toMatchObject({ is: 'send', row: { chatId: 1, urgency: 2, silent: true } })
    const parked = made({ ...refused, chatId: 3 }, { persons, chats: [bobs, aChat()] })
    expect(parked.writes[0]).toMatchObject({ is: 'send', row: { chatId: 1, urgency: 2, silent: true } })
  })

  test('that somebody else blocks again and again is told to the operator once an hour', () => {
    const persons = [aPerson(), aPerson({ id: 2, operator: false, defaultChat: 3 })]
    const chats = [aChat({ id: 3, personId: 2 }), aChat()]
    const { memory } = made({ is: 'chat-back', chatId: 3 }, { persons, chats })
    const told = (afterMs: number) => {
      const look = { ...lookAt(memory), now: NOON + afterMs }
      const { effects } = decideChange(look, { ...broken, chatId: 3 })
      apply(memory, effects)
      made({ is: 'chat-back', chatId: 3 }, {}, memory)
      return effects.some(({ is }) => is === 'send')
    }
    expect([0, 1_000, 3_599_000, 3_600_000].map(told)).toEqual([true, false, false, true])
  })

  test.each([
    ['is broken too', aChat({ id: 2, brokenBecause: 'gone' })],
    ['is a group', aChat({ id: 2, private: false })],
  ])('that breaks is not told where the other one %s', (_what, chat) => {
    expect(made(broken, { chats: [aChat(), chat] }).kinds).toEqual(['chat'])
  })

  test('that is unbound is nobody’s fallback any more', () => {
    const persons = [aPerson({ fallbackChat: 2 })]
    const bound = [aChat(), aChat({ id: 2, private: false })]
    const { memory } = made({ is: 'unbind', chatId: 2 }, { persons, chats: bound })
    expect(memory.people.persons.get(1)).toEqual(aPerson({ fallbackChat: null }))
  })

  test('that moves, or is gone, is so in the list of who is told as well', () => {
    const step = (chatId: number) => ({ to: { is: 'chat', chatId } as const, from: 2 })
    const toBob = { to: { is: 'person', personId: 2, name: 'Bob' } as const, from: 3 }
    const persons = [aPerson({ steps: [step(2), toBob] })]
    const gone = made(
      { is: 'place', personId: 1, platform: 'terminal', named: null },
      { persons, chats: [aChat({ id: 2 }), aChat()] },
    )
    expect(gone.memory.people.persons.get(1)?.steps).toEqual([toBob])
    const to = aChat({ id: 3 }).address
    const moved = made(
      { is: 'chat-moved', chatId: 2, to },
      { persons, chats: [1, 2, 3].map((id) => aChat({ id })) },
    )
    expect(moved.memory.people.persons.get(1)?.steps).toEqual([step(3), toBob])
  })

  test('that is back works again', () => {
    const { memory } = made({ is: 'chat-back', chatId: 1 }, { chats: [aChat({ brokenBecause: 'blocked' })] })
    expect(memory.people.chats.get(1)?.brokenBecause).toBeNull()
  })

  test('that moves has another address and is the same chat', () => {
    const to = { platform: 'telegram', chat: '-100', thread: null }
    const { memory, kinds } = made({ is: 'chat-moved', chatId: 1, to })
    expect(kinds).toEqual(['chat'])
    expect(memory.people.chats.get(1)).toEqual(aChat({ address: to }))
  })

  test('that moves to where we know another one becomes that one: its rules, and what it was told, go along', () => {
    const here = aChat({ address: { platform: 'telegram', chat: '-1', thread: null } })
    const there = aChat({ id: 2, address: { platform: 'telegram', chat: '-100', thread: null } })
    const row = {
      monitor: aMonitor(),
      state: aFiring({ tier: 1, alertId: 40, since: NOON }),
      value: 0.1,
    }
    const params = aRule().params
    const { memory, kinds } = made(
      { is: 'chat-moved', chatId: 1, to: there.address },
      {
        chats: [here, there],
        rules: [aRule()],
        states: [{ ...row, params }],
        memos: [{ monitor: aMonitor({ kind: 'funding-flip' }), memo: 'longs pay' }],
        sources: [{ source: 'markets', chatId: 1, since: NOON, why: 'no answer' }],
      },
    )
    expect([...memory.people.chats.keys()]).toEqual([2])
    expect(memory.rules.all.get(7)?.chatId).toBe(2)
    expect(memory.monitors.states.get(monitorKey(aMonitor({ chatId: 2 })))?.state).toEqual(row.state)
    expect(memory.monitors.memos.get(monitorKey(aMonitor({ chatId: 2, kind: 'funding-flip' })))).toBe(
      'longs pay',
    )
    expect([...memory.sources.outageNotices.of('markets').keys()]).toEqual([2])
    expect(memory.people.persons.get(1)?.defaultChat).toBe(2)
    // What fires goes on firing.
    expect(kinds).not.toContain('alert-closed')
    expect(kinds.at(-1)).toBe('chat-gone')
  })

  test('that moves to where the same is judged already: what that one knows stays, and the alert of the moved ends', () => {
    const firing = (chatId: number, alertId: number) => ({
      monitor: aMonitor({ chatId }),
      state: aFiring({ tier: 1, alertId, since: NOON }),
      ...{ value: 0.1, params: aRule().params },
    })
    const there = aChat({ id: 2 })
    const { memory, writes } = made(
      { is: 'chat-moved', chatId: 1, to: there.address },
      {
        chats: [aChat(), there],
        rules: [aRule(), aRule({ id: 8, chatId: 2 })],
        states: [firing(1, 39), firing(2, 40)],
      },
    )
    expect([...memory.rules.all.keys()]).toEqual([8])
    expect([...memory.monitors.states.values()].map(({ state }) => state)).toEqual([firing(2, 40).state])
    expect(writes).toContainEqual({ is: 'alert-closed', alertId: 39, at: NOON })
  })

  test('that moves to where we know another one takes its quiet hours, digest and mutes along', () => {
    const night = { from: 23 * 60, to: 7 * 60 }
    const digest = { minute: 480, after: NOON, told: null }
    const mute = (chatId: number, until: number) => ({ chatId, of: { is: 'all' } as const, until })
    const there = aChat({ id: 2 })
    const { memory } = made(
      { is: 'chat-moved', chatId: 1, to: there.address },
      { chats: [aChat({ quiet: night, digest }), there], mutes: [mute(1, NOON + 9), mute(2, NOON + 5)] },
    )
    expect(memory.people.chats.get(2)).toEqual({ ...there, quiet: night, digest })
    expect([...memory.silences.mutesIn.of(2).values()]).toEqual([mute(2, NOON + 9)])
    expect([memory.silences.mutesIn.of(1).size, [...memory.people.digests]]).toEqual([0, [2]])
  })

  test('that moves to where other hours are quiet leaves those as they are', () => {
    const [night, noon] = [
      { from: 23 * 60, to: 7 * 60 },
      { from: 12 * 60, to: 13 * 60 },
    ]
    const there = aChat({ id: 2, quiet: noon })
    const { memory } = made(
      { is: 'chat-moved', chatId: 1, to: there.address },
      { chats: [aChat({ quiet: night }), there] },
    )
    expect(memory.people.chats.get(2)?.quiet).toEqual(noon)
  })

  test('that nobody knows is passed over', () => {
    for (const change of [
      { ...broken, chatId: 9 },
      { is: 'chat-back', chatId: 9 },
    ] as Change[])
      expect(made(change).writes).toEqual([])
  })

  test('of the operator shows the title of what only they can mend, and the rest below it', () => {
    const notice = { title: 'Red asks me to wait', lines: ['I try again every 5 min.'] }
    const { writes } = made({ is: 'notice', ...notice, over: false, except: null }, { chats })
    expect(text(writes[0])).toBe('Red asks me to wait')
    expect(linesOf(writes[0])).toEqual(['I try again every 5 min.'])
  })

  test('that refused a message: the operator, whom its person has instead, reads no position of theirs', () => {
    const persons = [aPerson(), aPerson({ id: 2, operator: false })]
    const bobs = aChat({ id: 3, personId: 2 })
    const { writes } = made({ ...refused, alertIds: [40], chatId: 3 }, { persons, chats: [bobs, aChat()] })
    expect(writes[0]).toMatchObject({ is: 'send', row: { chatId: 1 } })
    expect(text(writes[0])).toBe('I couldn’t send A40 to terminal chat chat-3')
  })

  test('that refused a message: its person reads elsewhere what it said', () => {
    const { writes, kinds } = made(refused, { chats })
    expect(kinds).toEqual(['send'])
    expect(writes[0]).toMatchObject({ is: 'send', row: { chatId: 2, urgency: 0, silent: false } })
    expect(text(writes[0])).toBe(
      'I couldn’t send alerts to terminal chat chat-1,BTC long: 4.3% (A40),ETH long: 8.2% (A41)',
    )
    expect(linesOf(writes[0])).toEqual(['bad markup: see /status', 'A40, A41', 'inside your 5% line'])
    // Such a notice itself speaks of no alert: two chats that refuse everything must not tell each other for ever.
    expect(made({ ...refused, alertIds: [] }, { chats }).writes).toEqual([])
    expect(made({ ...refused, chatId: 9 }).writes).toEqual([])
  })
})
