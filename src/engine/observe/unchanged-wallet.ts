import { type Bounds, findKind, type Kind, type Rule } from '../../alert/alert.ts'
import type { SubjectId } from '../../alert/subject-id.ts'
import type { Reading } from '../../runtime/clock.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { type Position, onBrokenScale } from '../../venue/position.ts'
import type { WalletReading } from '../../venue/reading.ts'
import { type SourceKey, walletSource } from '../../venue/source.ts'
import { doubt } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { isOfVenue } from '../memory/monitors.ts'
import { walletLabel } from '../memory/rules.ts'
import type { SeenPosition } from '../memory/wallet-view.ts'
import type { ComparedPosition } from '../memory/position-columns.ts'
import { pricesBehind, wallAt } from '../monitors/context.ts'
import { rulesOverWallet } from '../monitors/monitors.ts'
import type { Moment } from '../monitors/turn.ts'
import { isOff } from './wallet-row.ts'

type ArmedBounds = Extract<Effect, { is: 'bounds' }>

/**
 * The effects of an answer that differs from the last one only in liquidation prices, while its wallet is
 * quiet and stays so. Null for any other answer. Most answers are such, and to judge one costs many times as
 * much.
 *
 * Nothing else can come of such an answer. No monitor of the wallet fires or is pending. Each has bounds for
 * its market's figures, and the turns of the markets check those. Between two equal readings nothing has
 * happened. A position with a new liquidation price is judged: where its monitors stay quiet, only their
 * bounds change.
 */
export function unchanged(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'wallets' | 'markets' | 'sources' | 'run'>,
  kinds: readonly Kind[],
  reading: WalletReading,
  moment: Moment,
): Effect[] | null {
  const { wallet, venue, at, mono } = reading
  const source = walletSource(wallet, venue)
  if (!isPlain(reading) || !isQuiet(drawers, wallet, source)) return null
  const compared = drawers.wallets.views.movedLiquidation(reading, (position, kept) =>
    marketOf(drawers, position, kept),
  )
  const bounds = compared && boundsOf(drawers, kinds, reading, moment, compared)
  return bounds && [{ is: 'same', reading }, ...bounds, { is: 'seen', source, at, mono }]
}

/** It shows everything, and no figures beside the positions. */
function isPlain({ value }: WalletReading): boolean {
  const { accounts, unusable, failedParts } = value
  return accounts.length + unusable.length + failedParts.length === 0 && doubt(value) === null
}

/** Nobody waits for this answer, and nobody is to hear that there is one. */
function isQuiet(
  drawers: Pick<Memory, 'rules' | 'monitors' | 'sources'>,
  wallet: Wallet,
  source: SourceKey,
): boolean {
  return (
    drawers.rules.watches.has(wallet) &&
    !drawers.monitors.statesOf.has(wallet) &&
    drawers.monitors.unconfirmed.size === 0 &&
    !drawers.sources.blind.has(source) &&
    !drawers.sources.failingSince.has(source) &&
    !drawers.sources.outageNotices.has(source) &&
    !drawers.sources.accountSources.has(wallet)
  )
}

/** The market to judge a position by; undefined where there is none, or where a start would find other figures. */
function marketOf(
  drawers: Pick<Memory, 'markets'>,
  position: Position,
  kept: SeenPosition['kept'],
): Reading<Market> | undefined {
  const reading = drawers.markets.readings.get(position.marketId)
  const market = reading?.value
  if (!market || market.delisted || onBrokenScale(position, market.price)) return undefined
  const isRight = !isOff(kept, position, { symbol: market.symbol, price: toNumber(market.price) })
  return isRight ? reading : undefined
}

/**
 * The new bounds for the positions whose liquidation price moved. Null where a monitor of the rules was not
 * judged, has no bounds, or fires now. Null also where monitors of deleted rules remain.
 */
function boundsOf(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'markets' | 'sources' | 'run'>,
  kinds: readonly Kind[],
  { wallet, venue }: WalletReading,
  moment: Moment,
  compared: readonly ComparedPosition[],
): ArmedBounds[] | null {
  const {
    monitors: { index: monitors, thresholdIndex },
  } = drawers
  const slots = new Set<number>()
  const fresh: ArmedBounds[] = []
  for (const rule of rulesOverWallet(drawers, wallet)) {
    const kind = findKind(kinds, rule.kind)
    if (kind === undefined || (kind.on === 'market' && rule.wallet === null)) continue
    if (kind.on === 'account' || kind.reads !== null) return null
    if (kind.on === 'wallet') {
      const slot = slotOf(drawers, rule, { is: kind.on, wallet })
      if (slot < 0 || !monitors.rests(slot)) return null
      slots.add(slot)
      continue
    }
    const ofMarket = kind.on === 'market'
    const slotAt = monitors.slotsOfRule(rule)
    const label = ofMarket ? '' : walletLabel(drawers, rule.personId, wallet)
    for (const { position, words, market, isDrifted } of compared) {
      const { marketId, liquidationPrice } = position
      if (rule.market !== null && rule.market.id !== marketId) continue
      const slot = ofMarket ? slotOf(drawers, rule, { is: 'market', marketId }) : slotAt(words)
      // Without any bound nothing there can change it, which is so where nothing liquidates it.
      const mayLackBounds = !ofMarket && liquidationPrice === null
      if (slot < 0 || (thresholdIndex.boundsOf(slot) ?? -1) < (mayLackBounds ? 0 : 1)) return null
      // A market is judged by its own figures.
      if (ofMarket) continue
      if (isDrifted) {
        const until = slots.has(slot)
          ? null
          : freshBounds(drawers, kind, rule, label, position, market, moment)
        if (until === null) return null
        fresh.push({ is: 'bounds', slot, marketId, until })
      }
      slots.add(slot)
    }
  }
  const { venues } = drawers.run
  const all = monitors.slotsOf(wallet)
  const own =
    venues.length === 0 ? all : all.filter((slot) => isOfVenue(monitors.at(slot).subject, venue, venues))
  return slots.size === own.length ? fresh : null
}

function slotOf(
  { monitors: { index } }: Pick<Memory, 'monitors'>,
  { chatId, kind, identity }: Rule,
  subject: SubjectId,
): number {
  return index.slotOf({ chatId, kind, identity, subject })
}

/** The bounds of a position that was just read, by this rule alone; null where something is so, or it cannot be judged. */
function freshBounds(
  drawers: Pick<Memory, 'rules' | 'markets' | 'sources' | 'run'>,
  kind: Kind,
  rule: Rule,
  label: string,
  position: Position,
  market: Reading<Market>,
  { now, mono, marketStaleMs }: Moment,
): Bounds | null {
  if (kind.is !== 'level' || mono - market.mono > marketStaleMs) return null
  const { blind } = drawers.sources
  if (blind.size > 0 && blind.has(pricesBehind(drawers, position.marketId))) return null
  const verdict = kind.judge(rule.params, {
    is: 'position',
    position,
    market: market.value,
    price: toNumber(market.value.price),
    now,
    awaySince: null,
    unseenSince: null,
    remembered: false,
    orders: null,
    ordersAt: null,
    marketAt: wallAt({ now, mono }, market.mono),
    positionAt: now,
    label,
  })
  if (verdict === 'unknown' || verdict.enter > 0) return null
  return (verdict.stableWithinAt ? verdict.stableWithinAt(0) : verdict.stableWithin) ?? null
}
