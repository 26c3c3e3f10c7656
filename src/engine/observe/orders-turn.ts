import type { Kind } from '../../alert/alert.ts'
import type { OrdersReading, TwapsReading } from '../../venue/reading.ts'
import { ordersSource } from '../../venue/source.ts'
import { venueField } from '../../venue/venue-name.ts'
import { isUnconfirmed } from '../evaluate/confirmation.ts'
import { judgeAll } from '../evaluate/judge.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { isOfVenue } from '../memory/monitors.ts'
import { numbersAfter } from '../memory/run.ts'
import { NO_ORDERS } from '../memory/wallet-view.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { leavesNoTrace } from '../monitors/decision.ts'
import { monitorsOfWallet } from '../monitors/monitors.ts'
import { orderRecipients } from '../monitors/subject-inputs.ts'
import { decideAll, type Moment, type Outcome } from '../monitors/turn.ts'
import { stopWatchingNow } from '../outage/account-sources.ts'
import { asLastKnown } from '../outage/last-known.ts'
import { reportRecovery } from '../outage/outage-notices.ts'
import { failing } from '../outage/sources.ts'
import { twapsTurn } from './twaps-turn.ts'

/**
 * Judges again by an answer about a wallet's orders. An answer that does not show all of them
 * counts as a failed read.
 */
export function ordersTurn(
  drawers: Pick<
    Memory,
    'people' | 'rules' | 'monitors' | 'silences' | 'wallets' | 'markets' | 'sources' | 'run'
  >,
  kinds: readonly Kind[],
  reading: OrdersReading | TwapsReading,
  moment: Moment,
): Outcome | null {
  if (reading.of === 'twaps') return twapsTurn(drawers, kinds, reading, moment)
  const { wallet, venue, value, at, mono } = reading
  const before = drawers.wallets.orders.get(wallet) ?? NO_ORDERS
  if (orderRecipients(drawers, wallet).size === 0) return null
  const known = before.listed.get(venue)
  if (known && mono <= known.mono) return null
  const [broken] = value.unusable
  if (broken) {
    const source = { is: 'orders', wallet, ...venueField(venue) } as const
    return {
      observed: failing(drawers, source, `${broken.what}: ${broken.why}`, { at, mono }),
      decisions: [],
    }
  }
  const source = ordersSource(wallet, venue)
  const isMissed =
    drawers.sources.accountSources.of(wallet).has(source) || drawers.sources.failingSince.has(source)
  const seen = new Set(isMissed ? [source] : [])
  const listed = new Map(before.listed).set(venue, { value: value.orders, at, mono })
  const orders = { ...before, listed }
  const look: EvaluationContext = {
    ...{ memory: drawers, kinds, ...moment, numbers: numbersAfter(drawers) },
    ...{ views: new Map(), seen, orders: new Map([[wallet, orders]]) },
  }
  const sighted = reportRecovery(look, seen, asLastKnown(drawers))
  const returned = decideAll(sighted.reports)
  const monitors = monitorsOfWallet(look, wallet).filter(
    (monitor) =>
      monitor.kind.reads === 'orders' &&
      isOfVenue(monitor.id.subject, venue, drawers.run.venues) &&
      !isUnconfirmed(drawers, monitor),
  )
  const all = [...returned, ...judgeAll(look, monitors)]
  const told = returned.flatMap(({ effects }) => effects)
  const observed: Effect[] = [
    { is: 'orders', wallet, seen: orders },
    ...all.flatMap((decision) => (leavesNoTrace(decision) ? decision.effects : [])),
    ...[...seen].map((one): Effect => ({ is: 'seen', source: one, at, mono })),
    ...sighted.observed,
    ...stopWatchingNow(drawers, [...seen], told),
  ]
  return { observed, decisions: all.filter((decision) => !leavesNoTrace(decision)) }
}
