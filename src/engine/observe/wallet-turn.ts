import type { Kind } from '../../alert/alert.ts'
import { type MonitorKey, monitorKey, monitorOf } from '../../alert/monitor.ts'
import { type SubjectId, subjectKey } from '../../alert/subject-id.ts'
import type { ClosedPosition } from '../../venue/closed-position.ts'
import {
  isImpossiblyPast,
  isPast,
  type Position,
  positionKey,
  side,
  onBrokenScale,
} from '../../venue/position.ts'
import type { WalletReading } from '../../venue/reading.ts'
import { walletSource } from '../../venue/source.ts'
import { venueField, venueOf } from '../../venue/venue-name.ts'
import { doubt } from '../../venue/venue.ts'
import { answered, isUnconfirmed, settledBy } from '../evaluate/confirmation.ts'
import { closeRecords } from '../evaluate/ended-monitors.ts'
import { judgeAll } from '../evaluate/judge.ts'
import {
  CLOCKS_APART_MS,
  poolOf,
  sharingOf,
  NO_ORDERS,
  together,
  type WalletView,
  type SeenOrders,
  type SeenPosition,
} from '../memory/wallet-view.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { isOfVenue } from '../memory/monitors.ts'
import { numbersAfter } from '../memory/run.ts'
import { isUnderNewName, priceOf, symbolOf } from '../memory/markets.ts'
import {
  darkTimes,
  type EvaluationContext,
  MARKETS_OUTAGE_MS,
  positionsOf,
  viewOf,
  wallAt,
} from '../monitors/context.ts'
import { type Decision, leavesNoTrace } from '../monitors/decision.ts'
import { type Monitor, monitorsOfWallet } from '../monitors/monitors.ts'
import { orderRecipients } from '../monitors/subject-inputs.ts'
import { decideAll, type Moment, type Outcome } from '../monitors/turn.ts'
import { accountsOf, marginSourcesOf, stopWatchingNow } from '../outage/account-sources.ts'
import { reportRecovery } from '../outage/outage-notices.ts'
import { startWatching } from '../outage/sources.ts'
import { closeEvidence, fateOf, isDelisted } from './closing-evidence.ts'
import { emptinessOf, type Emptiness } from './emptied.ts'
import { withoutForeign } from './foreign.ts'
import { endingOf, merge } from './merge.ts'
import { reductionsIn } from './reductions.ts'
import { isNews, keptView, rowOf } from './wallet-row.ts'
import type { Reason } from '../../message/reason.ts'

