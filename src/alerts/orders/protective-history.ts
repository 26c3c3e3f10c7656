import type { WalletSubject } from '../../alert/subject.ts'
import { magnitude, toNumber } from '../../venue/amount.ts'
import type { ClosedPosition } from '../../venue/closed-position.ts'
import type { Order } from '../../venue/order.ts'
import { type Position, positionKey } from '../../venue/position.ts'
import type { ClosingOrder } from '../../venue/venue.ts'
import { listedAt } from './ended.ts'
import { closes, type Protection, effectsOf, protectionsOf, isActive, type Role } from './protective.ts'

/** The protective orders of a wallet that are or were known. */
export type State = Known[]

interface Known {
  order: Order
  /** The key of the position that it closes; null if none was seen. */
  position: string | null
  /**
   * The first read that lacked it (wall time), and the ids of the other known orders at that time. Null while
   * it is listed.
   */
  lacked: { at: number; beside: string[] } | null
  /**
   * Its position is closed: the read that showed it (wall time), and the roles whose trigger price was
   * reached. `named`: the order that the alert about the close names.
   */
  closed: { at: number; by: Role[]; named?: ClosingOrder } | null
  /** The alert about the part that it closed names the order. */
  part?: true
}

export type Occurred = Protection &
  /** `elsewhere`: the alert about the close of the position, or of a part of it, names the order. */
  (
    | { is: 'triggered'; isSure: boolean; position: string | null; elsewhere: boolean }
    | {
        is: 'gone'
        position: Position
        /** The position's remaining orders of the same role. */ left: Protection[]
      }
  )

/** Forgets an order after this, if its outcome is unknown and its position cannot be read. */
const LACKING_MS = 600_000
/** The alert about the close of its position may name a filled order: wait for that so long. */
const NAMED_WITHIN_MS = 60_000
/** The most orders to keep, newest first: no trader has more. */
const MAX_KNOWN_ORDERS = 200

/**
 * Finds the changes of a wallet's protective orders. Orders and positions are read at different times. So an
 * order counts as gone only after two reads of the orders lacked it, with a read of its position in between.
 */
export function protectedBy(
  before: State | undefined,
  subject: WalletSubject,
): { now: State; occurrences: Occurred[] } {
  const active = (subject.orders ?? []).filter((order) => isActive(order) && effectsOf(order).length > 0)
  const listed = new Map(active.map((order) => [order.id, order]))
  const known = new Map(before?.map((one) => [one.order.id, one]))
  const now = active.map((order) => seen(order, known.get(order.id), subject))
  const occurrences: Occurred[] = []
  for (const one of before ?? []) {
    const again = listed.get(one.order.id)
    const { kept, changes } = again
      ? { kept: null, changes: fewer(one, again, subject) }
      : missed(one, subject, [...known.keys()])
    if (kept) now.push(kept)
    occurrences.push(...changes)
  }
  const newest = now.toSorted((a, b) => (b.order.createdAt ?? 0) - (a.order.createdAt ?? 0))
  return { now: now.length > MAX_KNOWN_ORDERS ? newest.slice(0, MAX_KNOWN_ORDERS) : now, occurrences }
}

/** An order that is still listed. If it outlives its position, it did not close it. */
function seen(order: Order, last: Known | undefined, subject: WalletSubject): Known {
  const position = held(order, subject)
  const part = isPart(order, last, subject)
  if (position)
    return { order, position: positionKey(position), lacked: null, closed: null, ...(part && { part }) }
  const closed = closedBy(order, last?.position ?? null, subject) ?? last?.closed ?? null
  const outlives = closed !== null && listedAt(order, subject) > closed.at
  return outlives
    ? { order, position: null, lacked: null, closed: null }
    : { order, position: last?.position ?? null, lacked: null, closed }
}

/** The same order now has fewer roles. */
function fewer({ order, position }: Known, now: Order, subject: WalletSubject): Occurred[] {
  const there = open(position, subject)
  const roles = new Set(effectsOf(now).map(({ role }) => role))
  if (!there) return []
  return goneOf(
    effectsOf(order).filter(({ role }) => !roles.has(role)),
    there,
    subject,
  )
}

