import { findKind, type Kind, type LevelKind } from '../../alert/alert.ts'
import type { MonitorId } from '../../alert/monitor.ts'
import { subjectOfPosition } from '../../alert/subject-id.ts'
import type { OpenPosition } from '../../chat/holdings.ts'
import type { View } from '../../command/context.ts'
import { toNumber } from '../../venue/amount.ts'
import { fundingPerDay, notional, side, unrealisedPnl } from '../../venue/position.ts'
import { distanceOf, marketOf, type ShownPosition } from './position-lines.ts'

type Seen = Pick<View, 'rules' | 'monitor'>

/** The figures of a position as data. */
export function figuresOf(held: ShownPosition): Omit<OpenPosition, 'key' | 'tiers' | 'readAt'> {
  const { position, symbol, wallet } = held
  const market = marketOf(held)
  const liquidation = position.liquidationPrice
  return {
    wallet,
    symbol,
    market: position.marketId,
    side: side(position),
    // A size beyond the reach of a double is not unknown.
    size: Math.min(Math.abs(toNumber(position.size)), Number.MAX_VALUE),
    price: market ? finite(toNumber(market.price)) : null,
    priceName: market?.priceName ?? null,
    value: market ? finite(notional(position, market.price)) : null,
    liquidation: liquidation === null ? null : finite(toNumber(liquidation)),
    distance: finite(distanceOf(held)),
    entry: position.entryPrice === null ? null : finite(toNumber(position.entryPrice)),
    pnl: market ? finite(unrealisedPnl(position, market.price)) : null,
    fundingPerDay: market ? finite(fundingPerDay(position, market)) : null,
  }
}

/** JSON knows no infinity, and no zero below zero. */
export function finite(figure: number | null): number | null {
  return figure !== null && Number.isFinite(figure) ? figure + 0 : null
}

type Tiers = OpenPosition['tiers']

/**
 * Returns a function that gives the lines of a position: those at which this person is alerted in any chat, the largest
 * distance first.
 */
export function tiersFor(
  view: Seen,
  kinds: readonly Kind[],
  personId: number,
): (held: Pick<ShownPosition, 'position'>) => Tiers {
  const guards = new Map<string, { kind: LevelKind<unknown>; of: Omit<MonitorId, 'subject'> }>()
  for (const { chatId, kind: name, identity } of view.rules(personId)) {
    const kind = findKind(kinds, name)
    if (kind?.is === 'level' && kind.lines)
      guards.set(`${chatId} ${name} ${identity}`, { kind, of: { chatId, kind: name, identity } })
  }
  return ({ position }) => {
    const subject = subjectOfPosition(position)
    const found: Tiers[] = []
    for (const { kind, of } of guards.values()) {
      const monitor = view.monitor({ ...of, subject })
      if (monitor) found.push(tiersOf(kind, monitor.params))
    }
    const [only = [], ...others] = found
    if (others.length === 0) return only
    const tiers = new Map(found.flat().map((tier) => [tier.at, tier]))
    return [...tiers.values()].toSorted((a, b) => b.at - a.at)
  }
}

/** Rules share their parameters, which never change. So their lines are found once, not for each glance. */
const known = new WeakMap<Kind, WeakMap<object, Tiers>>()

function tiersOf(kind: LevelKind<unknown>, params: unknown): Tiers {
  const ofKind = known.get(kind) ?? new WeakMap<object, Tiers>()
  known.set(kind, ofKind)
  const shared = typeof params === 'object' ? params : null
  const before = shared && ofKind.get(shared)
  if (before) return before
  const lines = kind.lines?.(params) ?? []
  const tiers = new Map(lines.map((at, line) => [at, { at, severity: kind.severity(params, line + 1) }]))
  const made = [...tiers.values()].toSorted((a, b) => b.at - a.at)
  if (shared) ofKind.set(shared, made)
  return made
}
