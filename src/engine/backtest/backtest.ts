import { findKind, type Kind, type LevelKind, type Rule, sameRule, type Verdict } from '../../alert/alert.ts'
import type { Asked, Backtester, Present, Backtest } from '../../alert/backtest.ts'
import { type MonitorKey, monitorKey } from '../../alert/monitor.ts'
import { marketIn, type SubjectId, subjectOfPosition, subjectOf } from '../../alert/subject-id.ts'
import { inOrder } from '../../lib/flow/in-order.ts'
import { type Clock, createYield } from '../../runtime/clock.ts'
import type { RecordingStore } from '../../store/store.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Memory } from '../memory/memory.ts'
import { walletLabel } from '../memory/rules.ts'
import { numbersAfter } from '../memory/run.ts'
import { recordId } from '../memory/recording.ts'
import { poolsOf } from '../memory/wallet-view.ts'
import { type EvaluationContext, MARKETS_OUTAGE_MS, positionsOf, viewOf } from '../monitors/context.ts'
import { covers, walletsOfRule } from '../monitors/monitors.ts'
import { nameOfSubject, seenSubject } from '../monitors/subjects.ts'
import type { Known, WalletRow } from '../recording/wallet-series.ts'
import { createArchive, slowly } from './archive.ts'
import { unreadIn, type Held, suppressedIn, type KnownPool, poolsIn } from './position-timeline.ts'
import { createPastPrices } from './past-prices.ts'
import { type Course, oneByOne } from './price-series.ts'
import { replay } from './replay.ts'
import { accountThen, marketThen, positionThen } from './subjects.ts'

const DAY_MS = 86_400_000
/** A day before the week that is asked for: what fires when that begins has fired before. */
const BACK_MS = 8 * DAY_MS
/** A lookup is cut after this time: a person waits for the answer. */
const LONGEST_MS = 2_000
/** People who wait for longer than a minute have given up. */
const MOST_WAITING = 30
/** Records that begin no further from each other than this begin together. */
const TOGETHER_MS = 600_000

