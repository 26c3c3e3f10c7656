/** A story that the venue plays: what prices, traders and the first wallet do in it, by market hours since the start. */
export interface Scenario {
  readonly name: string
  /** What there is to see, to be said after “invented markets, ”. */
  readonly plays: string
  /** Whether prices otherwise keep quiet, or go on to and fro as they usually do. */
  readonly quiet: boolean
  /** What is added to the logarithm of a market's price. */
  moves(symbol: string, hours: number): number
  /** Towards which rate traders push funding, beside what they do anyway: a fraction per day. */
  pushes(symbol: string, hours: number): number
  /** Whether the venue answers nothing but 503. */
  isOut(hours: number): boolean
  /** What the first wallet does, in the order of its time. */
  readonly acts: readonly Act[]
}

/** It closes what it holds in a market, or opens again what it held there at first. */
export interface Act {
  readonly atHours: number
  readonly does: 'close' | 'open'
  readonly symbol: string
}

/** In which nothing happens: what each of them differs from. */
export const nothingHappens = {
  quiet: true,
  moves: () => 0,
  pushes: () => 0,
  isOut: () => false,
  acts: [],
} satisfies Omit<Scenario, 'name' | 'plays'>

/** A line through points, level before the first and behind the last. */
export function through(...points: readonly [hours: number, value: number][]): (hours: number) => number {
  return (hours) => {
    const after = points.findIndex(([at]) => at > hours)
    const [to, from] = [points[after], points[after < 0 ? points.length - 1 : after - 1]]
    if (!to || !from) return (from ?? to)?.[1] ?? 0
    return from[1] + ((to[1] - from[1]) * (hours - from[0])) / (to[0] - from[0])
  }
}

/** Smaller coins move further than the large ones. */
export function wildness(symbol: string): number {
  return symbol === 'BTC' ? 0.85 : symbol === 'ETH' ? 1 : 1.15
}
