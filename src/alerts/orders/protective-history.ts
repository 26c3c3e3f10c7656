import type { WalletSubject } from '../../alert/subject.ts'
import { toNumber } from '../../venue/amount.ts'
import type { ClosedPosition } from '../../venue/closed-position.ts'
import type { Order } from '../../venue/order.ts'
import { type Position, positionKey } from '../../venue/position.ts'
import { closes, type Protection, effectsOf, protectionsOf, isActive, type Role } from './protective.ts'

/** What guards positions, or did when it was last looked at. */
export type State = Known[]

interface Known {
  order: Order
  /** The key of the position that it closes, as far as one was seen. */
  position: string | null
  /** The look from which on it is not there (wall time), and what was known beside it then. Null while it is there. */
  lacked: { at: number; beside: string[] } | null
  /** Its position is gone: the look that showed it (wall time), and for which parts of it the price had come. */
  closed: { at: number; by: Role[] } | null
}

export type Occurred = Protection &
  (
    | { is: 'triggered'; isSure: boolean; position: string | null }
    | { is: 'gone'; position: Position; /** The same still guards it elsewhere. */ left: Protection[] }
  )

/** One of which nobody says what became of it, and whose position is not read, is forgotten after this. */
const LACKING_MS = 600_000
/** The newest of them: nobody guards his positions by more. */
const MOST = 200

/**
 * What has become of what guarded the positions. Orders and positions are read at different times: that one is gone while its
 * position stays is only said when two looks at the orders lacked it, and the positions were read after the first of these.
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
    const { kept, told } = again
      ? { kept: null, told: fewer(one, again, subject) }
      : missed(one, subject, [...known.keys()])
    if (kept) now.push(kept)
    occurrences.push(...told)
  }
  const newest = now.toSorted((a, b) => (b.order.createdAt ?? 0) - (a.order.createdAt ?? 0))
  return { now: now.length > MOST ? newest.slice(0, MOST) : now, occurrences }
}

/** One that is listed. That it is so after its position was gone shows that it did not close that. */
function seen(order: Order, last: Known | undefined, subject: WalletSubject): Known {
  const position = held(order, subject)
  if (position) return { order, position: positionKey(position), lacked: null, closed: null }
  const closed = closedBy(order, last?.position ?? null, subject) ?? last?.closed ?? null
  const outlives = closed !== null && (subject.ordersAt ?? 0) > closed.at
  return outlives
    ? { order, position: null, lacked: null, closed: null }
    : { order, position: last?.position ?? null, lacked: null, closed }
}

/** The same order guards by less than it did. */
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
): { kept: Known | null; told: Occurred[] } {
  const at = subject.ordersAt ?? subject.now
  const said = subject.orders?.find(({ id }) => id === one.order.id)
  const all = effectsOf(one.order)
  const triggered = (by: Protection[], isSure: boolean) =>
    by.map((protecting) => ({ ...protecting, is: 'triggered', isSure, position: one.position }) as const)
  if (said && wasTriggered(said)) return { kept: null, told: triggered(all, true) }
  const closed = closedBy(one.order, one.position, subject) ?? one.closed
  if (closed !== null) {
    const by = said === undefined ? all.filter(({ role }) => closed.by.includes(role)) : []
    return { kept: null, told: triggered(by, false) }
  }
  const lacked = one.lacked ?? { at, beside: known }
  // What never had a position has guarded nothing.
  if (one.position === null || at - lacked.at >= LACKING_MS) return { kept: null, told: [] }
  const there = open(one.position, subject)
  if (!there || subject.positionAt <= lacked.at || at <= lacked.at)
    return { kept: { ...one, order: said ?? one.order, lacked }, told: [] }
  const last = said ? all.map((protecting) => ({ ...protecting, order: said })) : all
  const isNew = ({ order }: Protection) => !lacked.beside.includes(order.id)
  const told = goneOf(last, there, subject)
  // Another one has taken its place.
  return { kept: null, told: told.filter((gone) => gone.is === 'gone' && !gone.left.some(isNew)) }
}

/** One that rests at a price of its own has been set off, and is not filled yet. */
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

/** The position that an order would close, if it is there for certain. */
function held(order: Order, subject: WalletSubject): Position | null {
  const all = effectsOf(order)
  const closed = subject.positions.find((position) => all.some((protecting) => closes(protecting, position)))
  return closed ? open(positionKey(closed), subject) : null
}

/** A position as it is now; null where it is missing, or cannot be read. */
function open(key: string | null, { positions, missing, failedParts }: WalletSubject): Position | null {
  const there = positions.find((one) => positionKey(one) === key)
  return there && key !== null && !missing.includes(key) && !failedParts.includes(there.accountId)
    ? there
    : null
}

/** Null where its position is not gone for certain. */
function closedBy(order: Order, position: string | null, subject: WalletSubject): Known['closed'] {
  const gone = subject.gone.find(({ key }) => key === position)
  if (!gone) return null
  const prices = seenPrices(gone, subject)
  const hasCome = ({ trigger, above }: Protection) =>
    prices.some((price) => (above ? price >= toNumber(trigger) : price <= toNumber(trigger)))
  const by = effectsOf(order).filter(hasCome)
  return { at: subject.positionAt, by: by.map(({ role }) => role) }
}

/** What the venue says of its end; else the prices that were seen from the last look that showed the position on. */
function seenPrices(
  { ending, position, lastPrice, worstPrice }: ClosedPosition,
  subject: WalletSubject,
): number[] {
  if (ending?.price != null) return [toNumber(ending.price)]
  const now = subject.market(position.marketId)?.price
  return [lastPrice, worstPrice, now === undefined ? null : toNumber(now)].filter((price) => price !== null)
}
