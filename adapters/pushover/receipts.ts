import type { CriticalAlerts } from '../../src/chat/notifier.ts'
import { type Address, sameAddress } from '../../src/message/address.ts'
import { type Clock, keepRunning, waited } from '../../src/runtime/clock.ts'
import type { EgressAnswer } from '../../src/runtime/egress.ts'
import type { Emit } from '../../src/runtime/event.ts'
import { EXPIRE_S } from './form.ts'
import { isCancelled, receiptOf } from './outcome.ts'

/** Tracks messages that repeat on phones until a person confirms them, on the phone or in a chat. */
export interface Receipts {
  /** Begins to ask the bot. Messages of earlier runs that still ring are taken over. */
  start(alerts: CriticalAlerts): Promise<void>
  /** Watches a message that rings there. `at` is wall time. */
  rings(receipt: string, sent: Sent): void
  stop(): Promise<void>
}

export interface Sent {
  to: Address
  alertIds: readonly number[]
  at: number
}

/**
 * At most one poll in 5 s is allowed (https://pushover.net/api/receipts). A person is holding the phone already, so 10
 * s is soon enough.
 */
const POLL_MS = 10_000
const EXPIRE_MS = EXPIRE_S * 1_000
/** A silent message has no receipt; its id is longer. */
const RECEIPT = /^[a-z\d]{30}$/i

interface Unacknowledged extends Sent {
  endsAt: number
  /** A newer message about the same alerts rings instead. */
  replaced: boolean
}

/**
 * Keeps both sides in step: a confirmation on the phone acknowledges the alert, and an acknowledgement elsewhere
 * silences the phone. Stores nothing: the bot keeps the receipt as the name of the sent message, and returns it after a
 * start.
 */
export function createReceipts(world: {
  clock: Clock
  emit: Emit
  random: () => number
  read(receipt: string, signal: AbortSignal): Promise<EgressAnswer>
  cancel(receipt: string, signal: AbortSignal): Promise<EgressAnswer>
}): Receipts {
  const { clock, emit, random, read, cancel } = world
  const open = new Map<string, Unacknowledged>()
  const stopping = new AbortController()
  const { signal } = stopping
  let alerts: CriticalAlerts | null = null
  let running: Promise<void> = Promise.resolve()

  async function look(receipt: string, ringing: Unacknowledged): Promise<void> {
    const { to, alertIds, at, endsAt } = ringing
    if (clock.monotonic() >= endsAt) return void open.delete(receipt)
    if (alerts?.rings(to, alertIds) === true) {
      const state = receiptOf(await read(receipt, signal))
      if (state.is === 'seen') await alerts.acknowledged(to, alertIds, at + state.afterMs)
      if (state.is === 'seen' || state.is === 'over') return void open.delete(receipt)
      // A replaced message is read as well, because a person may have confirmed it just before.
      if (!ringing.replaced || state.is === 'unknown') return
    }
    if (isCancelled(await cancel(receipt, signal))) open.delete(receipt)
  }

  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      await waited(clock, POLL_MS, signal)
      for (const [receipt, ringing] of open) if (!signal.aborted) await look(receipt, ringing)
    }
  }
  const broke = (error: unknown) =>
    emit({ is: 'trouble', where: 'pushover', why: 'receipts could not be read', error })

  function add(receipt: string, sent: Sent): void {
    const { to, alertIds, at } = sent
    for (const before of open.values())
      before.replaced ||= sameAddress(before.to, to) && before.alertIds.every((id) => alertIds.includes(id))
    const leftMs = Math.min(at + EXPIRE_MS - clock.now(), EXPIRE_MS)
    open.set(receipt, { ...sent, endsAt: clock.monotonic() + leftMs, replaced: false })
  }

  return {
    async start(given) {
      const earlier = await given
        .loudCriticals('pushover', clock.now() - EXPIRE_MS)
        .catch((error: unknown) => {
          broke(error)
          return []
        })
      alerts = given
      // The outbox does not wait for us: this run may have sent some messages already.
      const meanwhile = [...open].filter(([, { to, alertIds }]) => given.rings(to, alertIds))
      open.clear()
      for (const { ref, alertIds, at } of earlier)
        if (RECEIPT.test(ref.id)) add(ref.id, { to: ref.address, alertIds, at })
      for (const [receipt, sent] of meanwhile) {
        open.delete(receipt)
        add(receipt, sent)
      }
      running = keepRunning({ clock, random, signal }, broke, loop)
    },
    rings(receipt, sent) {
      // Occurrences cannot be acknowledged by command, so Pushover repeats them until the user confirms in its app.
      if (alerts === null || alerts.rings(sent.to, sent.alertIds)) add(receipt, sent)
    },
    async stop() {
      stopping.abort(new Error('stopping'))
      await running.catch(() => {})
    },
  }
}
