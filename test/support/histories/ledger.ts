import { type GuardId, guardKey } from '../../../src/alert/monitor.ts'
import type { PollPeriods } from '../../../src/engine/outage/sources.ts'
import type { Owner } from '../../../src/venue/wallet.ts'
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
  wallets: Record<string, Owner>
}) {
  const { rules, periods, clock, wallets } = world
  const pollMs = periods.marketPollMs
  const wrong: string[] = []
  const subjects = new Map<string, Subject>()
  const alerts = new Map<number, GuardId>()
  /** The same by what has happened to which position: a mute of its market holds it back. */
  const happened = new Map<number, GuardId>()
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
    held: new Map<number, { guard: GuardId; freeAt: number | null }>(),
    /** `<chat> <feed>`: what chats were told that it cannot be seen, and when. */
    blind: new Map<string, number>(),
    /** When a wallet was last seen in this run so that it could be kept; and when it may have been. */
    looked: new Map<Owner, number>(),
    maybeLooked: new Map<Owner, number>(),
    /** When the first look at a wallet failed since the last one that did not. */
    failed: new Map<Owner, number>(),
    pricesAt: null as number | null,
    /** In this run. */
    pricesSeen: false,
    startedAt: clock.tick(),
    /** Time in which nothing could be said or kept, so far; and since when that is over. */
    lostMs: 0,
    refusing: false,
    soundAt: clock.tick(),
    /** What is looked at was said so long ago. */
    agoMs: 0,
    tick: () => clock.tick() - ledger.agoMs,
    now: () => clock.now() - ledger.agoMs,
    blames: (what: string) => void wrong.push(`${ledger.tick()}: ${what}`),

    /** By each of the positions that may be believed. */
    lines: ({ rule, position, before }: Subject) =>
      [position, ...before].map((one) => nearest(rule.lines, distance(one, prices.get(one.marketId) ?? NaN))),
    subjectOf(alertId: number | null): Subject | undefined {
      const guard = alertId === null ? undefined : alerts.get(alertId)
      return guard ? subjects.get(guardKey(guard)) : undefined
    },
    /** It was seen in this run, with its price, and it is there. */
    visible: ({ position, missing, before }: Subject) =>
      missing === 0 && before.length === 0 && ledger.pricesSeen && ledger.looked.has(position.owner),
    /** Nobody in this run has looked at its wallet: it is judged as the run before knew it. */
    remembered: ({ position, recalled }: Subject) => recalled && !ledger.maybeLooked.has(position.owner),
    /** Somebody was told that it cannot be read, and it was not read since. */
    unread: (owner: Owner) =>
      rules.some(
        ({ chatId }) =>
          (ledger.blind.get(`${chatId} ${owner}`) ?? -1) > (ledger.maybeLooked.get(owner) ?? -1),
      ),
    near: (owner: Owner) =>
      [...subjects.values()].some(({ position, line }) => position.owner === owner && line <= 0.1),
  }
  return ledger
}
