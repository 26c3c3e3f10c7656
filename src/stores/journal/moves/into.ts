import { existsSync, realpathSync, statSync } from 'node:fs'

import Database from 'better-sqlite3'

import { createYield } from '../../../runtime/clock.ts'
import type { Moved, MovedTable } from '../../../store/move.ts'
import { compareTables } from '../../sqlite/backup/compare.ts'
import { copyDatabase, isEmpty } from '../../sqlite/backup/copy.ts'
import { refuseForeignFile } from '../../sqlite/backup/foreign-file.ts'
import { knownSchema, lockFile, openDatabase, realFile } from '../../sqlite/file/database.ts'
import { type Position, positionIn, positionKeeper } from '../../sqlite/journaled/position.ts'
import { removeFile } from '../checkpoints/fetch.ts'
import { newCheckpointId, writePieces } from '../checkpoints/write.ts'
import { openCopy } from '../copy.ts'
import { FORM } from '../encode.ts'
import type { Place } from '../place.ts'
import { makeTables } from '../postgres/tables.ts'
import { type Cell, holding, take } from './cell.ts'

/** The number of the first checkpoint of a cell that was a file. */
const FIRST = 1
const CLAIM_MS = 60_000

/** The file becomes the first checkpoint of a new cell. It stays as it was. */
export async function intoCell(cell: Cell, file: string): Promise<Moved> {
  const { place, link } = cell
  refuseSource(file, place)
  const lock = lockFile(realpathSync(file))
  const copy = `${place.file}.moving`
  try {
    await makeTables(link, place.cell, FORM)
    removeFile(copy)
    copyDatabase(file, copy)
    const isOlder = migrated(copy)
    const term = await take(cell)
    const tables = await holding(cell, term, async () => {
      await upload(cell, copy, term.epoch)
      return compared(cell, isOlder ? copy : file)
    })
    return {
      tables,
      next: [
        ...(isOlder
          ? [`${file} is of an older Perch. The cell was compared with it as this Perch reads it.`]
          : []),
        `Set DATABASE_URL to the cell ${place.cell}, on each machine with a file of its own.`,
        `${file} is as it was. Keep it as a backup and start no Perch on it: two with one token answer twice.`,
      ],
    }
  } finally {
    removeFile(copy)
    removeFile(`${copy}.lock`)
    lock.close()
  }
}

/** Throws a sentence for the operator if the file cannot become that cell. */
function refuseSource(file: string, place: Place): void {
  if (!existsSync(file) || statSync(file).size === 0)
    throw new Error(`There is no database at ${file}. Check its name.`)
  refuseForeignFile(file, null)
  if (existsSync(place.file) && realpathSync(place.file) === realpathSync(file))
    throw new Error(
      `The cell needs a file of its own. Name another one in its URL: file=data/${place.cell}.sqlite.`,
    )
  const position = positionOfFile(file)
  if (position !== null)
    throw new Error(`${file} is the copy of the cell ${position.cell}, so it cannot become another one.`)
  // One that is a copy of the same cell is of a move that was interrupted.
  if (!existsSync(place.file) || statSync(place.file).size === 0) return
  refuseForeignFile(place.file, null)
  if (positionOfFile(place.file) === null)
    throw new Error(
      `${place.file} is there already and is no copy of a cell. Name another file in the cell's URL.`,
    )
}

function positionOfFile(file: string): Position | null {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  try {
    return isEmpty(sqlite) ? null : positionIn(sqlite)
  } finally {
    sqlite.close()
  }
}

/** Migrates a copy. Returns true if it was of an older Perch. */
function migrated(copy: string): boolean {
  const sqlite = new Database(copy, { readonly: true })
  const before = sqlite.pragma('user_version', { simple: true })
  sqlite.close()
  openDatabase(copy).close()
  return before !== knownSchema()
}

/** Unless an interrupted move has done it. Nothing that a Perch has written is overwritten. */
async function upload(cell: Cell, copy: string, epoch: number): Promise<void> {
  const { place, lease, entries, checkpoints, clock, say } = cell
  const { id: journal, last } = await lease.look(0)
  if (last > 0) {
    const isUnused = last === FIRST && (await entries.first()) === null
    if (!isUnused)
      throw new Error(`The cell ${place.cell} has records already. Name a new one in the URL: cell=another.`)
    return
  }
  const opened = openDatabase(copy)
  positionKeeper(opened.sqlite)({ journal, cell: place.cell, seq: FIRST, epoch })
  opened.close()
  say(`Writing ${(statSync(copy).size / 1e6).toFixed(1)} MB into the cell ${place.cell}.`)
  const id = newCheckpointId()
  // Nobody else writes a checkpoint of a cell without entries, but for a move that was killed.
  await checkpoints.claim(id, CLAIM_MS, 'dead')
  try {
    const { stored, ...made } = await writePieces(copy, { id, checkpoints, clock })
    const checkpoint = { id, seq: FIRST, epoch, schema: knownSchema(), ...made }
    if (!(await checkpoints.begin(checkpoint, stored)))
      throw new Error(
        `A Perch has begun to use the cell ${place.cell}. Name a new one in the URL: cell=another.`,
      )
  } finally {
    await checkpoints.letGo(id).catch(() => {})
  }
}

/** Fetches the cell into its local file and compares that with another one. */
async function compared(cell: Cell, file: string): Promise<MovedTable[]> {
  const { signal } = new AbortController()
  const opened = await openCopy(cell.place, { ...cell, signal, waits: cell.say })
  opened.close()
  return compareTables(file, realFile(cell.place.file), createYield(cell.clock))
}