/** Looks up what rules would have done, one after the other, and lets others have the loop. */
export function createBacktester(world: {
  drawers: Pick<
    Memory,
    'people' | 'rules' | 'monitors' | 'silences' | 'wallets' | 'markets' | 'sources' | 'recording' | 'run'
  >
  recording: Pick<RecordingStore, 'blocks'>
  kinds: readonly Kind[]
  clock: Clock
  marketPollMs: number
}): Backtester {
  const { drawers, recording, kinds, clock, marketPollMs } = world
  // As the engine takes prices to be too old, and a time without any to be one that nobody has seen.
  const [staleMs, holeMs] = [marketPollMs + MARKETS_OUTAGE_MS, 2 * marketPollMs]
  const archive = createArchive(recording, drawers.recording, { staleMs, holeMs })
  const next = inOrder()
  let waiting = 0

  async function lookUp(kind: LevelKind<unknown>, rule: Asked): Promise<Backtest> {
    const [now, startedMono, breathe] = [clock.now(), clock.monotonic(), createYield(clock)]
    const from = now - BACK_MS
    const asked = walletsOf(drawers, kind, rule)
    const wallets: WalletPast[] = []
    for (const wallet of asked)
      for (const venue of drawers.wallets.views.venues) {
        const rows = await archive.rows(recordId(wallet, venue), from, breathe)
        if (venue === undefined || rows.length > 0) wallets.push({ wallet, rows })
      }
    const look: EvaluationContext = {
      ...{ memory: drawers, kinds, now, mono: startedMono, marketStaleMs: staleMs },
      ...{ views: new Map(), seen: new Set(), numbers: numbersAfter(drawers) },
    }
    const beside = besideOf(look, kind, rule)
    const present = presentOf(look, kind, rule, asked)
    const recorded = wallets.map(({ wallet, rows }) => {
      // Accounts are in the record for a shorter time than positions are.
      const first = kind.on === 'account' ? rows.find(({ accounts }) => accounts) : rows[0]
      return {
        wallet: walletLabel(drawers, rule.personId, wallet),
        since: first ? Math.max(first.at, from) : null,
      }
    })
    const begun = recorded.flatMap(({ since }) => since ?? [])
    const began = begun.length > 0 ? Math.min(...begun) : null
    const found: Backtest = {
      ...{ kind, ...present, since: began, fired: [], gaps: [], byMinute: false, cut: false },
      later: recorded.filter(({ since }) => since === null || since - (began ?? since) > TOGETHER_MS),
      beside: [],
    }
    const gaps = wallets.flatMap(({ rows }) => unreadIn(rows, now))
    const ids = new Set<number>()
    let judged = false
    const targets = await slowly(targetsOf(drawers, kind, rule, wallets), breathe)
    for (const [marketId, own] of Map.groupBy(targets, ({ subject }) => marketIn(subject))) {
      found.cut ||= clock.monotonic() - startedMono > LONGEST_MS
      if (found.cut) break
      const course = await archive.course(marketId, { since: from, until: now }, breathe)
      if (kind.on === 'market' && rule.wallet === null && course.times[0] !== undefined)
        found.since = Math.min(found.since ?? Infinity, Math.max(course.times[0], from))
      gaps.push(...course.dark)
      found.byMinute ||= course.coarse.includes(1, firstFrom(course.times, found.since ?? from))
      for (const target of own) {
        const monitor = beside(target.subject)
        for (const id of monitor.ids) ids.add(id)
        const run = past(target, course, { kind, ...monitor, staleMs, until: now })
        const times = run && (await slowly(run, breathe))
        judged ||= times !== null
        found.fired.push(...(times ?? []).map((one) => ({ ...one, about: target.about })))
      }
    }
    found.fired.sort((a, b) => a.at - b.at)
    found.gaps = oneByOne(gaps)
    found.beside = [...ids].sort((a, b) => a - b)
    // The figures that the rule is judged by are not recorded.
    return judged || targets.length === 0 ? found : { ...found, since: null }
  }

  /** The alerts that would have fired for one target; null where it could never be judged. */
  function past(target: Target, course: Course, judging: Omit<Parameters<typeof replay>[2], 'subject'>) {
    if (target.is === 'account')
      return replay(course, target.held, {
        ...judging,
        subject: (_place, at, held) => held && accountThen(target.subject, at, held),
      })
    const market = drawers.markets.readings.get(target.subject.marketId)?.value
    // Only the prices of a delisted market are known.
    if (!market) return null
    if (target.is === 'market')
      return replay(course, target.held, {
        ...judging,
        subject: (place, at) => marketThen(market, course, place, at),
      })
    return replay(course, target.held, {
      ...judging,
      subject: (place, at, held) => held && positionThen(market, course, place, at, held),
    })
  }

  return {
    priceAt: createPastPrices({ drawers, recording, clock, marketPollMs }),
    async backtest(rule) {
      const kind = findKind(kinds, rule.kind)
      if (kind?.is !== 'level') return null
      if (waiting >= MOST_WAITING) return 'busy'
      waiting++
      return next('past', () => lookUp(kind, rule)).finally(() => waiting--)
    },
  }
}

/** The place of the first time that is not before then. */
function firstFrom(times: Float64Array, since: number): number {
  const place = times.findIndex((time) => time >= since)
  return place < 0 ? times.length : place
}

/**
 * The present state of the rule's subjects, the first to be told first. Subjects that cannot be seen are
 * counted.
 */
