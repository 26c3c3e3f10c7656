import { expect, test } from 'vitest'

import { createMemory } from '../../src/engine/memory/apply.ts'
import type { Memory } from '../../src/engine/memory/memory.ts'
import { recipientsOf } from '../../src/engine/monitors/recipients.ts'
import type { Grouped } from '../../src/lib/data/grouped.ts'
import { toJson } from '../../src/lib/text/json.ts'
import { message } from '../../src/message/message.ts'
import type { Delegation } from '../../src/people/delegation.ts'
import type { Change } from '../../src/store/change.ts'
import type { Position } from '../../src/venue/position.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { NOON } from '../support/clock.ts'
import { aChat, ALICE, aMarket, aPerson, aPosition, aWatch, BOB, exact } from '../support/fixtures.ts'
import { startEngine } from '../support/running.ts'
import { budget, createDice, type Dice, SEED } from '../support/seed.ts'

const MARKETS = [
  { id: '100', symbol: 'ETH' },
  { id: 'BTC/USD', symbol: 'BTC' },
]
const PEOPLE = ['ann', 'ben', 'cat']
const ben = { platform: 'telegram', user: 'ben' }
const home = (user: string, at = 0) => ({ platform: 'telegram', chat: `${user}-${at}`, thread: null })
const group = (at: number) => ({ platform: 'telegram', chat: `-${at}`, thread: at === 2 ? 'topic' : null })

const topic = (at: number) => ({ platform: 'ntfy', chat: `topic-${at}`, thread: null })

function delegation(personId: number, delegateId: number): Delegation {
  return { personId, name: 'ann', delegateId, delegateName: 'ben', at: NOON, handoverUntil: null }
}

function someChange({ one, below, often }: Dice, memory: Memory, now: number): Change {
  const personId = one([...memory.people.persons.keys(), 1])
  const chatId = one([...memory.people.chats.keys(), 1])
  const delegateId = one([...memory.people.delegatesOf.of(personId).keys(), 1])
  const own = one([
    ...memory.people.chatsOf.of(personId).keys(),
    memory.people.persons.get(personId)?.defaultChat ?? chatId,
  ])
  const user = one(PEOPLE)
  const by = { platform: 'telegram', user }
  const wallet: Wallet = one([ALICE, BOB])
  const scope = {
    wallet: one([null, null, wallet]),
    market: one([null, ...MARKETS]),
    armedByWatch: often(0.5),
    holdMs: one([0, 15_000]),
  }
  const draft = one([
    { kind: 'liquidation-distance', params: { tiers: [0.2, 0.1, 0.05] }, ...scope },
    { kind: 'liquidation-distance', params: { tiers: [one([0.45, 0.3, 0.15])] }, ...scope },
    { kind: 'funding-flip', params: { band: 0.00005 }, ...scope },
    { kind: one(['position-opened', 'position-closed', 'position-resized']), params: {}, ...scope },
  ])
  const code = `C${below(3)}`
  const kept = {
    code,
    for: one(['invite', 'link', 'agree', 'agree', 'page'] as const),
    personId,
    expiresAt: 9e15,
  }
  const nobody = !memory.people.persons.has(personId)
  const changes: (() => Change)[] = [
    () => ({ is: 'meet', by, home: home(user), as: 'person' }),
    () => (nobody ? { is: 'test', chatId } : { is: 'code', ...kept }),
    () => ({ is: 'redeem', code, by, home: home(user, below(2)) }),
    () => ({ is: 'ask-link', code, by, home: home(user, below(2)) }),
    () => ({ is: 'agree', code, personId, name: user }),
    () => ({ is: 'agree', code, personId, name: user }),
    () => ({ is: 'handover', personId, delegateId, until: one([null, NOON + below(600_000)]) }),
    () => ({
      is: often(0.2) ? 'disagree' : 'handover',
      personId,
      delegateId,
      byId: delegateId,
      until: NOON * 2,
    }),
    () => ({ is: 'answer-link', personId, request: code, yes: often(0.7) }),
    () => ({
      is: 'open-session',
      proof: one([
        { is: 'code', code },
        { is: 'identity', by, name: one(['Ann', null]) },
        { is: 'person', personId },
      ] as const),
      as: one(['page', 'assistant'] as const),
      user: `digest ${below(9)}`,
      name: one(['Firefox', 'claude']),
    }),
    () => ({ is: 'end-sessions', personId, ids: [one([...memory.people.sessions.values()])?.id ?? 1] }),
    () => ({
      is: 'settings',
      personId,
      to: one<Extract<Change, { is: 'settings' }>['to']>([
        { defaultChat: own },
        { fallbackChat: own },
        { zone: 'UTC' },
        { steps: [{ to: { is: 'chat', chatId: own }, from: 1 }] },
        { steps: [{ to: { is: 'person', personId: delegateId, name: 'somebody' }, from: 0 }] },
        { escalateFrom: 0 },
      ]),
    }),
    () => ({
      is: 'watch',
      personId,
      chatId: own,
      wallet,
      label: one(['main', 'cold']),
      as: one(['own', 'followed']),
      arm: [{ ...draft, wallet }],
      shown: [],
    }),
    () => ({ is: 'rule', personId, chatId: own, draft }),
    () => ({ is: 'rule', personId, chatId: own, draft }),
    () => ({ is: 'rule', personId, chatId: own, draft }),
    () => ({ is: 'remove', personId, ruleId: one([...memory.rules.all.keys(), 99]) }),
    () => ({ is: 'unwatch', personId, wallet }),
    () => ({ is: 'bind', personId, address: group(below(3)), title: 'group', mention: null }),
    () => ({ is: 'unbind', chatId }),
    () => ({ is: 'chat-broken', chatId, why: 'blocked' }),
    () => ({ is: 'chat-back', chatId }),
    () => ({
      is: 'chat-moved',
      chatId,
      to: one([...memory.people.chats.values()].map(({ address }) => address)) ?? group(2),
    }),
    () => ({
      is: 'acknowledgement',
      as: one(['acknowledged', 'snoozed']),
      alertIds: [one([...memory.monitors.firing.keys(), 1])],
      by: user,
      until: now + one([1_000, 60_000, 3_600_000]),
      seenUntil: now,
      readIn: one([null, chatId]),
    }),
    () => ({ is: 'quiet', chatIds: [own, chatId], quiet: one([null, { from: 0, to: 1_439 }]) }),
    () => ({
      is: 'mute',
      chatIds: [chatId],
      of: one([
        { is: 'all' },
        { is: 'wallet', wallet },
        { is: 'market', marketId: 'BTC/USD' },
        { is: 'kind', kind: draft.kind },
      ]),
      until: now + one([60_000, 3_600_000]),
    }),
    () => ({ is: 'unmute', chatIds: [chatId] }),
    () => ({ is: 'digest', chatId, minute: one([null, 725]) }),
    () => ({ is: 'drill', personId }),
    () => ({
      is: 'drill-acknowledged',
      personId,
      byId: one([personId, delegateId]),
      by: user,
      seenUntil: Infinity,
      readIn: null,
    }),
    () => ({
      is: 'place',
      personId,
      platform: 'ntfy',
      named: one([null, { address: topic(below(2)), title: 'a topic' }]),
    }),
    () => ({ is: 'undeliverable', chatId, alertIds: [1], message: message([]), why: 'markup' }),
    () => ({ is: 'notice', over: false, except: null, title: 'look after me', lines: [] }),
  ]
  // People rarely go for good: else nothing would grow.
  return often(0.02) ? { is: 'forget', personId } : one(changes)()
}
/** Nobody gives a person without a chat a rule, and dialogs look up persons and chats first. */
const isPossible = (change: Change, { people: { persons, chats } }: Memory): boolean =>
  (!('personId' in change) || persons.has(change.personId)) &&
  (!('chatId' in change) || chats.has(change.chatId)) &&
  (!('chatIds' in change) || change.chatIds.every((id) => chats.has(id)))

