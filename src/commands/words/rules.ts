import type { Rule } from '../../alert.ts'
import { shortOwner } from '../../owner.ts'
import type { Watch } from '../../person.ts'

/** `for BTC in main`, `for every market in all your wallets`. */
export function scopeText({ owner, market }: Rule, watches: readonly Watch[]): string {
  const where =
    owner === null
      ? 'all your wallets'
      : (watches.find((watch) => watch.owner === owner)?.label ?? shortOwner(owner))
  return `for ${market?.symbol ?? 'every market'} in ${where}`
}
