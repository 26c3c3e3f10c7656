import { formatDecimal } from '../../../amount.ts'
import type { Happening } from '../exchange/happening.ts'

/** What has happened, in JSON: amounts as decimals, orders by their numbers. */
export function told(happenings: readonly Happening[]): object[] {
  return happenings.map((happening) =>
    Object.fromEntries(
      Object.entries(happening).map(([name, value]: [string, unknown]) => {
        if (typeof value === 'bigint') return [name, formatDecimal(value)]
        return isOrder(value) ? ['orderId', value.id] : [name, value]
      }),
    ),
  )
}

function isOrder(value: unknown): value is { id: number } {
  return typeof value === 'object' && value !== null && 'id' in value
}
