import type { Owner } from '../../owner.ts'
import type { Kept, PastBlock, PastOf } from '../../past.ts'
import type { Store } from '../../store.ts'
import { courseOf } from './course.ts'
import type { Course } from './course.ts'
import { readable } from './readable.ts'
import type { Recorder } from './recorder.ts'
import { slowly } from './slowly.ts'
import { lostFrom, rowsFromBytes } from './wallet-past.ts'
import type { WalletRow } from './wallet-past.ts'

const HOUR_MS = 3_600_000

/** What is kept and what no block has yet, as one. What lies there damaged is a time that nobody saw. */
export function createArchive(
  store: Pick<Store, 'past'>,
  recorder: Recorder,
  periods: { staleMs: number; holeMs: number },
) {
  // A block that began before then may reach beyond it.
  const blocks = (of: PastOf, id: string, since: number) => store.past(of, id, since - HOUR_MS)
  const series = async (of: PastOf, id: string, since: number) =>
    [...(await blocks(of, id, since)).map(({ data }) => data), ...recorder.open(of, id)].filter(
      (data) => data !== null,
    )
  return {
    /** Of none what concerns all of them. */
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
    async rows(owner: Owner, since: number, breathe: () => Promise<void>): Promise<WalletRow[]> {
      const rows: WalletRow[] = []
      for (const block of await blocks('wallet', owner, since)) {
        for (const row of rowsIn(block)) rows.push(row)
        await breathe()
      }
      return [...rows, ...recorder.open('wallet', owner).flatMap(rowsFromBytes)]
    },
  }
}

function rowsIn({ since, data }: Kept<PastBlock>): WalletRow[] {
  return readable(data, rowsFromBytes) ?? [lostFrom(since)]
}
