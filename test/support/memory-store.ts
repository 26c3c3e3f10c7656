import { randomBytes } from 'node:crypto'

import { type Alert, FOLLOWED_KIND } from '../../src/alert/alert.ts'
import type { RecordingBlock, RecordingPiece } from '../../src/alert/backtest.ts'
import { type MonitorId, monitorKey } from '../../src/alert/monitor.ts'
import type { NewTimelineEntry } from '../../src/alert/timeline.ts'
import type { Chat } from '../../src/people/chat.ts'
import type { Delegation } from '../../src/people/delegation.ts'
import type { Gap } from '../../src/people/digest.ts'
import type { Drill } from '../../src/people/drill.ts'
import { type Mute, mutedKey, type Suppressed } from '../../src/people/mute.ts'
import type { Code, Person, Watch } from '../../src/people/person.ts'
import { type PendingQuestion, questionKey } from '../../src/people/question.ts'
import type { Session } from '../../src/people/session.ts'
import type { EventStateRow, Snapshot, SourceRow, StateRow, WalletRow } from '../../src/store/snapshot.ts'
import type { Store, StoreSize, Write } from '../../src/store/store.ts'
import { type MemoryOutbox, memoryOutbox, type MemoryRow } from './memory-outbox.ts'

/** What a store remembers: rows are never changed, only replaced, so that a copy of the maps is a copy of all. */
export interface Tables {
  persons: Map<number, Person>
  chats: Map<number, Chat>
  rows: Map<number, MemoryRow>
  alerts: Map<number, Alert>
  entries: Map<number, readonly NewTimelineEntry[]>
  watches: Map<string, Watch>
  rules: Map<number, Snapshot['rules'][number]>
  states: Map<string, StateRow>
  memos: Map<string, EventStateRow>
  wallets: Map<string, WalletRow>
  sources: Map<string, SourceRow>
  codes: Map<string, Code>
  delegations: Map<string, Delegation>
  mutes: Map<string, Mute>
  held: Map<string, Suppressed>
  drills: Map<number, Drill>
  questions: Map<string, PendingQuestion>
  sessions: Map<number, Session>
  failingSince: Map<string, Snapshot['failingSince'][number]>
  gaps: Map<Gap, Gap>
  inputs: Map<string, number>
  blocks: Map<string, RecordingBlock>
  pieces: Map<string, RecordingPiece>
  last: Map<keyof Snapshot['last'], number>
  times: Map<'alive', Pick<Snapshot, 'aliveAt' | 'pricesAt' | 'holes'>>
}

const SEVERITIES = ['critical', 'warning', 'info'] as const
const NAMES: readonly (keyof Tables)[] = [
  ...(['persons', 'chats', 'rows', 'alerts', 'entries', 'watches', 'rules', 'states', 'memos'] as const),
  ...([
    'wallets',
    'sources',
    'codes',
    'delegations',
    'mutes',
    'held',
    'drills',
    'questions',
    'sessions',
    'failingSince',
  ] as const),
  ...(['gaps', 'inputs', 'blocks', 'pieces', 'last', 'times'] as const),
]

