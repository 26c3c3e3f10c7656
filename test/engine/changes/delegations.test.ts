import { describe, expect, test } from 'vitest'

import { type Delegation, MAX_DELEGATIONS } from '../../../src/people/delegation.ts'
import type { Person } from '../../../src/people/person.ts'
import type { Change } from '../../../src/store/change.ts'
import type { Snapshot } from '../../../src/store/snapshot.ts'
import { NOON } from '../../support/clock.ts'
import { made, titleOf } from '../../support/engine.ts'
import { aChat, aPerson } from '../../support/fixtures.ts'

const ask: Change = { is: 'code', code: 'C', for: 'agree', personId: 1, expiresAt: NOON + 1, name: 'Anna' }
const yes = (personId = 2): Change => ({ is: 'agree', code: 'C', personId, name: 'Bob' })
const toBob = { to: { is: 'person', personId: 2, name: 'Bob' } as const, from: 4 }

/** Anna is the first, everybody has a chat of their own number. */
function people(count: number, anna: Partial<Person> = {}): Partial<Snapshot> {
  const ids = Array.from({ length: count }, (_, n) => n + 1)
  const rest = { operator: false, identities: [] }
  return {
    persons: ids.map((id) => aPerson({ id, defaultChat: id, ...(id === 1 ? anna : rest) })),
    chats: ids.map((id) => aChat({ id, personId: id })),
  }
}
const delegation = (over: Partial<Delegation> = {}): Delegation => ({
  ...{ personId: 1, name: 'Anna', delegateId: 2, delegateName: 'Bob', at: NOON, handoverUntil: null },
  ...over,
})
/** Once the code is there. */
const asked = (over: Partial<Snapshot>) => made(ask, over).memory
const heard = ({ writes }: ReturnType<typeof made>) =>
  writes.flatMap((write) =>
    write.is === 'send'
      ? [[write.row.chatId, write.row.silent, write.row.message.items.map(titleOf).join()]]
      : [],
  )

describe('an agreement', () => {
  test('is made by the code, which is used then, and told to whoever asked for it', () => {
    const done = made(yes(), {}, asked(people(2)))
    expect(done.kinds).toEqual(['code-gone', 'delegation', 'send'])
    expect(done.memory.people.delegatesOf.of(1).get(2)).toEqual(delegation())
    expect(done.memory.people.coveredBy.of(2).get(1)).toEqual(delegation())
    expect(heard(done)).toEqual([[1, false, 'Bob is your backup now']])
    expect(made(yes(3), {}, done.memory).refused).toContain('wrong or has expired')
  })

  test.each<[string, Partial<Snapshot>, Change, string]>([
    ['with oneself', people(2), yes(1), 'your own code'],
    ['by another code', people(2), { ...yes(), code: 'D' } as Change, 'wrong or has expired'],
    [
      'of somebody without a chat',
      { persons: [aPerson(), aPerson({ id: 2, defaultChat: null })] },
      yes(),
      'no private chat with you',
    ],
    [
      'of one more than is allowed',
      {
        ...people(MAX_DELEGATIONS + 2),
        delegations: Array.from({ length: MAX_DELEGATIONS }, (_, n) => delegation({ delegateId: n + 3 })),
      },
      yes(),
      `At most ${MAX_DELEGATIONS}`,
    ],
    [
      'for one more than is allowed',
      {
        ...people(MAX_DELEGATIONS + 2),
        delegations: Array.from({ length: MAX_DELEGATIONS }, (_, n) => delegation({ personId: n + 3 })),
      },
      yes(),
      `At most ${MAX_DELEGATIONS}`,
    ],
  ])('%s is refused', (_what, over, change, why) => {
    const { refused, writes } = made(change, {}, asked(over))
    expect([refused, writes]).toEqual([expect.stringContaining(why), []])
  })

  test('that is there already has other names from then on, and stays handed over', () => {
    const known = {
      ...people(2),
      delegations: [delegation({ delegateName: 'Robert', handoverUntil: NOON * 2 })],
    }
    const { memory } = made(yes(), {}, asked(known))
    expect([...memory.people.delegatesOf.of(1).values()]).toEqual([delegation({ handoverUntil: NOON * 2 })])
  })

  const both = () => ({ ...people(3, { steps: [toBob] }), delegations: [delegation()] })
  const end = (byId: number): Change => ({ is: 'disagree', personId: 1, delegateId: 2, byId })

  test('is ended by either of the two, and by nobody else; the other one hears of it', () => {
    const [byAnna, byBob, byCarol] = [made(end(1), both()), made(end(2), both()), made(end(3), both())]
    expect(byAnna.memory.people.persons.get(1)?.steps).toEqual([])
    expect(heard(byAnna)).toEqual([[2, true, 'Anna ended it: you aren’t their backup now']])
    expect(byBob.memory.people.persons.get(1)?.steps).toEqual([toBob])
    expect(heard(byBob)).toEqual([[1, false, 'Bob isn’t your backup now']])
    expect([byCarol.refused, byCarol.writes]).toEqual(['There is no such agreement.', []])
    for (const { memory } of [byAnna, byBob])
      expect([memory.people.delegatesOf.size, memory.people.coveredBy.size]).toEqual([0, 0])
  })

  test('is needed for a handover, and so is a chat that can be written to', () => {
    const handover: Change = { is: 'handover', personId: 1, delegateId: 2, until: NOON + 60_000 }
    expect(made(handover, people(2)).refused).toContain('They aren’t your backup')
    const mute = both()
    mute.chats = (mute.chats ?? []).map((chat) =>
      chat.id === 2 ? { ...chat, brokenBecause: 'blocked' } : chat,
    )
    expect(made(handover, mute).refused).toContain('I can’t write to them now')
    expect(made({ ...handover, until: null }, both()).refused).toBe('Nothing is handed over to them.')
    expect(made(handover, both()).memory.people.delegatesOf.of(1).get(2)?.handoverUntil).toBe(NOON + 60_000)
  })

  test('ends with either of the two; who is named in a list has no name any more', () => {
    const [anna, bob] = [1, 2].map((personId) => made({ is: 'forget', personId }, both()))
    expect(heard(anna ?? made(end(1)))).toEqual([[2, true, 'Anna has left: you aren’t their backup now']])
    expect(bob?.memory.people.persons.get(1)?.steps).toEqual([
      { ...toBob, to: { ...toBob.to, name: 'somebody' } },
    ])
    for (const done of [anna, bob]) expect(done?.memory.people.delegatesOf.size).toBe(0)
  })
})
