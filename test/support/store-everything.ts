import type { Alert } from '../../src/alert/alert.ts'
import { monitorKey } from '../../src/alert/monitor.ts'
import type { NewTimelineEntry } from '../../src/alert/timeline.ts'
import { price } from '../../src/message/figure.ts'
import { say } from '../../src/message/message.ts'
import type { Snapshot } from '../../src/store/snapshot.ts'
import type { Write } from '../../src/store/store.ts'
import type { ClosedPosition } from '../../src/venue/closed-position.ts'
import { positionKey } from '../../src/venue/position.ts'
import { aChat, aFiring, aMonitor, ALICE, aPerson, aPosition, aRule, aWatch } from './fixtures.ts'
import { aRow } from './store.ts'

export const EMPTY: Snapshot = {
  persons: [],
  chats: [],
  watches: [],
  rules: [],
  states: [],
  memos: [],
  wallets: [],
  sources: [],
  codes: [],
  delegations: [],
  questions: [],
  sessions: [],
  failingSince: [],
  escalatedTo: [],
  mutes: [],
  held: [],
  drills: [],
  last: { person: 0, chat: 0, rule: 0, alert: 0, row: 0, session: 0 },
  aliveAt: null,
  pricesAt: null,
  holes: [],
}

/** Beyond 64 bits, and one digit from a double's reach. */
const HUGE = 2n ** 200n + 1n
/** Whatever a market is called: what is kept of it is found again. */
const ODD = { is: 'market', marketId: 'xyz:BTC/USD|%2F ünï' } as const
const EXACT = 123_456_789_012_345_678_901n

export function anAlert(over: Partial<Alert> = {}): Alert {
  const told = { title: 'ETH long 9.8% from liquidation', severity: 'warning' as const }
  return {
    id: 41,
    ...aMonitor(),
    ruleIds: [7],
    personId: 1,
    ...told,
    openedAt: 5_000,
    closedAt: null,
    closing: null,
    ...over,
  }
}

export function aStep(over: Partial<NewTimelineEntry> = {}): NewTimelineEntry {
  return {
    alertId: 41,
    at: 10,
    reason: 'fired',
    what: 'ok → 10%',
    value: 0.09,
    threshold: '10%',
    dataAt: 8,
    rowId: null,
    ...over,
  }
}

