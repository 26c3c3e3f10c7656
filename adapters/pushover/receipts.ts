import { sameAddress } from '../../src/address.ts'
import type { Address } from '../../src/address.ts'
import type { Bot } from '../../src/chat.ts'
import { keepRunning, waited } from '../../src/clock.ts'
import type { Clock } from '../../src/clock.ts'
import type { Emit } from '../../src/event.ts'
import type { Reached } from '../../src/reach.ts'
import { EXPIRE_S } from './form.ts'
import { receiptOf } from './outcome.ts'

/** What rings on phones until somebody has seen it, there or here. */
export interface Receipts {
  /** The bot is asked from now on. */
  start(bot: Pick<Bot, 'rings' | 'acknowledged'>): void
  /** Something rings there. */
  rings(receipt: string, to: Address, alertIds: readonly number[]): void
  stop(): Promise<void>
}

/** No faster than once in 5 s (https://pushover.net/api/receipts), and the phone is in somebody's hand. */
const POLL_MS = 10_000

interface Ringing {
  to: Address
  alertIds: readonly number[]
  endsAt: number
  /** All of it was said again since, and rings anew. */
  replaced: boolean
}

/**
 * What is acknowledged there is acknowledged here, and the other way round: a phone must not ring on for what somebody
 * has answered elsewhere. Receipts live as long as the process; after a restart an alert that still waits is said again,
 * with a new one.
 */
export function createReceipts(world: {
  clock: Clock
  emit: Emit
  random: () => number
  read(receipt: string, signal: AbortSignal): Promise<Reached>
  cancel(receipt: string, signal: AbortSignal): Promise<Reached>
}): Receipts {
  const { clock, emit, random, read, cancel } = world
  const open = new Map<string, Ringing>()
  const stopping = new AbortController()
  const { signal } = stopping
  let bot: Pick<Bot, 'rings' | 'acknowledged'> | null = null
  let running: Promise<void> = Promise.resolve()

  async function look(receipt: string, { to, alertIds, endsAt, replaced }: Ringing): Promise<void> {
    if (clock.tick() >= endsAt) return void open.delete(receipt)
    if (replaced || bot?.rings(to, alertIds) !== true) {
      const { is } = await cancel(receipt, signal)
      if (is === 'answered') open.delete(receipt)
      return
    }
    const state = receiptOf(await read(receipt, signal))
    if (state === 'seen') await bot.acknowledged(to, alertIds)
    if (state === 'seen' || state === 'over') open.delete(receipt)
  }

  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      await waited(clock, POLL_MS, signal)
      for (const [receipt, ringing] of open) if (!signal.aborted) await look(receipt, ringing)
    }
  }

  return {
    start(given) {
      bot = given
      const broke = (error: unknown) =>
        emit({ is: 'trouble', where: 'pushover', why: 'receipts could not be read', error })
      running = keepRunning({ clock, random, signal }, broke, loop)
    },
    rings(receipt, to, alertIds) {
      // Of what has happened and is over nobody can say here that they have seen it: it rings until they say it there.
      if (bot?.rings(to, alertIds) !== true) return
      for (const before of open.values())
        before.replaced ||= sameAddress(before.to, to) && before.alertIds.every((id) => alertIds.includes(id))
      open.set(receipt, { to, alertIds, endsAt: clock.tick() + EXPIRE_S * 1_000, replaced: false })
    },
    async stop() {
      stopping.abort(new Error('stopping'))
      await running.catch(() => {})
    },
  }
}
