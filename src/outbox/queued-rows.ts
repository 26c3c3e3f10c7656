import type { Notifier } from '../chat/notifier.ts'
import type { Chat, Chats } from '../people/chat.ts'
import { type Delivery, type DeliveryReport, EDIT_PRIORITY } from '../message/delivery.ts'
import { isSilent } from '../message/message.ts'
import type { Picture } from '../message/picture.ts'
import { type Clock, within } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'
import type { OutboxRow, Settlement } from '../store/store.ts'
import { type Destination, destinationOf, type Flights, type Probes, type SendGates } from './send-gates.ts'
import { consequence, editConsequence, pictureConsequence } from './outcome.ts'
import type { PlatformPauses } from './platform-pauses.ts'
import type { Sender } from './sender.ts'

/** Sends the rows that a round has taken, and gathers their outcomes until a commit stores them. */
export interface Rows {
  launch(row: OutboxRow): void
  /** Launches a row that went along with the commit of the engine, through the gate that was closed for it. */
  depart(row: OutboxRow, to: Destination, flight: number): void
  /** A row that was marked as tried was not sent. */
  unsent(rowId: number): void
  /** How many outcomes nobody has taken. */
  count(): number
  /** True if all of these rows are done with: no outcome makes one wait again. */
  areOver(): boolean
  /** Takes the outcomes, oldest first, for a commit. */
  take(): Settlement[]
  /** The commit of these has failed. */
  giveBack(settled: readonly Settlement[]): void
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
  /** Commits a change. */
  change(change: Change): Promise<unknown>
  /** A send has ended. */
  delivered(report: DeliveryReport): void
  draw(picture: Picture, chat: Chat, isUrgent: boolean): Promise<Uint8Array | null>
  /** A row was settled without a send. */
  settledAtOnce(): void
}): Rows {
  const { clock, emit, random, adapters, chats, gates, pauses, flights, sender, probes, dueNow, keep } = world
  const settled: Settlement[] = []

  function settleAtOnce(settlement: Settlement): void {
    settled.push(settlement)
    world.settledAtOnce()
  }

  async function edit(adapter: Notifier, chat: Chat, row: OutboxRow, edits: Edits): Promise<void> {
    const report = reportOf(adapter, row)
    const delivery = await sender.edit(adapter, chat, edits)
    const at = { now: clock.now(), dueNow: dueNow() }
    const { settlement, holdMs, change } = editConsequence(row, delivery, at, random())
    if (holdMs !== null) gates.holdAside('edit', adapter.name, holdMs, clock.monotonic())
    report(delivery)
    if (change) await keep(change, destinationOf(chat.address, chat), row.attempts)
    settled.push(settlement)
  }

  /** Draws and sends a picture. It keeps its chat open as an edit does: neither a drawing nor an upload holds words back. */
  async function sendPicture(adapter: Notifier, chat: Chat, row: OutboxRow, picture: Picture): Promise<void> {
    const drawn = await drawing(chat, row, picture)
    // Its person may have left meanwhile.
    const isGone = chats.get(chat.id) === undefined
    if (drawn === null || isGone) {
      await lost(row, isGone ? 'its chat is gone' : 'it could not be drawn')
      settled.push({ rowId: row.id, is: 'expired', at: clock.now() })
      return
    }
    const report = reportOf(adapter, row)
    const delivery = await sender.deliver(adapter, chat, row, drawn)
    const at = { now: clock.now(), dueNow: dueNow() }
    const { settlement, holdMs, change } = pictureConsequence(row, delivery, at, random())
    if (holdMs !== null) gates.holdAside('picture', adapter.name, holdMs, clock.monotonic())
    report(delivery)
    if (settlement.is === 'expired') await lost(row, whyOf(delivery) ?? 'its chat has moved')
    if (change) await keep(change, destinationOf(chat.address, chat), row.attempts)
    settled.push(settlement)
  }

  async function drawing(chat: Chat, row: OutboxRow, picture: Picture): Promise<Uint8Array | null> {
    const leftMs = Math.max((row.expiresAt ?? Infinity) - clock.now(), 0)
    try {
      const isUrgent = row.pictureOf !== null
      return await within(clock, Math.min(leftMs, LONGEST_DRAWING_MS), undefined, async () =>
        world.draw(picture, chat, isUrgent),
      )
    } catch (error) {
      emit({ is: 'trouble', where: 'pictures', why: 'a picture could not be drawn', error })
      return null
    }
  }

  /** A note that fails holds nothing back: it is about no message. */
  async function lost({ id: rowId, pictureOf: alertId }: OutboxRow, why: string): Promise<void> {
    if (alertId === null) return
    try {
      await world.change({ is: 'picture-lost', alertId, rowId, why })
    } catch (error) {
      emit({ is: 'trouble', where: 'pictures', why: 'a lost picture could not be noted', error })
    }
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
    count: () => settled.length,
    areOver: () => settled.every(({ is }) => is !== 'again' && is !== 'anew'),
    take: () => settled.splice(0),
    // Sends that ended during the commit have added outcomes.
    giveBack: (some) => void settled.unshift(...some),
    unsent: (rowId) =>
      void settled.push({ rowId, is: 'again', dueAt: dueNow(), maybeSent: false, plain: false }),
    depart(row, to, flight) {
      const chat = chats.get(row.chatId)
      const adapter = adapters.get(to.platform)
      // The engine has written them together: nobody has changed the chat since. But the commit may have waited for long.
      if (chat && adapter && !isOver(row, clock.now()))
        return flights.depart(to, flight, () => send(adapter, chat, row))
      gates.giveBack(to, flight, clock.monotonic())
      return settleAtOnce({ rowId: row.id, is: 'expired', at: clock.now() })
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
      } else if (row.message.picture) {
        const { picture } = row.message
        const isFollowing = row.pictureOf === null || row.replyTo !== null
        // Words that were not sent, or a platform for words alone.
        if (!isFollowing || adapter.limits.pictures === undefined)
          settleAtOnce({ rowId: row.id, is: 'expired', at: clock.now() })
        else
          flights.beginAside('picture', destinationOf(chat.address, chat), () =>
            sendPicture(adapter, chat, row, picture),
          )
      } else if (row.urgency === EDIT_PRIORITY) {
        const { edits } = row
        if (edits)
          flights.beginAside('edit', destinationOf(chat.address, chat), () => edit(adapter, chat, row, edits))
        else settleAtOnce({ rowId: row.id, is: 'anew', dueAt: dueNow() })
      } else {
        probes.begun(chat.id, clock.monotonic())
        flights.begin(destinationOf(chat.address, chat), () => send(adapter, chat, row))
      }
    },
  }
}

/** The queue of a drawing has its own limits: this one ends a wait that nothing else would. */
const LONGEST_DRAWING_MS = 60_000

type Edits = NonNullable<OutboxRow['edits']>

const whyOf = (delivery: Delivery) => ('why' in delivery ? delivery.why : null)

/** True if the row has expired, or has no text and edits nothing. */
export function isOver(
  { expiresAt, edits, message }: Pick<OutboxRow, 'expiresAt' | 'edits' | 'message'>,
  now: number,
): boolean {
  return (expiresAt !== null && expiresAt <= now) || (edits === null && isSilent(message))
}
