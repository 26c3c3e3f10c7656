import type { Kind } from '../../alert/alert.ts'
import type { TwapsReading } from '../../venue/reading.ts'
import { ordersSource } from '../../venue/source.ts'
import { venueField, venueOf } from '../../venue/venue-name.ts'
import { isUnconfirmed } from '../evaluate/confirmation.ts'
import { judgeAll } from '../evaluate/judge.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { numbersAfter } from '../memory/run.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { leavesNoTrace } from '../monitors/decision.ts'
import { monitorsOfWallet } from '../monitors/monitors.ts'
import { orderRecipients } from '../monitors/subject-inputs.ts'
import { decideAll, type Moment, type Outcome } from '../monitors/turn.ts'
import { stopWatchingNow } from '../outage/account-sources.ts'
import { asLastKnown } from '../outage/last-known.ts'
import { reportRecovery } from '../outage/outage-notices.ts'
import { failing } from '../outage/sources.ts'

/**
 * Judges again by an answer about a wallet's TWAPs. Each TWAP says itself how it stands, so an answer that lacks some
 * shows the others, and counts as a failed read for what it lacks. Memory holds no TWAPs: a kind has them in its state.
 */
export function twapsTurn(
  drawers: Pick<
    Memory,
    'people' | 'rules' | 'monitors' | 'silences' | 'wallets' | 'markets' | 'sources' | 'run'
  >,
  kinds: readonly Kind[],
  reading: TwapsReading,
  moment: Moment,
): Outcome | null {
  const { wallet, venue, value, at, mono } = reading
  if (orderRecipients(drawers, wallet, 'twaps').size === 0) return null
  const source = ordersSource(wallet, venue, 'twaps')
  const [broken] = value.unusable
  const { venues } = drawers.run
  // A venue must not speak for another one.
  const own = value.twaps.filter(
    ({ accountId, marketId }) => venueOf(accountId, venues) === venue && venueOf(marketId, venues) === venue,
  )
  const isMissed =
    drawers.sources.accountSources.of(wallet).has(source) || drawers.sources.failingSince.has(source)
  const seen = new Set(isMissed && !broken ? [source] : [])
  const look: EvaluationContext = {
    ...{ memory: drawers, kinds, ...moment, numbers: numbersAfter(drawers) },
    ...{ views: new Map(), seen, twaps: { ...reading, value: { ...value, twaps: own } } },
  }
  const sighted = reportRecovery(look, seen, asLastKnown(drawers))
  const returned = decideAll(sighted.reports)
  const monitors = monitorsOfWallet(look, wallet).filter(
    (monitor) => monitor.kind.reads === 'twaps' && !isUnconfirmed(drawers, monitor),
  )
  const all = [...returned, ...judgeAll(look, monitors)]
  const told = returned.flatMap(({ effects }) => effects)
  const fails = { is: 'orders', wallet, of: 'twaps', ...venueField(venue) } as const
  const observed: Effect[] = [
    ...(broken ? failing(drawers, fails, `${broken.what}: ${broken.why}`, { at, mono }) : []),
    ...all.flatMap((decision) => (leavesNoTrace(decision) ? decision.effects : [])),
    ...[...seen].map((one): Effect => ({ is: 'seen', source: one, at, mono })),
    ...sighted.observed,
    ...stopWatchingNow(drawers, [...seen], told),
  ]
  return { observed, decisions: all.filter((decision) => !leavesNoTrace(decision)) }
}
