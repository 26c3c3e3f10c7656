import type { View } from '../../command/context.ts'
import { csv, type CsvCell } from '../../lib/text/csv.ts'
import type { Watch } from '../../people/person.ts'
import { type Amount, formatDecimal, magnitude } from '../../venue/amount.ts'
import type { LedgerEntry } from '../../venue/record/ledger.ts'
import { venueNameOf } from '../../venue/venue-name.ts'
import type { WalletRecord } from './records.ts'

const COLUMNS = [
  ...['time', 'local_time', 'zone', 'wallet', 'address', 'venue', 'market', 'type', 'what', 'side'],
  ...['size', 'price', 'realised_usd', 'fee_usd', 'funding_usd', 'profit_usd'],
  ...['transfer_usd', 'token', 'token_amount', 'id'],
]
/** Some five megabytes, which every platform takes. */
const MOST_ROWS = 20_000

interface File {
  text: string
  rows: number
  /** Older entries that it leaves out. */
  left: number
}

/**
 * One row for each fill, payment and transfer, the oldest first: amounts to their last digit. An empty cell is not known, or
 * does not apply. The sum of `profit_usd` is the profit; `transfer_usd` is in no other column.
 */
export function moneyFile(
  records: readonly WalletRecord[],
  { since, until, zone, view }: { since: number; until: number; zone: string; view: View },
): File {
  const all = records
    .flatMap(({ watch, entries }) => entries.map((entry) => ({ watch, entry })))
    .filter(({ entry }) => entry.at >= since && entry.at <= until)
    .toSorted((a, b) => a.entry.at - b.entry.at)
  const shown = all.slice(-MOST_ROWS)
  const local = localTimes(zone)
  const rows = shown.map(({ watch, entry }) => [
    ...[bare(new Date(entry.at).toISOString()), bare(local(entry.at)), zone],
    ...rowOf(watch, entry, view),
  ])
  return { text: csv([COLUMNS, ...rows]), rows: rows.length, left: all.length - shown.length }
}

function rowOf({ label, wallet }: Watch, entry: LedgerEntry, view: View): CsvCell[] {
  const { venues, venue } = view.status()
  const name = venueNameOf(entry.id, venues.length > 0 ? venues : [venue.split(' ')[0] ?? venue])
  const start = [label, wallet, name]
  if (entry.is === 'transfer') {
    const { what, usd, token, id } = entry
    const money = [amount(usd), token?.symbol ?? null, amount(token?.amount ?? null)]
    return [...start, null, entry.is, what, ...none(7), ...money, id]
  }
  const symbol = view.symbol(entry.marketId)
  if (entry.is === 'funding') {
    const { usd, size, id } = entry
    const of = [symbol, entry.is, usd < 0n ? 'paid' : 'received', size < 0n ? 'short' : 'long']
    return [...start, ...of, amount(magnitude(size)), ...none(3), amount(usd), amount(usd), ...none(3), id]
  }
  const { how, size, price, realisedUsd, feeUsd, id } = entry
  const of = [symbol, entry.is, how, size < 0n ? 'sell' : 'buy']
  const figures = [amount(magnitude(size)), amount(price), amount(realisedUsd), amount(feeUsd)]
  return [...start, ...of, ...figures, null, amount(realisedUsd - (feeUsd ?? 0n)), ...none(3), id]
}

function none(cells: number): null[] {
  return Array.from({ length: cells }, () => null)
}

function bare(text: string): CsvCell {
  return { bare: text }
}

function amount(of: Amount | null): CsvCell {
  return of === null ? null : bare(formatDecimal(of))
}

/** Writes the time of a clock in this zone, as `2026-11-01T14:02:00`. */
function localTimes(zone: string): (at: number) => string {
  // Swedish dates are those of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => format.format(at).replace(' ', 'T')
}