/** Judges everything again that rules say of a wallet, by an answer about it. */
export function walletTurn(
  drawers: Pick<
    Memory,
    'people' | 'rules' | 'monitors' | 'silences' | 'wallets' | 'markets' | 'sources' | 'run'
  >,
  kinds: readonly Kind[],
  raw: WalletReading,
  moment: Moment,
): Outcome | null {
  const { wallet, venue, at, mono } = raw
  const { venues } = drawers.run
  // An answer is about one venue alone. Positions at others stay as they were last seen.
  const before = drawers.wallets.views.at(wallet, venue)
  if (drawers.rules.watches.of(wallet).size === 0 || (before && mono <= before.mono)) return null
  const reading = withoutImpossible(drawers, withoutForeign(raw, venues))
  const worst = (held: SeenPosition) => worstOf(drawers, held, before?.touchedLiquidation ?? {}, reading)
  const emptiness = emptinessOf(drawers, before, reading, (held) =>
    hasEvidence(drawers, held, reading, worst(held), moment.marketStaleMs),
  )
  const { view, complete, gone } = merge(before, reading, (id) => priceOf(drawers, id), emptiness.is)
  const { reduced, taken } = drawers.run.showsCloseRecords.has(venue)
    ? reductionsIn(before, reading, view, complete)
    : { reduced: view.reduced, taken: [] }
  const isFirst = venues.length > 0 && (before === undefined || before.isNew === true)
  const merged: WalletView = {
    ...view,
    reduced,
    ...(venues.length > 0 && marksOf(reading, isFirst && !complete)),
  }
  const whyDoubted = emptiness.is === 'doubted' ? emptiness.why : doubt(reading.value)
  const wasDoubted = emptiness.is === 'believed' && emptiness.after?.doubted === true
  const source = walletSource(wallet, venue)
  const parts = complete
    ? [accountsOf(drawers, merged, venue), marginSourcesOf(drawers, merged, venue, raw.unsolicited)]
    : []
  const partsSeen = parts.flatMap((part) => part.seen)
  const seen = new Set(complete ? [source, ...partsSeen] : [])
  const orders = shownBeside(drawers, reading)
  const whole = withOthers(drawers, venue, merged)
  const look: EvaluationContext = {
    ...{ memory: drawers, kinds, ...moment, views: new Map([[wallet, whole]]), seen },
    numbers: numbersAfter(drawers),
    ...(orders && { orders: new Map([[wallet, orders]]) }),
    taken,
    ...(venues.length > 0 && { read: readOf(drawers, venue, before, isFirst) }),
  }

  const isEmpty = ({ accountId }: Position) =>
    reading.value.accounts.some(
      (one) => one.accountId === accountId && one.equityUsd !== null && one.equityUsd <= 0n,
    )
  const listed = drawers.wallets.orders.get(wallet)?.listed.get(venue)?.value ?? []
  const ended = gone.map((held): ClosedPosition => {
    const { marketId } = held.position
    const fate = fateOf(drawers, marketId)
    const found = closeEvidence(held, {
      symbol: symbolOf(drawers, marketId),
      price: priceOf(drawers, marketId),
      worstPrice: worst(held),
      orders: drawers.run.hidesOrders.has(venue) ? 'hidden' : reading.orders,
      seenOrders: [...(reading.orders ?? []), ...listed],
      ...{ closeRecords: reading.closeRecords, aliveAt: drawers.run.aliveAt },
      ...(fate !== undefined && { market: fate }),
      isAccountEmpty: isEmpty(held.position),
      takerFee: drawers.markets.readings.get(marketId)?.value.takerFee ?? null,
    })
    const renamed = [...merged.held.values()].find(({ position }) => isUnderNewName(drawers, held, position))
    if (renamed && found.ending === null) {
      const { marketId: id } = renamed.position
      return { ...found, cause: 'renamed', renamedTo: { id, symbol: symbolOf(drawers, id) } }
    }
    return wasDoubted || wasHidden(look, held) ? doubted(found) : found
  })
  // A chat whose notice could not be committed is told now; a chat that was told has no state of it left.
  const evidences = [...merged.gone, ...ended]
  const sighted = reportRecovery(look, seen, {
    market: (id) => drawers.markets.readings.get(id)?.value,
    positions: (one) => positionsOf(look, one).filter(({ accountId }) => !merged.failedParts.has(accountId)),
  })
  const returned = { observed: sighted.observed, decisions: decideAll(sighted.reports) }
  const isRead = (subject: SubjectId) => isOfVenue(subject, venue, venues)
  const live = monitorsOfWallet(look, wallet)
  const monitors = live.filter(({ id }) => isRead(id.subject))
  // Dangers that wait for this very read are judged with the others that their chat waits for.
  const judged = judgeAll(
    look,
    monitors.filter((monitor) => monitor.kind.on !== 'account' && !isUnconfirmed(drawers, monitor)),
    evidences,
  )
  const settled = settledBy(look, wallet, venue)
  const all = [
    ...returned.decisions,
    ...judged,
    ...closeRecords(look, wallet, before, live, judged, evidences, isRead),
    ...settled,
    ...judgeAccounts(look, monitors, [...judged, ...settled]),
  ]
  const decisions = all.filter((decision) => !leavesNoTrace(decision))
  const told = new Set(decisions.flatMap(({ mentions }) => mentions))
  const next = { ...merged, gone: evidences.filter(({ key }) => !complete || told.has(key)) }
  const moved = decisions.some(({ transition }) => transition !== null)
  const isKnown = before?.isUnknown === next.isUnknown && !isFirst
  const isDue = moved || isNews(drawers, before, next) || (venues.length > 0 && complete && !isKnown)
  const observed: Effect[] = [
    ...(isDue ? [{ is: 'wallet', memory: rowOf(drawers, withOthers(drawers, venue, next)) } as const] : []),
    ...(orders ? [{ is: 'orders', wallet, seen: orders } as const] : []),
    {
      is: 'view',
      view: isDue ? keptView(drawers, next) : next,
      ...venueField(venue),
      entered: enteredBy(before, next),
    },
    ...all.flatMap((decision) => (leavesNoTrace(decision) ? decision.effects : [])),
    ...parts.flatMap((part) => part.observed),
    ...(complete || venue === undefined ? [] : startWatching(drawers, source, { at, mono })),
    complete ? { is: 'seen', source, at, mono } : { is: 'trouble', source, why: whyDoubted, mono },
    ...emptied(emptiness, reading),
    ...endedNow(ended, reading),
    ...answered(drawers, wallet, venue),
    ...returned.observed,
    ...stopWatchingNow(
      drawers,
      partsSeen,
      returned.decisions.flatMap(({ effects }) => effects),
    ),
  ]
  const renamed = ended.flatMap(({ position, renamedTo: to }) =>
    to ? [{ from: position.marketId, to }] : [],
  )
  return { observed, decisions, ...(renamed.length > 0 && { renamed }) }
}

