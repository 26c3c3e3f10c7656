import type { Context, ReadResult } from '../../../command/context.ts'
import type { Watch } from '../../../people/person.ts'
import type { Account } from '../../../venue/account.ts'
import type { BalancesAnswer, SubAccountBalance } from '../../../venue/record/balances.ts'
import { oldestAt } from '../readings.ts'
import { totalOf } from './total.ts'
import type { ShownTotal } from './total-lines.ts'

/** The balances of one of the person's wallets. */
export interface WalletBalances {
  watch: Watch
  found: ReadResult<BalancesAnswer>
}

/**
 * Reads the balances of these wallets; null where no venue shows any. With `beside`, it waits little longer than that, and
 * takes older ones unless they have to be `young`.
 */
export async function readBalances(
  { read: { balances } }: Pick<Context, 'read'>,
  watches: readonly Watch[],
  beside?: Promise<unknown>,
  how?: 'young',
): Promise<readonly WalletBalances[] | null> {
  if (balances === null) return null
  return Promise.all(
    watches.map(async (watch) => ({ watch, found: await balances(watch.wallet, beside, how) })),
  )
}

/** `accountsOf`: the accounts of a wallet as they came with its positions; none where it was not read. */
export function shownTotal(
  { view, person }: Pick<Context, 'view' | 'person'>,
  all: readonly WalletBalances[],
  accountsOf: (watch: Watch) => readonly Account[],
): ShownTotal {
  const { venues } = view.status()
  const own = new Set(view.watches(person.id).map(({ wallet }) => wallet))
  const answers = all.flatMap(({ found }) => (found.is === 'read' ? [found.reading.value] : []))
  return {
    wallets: all.map(({ watch, found }) => {
      const balances =
        found.is === 'read'
          ? ({ is: 'read', value: found.reading.value } as const)
          : ({ is: 'unseen', why: found.why } as const)
      return totalOf({ wallet: watch.label, accounts: accountsOf(watch), balances }, venues, own)
    }),
    absent: [...new Set(answers.flatMap(({ absent = [] }) => absent))],
    at: oldestAt(all.map(({ found }) => found)),
  }
}

/** The sub-accounts of a wallet that hold positions, and that the person does not watch. */
export interface OpenSubAccounts {
  watch: Watch
  unwatched: readonly SubAccountBalance[]
}

export function openSubAccounts(
  { view, person }: Pick<Context, 'view' | 'person'>,
  all: readonly WalletBalances[],
): OpenSubAccounts[] {
  const own = new Set(view.watches(person.id).map(({ wallet }) => wallet))
  return all.flatMap(({ watch, found }) => {
    const subs = found.is === 'read' ? found.reading.value.subAccounts : []
    const unwatched = subs.filter(({ wallet, positions }) => positions > 0 && !own.has(wallet))
    return unwatched.length === 0 ? [] : [{ watch, unwatched }]
  })
}
