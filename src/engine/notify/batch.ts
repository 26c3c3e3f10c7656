import type { Severity } from '../../alert/alert.ts'
import { toJson } from '../../lib/text/json.ts'
import type { Priority } from '../../message/delivery.ts'
import { itemPoints } from '../../message/fit.ts'
import {
  type Item,
  ITEMS_PER_MESSAGE,
  type Message,
  MESSAGE_CODE_POINTS,
  message,
} from '../../message/message.ts'
import type { NewRow } from '../../store/store.ts'
import { together } from '../evaluate/buttons.ts'
import { type Effect, isWrite } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { Numbers } from '../memory/run.ts'
import { fallbackOf } from '../memory/people.ts'
import type { Decision, Notice } from '../monitors/decision.ts'
import { forAnother } from '../monitors/recipients.ts'
import type { Reason } from '../../message/reason.ts'

/** One commit: whole chats, or a portion of a chat that would be too large. */
export interface Transaction {
  urgency: Priority
  parts: Part[]
}

/** Everything of one chat. */
export interface Part {
  effects: Effect[]
  transitions: NonNullable<Decision['transition']>[]
}

/** When what is said was found, and when it is put into the outbox: wall times. */
interface When {
  detectedAt: number
  queuedAt: number
}

/**
 * Bounds the time that a commit keeps the event loop: so many rows cost some 5 ms. All decisions of a chunk
 * are one commit.
 */
const ROWS_PER_TRANSACTION = 800
/** A stale piece of information is of no use any more. */
const INFO_LIVES_MS = 6 * 3_600_000

/** Nothing is owed after these. */
const ONCE: ReadonlySet<Reason> = new Set(['occurred', 'ended', 'resolved'])

export const PRIORITY: Record<Severity, Priority> = { critical: 0, warning: 1, info: 2 }

/**
 * Turns the decisions of one turn into transactions. All notices for one chat are sent together, worst first,
 * in messages of at most ten items. The chats with the worst news are committed first.
 */
export function groupIntoMessages(
  { memory, now, numbers }: { memory: Pick<Memory, 'people' | 'run'>; now: number; numbers: Numbers },
  decisions: readonly Decision[],
  detectedAt: number,
): Transaction[] {
  const at = { detectedAt, queuedAt: now }
  const byChat = new Map<number, Decision[]>()
  for (const decision of decisions) {
    const chatId = fallbackOf(memory, decision.chatId)
    const own = byChat.get(chatId)
    if (own) own.push(decision)
    else byChat.set(chatId, [decision])
  }
  const all = [...byChat].flatMap(([chatId, own]) =>
    portions(own).map((portion) => partOf(chatId, portion, at, numbers)),
  )
  return packed(all.sort((a, b) => a.urgency - b.urgency))
}

/** A chat's decisions, cut where one transaction would become too large; nearly always one portion. */
function portions(decisions: Decision[]): Decision[][] {
  const all: Decision[][] = []
  let current: Decision[] = []
  let rows = 0
  for (const decision of decisions.toSorted((a, b) => worst(a) - worst(b))) {
    const cost = decision.effects.length + decision.steps.length + decision.notices.length
    if (current.length > 0 && rows + cost > ROWS_PER_TRANSACTION) {
      all.push(current)
      current = []
      rows = 0
    }
    current.push(decision)
    rows += cost
  }
  return current.length > 0 ? [...all, current] : all
}

function partOf(
  chatId: number,
  decisions: Decision[],
  at: When,
  numbers: Numbers,
): Part & { urgency: Priority } {
  const said = decisions
    .flatMap((decision) => decision.notices)
    .sort((a, b) => PRIORITY[a.severity] - PRIORITY[b.severity] || a.order - b.order)
  const rows: NewRow[] = []
  const rowOf = new Map<number, number>()
  for (const some of messages(said)) {
    const row = rowFor(chatId, some, at, ++numbers.row)
    rows.push(row)
    for (const alertId of row.alertIds) rowOf.set(alertId, row.id)
  }
  const steps = decisions.flatMap((decision) => decision.steps)
  const escalatedTo = copiesOf(said, at, numbers)
  const ends = elsewhereOf(decisions, at, numbers)
  // When this chat does not take a message that has gone to the fallback already, no second copy goes there.
  const handovers = said.filter(({ copiesTo = [] }) => copiesTo.some(({ takesOver }) => takesOver))
  const takenOver = new Set(handovers.flatMap(({ alertIds }) => alertIds))
  const own = rows.filter(({ alertIds }) => alertIds.some((id) => takenOver.has(id)))
  return {
    urgency: rows[0]?.urgency ?? 2,
    effects: [
      ...decisions.flatMap((decision) => decision.effects),
      ...[...rows, ...escalatedTo.map(({ row }) => row), ...ends].map((row): Effect => ({ is: 'send', row })),
      ...own.map(({ id: rowId }): Effect => ({ is: 'copied', rowId, at: at.queuedAt, copy: null })),
      ...escalatedTo.map(({ row, open, goesOn }): Effect => ({
        is: 'copied',
        ...{ rowId: row.id, at: goesOn ? null : at.queuedAt },
        copy: { alertIds: open, chatId: row.chatId },
      })),
      ...steps.map((step): Effect => ({
        is: 'step',
        step: { ...step, rowId: rowOf.get(step.alertId) ?? null },
      })),
    ],
    transitions: decisions.flatMap(({ transition }) => transition ?? []),
  }
}