function missed(
  one: Known,
  subject: WalletSubject,
  known: string[],
): { kept: Known | null; changes: Occurred[] } {
  const at = listedAt(one.order, subject)
  const latest = subject.orders?.find(({ id }) => id === one.order.id)
  const all = effectsOf(one.order)
  const triggered = (by: Protection[], isSure: boolean, isElsewhere: (role: Role) => boolean) =>
    by.map((protecting): Occurred => {
      const elsewhere = isElsewhere(protecting.role)
      return { ...protecting, is: 'triggered', isSure, position: one.position, elsewhere }
    })
  const closed = closedBy(one.order, one.position, subject) ?? one.closed
  const part = isPart(one.order, one, subject)
  const lacked = one.lacked ?? { at, beside: known }
  if (latest && wasTriggered(latest)) {
    const isFilled = latest.state === 'filled'
    if (isFilled && closed === null && !part && at - lacked.at < NAMED_WITHIN_MS && mayBeNamed(one, subject))
      return { kept: { ...one, lacked }, changes: [] }
    const isElsewhere = (role: Role) => isFilled && (part || closed?.named === ROLES[role])
    return { kept: null, changes: triggered(all, true, isElsewhere) }
  }
  if (closed !== null) {
    const by = latest === undefined ? all.filter(({ role }) => closed.by.includes(role)) : []
    const isNamed = closed.named !== undefined
    return { kept: null, changes: triggered(by, isNamed, () => isNamed) }
  }
  // An order that never had a position protected nothing.
  if (one.position === null || at - lacked.at >= LACKING_MS) return { kept: null, changes: [] }
  const there = open(one.position, subject)
  const shownAt = subject.shownAt?.(one.position) ?? subject.positionAt
  if (!there || shownAt <= lacked.at || at <= lacked.at)
    return { kept: { ...one, order: latest ?? one.order, lacked }, changes: [] }
  const last = latest ? all.map((protecting) => ({ ...protecting, order: latest })) : all
  const isNew = ({ order }: Protection) => !lacked.beside.includes(order.id)
  const changes = goneOf(last, there, subject)
  // A new order has replaced it.
  return { kept: null, changes: changes.filter((gone) => gone.is === 'gone' && !gone.left.some(isNew)) }
}

/**
 * Whether its position is still shown, and the alert about the close may name the order. Where the order closes only a
 * part, that takes a record of the venue.
 */
function mayBeNamed({ order, position }: Known, { positions, hasRecords }: WalletSubject): boolean {
  const there = positions.find((one) => positionKey(one) === position)
  if (!there) return false
  const isWhole =
    order.size === 'all' || order.size === null || magnitude(order.size) >= magnitude(there.size)
  return isWhole || hasRecords(there.accountId)
}

/** Whether the alert about a part of its position has named the order. */
function isPart(order: Order, last: Known | undefined, { taken }: WalletSubject): boolean {
  if (last?.part) return true
  const roles = new Set<string>(effectsOf(order).map(({ role }) => ROLES[role]))
  return taken.some(({ key, how }) => key === last?.position && roles.has(how))
}

/** An order that now rests at its own price was triggered and is not filled yet. */
function wasTriggered({ state, limit }: Order): boolean {
  return state === 'filled' || state === 'triggered' || (state === 'open' && limit !== null)
}

function goneOf(protections: Protection[], position: Position, subject: WalletSubject): Occurred[] {
  const left = protectionsOf(position, subject.orders ?? [])
  return protections.map((protecting) => ({
    ...protecting,
    is: 'gone',
    position,
    left: left.filter(({ role }) => role === protecting.role),
  }))
}

/** The position that an order would close, if it is open for certain. */
function held(order: Order, subject: WalletSubject): Position | null {
  const all = effectsOf(order)
  const closed = subject.positions.find((position) => all.some((protecting) => closes(protecting, position)))
  return closed ? open(positionKey(closed), subject) : null
}

/** The current position; null if it is missing or unreadable. */
function open(key: string | null, { positions, missing, failedParts }: WalletSubject): Position | null {
  const there = positions.find((one) => positionKey(one) === key)
  return there && key !== null && !missing.includes(key) && !failedParts.includes(there.accountId)
    ? there
    : null
}

const ROLES = { 'take profit': 'take-profit', 'stop loss': 'stop-loss' } as const

/** Null if its position may still be open. */
function closedBy(order: Order, position: string | null, subject: WalletSubject): Known['closed'] {
  const gone = subject.gone.find(({ key }) => key === position)
  if (!gone) return null
  const prices = seenPrices(gone, subject)
  const hasCome = ({ trigger, above }: Protection) =>
    prices.some((price) => (above ? price >= toNumber(trigger) : price <= toNumber(trigger)))
  const by = effectsOf(order).filter(hasCome)
  const named = gone.cause === 'closed' ? gone.by : undefined
  const roles = by.map(({ role }) => role).filter((role) => named === undefined || ROLES[role] === named)
  return { at: subject.positionAt, by: roles, ...(named !== undefined && { named }) }
}

/** The venue's price of the close, else the prices seen since the last read that showed the position. */
function seenPrices(
  { ending, position, lastPrice, worstPrice }: ClosedPosition,
  subject: WalletSubject,
): number[] {
  if (ending?.price != null) return [toNumber(ending.price)]
  const now = subject.market(position.marketId)?.price
  return [lastPrice, worstPrice, now === undefined ? null : toNumber(now)].filter((price) => price !== null)
}
