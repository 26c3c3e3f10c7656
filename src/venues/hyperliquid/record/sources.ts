import type { LedgerEntry } from '../../../venue/record/ledger.ts'
import type { Asking } from '../../../venue/venue.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import type { Info } from '../info.ts'
import {
  readFillPage,
  readFundingPage,
  readSlicePage,
  readTransferPage,
  type Recorded,
} from '../wire/record.ts'

/** One list of the venue, from which entries of one kind come. */
export interface Source {
  of: LedgerEntry['is']
  /** The most elements of an answer. */
  perPage: number
  /** The venue may forget all but so many of the newest elements. */
  keeps: readonly number[]
  /** Reads the oldest elements from a time on. `to`: up to this time, or up to now. */
  page(wallet: Wallet, span: { from: number; to: number | null }, asking: Asking): Promise<Recorded[]>
}

/**
 * Pages of fills have at most 2,000 elements, and only the newest 10,000 fills are there. Every other answer to a range of
 * time has at most 500 (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint). Others have seen
 * that of TWAPs only the newest fills are there: 2,000 is how many the list without times has.
 */
export function sourcesOf({ record }: Info): readonly Source[] {
  return [
    {
      ...{ of: 'fill', perPage: 2_000, keeps: [10_000] },
      page: (wallet, span, asking) => record('userFillsByTime', wallet, span, readFillPage, asking),
    },
    {
      ...{ of: 'fill', perPage: 2_000, keeps: [2_000, 10_000] },
      page: (wallet, span, asking) => record('userTwapSliceFillsByTime', wallet, span, readSlicePage, asking),
    },
    {
      ...{ of: 'funding', perPage: 500, keeps: [] },
      page: (wallet, span, asking) => record('userFunding', wallet, span, readFundingPage, asking),
    },
    {
      ...{ of: 'transfer', perPage: 500, keeps: [] },
      page: (wallet, span, asking) =>
        record('userNonFundingLedgerUpdates', wallet, span, readTransferPage, asking),
    },
  ]
}

/** Other answers than the documented ones may be shorter: any round number of elements may be a full page. */
const ROUND = 500

/** Whether there may be more elements than were sent. */
export function isFull({ perPage }: Source, sent: number): boolean {
  return sent >= perPage || (sent > 0 && sent % ROUND === 0)
}

/** The share of a limit by which a count may miss it: elements come while pages are read. */
const MISSED = 0.05

/** The number of newest elements beyond which the venue may have forgotten some; null if it has forgotten none. */
export function forgottenBeyond({ keeps }: Source, count: number): number | null {
  const last = keeps.at(-1)
  const limit = keeps.find((most) => count >= least(most) && (count <= most || most === last))
  return limit === undefined ? null : least(limit)
}

function least(most: number): number {
  return Math.floor(most * (1 - MISSED))
}