/** Returns the marks of a view at one venue of several. */
function marksOf({ value }: WalletReading, isNew: boolean): Pick<WalletView, 'isNew' | 'isUnknown'> {
  return { ...(isNew && { isNew }), ...(value.isUnknown && { isUnknown: true }) }
}

function readOf(
  { run: { aliveAt, ranMono } }: Pick<Memory, 'run'>,
  venue: string | undefined,
  before: WalletView | undefined,
  isFirst: boolean,
): NonNullable<EvaluationContext['read']> {
  const isOfBefore = before !== undefined && before.mono <= ranMono
  return { venue, isFirst, awaySince: isOfBefore ? aliveAt : null }
}

/** Returns the wallet at all venues, as of this answer of one of them. */
function withOthers(
  { wallets: { views } }: Pick<Memory, 'wallets'>,
  venue: string | undefined,
  view: WalletView,
): WalletView {
  if (views.venues.length === 1) return view
  const looks = views.venues.flatMap((one) => {
    const known = one === venue ? view : views.at(view.wallet, one)
    return known ? [[one, known] as const] : []
  })
  const { at, mono, completeMono } = view
  return { ...view, ...together(new Map(looks)), at, mono, completeMono }
}

/** Whether anything but an empty answer speaks for the end of a position. */
function hasEvidence(
  drawers: Pick<Memory, 'markets'>,
  { position, seenAt }: SeenPosition,
  { orders, closeRecords }: WalletReading,
  worstPrice: number | null,
  marketStaleMs: number,
): boolean {
  if (endingOf({ position, seenAt }, closeRecords) !== null) return true
  if (isDelisted(drawers, position.marketId, marketStaleMs)) return true
  if (worstPrice !== null && isPast(position, worstPrice)) return true
  // The order that opened it, and those that made it larger, were filled before it was last seen.
  return (orders ?? []).some(({ marketId, state, createdAt, isProtective }) => {
    if (marketId !== position.marketId || state !== 'filled' || createdAt === null) return false
    return createdAt >= (isProtective ? (position.openedAt ?? seenAt) : seenAt - CLOCKS_APART_MS)
  })
}

/** Notes a wallet that the venue shows as empty, and a wallet whose empty answer is believed after all. */
function emptied(emptiness: Emptiness, { wallet, venue, mono }: WalletReading): Effect[] {
  const of = { wallet, ...venueField(venue) }
  if (emptiness.is !== 'believed')
    return [{ is: 'emptied', ...of, mono, doubted: emptiness.is === 'doubted' }]
  return emptiness.after === null || emptiness.isTimedOut ? [] : [{ is: 'emptied-believed', ...of }]
}

/** Notes ended positions without a close record, in case the venue shows them again. */
function endedNow(ended: readonly ClosedPosition[], { mono, closeRecords }: WalletReading): Effect[] {
  const positions = ended.flatMap(({ ending, position }) => (ending === null ? [position] : []))
  return positions.length === 0 ? [] : [{ is: 'ended', positions, mono, isUnrecorded: closeRecords !== null }]
}

/** The price nearest to liquidation since it was seen, by this run or the one before it. */
function worstOf(
  { markets: { priceSamples: samples } }: Pick<Memory, 'markets'>,
  { position, seenMono, seenAt }: SeenPosition,
  passed: WalletView['touchedLiquidation'],
  { at, mono }: WalletReading,
) {
  const since = seenMono === -Infinity ? mono - (at - seenAt) : seenMono
  const seen = samples.worstSince(position.marketId, side(position), since)
  const known = passed[positionKey(position)]
  if (known === undefined || seen === null) return seen ?? known ?? null
  return side(position) === 'long' ? Math.min(seen, known) : Math.max(seen, known)
}

