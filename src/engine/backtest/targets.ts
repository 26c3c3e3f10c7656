import type { Kind } from '../../alert/alert.ts'
import type { Asked } from '../../alert/backtest.ts'
import { type SubjectId, subjectOf } from '../../alert/subject-id.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Memory } from '../memory/memory.ts'
import { walletsOfRule } from '../monitors/monitors.ts'
import { nameOfSubject } from '../monitors/subjects.ts'
import type { Known, WalletRow } from '../recording/wallet-series.ts'
import { type Held, suppressedIn, type KnownPool, poolsIn } from './position-timeline.ts'

/** Something that a rule would have judged. `held`: when it was there; null where it always was. */
export type Target = { about: string } & (
  | { is: 'position'; subject: On<'position'>; held: Held<Known>[] }
  | { is: 'market'; subject: On<'market'>; held: Held<Known>[] | null }
  | { is: 'account'; subject: On<'account'>; held: Held<KnownPool>[] }
)

type On<Is extends SubjectId['is']> = Extract<SubjectId, { is: Is }>

/** The rows of a wallet, oldest first. */
export interface WalletPast {
  wallet: Wallet
  rows: readonly WalletRow[]
}

/** The wallets whose past is asked for. */
export function walletsOf(drawers: Pick<Memory, 'people' | 'rules'>, kind: Kind, rule: Asked) {
  const isNone = kind.on === 'market' && rule.wallet === null
  return isNone ? [] : walletsOfRule(drawers, { ...rule, id: 0, identity: '', armedByWatch: false })
}

/** The subjects of a rule, also those that are gone: the one that was there last comes first. */
export function* targetsOf(
  drawers: Pick<Memory, 'rules' | 'wallets' | 'markets'>,
  kind: Kind,
  { market, wallet, personId }: Asked,
  wallets: readonly WalletPast[],
): Generator<void, Target[]> {
  const isMeant = (marketId: string) => market === null || market.id === marketId
  const about = (subject: SubjectId) => nameOfSubject(drawers, subject, personId)
  if (kind.on === 'market' && wallet === null) {
    const ids = market ? [market.id] : [...drawers.markets.readings.keys()]
    return ids.map((marketId) => {
      const subject: On<'market'> = { is: 'market', marketId }
      return { is: 'market', about: about(subject), held: null, subject }
    })
  }
  if (kind.on === 'account') {
    const accounts: Target[] = []
    for (const wallet of wallets)
      for (const [accountId, held] of yield* poolsIn(wallet.rows)) {
        const subject: On<'account'> = { is: 'account', wallet: wallet.wallet, accountId }
        accounts.push({ is: 'account', about: about(subject), held, subject })
      }
    return accounts
  }
  const positions: Extract<Target, { is: 'position' }>[] = []
  for (const { rows } of wallets)
    for (const [key, held] of yield* suppressedIn(rows)) {
      const subject = subjectOf(key)
      if (subject.is === 'position' && isMeant(subject.marketId))
        positions.push({ is: 'position', about: about(subject), held, subject })
    }
  if (kind.on === 'position') return positions.toSorted((a, b) => lastOf(b.held) - lastOf(a.held))
  if (kind.on !== 'market') return []
  return [...Map.groupBy(positions, ({ subject }) => subject.marketId)].map(([marketId, same]) => {
    const subject: On<'market'> = { is: 'market', marketId }
    return { is: 'market', about: about(subject), held: anyOf(same.map(({ held }) => held)), subject }
  })
}

function lastOf(held: readonly Held<Known>[]): number {
  const last = held.at(-1)
  return last?.known ? Infinity : (last?.at ?? 0)
}

/** When at least one of them was there. */
function anyOf(all: readonly (readonly Held<Known>[])[]): Held<Known>[] {
  const changes = all
    .flatMap((held, index) => held.map((one) => ({ index, one })))
    .toSorted((a, b) => a.one.at - b.one.at)
  const now = new Map<number, Held<Known>>()
  const joined: Held<Known>[] = []
  for (const { index, one } of changes) {
    now.set(index, one)
    const known = [...now.values()].find((held) => held.known !== null)?.known ?? null
    if ((joined.at(-1)?.known === null) !== (known === null) || joined.length === 0)
      joined.push({ at: one.at, known, unseenSince: null })
  }
  return joined
}
