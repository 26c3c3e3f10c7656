import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

import Database from 'better-sqlite3'

import { createYield } from '../../../runtime/clock.ts'
import type { Moved, MovedTable } from '../../../store/move.ts'
import { compareTables } from '../../sqlite/backup/compare.ts'
import { copyDatabase, syncToDisk } from '../../sqlite/backup/copy.ts'
import { realFile } from '../../sqlite/file/database.ts'
import { removeFile } from '../checkpoints/fetch.ts'
import { followCell } from '../copy.ts'
import { LinkDown } from '../postgres/link.ts'
import { type Cell, holding, ledBy } from './cell.ts'

/** How much longer than a lease somebody must hold it to be a leader that is alive. */
const MORE_MS = 2_000

/** All of the cell becomes a file. The cell stays, with a mark, so that no Perch begins with it by mistake. */
export async function outOfCell(cell: Cell, file: string): Promise<Moved> {
  const { place, lease } = cell
  if (existsSync(file) && existsSync(place.file) && realpathSync(file) === realpathSync(place.file))
    throw new Error(`${file} is the copy of the cell itself. Name another file.`)
  const { last } = await lease.look(0).catch(noCell(place.cell))
  if (last === 0) throw new Error(`The cell ${place.cell} has no records.`)
  const led = await follow(cell)
  // The lock of the file goes with it: copying needs none, and nobody else writes to it.
  led.file.close()
  return holding(cell, led.term, async () => {
    const { tables, isNew } = await copied(cell, file)
    const isEqual = tables.every((one) => one.isEqual)
    if (isEqual && !(await lease.leave(led.term.epoch, `to the file ${file}`))) {
      if (isNew) rmSync(file, { force: true })
      throw new Error(`Another Perch leads the cell ${place.cell} now. End all of them, and say it again.`)
    }
    return {
      tables,
      next: [
        `Set DATABASE_URL to ${file}. No Perch begins with the cell ${place.cell} any more.`,
        `The cell stays in PostgreSQL as it was. docs/operations.md says how to use or delete it.`,
      ],
    }
  })
}

/** Applies all entries and takes the lease. Gives up when somebody goes on holding it. */
async function follow(cell: Cell): ReturnType<typeof followCell> {
  const { place, clock, say } = cell
  const giveUp = new AbortController()
  const { leaseMs } = place
  let led: { by: string; untilMono: number } | null = null
  return followCell(place, {
    ...{ ...cell, leaseMs, signal: giveUp.signal, venues: null, emit: () => {} },
    heard: () => Promise.withResolvers<void>().promise,
    waits: say,
    stands({ role, leader, why }) {
      if (role === 'waiting') giveUp.abort(new Error(`${why}. Say it again later.`))
      const mono = clock.monotonic()
      if (leader === null) led = null
      else if (led?.by !== leader) led = { by: leader, untilMono: mono + leaseMs + MORE_MS }
      else if (mono >= led.untilMono) giveUp.abort(new Error(ledBy(place.cell, leader)))
    },
  })
}

/** Copies the local file without its position, and compares both. An interrupted move may have done it. */
async function copied(cell: Cell, file: string): Promise<{ tables: MovedTable[]; isNew: boolean }> {
  const local = realFile(cell.place.file)
  const isNew = !existsSync(file)
  const made = isNew ? `${file}.moving` : file
  try {
    if (isNew) copyWithoutPosition(local, made)
    const tables = await compareTables(local, made, createYield(cell.clock))
    const isEqual = tables.every((one) => one.isEqual)
    if (!isNew && !isEqual)
      throw new Error(`${file} is there already and holds something else. Name another file.`)
    if (isNew && isEqual) {
      renameSync(made, file)
      syncToDisk(dirname(file))
    }
    return { tables, isNew }
  } finally {
    if (isNew) removeFile(made)
  }
}

function copyWithoutPosition(file: string, made: string): void {
  removeFile(made)
  copyDatabase(file, made)
  const sqlite = new Database(made)
  try {
    sqlite.pragma('journal_mode = DELETE')
    sqlite.exec("DELETE FROM meta WHERE name = 'journal'")
  } finally {
    sqlite.close()
  }
  syncToDisk(made)
}

function noCell(name: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof LinkDown) throw error
    throw new Error(`There is no cell ${name} in this database. Check the URL.`, { cause: error })
  }
}
