import type { Kept, RecordingBlock, RecordingPart, RecordingPiece } from '../../alert/backtest.ts'
import type { Write } from '../../store/store.ts'
import type { Position } from '../../venue/position.ts'
import { blocksOf, type Ended, marketsPiece, newHour, openOf, takePiece } from './hour.ts'
import {
  addPrice,
  addRow,
  addToBar,
  type Bar,
  BAR_COLUMNS,
  type Figures,
  lengthOf,
  type OpenSeries,
  openSeries,
  PRICE_COLUMNS,
} from './market-series.ts'
import {
  inOrderAt,
  openWallet,
  rowOf,
  rowsToBytes,
  type Seen,
  takeAgain,
  takeRow,
  wholeRow,
} from './wallet-series.ts'

/**
 * Records readings as they come in: stored a minute at a time, then for good an hour at a time. Records that
 * a crash loses are a time in which nothing was seen.
 */
export interface Recorder {
  /** `closely`: each of its prices, and not only its minutes. */
  price(marketId: string, figures: Figures, closely: boolean): void
  /** Nothing was seen of any market. */
  dark(since: number, until: number): void
  /** Whether there is room for a wallet, by its id in the recording. */
  takes(id: string): boolean
  wallet(id: string, seen: Seen, at: number): void
  /**
   * Takes an answer that speaks of no accounts. Returns whether it shows the known positions in their order; if not, it
   * takes nothing.
   */
  again(id: string, positions: readonly Position[], at: number): boolean
  /** It cannot be read since then; null when it can. */
  unseen(id: string, since: number | null, at: number): void
  forget(id: string): void
  /** Takes in the minutes that an earlier run stored, and that no hour has yet. */
  resume(pieces: readonly Kept<RecordingPiece>[]): void
  /** Ends the minute, and the hour, if they are over at this wall time. `'all'` ends the minute in any case. */
  turn(now: number, much?: 'all'): void
  /**
   * Returns the writes that are due since the last `turn`, with at most so many pieces: only some of them if there are very
   * many.
   */
  due(most?: number): Write[]
  /** Whether the minute has more pieces than it has returned. */
  isLeft(): boolean
  /** Notes that this write is committed. */
  kept(write: PastWrite): void
  /** The records that no block has yet, the oldest first. */
  open(of: RecordingPart, id: string): Uint8Array[]
}

export type PastWrite = Extract<Write, { is: 'past' }>

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Beyond these nothing is recorded of the others: what it takes is bounded however much there is. */
const MOST = { prices: 100, bars: 1_000, wallets: 2_000, ended: 20_000 }
/** People who leave a market often come back: its single prices are recorded for so long. */
const STAYS_CLOSE_MS = 6 * HOUR_MS
/** An hour ends for very many at the same time: they are kept little by little. */
const BLOCKS_AT_ONCE = 40
/** The piece of all markets. */
const MARKETS = ''
/** Liquidation prices drift with every answer. Where more rows than these come in a minute, the smallest drifts are left out. */
const ROWS_A_MINUTE = 500
const LEAST_DRIFT = 1e-6