function presentOf(
  look: EvaluationContext,
  kind: LevelKind<unknown>,
  rule: Asked,
  wallets: readonly Wallet[],
): { now: Present[]; unseen: number } {
  const subjects = subjectsOf(look, kind, rule, wallets)
  const all = subjects.flatMap((subject) => {
    const id = { chatId: rule.chatId, kind: kind.name, identity: kind.identity(rule.params), subject }
    const behind = { ...rule, id: 0, identity: id.identity, armedByWatch: false }
    const seen = seenSubject(look, {
      ...{ key: monitorKey(id), id, kind, rules: [behind], params: rule.params, holdMs: rule.holdMs },
    })
    const verdict = seen ? kind.judge(rule.params, seen) : 'unknown'
    if (verdict === 'unknown') return []
    const about = nameOfSubject(look.memory, subject, rule.personId)
    const { enter: tier, value } = verdict
    const present: Present = {
      ...{ about, figure: kind.figure(value), apart: kind.apart(rule.params, value), tier },
      dueInMs: tier > 0 ? dueInMs(look, monitorKey(id), kind, rule, verdict) : null,
    }
    return [{ present, room: kind.headroom(value) }]
  })
  const now = all
    .toSorted((a, b) => b.present.tier - a.present.tier || a.room - b.room)
    .map(({ present }) => present)
  return { now, unseen: subjects.length - all.length }
}

/** A critical line, and one that is passed by more than its clear band, do not wait. Null while the alert is on. */
function dueInMs(
  { memory }: EvaluationContext,
  key: MonitorKey,
  kind: LevelKind<unknown>,
  { params, holdMs }: Asked,
  { enter, beyond = 0 }: Verdict,
): number | null {
  const state = memory.monitors.states.get(key)?.state
  if (state?.is === 'firing') return null
  if (beyond > 0 || kind.severity(params, enter) === 'critical') return 0
  return state?.is === 'pending' ? Math.min(state.leftMs, holdMs) : holdMs
}

function subjectsOf(
  look: EvaluationContext,
  { on }: LevelKind<unknown>,
  { market, wallet }: Asked,
  wallets: readonly Wallet[],
): SubjectId[] {
  if (on === 'market' && wallet === null) {
    const ids = market ? [market.id] : [...look.memory.markets.readings.keys()]
    return ids.map((marketId) => ({ is: 'market', marketId }))
  }
  if (on === 'wallet') return wallets.map((one) => ({ is: 'wallet', wallet: one }))
  if (on === 'account') {
    return wallets.flatMap((one) => {
      const view = viewOf(look, one)
      return (view ? poolsOf(view) : []).map(
        (accountId) => ({ is: 'account', wallet: one, accountId }) as const,
      )
    })
  }
  const held = wallets
    .flatMap((one) => positionsOf(look, one))
    .filter(({ marketId }) => market === null || market.id === marketId)
  if (on === 'position') return held.map(subjectOfPosition)
  return [...new Set(held.map(({ marketId }) => marketId))].map((marketId) => ({ is: 'market', marketId }))
}

/** A monitor as it would be with this rule behind it. */
interface Beside {
  /** The ids of the other rules behind it. */
  ids: number[]
  params: unknown
  holdMs: number
  /** The rule's own tier where the monitor stands at this one. */
  own(tier: number): number
}

/**
 * Rules that cover the same subject are judged as one (DESIGN 6). So all of them are replayed together, and
 * an alert counts where it passes a tier of this rule. The rule that this one would replace is left out.
 */
function besideOf(
  look: EvaluationContext,
  kind: LevelKind<unknown>,
  rule: Asked,
): (subject: SubjectId) => Beside {
  const { kinds, memory } = look
  const identity = kind.identity(rule.params)
  const others = [...memory.rules.rulesIn.of(rule.chatId).values()].filter(
    (one) => one.kind === kind.name && one.identity === identity && !sameRule(kinds, one, rule),
  )
  return (subject) => {
    const behind: Rule[] = others.filter((one) => covers(look, one, subject))
    const params =
      behind.length > 0
        ? kind.merge([...behind.map((one) => one.params), rule.params] as [unknown])
        : rule.params
    return {
      ids: behind.map(({ id }) => id),
      params,
      holdMs: Math.min(rule.holdMs, ...behind.map((one) => one.holdMs)),
      own: (tier) => (tier > 0 ? kind.tierUnder(params, tier, rule.params) : 0),
    }
  }
}

