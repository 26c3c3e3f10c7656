import { z } from 'zod'

import { metaReader, type Statements } from '../statements.ts'

/** How far a file has come that is the copy of a cell: the last entry of its journal that it holds. */
export interface Position {
  /** The identity of the journal. */
  journal: string
  /** Its name, for people. */
  cell: string
  seq: number
  /** The epoch of that entry. The same number with another epoch is another history. */
  epoch: number
}

const schema = z.object({ journal: z.string(), cell: z.string(), seq: z.number(), epoch: z.number() })

/** Null for a file that belongs to no journal. */
export function positionIn(sqlite: Statements): Position | null {
  const kept = metaReader(sqlite, 'journal')()
  return kept === null ? null : schema.parse(JSON.parse(kept))
}

/** Call the result in the transaction of the entry itself. */
export function positionKeeper(sqlite: Statements): (position: Position) => void {
  const keep = sqlite.prepare("INSERT OR REPLACE INTO meta VALUES ('journal', ?)")
  return (position) => void keep.run(JSON.stringify(position))
}

/** Throws a sentence for the operator: what is written to the copy of a cell alone, no other process ever sees. */
export function refuseCopy(sqlite: Statements, file: string): void {
  const position = positionIn(sqlite)
  if (position === null) return
  throw new Error(
    `The database ${file} is the copy of the cell ${position.cell}. Set DATABASE_URL to its journal, or make a file of it: npm run move.`,
  )
}
