import { describe, expect, test } from 'vitest'

import { createMemory } from '../../../src/engine/memory/apply.ts'
import { type Notice, silent } from '../../../src/engine/monitors/decision.ts'
import { escalate } from '../../../src/engine/notify/escalation.ts'
import { lookAt } from '../../../src/engine/notify/firing.ts'
import { item } from '../../../src/message/message.ts'
import type { Delegation } from '../../../src/people/delegation.ts'
import type { Person } from '../../../src/people/person.ts'
import type { Snapshot } from '../../../src/store/snapshot.ts'
import { NOON } from '../../support/clock.ts'
import { aChat, aFiring, aMonitor, aPerson, aRule, remembered } from '../../support/fixtures.ts'

const delegation: Delegation = {
  ...{ personId: 1, name: 'Anna', delegateId: 2, delegateName: 'Bob' },
  ...{ at: 1, handoverUntil: null },
}
/** Anna is told in chat 1, her fallback is chat 2, her pager chat 3; Bob is told in chat 4. */
const chats = [1, 2, 3].map((id) => aChat({ id })).concat(aChat({ id: 4, personId: 2 }))
const bob = aPerson({ id: 2, operator: false, defaultChat: 4 })

function toldIn(
  person: Partial<Person>,
  said: Partial<Notice> = {},
  over: Partial<Snapshot> & { chatId?: number; open?: ReadonlySet<string> } = {},
): (string | number)[] {
  const { chatId = 1, open, ...rest } = over
  const persons = [aPerson({ fallbackChat: 2, ...person }), bob]
  const states = [
    { monitor: aMonitor(), value: 0.04, state: aFiring({ alertId: 1 }), params: aRule().params },
  ]
  const memory = createMemory(remembered({ persons, chats, states, delegations: [delegation], ...rest }))
  if (open) memory.run.platforms = open
  const one: Notice = {
    ...{ item: item('critical', 'BTC (A1)'), reason: 'fired', severity: 'critical' },
    ...{ order: 0, alertIds: [1], about: 'monitor', quiet: false, reminders: 0, ...said },
  }
  const look = { ...lookAt(memory, []), now: NOON }
  const turn = { observed: [], decisions: [{ ...silent(chatId, []), notices: [one] }] }
  const [decision] = escalate(look, turn).decisions
  return (decision?.notices[0]?.copiesTo ?? []).map(({ chatId: to, whose }) =>
    whose === null ? to : `${to} for ${whose}`,
  )
}
const toBob = (from: number) => ({ to: { is: 'person', personId: 2, name: 'Bob' } as const, from })
const toPager = (from: number) => ({ to: { is: 'chat', chatId: 3 } as const, from })

describe('what is critical is said as well', () => {
  test.each<[string, Partial<Person>, number, (string | number)[]]>([
    ['nowhere the first time', {}, 0, []],
    ['nowhere before its time', {}, 2, []],
    ['in the fallback when it was said three times more', {}, 3, [2]],
    ['in the fallback at once, for whoever wants that', { escalateFrom: 0 }, 0, [2]],
    ['in the list as its steps come', { steps: [toPager(1), toBob(4)] }, 1, [3]],
    ['in all of the list at last, each once', { steps: [toPager(1), toBob(4)] }, 4, [2, 3, '4 for Anna']],
    ['in the list alone without a fallback', { fallbackChat: null, steps: [toBob(2)] }, 9, ['4 for Anna']],
  ])('%s', (_what, person, reminders, told) => {
    expect(toldIn(person, { reminders })).toEqual(told)
  })

  test('to nobody who has not agreed', () => {
    expect(toldIn({ steps: [toBob(0)] }, {}, { delegations: [] })).toEqual([])
  })

  test('to whoever it is handed over to, at once and until then', () => {
    const handovers = (until: number) => ({ delegations: [{ ...delegation, handoverUntil: until }] })
    expect(toldIn({}, {}, handovers(NOON + 1))).toEqual(['4 for Anna'])
    expect(toldIn({}, {}, handovers(NOON))).toEqual([])
    expect(toldIn({ steps: [toBob(0)] }, {}, handovers(NOON + 1))).toEqual(['4 for Anna'])
  })

  test('to somebody else wherever it would be told at once if it were theirs', () => {
    const pager = aChat({ id: 5, personId: 2 })
    const wakeful = { ...bob, steps: [{ to: { is: 'chat', chatId: 5 } as const, from: 0 }] }
    const persons = [aPerson({ fallbackChat: null, steps: [toBob(0)] }), wakeful]
    expect(toldIn({}, {}, { persons, chats: [...chats, pager] })).toEqual(['4 for Anna', '5 for Anna'])
  })

  test('in no chat that is broken, or on a platform that is not open', () => {
    const broken = chats.map((chat) => (chat.id === 1 ? chat : { ...chat, brokenBecause: 'blocked' }))
    const all = { steps: [toPager(0), toBob(0)] }
    expect(toldIn(all, { reminders: 9 }, { chats: broken })).toEqual([])
    expect(toldIn(all, { reminders: 9 }, { open: new Set(['another']) })).toEqual([])
  })

  test('of a bound chat to whoever bound it, and to no list of theirs', () => {
    const bound = [...chats, aChat({ id: 6, private: false })]
    const persons = [aPerson({ steps: [toPager(0), toBob(0)] }), bob]
    const delegations = [{ ...delegation, handoverUntil: NOON + 1 }]
    expect(toldIn({}, { reminders: 3 }, { chats: bound, persons, delegations, chatId: 6 })).toEqual([1])
  })

  test('only where its end is not told anyway', () => {
    const copies = [{ alertId: 1, chatId: 4 }]
    const steps = [toBob(0), toPager(0)]
    expect(toldIn({ steps }, { reason: 'ended' }, { escalatedTo: copies })).toEqual([3])
  })

  test('if it is critical, and an alert', () => {
    const steps = [toBob(0)]
    expect(toldIn({ steps }, { severity: 'warning' })).toEqual([])
    expect(toldIn({ steps }, { alertIds: [] })).toEqual([])
  })
})