/** Something that a rule would have judged. `held`: when it was there; null where it always was. */
type Target = { about: string } & (
  | { is: 'position'; subject: On<'position'>; held: Held<Known>[] }
  | { is: 'market'; subject: On<'market'>; held: Held<Known>[] | null }
  | { is: 'account'; subject: On<'account'>; held: Held<KnownPool>[] }
)

type On<Is extends SubjectId['is']> = Extract<SubjectId, { is: Is }>

/** The rows of a wallet at one venue, oldest first. */
interface WalletPast {
  wallet: Wallet
  rows: readonly WalletRow[]
}

/** The wallets whose past is asked for. */
function walletsOf(drawers: Pick<Memory, 'people' | 'rules'>, kind: Kind, rule: Asked) {
  const isNone = kind.on === 'market' && rule.wallet === null
  return isNone ? [] : walletsOfRule(drawers, { ...rule, id: 0, identity: '', armedByWatch: false })
}

/** The subjects of a rule, also those that are gone: the one that was there last comes first. */
function* targetsOf(
  drawers: Pick<Memory, 'rules' | 'wallets' | 'markets'>,
  kind: Kind,
  { market, wallet, personId }: Asked,
  wallets: readonly WalletPast[],
): Generator<void, Target[]> {
  const isMeant = (marketId: string) => market === null || market.id === marketId
  const about = (subject: SubjectId) => nameOfSubject(drawers, subject, personId)
  if (kind.on === 'market' && wallet === null) {
    const ids = market ? [market.id] : [...drawers.markets.readings.keys()]
    return ids.map((marketId) => {
      const subject: On<'market'> = { is: 'market', marketId }
      return { is: 'market', about: about(subject), held: null, subject }
    })
  }
  if (kind.on === 'account') {
    const accounts: Target[] = []
    for (const wallet of wallets)
      for (const [accountId, held] of yield* poolsIn(wallet.rows)) {
        const subject: On<'account'> = { is: 'account', wallet: wallet.wallet, accountId }
        accounts.push({ is: 'account', about: about(subject), held, subject })
      }
    return accounts
  }
  const positions: Extract<Target, { is: 'position' }>[] = []
  for (const { rows } of wallets)
    for (const [key, held] of yield* suppressedIn(rows)) {
      const subject = subjectOf(key)
      if (subject.is === 'position' && isMeant(subject.marketId))
        positions.push({ is: 'position', about: about(subject), held, subject })
    }
  if (kind.on === 'position') return positions.toSorted((a, b) => lastOf(b.held) - lastOf(a.held))
  if (kind.on !== 'market') return []
  return [...Map.groupBy(positions, ({ subject }) => subject.marketId)].map(([marketId, same]) => {
    const subject: On<'market'> = { is: 'market', marketId }
    return { is: 'market', about: about(subject), held: anyOf(same.map(({ held }) => held)), subject }
  })
}

function lastOf(held: readonly Held<Known>[]): number {
  const last = held.at(-1)
  return last?.known ? Infinity : (last?.at ?? 0)
}

/** When at least one of them was there. */
function anyOf(all: readonly (readonly Held<Known>[])[]): Held<Known>[] {
  const changes = all
    .flatMap((held, index) => held.map((one) => ({ index, one })))
    .toSorted((a, b) => a.one.at - b.one.at)
  const now = new Map<number, Held<Known>>()
  const joined: Held<Known>[] = []
  for (const { index, one } of changes) {
    now.set(index, one)
    const known = [...now.values()].find((held) => held.known !== null)?.known ?? null
    if ((joined.at(-1)?.known === null) !== (known === null) || joined.length === 0)
      joined.push({ at: one.at, known, unseenSince: null })
  }
  return joined
}