/**
 * Puts the copies for other chats into messages of their own; `open` are the alerts whose end is owed there.
 * A message that a delegate's one chat does not take goes on to their other one, like their own messages.
 */
function copiesOf(
  said: readonly Notice[],
  at: When,
  numbers: Numbers,
): { row: NewRow; open: number[]; goesOn: boolean }[] {
  const all = said.flatMap((one) => (one.copiesTo ?? []).map((copiesTo) => ({ ...copiesTo, one })))
  return [...Map.groupBy(all, ({ chatId }) => chatId)].flatMap(([chatId, there]) => {
    const isOnlyOne = all.every((other) => other.chatId === chatId || other.name !== there[0]?.name)
    const goesOn = there.every(({ whose }) => whose !== null) && isOnlyOne
    const told = there.map(({ one, whose }) =>
      whose === null ? one : { ...one, item: forAnother(one.item, whose) },
    )
    return messages(told).map((some) => {
      const open = some.flatMap(({ reason, alertIds }) => (ONCE.has(reason) ? [] : alertIds))
      return { row: rowFor(chatId, some, at, ++numbers.row), open, goesOn }
    })
  })
}

/** Puts the notices for other chats into messages of their own. */
function elsewhereOf(decisions: readonly Decision[], at: When, numbers: Numbers): NewRow[] {
  const byChat = Map.groupBy(
    decisions.flatMap(({ elsewhere = [] }) => elsewhere),
    ({ chatId }) => chatId,
  )
  return [...byChat].flatMap(([chatId, all]) => {
    const said = all.map((one) => one.notices).sort((a, b) => PRIORITY[a.severity] - PRIORITY[b.severity])
    return messages(said).map((some) => rowFor(chatId, some, at, ++numbers.row))
  })
}

/** As many as one message takes, in their order. */
function messages(said: readonly Notice[]): [Notice, ...Notice[]][] {
  const [first, ...others] = said
  // As nearly always: nothing is measured.
  if (first && others.length === 0) return [[first]]
  const all: [Notice, ...Notice[]][] = []
  let left = 0
  for (const one of said) {
    const last = all.at(-1)
    const points = itemPoints(one.item)
    if (last && last.length < ITEMS_PER_MESSAGE && points <= left) last.push(one)
    else {
      all.push([one])
      left = MESSAGE_CODE_POINTS
    }
    left -= points
  }
  return all
}

/** One message; what is said first is the worst of it. */
function rowFor(chatId: number, said: readonly [Notice, ...Notice[]], at: When, id: number): NewRow {
  const isStale = said.every(
    ({ severity, item, reason }) => severity === 'info' && (item.tone === 'info' || reason === 'digest'),
  )
  return {
    id,
    chatId,
    urgency: PRIORITY[said[0].severity],
    silent: said.every(({ quiet }) => quiet),
    message: messageOf(said.map(({ item }) => item)),
    alertIds: said.flatMap(({ alertIds }) => alertIds),
    about: [...new Set(said.map(({ about }) => about))],
    reason: said[0].reason,
    ...at,
    dueAt: at.queuedAt,
    // The end of an alert is owed to the people who were warned, however late.
    expiresAt: isStale ? at.queuedAt + INFO_LIVES_MS : null,
    note: null,
  }
}

/** A last line that all items share is said once. */
function messageOf(items: readonly Item[]): Message {
  const last = items[0]?.lines.at(-1)
  const shared =
    items.length > 1 &&
    last !== undefined &&
    items.every(({ lines }) => lines.length > 1 && toJson(lines.at(-1)) === toJson(last))
  const told = shared ? items.map((item) => ({ ...item, lines: item.lines.slice(0, -1) })) : items
  const { items: all, buttons } = together(told)
  return message(all, { footnote: shared ? last : null, buttons })
}

/** Small parts of different chats share a transaction, so that a crash of the whole market is few commits. */
function packed(all: (Part & { urgency: Priority })[]): Transaction[] {
  const transactions: (Transaction & { rows: number })[] = []
  for (const { urgency, ...part } of all) {
    const last = transactions.at(-1)
    const rows = part.effects.filter(isWrite).length
    if (last && last.rows + rows <= ROWS_PER_TRANSACTION) {
      last.parts.push(part)
      last.rows += rows
    } else transactions.push({ urgency, parts: [part], rows })
  }
  return transactions
}

function worst(decision: Decision): number {
  return decision.notices.reduce((least, { severity }) => Math.min(least, PRIORITY[severity]), 3)
}
