import { dayIn, startOfDay } from '../../lib/time/calendar.ts'
import type { DigestAhead, DigestMoney, MoneyOf } from '../../people/digest.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import type { LedgerAnswer, LedgerAsked } from '../../venue/record/ledger.ts'
import { isStill } from '../../venue/record/money-words.ts'
import { profitOf, sumLedger } from '../../venue/record/sums.ts'
import type { Wallet } from '../../venue/wallet.ts'

/** How long before a digest its money is read. Where very many are due at once, the first are read earlier. */
const LEAD_MS = { usual: 10 * 60_000, longest: 60 * 60_000 }
/**
 * Money that is older than this is read again right before its digest, begun at most so long before that. Where many are
 * due at once, the first ones have that turn, and the others say until when they were read.
 */
const OLD_MS = 120_000
/** One wallet may take this much longer than wallets do on average. */
const SLOWER = 1.5
/** How often it is looked which digests come, and a read that failed is tried again. */
const EVERY_MS = 60_000
/** So long after its time a digest that could not be told may still use what was read for it. */
const USABLE_MS = 2 * 3_600_000
const SOON_MS = 1_000
/** Until it is known how long one wallet takes, as long as it usually does beside some others. */
const FIRST_WALLET_MS = 30_000

interface DigestMoneyReader {
  moneyOf: MoneyOf
  start(): void
  /** A digest may be set now. */
  nudge(): void
  stop(): Promise<void>
  idle(): Promise<void>
}

/**
 * Reads the money that digests tell before these are due, and again right before. The engine decides without waiting: what
 * did not come in time is missing in the digest, which is never late because of it.
 */