const held = ({ often, one }: Dice, wallet: Wallet): Position[] =>
  MARKETS.flatMap(({ id }) =>
    often(0.7)
      ? [
          aPosition({
            wallet,
            marketId: id,
            size: exact(one(['2', '3', '-2'])),
            liquidationPrice: exact(one(['2000', '1900', '2600'])),
          }),
        ]
      : [],
  )

/** As JSON, with the fields of objects in one order. */
function line(value: unknown): string {
  const sort = (name: string, part: unknown) =>
    // Whom somebody is on which platform is in no order.
    name === 'identities'
      ? (part as unknown[]).map((one) => JSON.stringify(one)).toSorted()
      : typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : part
  return JSON.stringify(JSON.parse(toJson(value)), sort)
}

/** What is kept of memory, in one order: the rest is seen anew after a start. */
function kept(memory: Memory) {
  const map = (all: ReadonlyMap<unknown, unknown>) =>
    [...all].map(([key, value]) => line([key, value])).toSorted()
  const grouped = (all: Grouped<never, never, unknown>) =>
    [...all.groups()]
      .flatMap((one) => [...all.of(one)].map(([key, value]) => line([one, key, value])))
      .toSorted()
  const known = (all: Grouped<never, string, unknown>) =>
    [...all.groups()]
      .flatMap((one) => [...all.of(one)].map(([key, value]) => ({ key, text: line([one, key, value]) })))
      .filter(({ key }) => memory.monitors.states.has(key) || memory.monitors.memos.has(key))
      .map(({ text }) => text)
      .toSorted()
  const {
    people: { persons, personBy, chats, chatAt, codes, operatorId, broken },
    rules: { all: rules },
    monitors: { states, memos },
  } = memory
  const wallets = [...memory.wallets.views].flatMap(([wallet, { held, gone }]) =>
    held.size === 0 && gone.length === 0
      ? []
      : [line([wallet, [...held].map(([key, { position }]) => `${key}=${position.size}`).toSorted(), gone])],
  )
  const {
    monitors: { firing, escalatedTo: copies },
    people: { drills, digests },
    sources: { failingSince: dark },
  } = memory
  const inDrawers = {
    ...memory.people,
    ...memory.rules,
    ...memory.silences,
    ...memory.sources,
    ...memory.wallets,
  }
  const groups = [
    ...([
      'chatsIn',
      'chatsOf',
      'watches',
      'watchesOf',
      'followsOf',
      'rulesOf',
      'rulesIn',
      'rulesOver',
      'rulesOn',
    ] as const),
    ...([
      'outageNotices',
      'outageNoticesByChat',
      'walletsByMarket',
      'mutesIn',
      'suppressedIn',
      'delegatesOf',
      'coveredBy',
      'handovers',
      'listing',
    ] as const),
  ]
  const all = { persons, personBy, chats, chatAt, codes, rules, states, memos, firing, drills, dark }
  return {
    ...{ operatorId, wallets: wallets.toSorted() },
    ...{ broken: [...broken].map(String).toSorted(), digests: [...digests].map(String).toSorted() },
    copies: [...copies]
      .map(([alertId, chatIds]) => line([alertId, [...chatIds].toSorted((a, b) => a - b)]))
      .toSorted(),
    // Who was rung beside, and may hear more.
    hearers: [...memory.monitors.firing.keys()]
      .map((id) => line([id, recipientsOf(memory, id).toSorted((x, y) => x.chatId - y.chatId)]))
      .toSorted(),
    maps: Object.entries(all).map(([name, one]) => [name, map(one)]),
    groups: groups.map((name) => [name, grouped(inDrawers[name] as Grouped<never, never, unknown>)]),
    monitors: [
      known(memory.monitors.monitorsIn as Grouped<never, string, unknown>),
      known(memory.monitors.monitorsOf as Grouped<never, string, unknown>),
    ],
  }
}

