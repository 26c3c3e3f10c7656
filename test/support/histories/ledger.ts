import { type MonitorId, monitorKey } from '../../../src/alert/monitor.ts'
import type { PollPeriods } from '../../../src/engine/outage/sources.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import type { HandClock } from '../clock.ts'
import { createRest } from './rest.ts'
import { distance, type Guarded, nearest, type Subject } from './subject.ts'

/** What the laws share: what was served, what was said, and what stood in the way of it. */
export type Ledger = ReturnType<typeof createLedger>

export function createLedger(world: {
  rules: Guarded[]
  periods: PollPeriods
  clock: HandClock
  zone: string
  wallets: Record<string, Wallet>
}) {
  const { rules, periods, clock, wallets } = world
  const pollMs = periods.marketPollMs
  const wrong: string[] = []
  const subjects = new Map<string, Subject>()
  const alerts = new Map<number, MonitorId>()
  /** The same by what has happened to which position: a mute of its market holds it back. */
  const happened = new Map<number, MonitorId>()
  const prices = new Map<string, number>()
  const ledger = {
    ...{ rules, periods, pollMs, wallets, wrong, subjects, alerts, happened, prices },
    /** Markets that were seen beside a position, so that their names are known. */
    named: new Set<string>(),
    /** Alerts that are over, and those that somebody has heard of. */
    over: new Set<number>(),
    told: new Set<number>(),
    rest: createRest(world.zone),
    /** By alert that is held back: since when it may be said, null while it may not. */
    held: new Map<number, { monitor: MonitorId; freeAt: number | null }>(),
    /** `<chat> <feed>`: what chats were told that it cannot be seen, and when. */
    blind: new Map<string, number>(),
    /** When a wallet was last seen in this run so that it could be kept; and when it may have been. */
    looked: new Map<Wallet, number>(),
    maybeLooked: new Map<Wallet, number>(),
    /** When the first look at a wallet failed since the last one that did not. */
    failed: new Map<Wallet, number>(),
    pricesAt: null as number | null,
    /** In this run. */
    pricesSeen: false,
    startedAt: clock.monotonic(),
    /** Time in which nothing could be said or kept, so far; and since when that is over. */
    lostMs: 0,
    refusing: false,
    soundAt: clock.monotonic(),
    /** What is looked at was said so long ago. */
    agoMs: 0,
    monotonic: () => clock.monotonic() - ledger.agoMs,
    now: () => clock.now() - ledger.agoMs,
    blames: (what: string) => void wrong.push(`${ledger.monotonic()}: ${what}`),

    /** By each of the positions that may be believed. */
    lines: ({ rule, position, before }: Subject) =>
      [position, ...before].map((one) => nearest(rule.lines, distance(one, prices.get(one.marketId) ?? NaN))),
    subjectOf(alertId: number | null): Subject | undefined {
      const monitor = alertId === null ? undefined : alerts.get(alertId)
      return monitor ? subjects.get(monitorKey(monitor)) : undefined
    },
    /** It was seen in this run, with its price, and it is there. */
    visible: ({ position, missing, before }: Subject) =>
      missing === 0 && before.length === 0 && ledger.pricesSeen && ledger.looked.has(position.wallet),
    /** Nobody in this run has looked at its wallet: it is judged as the run before knew it. */
    remembered: ({ position, recalled }: Subject) => recalled && !ledger.maybeLooked.has(position.wallet),
    /** Somebody was told that it cannot be read, and it was not read since. */
    failedParts: (wallet: Wallet) =>
      rules.some(
        ({ chatId }) =>
          (ledger.blind.get(`${chatId} ${wallet}`) ?? -1) > (ledger.maybeLooked.get(wallet) ?? -1),
      ),
    near: (wallet: Wallet) =>
      [...subjects.values()].some(({ position, line }) => position.wallet === wallet && line <= 0.1),
  }
  return ledger
}
