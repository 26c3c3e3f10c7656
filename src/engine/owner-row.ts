import { toNumber } from '../amount.ts'
import { positionKey } from '../position.ts'
import type { OwnerMemory } from '../remembered.ts'
import type { Effect } from './effect.ts'
import type { Memory } from './memory.ts'
import type { OwnerView } from './owner-view.ts'

/**
 * A liquidation price that has moved by less than this share of its distance is not worth a row: where accounts are
 * liquidated as a whole it moves with every price, in every wallet.
 */
const SHARE = 0.02

/** What a start is to find of a wallet. What its markets are called stays known when it has left them. */
export function rowOf(memory: Memory, { owner, at, held, gone, kept }: OwnerView): OwnerMemory {
  const positions = [...held.values()].map(({ position }) => position)
  const prices: Record<string, number> = {}
  const symbols = { ...kept?.symbols }
  for (const { position, price } of held.values()) {
    const { marketId } = position
    if (price !== null) prices[marketId] = price
    const symbol = memory.symbols.get(marketId)
    if (symbol !== undefined) symbols[marketId] = symbol
  }
  return { owner, at, positions, prices, symbols, gone: [...gone] }
}

/** Whether a start that finds the older row would be wrong about the wallet by more than it matters. */
export function isNews(kept: OwnerMemory | null, row: OwnerMemory, share = SHARE): boolean {
  if (holdingsText(kept) !== holdingsText(row)) return true
  const before = new Map((kept?.positions ?? []).map((one) => [positionKey(one), one.liquidationPrice]))
  return row.positions.some((one) => {
    const [was, is] = [before.get(positionKey(one)) ?? null, one.liquidationPrice]
    if (was === null || is === null) return was !== is
    const price = row.prices[one.marketId] ?? toNumber(one.entryPrice)
    const [from, to] = [toNumber(was), toNumber(is)]
    return Math.abs(to - from) > share * Math.min(Math.abs(price - from), Math.abs(price - to))
  })
}

/** At a stop there is time for everything that is not as it was kept. */
export function ownersLeft(memory: Memory): Effect[] {
  return [...memory.owners.values()].flatMap((view): Effect[] => {
    const row = rowOf(memory, view)
    return isNews(view.kept, row, 0) ? [{ is: 'owner', memory: row }] : []
  })
}

function holdingsText(row: OwnerMemory | null): string {
  const held = (row?.positions ?? []).map((position) => `${positionKey(position)}=${position.size}`)
  const gone = (row?.gone ?? []).map(({ key }) => `${key} is gone`)
  const symbols = Object.entries(row?.symbols ?? {}).map(([id, symbol]) => `${id} is ${symbol}`)
  return [...held, ...gone, ...symbols].sort().join(' ')
}
