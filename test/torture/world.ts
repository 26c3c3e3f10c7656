/** A position that a wallet of the plan may hold. Each has an account of its own, so that none moves another's liquidation. */
export interface Holding {
  id: number
  wallet: string
  /** What people call the wallet. */
  label: string
  symbol: string
  side: 'long' | 'short'
  liquidation: number
}

/** All that the venue answers from. */
export interface World {
  prices: Readonly<Record<string, number>>
  /** Who pays whom. */
  payers: Readonly<Record<string, 'longs' | 'shorts'>>
  /** By id. */
  held: ReadonlySet<number>
}

/** One person on one platform, and the wallets that they watch. */
export interface Listener {
  chat: string
  platform: 'telegram' | 'discord'
  labels: readonly string[]
}

export const SYMBOLS = ['BTC', 'ETH', 'SOL'] as const
const OWNERS = 6
const LONGS = [70, 80, 88, 93]
const SHORTS = [108, 115, 125, 140]

/** Each wallet may hold two positions, in different markets and at different distances. */
export const HOLDINGS: readonly Holding[] = Array.from({ length: OWNERS * 2 }, (_, id) => {
  const wallet = Math.floor(id / 2)
  const side = (id + wallet) % 2 === 0 ? 'long' : 'short'
  const prices = side === 'long' ? LONGS : SHORTS
  return {
    id,
    wallet: `0x${(wallet + 1).toString(16).padStart(40, '5')}`,
    label: `w${wallet}`,
    symbol: SYMBOLS[(wallet + (id % 2)) % SYMBOLS.length] ?? 'BTC',
    side,
    liquidation: prices[(id * 3 + wallet) % prices.length] ?? 0,
  }
})

/** Four people on each platform; every wallet is watched by some of them, and by nobody else. */
export const LISTENERS: readonly Listener[] = Array.from({ length: 8 }, (_, n) => {
  const labels = [`w${n % OWNERS}`, `w${(n + 2) % OWNERS}`]
  const platform = n % 2 === 0 ? 'telegram' : 'discord'
  return { chat: `${platform}-${n}`, platform, labels }
})

export const CALM: World = {
  prices: { BTC: 100, ETH: 100, SOL: 100 },
  payers: { BTC: 'longs', ETH: 'longs', SOL: 'longs' },
  held: new Set(HOLDINGS.map(({ id }) => id)),
}

/** How far it is from liquidation, as a fraction of the price; less than nothing past it. */
export function distanceOf({ side, symbol, liquidation }: Holding, { prices }: World): number {
  const price = prices[symbol] ?? 0
  return side === 'long' ? (price - liquidation) / price : (liquidation - price) / price
}
