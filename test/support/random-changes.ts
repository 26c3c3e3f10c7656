import { monitorKey } from '../../src/alert/monitor.ts'
import { item, message } from '../../src/message/message.ts'
import type {
  Departed,
  DispatchRound,
  NewRow,
  OutboxRow,
  Sending,
  Settlement,
  Write,
} from '../../src/store/store.ts'
import { aChat, aFiring, aMonitor, ALICE, aPerson, aPosition, aRule, aWatch, BOB } from './fixtures.ts'
import { createDice } from './seed.ts'
import { aRow, aTurn, sentAt } from './store.ts'
import { anAlert, aStep, everything, writesOf } from './store-everything.ts'

/** A change that the store is asked for. Some are refused: nobody made sure that they fit what is there. */
export type Asked =
  | { is: 'commit'; writes: Write[]; sending: Sending | null }
  | { is: 'round'; turn: DispatchRound }
  | { is: 'recover'; at: { now: number; latest: number } }
  | { is: 'secret' }

const PLATFORMS = ['telegram', 'discord']
const WALLETS = [ALICE, BOB]
const MARKETS = ['100', '200', 'xyz:BTC/USD|%2F ünï']
/** So few of each that changes meet. */
const [PERSONS, CHATS, ALERTS] = [3, 4, 8]

/**
 * Changes at random, of each kind that there is. `took` says which rows a round has returned, and `left` which a
 * commit has: later ones settle them.
 */
