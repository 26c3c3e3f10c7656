import type { Kept, RecordingBlock, RecordingPart } from '../../alert/backtest.ts'
import type { RecordingStore } from '../../store/store.ts'
import { readable } from '../recording/hour.ts'
import type { Recorder } from '../recording/recorder.ts'
import { lostFrom, rowsFromBytes, type WalletRow } from '../recording/wallet-series.ts'
import { type Course, courseOf } from './price-series.ts'

const HOUR_MS = 3_600_000

/**
 * Joins the stored blocks with the records that no block has yet. A damaged record is a time that nobody saw.
 */
export function createArchive(
  recording: Pick<RecordingStore, 'blocks'>,
  recorder: Pick<Recorder, 'open'>,
  periods: { staleMs: number; holeMs: number },
) {
  // A block that began before then may reach beyond it.
  const blocks = (of: RecordingPart, id: string, since: number) => recording.blocks(of, id, since - HOUR_MS)
  const series = async (of: RecordingPart, id: string, since: number) =>
    [...(await blocks(of, id, since)).map(({ data }) => data), ...recorder.open(of, id)].filter(
      (data) => data !== null,
    )
  return {
    /** Without a market, only the gaps that concern all markets. */
    async course(
      marketId: string | null,
      { since, until }: { since: number; until: number },
      breathe: () => Promise<void>,
    ): Promise<Course> {
      const prices = marketId === null ? [] : await series('prices', marketId, since)
      await breathe()
      const bars = marketId === null ? [] : await series('bars', marketId, since)
      await breathe()
      const dark = await series('dark', '', since)
      return slowly(courseOf({ prices, bars, dark }, { until, ...periods }), breathe)
    },
    /** The rows of a wallet's recording, by its id there. */
    async rows(id: string, since: number, breathe: () => Promise<void>): Promise<WalletRow[]> {
      const rows: WalletRow[] = []
      for (const block of await blocks('wallet', id, since)) {
        for (const row of rowsIn(block)) rows.push(row)
        await breathe()
      }
      return [...rows, ...recorder.open('wallet', id).flatMap(rowsFromBytes)]
    },
  }
}

function rowsIn({ since, data }: Kept<RecordingBlock>): WalletRow[] {
  return readable(data, rowsFromBytes) ?? [lostFrom(since)]
}

/** Does what stops here and there, and lets others have their turn in between. */
export async function slowly<T>(work: Generator<void, T>, breathe: () => Promise<void>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    await breathe()
  }
}
