import { age, ago, quantity } from '../../message/figure.ts'
import { type Item, item, type Text, text } from '../../message/message.ts'
import { MINUTE_MS, type VenueLoad, type Turns, walletsServed } from '../../venue/venue-load.ts'
import type { PushStatus } from '../../venue/venue.ts'
import { count } from './pages.ts'

/** How the venue is read, what that costs, and how many wallets it is enough for. */
export function venueLoadItem(venueLoad: VenueLoad, watched: number, now: number): Item {
  const { push, spent, weighed } = venueLoad
  const sum = Math.round(spent.markets + spent.wallets + spent.asked)
  const most = quantity(Math.floor(spent.atMost))
  const during = spent.coversMs < MINUTE_MS ? 'since the start' : 'in the last minute'
  const served = walletsServed(venueLoad, watched)
  const lines: Text[] = [
    ...(push ? pushLines(push, now) : []),
    weighed
      ? text`weight ${quantity(sum)} of ${most} ${during}`
      : text`${quantity(sum)} requests ${during}, at most ${most} a minute`,
    ...(served === null ? [] : [servedText(served, watched, venueLoad.turns)]),
    ...turnsLines(venueLoad.turns),
  ]
  return item('plain', titleOf(push), lines)
}

function titleOf(push: PushStatus | null): Text {
  if (!push) return 'Read by asking in turn'
  const since = { time: push.since, as: 'clock' } as const
  if (push.open && push.why !== null) return 'Push falls short: I ask in turn as well'
  return push.open ? text`Pushed by the venue since ${since}` : text`No push since ${since}: I ask in turn`
}

function pushLines({ open, why, marketsAt, subscriptions, wallets }: PushStatus, now: number): Text[] {
  const { followed, allowed } = wallets
  return [
    ...(why === null ? [] : [why]),
    ...(open && why === null && marketsAt !== null ? [text`prices came ${ago(now - marketsAt)}`] : []),
    ...(open
      ? [
          `${count(subscriptions, 'subscription')}; ${followed} of at most ${count(allowed, 'wallet')} pushed as well`,
        ]
      : []),
  ]
}

/** The age of wallet readings, if it exceeds the intended one. */
export function turnsLines({ everyMs, wishedMs }: Turns): Text[] {
  return everyMs !== null && everyMs > wishedMs
    ? [text`wallets are read every ${age(everyMs)} at present; wished: ${age(wishedMs)}`]
    : []
}

/** An estimate: the cost of a wallet depends on its positions and on its distance from danger. */
function servedText(served: number, watched: number, { wishedMs }: Turns): Text {
  return served < watched
    ? text`too little for ${count(watched, 'wallet')}: the present pace is enough for about ${quantity(served)}, each read every ${age(wishedMs)}`
    : text`the present pace is enough for about ${count(served, 'wallet')}, each read every ${age(wishedMs)}`
}