export function createRecorder(): Recorder {
  let hour = newHour()
  let begun: number | null = null
  /** The ids of the minute that is over whose pieces were not returned yet. Each is returned once in a minute. */
  let left: string[] = []
  /** How many of those that were returned are not kept. */
  let untaken = 0
  /** The blocks of hours that are over, not stored yet. */
  let ended: Ended[] = []
  /** Pieces from before then are in blocks as soon as all that have ended are. */
  let endedAt: number | null = null
  const running = new Map<string, Bar>()
  const closeAt = new Map<string, number>()
  let drift = 0
  let rows = 0

  const seriesOf = (all: Map<string, OpenSeries>, id: string, columns: number, most: number) => {
    const known = all.get(id)
    if (known || all.size >= most) return known
    const fresh = openSeries(columns)
    all.set(id, fresh)
    return fresh
  }
  const walletOf = (id: string) => {
    const known = hour.wallets.get(id)
    if (known || hour.wallets.size >= MOST.wallets) return known
    const fresh = openWallet()
    hour.wallets.set(id, fresh)
    return fresh
  }

  function endHour(now: number): void {
    ended = [...ended, ...blocksOf(hour)].slice(-MOST.ended)
    endedAt = now
    const { wallets } = hour
    hour = newHour()
    // The next hour must show unchanged wallets too. Its pieces go on from the block before.
    for (const [wallet, open] of wallets)
      hour.wallets.set(wallet, { ...open, rows: [wholeRow(open, inOrderAt(open, now))], kept: 1 })
  }

  function pieceOf(id: string, at: number): RecordingPiece | null {
    if (id === MARKETS) {
      const markets = marketsPiece(hour)
      return markets && { at, id, data: markets }
    }
    const wallet = hour.wallets.get(id)
    if (!wallet || wallet.rows.length <= wallet.kept) return null
    return { at, id, data: rowsToBytes(wallet.rows.slice(wallet.kept)) }
  }

  function takeLeft(at: number, most: number): RecordingPiece[] {
    const all: RecordingPiece[] = []
    let looked = 0
    for (const id of left) {
      if (all.length >= most) break
      looked++
      const piece = pieceOf(id, at)
      if (piece) all.push(piece)
    }
    left = left.slice(looked)
    return all
  }

  return {
    price(marketId, figures, closely) {
      if (closely) closeAt.set(marketId, figures.at)
      const isClose = Math.abs(figures.at - (closeAt.get(marketId) ?? -Infinity)) < STAYS_CLOSE_MS
      const closest = isClose ? seriesOf(hour.prices, marketId, PRICE_COLUMNS, MOST.prices) : undefined
      if (closest) addPrice(closest, figures)
      const { bar, done } = addToBar(running.get(marketId), figures)
      running.set(marketId, bar)
      const bars = done && seriesOf(hour.bars, marketId, BAR_COLUMNS, MOST.bars)
      if (bars) addRow(bars, done.row)
    },
    dark: (since, until) => addRow(hour.dark, [since, until]),
    takes: (id) => hour.wallets.has(id) || hour.wallets.size < MOST.wallets,
    wallet(id, seen, at) {
      const open = walletOf(id)
      const row = open && rowOf(open, seen, inOrderAt(open, at), drift)
      if (!row) return
      takeRow(open, row)
      open.rows.push(row)
      rows++
    },
    again(id, positions, at) {
      const open = hour.wallets.get(id)
      const row = open && takeAgain(open, positions, inOrderAt(open, at), drift)
      if (!open || row === undefined) return false
      if (row === null) return true
      open.rows.push(row)
      rows++
      return true
    },
    unseen(id, since, at) {
      if ((hour.wallets.get(id)?.unseenSince ?? null) === since) return
      const open = walletOf(id)
      if (!open) return
      open.unseenSince = since
      open.rows.push({ at: inOrderAt(open, at), whole: false, positions: {}, unseenSince: since })
    },
    forget(id) {
      hour.wallets.delete(id)
      ended = ended.filter((one) => one.of !== 'wallet' || one.id !== id)
    },
    resume(all) {
      const before = newHour()
      for (const piece of all) takePiece(before, piece)
      ended = blocksOf(before)
      const last = all.at(-1)
      if (last) endedAt = last.at + 1
    },
    turn(now, much) {
      const isNextHour = begun !== null && Math.floor(now / HOUR_MS) !== Math.floor(begun / HOUR_MS)
      const isOver = begun === null || Math.abs(now - begun) >= MINUTE_MS || isNextHour || much === 'all'
      if (isNextHour) endHour(now)
      if (!isOver) return
      begun = now
      left = [MARKETS, ...hour.wallets.keys()]
      untaken = 0
      drift = nextDrift(drift, rows)
      rows = 0
    },
    due(most = Infinity) {
      const blocks = ended.slice(0, BLOCKS_AT_ONCE).map(blockOf)
      const inBlocks = blocks.length === ended.length ? endedAt : null
      // Pieces that could not be kept wait for the next minute, and all others with them.
      if (untaken > 0) left = []
      const fresh = begun === null ? [] : takeLeft(begun, most)
      untaken = fresh.length
      const isNothing = blocks.length + fresh.length === 0 && inBlocks === null
      return isNothing ? [] : [{ is: 'past', blocks, pieces: fresh, inBlocks }]
    },
    isLeft: () => left.length > 0,
    kept({ blocks, pieces: fresh, inBlocks }) {
      const done = new Set(blocks.map(nameOf))
      if (done.size > 0) ended = ended.filter((block) => !done.has(nameOf(block)))
      if (inBlocks !== null) endedAt = null
      untaken = 0
      for (const { id } of fresh) {
        const wallet = hour.wallets.get(id)
        if (wallet) wallet.kept = wallet.rows.length
        if (id !== MARKETS) continue
        for (const series of [hour.dark, ...hour.prices.values(), ...hour.bars.values()])
          series.kept = lengthOf(series)
      }
    },
    open(of, id) {
      const waiting = ended.filter((one) => one.of === of && one.id === id).map(({ bytes }) => bytes())
      const data = openOf(hour, of, id, running.get(id))
      return data ? [...waiting, data] : waiting
    },
  }
}

function nextDrift(drift: number, rows: number): number {
  if (rows > ROWS_A_MINUTE) return Math.max(drift * 2, LEAST_DRIFT)
  return drift > LEAST_DRIFT ? drift / 2 : 0
}

function blockOf({ of, id, since, bytes }: Ended): RecordingBlock {
  return { of, id, since, data: bytes() }
}

function nameOf({ of, id, since }: Omit<RecordingBlock, 'data'>): string {
  return `${of} ${since} ${id}`
}
