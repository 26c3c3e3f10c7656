import { toNumber } from '../../../src/amount.ts'
import type { PollPeriods } from '../../../src/engine/feeds.ts'
import { guardKey } from '../../../src/guard.ts'
import type { GuardId } from '../../../src/guard.ts'
import type { Market } from '../../../src/market.ts'
import type { Owner } from '../../../src/owner.ts'
import type { Position } from '../../../src/position.ts'
import { positionKey } from '../../../src/position.ts'
import type { Muted, Quiet } from '../../../src/quiet.ts'
import type { Write } from '../../../src/store.ts'
import type { HandClock } from '../clock.ts'
import type { Heard } from './heard.ts'
import type { Guarded } from './history.ts'
import { createRest } from './rest.ts'

const MINUTE_MS = 60_000
const BAND = 1.15
const CRITICAL = 0.05
/** After a start the symbol may not be known yet. */
const NAMES: Record<string, RegExp> = {
  '100': /^(ETH|market 100) long /,
  'BTC/USD': /^(BTC|market BTC.USD) short /,
}
const HELD_BACK = ', held back'

type Step = Extract<Write, { is: 'step' }>['step']

/** What a chat knows of one position, and what it is owed. */
interface Subject {
  key: string
  rule: Guarded
  guard: GuardId
  position: Position
  /** In how many looks in a row it was not there. */
  missing: number
  /** Of what was said, or is held back to be summed up. */
  tier: number
  alertId: number | null
  /** For how long it has been seen inside a line without anything being told; null while it is outside of all. */
  insideMs: number | null
  /** The same, counted only while nothing stood in the way of telling it. */
  owedMs: number
  /** When it rang last and how often it was repeated since it was news; until when somebody has heeded it. */
  rangAt: number
  times: number
  newsAt: number
  heededUntil: number | null
  acknowledgedAt: number | null
  /** Since when that is over, and how much was lost by then. */
  due: { at: number; lostMs: number } | null
  unheeded: boolean
  /** So much of what was not seen may have been taken for seen until it was known to be a hole. */
  holesMs: number
}

