import type { Alert } from '../../../src/alert/alert.ts'
import type { MonitorId } from '../../../src/alert/monitor.ts'
import type { PollPeriods } from '../../../src/engine/outage/sources.ts'
import type { Write } from '../../../src/store/store.ts'
import { toNumber } from '../../../src/venue/amount.ts'
import type { Market } from '../../../src/venue/market.ts'
import type { Position } from '../../../src/venue/position.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import type { HandClock } from '../clock.ts'
import type { Heard } from './heard.ts'
import { createBetter } from './laws/better.ts'
import { createDaily } from './laws/daily.ts'
import { createDark } from './laws/dark.ts'
import { createGone } from './laws/gone.ts'
import { createRested } from './laws/rested.ts'
import { createRing } from './laws/ring.ts'
import { createWorse } from './laws/worse.ts'
import { createLedger } from './ledger.ts'
import { aSubject, type Guarded, OUTSIDE, samePosition, type Subject } from './subject.ts'
import { MARKETS } from './venue.ts'

const HELD_BACK = ', held back'

type Step = Extract<Write, { is: 'step' }>['step']

/** Watches what is served and what is said, and notes what is wrong with it; it knows nothing of the engine. */
export function createWitness(world: {
  rules: Guarded[]
  periods: PollPeriods
  clock: HandClock
  zone: string
  wallets: Record<string, Wallet>
}) {
  const { rules, periods, clock } = world
  const ledger = createLedger(world)
  const { subjects, alerts, happened, prices, rest, over, told } = ledger
  const worse = createWorse(ledger)
  const better = createBetter(ledger)
  const ring = createRing(ledger)
  const rested = createRested(ledger)
  const gone = createGone(ledger)
  const dark = createDark(ledger)
  const daily = createDaily(ledger, world.zone)

  function hearsOne(heard: Heard, all: readonly Heard[]): void {
    const home = heard.alertId === null ? null : alerts.get(heard.alertId)?.chatId
    // A copy for whoever does not answer elsewhere.
    if (home !== undefined && home !== null && home !== heard.chatId) return
    dark.hears(heard)
    const wasOver = heard.alertId !== null && over.has(heard.alertId)
    if (heard.is === 'summary') rested.summed(heard)
    if (heard.is === 'ended') gone.hears(heard)
    const subject = ledger.subjectOf(heard.alertId)
    if (heard.alertId === null || !subject || alerts.get(heard.alertId)?.kind !== 'liquidation-distance')
      return
    if (wasOver && heard.is !== 'summary') ledger.blames(`${heard.title}: was over`)
    if (heard.is === 'entered or worse') worse.hears(heard, subject)
    if (heard.is === 'better' || heard.is === 'resolved')
      better.eases(heard.title, subject, heard.is === 'resolved')
    if (heard.is === 'reminder' || heard.is === 'given-up')
      ring.repeats(
        heard,
        subject,
        all.filter(({ rowId }) => rowId === heard.rowId),
      )
    if (heard.is === 'snooze-ended') ring.reminds(heard, subject)
    rested.hears(heard, subject)
    told.add(heard.alertId)
  }

  function holdsBack({ alertId, reason, what, at }: Step): void {
    ledger.agoMs = clock.now() - at
    const subject = ledger.subjectOf(alertId)
    const line = Number(/→ ([\d.]+)% line/.exec(what)?.[1] ?? NaN) / 100
    const known = subject?.rule.lines.find((one) => Math.abs(one - line) < 1e-9)
    const isNews = reason === 'fired' || reason === 'worse'
    rested.holds(alertId, isNews ? (known ?? NaN) : null)
    if (!subject) return
    if (reason === 'snooze-ended') ring.reminds({ title: `A${alertId}` }, subject)
    if (reason === 'better' || reason === 'resolved')
      better.eases(`A${alertId}`, subject, reason === 'resolved')
    if (isNews) worse.fires(`A${alertId}`, subject, known ?? NaN, alertId)
  }

  function meets(rule: Guarded, position: Position): void {
    if (rule.wallet !== null && rule.wallet !== position.wallet) return
    const fresh = aSubject(rule, position)
    const known = subjects.get(fresh.key)
    // One whose end was told is over: what is there again begins anew.
    const subject = known && !known.isEndTold ? known : fresh
    const { refusing } = ledger
    // What cannot be kept may not be known: both are possible until the next look.
    const before = refusing && subject !== fresh ? [...subject.before, subject.position] : []
    Object.assign(subject, { position, before, missing: 0, isEndTold: false, paused: null })
    subjects.set(fresh.key, subject)
    worse.counts(subject, 0)
  }

  return {
    wrong: ledger.wrong,

    reads(markets: readonly Market[]): void {
      const gapMs = ledger.monotonic() - (ledger.pricesAt ?? ledger.monotonic())
      for (const { id, price } of markets) prices.set(id, toNumber(price))
      ledger.pricesAt = ledger.monotonic()
      ledger.pricesSeen = true
      for (const subject of subjects.values()) worse.counts(subject, gapMs)
    },
    looks(wallet: Wallet, positions: readonly Position[]): void {
      ledger.maybeLooked.set(wallet, ledger.monotonic())
      ledger.failed.delete(wallet)
      // What could not be kept is looked at again.
      if (ledger.refusing) ledger.looked.delete(wallet)
      else ledger.looked.set(wallet, ledger.monotonic())
      for (const position of positions) for (const rule of rules) meets(rule, position)
      if (ledger.pricesSeen && !ledger.refusing)
        for (const { marketId } of positions) ledger.named.add(marketId)
      const isThere = (subject: Subject) => positions.some((one) => samePosition(one, subject.position))
      for (const subject of [...subjects.values()])
        if (subject.position.wallet === wallet && !isThere(subject)) gone.misses(subject)
    },

    hears(all: readonly Heard[], writes: readonly Write[]): void {
      for (const write of writes) {
        if (write.is !== 'alert') continue
        alerts.set(write.alert.id, write.alert)
        happened.set(write.alert.id, asNamed(write.alert))
      }
      daily.hears(writes)
      const steps = writes.flatMap((write) =>
        write.is === 'step' && write.step.what.endsWith(HELD_BACK) ? [write.step] : [],
      )
      for (const [at, moment] of Map.groupBy(all, (heard) => heard.at)) {
        while (steps[0] && steps[0].at <= at) holdsBack(steps.shift() as Step)
        ledger.agoMs = clock.now() - at
        for (const heard of moment) hearsOne(heard, moment)
        if (!ledger.refusing) ring.together(moment)
      }
      for (const step of steps) holdsBack(step)
      ledger.agoMs = 0
    },

    acked: ring.acked,
    quiet: rest.quiet,
    muted: rest.muted,
    unmuted: rest.unmuted,
    digest: daily.asks,
    /** A chat's rules ask for these lines now: what was told stays told at a line that is left. */
    ruled(chatId: number, lines: readonly number[]): void {
      const positions = [...subjects.values()].map(({ position }) => position)
      for (const rule of rules.filter((one) => one.chatId === chatId)) {
        rule.lines = lines
        for (const subject of [...subjects.values()].filter((one) => one.rule === rule)) {
          const left = lines.filter((line) => line >= subject.line)
          if (subject.line < OUTSIDE) subject.line = Math.min(OUTSIDE, ...left)
          if (lines.length > 0) continue
          // Whoever removes a rule knows that nothing more comes of it.
          if (subject.alertId !== null) over.add(subject.alertId)
          subjects.delete(subject.key)
        }
        if (lines.length === 0) gone.forgets(chatId)
        else for (const position of positions) meets(rule, position)
      }
    },
    /** All that is known can be judged now. */
    seesAll: () =>
      !ledger.refusing &&
      ledger.pricesAt === ledger.monotonic() &&
      [...subjects.values()].every(ledger.visible),
    /** Alerts that fire, as somebody would see who asks. */
    firing: () => [...subjects.values()].flatMap(({ alertId }) => alertId ?? []),
    refused(is: boolean): void {
      if (ledger.refusing && !is) ledger.soundAt = ledger.monotonic()
      ledger.refusing = is
    },
    /** A wall clock that is set ahead meanwhile cannot be told from time that has passed. */
    fails(wallet: Wallet): void {
      if (!ledger.failed.has(wallet)) ledger.failed.set(wallet, ledger.monotonic())
    },
    restarted(awayMs: number, aheadMs: number): void {
      const { soundAt } = ledger
      ledger.startedAt = ledger.monotonic()
      // However long nobody ran: what could not be kept before was one of the last looks.
      ledger.soundAt += awayMs
      ledger.pricesSeen = false
      ledger.looked.clear()
      ledger.maybeLooked.clear()
      ledger.failed.clear()
      ledger.lostMs += awayMs + aheadMs + periods.marketPollMs + 10_000
      for (const subject of subjects.values()) {
        subject.rangAt -= aheadMs
        subject.newsAt -= aheadMs
        if (subject.acknowledgedAt !== null) subject.acknowledgedAt -= aheadMs
        // What could not be kept may not be what this run finds.
        const isSure = ledger.monotonic() - awayMs - soundAt > 3 * ledger.pollMs
        subject.recalled = isSure && subject.before.length === 0 && !subject.isEndTold
        const begun = (subject.insideMs ?? 0) > 0 ? 'surely' : 'perhaps'
        subject.paused = isSure && subject.insideMs !== null ? begun : null
        // A look of the run before is none of this one's two.
        subject.missing = 0
      }
    },

    /** The prices alone are enough for what they make worse. */
    priced(): void {
      if (!ledger.refusing) worse.checks()
    },
    /** What is owed by now, and was not said. */
    checks(): void {
      rest.passes(clock.now())
      gone.checks()
      if (ledger.refusing) ledger.lostMs += 2 * ledger.pollMs
      else {
        worse.checks()
        ring.checks()
      }
      rested.checks()
      dark.checks()
      daily.checks()
    },
    ends(states: number): void {
      for (const law of [better, gone, rested, dark]) law.ends()
      if (states > 0) ledger.blames(`${states} states are left`)
    },
  }
}

/** What a wallet's alert is about, by its title: “BTC long grew by 50%”. */
function asNamed(alert: Alert): MonitorId {
  const { subject, title } = alert
  const market = MARKETS.find(({ symbol }) => title.startsWith(`${symbol} `))
  if (subject.is !== 'wallet' || !market) return alert
  const { wallet } = subject
  return { ...alert, subject: { is: 'position', wallet, accountId: '1', marketId: market.id, side: 'long' } }
}
