import type { Context } from '../../command/context.ts'
import type { Watch } from '../../people/person.ts'
import type { LedgerEntry } from '../../venue/record/ledger.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { freshnessOf, type Missing, missingOf } from '../shared/readings.ts'

/** Wallets read at the same time: a first read takes as much as a person gets of a venue within its time. */
const AT_ONCE = 1
/** After this time no further wallet is read. The same line again reads on: records are cached. */
const PATIENCE_MS = 10_000
/** Two questions within this time ask the venue the same, and get the same answer. */
const ROUND_MS = 10_000

/** The record of one wallet's money, as far as venues show one. */
export interface WalletRecord {
  watch: Watch
  entries: readonly LedgerEntry[]
  /** From this wall time on, the record is whole. */
  wholeFrom: number
  /** Entries that could not be read. */
  unusable: number
  /** Venues that gave no answer, and why; and those that show no record. */
  silent: readonly { venue: string; why: string }[]
  absent: readonly string[]
}

interface Records {
  records: readonly WalletRecord[]
  missing: readonly Missing[]
  /** Labels of wallets for which no time was left. */
  unread: readonly string[]
}

/** Reads the records of these wallets since then, up to now. */
export async function readRecords(
  context: Context,
  watches: readonly Watch[],
  { since, of }: { since: number; of: readonly LedgerEntry['is'][] },
): Promise<Records> {
  const { ledger, ledgerAt } = context.read
  const begun = context.reader.now
  const until = Math.ceil((begun + 1) / ROUND_MS) * ROUND_MS - 1
  const found = { records: [] as WalletRecord[], missing: [] as Missing[], unread: [] as string[] }
  if (ledger === null) return found
  const turns = inTurn(watches, ledgerAt, context.view)
  for (let at = 0; at < turns.length; at += AT_ONCE) {
    const some = turns.slice(at, at + AT_ONCE)
    if (context.reader.now - begun > PATIENCE_MS) {
      found.unread.push(...some.map(({ label }) => label))
      continue
    }
    const answers = await Promise.all(some.map(({ wallet }) => ledger(wallet, { since, until, of })))
    for (const [place, answer] of answers.entries()) {
      const watch = some[place]
      if (!watch) continue
      found.missing.push(...missingOf(watch.label, freshnessOf(answer), context.reader.now))
      if (answer.is === 'unseen') continue
      const { entries, wholeFrom, unusable, failedParts = [], absent = [] } = answer.reading.value
      const silent = failedParts.map(({ part, why }) => ({ venue: part, why }))
      found.records.push({ watch, entries, wholeFrom, unusable: unusable.length, silent, absent })
    }
  }
  const placeOf = ({ watch }: WalletRecord) => watches.indexOf(watch)
  return { ...found, records: found.records.toSorted((a, b) => placeOf(a) - placeOf(b)) }
}

/**
 * Puts those first whose record was never asked for, or longest ago: where time is short, none is left out twice in a
 * row. Among those that were never asked for, wallets with open positions come first.
 */
function inTurn(
  watches: readonly Watch[],
  ledgerAt: Context['read']['ledgerAt'],
  view: Context['view'],
): readonly Watch[] {
  const holds = (wallet: Wallet) => (view.positions(wallet)?.value.length ?? 0) > 0
  const rank = new Map(
    watches.map(({ wallet }) => [wallet, ledgerAt(wallet) ?? (holds(wallet) ? -2 : -1)] as const),
  )
  return watches.toSorted((a, b) => (rank.get(a.wallet) ?? 0) - (rank.get(b.wallet) ?? 0))
}