/** Watches what is served and what is said, and notes what is wrong with it; it knows nothing of the engine. */
export function createWitness(world: { rules: readonly Guarded[]; periods: PollPeriods; clock: HandClock }) {
  const { rules, periods, clock } = world
  const pollMs = periods.marketPollMs
  const wrong: string[] = []
  const subjects = new Map<string, Subject>()
  /** Those that are gone for certain, and whose end somebody is owed. */
  const ending: { subject: Subject; since: number }[] = []
  /** Told before it was certain by what this knows. */
  const ended: Heard[] = []
  const alerts = new Map<number, GuardId>()
  const over = new Set<number>()
  const told = new Set<number>()
  /** By alert: since when it may be said, null while it may not. */
  const held = new Map<number, { guard: GuardId; freeAt: number | null }>()
  /** What chats were told that it cannot be seen, and when. */
  const blind = new Map<string, number>()
  const prices = new Map<string, number>()
  const looked = new Map<Owner, number>()
  const rest = createRest()
  let pricesAt: number | null = null
  let startedAt = clock.tick()
  /** Time in which nothing could be said or kept, so far; and since when that is over. */
  let lostMs = 0
  let refusing = false
  let soundAt = clock.tick()

  /** What is looked at was said so long ago. */
  let agoMs = 0
  const tick = () => clock.tick() - agoMs
  const now = () => clock.now() - agoMs
  const blames = (what: string) => void wrong.push(`${tick()}: ${what}`)

  function distance({ size, liquidationPrice, marketId }: Position): number {
    const [price, liquidation] = [prices.get(marketId) ?? NaN, toNumber(liquidationPrice ?? 0n)]
    return (size > 0n ? price - liquidation : liquidation - price) / price
  }
  /** How many lines are passed, and how many are not yet left behind. */
  function lines({ rule, position }: Subject): { enter: number; stay: number } {
    const away = distance(position)
    return {
      enter: rule.tiers.filter((line) => away <= line + 1e-12).length,
      stay: rule.tiers.filter((line) => away <= line * BAND + 1e-12).length,
    }
  }
  const critical = ({ rule: { tiers } }: Subject, tier: number) =>
    tier > 0 && (tiers[tier - 1] ?? 1) <= CRITICAL
  const near = (owner: Owner) =>
    [...subjects.values()].some(
      ({ position, tier, rule }) => position.owner === owner && (rule.tiers[tier - 1] ?? 1) <= 0.1,
    )
  const subjectOf = (alertId: number | null): Subject | undefined => {
    const guard = alertId === null ? undefined : alerts.get(alertId)
    return guard ? subjects.get(guardKey(guard)) : undefined
  }
  /** It can be judged: its price and its wallet were seen in this run, and it is there. */
  const visible = ({ position, missing }: Subject) =>
    missing === 0 &&
    pricesAt !== null &&
    pricesAt >= startedAt &&
    (looked.get(position.owner) ?? -1) >= startedAt

  function fires(heard: Heard, subject: Subject): void {
    const { enter, stay } = lines(subject)
    const line = /inside your ([\d.]+) % line/.exec(heard.lines.join('\n'))?.[1]
    const tier = subject.rule.tiers.findIndex((one) => Math.abs(one * 100 - Number(line)) < 1e-9) + 1
    const most = subject.tier === 0 ? enter : stay
    if (tier < Math.max(enter, 1) || tier > most)
      blames(`${heard.title}: says line ${line}, is in ${enter} to ${stay}`)
    if (tier <= subject.tier) blames(`${heard.title}: told as worse again (was ${subject.tier})`)
    news(subject, tier, heard.alertId)
    if (critical(subject, tier) && heard.silent) blames(`${heard.title}: is critical and does not ring`)
  }

  function news(subject: Subject, tier: number, alertId: number | null): void {
    const { rule } = subject
    if (subject.tier === 0) {
      const inside = subject.insideMs
      if (
        !critical(subject, tier) &&
        (inside === null || inside + sinceReading() + subject.holesMs < rule.holdMs - 1)
      )
        blames(`A${alertId} fires after ${inside} ms`)
      if (alertId !== null && told.has(alertId)) blames(`A${alertId} begins twice`)
    }
    Object.assign(subject, {
      tier,
      alertId,
      rangAt: tick(),
      newsAt: tick(),
      times: 0,
      heededUntil: null,
      due: null,
      unheeded: false,
    })
    Object.assign(subject, { insideMs: null, owedMs: 0, holesMs: 0 })
    lost.set(subject, lostMs)
  }
  const lost = new Map<Subject, number>()
  const sinceReading = () => {
    const ms = tick() - (pricesAt ?? tick())
    return ms > 2 * pollMs ? 0 : ms
  }

  function eases(title: string, subject: Subject, clears: boolean): void {
    const { enter, stay } = lines(subject)
    const tier = Math.max(enter, Math.min(subject.tier, stay))
    if (subject.tier === 0) blames(`${title}: was not told`)
    if (tier >= subject.tier || (tier === 0) !== clears)
      blames(`${title}: is in ${enter} to ${stay}, was ${subject.tier}`)
    const { position, rule } = subject
    const lastSeen = {
      'the venue': pricesAt,
      [position.marketId]: pricesAt,
      [position.owner]: looked.get(position.owner),
    }
    // That it is seen again may be told a little later, with others.
    const blindTo = Object.entries(lastSeen).find(
      ([what, at]) => (at ?? 0) < (blind.get(`${rule.chatId} ${what}`) ?? 0),
    )
    if (blindTo !== undefined) blames(`${title}: got better while blind to ${blindTo[0]}`)
    if (looked.has(position.owner) && !visible(subject)) blames(`${title}: got better unseen`)
    if (clears) over.add(subject.alertId ?? 0)
    subject.tier = tier
    if (tier === 0) Object.assign(subject, { alertId: null, insideMs: null, owedMs: 0, holesMs: 0 })
  }

  function repeats(heard: Heard, subject: Subject, rowmates: readonly Heard[]): void {
    if (!critical(subject, subject.tier)) blames(`${heard.title}: repeated, and not critical`)
    if (subject.heededUntil !== null) blames(`${heard.title}: repeated, though heeded`)
    if (heard.silent) blames(`${heard.title}: repeated without ringing`)
    const due = (one: Subject) => tick() - one.rangAt >= pauseMs(one.times) - 2_000
    const all = rowmates.flatMap(({ alertId }) => subjectOf(alertId) ?? [])
    if (!all.some((one) => due(one) || one.rangAt === tick())) blames(`${heard.title}: repeated too soon`)
    subject.times++
    subject.rangAt = tick()
    lost.set(subject, lostMs)
    if (heard.is === 'unheeded') subject.unheeded = true
  }
  const lostSince = (subject: Subject) => lostMs - (lost.get(subject) ?? 0)

  function reminds(heard: Heard, subject: Subject): void {
    if (subject.heededUntil === null || now() < subject.heededUntil)
      blames(`${heard.title}: reminded too soon`)
    Object.assign(subject, {
      heededUntil: null,
      due: null,
      rangAt: tick(),
      newsAt: tick(),
      times: 0,
      unheeded: false,
    })
    lost.set(subject, lostMs)
  }

  function ends(heard: Heard): void {
    const at = ending.findIndex(({ subject }) => isOf(heard, subject))
    if (at >= 0) over.add(ending.splice(at, 1)[0]?.subject.alertId ?? 0)
    else ended.push(heard)
  }
  const isOf = (heard: Heard, { rule, position }: Subject) =>
    rule.chatId === heard.chatId &&
    NAMES[position.marketId]?.test(heard.title) === true &&
    (position.owner === ownerNamed(heard) || ownerNamed(heard) === null)
  const ownerNamed = ({ lines }: Heard): Owner | null => {
    const label = lines.map((line) => / · (main|cold)$/.exec(line)?.[1]).find((one) => one !== undefined)
    return label === undefined ? null : (wallets.get(label) ?? null)
  }
  const wallets = new Map<string, Owner>()

  function summed(heard: Heard): void {
    const { alertId } = heard
    if (alertId === null) return
    if (!held.delete(alertId)) blames(`${heard.title}: summed up, and was not held back`)
    const stands = subjectOf(alertId)?.tier ?? 0
    const says = heard.lines.join(' ')
    const guard = alerts.get(alertId)
    if (
      guard?.kind === 'liquidation-distance' &&
      says.includes('still so') !== (stands > 0 && !over.has(alertId))
    )
      blames(`${heard.title}: summed up as “${says}”`)
    told.add(alertId)
  }

  function holdsBack(step: Step): void {
    const { alertId, reason, what, at } = step
    agoMs = clock.now() - at
    const guard = alerts.get(alertId)
    if (!guard) return
    if (!rest.covers(guard, now())) blames(`A${alertId} is held back, and nobody rests`)
    held.set(alertId, { guard, freeAt: null })
    const subject = subjectOf(alertId)
    if (!subject) return
    if (reason === 'reminded') Object.assign(subject, { heededUntil: null })
    if (reason === 'better' || reason === 'cleared') eases(`A${alertId}`, subject, reason === 'cleared')
    if (reason !== 'entered' && reason !== 'worse') return
    const line = /→ ([\d.]+) % line/.exec(what)?.[1]
    const tier = subject.rule.tiers.findIndex((one) => Math.abs(one * 100 - Number(line)) < 1e-9) + 1
    if (critical(subject, tier)) blames(`A${alertId} is critical and held back`)
    news(subject, tier, alertId)
  }

  return {
    wrong,
    names: (label: string, owner: Owner) => void wallets.set(label, owner),

    reads(markets: readonly Market[]): void {
      const gap = tick() - (pricesAt ?? tick())
      const counts = gap > 2 * pollMs ? 0 : gap
      for (const { id, price } of markets) prices.set(id, toNumber(price))
      pricesAt = tick()
      for (const subject of subjects.values()) {
        count(subject, counts)
        if (gap > counts) subject.holesMs += 2 * pollMs
      }
    },

    looks(owner: Owner, positions: readonly Position[]): void {
      // What could not be kept is looked at again.
      if (refusing) looked.delete(owner)
      else looked.set(owner, tick())
      const there = new Set(positions.map(positionKey))
      for (const position of positions)
        for (const rule of rules) {
          if (rule.owner !== null && rule.owner !== owner) continue
          const guard: GuardId = {
            ...{ chatId: rule.chatId, kind: 'liquidation-distance', identity: '' },
            subject: {
              is: 'position',
              ...{ owner, accountId: position.accountId, marketId: position.marketId },
              side: position.size > 0n ? 'long' : 'short',
            },
          }
          const key = guardKey(guard)
          const known = subjects.get(key)
          if (known) Object.assign(known, { position, missing: 0 })
          else
            subjects.set(key, {
              ...{
                key,
                rule,
                guard,
                position,
                missing: 0,
                tier: 0,
                alertId: null,
                insideMs: null,
                owedMs: 0,
              },
              ...{
                rangAt: 0,
                times: 0,
                newsAt: 0,
                heededUntil: null,
                acknowledgedAt: null,
                due: null,
                unheeded: false,
                holesMs: 0,
              },
            })
          const subject = subjects.get(key)
          if (subject) count(subject, 0)
        }
      for (const [key, subject] of subjects) {
        if (subject.position.owner !== owner || there.has(positionKey(subject.position))) continue
        subject.missing++
        if (subject.missing < 2 || refusing) continue
        subjects.delete(key)
        const early = ended.findIndex((heard) => isOf(heard, subject))
        if (early >= 0) ended.splice(early, 1)
        // What was held back is summed up.
        else if (subject.tier > 0 && !held.has(subject.alertId ?? 0)) ending.push({ subject, since: tick() })
        if (subject.alertId !== null) over.add(subject.alertId)
      }
    },

    hears(all: readonly Heard[], writes: readonly Write[]): void {
      for (const write of writes) if (write.is === 'alert') alerts.set(write.alert.id, write.alert)
      const steps = writes.flatMap((write) =>
        write.is === 'step' && write.step.what.endsWith(HELD_BACK) ? [write.step] : [],
      )
      for (const heard of all) {
        while (steps[0] && steps[0].at <= heard.at) holdsBack(steps.shift() as Step)
        agoMs = clock.now() - heard.at
        const home = heard.alertId === null ? null : alerts.get(heard.alertId)?.chatId
        // A copy for whoever does not answer elsewhere.
        if (home !== undefined && home !== null && home !== heard.chatId) continue
        const what = heard.seeing
        const seen = what === null ? '' : `${heard.chatId} ${feedOf(what)}`
        if (heard.is === 'blind' && blind.has(seen)) blames(`${heard.title}: told twice`)
        if (heard.is === 'blind') blind.set(seen, tick())
        if (heard.is === 'sighted' && !blind.delete(seen)) blames(`${heard.title}: it was not blind`)
        if (heard.is === 'summed') summed(heard)
        if (heard.is === 'ended') ends(heard)
        const subject = subjectOf(heard.alertId)
        if (heard.alertId === null || !subject || alerts.get(heard.alertId)?.kind !== 'liquidation-distance')
          continue
        if (over.has(heard.alertId) && heard.is !== 'summed') blames(`${heard.title}: was over`)
        if (heard.is === 'entered or worse') fires(heard, subject)
        if (heard.is === 'better' || heard.is === 'cleared')
          eases(heard.title, subject, heard.is === 'cleared')
        if (heard.is === 'repeated' || heard.is === 'unheeded')
          repeats(
            heard,
            subject,
            all.filter(({ rowId }) => rowId === heard.rowId),
          )
        if (heard.is === 'reminded') reminds(heard, subject)
        if (heard.is !== 'summed' && rest.covers(subject.guard, now()) && !allowed(heard, subject))
          blames(`${heard.title}: said in a time of rest`)
        held.delete(heard.alertId)
        told.add(heard.alertId)
      }
      for (const step of steps.splice(0)) holdsBack(step)
      agoMs = 0
    },

    heeded(alertIds: readonly number[], until: number, as: 'acknowledged' | 'snoozed'): void {
      for (const alertId of alertIds) {
        const subject = subjectOf(alertId)
        if (!subject || subject.tier === 0) continue
        const { heededUntil, acknowledgedAt } = subject
        // Of two who press at once the first has acknowledged it.
        const taken = heededUntil !== null && acknowledgedAt !== null && now() < heededUntil
        if (as === 'acknowledged' && taken && now() - acknowledgedAt < 60_000) continue
        Object.assign(subject, { heededUntil: until, due: null, unheeded: false })
        subject.acknowledgedAt = as === 'acknowledged' ? now() : null
      }
    },
    quiet: (chatId: number, quiet: Quiet | null) => rest.quiet(chatId, quiet),
    muted: (chatId: number, of: Muted, until: number) => rest.muted(chatId, of, until),
    unmuted: (chatId: number) => rest.unmuted(chatId),
    /** Alerts that fire, as somebody would see who asks. */
    firing: () =>
      [...subjects.values()].flatMap(({ tier, alertId }) => (tier > 0 && alertId !== null ? [alertId] : [])),
    refused(is: boolean): void {
      if (refusing && !is) soundAt = tick()
      refusing = is
    },
    restarted(awayMs: number): void {
      // What was seen at this very moment was seen by the run before.
      startedAt = tick() + 1
      lostMs += awayMs + periods.marketPollMs + 10_000
      for (const subject of subjects.values()) if (subject.missing > 0) subject.missing = 1
    },

    /** What is owed by now, and was not said. */
    checks(): void {
      rest.passes(clock.now())
      while (ended[0] && clock.now() - ended[0].at > 10 * pollMs) ended.shift()
      if (refusing) lostMs += 2 * pollMs
      for (const subject of subjects.values()) if (!refusing) check(subject)
      for (const { subject, since } of ending)
        if (!refusing && tick() - Math.max(since, soundAt) > 4 * pollMs)
          blames(`A${subject.alertId}: its end was not told`)
      for (const [alertId, one] of held) {
        if (rest.covers(one.guard, now()) || refusing) one.freeAt = null
        else one.freeAt ??= tick()
        if (one.freeAt !== null && tick() - Math.max(one.freeAt, startedAt, soundAt) > 2 * pollMs)
          blames(`A${alertId} was held back and never summed up`)
      }
      const darkMs = tick() - Math.max(pricesAt ?? 0, startedAt, soundAt)
      if (!refusing && darkMs > 3 * pollMs + 10_000 && !blind.has('1 the venue'))
        blames('nobody was told that the venue is dark')
      for (const owner of wallets.values()) {
        const patienceMs = near(owner) ? 2 * pollMs + 30_000 : periods.ownerPollMaxMs + 180_000
        const unseenMs = tick() - Math.max(looked.get(owner) ?? 0, startedAt, soundAt, pricesAt ?? 0)
        if (
          !refusing &&
          unseenMs > patienceMs + 3 * pollMs &&
          !blind.has(`1 ${owner}`) &&
          !blind.has('1 the venue')
        )
          blames(`nobody was told that ${owner} is dark`)
      }
    },

    ends(states: number): void {
      for (const { key, tier, alertId } of subjects.values())
        if (tier > 0) blames(`A${alertId} of ${key} was never cleared`)
      for (const { subject } of ending) blames(`A${subject.alertId} never ended`)
      for (const alertId of held.keys()) blames(`A${alertId} was held back for good`)
      for (const what of blind.keys()) blames(`${what} was never seen again`)
      if (states > 0) blames(`${states} states are left`)
    },
  }

  function feedOf(name: string): string {
    const label = /^wallet (.*)$/.exec(name)?.[1]
    if (label !== undefined) return wallets.get(label) ?? label
    return name.replace(/^the market ETH$/, '100').replace(/^the market BTC$/, 'BTC/USD')
  }

  function allowed(heard: Heard, subject: Subject): boolean {
    return (
      heard.tone === 'critical' ||
      ['better', 'cleared', 'ended'].includes(heard.is) ||
      critical(subject, subject.tier)
    )
  }

  function count(subject: Subject, ms: number): void {
    const { enter, stay } = lines(subject)
    if (subject.missing > 0) return
    if (subject.tier > 0 || stay === 0) Object.assign(subject, { insideMs: null, owedMs: 0, holesMs: 0 })
    else if (enter > 0 || subject.insideMs !== null) {
      subject.insideMs = subject.insideMs === null ? 0 : subject.insideMs + ms
      subject.owedMs = visible(subject) && !refusing && enter > 0 && ms > 0 ? subject.owedMs + ms : 0
    }
  }

  function check(subject: Subject): void {
    const { tier, rule, alertId, heededUntil } = subject
    if (visible(subject) && pricesAt === tick() && soundAt < tick()) {
      const { enter } = lines(subject)
      const name = `${subject.key}: ${(distance(subject.position) * 100).toFixed(2)} %`
      if (enter > tier && (tier > 0 || critical(subject, enter)))
        blames(`${name}: worse was not told (${tier})`)
      if (enter > 0 && tier === 0 && subject.owedMs > rule.holdMs + 3 * pollMs)
        blames(`${name}: was not told in time`)
    }
    if (!critical(subject, tier) && (heededUntil === null || tier === 0)) return
    if (heededUntil !== null) {
      const due = now() >= heededUntil && !rest.covers(subject.guard, now())
      subject.due = due ? (subject.due ?? { at: tick(), lostMs }) : null
      if (subject.due && tick() - subject.due.at > 3 * pollMs + 15_000 + lostMs - subject.due.lostMs)
        blames(`A${alertId}: nobody was reminded`)
      return
    }
    const silentMs = tick() - subject.rangAt - lostSince(subject)
    if (!subject.unheeded && silentMs > pauseMs(subject.times) + 2 * pollMs)
      blames(`A${alertId}: silent for ${silentMs} ms`)
    if (subject.unheeded && tick() - subject.newsAt < 12 * 60 * MINUTE_MS - 60_000)
      blames(`A${alertId}: given up too soon`)
  }
}

function pauseMs(times: number): number {
  return Math.min(MINUTE_MS * 2 ** times, 30 * MINUTE_MS)
}
