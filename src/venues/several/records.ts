import { idAt } from '../../venue/venue-name.ts'
import type { BalancesAnswer } from '../../venue/record/balances.ts'
import type { LedgerAnswer, LedgerEntry } from '../../venue/record/ledger.ts'
import type { Twap, TwapsAnswer } from '../../venue/record/twap.ts'
import type { FailedPart } from '../../venue/record/lacking.ts'
import type { Venue } from '../../venue/venue.ts'
import type { Answered } from './gather.ts'

// The records of a wallet at several venues. `venue` is the name of one after the first.

/** The records of a venue under its name. Those that it does not show are left out. */
export function recordsAt(
  venue: string,
  { ledger, balances, twaps }: Venue,
): Pick<Venue, 'ledger' | 'balances' | 'twaps'> {
  return {
    ...(ledger && {
      ledger: async (wallet, asked, asking) => ledgerAt(venue, await ledger(wallet, asked, asking)),
    }),
    ...(balances && {
      balances: async (wallet, asking) => balancesAt(venue, await balances(wallet, asking)),
    }),
    ...(twaps && {
      async twaps(wallet, asking, withFills) {
        const answer = await twaps(wallet, asking, withFills)
        return { ...answer, twaps: answer.twaps.map((one) => twapAt(venue, one)) }
      },
    }),
  }
}

function ledgerAt(venue: string, answer: LedgerAnswer): LedgerAnswer {
  return { ...answer, entries: answer.entries.map((one) => entryAt(venue, one)) }
}

function entryAt(venue: string, entry: LedgerEntry): LedgerEntry {
  const id = idAt(venue, entry.id)
  if (entry.is === 'transfer') return { ...entry, id }
  const named = { id, accountId: idAt(venue, entry.accountId), marketId: idAt(venue, entry.marketId) }
  if (entry.is === 'funding') return { ...entry, ...named }
  return { ...entry, ...named, orderId: entry.orderId === null ? null : idAt(venue, entry.orderId) }
}

function balancesAt(venue: string, answer: BalancesAnswer): BalancesAnswer {
  return {
    ...answer,
    perps: answer.perps.map((one) => ({ ...one, accountId: idAt(venue, one.accountId) })),
    spot: answer.spot.map((one) => ({ ...one, pool: one.pool === null ? null : idAt(venue, one.pool) })),
  }
}

function twapAt(venue: string, twap: Twap): Twap {
  return {
    ...twap,
    id: idAt(venue, twap.id),
    accountId: idAt(venue, twap.accountId),
    marketId: idAt(venue, twap.marketId),
  }
}

/** `absent`: the venues that show no such record. */
export function joinLedgers(all: readonly Answered<LedgerAnswer>[], absent: readonly string[]): LedgerAnswer {
  const answers = all.flatMap((one) => (one.is === 'answer' ? [one.answer] : []))
  return {
    entries: answers.flatMap(({ entries }) => entries).toSorted((a, b) => a.at - b.at),
    wholeFrom: Math.max(...answers.map(({ wholeFrom }) => wholeFrom)),
    unusable: answers.flatMap(({ unusable }) => unusable),
    failedParts: missingOf(all),
    absent,
  }
}

export function joinBalances(
  all: readonly Answered<BalancesAnswer>[],
  absent: readonly string[],
): BalancesAnswer {
  const answers = all.flatMap((one) => (one.is === 'answer' ? [one.answer] : []))
  return {
    perps: answers.flatMap(({ perps }) => perps),
    spot: answers.flatMap(({ spot }) => spot),
    vaults: answers.flatMap(({ vaults }) => vaults),
    staking: answers.flatMap(({ staking }) => staking ?? [])[0] ?? null,
    subAccounts: answers.flatMap(({ subAccounts }) => subAccounts),
    unusable: answers.flatMap(({ unusable }) => unusable),
    failedParts: [...answers.flatMap(({ failedParts }) => failedParts), ...missingOf(all)],
    absent,
  }
}

export function joinTwaps(all: readonly Answered<TwapsAnswer>[]): TwapsAnswer {
  const answers = all.flatMap((one) => (one.is === 'answer' ? [one.answer] : []))
  const missing = all.flatMap((one) =>
    one.is === 'missing' ? [{ what: `TWAPs on ${one.name}`, why: one.why, part: one.name }] : [],
  )
  return {
    twaps: answers.flatMap(({ twaps }) => twaps).toSorted((a, b) => b.startedAt - a.startedAt),
    unusable: [...answers.flatMap(({ unusable }) => unusable), ...missing],
  }
}

function missingOf(all: readonly Answered<unknown>[]): FailedPart[] {
  return all.flatMap((one) =>
    one.is === 'missing'
      ? [
          {
            part: one.name,
            why: one.why,
            ...(one.queued && { queued: true as const }),
            isVenue: true as const,
          },
        ]
      : [],
  )
}
