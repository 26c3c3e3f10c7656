import type { Market } from '../../../src/venue/market.ts'
import type { Position } from '../../../src/venue/position.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import { ALICE, aMarket, aPosition, BOB, exact } from '../fixtures.ts'
import type { Dice } from '../seed.ts'

export const WALLETS: Record<string, Wallet> = { main: ALICE, cold: BOB }
/** Longs in the one, shorts in the other, so that there is a price at which all of them are safe. */
export const MARKETS = [
  { id: '100', symbol: 'ETH', towards: 1, liquidations: [2_000, 1_900, 1_850], safe: 4_000 },
  { id: 'BTC/USD', symbol: 'BTC', towards: -1, liquidations: [100_000, 104_000, 110_000], safe: 50_000 },
] as const
/** On both sides of every line and of every line at which one is clear. */
const DISTANCES = [
  0.4, 0.24, 0.21, 0.18, 0.12, 0.112, 0.095, 0.07, 0.056, 0.048, 0.035, 0.028, 0.022, 0.01, -0.01,
]

/** What is so, whether or not anybody can see it. */
export interface Venue {
  markets(): Market[]
  positions(wallet: Wallet): Position[]
  /** A price moves, or somebody trades. */
  moves(dice: Dice): void
  trades(dice: Dice): void
  /** Far from every liquidation. */
  calms(): void
}

export function createVenue(): Venue {
  const prices = new Map<string, number>(MARKETS.map(({ id, safe }) => [id, safe]))
  const held = new Map<string, Position>()
  const nameOf = (wallet: Wallet, id: string) => `${wallet} ${id}`
  const open = (wallet: Wallet, { one }: Dice, at: (typeof MARKETS)[number]): void => {
    const position = aPosition({
      ...{ wallet, marketId: at.id },
      size: exact(String(at.towards * one([2, 3]))),
      liquidationPrice: exact(String(one(at.liquidations))),
      entryPrice: exact(String(at.safe)),
    })
    held.set(nameOf(wallet, at.id), position)
  }
  return {
    markets: () =>
      MARKETS.map(({ id, symbol }) =>
        aMarket({ id, symbol, price: exact((prices.get(id) ?? 0).toFixed(2)) }),
      ),
    positions: (wallet) => [...held.values()].filter((position) => position.wallet === wallet),
    moves({ one, next, often }) {
      const { id, towards, liquidations } = one(MARKETS)
      const near = (prices.get(id) ?? 0) * (1 + (next() - 0.5) * 0.02)
      const far = one(liquidations) / (1 - towards * one(DISTANCES))
      prices.set(id, often(0.4) ? near : far)
    },
    trades(dice) {
      const [wallet, market] = [dice.one(Object.values(WALLETS)), dice.one(MARKETS)]
      if (dice.often(0.4)) held.delete(nameOf(wallet, market.id))
      else open(wallet, dice, market)
    },
    calms() {
      for (const { id, safe } of MARKETS) prices.set(id, safe)
    },
  }
}
