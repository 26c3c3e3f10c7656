import type { Alert } from '../../alert/alert.ts'
import type { NewTimelineEntry } from '../../alert/timeline.ts'
import { toJson } from '../../lib/text/json.ts'
import { mutedKey } from '../../people/mute.ts'
import type { Departed, Sending, Write } from '../../store/store.ts'
import { monitorColumns, positionsText, readingsColumn, reasonColumn, stateColumn } from './columns.ts'
import { createCoalescer } from './waiting/coalesce.ts'
import { createRowWriter, type MessageCache } from './waiting/new-rows.ts'
import { createRecordingWriter } from './recording.ts'
import type { Statements } from './statements.ts'
import { createWithdrawals } from './waiting/withdrawals.ts'

/** Bounds how long a commit holds the event loop: the rows of a day with very many alerts go little by little. */
const MAX_PRUNED_ROWS = 1_000

const MONITOR = 'chat_id = ? AND kind = ? AND identity = ? AND subject = ?'

type Of<Is extends Write['is']> = Extract<Write, { is: Is }>

/**
 * Does every kind of write, after `compressed`; call it inside a transaction. A row of `sending` is under
 * way if it goes first in its chat. With `isDecided`, which repeats the commit of another file, all of them are.
 */
export function createWriter(
  sqlite: Statements,
  cache: MessageCache,
): (writes: readonly Write[], sending: Sending | null, isDecided?: boolean) => Departed[] {
  const run = (sql: string) => {
    const statement = sqlite.prepare(sql)
    return (...values: unknown[]) => void statement.run(...values)
  }
  const person = run(`INSERT INTO persons (id, operator, zone, numbers, default_chat, fallback_chat,
    escalate_from, steps, language, spoken, detail, pictures, theme, preset) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET operator = excluded.operator, zone = excluded.zone,
    numbers = excluded.numbers, default_chat = excluded.default_chat, fallback_chat = excluded.fallback_chat,
    escalate_from = excluded.escalate_from, steps = excluded.steps,
    language = excluded.language, spoken = excluded.spoken, detail = excluded.detail,
    pictures = excluded.pictures, theme = excluded.theme, preset = excluded.preset`)
  const dropPerson = run('DELETE FROM persons WHERE id = ?')
  const code = run('INSERT OR REPLACE INTO codes VALUES (?, ?, ?, ?, ?, ?)')
  const dropCode = run('DELETE FROM codes WHERE hash = ?')
  const delegation = run('INSERT OR REPLACE INTO agreements VALUES (?, ?, ?, ?, ?, ?)')
  const dropDelegation = run('DELETE FROM agreements WHERE person_id = ? AND helper_id = ?')
  const dropChat = run('DELETE FROM chats WHERE id = ?')
  const moveParts = run(`UPDATE outbox SET chat_id = ? WHERE merged_into IN
    (SELECT id FROM outbox WHERE chat_id = ? AND state = 'waiting')`)
  // Keep messages about someone else's alert: they record who must be told when it resolves.
  const moveRows = run(`UPDATE outbox SET chat_id = ? WHERE chat_id = ?
    AND (state = 'waiting' OR copied_at IS NOT NULL OR EXISTS (
      SELECT 1 FROM outbox_alerts JOIN alerts ON alerts.id = alert_id JOIN chats ON chats.id = outbox.chat_id
      WHERE row_id = outbox.id AND closed_at IS NULL AND alerts.person_id <> chats.person_id))`)
  const ofRow = '(SELECT alert_id FROM outbox_alerts WHERE row_id = outbox.id)'
  const withdrawCopies = run(`UPDATE outbox SET state = 'withdrawn', settled_at = ?, tried_at = NULL
    WHERE chat_id = ? AND state = 'waiting' AND EXISTS ${ofRow}
      AND NOT EXISTS (SELECT 1 FROM alerts WHERE id IN ${ofRow} AND chat_id <> ?)`)
  const dropIdentities = run('DELETE FROM identities WHERE person_id = ?')
  const identity = run(
    'INSERT INTO identities VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET person_id = excluded.person_id',
  )
  const chat = run(`INSERT INTO chats
    (id, platform, chat, thread, title, person_id, private, broken_because, mention, quiet, digest, pin, acks_by,
    weekly) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
    platform = excluded.platform, title = excluded.title, chat = excluded.chat, thread = excluded.thread,
    person_id = excluded.person_id, private = excluded.private, broken_because = excluded.broken_because,
    mention = excluded.mention, quiet = excluded.quiet, digest = excluded.digest, pin = excluded.pin,
    acks_by = excluded.acks_by, weekly = excluded.weekly`)
  const rule = run(`INSERT INTO rules
    (id, person_id, chat_id, kind, params, owner, market_id, symbol, armed_by_watch, identity, hold_ms,
    set_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
    person_id = excluded.person_id, chat_id = excluded.chat_id, kind = excluded.kind, params = excluded.params,
    owner = excluded.owner, market_id = excluded.market_id, symbol = excluded.symbol,
    armed_by_watch = excluded.armed_by_watch, identity = excluded.identity, hold_ms = excluded.hold_ms,
    set_by = excluded.set_by`)
  const watch = run(
    `INSERT INTO watches (owner, person_id, label, since, sort) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    label = excluded.label, since = excluded.since, sort = excluded.sort`,
  )
  const unwatch = run('DELETE FROM watches WHERE person_id = ? AND owner = ?')
  const dropRule = run('DELETE FROM rules WHERE id = ?')
  const state = run('INSERT OR REPLACE INTO states VALUES (?, ?, ?, ?, ?, ?, ?)')
  const dropState = run(`DELETE FROM states WHERE ${MONITOR}`)
  const memo = run('INSERT OR REPLACE INTO memos VALUES (?, ?, ?, ?, ?)')
  const dropMemo = run(`DELETE FROM memos WHERE ${MONITOR}`)
  const follow = run('UPDATE alerts SET chat_id = ? WHERE id = ? AND chat_id <> ?')
  const closeAlert = run('UPDATE alerts SET closed_at = ?, closing = ? WHERE id = ? AND closed_at IS NULL')
  const wallet = run('INSERT OR REPLACE INTO owners VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const passed = run('UPDATE owners SET passed = json_patch(passed, ?) WHERE owner = ?')
  const dropWallet = run('DELETE FROM owners WHERE owner = ?')
  const source = run('INSERT OR REPLACE INTO feeds VALUES (?, ?, ?, ?)')
  const dropSource = run('DELETE FROM feeds WHERE feed = ? AND chat_id = ?')
  const mute = run('INSERT OR REPLACE INTO mutes VALUES (?, ?, ?, ?)')
  const dropMute = run('DELETE FROM mutes WHERE chat_id = ? AND name = ?')
  const suppressed = run('INSERT OR REPLACE INTO held VALUES (?, ?, ?)')
  const dropSuppressed = run('DELETE FROM held WHERE chat_id = ? AND alert_id = ?')
  const failing = run('INSERT OR REPLACE INTO dark VALUES (?, ?)')
  const dropFailing = run('DELETE FROM dark WHERE feed = ?')
  const drill = run('INSERT OR REPLACE INTO drills VALUES (?, ?)')
  const question = run('INSERT OR REPLACE INTO questions VALUES (?, ?, ?, ?, ?, ?, ?)')
  const dropQuestion = run(
    'DELETE FROM questions WHERE platform = ? AND user = ? AND chat = ? AND thread = ?',
  )
  const pruneQuestions = run('DELETE FROM questions WHERE until < ?')
  const session = run(`INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
    person_id = excluded.person_id, kind = excluded.kind, user = excluded.user, name = excluded.name,
    via = excluded.via, since = excluded.since, until = excluded.until`)
  const dropSession = run('DELETE FROM sessions WHERE user = ?')
  const pruneSessions = run('DELETE FROM sessions WHERE until < ?')
  const gap = run('INSERT INTO gaps VALUES (?, ?, ?, ?)')
  const pruneGaps = run(`DELETE FROM gaps WHERE until < ? ORDER BY until, rowid LIMIT ${MAX_PRUNED_ROWS}`)
  const input = run('INSERT INTO inputs VALUES (?, ?, ?)')
  const pruneInputs = run(
    `DELETE FROM inputs WHERE at < ? ORDER BY at, platform, id LIMIT ${MAX_PRUNED_ROWS}`,
  )
  const pruneAlerts = run(
    `DELETE FROM alerts WHERE closed_at < ? ORDER BY closed_at, id LIMIT ${MAX_PRUNED_ROWS}`,
  )
  const pruneRows = run(`DELETE FROM outbox WHERE settled_at < ? AND state <> 'waiting'
    ORDER BY settled_at, id LIMIT ${MAX_PRUNED_ROWS}`)
  // The chat has been broken for so long that nobody will want to read this.
  const pruneUnsent = run(`DELETE FROM outbox WHERE state = 'waiting' AND tried_at IS NULL AND queued_at < ?
    AND chat_id IN (SELECT id FROM chats WHERE broken_because IS NOT NULL)
    ORDER BY chat_id, urgency, id LIMIT ${MAX_PRUNED_ROWS}`)
  const meta = run('INSERT OR REPLACE INTO meta VALUES (?, ?)')
  // The summary of a row says the same.
  const copied = run(`UPDATE outbox SET copied_at = ?
    WHERE id = ? OR id = (SELECT merged_into FROM outbox WHERE id = ?)`)
  const coalesce = createCoalescer(sqlite)
  const { send, ...rows } = createRowWriter(sqlite, cache)
  const withdrawals = createWithdrawals(sqlite)
  const timelines = createTimelineWriter(sqlite)
  const recording = createRecordingWriter(sqlite)

  const writers: { [Is in Write['is']]: (write: Of<Is>) => void } = {
    person({ person: one }) {
      const { id, operator, zone, numbers, defaultChat, fallbackChat, escalateFrom, identities } = one
      const { language, spoken, detail, pictures, theme, preset } = one
      const steps = toJson(one.steps)
      const places = [defaultChat, fallbackChat, escalateFrom, steps]
      const looks = [language, spoken, detail, pictures, theme]
      person(id, operator ? 1 : 0, zone, numbers, ...places, ...looks, preset && toJson(preset))
      dropIdentities(id)
      for (const { platform, user } of identities) identity(platform, user, id)
    },
    'person-gone'({ personId }) {
      withdrawals.personGone(personId)
      dropPerson(personId)
    },
    code: ({ code: one }) =>
      code(one.hash, one.is, one.personId, one.expiresAt, one.claimant && toJson(one.claimant), one.name),
    'code-gone': ({ hash }) => dropCode(hash),
    delegation({ delegation: { personId, delegateId, name, delegateName, at, handoverUntil } }) {
      delegation(personId, delegateId, name, delegateName, at, handoverUntil)
      if (handoverUntil === null) withdrawals.handoverOver({ personId, delegateId })
    },
    'delegation-gone'({ personId, delegateId }) {
      dropDelegation(personId, delegateId)
      withdrawals.delegationGone({ personId, delegateId })
    },
    chat({ chat: one }) {
      const {
        id,
        address,
        title,
        personId,
        private: own,
        brokenBecause,
        mention,
        quiet,
        digest,
        pin,
        acksBy,
        weekly,
      } = one
      chat(
        id,
        address.platform,
        address.chat,
        address.thread,
        title,
        personId,
        own ? 1 : 0,
        brokenBecause,
        mention,
        quiet && toJson(quiet),
        digest && toJson(digest),
        pin && toJson(pin),
        acksBy,
        weekly && toJson(weekly),
      )
    },
    'chat-gone': ({ chatId }) => dropChat(chatId),
    'rows-moved'({ from, to, withoutCopiesAt: at }) {
      if (at !== undefined) withdrawCopies(at, from, to)
      moveParts(to, from)
      moveRows(to, from)
    },
    watch: ({ watch: { wallet, personId, label, since, as } }) => watch(wallet, personId, label, since, as),
    unwatch: ({ personId, wallet }) => unwatch(personId, wallet),
    rule: ({
      rule: { id, personId, chatId, kind, params, identity, wallet, market, armedByWatch, holdMs, setBy },
    }) =>
      rule(
        id,
        personId,
        chatId,
        kind,
        toJson(params),
        wallet,
        market?.id ?? null,
        market?.symbol ?? null,
        armedByWatch ? 1 : 0,
        identity,
        holdMs,
        setBy ?? null,
      ),
    'rule-gone': ({ ruleId }) => dropRule(ruleId),
    state({ row }) {
      const { monitor, state: now } = row
      state(...monitorColumns(monitor), stateColumn(now), row.value, toJson(row.params))
      // An alert belongs to the chat of its state: one that moved is no copy there.
      if (now.is === 'firing') follow(monitor.chatId, now.alertId, monitor.chatId)
    },
    'state-gone': ({ monitor }) => dropState(...monitorColumns(monitor)),
    memo: ({ row }) => memo(...monitorColumns(row.monitor), readingsColumn(row.memo)),
    'memo-gone': ({ monitor }) => dropMemo(...monitorColumns(monitor)),
    alert: ({ alert }) => timelines.alert(alert),
    'alert-closed': ({ alertId, at, closing }) => closeAlert(at, closing ? toJson(closing) : null, alertId),
    step: ({ step }) => timelines.step(step),
    send: ({ row }) => send(row),
    copied: ({ rowId, at }) => copied(at, rowId, rowId),
    coalesced: coalesce,
    withdrawn: withdrawals.alertsOver,
    wallet: ({
      memory: { wallet: of, at, looks, positions, prices, symbols, gone, touchedLiquidation: past },
    }) =>
      wallet(
        of,
        at,
        positionsText(positions),
        toJson(prices),
        readingsColumn(gone),
        toJson(symbols),
        toJson(past),
        toJson(looks ?? {}),
      ),
    passed: ({ wallet: of, position, price }) => passed(toJson({ [position]: price }), of),
    'wallet-gone'({ wallet: gone }) {
      dropWallet(gone)
      recording.walletGone(gone)
    },
    source: ({ row }) => source(row.source, row.chatId, row.since, row.why),
    'source-gone': ({ source: gone, chatId }) => dropSource(gone, chatId),
    mute: ({ mute: { chatId, of, until } }) => mute(chatId, mutedKey(of), readingsColumn(of), until),
    'mute-gone': ({ chatId, of }) => dropMute(chatId, of),
    suppressed: ({ held }) => suppressed(held.chatId, held.alertId, toJson(held)),
    'suppressed-gone': ({ chatId, alertId }) => dropSuppressed(chatId, alertId),
    dark: ({ source: one, since }) => failing(one, since),
    'dark-gone': ({ source: gone }) => dropFailing(gone),
    drill: ({ drill: one }) => drill(one.personId, toJson(one)),
    question: ({ question: { by, chat: there, personId, asked, until } }) =>
      question(by.platform, by.user, there.chat, there.thread ?? '', personId, toJson(asked), until),
    'question-gone': ({ by, chat: there }) =>
      dropQuestion(by.platform, by.user, there.chat, there.thread ?? ''),
    session: ({ session: { id, personId, is, user, name, via, since, until } }) =>
      session(id, personId, is, user, name, via, since, until),
    'session-gone': ({ user }) => dropSession(user),
    gap: ({ gap: { chatId, source: unseen, since, until } }) => gap(chatId, unseen, since, until),
    input: ({ input: { platform, id }, at }) => input(platform, id, at),
    alive({ at, pricesAt, holes }) {
      meta('alive', String(at))
      if (pricesAt !== null) meta('prices', String(pricesAt))
      meta('holes', toJson(holes))
      recording.sweep()
    },
    past: recording.write,
    prune({ inputsBefore, historyBefore, pastBefore }) {
      recording.prune(pastBefore)
      pruneInputs(inputsBefore)
      pruneQuestions(inputsBefore)
      pruneSessions(inputsBefore)
      pruneAlerts(historyBefore)
      pruneRows(historyBefore)
      pruneUnsent(historyBefore)
      pruneGaps(historyBefore)
    },
  }
  return (writes, sending, isDecided = false) => {
    timelines.begin(writes)
    rows.begin(sending, isDecided)
    for (const write of writes) (writers[write.is] as (write: Write) => void)(write)
    return rows.departed()
  }
}

/** Writes alerts and their timelines; the first entry of an alert that opens lies in its own row. */
interface TimelineWriter {
  /** Announces the writes of a transaction. */
  begin(writes: readonly Write[]): void
  alert(alert: Alert): void
  step(step: NewTimelineEntry): void
}

/** Call it inside a transaction. */
function createTimelineWriter(sqlite: Statements): TimelineWriter {
  const open = sqlite.prepare(`INSERT INTO alerts
    (id, person_id, chat_id, kind, identity, subject, rule_ids, title, severity, opened_at, closed_at,
      began_what, began_reason, began_value, began_threshold, began_data_at, began_row_id, closing)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`)
  // An alert that gets worse keeps when it opened.
  const restate = sqlite.prepare('UPDATE alerts SET rule_ids = ?, title = ?, severity = ? WHERE id = ?')
  const add =
    sqlite.prepare(`INSERT INTO steps (alert_id, at, what, value, threshold, data_at, row_id, reason)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  const first = new Map<number, NewTimelineEntry>()
  const written = new Set<NewTimelineEntry>()

  return {
    begin(writes) {
      first.clear()
      written.clear()
      for (const write of writes)
        if (write.is === 'step' && !first.has(write.step.alertId)) first.set(write.step.alertId, write.step)
    },
    alert({ id, personId, ruleIds, title, severity, openedAt, closedAt, closing, ...monitor }) {
      const step = first.get(id)
      const began = step?.at === openedAt ? step : null
      const rules = JSON.stringify(ruleIds)
      const columns = [id, personId, ...monitorColumns(monitor), rules, title, severity, openedAt, closedAt]
      const { changes } = open.run(...columns, ...beganColumns(began), closing && toJson(closing))
      if (changes === 0) restate.run(rules, title, severity, id)
      else if (began) written.add(began)
    },
    step(step) {
      if (written.has(step)) return
      const { alertId, at, what, value, threshold, dataAt, rowId, reason } = step
      add.run(alertId, at, what, value, threshold, dataAt, rowId, reasonColumn(reason))
    },
  }
}

function beganColumns(step: NewTimelineEntry | null): readonly unknown[] {
  if (step === null) return Array.from({ length: 6 }, () => null)
  const { what, reason, value, threshold, dataAt, rowId } = step
  return [what, reasonColumn(reason), value, threshold, dataAt, rowId]
}
