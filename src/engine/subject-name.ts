import type { SubjectId } from '../subject.ts'
import { poolsOf } from './accounts.ts'
import { symbolOf, walletLabel } from './memory.ts'
import type { Memory } from './memory.ts'
import type { OwnerView } from './owner-view.ts'

/** `BTC short · main`, `BTC`, `main`, `main · xyz`. */
export function nameOfSubject(memory: Memory, subject: SubjectId, personId: number): string {
  if (subject.is === 'market') return symbolOf(memory, subject.marketId)
  if (subject.is === 'venue') return 'the venue'
  const wallet = walletLabel(memory, personId, subject.owner)
  if (subject.is === 'owner') return wallet
  if (subject.is === 'account')
    return nameOfAccount(memory.owners.get(subject.owner), wallet, subject.accountId)
  return `${symbolOf(memory, subject.marketId)} ${subject.side} · ${wallet}`
}

/** An account is named beside its wallet where that is not the only one in use. */
export function nameOfAccount(view: OwnerView | undefined, wallet: string, pool: string): string {
  const others = view ? poolsOf(view).filter((one) => one !== pool) : []
  return others.length === 0 ? wallet : `${wallet} · ${pool}`
}
