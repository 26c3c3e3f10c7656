import type { Account } from '../../venue/account.ts'
import type { Position } from '../../venue/position.ts'
import type { WalletReading } from '../../venue/reading.ts'

/** An account as it was in the last answer that had it. */
interface SeenAccount {
  account: Account
  seenAt: number
  seenMono: number
  /** When its ratio was last said. */
  known: Seen | null
}

export interface Seen {
  at: number
  mono: number
}

/** By account id. */
export type SeenAccounts = ReadonlyMap<string, SeenAccount>

/** What of the view of an owner says which accounts are in use. */
interface Held {
  held: ReadonlyMap<string, Sharing>
  accounts: SeenAccounts
}

interface Sharing {
  position: Position
  missingSince: number | null
}

/** What an answer does not speak of is as it was: the figures of an account may be missing beside its positions. */
export function takeAccounts(
  before: SeenAccounts | undefined,
  { value, at, mono }: WalletReading,
): SeenAccounts {
  const all = new Map(before)
  for (const account of value.accounts) {
    const said = account.marginRatio === null ? (before?.get(account.accountId)?.known ?? null) : { at, mono }
    all.set(account.accountId, { account, seenAt: at, seenMono: mono, known: said })
  }
  return all
}

/** The positions that share the margin of a pool; those that have their own do not count into it. */
export function sharingOf(view: Held, pool: string): Sharing[] {
  return sharing(view).filter(({ position }) => poolOf(view, position.accountId) === pool)
}

/** The pools that cover a position of this owner, as far as it is known which do. */
export function poolsOf(view: Held): string[] {
  const pools = sharing(view).flatMap(({ position }) => poolOf(view, position.accountId) ?? [])
  return [...new Set(pools)]
}

export function poolOf({ accounts }: Pick<Held, 'accounts'>, accountId: string): string | null {
  return accounts.get(accountId)?.account.pool ?? null
}

/** The last figures of a pool: all of its accounts say the same, each as of when it was read. */
export function figuresOf({ accounts }: Pick<Held, 'accounts'>, pool: string): SeenAccount | null {
  const own = [...accounts.values()].filter(({ account }) => account.pool === pool)
  return own.toSorted((a, b) => b.seenMono - a.seenMono)[0] ?? null
}

/** Whether an account may be in use that nothing shows: of some position it is not known what covers it. */
export function hasUnknownPool(view: Held): boolean {
  return sharing(view).some(({ position }) => poolOf(view, position.accountId) === null)
}

export function sharing({ held }: Pick<Held, 'held'>): Sharing[] {
  return [...held.values()].filter(({ position }) => position.margin !== 'isolated')
}
