import { type Amount, divide, magnitude, multiply, toNumber } from '../../../venue/amount.ts'
import { crossLiquidation, isolatedLiquidation, maintenanceOfAll, type Margined } from '../rules/margin.ts'
import type { AccountRead } from '../wire/accounts.ts'
import type { Listed } from '../wire/markets.ts'
import type { Held } from '../wire/positions.ts'

/** A figure of the venue beside our own sum. `apart` is relative; null if one of them is missing. */
interface Comparison {
  what: string
  apart: number | null
}

/** Compares the liquidation prices and the maintenance margin of an account with our own sums. */
export function compareAccount(account: AccountRead, markets: ReadonlyMap<string, Listed>): Comparison[] {
  const margined = (held: Held): Margined | null => {
    const maintenance = markets.get(held.marketId)?.maintenance
    return maintenance === undefined ? null : { size: held.size, mark: held.mark, maintenance }
  }
  const cross = account.open
    .filter(({ margin }) => margin !== 'isolated')
    .flatMap((held) => margined(held) ?? [])
  const { crossEquity, crossMaintenance } = account.figures
  const liquidations = account.open.map((held): Comparison => {
    const own = margined(held)
    const ours =
      own === null
        ? null
        : held.margin === 'isolated'
          ? isolatedLiquidation(own, held.allocated + (held.unrealised ?? 0n))
          : crossEquity === null
            ? null
            : crossLiquidation(own, { equity: crossEquity, held: cross })
    const what = `liquidation price in ${held.symbol} (${held.margin ?? 'unknown margin'})`
    return { what, apart: apart(ours, held.liquidationPrice) }
  })
  const gains = account.open.map(({ symbol, size, entryPrice, mark, unrealised }): Comparison => {
    const ours = entryPrice === null ? null : multiply(size, mark - entryPrice)
    return { what: `gains in ${symbol}`, apart: apart(ours, unrealised) }
  })
  const owed = { what: 'cross maintenance margin', apart: apart(maintenanceOfAll(cross), crossMaintenance) }
  return [...liquidations, ...gains, ...(cross.length > 0 ? [owed] : [])]
}

/**
 * The unit of the pushed funding rates, from the rates of eight hours that the venue also names as fractions. Null
 * if too few markets pay enough to tell.
 */
export function rateUnit(
  pushed: ReadonlyMap<string, Amount>,
  hourly: ReadonlyMap<string, Amount>,
): 'per cent' | 'a fraction' | 'something else' | null {
  const ratios = [...pushed].flatMap(([id, rate]) => {
    const fraction = hourly.get(id) ?? 0n
    return rate === 0n || fraction === 0n ? [] : [Math.abs(toNumber(divide(rate, fraction)))]
  })
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)]
  if (median === undefined || ratios.length < LEAST_RATES) return null
  // Both are estimates of different moments, and one of them is cut to four decimals.
  if (median > 30 && median < 300) return 'per cent'
  return median > 0.3 && median < 3 ? 'a fraction' : 'something else'
}

const LEAST_RATES = 5

function apart(ours: Amount | null, sent: Amount | null): number | null {
  if (ours === null || sent === null || sent === 0n) return null
  return toNumber(divide(magnitude(ours - sent), magnitude(sent)))
}
