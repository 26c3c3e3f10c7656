import type { LoudCritical } from '../../src/chat/notifier.ts'
import type { SentRef } from '../../src/message/address.ts'
import {
  alertOf,
  annotated,
  isQuote,
  type AlertNote,
  withDelayNote,
  withoutAlerts,
  withoutStaleReminders,
} from '../../src/message/annotation.ts'
import { ANEW_PRIORITY, EDIT_PRIORITY, PICTURE_PRIORITY } from '../../src/message/delivery.ts'
import { isSilent, type Message, message } from '../../src/message/message.ts'
import { drillName, handoverName } from '../../src/people/delegation.ts'
import type { QueuedMessage, Undelivered } from '../../src/store/change.ts'
import type {
  Departed,
  DispatchRound,
  NewRow,
  OutboxRow,
  Sending,
  SentMessage,
  Settlement,
  StoreSize,
  Upcoming,
  Write,
} from '../../src/store/store.ts'
import type { Tables } from './memory-store.ts'

export interface MemoryRow extends NewRow {
  state: 'waiting' | 'sent' | 'parked' | 'expired' | 'merged' | 'withdrawn'
  triedAt: number | null
  attempts: number
  possibleRepeat: boolean
  plain: boolean
  settledAt: number | null
  ref: SentRef | null
  copiedAt: number | null
  mergedInto: number | null
}

type Of<Is extends Write['is']> = Extract<Write, { is: Is }>
export type MemoryOutbox = ReturnType<typeof memoryOutbox>

const NEW = { state: 'waiting', triedAt: null, attempts: 0, possibleRepeat: false, plain: false } as const
const UNSETTLED = { settledAt: null, ref: null, copiedAt: null, mergedInto: null } as const
const MAX_COALESCED = 500

