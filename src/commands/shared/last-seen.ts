import type { Context } from '../../command/context.ts'
import { words } from '../../message/message.ts'
import type { Watch } from '../../people/person.ts'
import { labelOf, positionKey } from '../../venue/position.ts'
import type { PositionsAnswer } from '../../venue/venue.ts'
import { venueNameOf } from '../../venue/venue-name.ts'
import { freshnessOf, gaps, type Missing, missingOf, oldestAt, withMarketsOf } from './readings.ts'
import { exactName } from './venues/coin.ts'
import { type SilentVenue, silentVenues, withoutFailuresAt } from './venues/looks.ts'
import type { ShownPosition } from './position-lines.ts'

/** One of the person's wallets, as it was read. */
interface ReadWallet {
  watch: Watch
  answer: PositionsAnswer
  held: readonly ShownPosition[]
  isWhole: boolean
}

/** The wallets that could be read, the parts that could not, and the oldest reading of each sort (wall time). */
interface ReadWallets {
  wallets: readonly ReadWallet[]
  missing: Missing[]
  positionsAt: number | null
  pricesAt: number | null
}

/** Reads these wallets, and pairs each position with its market. `anew` accepts no earlier reading. */
export async function readWallets(
  context: Context,
  watches: readonly Watch[],
  how?: 'anew',
): Promise<ReadWallets> {
  const { view, read } = context
  const [markets, found] = await Promise.all([
    read.markets(),
    Promise.all(watches.map(({ wallet }) => read.positions(wallet, how))),
  ])
  const positions = found.flatMap((one) => (one.is === 'read' ? one.reading.value.positions : []))
  const known = await withMarketsOf(context, markets, positions)
  const missing = missingOf(words('shown.prices-part'), freshnessOf(markets), context.reader.now)
  const wallets: ReadWallet[] = []
  const unanswered: SilentVenue[] = []
  for (const [at, watch] of watches.entries()) {
    const one = found[at]
    if (!one) continue
    missing.push(...missingOf(watch.label, freshnessOf(one), context.reader.now))
    if (one.is === 'unseen') continue
    const answer = one.reading.value
    const silent = silentVenues(view, watch.wallet, answer)
    // The venue's own line already says how old its positions are.
    const isNamed = (id: string) =>
      silent.some(({ venue, at }) => at !== null && venue === venueNameOf(id, view.status().venues))
    unanswered.push(...silent)
    const gap = gaps(withoutFailuresAt(answer, silent, view.status().venues))
    if (gap !== null) missing.push({ what: watch.label, is: 'incomplete', why: gap })
    const held = answer.positions.map((position): ShownPosition => {
      const market = known.get(position.marketId) ?? null
      const key = positionKey(position)
      const isOld = answer.remembered?.includes(key) === true
      const symbol = market?.symbol ?? view.symbol(position.marketId)
      const exact = exactName(view, position.marketId)
      const seenAt = isOld && !isNamed(position.accountId) ? view.positionSeenAt(watch.wallet, key) : null
      return {
        position,
        market,
        ...(seenAt !== null && { seenAt }),
        standsMs: view.priceStandsMs(position.marketId),
        symbol,
        ...(exact !== symbol && { exact }),
        wallet: labelOf(position, watch.label, answer.positions),
      }
    })
    wallets.push({ watch, answer, held, isWhole: gap === null && silent.length === 0 })
  }
  missing.push(...oncePerVenue(unanswered))
  return { wallets, missing, positionsAt: oldestAt(found), pricesAt: oldestAt([markets]) }
}

/** Names a venue once for all wallets, with the oldest of its looks. */
function oncePerVenue(silent: readonly SilentVenue[]): Missing[] {
  return [...Map.groupBy(silent, ({ venue }) => venue)].map(([what, all]) => ({
    ...{ what, is: 'silent' },
    at: all.some(({ at }) => at === null) ? null : Math.min(...all.map(({ at }) => at ?? 0)),
    queued: all.every(({ queued }) => queued),
  }))
}
