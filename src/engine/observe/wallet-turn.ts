import type { Kind } from '../../alert/alert.ts'
import { type GuardKey, guardKey, guardOf } from '../../alert/monitor.ts'
import { subjectKey } from '../../alert/subject-id.ts'
import type { Gone } from '../../venue/closed-position.ts'
import { type Position, positionKey, side } from '../../venue/position.ts'
import type { OwnerReading } from '../../venue/reading.ts'
import { feedKey } from '../../venue/source.ts'
import { doubt, onBrokenScale } from '../../venue/venue.ts'
import { answered, isUnconfirmed, settledBy } from '../evaluate/confirmation.ts'
import { endings } from '../evaluate/ended-monitors.ts'
import { poolOf, sharingOf } from '../memory/accounts.ts'
import type { Effect } from '../memory/effect.ts'
import { type Memory, priceOf, symbolOf } from '../memory/memory.ts'
import {
  merge,
  NO_ORDERS,
  type OwnerView,
  type SeenOrders,
  type SeenPosition,
} from '../memory/wallet-view.ts'
import { darkTimes, type Look, MARKETS_DARK_MS, positionsOf, viewOf, wallAt } from '../monitors/context.ts'
import { type Decision, leavesNoTrace } from '../monitors/decision.ts'
import { type Guard, guardsOfOwner } from '../monitors/monitors.ts'
import { hearersOfOrders } from '../monitors/subject-inputs.ts'
import { decideAll, judgeAll, type Moment, type Turn } from '../monitors/turn.ts'
import { accountsOf, marginFeedsOf, unwantedNow } from '../outage/account-sources.ts'
import { seeAgain } from '../outage/outage-notices.ts'
import { evidence, isDelisted } from './closing-evidence.ts'
import { isNews, keptView, rowOf } from './wallet-row.ts'

/** An answer about an owner: everything that its watchers' rules say of it is judged again. */
export function ownerTurn(
  memory: Memory,
  kinds: readonly Kind[],
  raw: OwnerReading,
  moment: Moment,
): Turn | null {
  const { owner, at, tick } = raw
  const before = memory.owners.get(owner)
  if (memory.watches.of(owner).size === 0 || (before && tick <= before.tick)) return null
  const reading = withoutBrokenScales(memory, raw)
  const { view: merged, complete, gone } = merge(before, reading, (id) => priceOf(memory, id))
  const feed = feedKey({ is: 'owner', owner })
  const parts = complete ? [accountsOf(memory, merged), marginFeedsOf(memory, merged, raw.inPassing)] : []
  const partsSeen = parts.flatMap((part) => part.seen)
  const seen = new Set(complete ? [feed, ...partsSeen] : [])
  const orders = shownBeside(memory, reading)
  const look: Look = {
    ...{ memory, kinds, ...moment, views: new Map([[owner, merged]]), seen },
    ...(orders && { orders: new Map([[owner, orders]]) }),
  }

  const ended = gone.map((held): Gone => {
    const { marketId } = held.position
    const found = evidence(held, {
      symbol: symbolOf(memory, marketId),
      price: priceOf(memory, marketId),
      worstPrice: worstOf(memory, held, before?.passed ?? {}),
      ...{ orders: reading.orders, endings: reading.endings, aliveAt: memory.aliveAt },
      delisted: isDelisted(memory, marketId, moment.marketStaleMs),
      takerFee: memory.markets.get(marketId)?.value.takerFee ?? null,
    })
    return wasHidden(look, held) ? doubted(found) : found
  })
  // A chat that could not be kept when it was told is told now; whoever was told remembers it no more.
  const evidences = [...merged.gone, ...ended]
  const sighted = seeAgain(look, seen, {
    market: (id) => memory.markets.get(id)?.value,
    positions: (one) => positionsOf(look, one).filter(({ accountId }) => !merged.unread.has(accountId)),
  })
  const returned = { learned: sighted.learned, decisions: decideAll(sighted.reports) }
  const guards = guardsOfOwner(look, owner)
  // What waits for this very read is judged with whatever else its chat waits for.
  const judged = judgeAll(
    look,
    guards.filter((guard) => guard.kind.on !== 'account' && !isUnconfirmed(memory, guard)),
    evidences,
  )
  const settled = settledBy(look, owner)
  const all = [
    ...returned.decisions,
    ...judged,
    ...endings(look, owner, before, guards, judged, evidences),
    ...settled,
    ...judgeAccounts(look, guards, [...judged, ...settled]),
  ]
  const decisions = all.filter((decision) => !leavesNoTrace(decision))
  const told = new Set(decisions.flatMap(({ mentions }) => mentions))
  const view = { ...merged, gone: evidences.filter(({ key }) => !complete || told.has(key)) }
  const moved = decisions.some(({ transition }) => transition !== null)
  const isDue = moved || isNews(memory, before, view)
  const learned: Effect[] = [
    ...(isDue ? [{ is: 'owner', memory: rowOf(memory, view) } as const] : []),
    ...(orders ? [{ is: 'orders', owner, seen: orders } as const] : []),
    { is: 'view', view: isDue ? keptView(memory, view) : view, entered: enteredBy(before, view) },
    ...all.flatMap((decision) => (leavesNoTrace(decision) ? decision.effects : [])),
    ...parts.flatMap((part) => part.learned),
    complete ? { is: 'seen', feed, at, tick } : { is: 'trouble', feed, why: doubt(reading.value), tick },
    ...answered(memory, owner),
    ...returned.learned,
    ...unwantedNow(
      memory,
      partsSeen,
      returned.decisions.flatMap(({ effects }) => effects),
    ),
  ]
  return { learned, decisions }
}

