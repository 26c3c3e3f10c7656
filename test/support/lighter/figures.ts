import type { Account, Market, Position } from './state.ts'

const MILLIONTHS = 6
const PARTS = 10_000

/** Money to the millionth of a dollar. */
export const money = (usd: number) => rounded(usd, MILLIONTHS)

export function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}

export const valueOf = ({ size, market }: Position) => Math.abs(size) * market.mark
export const profitOf = (held: Position) => Math.sign(held.size) * (valueOf(held) - held.entryQuote)
export const maintenanceOf = (held: Position) => valueOf(held) * rateOf(held.market)
export const initialOf = (held: Position) => valueOf(held) * held.initialMargin
export const rateOf = ({ margins }: Market) => margins.maintenance / PARTS

/** A pool of margin: the cross positions of an account, or one isolated position. */
export interface Pool {
  held: readonly Position[]
  equity: number
  maintenance: number
  initial: number
}

export function crossOf({ collateral, positions }: Account): Pool {
  return poolOf(
    [...positions.values()].filter(({ size, isolated }) => size !== 0 && !isolated),
    collateral,
  )
}

export function isolatedOf({ positions }: Account): Pool[] {
  return [...positions.values()]
    .filter(({ size, isolated }) => size !== 0 && isolated)
    .map((held) => poolOf([held], held.allocated))
}

function poolOf(held: readonly Position[], own: number): Pool {
  return {
    held,
    equity: held.reduce((sum, one) => sum + money(profitOf(one)), own),
    maintenance: held.reduce((sum, one) => sum + maintenanceOf(one), 0),
    initial: held.reduce((sum, one) => sum + initialOf(one), 0),
  }
}

/** All that the account has. */
export function totalOf(account: Account): number {
  return isolatedOf(account).reduce((sum, { equity }) => sum + equity, crossOf(account).equity)
}

/**
 * The mark price at which the pool's equity is as small as its maintenance, all other prices unchanged; null where there
 * is none above zero. For one cross long it is (size · entry − collateral) / (size · (1 − maintenance)), as recorded.
 */
export function liquidationPrice(account: Account, held: Position): number | null {
  if (held.size === 0) return null
  const pool = held.isolated ? poolOf([held], held.allocated) : crossOf(account)
  const others = pool.maintenance - maintenanceOf(held)
  const needs = others - pool.equity + held.size * held.market.mark
  const price = needs / (held.size - Math.abs(held.size) * rateOf(held.market))
  return price > 0 ? price : null
}
