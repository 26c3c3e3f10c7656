import { toNumber } from '../../amount.ts'
import { feedOf } from '../../feed.ts'
import type { Market } from '../../market.ts'
import { positionKey } from '../../position.ts'
import type { OwnerReading } from '../../reading.ts'
import type { Account } from '../../account.ts'
import type { Effect } from '../effect.ts'
import type { Memory } from '../memory.ts'
import type { OwnerView } from '../owner-view.ts'
import type { Recorder } from './recorder.ts'
import type { KnownAccount } from './wallet-past.ts'

const DIGITS = 10

/** Each price of a market counts where somebody is in it or has a rule for it. */
export function recordMarket({ past, holders, rulesOn }: Memory, market: Market, at: number): void {
  const figures = { at, price: toNumber(market.price), rate: toNumber(market.fundingRatePerDay) }
  past.price(market.id, figures, holders.has(market.id) || rulesOn.has(market.id))
}

/** What memory takes is what was known from then on. */
export function record({ past }: Memory, effect: Effect): void {
  if (effect.is === 'view') recordView(past, effect.view)
  else if (effect.is === 'same') recordAnswer(past, effect.reading)
  else if (effect.is === 'blind') {
    const feed = feedOf(effect.feed)
    if (feed.is === 'owner') past.unseen(feed.owner, effect.since, effect.at ?? effect.since)
  } else if (effect.is === 'owner-gone') past.forget(effect.owner)
  else if (effect.is === 'past') past.kept(effect)
}

/** What is held as it is judged: with what one answer lacks. */
function recordView(past: Recorder, { owner, held, accounts, at, tick, completeTick }: OwnerView): void {
  if (!past.takes(owner)) return
  if (completeTick === tick) past.unseen(owner, null, at)
  const known = [...held].map(
    ([key, { position, missingSince }]) => [key, { ...position, missing: missingSince !== null }] as const,
  )
  const beside = [...accounts].map(
    ([id, { account, seenTick }]) => [id, accountOf(account, seenTick < tick)] as const,
  )
  past.wallet(owner, { positions: new Map(known), accounts: new Map(beside) }, at)
}

/** The same of an answer that shows what was held, and nothing beside it. */
function recordAnswer(past: Recorder, { owner, value, at }: OwnerReading): void {
  if (!past.takes(owner)) return
  const known = value.positions.map(
    (position) => [positionKey(position), { ...position, missing: false }] as const,
  )
  past.wallet(owner, { positions: new Map(known), accounts: null }, at)
}

/** Of ten digits, as prices are. */
function accountOf({ pool, marginRatio }: Account, late: boolean): KnownAccount {
  return { pool, ratio: marginRatio === null ? null : Number(marginRatio.toPrecision(DIGITS)), late }
}
