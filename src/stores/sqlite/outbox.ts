import { fromJson } from '../../lib/text/json.ts'
import type { SentRef } from '../../message/address.ts'
import type { AlertNote } from '../../message/annotation.ts'
import { ANEW_PRIORITY, EDIT_PRIORITY, PICTURE_PRIORITY, type Priority } from '../../message/delivery.ts'
import type { Message } from '../../message/message.ts'
import type { Undelivered } from '../../store/change.ts'
import type { OutboxRow, DispatchRound, SentMessage, Settlement, Upcoming } from '../../store/store.ts'
import { createOverdueReads } from './waiting/coalesce.ts'
import type { Messages } from './messages.ts'
import { integer, type Statements, words } from './statements.ts'
import type { MessageCache } from './waiting/new-rows.ts'
import { createStaleReminders } from './waiting/stale-reminders.ts'
import { reasonColumn, reasonFrom } from './columns.ts'

interface Row {
  id: number
  chat_id: number
  urgency: Priority
  silent: number
  message: string
  queued_at: number
  expires_at: number | null
  attempts: number
  possible_repeat: number
  plain: number
  reason: string | null
  detected_at: number
  note: string | null
  only_alert: number | null
  picture_of: number | null
}

/** A row that is due; `alone` is 1 if no other row is about its alerts. */
type Found = Row & { alone: number }

/** The changes that taking a row has made. */
export interface TakenRow {
  id: number
  chatId: number
  /** It is under way now; otherwise a summary will replace it. */
  isTried: boolean
  /** Quotes that it carries need no edit any more. */
  carries: boolean
}

/** A round by its outcome: which rows another version of Perch would take does not matter. */
export interface RoundOutcome extends Pick<DispatchRound, 'now' | 'settled' | 'jump'> {
  taken: readonly TakenRow[]
}

const MAX_SENT = 10_000

