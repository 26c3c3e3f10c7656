import type { Context, ReadResult } from '../../command/context.ts'
import type { Text } from '../../message/message.ts'
import type { Watch } from '../../people/person.ts'
import type { Market } from '../../venue/market.ts'
import type { PositionsAnswer } from '../../venue/venue.ts'
import { gaps, troubles, withSuppressed } from '../shared/readings.ts'
import type { ShownPosition } from './position-lines.ts'

/** A wallet of somebody's, as it was read. */
interface SeenWallet {
  watch: Watch
  answer: PositionsAnswer
  held: readonly ShownPosition[]
  isWhole: boolean
}

/** What these wallets hold now, each position beside its market; what could not be seen of it is in `missing`. */
export async function seen(
  context: Context,
  watches: readonly Watch[],
): Promise<{
  wallets: readonly SeenWallet[]
  missing: Text[]
  markets: ReadResult<ReadonlyMap<string, Market>>
  found: readonly ReadResult<PositionsAnswer>[]
}> {
  const { view, read } = context
  const [markets, found] = await Promise.all([
    read.markets(),
    Promise.all(watches.map(({ wallet }) => read.positions(wallet))),
  ])
  const positions = found.flatMap((one) => (one.is === 'read' ? one.reading.value.positions : []))
  const known = await withSuppressed(context, markets, positions)
  const { now } = context.reader
  const missing = troubles('prices', markets, now)
  const wallets: SeenWallet[] = []
  for (const [at, watch] of watches.entries()) {
    const one = found[at]
    if (!one) continue
    missing.push(...troubles(watch.label, one, now))
    if (one.is === 'unseen') continue
    const answer = one.reading.value
    const gap = gaps(answer)
    if (gap !== null) missing.push(`${watch.label}: ${gap}`)
    const held = answer.positions.map((position): ShownPosition => {
      const market = known.get(position.marketId)
      return {
        position,
        market,
        symbol: market?.symbol ?? view.symbol(position.marketId),
        wallet: watch.label,
      }
    })
    wallets.push({ watch, answer, held, isWhole: gap === null })
  }
  return { wallets, missing, markets, found }
}
