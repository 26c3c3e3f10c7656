import { remember } from '../../lib/data/remember.ts'
import {
  type Asking,
  type Identified,
  incompleteness,
  OTHER_ACCOUNTS,
  type PositionsAnswer,
  type Venue,
} from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'

const MAX_REMEMBERED_WALLETS = 20_000
/** Asking who an address is costs more than reading it: after a failure, ask again so much later. */
const AGAIN_MS = 3_600_000

interface Seen {
  /** The accounts that its last complete answer named, and those since. */
  accounts: readonly string[]
  /** Whether the venue knows the address. Null: nobody has asked yet. */
  isKnown: boolean | null
  askedMono: number
}

const UNSEEN: Seen = { accounts: [], isKnown: null, askedMono: -Infinity }

export type Onlooker = ReturnType<typeof createOnlooker>

/**
 * Remembers what one venue of several has said about each wallet. Most wallets trade on one venue, and others
 * answer with zeros for them: such a venue is asked once whether it knows the address.
 */
export function createOnlooker(identify: Venue['identify'], monotonic: () => number) {
  const wallets = new Map<Wallet, Seen>()

  function note(wallet: Wallet, news: Partial<Seen>): void {
    remember(wallets, wallet, { ...(wallets.get(wallet) ?? UNSEEN), ...news }, MAX_REMEMBERED_WALLETS)
  }

  function told(wallet: Wallet, answer: PositionsAnswer): PositionsAnswer {
    const before = wallets.get(wallet) ?? UNSEEN
    const named = accountsIn(answer)
    // An incomplete answer may lack accounts that are there.
    const accounts = incompleteness(answer) === null ? named : [...new Set([...before.accounts, ...named])]
    const isKnown = isEmpty(answer) ? before.isKnown : true
    if (isKnown !== before.isKnown || !isSame(accounts, before.accounts)) note(wallet, { accounts, isKnown })
    return isKnown === false ? { ...answer, isUnknown: true } : answer
  }

  return {
    told,
    identified(wallet: Wallet, { is }: Identified): void {
      note(wallet, { isKnown: is !== 'unknown', askedMono: monotonic() })
    },
    /** Asks who the address is only where weight is left over: reading it goes on meanwhile. */
    async answered(wallet: Wallet, answer: PositionsAnswer, asking: Asking): Promise<PositionsAnswer> {
      const shown = told(wallet, answer)
      const { isKnown, askedMono } = wallets.get(wallet) ?? UNSEEN
      const mayAsk = identify !== null && isKnown === null && monotonic() - askedMono >= AGAIN_MS
      if (!mayAsk || shown.isUnknown || !isEmpty(answer) || !asking.hasSpare?.()) return shown
      note(wallet, { askedMono: monotonic() })
      // Nothing is lost without its answer: the wallet is read as often as others.
      const said = await identify(wallet, asking, false).catch(() => null)
      if (said === null) return shown
      note(wallet, { isKnown: said.is !== 'unknown' })
      return told(wallet, answer)
    },
    accountsOf: (wallet: Wallet): readonly string[] => wallets.get(wallet)?.accounts ?? [],
  }
}

function isEmpty({ positions, accounts, unusable, failedParts, unasked }: PositionsAnswer): boolean {
  const others = positions.length + unusable.length + failedParts.length + (unasked?.length ?? 0)
  return others === 0 && accounts.every(({ equityUsd }) => equityUsd === null || equityUsd === 0n)
}

function accountsIn({ positions, accounts, failedParts }: PositionsAnswer): string[] {
  const failed = failedParts.map(({ part }) => part).filter((part) => part !== OTHER_ACCOUNTS)
  return [...new Set([...[...positions, ...accounts].map(({ accountId }) => accountId), ...failed])]
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, place) => one === b[place])
}