/** Takes and settles outbox rows. */
export function createOutbox(
  sqlite: Statements,
  messages: Messages,
  cache: MessageCache,
): {
  /**
   * Whether a message may be sent after this round, which must then be on the disk first. Otherwise the round only notes
   * outcomes: a message whose outcome is lost is a possible repeat.
   */
  mayTake(turn: DispatchRound): boolean
  /** Call it inside a transaction. */
  settle(outcomes: Pick<DispatchRound, 'now' | 'settled'>): void
  /** Call it inside a transaction. `taken` gathers the rows, for a copy of the file. */
  round(turn: DispatchRound, taken?: TakenRow[]): OutboxRow[]
  /** Does to this file what a round did to another one. Call it inside a transaction. */
  repeat(round: RoundOutcome): void
  sentSince(since: number): SentMessage[]
  recover(at: { now: number; latest: number }): number
  undelivered(before: number, most: number): Undelivered[]
  upcoming(trying: readonly number[]): Upcoming
} {
  // The head of a chat is the row that goes first there. While it is being sent, the others wait.
  const head = (row: string, among = '') => `${row}.id = (SELECT id FROM outbox AS other
    WHERE other.state = 'waiting' AND other.chat_id = ${row}.chat_id${among} ORDER BY urgency, id LIMIT 1)`
  const testOnly = ` AND (other.reason = '${reasonColumn('test')}' OR other.chat_id NOT IN (SELECT value FROM json_each(@testsOnly)))`
  // Stops at enough rows, the most urgent first, so that rows that are not taken cost nothing. A row that was due when it
  // was queued and was never tried stays due, wherever the wall clock has jumped since.
  const due = sqlite.prepare(`
    SELECT mine.id, mine.chat_id, urgency, silent, message, queued_at, expires_at, attempts, possible_repeat, plain,
      reason, detected_at, note, only_alert, picture_of,
      note IS NULL AND only_alert IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM outbox AS theirs WHERE theirs.only_alert = mine.only_alert AND theirs.id <> mine.id)
        AND NOT EXISTS (SELECT 1 FROM outbox_several WHERE alert_id = mine.only_alert) AS alone
    FROM outbox AS mine INDEXED BY outbox_by_urgency
      CROSS JOIN chats ON chats.id = mine.chat_id AND platform = ${words('@platform')}
        AND (@start IS NULL OR (substr(chat, 1, length(@start)) = @start) = @inside)
        AND (broken_because IS NULL OR (urgency < ${EDIT_PRIORITY} AND chats.id IN (SELECT value FROM json_each(@trying))))
    WHERE mine.state = 'waiting' AND mine.chat_id NOT IN (SELECT value FROM json_each(@busy))
      AND (urgency <> ${EDIT_PRIORITY} OR mine.chat_id NOT IN (SELECT value FROM json_each(@noEdits)))
      AND (urgency <> ${PICTURE_PRIORITY} OR mine.chat_id NOT IN (SELECT value FROM json_each(@noPictures)))
      AND (urgency = 0 OR (@platform NOT IN (SELECT value FROM json_each(@criticalOnlyOn))
        AND mine.chat_id NOT IN (SELECT value FROM json_each(@criticalOnly))))
      AND ${head('mine', testOnly)} AND tried_at IS NULL
      AND (due_at <= ${integer('@now')} OR (attempts = 0 AND due_at <= queued_at))
    ORDER BY urgency, mine.id LIMIT ${integer('@most')}`)
  // Most rounds find nothing. The statement above would take twenty times as long to find that out.
  const anyWaits = sqlite.prepare("SELECT 1 FROM outbox WHERE state = 'waiting' LIMIT 1")
  const untried = sqlite.prepare("SELECT 1 FROM outbox WHERE state = 'waiting' AND tried_at IS NULL LIMIT 1")
  const tried = sqlite.prepare('UPDATE outbox SET tried_at = ?, attempts = attempts + 1 WHERE id = ?')
  const alertsOf = sqlite
    .prepare('SELECT alert_id FROM outbox_alerts WHERE row_id = ? ORDER BY alert_id')
    .pluck()
  const sentBefore = sqlite.prepare(`SELECT earlier.ref, earlier.id FROM outbox_alerts AS mine
      CROSS JOIN outbox_alerts AS theirs ON theirs.alert_id = mine.alert_id AND theirs.row_id < mine.row_id
      CROSS JOIN outbox AS earlier ON earlier.id = theirs.row_id
    WHERE mine.row_id = ${integer('@id')} AND earlier.state = 'sent' AND earlier.chat_id = ${integer('@chatId')}`)
  const sent = sqlite.prepare(
    "UPDATE outbox SET state = 'sent', settled_at = ?, ref = ?, tried_at = NULL WHERE id = ?",
  )
  const again = sqlite.prepare(`UPDATE outbox SET due_at = ?, tried_at = NULL,
    possible_repeat = max(possible_repeat, ?), plain = max(plain, ?) WHERE id = ?`)
  const anew = sqlite.prepare(`UPDATE outbox SET urgency = ${ANEW_PRIORITY}, due_at = ?, tried_at = NULL,
    possible_repeat = 0, attempts = 0 WHERE id = ?`)
  const ended = sqlite.prepare(
    'UPDATE outbox SET state = ?, settled_at = ?, why = ?, tried_at = NULL WHERE id = ?',
  )
  // A wall clock that was ahead when they were queued must not delay them by as much.
  const notLater =
    sqlite.prepare(`UPDATE outbox SET queued_at = min(queued_at, @now), detected_at = min(detected_at, @now),
      due_at = min(due_at, CASE WHEN attempts = 0 AND due_at <= queued_at THEN @now ELSE @latest END)
    WHERE state = 'waiting' AND (due_at > @latest OR queued_at > @now OR detected_at > @now)`)
  const undelivered =
    sqlite.prepare(`SELECT id, chat_id, message, reason, detected_at, queued_at, about, only_alert FROM outbox
      INDEXED BY outbox_untaken
    WHERE state = 'waiting' AND urgency = 0 AND copied_at IS NULL AND note IS NULL
      AND (queued_at <= ${integer('?')} OR chat_id IN (SELECT id FROM chats WHERE broken_because IS NOT NULL))
    ORDER BY queued_at, id LIMIT ${integer('?')}`)
  // More than any platform takes in the time that anybody asks about.
  const sentSince = sqlite.prepare(`SELECT chat_id AS chatId, settled_at AS at FROM outbox
    WHERE settled_at > ? AND state = 'sent' ORDER BY settled_at DESC LIMIT ${MAX_SENT}`)
  const underWay = sqlite.prepare(`SELECT chat_id AS chatId, tried_at AS at FROM outbox
    WHERE state = 'waiting' AND tried_at > ?`)
  // Earlier versions queued edits among the messages.
  const editsAside = sqlite.prepare(
    `UPDATE outbox SET urgency = ${EDIT_PRIORITY} WHERE state = 'waiting' AND note IS NOT NULL`,
  )
  // A row from the time before a clock was set back cannot be told from a newer one, unless it lies ahead.
  const shift = sqlite.prepare(`UPDATE outbox SET queued_at = queued_at + @byMs,
      detected_at = detected_at + @byMs, expires_at = expires_at + @byMs
    WHERE state = 'waiting' AND queued_at > CASE WHEN @byMs > 0 THEN -1 ELSE @now END
      AND queued_at <= @before`)
  const recovered = sqlite
    .prepare(`UPDATE outbox SET possible_repeat = 1, tried_at = NULL
    WHERE state = 'waiting' AND tried_at IS NOT NULL RETURNING id`)
    .pluck()
  const upcoming = sqlite.prepare(`SELECT
    (SELECT due_at FROM outbox AS mine INDEXED BY outbox_by_due
        CROSS JOIN chats ON chats.id = chat_id
          AND (broken_because IS NULL OR (urgency < ${EDIT_PRIORITY} AND chats.id IN (SELECT value FROM json_each(@trying))))
      WHERE state = 'waiting' AND tried_at IS NULL AND ${head('mine')} ORDER BY due_at LIMIT 1) AS nextDueAt,
    (SELECT min(CASE WHEN broken_because IS NULL THEN queued_at ELSE 0 END)
      FROM outbox INDEXED BY outbox_untaken CROSS JOIN chats ON chats.id = chat_id
      WHERE state = 'waiting' AND urgency = 0 AND copied_at IS NULL AND note IS NULL) AS undeliveredSince`)

  const alertIdsOf = ({ id, only_alert: only }: Row) =>
    only === null ? (alertsOf.all(id) as number[]) : [only]
  const overdueIn = createOverdueReads(sqlite)
  const staleReminders = createStaleReminders(sqlite)
  const settle = (settlement: Settlement, now: number) => {
    const { rowId } = settlement
    if (settlement.is === 'sent') sent.run(settlement.at, JSON.stringify(settlement.ref), rowId)
    else if (settlement.is === 'again') {
      again.run(Math.ceil(settlement.dueAt), settlement.maybeSent ? 1 : 0, settlement.plain ? 1 : 0, rowId)
      staleReminders.waitsAgain(rowId, now)
    } else if (settlement.is === 'anew') anew.run(Math.ceil(settlement.dueAt), rowId)
    else ended.run(settlement.is, settlement.at, settlement.is === 'parked' ? settlement.why : null, rowId)
  }
  const settleAll = ({ now, settled }: Pick<DispatchRound, 'now' | 'settled'>) => {
    for (const settlement of settled) settle(settlement, now)
  }
  const round = (turn: DispatchRound, taken?: TakenRow[]): OutboxRow[] => {
    const { now } = turn
    if (turn.jump) shift.run(turn.jump)
    settleAll(turn)
    if (!mayStart(turn) || anyWaits.get() === undefined) return []
    const overdueWith = ({ chat_id: chatId, reason, queued_at: queuedAt, note }: Row) =>
      note === null &&
      (reasonFrom(reason) === 'coalesced' || queuedAt <= turn.overdue.before) &&
      !turn.overdue.except.includes(chatId)
        ? overdueIn(chatId, { before: turn.overdue.before, now })
        : []
    const lists = {
      now,
      noEdits: JSON.stringify(turn.noEdits),
      noPictures: JSON.stringify(turn.noPictures),
      criticalOnly: JSON.stringify(turn.criticalOnly),
      criticalOnlyOn: JSON.stringify(turn.criticalOnlyOn),
      trying: JSON.stringify(turn.trying),
      testsOnly: JSON.stringify(turn.testsOnly),
    }
    const rows = turn.take
      .filter(({ most }) => most > 0)
      .flatMap(({ platform, most, edits, pictures, server }) => {
        const { start = null, inside = true } = server ?? {}
        const find = (more: number, passedOver: readonly number[], over: object = {}) => {
          const busy = JSON.stringify([...turn.busy, ...passedOver])
          return due.all({
            ...lists,
            platform,
            start,
            inside: inside ? 1 : 0,
            most: more,
            busy,
            ...over,
          }) as Found[]
        }
        const critical = { criticalOnlyOn: JSON.stringify([platform]) }
        const inTurn = turn.served.length === 0 ? [] : find(most, turn.served, critical)
        const others = find(
          most - inTurn.length,
          inTurn.map(({ chat_id: id }) => id),
        )
        const messages = others.filter(({ urgency }) => urgency < EDIT_PRIORITY)
        const aside = others
          .filter(({ urgency }) => urgency === EDIT_PRIORITY)
          .slice(0, edits)
          .concat(others.filter(({ urgency }) => urgency === PICTURE_PRIORITY).slice(0, pictures))
          .slice(0, Math.max(edits, pictures))
        return [...inTurn, ...messages, ...aside]
      })
    return rows.map((row) => {
      const overdue = overdueWith(row)
      const isTried = overdue.length === 0
      if (isTried) tried.run(now, row.id)
      taken?.push({ id: row.id, chatId: row.chat_id, isTried, carries: row.alone !== 1 && row.note === null })
      return { ...(row.alone === 1 ? rowAlone(row) : rowAmongOthers(row, now)), overdue }
    })
  }
  /** Returns a row as a reply to the first message about its alerts, with the notes since it was queued. */
  function rowAmongOthers(row: Row, now: number): Omit<OutboxRow, 'overdue'> {
    const { id, chat_id: chatId } = row
    if (row.note === null) messages.dropCarriedQuotes(id, chatId, now)
    const alone = rowAlone(row)
    if (row.picture_of !== null) return { ...alone, replyTo: messages.lastRef(row.picture_of, id, chatId) }
    const before = sentBefore.all({ id, chatId }) as { id: number; ref: string }[]
    const first = before.reduce<(typeof before)[number] | null>(
      (least, one) => (least === null || one.id < least.id ? one : least),
      null,
    )
    return {
      ...alone,
      replyTo: first ? (fromJson(first.ref) as SentRef) : null,
      ...(row.note === null
        ? { message: messages.asSentNow(id, chatId, alone.message), edits: null }
        : messages.withNote(id, fromJson(row.note) as AlertNote, chatId, alone.message)),
    }
  }
  /** Returns a row whose alerts no other row is about: nearly all of them when very many are sent at once. */
  function rowAlone(row: Row): Omit<OutboxRow, 'overdue'> {
    return {
      ...{ id: row.id, chatId: row.chat_id, replyTo: null, edits: null },
      alertIds: alertIdsOf(row),
      message: cache.message(row.id, row.message),
      pictureOf: row.picture_of,
      urgency: row.urgency,
      silent: row.silent === 1,
      queuedAt: row.queued_at,
      reason: reasonFrom(row.reason),
      detectedAt: row.detected_at,
      expiresAt: row.expires_at,
      attempts: row.attempts,
      possibleRepeat: row.possible_repeat === 1,
      plain: row.plain === 1,
    }
  }
  return {
    mayTake: (turn) =>
      turn.jump !== null ||
      (mayStart(turn) &&
        (turn.settled.some(({ is }) => is === 'again' || is === 'anew') || untried.get() !== undefined)),
    settle: settleAll,
    round,
    repeat(turn) {
      if (turn.jump) shift.run(turn.jump)
      settleAll(turn)
      for (const { id, chatId, isTried, carries } of turn.taken) {
        if (isTried) tried.run(turn.now, id)
        if (carries) messages.dropCarriedQuotes(id, chatId, turn.now)
      }
    },
    sentSince(since) {
      const all = [...sentSince.all(since), ...underWay.all(since)] as SentMessage[]
      return all.sort((a, b) => a.at - b.at)
    },
    recover(at) {
      notLater.run(at)
      editsAside.run()
      const rowIds = recovered.all() as number[]
      for (const rowId of rowIds) staleReminders.waitsAgain(rowId, at.now)
      return rowIds.length
    },
    undelivered: (before, most) =>
      (undelivered.all(before, most) as (Row & { about: string })[]).map((row) => ({
        rowId: row.id,
        chatId: row.chat_id,
        message: fromJson(row.message) as Message,
        alertIds: alertIdsOf(row),
        about: JSON.parse(row.about) as string[],
        reason: reasonFrom(row.reason),
        detectedAt: row.detected_at,
        queuedAt: row.queued_at,
      })),
    upcoming: (trying) => upcoming.get({ trying: JSON.stringify(trying) }) as Upcoming,
  }
}

/** A round for outcomes alone starts nothing. */
function mayStart({ take }: DispatchRound): boolean {
  return take.some(({ most }) => most > 0)
}
