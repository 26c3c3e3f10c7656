/** Numbers as the venue writes them: it counts in doubles and prints at most ten decimals, artefacts included. */
const PLACES = 10
/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/tick-and-lot-size */
const SIGNIFICANT_FIGURES = 5
const MOST_DECIMALS = 6

/** `75.652`, and `0.0` for nothing. */
export function decimal(value: number, places = PLACES): string {
  const text = value.toFixed(places)
  let end = text.length
  // One digit stays behind the point. By hand: asked thousands of times, a pattern tries each run of zeros anew.
  while (text[end - 1] === '0' && text[end - 2] !== '.') end--
  const whole = text.slice(0, end)
  return whole === '-0.0' ? '0.0' : whole
}

/** USD to the millionth, the rest cut off, as recorded margins are. */
export function cut(usd: number, decimals = MOST_DECIMALS): number {
  const scale = 10 ** decimals
  // What is a whole number of units but for the last bits of a double stays one.
  return Math.trunc(usd * scale + Math.sign(usd) * 1e-3) / scale
}

export function rounded(value: number, decimals = MOST_DECIMALS): number {
  return Number(value.toFixed(decimals))
}

/** The nearest price that the venue could show for a market of so many size decimals. */
export function toMono(price: number, szDecimals: number): number {
  if (!(price > 0) || !Number.isFinite(price)) throw new Error(`${price} is no price`)
  const figures = Number(price.toPrecision(SIGNIFICANT_FIGURES))
  // Whole prices are always allowed.
  if (price >= 10 ** SIGNIFICANT_FIGURES) return Math.round(price)
  return Math.max(rounded(figures, MOST_DECIMALS - szDecimals), 10 ** (szDecimals - MOST_DECIMALS))
}

export function decimalsOfPrices(szDecimals: number): number {
  return MOST_DECIMALS - szDecimals
}