/** The outbox of the store in memory: `tables` are those of the present transaction. */
export function memoryOutbox(tables: () => Tables) {
  const all = () => [...tables().rows.values()].toSorted((a, b) => a.id - b.id)
  const waiting = () => all().filter(({ state }) => state === 'waiting')
  const change = (row: MemoryRow, to: Partial<MemoryRow>) => void tables().rows.set(row.id, { ...row, ...to })
  const shares = (one: MemoryRow, other: MemoryRow) => one.alertIds.some((id) => other.alertIds.includes(id))
  const isLater = (row: MemoryRow) => (other: MemoryRow) =>
    other.id > row.id && other.chatId === row.chatId && shares(row, other)
  const urgentFirst = (a: MemoryRow, b: MemoryRow) => a.urgency - b.urgency || a.id - b.id
  const isCritical = ({ urgency, copiedAt, note }: MemoryRow) => urgency === 0 && copiedAt === null && !note
  const isBroken = ({ chatId }: MemoryRow) => tables().chats.get(chatId)?.brokenBecause != null
  const least = (times: readonly number[]) => (times.length === 0 ? null : Math.min(...times))

  /** The row that goes first in its chat, unless that chat is broken and not tried. */
  function isHead(row: MemoryRow, trying: readonly number[], testsOnly: readonly number[] = []): boolean {
    const { brokenBecause = 'gone' } = tables().chats.get(row.chatId) ?? {}
    const [head] = waiting()
      .filter(({ chatId }) => chatId === row.chatId)
      .filter(({ chatId, reason }) => reason === 'test' || !testsOnly.includes(chatId))
      .toSorted(urgentFirst)
    const isTried = !brokenBecause || (row.urgency < EDIT_PRIORITY && trying.includes(row.chatId))
    return head?.id === row.id && row.triedAt === null && isTried
  }

  /** Takes reminders of acknowledged alerts out of a waiting message. */
  function withdraw(row: MemoryRow, alertIds: readonly number[], at: number): void {
    const left = withoutStaleReminders(row.message, (alertId) => alertIds.includes(alertId))
    if (left === row.message) return
    const gone = row.message.items.filter((item) => !left.items.includes(item)).map(alertOf)
    const silent = row.silent || left.items.every(({ tone }) => tone === 'good')
    if (isSilent(left)) change(row, { state: 'withdrawn', settledAt: at, triedAt: null })
    else change(row, { message: left, silent })
    const untold = (alertId: number) => (isSilent(left) ? row.alertIds : gone).includes(alertId)
    relink((entry) => (entry.rowId === row.id && untold(entry.alertId) ? null : entry.rowId))
  }
  function relink(to: (entry: { alertId: number; rowId: number | null }) => number | null): void {
    const { entries } = tables()
    for (const [id, steps] of entries)
      entries.set(
        id,
        steps.map((one) => ({ ...one, rowId: to(one) })),
      )
  }
  function waitsAgain(id: number, at: number): void {
    const row = tables().rows.get(id)
    if (row?.state !== 'waiting' || row.note) return
    const acked = all().filter((other) => other.note && !isQuote(other.note) && isLater(row)(other))
    withdraw(
      row,
      row.alertIds.filter((one) => acked.some(({ alertIds }) => alertIds.includes(one))),
      at,
    )
  }
  function settle(settlement: Settlement, now: number): void {
    const row = tables().rows.get(settlement.rowId)
    if (!row) return
    if (settlement.is === 'again') {
      const possibleRepeat = row.possibleRepeat || settlement.maybeSent
      const plain = row.plain || settlement.plain
      change(row, { dueAt: Math.ceil(settlement.dueAt), triedAt: null, possibleRepeat, plain })
      waitsAgain(row.id, now)
    } else if (settlement.is === 'anew') {
      const unsent = { triedAt: null, attempts: 0, possibleRepeat: false }
      change(row, { ...unsent, urgency: ANEW_PRIORITY, dueAt: Math.ceil(settlement.dueAt) })
    } else {
      const ref = settlement.is === 'sent' ? settlement.ref : null
      change(row, { state: settlement.is, settledAt: settlement.at, triedAt: null, ref })
    }
  }

  /** Messages of a chat that have waited for too long, or are part of a summary that waits. */
  function overdueIn(chat: number, before: number, now: number): QueuedMessage[] {
    const rows = waiting()
      .filter(({ chatId, note, alertIds }) => chatId === chat && !note && alertIds.length > 0)
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .toSorted(urgentFirst)
      .slice(0, MAX_COALESCED)
    const summaries = rows.filter(({ reason }) => reason === 'coalesced').map(({ id }) => id)
    if (rows.filter(({ queuedAt }) => queuedAt <= before).length < 2 && summaries.length === 0) return []
    const parts = all().filter(({ mergedInto }) => mergedInto !== null && summaries.includes(mergedInto))
    return [...rows, ...parts]
      .toSorted((a, b) => a.id - b.id)
      .map((row) => ({ ...undeliveredOf(row), silent: row.silent, isMerged: row.mergedInto !== null }))
  }
  type Pair = Parameters<typeof handoverName>[0]
  function dropNamed(name: string): void {
    for (const { id, about } of waiting()) if (about.join(' ') === name) tables().rows.delete(id)
  }
  function drop(row: MemoryRow, isGone: (alertId: number) => boolean, end: () => unknown): void {
    const left = withoutAlerts(row.message, isGone)
    const isSummary = row.reason === 'coalesced' && row.alertIds.every(isGone)
    if (row.note || isSummary || isSilent(left)) end()
    else change(row, { message: left })
  }
  function forget(rows: readonly MemoryRow[], personId: number): void {
    const isTheirs = (id: number) => tables().alerts.get(id)?.personId === personId
    for (const row of rows)
      if (isTheirs(row.pictureOf ?? 0)) tables().rows.delete(row.id)
      else if (row.alertIds.some(isTheirs)) drop(row, isTheirs, () => tables().rows.delete(row.id))
  }
  function undeliveredOf({ id, chatId, message, alertIds, about, reason, detectedAt, queuedAt }: MemoryRow) {
    return { rowId: id, chatId, message, alertIds, about, reason, detectedAt, queuedAt }
  }

  function notesSince(row: MemoryRow): AlertNote[] {
    return all()
      .filter(isLater(row))
      .flatMap(({ note }) => note ?? [])
  }
  function lastSent(alertId: number, before: number, chat: number, names = `(A${alertId})"`) {
    return all().findLast(
      (row) =>
        row.id < before &&
        row.chatId === chat &&
        row.state === 'sent' &&
        !row.note &&
        row.alertIds.includes(alertId) &&
        JSON.stringify(row.message).includes(names),
    )
  }
  function isNeedless({ id, chatId, note, message: said }: NewRow): boolean {
    if (note === null || isQuote(note) || note.button !== null || !isSilent(said)) return false
    const mayChange = (one: MemoryRow) =>
      one.alertIds.length > 1 || JSON.stringify(one.message).includes('"/ack')
    return !all().some(
      (one) =>
        one.id < id &&
        one.chatId === chatId &&
        one.alertIds.includes(note.alertId) &&
        (one.state === 'waiting' ||
          one.state === 'merged' ||
          (one.state === 'sent' && !one.note && mayChange(one))),
    )
  }
  /** A message as it stands in its chat: with how late it was, and with the notes since. */
  function standing(row: MemoryRow | undefined): OutboxRow['edits'] {
    if (!row?.ref) return null
    const { queuedAt, settledAt, reason, ref } = row
    const notes = notesSince(row)
    const original = withDelayNote(row.message, { queuedAt, at: settledAt ?? queuedAt, reason })
    const now = notes.length === 0 ? original : annotated(original, notes)
    return now && { ref, message: now }
  }
  /** Returns the edit that a note makes, or its own message where there is nothing to edit. */
  function noted(row: MemoryRow, note: AlertNote): Pick<OutboxRow, 'message' | 'edits'> {
    const nothing = { edits: null, message: message([]) }
    const isOver = !isQuote(note) && note.button === null
    const last = lastSent(note.alertId, row.id, row.chatId, isOver ? `"/ack A${note.alertId}"` : undefined)
    const isSame = ({ ref }: MemoryRow) => JSON.stringify(ref) === JSON.stringify(last?.ref)
    const carries = (other: MemoryRow) =>
      other.id !== row.id &&
      other.note !== null &&
      other.state === 'sent' &&
      isSame(other) &&
      other.queuedAt >= row.queuedAt &&
      (other.id > row.id || !isQuote(other.note))
    if (last && all().some((other) => carries(other) && shares(other, last))) return nothing
    if (isQuote(note) && !last) return nothing
    const edits = standing(last)
    const isSaid = (other: MemoryRow) =>
      other.id < row.id &&
      other.chatId === row.chatId &&
      other.alertIds.includes(note.alertId) &&
      (other.state === 'merged' || other.state === 'withdrawn')
    return { edits, message: edits === null && all().some(isSaid) ? message([]) : row.message }
  }
  function taken(row: MemoryRow, turn: DispatchRound): OutboxRow {
    const { now, overdue } = turn
    const isOverdue = !row.note && (row.reason === 'coalesced' || row.queuedAt <= overdue.before)
    const late =
      isOverdue && !overdue.except.includes(row.chatId) ? overdueIn(row.chatId, overdue.before, now) : []
    if (late.length === 0) change(row, { triedAt: now, attempts: row.attempts + 1 })
    // Figures that go out within the message need not be added to it.
    if (!row.note)
      for (const other of waiting().filter(isLater(row)))
        if (other.note && isQuote(other.note)) change(other, { state: 'expired', settledAt: now })
    const first = all().find(
      (other) =>
        other.id < row.id && other.state === 'sent' && other.chatId === row.chatId && shares(other, row),
    )
    const notes = row.note ? [] : notesSince(row)
    const said = notes.length === 0 ? row.message : (annotated(row.message, notes) ?? row.message)
    const { id, chatId, alertIds, urgency, silent, queuedAt, reason, detectedAt, expiresAt } = row
    const { attempts, possibleRepeat, plain, pictureOf = null } = row
    const followed = pictureOf === null ? first : lastSent(pictureOf, id, chatId)
    return {
      ...{ id, chatId, alertIds, urgency, silent, queuedAt, reason, detectedAt, expiresAt },
      ...{ attempts, possibleRepeat, plain, replyTo: followed?.ref ?? null, overdue: late },
      pictureOf,
      ...(row.note ? noted(row, row.note) : { message: said, edits: null }),
    }
  }

  return {
    settle({ settled, now }: Sending): void {
      for (const settlement of settled) settle(settlement, now)
    },
    /** Marks a row of this commit as tried, if it goes first. Leaves out a note that can edit nothing. */
    depart(row: NewRow, { now, rowIds }: Sending): Departed[] {
      if (rowIds.includes(row.id) && isNeedless(row)) {
        tables().rows.delete(row.id)
        return [{ rowId: row.id, replyTo: null, isNeedless: true }]
      }
      const isMessage = (one: MemoryRow) => one.chatId === row.chatId && one.urgency < EDIT_PRIORITY
      const isDue = row.dueAt <= row.queuedAt || row.dueAt <= now
      const isWords = row.note === null && row.pictureOf === undefined
      const mine = tables().rows.get(row.id)
      if (!mine || !rowIds.includes(row.id) || !isDue || !isWords) return []
      if (waiting().some((one) => one.id < row.id && isMessage(one))) return []
      change(mine, { triedAt: now, attempts: 1 })
      const isFirst = ({ id, state, chatId }: MemoryRow) =>
        id < row.id && state === 'sent' && chatId === row.chatId
      const first = all().find((other) => isFirst(other) && shares(other, mine))
      return [{ rowId: row.id, replyTo: first?.ref ?? null }]
    },
    send(row: NewRow): void {
      tables().rows.set(row.id, {
        ...row,
        urgency: row.note ? EDIT_PRIORITY : row.pictureOf === undefined ? row.urgency : PICTURE_PRIORITY,
        alertIds: row.alertIds.toSorted((a, b) => a - b),
        ...NEW,
        ...UNSETTLED,
      })
      // Order holds for all that a row is about: earlier rows become as urgent as it is.
      const reached = new Set(row.about)
      const ahead = (one: MemoryRow) =>
        one.chatId === row.chatId &&
        !row.note &&
        one.urgency > row.urgency &&
        one.urgency < EDIT_PRIORITY &&
        one.id < row.id
      for (const one of waiting().filter(ahead).toReversed()) {
        if (!one.about.some((each) => reached.has(each))) continue
        for (const each of one.about) reached.add(each)
        change(one, { urgency: row.urgency })
      }
      const { note, chatId, queuedAt } = row
      if (!note || isQuote(note)) return
      for (const one of waiting())
        if (one.chatId === chatId && !one.note && one.triedAt === null && one.alertIds.includes(note.alertId))
          withdraw(one, [note.alertId], queuedAt)
    },
    round(turn: DispatchRound): OutboxRow[] {
      const { byMs, before, now } = turn.jump ?? { byMs: 0, before: -1, now: 0 }
      for (const row of waiting()) {
        const { queuedAt, detectedAt, expiresAt } = row
        if (queuedAt > before || (byMs < 0 && queuedAt <= now)) continue
        const later = { queuedAt: queuedAt + byMs, detectedAt: detectedAt + byMs }
        change(row, { ...later, expiresAt: expiresAt === null ? null : expiresAt + byMs })
      }
      for (const settlement of turn.settled) settle(settlement, turn.now)
      const isDue = ({ dueAt, attempts, queuedAt }: MemoryRow) =>
        dueAt <= turn.now || (attempts === 0 && dueAt <= queuedAt)
      const rows = turn.take.flatMap(({ platform, most, edits, pictures, server }) => {
        const isMeant = ({ chatId }: MemoryRow) => {
          const id = tables().chats.get(chatId)?.address.chat ?? ''
          return server === undefined || id.startsWith(server.start) === server.inside
        }
        const isLater = ({ urgency, chatId }: MemoryRow) => urgency > 0 || turn.served.includes(chatId)
        const all = waiting()
          .filter(({ chatId }) => tables().chats.get(chatId)?.address.platform === platform)
          .filter(isMeant)
          .filter(
            (row) =>
              !turn.busy.includes(row.chatId) && isDue(row) && isHead(row, turn.trying, turn.testsOnly),
          )
          .filter(({ urgency, chatId }) => urgency !== EDIT_PRIORITY || !turn.noEdits.includes(chatId))
          .filter(({ urgency, chatId }) => urgency !== PICTURE_PRIORITY || !turn.noPictures.includes(chatId))
          .filter(
            ({ urgency, chatId }) =>
              urgency === 0 ||
              !(turn.criticalOnlyOn.includes(platform) || turn.criticalOnly.includes(chatId)),
          )
          .toSorted(urgentFirst)
          .toSorted((a, b) => Number(isLater(a)) - Number(isLater(b)))
          .slice(0, most)
        const of = (one: number, count: number) =>
          all.filter(({ urgency }) => urgency === one).slice(0, count)
        const aside = [...of(EDIT_PRIORITY, edits), ...of(PICTURE_PRIORITY, pictures)]
        const messages = all.filter(({ urgency }) => urgency < EDIT_PRIORITY)
        return [...messages, ...aside.slice(0, Math.max(edits, pictures))]
      })
      return rows.map((row) => taken(row, turn))
    },
    sentSince: (since: number): SentMessage[] =>
      all()
        .map(({ chatId, state, settledAt, triedAt }) => ({
          chatId,
          at: state === 'sent' ? settledAt : triedAt,
        }))
        .flatMap(({ chatId, at }) => (at === null || at <= since ? [] : [{ chatId, at }]))
        .toSorted((a, b) => a.at - b.at),
    interrupted({ now, latest }: { now: number; latest: number }): number {
      for (const row of waiting()) {
        const { queuedAt, detectedAt, dueAt } = row
        if (dueAt <= latest && queuedAt <= now && detectedAt <= now) continue
        const bound = row.attempts === 0 && dueAt <= queuedAt ? now : latest
        const earlier = { queuedAt: Math.min(queuedAt, now), detectedAt: Math.min(detectedAt, now) }
        change(row, { ...earlier, dueAt: Math.min(dueAt, bound) })
      }
      for (const row of waiting()) if (row.note) change(row, { urgency: EDIT_PRIORITY })
      const tried = waiting().filter(({ triedAt }) => triedAt !== null)
      for (const row of tried) {
        change(row, { possibleRepeat: true, triedAt: null })
        waitsAgain(row.id, now)
      }
      return tried.length
    },
    undelivered: (before: number, most: number): Undelivered[] =>
      waiting()
        .filter((row) => isCritical(row) && (row.queuedAt <= before || isBroken(row)))
        .toSorted((a, b) => a.queuedAt - b.queuedAt || a.id - b.id)
        .slice(0, most)
        .map(undeliveredOf),
    upcoming: (trying: readonly number[]): Upcoming => ({
      nextDueAt: least(
        waiting()
          .filter((row) => isHead(row, trying))
          .map(({ dueAt }) => dueAt),
      ),
      undeliveredSince: least(
        waiting()
          .filter(isCritical)
          .map((row) => (isBroken(row) ? 0 : row.queuedAt)),
      ),
    }),
    inState: (state: MemoryRow['state']) => all().filter((row) => row.state === state).length,
    size(platforms: readonly string[]): StoreSize {
      const groups = [...Map.groupBy(waiting(), ({ urgency }) => urgency)].toSorted(([a], [b]) => a - b)
      const canGo = ({ chatId }: MemoryRow) => {
        const chat = tables().chats.get(chatId)
        return chat?.brokenBecause === null && platforms.includes(chat.address.platform)
      }
      return {
        waiting: groups.map(([urgency, rows]) => ({
          ...{ urgency, rows: rows.length },
          oldestAt: least(rows.filter(canGo).map(({ detectedAt }) => detectedAt)),
        })),
        parked: all().filter(({ state }) => state === 'parked').length,
        files: [],
      }
    },
    loudCriticals(platform: string, since: number): LoudCritical[] {
      const { alerts, chats } = tables()
      const lasts = (id: number) => {
        const { closedAt = 0, openedAt = 0 } = alerts.get(id) ?? {}
        return closedAt === null || (closedAt > since && closedAt > openedAt)
      }
      const isDrill = ({ reason, message }: MemoryRow) =>
        reason === 'test' && JSON.stringify(message).includes('"/drill ack')
      const rang = (row: MemoryRow) => isDrill(row) || (row.urgency === 0 && !row.silent && !row.note)
      return all()
        .filter((row) => row.state === 'sent' && rang(row))
        .filter(({ chatId }) => chats.get(chatId)?.address.platform === platform)
        .filter((row) => (row.settledAt ?? 0) > since && (isDrill(row) || row.alertIds.some(lasts)))
        .flatMap(({ ref, alertIds, settledAt }) => (ref ? [{ ref, alertIds, at: settledAt ?? 0 }] : []))
    },
    messageOf: (alertId: number, chatId: number): Message | null =>
      standing(lastSent(alertId, Infinity, chatId))?.message ?? null,
    copied(rowId: number, at: number | null): void {
      const into = tables().rows.get(rowId)?.mergedInto
      for (const row of all()) if (row.id === rowId || row.id === into) change(row, { copiedAt: at })
    },
    coalesce({ rowIds, into, at }: Of<'coalesced'>): void {
      const those = waiting().filter(({ id }) => rowIds.includes(id))
      const alone = those.filter((row) => row.urgency === 0 && row.copiedAt === null)
      const summary = tables().rows.get(into)
      if (!summary) return
      const copies = those.flatMap(({ copiedAt }) => copiedAt ?? [])
      change(summary, {
        attempts: Math.max(0, ...those.map(({ attempts }) => attempts)),
        possibleRepeat: those.some((row) => row.possibleRepeat),
        dueAt: least(those.map(({ dueAt }) => dueAt)) ?? summary.dueAt,
        queuedAt: Math.min(summary.queuedAt, least(alone.map(({ queuedAt }) => queuedAt)) ?? at),
        copiedAt: alone.length > 0 || copies.length === 0 ? null : Math.max(...copies),
      })
      for (const row of all()) if (rowIds.includes(row.mergedInto ?? 0)) change(row, { mergedInto: into })
      for (const row of those)
        change(row, { state: 'merged', settledAt: at, mergedInto: into, triedAt: null })
      const isTold = (alertId: number) => summary.alertIds.includes(alertId)
      relink(({ alertId, rowId }) => (rowIds.includes(rowId ?? 0) && isTold(alertId) ? into : rowId))
    },
    move({ from, to, withoutCopiesAt: at }: Of<'rows-moved'>): void {
      const { alerts, chats } = tables()
      const isCopy = ({ chatId, alertIds }: MemoryRow) =>
        chatId === from &&
        alertIds.length > 0 &&
        alertIds.every((id) => (alerts.get(id)?.chatId ?? to) === to)
      if (at !== undefined)
        for (const row of waiting().filter(isCopy))
          change(row, { state: 'withdrawn', settledAt: at, triedAt: null })
      const own = new Set(
        waiting()
          .filter(({ chatId }) => chatId === from)
          .map(({ id }) => id),
      )
      const isOthers = (id: number) => {
        const alert = alerts.get(id)
        return alert?.closedAt === null && alert.personId !== chats.get(from)?.personId
      }
      for (const row of all()) {
        const moves = row.state === 'waiting' || row.copiedAt !== null || row.alertIds.some(isOthers)
        if (own.has(row.mergedInto ?? 0) || (row.chatId === from && moves)) change(row, { chatId: to })
      }
    },
    delegationGone(pair: Of<'delegation-gone'>): void {
      const isThere = ({ chatId }: MemoryRow) => {
        const chat = tables().chats.get(chatId)
        return chat?.private === true && chat.personId === pair.delegateId
      }
      forget(waiting().filter(isThere), pair.personId)
      for (const name of [handoverName(pair), drillName(pair)]) dropNamed(name)
    },
    handoverOver: (pair: Pair) => dropNamed(handoverName(pair)),
    personGone(personId: number): void {
      const { chats, delegations } = tables()
      forget(
        all().filter(({ chatId }) => chats.get(chatId)?.personId !== personId),
        personId,
      )
      for (const one of delegations.values())
        if (one.personId === personId) for (const name of [handoverName(one), drillName(one)]) dropNamed(name)
    },
    withdrawn({ alertIds, ends, at }: Of<'withdrawn'>): void {
      const { rows } = tables()
      const wasTold = (row: MemoryRow) => row.state === 'sent' || row.triedAt !== null || row.possibleRepeat
      for (const { alertId, rowId } of ends) {
        const isThere = (row: MemoryRow) => row.chatId === rows.get(rowId)?.chatId && !row.note
        if (!all().some((row) => row.alertIds.includes(alertId) && isThere(row) && wasTold(row)))
          rows.delete(rowId)
      }
      const waits = new Set(waiting().map(({ id }) => id))
      const isGone = (id: number) => alertIds.includes(id)
      for (const { id, pictureOf } of waiting()) if (alertIds.includes(pictureOf ?? 0)) rows.delete(id)
      const kept = (row: MemoryRow) => change(row, { expiresAt: at, copiedAt: row.copiedAt ?? at })
      for (const row of all())
        if ((waits.has(row.id) || waits.has(row.mergedInto ?? 0)) && !row.note && row.alertIds.some(isGone))
          drop(row, isGone, () => (row.triedAt === null ? rows.delete(row.id) : kept(row)))
    },
    prune(before: number): void {
      const { chats, rows } = tables()
      for (const row of all()) {
        const isUnread = row.triedAt === null && row.queuedAt < before && chats.get(row.chatId)?.brokenBecause
        const isOld = row.state !== 'waiting' && (row.settledAt ?? before) < before
        if (isOld || (row.state === 'waiting' && isUnread)) rows.delete(row.id)
      }
    },
  }
}