/** One of each, with the values that are lost first. */
export function everything(): Snapshot {
  const identities = ['discord', 'telegram'].map((platform) => ({ platform, user: 'alice' }))
  const position = aPosition({ size: -HUGE, entryPrice: EXACT, liquidationPrice: null })
  const ended: ClosedPosition = {
    ...{ key: positionKey(position), position, symbol: 'ETH', lastSeenAt: 4, awaySince: null },
    ...{
      cause: 'unknown',
      lastPrice: 1 / 3,
      lastDistance: null,
      worstPrice: null,
      orders: null,
      ending: null,
      takerFee: EXACT,
    },
  }
  return {
    persons: [
      aPerson({
        ...{ identities, zone: 'Europe/Berlin', numbers: '1 234,5', fallbackChat: 1, escalateFrom: 1 },
        steps: [
          { to: { is: 'chat', chatId: 1 }, from: 0 },
          { to: { is: 'person', personId: 2, name: 'Bö “b”' }, from: 5 },
        ],
      }),
      aPerson({ id: 2, operator: false, identities: [], defaultChat: null }),
    ],
    chats: [
      aChat({
        ...{ address: { platform: 'telegram', chat: '-100', thread: null }, title: 'Traders' },
        quiet: { from: 1_380, to: 420 },
        weekly: { weekday: 6, minute: 480, after: 7, moneyUntil: null },
        digest: {
          minute: 480,
          after: 7,
          told: { at: 7, moneyUntil: 6, open: { [positionKey(position)]: { size: HUGE, pnlUsd: 1 / 3 } } },
        },
      }),
    ],
    watches: [aWatch()],
    rules: [aRule({ params: { tiers: [0.2, 0.025], level: EXACT }, holdMs: 300_000, setBy: 'cläude' })],
    states: [
      {
        monitor: aMonitor(),
        state: aFiring({ tier: 2, alertId: 41, since: 1 }),
        value: 1 / 3,
        params: { tiers: [0.2, 0.025], level: EXACT },
      },
    ],
    memos: [
      {
        monitor: aMonitor({ identity: 'a|b/c', subject: ODD }),
        memo: { sizes: [HUGE, -EXACT], seen: null, text: 'ünï ✓ \u0000' },
      },
    ],
    wallets: [
      {
        wallet: ALICE,
        at: 5,
        positions: [position],
        prices: { '100': 1 / 7, '200': 1e-300 },
        symbols: { '100': 'ÉTH' },
        gone: [ended],
        touchedLiquidation: { [positionKey(position)]: 1 / 3 },
        looks: { lighter: { at: 6 }, other: { at: 7, isUnknown: true } },
      },
    ],
    sources: [{ source: 'markets', chatId: 1, since: 3, why: 'no answer' }],
    codes: [
      { hash: 'a1', is: 'invite', personId: 1, expiresAt: 99, claimant: null, name: null },
      { hash: 'a3', is: 'agree', personId: 1, expiresAt: 99, claimant: null, name: 'Ann ünï' },
      {
        ...{ hash: 'b2', is: 'link', personId: 1, expiresAt: 99, name: null },
        claimant: {
          by: { platform: 'discord', user: '77' },
          home: { platform: 'discord', chat: '@77', thread: null },
        },
      },
    ],
    delegations: [
      { personId: 1, name: 'Ann ünï', delegateId: 2, delegateName: 'Bö “b”', at: 5, handoverUntil: 9 },
      { personId: 2, name: 'Bö “b”', delegateId: 1, delegateName: 'Ann ünï', at: 6, handoverUntil: null },
    ],
    drills: [{ personId: 1, at: 6, rows: [{ rowId: 5, chatId: 1 }], acknowledged: { by: 'Ann ünï', at: 8 } }],
    questions: [
      {
        by: { platform: 'telegram', user: 'alice' },
        chat: { platform: 'telegram', chat: '-100', thread: '7' },
        personId: 1,
        asked: {
          ...say(['At what price? ', price(2_459.5)]),
          question: { start: '/alert price "ünï" below', prompt: 'price', placeholder: '2300' },
        },
        until: 9,
      },
    ],
    sessions: [
      {
        ...{ id: 3, personId: 1, is: 'page', user: 'ab12', name: 'Firefox on “ünï”', via: 'code' },
        ...{ since: 4, until: 9e12 },
      },
      {
        ...{ id: 4, personId: 1, is: 'assistant', user: 'cd34', name: 'claude', via: 'token' },
        ...{ since: 5, until: 9e12 },
      },
    ],
    failingSince: [{ source: 'markets', since: 4 }],
    escalatedTo: [],
    mutes: [
      { chatId: 1, of: { is: 'all' }, until: 9 },
      { chatId: 1, of: { is: 'market', marketId: ODD.marketId }, until: 8 },
    ],
    held: [
      {
        ...{ chatId: 1, alertId: 41, about: monitorKey(aMonitor({ subject: ODD })), at: 7 },
        ...{ severity: 'warning', title: ['BTC ', { strong: 'long' }], over: false },
      },
    ],
    last: { person: 2, chat: 1, rule: 7, alert: 41, row: 5, session: 4 },
    aliveAt: 1_234,
    pricesAt: 1_200,
    holes: [{ since: 1_000, until: 1_100 }],
  }
}

export function writesOf(known: Snapshot): Write[] {
  return [
    ...known.persons.map((person): Write => ({ is: 'person', person })),
    ...known.chats.map((chat): Write => ({ is: 'chat', chat })),
    ...known.codes.map((code): Write => ({ is: 'code', code })),
    ...known.delegations.map((delegation): Write => ({ is: 'delegation', delegation })),
    ...known.watches.map((watch): Write => ({ is: 'watch', watch })),
    ...known.rules.map((rule): Write => ({ is: 'rule', rule })),
    ...known.states.map((row): Write => ({ is: 'state', row })),
    ...known.memos.map((row): Write => ({ is: 'memo', row })),
    ...[...known.wallets].map((memory): Write => ({ is: 'wallet', memory })),
    ...known.failingSince.map((row): Write => ({ is: 'dark', ...row })),
    ...known.sources.map((row): Write => ({ is: 'source', row })),
    ...known.questions.map((question): Write => ({ is: 'question', question })),
    ...known.sessions.map((session): Write => ({ is: 'session', session })),
    ...known.drills.map((drill): Write => ({ is: 'drill', drill })),
    ...known.mutes.map((mute): Write => ({ is: 'mute', mute })),
    ...known.held.map((held): Write => ({ is: 'suppressed', held })),
    { is: 'alert', alert: anAlert() },
    { is: 'input', input: { platform: 'telegram', id: '77' }, at: 1 },
    { is: 'send', row: aRow({ id: 5, alertIds: [41] }) },
    { is: 'step', step: aStep({ rowId: 5 }) },
    { is: 'alive', at: known.aliveAt ?? 0, pricesAt: known.pricesAt, holes: known.holes },
  ]
}

/** Identities have no order of their own. */
export function sorted(known: Snapshot): Snapshot {
  const persons = known.persons.map(({ identities, ...rest }) => {
    const inOrder = identities.toSorted((a, b) => a.platform.localeCompare(b.platform))
    return { ...rest, identities: inOrder }
  })
  return { ...known, persons, wallets: [...known.wallets] }
}