/** A store that lives as long as the test: the second one, which shows that the contract is no copy of SQLite. */
export function memoryStore(): Store {
  let tables = copyOf()
  const outbox = memoryOutbox(() => tables)
  const secret = randomBytes(32)

  /** Does all of it or nothing. */
  async function transaction<T>(work: () => T): Promise<T> {
    const before = tables
    tables = copyOf(before)
    try {
      return work()
    } catch (error) {
      tables = before
      throw error
    }
  }
  return {
    memory: {
      load: async () => structuredClone(snapshotOf(tables)),
      commit: (writes, sending = null) =>
        transaction(() => {
          if (sending) outbox.settle(sending)
          return (structuredClone(writes) as Write[]).flatMap((one) => {
            write(tables, outbox, one)
            return sending && one.is === 'send' ? outbox.depart(one.row, sending) : []
          })
        }),
      seen: async ({ platform, id }) => tables.inputs.has(`${platform} ${id}`),
    },
    outbox: {
      round: (turn) => transaction(() => outbox.round(turn)),
      sentSince: async (since) => outbox.sentSince(since),
      interrupted: (at) => transaction(() => outbox.interrupted(at)),
      undelivered: async (before, most) => outbox.undelivered(before, most),
      backlog: async () => ({ waiting: outbox.inState('waiting'), parked: outbox.inState('parked') }),
      upcoming: async (trying = []) => outbox.upcoming(trying),
      loudCriticals: async (platform, since) => outbox.loudCriticals(platform, since),
    },
    history: {
      alert: async (id) => tables.alerts.get(id) ?? null,
      timeline: async (alertId) =>
        (tables.entries.get(alertId) ?? []).map(({ rowId, ...entry }) => {
          const row = rowId === null ? undefined : tables.rows.get(rowId)
          const { queuedAt = null, attempts = 0, possibleRepeat = false, state = null } = row ?? {}
          const sentAt = row?.state === 'sent' ? row.settledAt : null
          return { ...entry, queuedAt, sentAt, attempts, possibleRepeat, outcome: state as 'waiting' | null }
        }),
      alerts: async (personId, most, { before = Infinity, ends = false } = {}) =>
        [...tables.alerts.values()]
          .filter((one) => one.personId === personId && one.id < before && (!ends || one.closing !== null))
          .toSorted((a, b) => b.id - a.id)
          .slice(0, most),
      messageOf: async (alertId, chatId) => outbox.messageOf(alertId, chatId),
      async dailySummary(chatIds, since) {
        const stood = [...tables.alerts.values()].filter(
          ({ chatId, closedAt, kind }) =>
            kind !== FOLLOWED_KIND && chatIds.includes(chatId) && (closedAt === null || closedAt >= since),
        )
        const rank = ({ severity }: Alert) => SEVERITIES.indexOf(severity)
        const worstFirst = stood.toSorted((a, b) => rank(a) - rank(b) || b.id - a.id)
        const many = (severity: Alert['severity']) => stood.filter((one) => one.severity === severity).length
        return {
          fired: { critical: many('critical'), warning: many('warning'), info: many('info') },
          worst: worstFirst.slice(0, 3),
          reached: worstFirst
            .map(({ id, openedAt, severity }) => {
              const worse = tables.entries.get(id)?.findLast(({ reason }) => reason === 'worse')
              return { at: worse?.at ?? openedAt, severity }
            })
            .filter(({ at }) => at >= since)
            .slice(0, 12),
          gaps: [...tables.gaps.values()]
            .filter((one) => one.until > since && (one.chatId === null || chatIds.includes(one.chatId)))
            .toSorted((a, b) => a.since - b.since),
        }
      },
      deliveryStatus: async (rowIds) =>
        [...tables.rows.values()]
          .filter(({ id }) => rowIds.includes(id))
          .map(({ id, chatId, state, settledAt, attempts }) => ({
            ...{ rowId: id, chatId, outcome: state as 'waiting', settledAt, attempts },
          })),
    },
    recording: {
      blocks: async (of, id, since) =>
        [...tables.blocks.values()]
          .filter((one) => one.of === of && one.id === id && one.since >= since)
          .toSorted((a, b) => a.since - b.since),
      pieces: async () => [...tables.pieces.values()].toSorted((a, b) => a.at - b.at),
    },
    admin: {
      check: async () => null,
      size: async (platforms): Promise<StoreSize> => outbox.size(platforms),
      secret: async () => secret,
      close: async () => {},
    },
  }
}

function copyOf(tables?: Tables): Tables {
  return Object.fromEntries(
    NAMES.map((name) => [name, new Map(tables?.[name] as Map<unknown, unknown>)]),
  ) as unknown as Tables
}

function snapshotOf(tables: Tables): Snapshot {
  const { aliveAt = null, pricesAt = null, holes = [] } = tables.times.get('alive') ?? {}
  const last = (of: keyof Snapshot['last']) => tables.last.get(of) ?? 0
  const all = <T>(table: ReadonlyMap<unknown, T>) => [...table.values()]
  return {
    ...{ persons: all(tables.persons), chats: all(tables.chats), watches: all(tables.watches) },
    ...{ rules: all(tables.rules).toSorted((a, b) => a.id - b.id), states: all(tables.states) },
    ...{ memos: all(tables.memos), wallets: all(tables.wallets), sources: all(tables.sources) },
    questions: all(tables.questions),
    sessions: all(tables.sessions).toSorted((a, b) => a.id - b.id),
    ...{ codes: all(tables.codes), mutes: all(tables.mutes), held: all(tables.held) },
    ...{ drills: all(tables.drills), failingSince: all(tables.failingSince), holes, aliveAt, pricesAt },
    delegations: all(tables.delegations).toSorted((a, b) => a.at - b.at || a.delegateId - b.delegateId),
    escalatedTo: escalatedTo(tables),
    last: {
      ...{ person: last('person'), chat: last('chat'), rule: last('rule') },
      ...{ alert: last('alert'), row: last('row'), session: last('session') },
    },
  }
}

