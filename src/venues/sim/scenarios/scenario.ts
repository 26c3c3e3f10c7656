/** A script for the venue: its prices, its traders and its first wallet, by market hours since the start. */
export interface Scenario {
  readonly name: string
  /** Describes it in a sentence, after “invented markets, ”. */
  readonly plays: string
  /** Whether the usual swings of prices stop for it. */
  readonly quiet: boolean
  /**
   * The first wallet's distance from liquidation while prices rest, where it is not the usual one. Prices then begin at rest, so
   * that each seed plays the same story.
   */
  readonly homeDistance?: number
  /** Whether funding accrues as fast as prices move, and not by real days. */
  readonly fastFunding?: true
  /** An addition to the logarithm of a market's price. */
  moves(symbol: string, hours: number): number
  /** The funding rate to which traders push, on top of their usual mood: a fraction per day. */
  pushes(symbol: string, hours: number): number
  /** Whether every request gets a 503. */
  isOut(hours: number): boolean
  /** The acts of the first wallet, in order of time. */
  readonly acts: readonly Act[]
}

/** Closes the first wallet's position in a market, or opens it again. */
export interface Act {
  readonly atHours: number
  readonly does: 'close' | 'open'
  readonly symbol: string
}

/** The base of all scenarios: nothing happens. */
export const nothingHappens = {
  quiet: true,
  moves: () => 0,
  pushes: () => 0,
  isOut: () => false,
  acts: [],
} satisfies Omit<Scenario, 'name' | 'plays'>

/** A line through points, level before the first and after the last. */
export function through(...points: readonly [hours: number, value: number][]): (hours: number) => number {
  return (hours) => {
    const after = points.findIndex(([at]) => at > hours)
    const [to, from] = [points[after], points[after < 0 ? points.length - 1 : after - 1]]
    if (!to || !from) return (from ?? to)?.[1] ?? 0
    return from[1] + ((to[1] - from[1]) * (hours - from[0])) / (to[0] - from[0])
  }
}

/** Small coins move further than large ones. */
export function wildness(symbol: string): number {
  return symbol === 'BTC' ? 0.85 : symbol === 'ETH' ? 1 : 1.15
}
