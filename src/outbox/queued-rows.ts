import type { Notifier } from '../chat/notifier.ts'
import type { Chat, Chats } from '../people/chat.ts'
import { type Delivery, type DeliveryReport, EDIT_PRIORITY } from '../message/delivery.ts'
import { isSilent } from '../message/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'
import type { OutboxRow, Settlement } from '../store/store.ts'
import { type Destination, destinationOf, type Flights, type Probes, type SendGates } from './send-gates.ts'
import { consequence, editConsequence } from './outcome.ts'
import type { PlatformPauses } from './platform-pauses.ts'
import type { Sender } from './sender.ts'

/** Sends the rows that a round has taken, and gathers their outcomes until a commit stores them. */
export interface Rows {
  launch(row: OutboxRow): void
  /** Outcomes that are not committed yet, oldest first. */
  settled(): Settlement[]
  /** The oldest `count` outcomes are committed. */
  committed(count: number): void
}

export function createRows(world: {
  clock: Clock
  emit: Emit
  random: () => number
  adapters: ReadonlyMap<string, Notifier>
  chats: Chats
  gates: SendGates
  pauses: PlatformPauses
  flights: Flights
  sender: Sender
  probes: Probes
  /** The time base of the store's delays (see `begunAt` in dispatcher.ts). */
  dueNow: () => number
  /** Commits a change of the chat, e.g. that it is gone. If that fails, the chat waits. */
  keep(change: Change, of: Destination, before: number): Promise<void>
  /** A send has ended. */
  delivered(report: DeliveryReport): void
  /** A row was settled without a send. */
  settledAtOnce(): void
}): Rows {
  const { clock, emit, random, adapters, chats, gates, pauses, flights, sender, probes, dueNow, keep } = world
  let settled: Settlement[] = []

  function settleAtOnce(settlement: Settlement): void {
    settled.push(settlement)
    world.settledAtOnce()
  }

  async function edit(adapter: Notifier, chat: Chat, row: OutboxRow, edits: Edits): Promise<void> {
    const report = reportOf(adapter, row)
    const delivery = await sender.edit(adapter, chat, edits)
    const at = { now: clock.now(), dueNow: dueNow() }
    const { settlement, holdEditsMs, change } = editConsequence(row, delivery, at, random())
    if (holdEditsMs !== null) gates.holdEdits(adapter.name, holdEditsMs, clock.monotonic())
    report(delivery)
    if (change) await keep(change, destinationOf(chat.address, chat), row.attempts)
    settled.push(settlement)
  }

  /** Starts the time of an attempt. Returns what emits its end. */
  function reportOf(adapter: Notifier, row: OutboxRow): (delivery: Delivery) => void {
    const started = clock.monotonic()
    const detectedMs = Math.max(clock.now() - row.detectedAt, 0)
    const { id, chatId: chat, urgency, attempts, possibleRepeat } = row
    return (delivery) =>
      emit({
        ...{ is: 'delivery', row: id, chat, platform: adapter.name, urgency, attempts, possibleRepeat },
        ...{ outcome: delivery.is, detectedMs, ms: clock.monotonic() - started },
        why: whyOf(delivery),
      })
  }

  async function send(adapter: Notifier, chat: Chat, row: OutboxRow): Promise<void> {
    const report = reportOf(adapter, row)
    const to = destinationOf(chat.address, chat)
    const delivery = await sender.deliver(adapter, chat, row)
    const at = { now: clock.now(), dueNow: dueNow() }
    const { settlement, hold, change } = consequence(row, delivery, at, random(), chat.brokenBecause !== null)
    // Inconclusive: the row was neither sent, nor is the chat gone.
    if (settlement.is === 'again' && delivery.is !== 'gone')
      probes.again(chat.id, clock.monotonic() + (hold?.ms ?? 0))
    pauses.ended(to, delivery, hold?.ms ?? null)
    report(delivery)
    if (settlement.is === 'parked') emit({ is: 'parked', row: row.id, chat: row.chatId, why: settlement.why })
    if (change) await keep(change, to, row.attempts)
    world.delivered({
      chatId: row.chatId,
      outcome: delivery.is,
      isGivenUp: settlement.is === 'parked',
      why: whyOf(delivery),
    })
    settled.push(settlement)
  }

  return {
    settled: () => [...settled],
    committed(count) {
      // Sends that ended during the commit have added outcomes.
      settled = settled.slice(count)
    },
    launch(row) {
      const chat = chats.get(row.chatId)
      const adapter = chat && adapters.get(chat.address.platform)
      if (!chat || !adapter) {
        const why = 'there is no such chat'
        emit({ is: 'parked', row: row.id, chat: row.chatId, why })
        settleAtOnce({ rowId: row.id, is: 'parked', at: clock.now(), why })
      } else if (isOver(row, clock.now())) {
        settleAtOnce({ rowId: row.id, is: 'expired', at: clock.now() })
      } else if (row.urgency === EDIT_PRIORITY) {
        const { edits } = row
        if (edits) flights.beginEdit(destinationOf(chat.address, chat), () => edit(adapter, chat, row, edits))
        else settleAtOnce({ rowId: row.id, is: 'anew', dueAt: dueNow() })
      } else {
        probes.begun(chat.id, clock.monotonic())
        flights.begin(destinationOf(chat.address, chat), () => send(adapter, chat, row))
      }
    },
  }
}

type Edits = NonNullable<OutboxRow['edits']>

const whyOf = (delivery: Delivery) => ('why' in delivery ? delivery.why : null)

/** True if the row has expired, or has no text and edits nothing. */
function isOver({ expiresAt, edits, message }: OutboxRow, now: number): boolean {
  return (expiresAt !== null && expiresAt <= now) || (edits === null && isSilent(message))
}