/** The price nearest to liquidation since it was seen, by this run or the one before it. */
function worstOf({ samples }: Memory, { position, seenTick }: SeenPosition, passed: OwnerView['passed']) {
  const seen = samples.worstSince(position.marketId, side(position), seenTick)
  const known = passed[positionKey(position)]
  if (known === undefined || seen === null) return seen ?? known ?? null
  return side(position) === 'long' ? Math.min(seen, known) : Math.max(seen, known)
}

/** Orders that the answer shows beside the positions, where rules are judged by them. */
function shownBeside(memory: Memory, { owner, value }: OwnerReading): SeenOrders | null {
  if (value.guards === undefined || hearersOfOrders(memory, owner).size === 0) return null
  return { ...(memory.orders.get(owner) ?? NO_ORDERS), beside: value.guards }
}

function enteredBy(before: OwnerView | undefined, { held }: OwnerView): string[] {
  const entered: string[] = []
  for (const [key, { position }] of held) if (!before?.held.has(key)) entered.push(position.marketId)
  return entered
}

/** Whether the prices of its market were out of sight since then for longer than people are left in the dark about. */
function wasHidden(look: Look, { position, seenTick }: SeenPosition): boolean {
  return darkTimes(look, position.marketId).some(
    ({ since, until }) => until > wallAt(look, seenTick) && until - since > MARKETS_DARK_MS,
  )
}

/** What nobody saw speaks for nothing: only a price that was seen there shows a liquidation. */
function doubted(gone: Gone): Gone {
  return gone.cause === 'closed' && gone.ending === null && gone.position.liquidationPrice !== null
    ? { ...gone, cause: 'unknown', worstPrice: null }
    : gone
}

/** A position whose entry is a million times off its market is on a broken scale: unusable, not in danger. */
function withoutBrokenScales(memory: Memory, reading: OwnerReading): OwnerReading {
  const isSound = ({ marketId, entryPrice }: Position) => {
    const market = memory.markets.get(marketId)
    return !market || !onBrokenScale(entryPrice, market.value.price)
  }
  const { positions, unusable } = reading.value
  const sound = positions.filter(isSound)
  if (sound.length === positions.length) return reading
  const broken = positions
    .filter((position) => !sound.includes(position))
    .map(({ marketId, accountId }) => ({
      what: `position in market ${marketId}`,
      part: accountId,
      why: 'a broken scale: its entry price is a million times off the market',
    }))
  return {
    ...reading,
    value: { ...reading.value, positions: sound, unusable: [...unusable, ...broken] },
  }
}

const WARNS: ReadonlySet<string> = new Set(['entered', 'worse'])

/**
 * Accounts are judged after their positions: where one of those is warned of in the same message, what there is to do
 * is said there, and not twice.
 */
function judgeAccounts(look: Look, guards: readonly Guard[], before: readonly Decision[]): Decision[] {
  const own = guards.filter(({ kind }) => kind.on === 'account')
  return judgeAll({ ...look, warned: warnedIn(look, own, before) }, own)
}

/** The guards of an account of which a position is warned of in their chat. */
function warnedIn(look: Look, guards: readonly Guard[], before: readonly Decision[]): Set<GuardKey> {
  const warned = before.flatMap(({ chatId, said }) =>
    said.flatMap(({ reason, severity, about }) => {
      if (!WARNS.has(reason) || severity === 'info') return []
      const { subject } = guardOf(about)
      const view = subject.is === 'position' ? viewOf(look, subject.owner) : undefined
      if (subject.is !== 'position' || !view) return []
      const pool = poolOf(view, subject.accountId)
      const key = subjectKey(subject)
      const shares =
        pool !== null && sharingOf(view, pool).some(({ position }) => positionKey(position) === key)
      return shares ? [{ chatId, owner: subject.owner, pool }] : []
    }),
  )
  const keys = warned.flatMap(({ chatId, owner, pool }) =>
    guards
      .filter(({ id }) => id.chatId === chatId)
      .map(({ id }) => guardKey({ ...id, subject: { is: 'account', owner, accountId: pool } })),
  )
  return new Set(keys)
}
