import type { Amount } from '../../../venue/amount.ts'
import type { Accounts } from '../accounts.ts'
import type { Frame } from '../wire/frames.ts'
import type { PositionsRead } from '../wire/positions.ts'
import type { Trade } from '../wire/trades.ts'

type AccountFrame = Extract<Frame, { is: 'account' }>

/** Tells which frames of accounts may be taken. Updates carry no number, so not all of them come in their order. */
interface InOrder {
  /**
   * Returns what of a frame may be taken; null if nothing. `isDoubtful`: another whole is needed.
   * `isFollowed`: the whole of its channel has come.
   */
  take(frame: AccountFrame, isFollowed: boolean): { frame: AccountFrame; isDoubtful: boolean } | null
}

export function createInOrder(accounts: Pick<Accounts, 'sizeOf'>): InOrder {
  /** Accounts whose updates came before their whole. */
  const early = new Set<string>()
  return {
    take(frame, isFollowed) {
      const { account, whole } = frame
      if (!isFollowed) {
        if (!whole) early.add(account)
        return null
      }
      // The whole may be older than an update that came before it. If it is unusable itself, another one is too.
      if (whole) return { frame, isDoubtful: early.delete(account) }
      const { held, isAll } = proven(frame, (marketId) => accounts.sizeOf(account, marketId))
      return { frame: { ...frame, held }, isDoubtful: !isAll || held.unusable.length > 0 }
    },
  }
}

/**
 * Leaves out positions that have another size without a trade. Such an update may have been on its way for long, and
 * its size may be old. `sizeOf`: the signed size that is known; null: nothing is known. `isAll`: nothing was left out.
 */
export function proven(
  update: { held: PositionsRead; trades: readonly Trade[] },
  sizeOf: (marketId: string) => Amount | null,
): { held: PositionsRead; isAll: boolean } {
  const { open, closed, unusable } = update.held
  const traded = new Set(update.trades.map(({ marketId }) => marketId))
  const isProven = (marketId: string, size: Amount) => {
    const known = sizeOf(marketId)
    return known === null || known === size || traded.has(marketId)
  }
  const held: PositionsRead = {
    open: open.filter(({ marketId, size }) => isProven(marketId, size)),
    closed: closed.filter((marketId) => isProven(marketId, 0n)),
    unusable,
  }
  return { held, isAll: held.open.length + held.closed.length === open.length + closed.length }
}
