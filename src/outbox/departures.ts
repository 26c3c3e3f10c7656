import type { Notifier } from '../chat/notifier.ts'
import { EDIT_PRIORITY } from '../message/delivery.ts'
import { isSilent } from '../message/message.ts'
import type { Chats } from '../people/chat.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Departed, Departures, NewRow, OutboxRow, Write } from '../store/store.ts'
import { isOver, type Rows } from './queued-rows.ts'
import { type Destination, destinationOf, type SendGates } from './send-gates.ts'

/** Writes that change nothing for messages that wait, and no chat. */
const HARMLESS: ReadonlySet<Write['is']> = new Set([
  ...(['send', 'alert', 'alert-closed', 'step', 'state', 'state-gone', 'memo', 'memo-gone'] as const),
  ...(['copied', 'wallet', 'wallet-gone', 'passed', 'rule', 'rule-gone', 'watch', 'unwatch'] as const),
  ...(['suppressed', 'suppressed-gone', 'mute', 'mute-gone', 'source', 'source-gone'] as const),
  ...(['dark', 'dark-gone', 'gap', 'input', 'alive', 'past', 'drill', 'code', 'code-gone'] as const),
  ...(['question', 'question-gone', 'session', 'session-gone'] as const),
])

/** A new message that holds the gate of its chat. */
interface Reserved {
  row: NewRow
  to: Destination
  flight: number
}

/**
 * Sends messages with the commit that writes them, while nothing else is to go first. All others wait for a round. Outcomes
 * of earlier sends go along with each commit.
 */
export function createDepartures(world: {
  clock: Clock
  adapters: ReadonlyMap<string, Notifier>
  chats: Chats
  gates: SendGates
  rows: Rows
  /** The time base of the store's delays (see `begunAt` in dispatcher.ts). */
  dueAt: (mono: number) => number
  isRunning: () => boolean
  /** Messages may start: no message that waits is due, the wall clock was not set, and nobody else may send. */
  isFree: () => boolean
  /** Chats where nothing of this urgency starts now. */
  closedTo: (row: NewRow, mono: number) => boolean
  /** A message waits for a round. */
  waits: () => void
  /** One waits for the round that comes anyway when a send ends. */
  waitsForSend: () => void
}): Departures & { underWay(): readonly Promise<void>[] } {
  const { clock, adapters, chats, gates, rows, isRunning } = world
  const commits = new Set<Promise<void>>()

  /**
   * The worst first, one in each chat, and critical ones in turn, as in a round. A message with a note behind it waits, since
   * the note may change it.
   */
  function reserve(news: readonly NewRow[], mono: number): Reserved[] {
    const reserved: Reserved[] = []
    const served = new Set(gates.served(mono))
    const turnOf = ({ urgency, chatId }: NewRow) => (urgency === 0 && served.has(chatId) ? 1 : 0)
    const inTurn = (a: NewRow, b: NewRow) => a.urgency - b.urgency || turnOf(a) - turnOf(b) || a.id - b.id
    const passed = new Set<number>()
    const lastEditId = new Map<number, number>()
    for (const { id, chatId } of news.filter((row) => !isMessage(row)))
      lastEditId.set(chatId, Math.max(id, lastEditId.get(chatId) ?? id))
    for (const row of news.filter(isMessage).toSorted(inTurn)) {
      const chat = chats.get(row.chatId)
      if (!chat || chat.brokenBecause !== null || passed.has(chat.id)) continue
      passed.add(chat.id)
      if (row.id < (lastEditId.get(chat.id) ?? row.id)) continue
      const to = destinationOf(chat.address, chat)
      const isDue = row.dueAt <= row.queuedAt && !isOver({ ...row, edits: null }, clock.now())
      if (!isDue || !adapters.has(to.platform) || world.closedTo(row, mono)) continue
      if (gates.isOpen(to, mono)) reserved.push({ row, to, flight: gates.enter(to, mono) })
    }
    return reserved
  }

  function launch({ row, to, flight }: Reserved, departed: Departed | undefined): void {
    const chat = chats.get(row.chatId)
    if (departed && chat && isRunning()) return rows.depart(underWay(row, departed), to, flight)
    gates.giveBack(to, flight, clock.monotonic())
    if (departed) {
      rows.unsent(row.id)
      world.waits()
    }
    return undefined
  }

  return {
    underWay: () => [...commits],
    prepare(writes) {
      if (!isRunning()) return null
      const mono = clock.monotonic()
      const news = writes.flatMap((write) => (write.is === 'send' ? [write.row] : []))
      const isHarmless = writes.every(({ is }) => HARMLESS.has(is))
      const reserved = news.length > 0 && isHarmless && world.isFree() ? reserve(news, mono) : []
      const settled = rows.take()
      const { promise: commit, resolve } = Promise.withResolvers<void>()
      commits.add(commit)
      const end = () => {
        commits.delete(commit)
        resolve()
      }
      const notes = isHarmless ? news.filter(({ note, message }) => note !== null && isSilent(message)) : []
      const rowIds = [...reserved.map(({ row }) => row), ...notes].map(({ id }) => id)
      const isEmpty = rowIds.length === 0 && settled.length === 0
      return {
        sending: isEmpty ? null : { now: world.dueAt(mono), settled, rowIds },
        kept(departed) {
          end()
          for (const one of reserved)
            launch(
              one,
              departed.find(({ rowId }) => rowId === one.row.id),
            )
          const gone = new Set(departed.map(({ rowId }) => rowId))
          const left = news.filter(({ id }) => !gone.has(id))
          const isAgain = settled.some(({ is }) => is === 'again' || is === 'anew')
          // A round may have found a chat closed by what is settled only now.
          const isOpened = settled.length > 0 && !world.isFree()
          const sendingTo = new Set(reserved.flatMap(({ row }) => (gone.has(row.id) ? row.chatId : [])))
          const areBehind = left.every(({ note, chatId }) => note !== null && sendingTo.has(chatId))
          if (!isHarmless || isAgain || isOpened || !areBehind) world.waits()
          else if (left.length > 0) world.waitsForSend()
        },
        failed() {
          end()
          for (const { to, flight } of reserved) gates.giveBack(to, flight, clock.monotonic())
          rows.giveBack(settled)
          if (settled.length > 0) world.waits()
        },
      }
    },
  }
}

/** False for edits and pictures. */
function isMessage({ note, pictureOf, urgency }: NewRow): boolean {
  return note === null && pictureOf === undefined && urgency < EDIT_PRIORITY
}

function underWay(row: NewRow, { replyTo }: Departed): OutboxRow {
  const { id, chatId, urgency, silent, message, queuedAt, reason, detectedAt, expiresAt } = row
  return {
    ...{ id, chatId, urgency, silent, message, queuedAt, reason, detectedAt, expiresAt, replyTo },
    alertIds: [...new Set(row.alertIds)].sort((a, b) => a - b),
    ...{ attempts: 0, possibleRepeat: false, plain: false, pictureOf: null, edits: null, overdue: [] },
  }
}
