import type { Severity } from '../alert.ts'
import { ITEMS_PER_MESSAGE, message } from '../message.ts'
import type { NewRow, Urgency, Write } from '../store.ts'
import type { Outcome, Said } from './judge.ts'

/** Writes that are one transaction, and the outcomes that take effect once it is on the disk. */
export interface Transaction {
  urgency: Urgency
  writes: Write[]
  outcomes: Outcome[]
}

/** Bounds the time a commit keeps the event loop: measured in performance.md (c), 200 rows cost about 1 ms. */
const WRITES_PER_TRANSACTION = 200
/** A stale piece of information is of no use any more. */
const INFO_LIVES_MS = 6 * 3_600_000

const URGENCY: Record<Severity, Urgency> = { critical: 0, warning: 1, info: 2 }

/**
 * Turns what was judged in one turn into transactions: everything for one chat is said together, worst first, in
 * messages of at most ten items; the chats with the worst news are committed first.
 */
export function batch(
  outcomes: Outcome[],
  now: number,
  newRowId: () => number,
  /** Where a chat's people are told now: elsewhere when it is broken. */
  told: (chatId: number) => number = (chatId) => chatId,
): Transaction[] {
  const byChat = new Map<number, Outcome[]>()
  for (const outcome of outcomes) {
    const chatId = told(outcome.chatId)
    const own = byChat.get(chatId)
    if (own) own.push(outcome)
    else byChat.set(chatId, [outcome])
  }
  const parts = [...byChat].flatMap(([chatId, own]) =>
    portions(own).map((portion) => transactionOf(chatId, portion, now, newRowId)),
  )
  return packed(parts.sort((a, b) => a.urgency - b.urgency))
}

/** A chat's outcomes, cut where one transaction would become too large; nearly always one portion. */
function portions(outcomes: Outcome[]): Outcome[][] {
  const all: Outcome[][] = []
  let current: Outcome[] = []
  let writes = 0
  for (const outcome of outcomes.toSorted((a, b) => worst(a) - worst(b))) {
    const cost = outcome.writes.length + outcome.steps.length + outcome.said.length
    if (current.length > 0 && writes + cost > WRITES_PER_TRANSACTION) {
      all.push(current)
      current = []
      writes = 0
    }
    current.push(outcome)
    writes += cost
  }
  return current.length > 0 ? [...all, current] : all
}

function transactionOf(
  chatId: number,
  outcomes: Outcome[],
  now: number,
  newRowId: () => number,
): Transaction {
  const said = outcomes
    .flatMap((outcome) => outcome.said)
    .sort((a, b) => URGENCY[a.severity] - URGENCY[b.severity] || a.order - b.order)
  const rows: NewRow[] = []
  const rowOf = new Map<number, number>()
  for (let from = 0; from < said.length; from += ITEMS_PER_MESSAGE) {
    const row = rowFor(chatId, said.slice(from, from + ITEMS_PER_MESSAGE), now, newRowId())
    rows.push(row)
    for (const alertId of row.alertIds) rowOf.set(alertId, row.id)
  }
  const steps = outcomes.flatMap((outcome) => outcome.steps)
  return {
    urgency: rows[0]?.urgency ?? 2,
    outcomes,
    writes: [
      ...outcomes.flatMap((outcome) => outcome.writes),
      ...rows.map((row): Write => ({ is: 'send', row })),
      ...steps.map((step): Write => ({
        is: 'step',
        step: { ...step, rowId: rowOf.get(step.alertId) ?? null },
      })),
    ],
  }
}

function rowFor(chatId: number, said: Said[], now: number, id: number): NewRow {
  const urgency = said.reduce<Urgency>(
    (least, { severity }) => (URGENCY[severity] < least ? URGENCY[severity] : least),
    2,
  )
  return {
    id,
    chatId,
    urgency,
    silent: said.every(({ quiet }) => quiet),
    message: message(said.map(({ item }) => item)),
    alertIds: said.flatMap(({ alertIds }) => alertIds),
    queuedAt: now,
    // What clears an alert is owed to whoever was warned, however late.
    expiresAt: said.every(({ severity, item }) => severity === 'info' && item.tone === 'info')
      ? now + INFO_LIVES_MS
      : null,
  }
}

/** Small transactions of different chats share one, so that a crash of the whole market is few commits. */
function packed(parts: Transaction[]): Transaction[] {
  const all: Transaction[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (last && last.writes.length + part.writes.length <= WRITES_PER_TRANSACTION) {
      last.writes.push(...part.writes)
      last.outcomes.push(...part.outcomes)
    } else all.push(part)
  }
  return all.filter(({ writes, outcomes }) => writes.length > 0 || outcomes.length > 0)
}

function worst(outcome: Outcome): number {
  return outcome.said.reduce((least, { severity }) => Math.min(least, URGENCY[severity]), 3)
}