const STEPS = budget(150, 90)

test.each([1, 2, 205, SEED])(
  'whatever happened, a start finds what the run that ended knew (seed %d)',
  async (seed) => {
    const dice = createDice(seed)
    const { one, below, often } = dice
    const running = await startEngine({
      persons: [
        aPerson({
          fallbackChat: 3,
          escalateFrom: 0,
          steps: [{ to: { is: 'person', personId: 2, name: 'ben' }, from: 0 }],
        }),
        aPerson({ id: 2, operator: false, identities: [ben], defaultChat: 2 }),
      ],
      chats: [
        aChat(),
        aChat({ id: 2, personId: 2, address: home('ben') }),
        aChat({ id: 3, address: topic(0) }),
      ],
      delegations: [delegation(1, 2), delegation(2, 1)],
      watches: [aWatch(), aWatch({ personId: 2, wallet: BOB })],
      last: { person: 2, chat: 3, rule: 0, alert: 0, row: 0, session: 0 },
    })
    const { engine, store, clock } = running
    const { memory } = engine
    for (let number = 0; number < STEPS; number++) {
      running.refuses(often(0.15) ? () => often(0.6) : () => false)
      const act = below(10)
      if (act < 3) {
        const listed = MARKETS.filter(() => often(0.9))
        const figures = () => ({
          price: exact(one(['3000', '2500', '2300', '2100', '1990'])),
          fundingRatePerDay: exact(one(['0.001', '-0.001'])),
        })
        await running.prices(...listed.map((market) => aMarket({ ...market, ...figures() })))
      } else if (act < 6) {
        const wallet = one([ALICE, BOB])
        const incomplete = often(0.2) ? { totalCount: 5 } : {}
        if (often(0.1)) engine.failed({ is: 'wallet', wallet }, 'no answer')
        else await running.reads(held(dice, wallet), { wallet, ...incomplete })
      } else if (act < 9) {
        const now = clock.now()
        const change: Change = often(0.1)
          ? { is: 'undelivered', rows: await store.outbox.undelivered(now + 1, 3) }
          : someChange(dice, memory, now)
        const input = often(0.5) ? { platform: 'telegram', id: String(below(40)) } : null
        if (isPossible(change, memory)) await running.change(change, input).catch(() => {})
      } else await clock.advance(one([100, 5_000, 40_000, 250_000]))
      const started = createMemory(await store.memory.load())
      expect({ seed, number, ...kept(memory) }).toEqual({ seed, number, ...kept(started) })
      for (const name of ['person', 'chat', 'rule', 'alert', 'row'] as const)
        expect(memory.run.last[name], `${name} at ${number} of ${seed}`).toBe(started.run.last[name])
    }
    expect(running.events.filter(({ is }) => is === 'turn').length).toBeGreaterThan(STEPS / 2)
    // What comes into sight was out of it: of nothing else is its return told.
    const sight = new Map<string, string>()
    for (const event of running.events) {
      if (event.is !== 'outage' && event.is !== 'recovered') continue
      if (event.is === 'recovered')
        expect([event.source, sight.get(event.source)]).toEqual([event.source, 'outage'])
      sight.set(event.source, event.is)
    }
    // A history may end while something is out of sight.
    expect(running.events.map(({ is }) => is)).toContain('recovered')
  },
)