export function createChanges(seed: number): {
  next(): Asked
  took(rows: readonly OutboxRow[]): void
  left(departed: readonly Departed[]): void
} {
  const dice = createDice(seed)
  const { below, often, one } = dice
  const id = (most: number) => 1 + below(most)
  let now = 1_000_000
  let lastRow = 0
  let underWay: number[] = []
  const time = () => now - below(5_000)
  const some = (most: number, count = 3) => Array.from({ length: below(count) }, () => id(most))

  const monitor = () =>
    aMonitor({ chatId: id(CHATS), identity: one(['', 'a']), ...(often(0.3) ? { subject: subject() } : {}) })
  const subject = () => ({ is: 'market', marketId: one(MARKETS) }) as const

  function row(): NewRow {
    const alertIds = [...new Set(some(ALERTS))]
    const items = alertIds.map((alertId) => ({
      ...item('warning', `BTC is near its liquidation price (A${alertId})`),
      ...{ alertId, ...(often(0.3) ? ({ again: true } as const) : {}) },
      buttons: [{ label: 'Ack', line: `/ack A${alertId}`, replace: false }],
    }))
    const about = alertIds.length > 0 || often(0.5) ? [monitorKey(monitor())] : []
    const [only] = alertIds
    const isNote = only !== undefined && often(0.25)
    const button = { label: 'Why', line: `/why A${only}`, replace: false }
    const note = often(0.5)
      ? { alertId: only ?? 0, line: 'acknowledged by Ann', button: often(0.5) ? button : null }
      : { alertId: only ?? 0, quote: ['closing half costs $5'] }
    return aRow({
      ...{ id: ++lastRow, chatId: id(CHATS), urgency: one([0, 1, 2]), alertIds, about, silent: often(0.3) },
      message: message(items),
      reason: one(['fired', 'worse', 'reminder', 'coalesced', 'test', 'resolved', 'outage']),
      ...{ queuedAt: time(), dueAt: time() + one([0, 0, 9_000]), detectedAt: time() },
      expiresAt: often(0.2) ? now + 100 : null,
      note: isNote ? note : null,
      ...(often(0.1) ? { pictureOf: often(0.5) ? id(ALERTS) : null } : {}),
    })
  }

  /** One write of each kind, with numbers at random. */
  const makes: (() => Write)[] = [
    () => {
      const personId = id(PERSONS)
      const identities = PLATFORMS.filter(() => often(0.7)).map((platform) => ({
        platform,
        user: `u${one([personId, personId, id(PERSONS)])}`,
      }))
      return { is: 'person', person: aPerson({ id: personId, identities, operator: often(0.5) }) }
    },
    () => {
      const chatId = id(CHATS)
      const address = { platform: one(PLATFORMS), chat: `c${one([chatId, chatId, id(CHATS)])}`, thread: null }
      const brokenBecause = often(0.05) ? 'blocked' : null
      return { is: 'chat', chat: aChat({ id: chatId, address, personId: id(PERSONS), brokenBecause }) }
    },
    () => ({ is: 'rule', rule: aRule({ id: id(9), personId: id(PERSONS), chatId: id(CHATS) }) }),
    () => ({ is: 'watch', watch: aWatch({ personId: id(PERSONS), wallet: one(WALLETS) }) }),
    () => ({
      is: 'alert',
      alert: anAlert({ ...monitor(), id: id(ALERTS), personId: id(PERSONS), openedAt: 10 }),
    }),
    () => ({ is: 'alert-closed', alertId: id(ALERTS), at: time() }),
    () => ({ is: 'step', step: aStep({ alertId: id(ALERTS), rowId: often(0.5) ? id(lastRow + 1) : null }) }),
    () => ({
      is: 'state',
      row: {
        monitor: monitor(),
        state: aFiring({ alertId: id(ALERTS) }),
        value: dice.next() / 3,
        params: {},
      },
    }),
    () => ({ is: 'state-gone', monitor: monitor() }),
    () => ({ is: 'memo', row: { monitor: monitor(), memo: { sizes: [2n ** 70n, -0, 1 / 3] } } }),
    () => ({ is: 'memo-gone', monitor: monitor() }),
    () => ({ is: 'send', row: row() }),
    () => ({ is: 'send', row: row() }),
    () => ({ is: 'send', row: row() }),
    () => ({ is: 'copied', rowId: id(lastRow + 1), at: often(0.8) ? now : null, copy: null }),
    () => ({ is: 'coalesced', rowIds: some(lastRow + 1, 6), into: id(lastRow + 1), at: now }),
    () => {
      const ends = some(ALERTS).map((alertId) => ({ alertId, rowId: id(lastRow + 1) }))
      return { is: 'withdrawn', alertIds: some(ALERTS), ends, at: now }
    },
    () => {
      const withoutCopies = often(0.5) ? { withoutCopiesAt: now } : {}
      return { is: 'rows-moved', from: id(CHATS), to: id(CHATS), ...withoutCopies }
    },
    () => {
      const [memory] = everything().wallets
      if (!memory) throw new Error('no wallet')
      const positions = often(0.5) ? [aPosition({ size: BigInt(below(1e9)) ** 3n })] : []
      return { is: 'wallet', memory: { ...memory, wallet: one(WALLETS), at: now, positions } }
    },
    () => ({ is: 'passed', wallet: one(WALLETS), position: `p${below(3)}`, price: dice.next() * 1e-7 }),
    () => ({ is: 'wallet-gone', wallet: one(WALLETS) }),
    () => {
      const data = Uint8Array.from({ length: 40 }, () => below(3))
      const of = one(['prices', 'bars', 'wallet', 'dark'] as const)
      const block = { of, id: of === 'wallet' ? one(WALLETS) : one(MARKETS), since: below(500), data }
      const piece = { at: time(), id: one(['', ...WALLETS]), data }
      return { is: 'past', blocks: [block], pieces: [piece], inBlocks: often(0.2) ? time() : null }
    },
    () => ({
      is: 'gap',
      gap: { chatId: often(0.7) ? id(CHATS) : null, source: null, since: 1, until: time() },
    }),
    () => ({ is: 'input', input: { platform: one(PLATFORMS), id: String(below(5_000)) }, at: time() }),
    () => ({ is: 'alive', at: now, pricesAt: often(0.5) ? now : null, holes: [] }),
    () => {
      const pastBefore = { prices: below(500), bars: below(500), wallet: below(500), dark: below(500) }
      return { is: 'prune', inputsBefore: time(), historyBefore: time(), pastBefore }
    },
    () => ({ is: 'unwatch', personId: id(PERSONS), wallet: one(WALLETS) }),
    () => ({ is: 'rule-gone', ruleId: id(9) }),
    () => ({ is: 'delegation-gone', personId: id(PERSONS), delegateId: id(PERSONS) }),
    () => ({ is: 'suppressed-gone', chatId: id(CHATS), alertId: 41 }),
    () => one(writesOf(everything()).filter(({ is }) => is !== 'send' && is !== 'chat' && is !== 'person')),
    // A text in place of a number: the database refuses it, wherever in the commit it stands.
    () => ({
      is: 'alert-closed',
      alertId: id(ALERTS),
      at: one([time(), time(), 'now' as unknown as number]),
    }),
  ]
  const rare: (() => Write)[] = [
    () => ({ is: 'person-gone', personId: id(PERSONS) }),
    () => ({ is: 'chat-gone', chatId: id(CHATS) }),
  ]

  function settled(): Settlement[] {
    const outcomes = underWay.map((rowId): Settlement => {
      const dueAt = now + one([0, 0.5, 3_000])
      return one<Settlement>([
        sentAt(rowId, now),
        sentAt(rowId, now),
        { rowId, is: 'again', dueAt, maybeSent: often(0.5), plain: often(0.2) },
        { rowId, is: 'anew', dueAt },
        { rowId, is: 'parked', at: now, why: 'chat not found' },
        { rowId, is: 'expired', at: now },
      ])
    })
    underWay = []
    return outcomes
  }

  function turn(): DispatchRound {
    const jump = often(0.1) ? { byMs: one([-2_000, 2_000]), before: now, now } : null
    return aTurn({
      ...{ now, settled: settled(), jump },
      take: PLATFORMS.filter(() => often(0.8)).map((platform) => ({
        ...{ platform, most: 1 + below(4), edits: below(3), pictures: below(3) },
      })),
      busy: often(0.2) ? some(CHATS, 2) : [],
      noEdits: often(0.2) ? some(CHATS, 2) : [],
      criticalOnly: often(0.2) ? some(CHATS, 2) : [],
      testsOnly: often(0.2) ? some(CHATS, 2) : [],
      trying: often(0.2) ? some(CHATS, 2) : [],
      served: often(0.2) ? some(CHATS, 2) : [],
      overdue: { before: often(0.3) ? time() : 0, except: some(CHATS, 2) },
    })
  }

  return {
    next() {
      now += below(1_000)
      const kind = below(10)
      if (kind < 3) return { is: 'round', turn: turn() }
      if (kind === 3 && often(0.2)) return { is: 'recover', at: { now, latest: now + 1_000 } }
      if (kind === 3 && often(0.1)) return { is: 'secret' }
      const writes = Array.from({ length: id(4) }, () => one(often(0.004) ? rare : makes)())
      const rowIds = writes.flatMap((write) => (write.is === 'send' ? write.row.id : []))
      return { is: 'commit', writes, sending: often(0.5) ? { now, settled: settled(), rowIds } : null }
    },
    took(rows) {
      underWay.push(...rows.filter(({ overdue }) => overdue.length === 0).map((taken) => taken.id))
    },
    left(departed) {
      underWay.push(...departed.flatMap(({ rowId, isNeedless }) => (isNeedless ? [] : rowId)))
    },
  }
}

/** People and chats, so that most of what comes then fits. */
export function firstWrites(): Write[] {
  const numbers = (most: number) => Array.from({ length: most }, (_, place) => place + 1)
  return [
    ...numbers(PERSONS).map((id): Write => ({ is: 'person', person: aPerson({ id, identities: [] }) })),
    ...numbers(CHATS).map((id): Write => {
      const address = { platform: PLATFORMS[id % 2] ?? '', chat: `c${id}`, thread: null }
      return { is: 'chat', chat: aChat({ id, address, personId: 1 + (id % PERSONS), private: id % 2 === 0 }) }
    }),
    ...numbers(ALERTS).map((id): Write => ({
      is: 'alert',
      alert: anAlert({ id, personId: 1 + (id % PERSONS) }),
    })),
  ]
}
