import type { Scenario } from '../scenarios/scenario.ts'
import { type HoldingSpec, MARKETS, type MarketSpec, otherMarket, DEMO_WALLETS } from './catalogue.ts'
import { HOME_DISTANCE } from './path.ts'
import type { Replay } from './replay.ts'

/** The venue's markets and own wallets, and perhaps a recorded price or a scenario. */
export interface Plan {
  markets: readonly MarketSpec[]
  /** The positions of the venue's own wallets, by account. The positions of one account share its margin. */
  accounts: readonly (readonly HoldingSpec[])[]
  replay: Replay | null
  scenario: Scenario | null
  /** How many other wallets hold positions. */
  walletCount: number
  /** How many of them also trade. */
  traders: number
}

/** A fall of 5.8% from the first price liquidates the replayed long. */
const REPLAY_LIQUIDATION = 0.942
const REPLAY_NOTIONAL_USD = 150_000

/* oxfmt-ignore */
const OTHER_ACCOUNTS: readonly HoldingSpec[] = [
  holding(1, 'BTC', 0.35, 0.64, 0.97),
  holding(1, 'LINK', -420, 1.31, 1.02),
  holding(1, 'ARB', 18_000, 0.83, 1.01),
  holding(1, 'ETH', -3.2, 1.55, 0.99, 0.7),
  holding(2, 'PEPE', 650_000_000, 0.79, 1.03),
  holding(2, 'AVAX', -160, 1.22, 0.98),
  holding(2, 'Sol', 45.5, 0.55, 0.95),
  holding(2, 'LINK', 150, 0.7, 1.01),
]

/**
 * Without a replay, the four positions of the first wallet come near liquidation in turn. With one, only the
 * replayed market does.
 */
export function planFor(asked: Partial<Omit<Plan, 'markets' | 'accounts'>> = {}): Plan {
  const { replay = null, scenario = null, walletCount = 0, traders = 0 } = asked
  const beside = { scenario, walletCount: Math.max(walletCount, traders), traders }
  if (replay) return { ...planReplay(replay, replay.prices[0] ?? 1), ...beside }
  const home = scenario?.homeDistance ?? HOME_DISTANCE
  const suggested = [
    holding(0, 'ETH', 12.5, 1 - home, 1.01),
    holding(0, 'BTC', -0.42, 1 + home, 0.99),
    holding(0, 'Sol', 110, 1 - home, 1.02, 1.6),
    holding(0, 'DOGE', -52_000, 1 + home, 0.985),
  ]
  // In most scenarios the other markets are quiet.
  const markets = scenario?.quiet
    ? MARKETS.map((market) => calmed(market, scenario.homeDistance !== undefined))
    : MARKETS
  return { markets, accounts: accountsOf(suggested, OTHER_ACCOUNTS), replay: null, ...beside }
}

/**
 * Each position of the first wallet has its own account and so its own liquidation price. Each other wallet
 * has one account.
 */
function accountsOf(suggested: readonly HoldingSpec[], others: readonly HoldingSpec[]): HoldingSpec[][] {
  const together = [...Map.groupBy(others, ({ wallet }) => wallet).values()]
  return [...suggested.map((holding) => [holding]), ...together]
}

function planReplay(replay: Replay, first: number): Omit<Plan, 'walletCount' | 'traders' | 'scenario'> {
  const same = (symbol: string) => symbol.toUpperCase() === replay.symbol
  const known = MARKETS.find((market) => same(market.symbol))
  const replayed = known ? atPrice(known, first) : otherMarket(replay.symbol, first)
  const calm = MARKETS.filter((market) => market !== known).map((market) => calmed(market))
  const size = Number((REPLAY_NOTIONAL_USD / first).toPrecision(2))
  const suggested: HoldingSpec[] = [
    { ...holding(0, replayed.symbol, size, REPLAY_LIQUIDATION, 1), reopens: false },
    same('ETH') ? holding(0, 'BTC', -0.1, 1.5, 1) : holding(0, 'ETH', -4, 1.5, 1),
  ]
  return {
    markets: [...calm, replayed].sort((a, b) => (a.id < b.id ? -1 : 1)),
    // The others' positions would make no sense at the recorded prices.
    accounts: accountsOf(
      suggested,
      OTHER_ACCOUNTS.filter((holding) => !same(holding.symbol)),
    ),
    replay,
  }
}

/** Keeps the market's depth in USD at another price. */
function atPrice(market: MarketSpec, basePrice: number): MarketSpec {
  const units = market.basePrice / basePrice
  const { skewScale, maxSize, openInterest } = market
  return {
    ...{ ...market, basePrice, skewScale: skewScale * units },
    ...{ maxSize: maxSize * units, openInterest: openInterest * units },
  }
}

/** No swings that would distract from the replay or the scenario. */
function calmed(market: MarketSpec, isAtRest = false): MarketSpec {
  const startsAt = isAtRest ? 0 : market.swing.startsAt
  return { ...market, swing: { periodHours: 200, startsAt, squeezes: 'nobody' } }
}

function holding(
  walletIndex: number,
  symbol: string,
  size: number,
  liquidationAt: number,
  enteredAt: number,
  takeProfitAt: number | null = null,
): HoldingSpec {
  const wallet = DEMO_WALLETS[walletIndex]
  if (!wallet) throw new Error(`no wallet ${walletIndex}`)
  return { wallet, symbol, size, liquidationAt, enteredAt, reopens: true, takeProfitAt }
}
