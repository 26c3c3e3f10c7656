import { escaped, unescaped } from '../lib/text/escape.ts'
import { keyOfSide, type Position, type Side, side } from '../venue/position.ts'
import type { Wallet } from '../venue/wallet.ts'

/** The id of a judged subject. The readings about it are a `Subject` (subject.ts). */
export type SubjectId =
  | { is: 'position'; wallet: Wallet; accountId: string; marketId: string; side: Side }
  | { is: 'market'; marketId: string }
  | { is: 'venue' }
  | { is: 'wallet'; wallet: Wallet }
  /** `accountId` is the pool of the accounts that share collateral (account.ts). */
  | { is: 'account'; wallet: Wallet; accountId: string }

/**
 * The id as a key for the store and maps: `market/100`, `venue`, `owner/0x…`, `account/0x…/main`,
 * `0x…/1/100/long`. Slashes in ids are escaped.
 */
export function subjectKey(subject: SubjectId): string {
  if (subject.is === 'venue') return 'venue'
  if (subject.is === 'market') return `market/${escaped(subject.marketId)}`
  if (subject.is === 'wallet') return `owner/${subject.wallet}`
  if (subject.is === 'account') return `account/${subject.wallet}/${escaped(subject.accountId)}`
  return keyOfSide(subject, subject.side)
}

/** Parses a key of `subjectKey`. */
export function subjectOf(key: string): SubjectId {
  const [first = '', second = '', third = '', fourth = ''] = key.split('/')
  if (first === 'venue') return { is: 'venue' }
  if (first === 'market') return { is: 'market', marketId: unescaped(second) }
  if (first === 'owner') return { is: 'wallet', wallet: second as Wallet }
  if (first === 'account') return { is: 'account', wallet: second as Wallet, accountId: unescaped(third) }
  const [accountId, marketId] = [unescaped(second), unescaped(third)]
  return { is: 'position', wallet: first as Wallet, accountId, marketId, side: fourth as Side }
}

export function subjectOfPosition(position: Position): SubjectId {
  const { wallet, accountId, marketId } = position
  return { is: 'position', wallet, accountId, marketId, side: side(position) }
}

/** Null if it is about more than one market. */
export function marketIn(subject: SubjectId): string | null {
  return 'marketId' in subject ? subject.marketId : null
}