/** An alert belongs to the chat of its state. */
function follow({ alerts }: Tables, { monitor: { chatId }, state }: StateRow): void {
  const alert = state.is === 'firing' ? alerts.get(state.alertId) : undefined
  if (alert) alerts.set(alert.id, { ...alert, chatId })
}

/** Chats that were told of an open alert of another chat. */
function escalatedTo({ alerts, rows, chats }: Tables): Snapshot['escalatedTo'] {
  const found = [...alerts.values()]
    .filter(({ closedAt }) => closedAt === null)
    .flatMap((alert) =>
      [...rows.values()]
        .filter(
          ({ alertIds, note, chatId }) => alertIds.includes(alert.id) && !note && chatId !== alert.chatId,
        )
        .filter((row) => row.copiedAt !== null || chats.get(row.chatId)?.personId !== alert.personId)
        .map(({ chatId }) => ({ alertId: alert.id, chatId })),
    )
  return [...new Map(found.map((one) => [`${one.alertId}/${one.chatId}`, one])).values()]
}

function write(tables: Tables, outbox: MemoryOutbox, one: Write): void {
  const monitorRow = (monitor: MonitorId) => {
    chatOf(tables, monitor.chatId)
    return monitorKey(monitor)
  }
  switch (one.is) {
    case 'person':
      for (const { id, ...rest } of tables.persons.values()) {
        const identities = rest.identities.filter(
          (mine) => !one.person.identities.some((other) => same(mine, other)),
        )
        tables.persons.set(id, { id, ...rest, identities })
      }
      tables.persons.set(one.person.id, one.person)
      return numbered(tables, 'person', one.person.id)
    case 'person-gone':
      outbox.personGone(one.personId)
      tables.persons.delete(one.personId)
      for (const { id, personId } of tables.chats.values())
        if (personId === one.personId) chatGone(tables, id)
      for (const name of ['watches', 'rules', 'alerts', 'codes', 'drills', 'questions', 'sessions'] as const)
        drop(tables[name] as Map<unknown, { personId: number }>, ({ personId }) => personId === one.personId)
      return drop(tables.delegations, (each) => [each.personId, each.delegateId].includes(one.personId))
    case 'code':
      return void tables.codes.set(one.code.hash, one.code)
    case 'code-gone':
      return void tables.codes.delete(one.hash)
    case 'delegation':
      if (one.delegation.handoverUntil === null) outbox.handoverOver(one.delegation)
      return void tables.delegations.set(
        `${one.delegation.personId} ${one.delegation.delegateId}`,
        one.delegation,
      )
    case 'delegation-gone':
      tables.delegations.delete(`${one.personId} ${one.delegateId}`)
      return outbox.delegationGone(one)
    case 'chat':
      tables.chats.set(one.chat.id, one.chat)
      return numbered(tables, 'chat', one.chat.id)
    case 'chat-gone':
      return chatGone(tables, one.chatId)
    case 'rows-moved':
      return outbox.move(one)
    case 'watch':
      return void tables.watches.set(`${one.watch.wallet} ${one.watch.personId}`, one.watch)
    case 'unwatch':
      return void tables.watches.delete(`${one.wallet} ${one.personId}`)
    case 'rule':
      tables.rules.set(chatOf(tables, one.rule.chatId) && one.rule.id, one.rule)
      return numbered(tables, 'rule', one.rule.id)
    case 'rule-gone':
      return void tables.rules.delete(one.ruleId)
    case 'state':
      follow(tables, one.row)
      return void tables.states.set(monitorRow(one.row.monitor), one.row)
    case 'state-gone':
      return void tables.states.delete(monitorKey(one.monitor))
    case 'memo':
      return void tables.memos.set(monitorRow(one.row.monitor), one.row)
    case 'memo-gone':
      return void tables.memos.delete(monitorKey(one.monitor))
    case 'alert': {
      const { ruleIds, title, severity, id } = one.alert
      const opened = tables.alerts.get(id)
      tables.alerts.set(id, opened ? { ...opened, ruleIds, title, severity } : one.alert)
      return numbered(tables, 'alert', id)
    }
    case 'alert-closed': {
      const alert = tables.alerts.get(one.alertId)
      if (alert?.closedAt === null)
        tables.alerts.set(alert.id, { ...alert, closedAt: one.at, closing: one.closing ?? null })
      return
    }
    case 'step':
      return void tables.entries.set(one.step.alertId, [
        ...(tables.entries.get(one.step.alertId) ?? []),
        one.step,
      ])
    case 'send':
      outbox.send({ ...one.row, chatId: chatOf(tables, one.row.chatId) })
      return numbered(tables, 'row', one.row.id)
    case 'copied':
      return outbox.copied(one.rowId, one.at)
    case 'coalesced':
      return outbox.coalesce(one)
    case 'withdrawn':
      return outbox.withdrawn(one)
    case 'wallet':
      return void tables.wallets.set(one.memory.wallet, one.memory)
    case 'passed': {
      const known = tables.wallets.get(one.wallet)
      const touched = { ...known?.touchedLiquidation, [one.position]: one.price }
      return known && void tables.wallets.set(one.wallet, { ...known, touchedLiquidation: touched })
    }
    case 'wallet-gone':
      tables.wallets.delete(one.wallet)
      drop(tables.blocks, ({ of, id }) => of === 'wallet' && id === one.wallet)
      return drop(tables.pieces, ({ id }) => id === one.wallet)
    case 'mute':
      return void tables.mutes.set(`${one.mute.chatId} ${mutedKey(one.mute.of)}`, one.mute)
    case 'mute-gone':
      return void tables.mutes.delete(`${one.chatId} ${one.of}`)
    case 'suppressed':
      return void tables.held.set(`${one.held.chatId} ${one.held.alertId}`, one.held)
    case 'suppressed-gone':
      return void tables.held.delete(`${one.chatId} ${one.alertId}`)
    case 'source':
      return void tables.sources.set(`${one.row.source} ${one.row.chatId}`, one.row)
    case 'source-gone':
      return void tables.sources.delete(`${one.source} ${one.chatId}`)
    case 'dark':
      return void tables.failingSince.set(one.source, { source: one.source, since: one.since })
    case 'dark-gone':
      return void tables.failingSince.delete(one.source)
    case 'drill':
      return void tables.drills.set(one.drill.personId, one.drill)
    case 'question':
      return void tables.questions.set(questionKey(one.question), one.question)
    case 'question-gone':
      return void tables.questions.delete(questionKey(one))
    case 'session':
      tables.sessions.set(one.session.id, one.session)
      return numbered(tables, 'session', one.session.id)
    case 'session-gone':
      return drop(tables.sessions, ({ user }) => user === one.user)
    case 'gap':
      return void tables.gaps.set(one.gap, one.gap)
    case 'input': {
      const name = `${one.input.platform} ${one.input.id}`
      if (tables.inputs.has(name)) throw new Error(`the input ${name} has taken effect before`)
      return void tables.inputs.set(name, one.at)
    }
    case 'alive': {
      const pricesAt = one.pricesAt ?? tables.times.get('alive')?.pricesAt ?? one.at
      return void tables.times.set('alive', { aliveAt: one.at, pricesAt, holes: [...one.holes] })
    }
    case 'past':
      for (const block of one.blocks) tables.blocks.set(`${block.of} ${block.id} ${block.since}`, block)
      drop(tables.pieces, ({ at }) => at < (one.inBlocks ?? 0))
      for (const piece of one.pieces) tables.pieces.set(`${piece.at} ${piece.id}`, piece)
      return
    case 'prune':
      drop(tables.blocks, ({ of, since }) => since < one.pastBefore[of])
      drop(tables.inputs, (at) => at < one.inputsBefore)
      drop(tables.questions, ({ until }) => until < one.inputsBefore)
      drop(tables.sessions, ({ until }) => until < one.inputsBefore)
      drop(tables.alerts, ({ closedAt }) => closedAt !== null && closedAt < one.historyBefore)
      drop(tables.gaps, ({ until }) => until < one.historyBefore)
      return outbox.prune(one.historyBefore)
  }
}

function chatGone(tables: Tables, gone: number): void {
  tables.chats.delete(gone)
  for (const name of ['rows', 'rules', 'sources', 'mutes', 'held', 'gaps'] as const)
    drop(tables[name] as Map<unknown, { chatId: number | null }>, ({ chatId }) => chatId === gone)
  for (const name of ['states', 'memos'] as const)
    drop(tables[name] as Map<string, { monitor: MonitorId }>, ({ monitor }) => monitor.chatId === gone)
}

function chatOf({ chats }: Tables, id: number): number {
  if (!chats.has(id)) throw new Error(`there is no chat ${id}`)
  return id
}

function numbered({ last }: Tables, of: keyof Snapshot['last'], id: number): void {
  last.set(of, Math.max(last.get(of) ?? 0, id))
}

function drop<K, V>(table: Map<K, V>, isGone: (one: V) => boolean): void {
  for (const [key, one] of table) if (isGone(one)) table.delete(key)
}

function same(one: Person['identities'][number], other: Person['identities'][number]): boolean {
  return one.platform === other.platform && one.user === other.user
}