export function createDigestMoney(world: {
  clock: Clock
  emit: Emit
  /** Reads behind everything that protects positions; null where no venue shows a record. */
  read: ((wallet: Wallet, asked: LedgerAsked) => Promise<LedgerAnswer>) | null
  /** How many of these reads wait for their turn. Only time brings it. */
  waits(): number
  /** How long the next read leaves room for others. */
  pauseMs(): number
  hasDigests(): boolean
  /** The digests that are due until then (wall time), the earliest first. */
  ahead(until: number): readonly DigestAhead[]
  next(chatId: number, which: DigestAhead['which']): DigestAhead | null
}): DigestMoneyReader {
  const { clock, emit, read } = world
  const found = new Map<string, { of: DigestAhead; money: DigestMoney }>()
  /** Digests that were tried, with their time. Those that fail must not keep the others from their turn. */
  const tried = new Map<string, number>()
  /** How long one wallet takes, on average: with it the lead grows. */
  let walletMs = FIRST_WALLET_MS
  let readMono = -Infinity
  let rest: { over(): void } | null = null
  let running: Promise<void> | null = null
  let callOff: (() => void) | null = null
  let state: 'new' | 'open' | 'stopped' = 'new'

  function arm(inMs: number): void {
    if (state !== 'open' || read === null || callOff || running || !world.hasDigests()) return
    callOff = clock.wakeAt(clock.monotonic() + inMs, () => {
      callOff = null
      let nextMs = EVERY_MS
      running = round(read)
        .then((inMs) => void (nextMs = inMs))
        .catch((error: unknown) =>
          emit({ is: 'trouble', where: 'money of digests', why: String(error), error }),
        )
        .finally(() => {
          running = null
          arm(nextMs)
        })
    })
  }

  /** Reads for a minute, and returns when to go on: a digest that was set meanwhile may be due sooner. */
  async function round(ask: NonNullable<typeof read>): Promise<number> {
    const now = clock.now()
    for (const [key, { of }] of found) if (now - of.dueAt > USABLE_MS) found.delete(key)
    const coming = world.ahead(now + LEAD_MS.longest).filter((one) => now - one.dueAt <= USABLE_MS)
    const open = coming
      .filter((one) => one.wallets.length > 0 && !isRead(one))
      .toSorted((a, b) => Number(wasTried(a)) - Number(wasTried(b)))
    for (const [key, dueAt] of tried) if (now - dueAt > USABLE_MS) tried.delete(key)
    const wallets = open.reduce((sum, one) => sum + one.wallets.length, 0)
    const leadMs = Math.min(Math.max(LEAD_MS.usual, wallets * walletMs), LEAD_MS.longest)
    // Those that nobody has read come first: old money is better than none.
    for (const one of [...open, ...coming.filter(isToRenew)]) {
      if (state === 'stopped') return EVERY_MS
      if (clock.now() - now > EVERY_MS) return SOON_MS
      if (isToRenew(one) || (!isRead(one) && one.dueAt - now <= leadMs)) await readOne(one, ask)
    }
    const renewals = coming.map((one) => one.dueAt - renewalMs(one) - clock.now()).filter((inMs) => inMs > 0)
    return Math.max(Math.min(EVERY_MS, ...renewals), SOON_MS)
  }

  /** How long before its time a digest is read again. */
  function renewalMs({ wallets }: DigestAhead): number {
    return Math.min(wallets.length * walletMs * SLOWER, OLD_MS)
  }

  function isToRenew(one: DigestAhead): boolean {
    const before = found.get(keyOf(one))
    const leftMs = one.dueAt - clock.now()
    if (!isRead(one) || !before || leftMs <= 0 || leftMs > renewalMs(one)) return false
    return clock.now() - before.money.until > OLD_MS
  }

  function isStopped(): boolean {
    return state === 'stopped'
  }

  /** Resolves at that time, or when the reader is stopped. */
  async function rested(untilMono: number): Promise<void> {
    if (untilMono <= clock.monotonic()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = clock.wakeAt(untilMono, resolve)
    rest = {
      over() {
        wake()
        resolve()
      },
    }
    await promise
    rest = null
  }

  function wasTried(one: DigestAhead): boolean {
    return tried.get(keyOf(one)) === one.dueAt
  }

  function isRead(one: DigestAhead): boolean {
    const before = found.get(keyOf(one))
    return before !== undefined && isSame(before.of, one) && before.money.wallets.read === one.wallets.length
  }

  async function readOne(digest: DigestAhead, ask: NonNullable<typeof read>): Promise<void> {
    const answers: LedgerAnswer[] = []
    const until = clock.now()
    tried.set(keyOf(digest), digest.dueAt)
    for (const wallet of digest.wallets) {
      await rested(readMono + world.pauseMs())
      if (isStopped()) return
      const began = clock.monotonic()
      try {
        answers.push(await ask(wallet, { since: digest.since, until, of: ['fill', 'funding', 'transfer'] }))
      } catch {
        // The next round tries again. The budget counts and reports failures of the venue.
      }
      walletMs += (clock.monotonic() - began + world.pauseMs() - walletMs) / 10
      readMono = clock.monotonic()
      if (isStopped()) return
    }
    // Older money of all wallets says more than newer money of some.
    if (answers.length > 0 && (answers.length === digest.wallets.length || !isRead(digest)))
      found.set(keyOf(digest), { of: digest, money: moneyIn(answers, digest, until) })
  }

  return {
    moneyOf(chatId, which) {
      if (read === null) return { is: 'hidden' }
      const next = world.next(chatId, which)
      const one = found.get(`${which} ${chatId}`)
      return next && one && isSame(one.of, next) ? { is: 'read', money: one.money } : { is: 'unread' }
    },
    start() {
      state = 'open'
      arm(SOON_MS)
    },
    nudge: () => arm(SOON_MS),
    async stop() {
      state = 'stopped'
      callOff?.()
      callOff = null
      rest?.over()
      await running
    },
    async idle() {
      if (world.waits() === 0 && rest === null) await running
    },
  }
}

function keyOf({ which, chatId }: DigestAhead): string {
  return `${which} ${chatId}`
}

/** Whether it is the same digest, about the same money. */
function isSame(a: DigestAhead, b: DigestAhead): boolean {
  return a.dueAt === b.dueAt && a.since === b.since
}

function moneyIn(
  answers: readonly LedgerAnswer[],
  { since, wallets, zone }: DigestAhead,
  until: number,
): DigestMoney {
  const entries = answers.flatMap((one) => one.entries)
  const {
    days,
    markets: _markets,
    ...sums
  } = sumLedger(entries, {
    ...{ since, until },
    dayStarts: dayStarts(since, until, zone),
  })
  const whole = Math.max(...answers.map(({ wholeFrom }) => wholeFrom))
  const without = answers.flatMap(({ failedParts = [], absent = [] }) => [
    ...failedParts.map(({ part }) => part),
    ...absent,
  ])
  return {
    ...{ since, until, sums },
    days: days.filter((day) => !isStill(day)).map((day) => ({ since: day.since, profitUsd: profitOf(day) })),
    wallets: { read: answers.length, all: wallets.length },
    wholeFrom: whole > since ? whole : null,
    without: [...new Set(without)],
  }
}

/** The midnights between these times. */
function dayStarts(since: number, until: number, zone: string): number[] {
  const starts: number[] = []
  const first = dayIn(since, zone)
  for (let day = first.day + 1; ; day++) {
    const at = startOfDay({ ...first, day }, zone)
    if (at > until) return starts
    starts.push(at)
  }
}
