import { expect, test } from 'vitest'

import { kinds } from '../../src/alerts/index.ts'
import type { Memory } from '../../src/engine/memory/memory.ts'
import { createView } from '../../src/engine/view.ts'
import { message } from '../../src/message/message.ts'
import type { Change } from '../../src/store/change.ts'
import {
  aChat,
  aDraft,
  aMonitor,
  ALICE,
  aMarket,
  aPerson,
  aPosition,
  aWatch,
  exact,
} from '../support/fixtures.ts'
import { startEngine } from '../support/running.ts'

const person = { platform: 'telegram', user: 'new' }
const home = { platform: 'telegram', chat: 'new', thread: null }
const group = { platform: 'telegram', chat: '-100', thread: null }

/** Notes whoever goes through all of one of these. What is told when the venue is lost concerns every chat. */
function walks(memory: Memory): string[] {
  const noted: string[] = []
  const inDrawers = { ...memory.people, ...memory.rules, ...memory.sources }
  for (const name of ['persons', 'chats', 'all', 'chatAt', 'personBy'] as const) {
    const map: ReadonlyMap<unknown, unknown> = inDrawers[name]
    for (const method of ['keys', 'values', 'entries', 'forEach', Symbol.iterator] as const) {
      const own = map[method].bind(map) as () => never
      Object.assign(map, { [method]: (...given: []) => (noted.push(name), own(...given)) })
    }
  }
  // `rulesOn` is by market, and each reading goes through the markets anyway.
  for (const name of [
    ...(['watches', 'watchesOf', 'rulesOf', 'rulesOver', 'chatsOf', 'outageNotices'] as const),
    ...(['delegatesOf', 'coveredBy'] as const),
  ]) {
    const grouped = inDrawers[name]
    const own = grouped.groups.bind(grouped) as () => never
    Object.assign(grouped, { groups: () => (noted.push(name), own()) })
  }
  return noted
}

const CHANGES: Change[] = [
  { is: 'meet', by: person, home, as: 'person' },
  { is: 'code', code: 'C', for: 'link', personId: 1, expiresAt: 9e15 },
  {
    is: 'ask-link',
    code: 'C',
    by: { platform: 'discord', user: 'x' },
    home: { ...home, platform: 'discord' },
  },
  { is: 'answer-link', personId: 1, request: 'C', yes: false },
  { is: 'code', code: 'D', for: 'invite', personId: 1, expiresAt: 9e15 },
  { is: 'redeem', code: 'D', by: { platform: 'discord', user: 'y' }, home: { ...home, chat: 'y' } },
  { is: 'code', code: 'E', for: 'agree', personId: 1, expiresAt: 9e15, name: 'Ann' },
  { is: 'agree', code: 'E', personId: 2, name: 'Bob' },
  {
    is: 'settings',
    personId: 1,
    to: { steps: [{ to: { is: 'person', personId: 2, name: 'Bob' }, from: 0 }] },
  },
  { is: 'handover', personId: 1, delegateId: 2, until: 9e15 },
  { is: 'drill', personId: 1 },
  { is: 'rule', personId: 1, chatId: 1, draft: aDraft({ wallet: ALICE }) },
  {
    is: 'watch',
    personId: 2,
    chatId: 2,
    wallet: ALICE,
    label: 'cold',
    as: 'own',
    arm: [aDraft({ wallet: ALICE })],
    shown: [],
  },
  { is: 'bind', personId: 1, address: group, title: 'Traders', mention: null },
  { is: 'settings', personId: 1, to: { numbers: '1.234,5', defaultChat: 1 } },
  { is: 'test', chatId: 1 },
  { is: 'chat-broken', chatId: 1, why: 'blocked' },
  { is: 'chat-back', chatId: 1 },
  { is: 'chat-moved', chatId: 1, to: { ...group, chat: '-200' } },
  { is: 'undeliverable', chatId: 1, alertIds: [1], message: message([]), why: 'markup' },
  { is: 'notice', title: 'look after me', lines: [], over: false, except: null },
  { is: 'remove', personId: 1, ruleId: 1 },
  { is: 'unbind', chatId: 3 },
  { is: 'unwatch', personId: 2, wallet: ALICE },
  { is: 'code', code: 'F', for: 'page', personId: 1, expiresAt: 9e15 },
  { is: 'open-session', proof: { is: 'code', code: 'F' }, as: 'page', user: 'ab', name: 'Firefox' },
  { is: 'end-sessions', personId: 1, ids: [1] },
  { is: 'forget', personId: 2 },
]

test('no command and no reading goes through all persons, chats, rules or watches', async () => {
  const running = await startEngine({
    persons: [aPerson(), aPerson({ id: 2, operator: false, identities: [], defaultChat: 2 })],
    chats: [aChat(), aChat({ id: 2, personId: 2, address: { ...home, chat: 'two' } })],
    watches: [aWatch(), aWatch({ personId: 2 })],
    last: { person: 2, chat: 2, rule: 0, alert: 0, row: 0, session: 0 },
  })
  const { engine, clock } = running
  const noted = walks(engine.memory)
  const view = createView(
    engine.memory,
    kinds,
    clock,
    { venue: 'sim', version: '1', marketStaleMs: 1 },
    () => null,
  )
  const read = async () => {
    for (const price of ['3000', '2050', '1990']) {
      await running.prices(aMarket({ price: exact(price) }))
      await running.reads(price === '3000' ? [aPosition()] : [])
    }
  }
  await read()
  for (const change of CHANGES) {
    await running.change(change)
    expect({ is: change.is, noted }).toEqual({ is: change.is, noted: [] })
  }
  await read()
  view.person(person)
  view.chatAt(home)
  for (const look of [
    view.watches,
    view.rules,
    view.rulesIn,
    view.firing,
    view.firingIn,
    view.chats,
    view.escalation,
    view.helping,
  ])
    look(1)
  view.positions(ALICE)
  view.monitor(aMonitor())
  view.status()
  expect(noted).toEqual([])
})
