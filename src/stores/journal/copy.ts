import { existsSync } from 'node:fs'

import type { Clock } from '../../runtime/clock.ts'
import { type JournaledFile, openJournaled } from '../sqlite/journaled/file.ts'
import type { Entries } from './postgres/entries.ts'
import type { Cell } from './postgres/lease.ts'
import type { Place } from './place.ts'

/**
 * Opens the local file as a copy of the cell, and makes it anew where it is missing or too old to go on. Throws a sentence for
 * the operator if it is something else.
 */
export async function openCopy(
  { cell: name, file }: Place,
  { cell, entries, clock }: { cell: Cell; entries: Entries; clock: Clock },
): Promise<JournaledFile> {
  const isMissing = !existsSync(file)
  const opened = openJournaled(file, clock)
  try {
    const position = opened.position()
    if (position === null) {
      if (!isMissing && !opened.isEmpty())
        throw new Error(
          `The file ${file} is no copy of the cell ${name}. Name another file, or take it into the cell: npm run move.`,
        )
      await opened.draft()
      opened.keep({ journal: cell.id, cell: name, seq: 0, epoch: 0 })
    } else if (position.journal !== cell.id)
      throw new Error(
        `The file ${file} is the copy of another journal (cell ${position.cell}). Name another file in DATABASE_URL.`,
      )
    else if (position.seq > cell.last)
      throw new Error(
        `The file ${file} is ahead of the journal (${position.seq} of ${cell.last}): the database is an older one. Put the right one back, or make a new cell of the file: npm run move.`,
      )
    const first = await entries.first()
    const at = opened.position()?.seq ?? 0
    if (cell.last > at && (first === null || first > at + 1))
      throw new Error(`The file ${file} is too old: the journal begins at ${first}.`)
    return opened
  } catch (error) {
    opened.drop()
    opened.close()
    throw error
  }
}