/** Orders that the answer shows beside the positions, where rules are judged by them. */
function shownBeside(
  drawers: Pick<Memory, 'people' | 'rules' | 'wallets' | 'run'>,
  { wallet, venue, value }: WalletReading,
): SeenOrders | null {
  if (value.protectiveOrders === undefined || orderRecipients(drawers, wallet).size === 0) return null
  const known = drawers.wallets.orders.get(wallet) ?? NO_ORDERS
  const others = known.beside.filter(({ marketId }) => venueOf(marketId ?? '', drawers.run.venues) !== venue)
  return { ...known, beside: [...others, ...value.protectiveOrders] }
}

function enteredBy(before: WalletView | undefined, { held }: WalletView): string[] {
  const entered: string[] = []
  for (const [key, { position }] of held) if (!before?.held.has(key)) entered.push(position.marketId)
  return entered
}

/** Whether the prices of its market were out of sight since then for longer than people are left in the dark about. */
function wasHidden(look: EvaluationContext, { position, seenMono }: SeenPosition): boolean {
  return darkTimes(look, position.marketId).some(
    ({ since, until }) => until > wallAt(look, seenMono) && until - since > MARKETS_OUTAGE_MS,
  )
}

/** A price that nobody saw is no evidence: only one that was seen there shows a liquidation. */
function doubted(gone: ClosedPosition): ClosedPosition {
  const { cause, ending, by, position } = gone
  return cause === 'closed' && ending === null && by === undefined && position.liquidationPrice !== null
    ? { ...gone, cause: 'unknown', worstPrice: null }
    : gone
}

/** A position with impossible prices is unusable, not in danger: its last known figures count meanwhile. */
function withoutImpossible(drawers: Pick<Memory, 'markets'>, reading: WalletReading): WalletReading {
  const whyNot = (position: Position): string | null => {
    const market = drawers.markets.readings.get(position.marketId)?.value
    if (!market) return null
    const { price, delisted } = market
    if (onBrokenScale(position, price)) return 'a broken scale: its prices are a million times off the market'
    return !delisted && isImpossiblyPast(position, price)
      ? 'its liquidation price is impossible at this price'
      : null
  }
  const { positions, unusable } = reading.value
  const broken = positions.flatMap((position) => {
    const { marketId, accountId } = position
    const why = whyNot(position)
    return why === null ? [] : [{ position, what: `position in market ${marketId}`, part: accountId, why }]
  })
  if (broken.length === 0) return reading
  const sound = positions.filter((position) => !broken.some((one) => one.position === position))
  const added = broken.map(({ what, part, why }) => ({ what, part, why }))
  return {
    ...reading,
    value: { ...reading.value, positions: sound, unusable: [...unusable, ...added] },
  }
}

const WARNS: ReadonlySet<Reason> = new Set(['fired', 'worse'])

/**
 * Accounts are judged after their positions. Where the same message warns of one of those, it says what there
 * is to do, and the account's notice does not repeat it.
 */
function judgeAccounts(
  look: EvaluationContext,
  monitors: readonly Monitor[],
  before: readonly Decision[],
): Decision[] {
  const own = monitors.filter(({ kind }) => kind.on === 'account')
  return judgeAll({ ...look, warned: warnedIn(look, own, before) }, own)
}

/** The account monitors whose chat is warned of one of the account's positions. */
function warnedIn(
  look: EvaluationContext,
  monitors: readonly Monitor[],
  before: readonly Decision[],
): Set<MonitorKey> {
  const warned = before.flatMap(({ chatId, notices: said }) =>
    said.flatMap(({ reason, severity, about }) => {
      if (!WARNS.has(reason) || severity === 'info') return []
      const { subject } = monitorOf(about)
      const view = subject.is === 'position' ? viewOf(look, subject.wallet) : undefined
      if (subject.is !== 'position' || !view) return []
      const pool = poolOf(view, subject.accountId)
      const key = subjectKey(subject)
      const shares =
        pool !== null && sharingOf(view, pool).some(({ position }) => positionKey(position) === key)
      return shares ? [{ chatId, wallet: subject.wallet, pool }] : []
    }),
  )
  const keys = warned.flatMap(({ chatId, wallet, pool }) =>
    monitors
      .filter(({ id }) => id.chatId === chatId)
      .map(({ id }) => monitorKey({ ...id, subject: { is: 'account', wallet, accountId: pool } })),
  )
  return new Set(keys)
}
