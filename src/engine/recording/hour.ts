import type { Kept, RecordingBlock, RecordingPart, RecordingPiece } from '../../alert/backtest.ts'
import { pack } from '../../lib/data/packed.ts'
import {
  addRow,
  type Bar,
  BAR_COLUMNS,
  lengthOf,
  type OpenSeries,
  openSeries,
  packed,
  PRICE_COLUMNS,
} from './market-series.ts'
import {
  lostFrom,
  type OpenWallet,
  openWallet,
  rowsFromBytes,
  rowsToBytes,
  takeRow,
} from './wallet-series.ts'

/** The records since the hour began. */
interface Hour {
  prices: Map<string, OpenSeries>
  bars: Map<string, OpenSeries>
  /** When nothing was seen of any market: since, until. */
  dark: OpenSeries
  wallets: Map<string, OpenWallet>
}

const DARK_COLUMNS = 2

export function newHour(): Hour {
  return { prices: new Map(), bars: new Map(), dark: openSeries(DARK_COLUMNS), wallets: new Map() }
}

/** A block that is made when it is needed: an hour ends for very many at the same time. */
export type Ended = Omit<RecordingBlock, 'data'> & { bytes(): Uint8Array }

export function blocksOf(hour: Hour): Ended[] {
  const { prices, bars, dark, wallets } = hour
  const series = (of: RecordingPart, all: Iterable<[string, OpenSeries]>) =>
    [...all].flatMap(([id, one]): Ended[] =>
      lengthOf(one) > 0 ? [{ of, id, since: one.columns[0]?.[0] ?? 0, bytes: () => packed(one) }] : [],
    )
  return [
    ...series('prices', prices),
    ...series('bars', bars),
    ...series('dark', [['', dark]]),
    ...[...wallets].flatMap(([id, { rows }]): Ended[] =>
      rows[0] ? [{ of: 'wallet', id, since: rows[0].at, bytes: () => rowsToBytes(rows) }] : [],
    ),
  ]
}

/** One of them as far as it has come, with the minute that goes on; null where there is nothing of it. */
export function openOf(
  hour: Hour,
  of: RecordingPart,
  id: string,
  running: Bar | undefined,
): Uint8Array | null {
  if (of === 'wallet') {
    const rows = hour.wallets.get(id)?.rows ?? []
    return rows.length > 0 ? rowsToBytes(rows) : null
  }
  const series = of === 'dark' ? hour.dark : hour[of].get(id)
  const columns = series?.columns ?? Array.from({ length: BAR_COLUMNS }, () => [])
  const all =
    of === 'bars' && running ? columns.map((column, index) => [...column, running.row[index] ?? 0]) : columns
  return (all[0]?.length ?? 0) > 0 ? pack(all) : null
}

/** As JSON: there are an hour of pieces at the most. */
interface MarketsPiece {
  prices: Record<string, number[][]>
  bars: Record<string, number[][]>
  dark: number[][]
}

/** The market records that are not stored yet; null where there are no such records. */
export function marketsPiece({ prices, bars, dark }: Hour): Uint8Array | null {
  const unkept = ({ columns, kept }: OpenSeries) => columns.map((column) => column.slice(kept))
  const fresh = (all: Map<string, OpenSeries>) =>
    Object.fromEntries(
      [...all].flatMap(([id, one]) => (lengthOf(one) > one.kept ? [[id, unkept(one)] as const] : [])),
    )
  const piece: MarketsPiece = { prices: fresh(prices), bars: fresh(bars), dark: unkept(dark) }
  const isEmpty =
    Object.keys(piece.prices).length + Object.keys(piece.bars).length + (piece.dark[0]?.length ?? 0) === 0
  return isEmpty ? null : new TextEncoder().encode(JSON.stringify(piece))
}

/**
 * Takes in the minutes that an earlier run has stored. A damaged piece is a time in which nothing was seen.
 */
export function takePiece(hour: Hour, { at, id, data }: Kept<RecordingPiece>): void {
  if (id !== '') {
    const wallet = hour.wallets.get(id) ?? openWallet()
    hour.wallets.set(id, wallet)
    for (const row of readable(data, rowsFromBytes) ?? [lostFrom(wallet.rows.at(-1)?.at ?? at)]) {
      takeRow(wallet, row)
      wallet.rows.push(row)
    }
    return
  }
  const piece = readable(data, (bytes) => JSON.parse(new TextDecoder().decode(bytes)) as MarketsPiece)
  if (piece === null) return
  const into = (all: Map<string, OpenSeries>, parts: Record<string, number[][]>, width: number) => {
    for (const [marketId, columns] of Object.entries(parts)) {
      const series = all.get(marketId) ?? openSeries(width)
      all.set(marketId, series)
      addRows(series, columns)
    }
  }
  into(hour.prices, piece.prices, PRICE_COLUMNS)
  into(hour.bars, piece.bars, BAR_COLUMNS)
  addRows(hour.dark, piece.dark)
}

function addRows(series: OpenSeries, columns: readonly number[][]): void {
  const [first = []] = columns
  for (const index of first.keys())
    addRow(
      series,
      columns.map((column) => column[index] ?? 0),
    )
}

/** Decodes stored bytes; null where they are damaged. */
export function readable<T>(bytes: Uint8Array | null, decode: (bytes: Uint8Array) => T): T | null {
  try {
    return bytes === null ? null : decode(bytes)
  } catch {
    return null
  }
}
