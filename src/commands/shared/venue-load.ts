import { age, quantity } from '../../message/figure.ts'
import { type Item, item, joined, type Text, words } from '../../message/message.ts'
import {
  MINUTE_MS,
  type RequestUsage,
  type Turns,
  type VenueLoad,
  walletsServed,
  weightByPurpose,
} from '../../venue/venue-load.ts'
import type { PublicTrades, PushStatus } from '../../venue/venue.ts'
import { ageNote } from './readings.ts'

/** How a venue is read, what that costs, and how many wallets it is enough for. `ages`: lines on the age of its data. */
export function venueLoadItem(
  venueLoad: VenueLoad,
  watched: number,
  now: number,
  ages: readonly Text[] = [],
): Item {
  const { venue, push, spent, weighed } = venueLoad
  const sum = Math.round(weightByPurpose(spent).reduce((all, [, weight]) => all + weight, 0))
  const of = {
    sum: quantity(sum),
    most: quantity(Math.floor(spent.atMost)),
    period: spent.coversMs < MINUTE_MS ? ('start' as const) : ('minute' as const),
  }
  const served = walletsServed(venueLoad, watched)
  const lines: Text[] = [
    ...ages,
    ...(push ? pushLines(push, now) : []),
    ...(push?.trades ? tradesLines(push.trades, watched - followedBy(push), venueLoad.turns) : []),
    words(weighed ? 'load.weight' : 'load.requests', of),
    ...(weighed ? costLines(spent) : []),
    ...(served === null ? [] : [servedText(served, watched, venueLoad.turns)]),
    ...turnsLines(venueLoad.turns),
  ]
  const title = titleOf(push)
  return item('plain', venue === null ? title : words('shown.because', { what: venue, why: title }), lines)
}

/** Names the cost of each purpose, the dearest first: `wallets 510, markets 60`. */
function costLines(spent: RequestUsage): Text[] {
  const costs = weightByPurpose(spent)
    .map(([purpose, weight]) => [purpose, Math.round(weight)] as const)
    .filter(([, weight]) => weight > 0)
    .toSorted(([, a], [, b]) => b - a)
  if (costs.length === 0) return []
  return [
    joined(
      costs.map(([purpose, weight]) => words('load.cost', { purpose, weight: quantity(weight) })),
      ', ',
    ),
  ]
}

function titleOf(push: PushStatus | null): Text {
  if (!push) return words('load.polling')
  const since = { time: { time: push.since, as: 'clock' as const } }
  if (push.open && push.why !== null) return words('load.push-short')
  return push.open ? words('load.pushed', since) : words('load.no-push', since)
}

function pushLines({ open, why, marketsAt, subscriptions, wallets }: PushStatus, now: number): Text[] {
  const { followed, allowed } = wallets
  return [
    ...(why === null ? [] : [why]),
    ...(open && why === null && marketsAt !== null
      ? [words('load.prices', { age: ageNote(marketsAt, now) })]
      : []),
    ...(open
      ? [
          words('load.subscriptions', {
            n: subscriptions,
            followed: quantity(followed),
            allowed: quantity(allowed),
          }),
        ]
      : []),
  ]
}

function followedBy({ open, wallets }: PushStatus): number {
  return open ? wallets.followed : 0
}

/** How the wallets are seen that the venue does not push. */
function tradesLines({ heard, markets, since }: PublicTrades, others: number, turns: Turns): Text[] {
  if (others <= 0) return []
  const of = { heard: quantity(heard), markets: quantity(markets) }
  if (since === null) return [words('load.unheard', of)]
  const time = { time: since, as: 'clock' as const }
  const { everyMs, wishedMs } = turns
  return [
    words('load.heard', { n: others, markets: of.markets, time }),
    ...(everyMs === null || everyMs > wishedMs ? [] : [words('load.turn', { age: age(everyMs) })]),
  ]
}

/** The age of wallet readings, if it exceeds the intended one. */
export function turnsLines({ everyMs, wishedMs }: Turns): Text[] {
  return everyMs !== null && everyMs > wishedMs
    ? [words('load.slow', { age: age(everyMs), wished: age(wishedMs) })]
    : []
}

/** An estimate: the cost of a wallet depends on its positions and on its distance from danger. */
function servedText(served: number, watched: number, { wishedMs }: Turns): Text {
  const of = { served, wished: age(wishedMs) }
  return served < watched
    ? words('load.too-many', { ...of, served: quantity(served), n: watched })
    : words('load.enough', of)
}
