import { existsSync } from 'node:fs'

import { systemClock } from '../runtime/clock.ts'
import type { Moved, MoveStore } from '../store/move.ts'
import { entry, refuse, storeOf } from './environment.ts'

// `npm run move -- <from> <to>` makes a cell of a file, or a file of a cell. Both are said as DATABASE_URL says them. No bot
// may run on either meanwhile.
const USAGE =
  'Say npm run move -- <from> <to>. One of them is a file, the other a journal: as DATABASE_URL says it'
const DIFFERENT = 1

await move(process.argv.slice(2)).catch((error: unknown) => refuse(error, false, 'Nothing was moved'))

async function move([from, to, ...more]: readonly string[]): Promise<void> {
  if (from === undefined || to === undefined || more.length > 0 || from.startsWith('-') || to.startsWith('-'))
    throw new Error(`${USAGE}.`)
  const stores = [await storeOf(from), await storeOf(to)]
  // One side of a move is a plain file.
  const movers = stores.filter((one) => existsSync(new URL(`../stores/${one}/move.ts`, import.meta.url)))
  const [mover, another] = movers
  if (mover === undefined || another !== undefined) throw new Error(`${USAGE}.`)
  const moveStore = await entry<MoveStore>('../stores/', mover, 'move.ts')
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const moved = await moveStore({ from, to, clock: systemClock(), say })
  say(tableOf(moved))
  if (moved.tables.every(({ isEqual }) => isEqual)) for (const line of moved.next) say(line)
  else {
    say('The tables differ, so do not start Perch on the new place.')
    process.exitCode = DIFFERENT
  }
}

function tableOf({ tables }: Moved): string {
  const width = Math.max(...tables.map(({ table }) => table.length))
  const lines = tables.map(
    ({ table, rows, isEqual }) =>
      `${table.padEnd(width)}  ${String(rows).padStart(9)} ${rows === 1 ? 'row ' : 'rows'}  ${isEqual ? 'equal' : 'DIFFERENT'}`,
  )
  const equal = tables.filter(({ isEqual }) => isEqual).length
  const rows = tables.reduce((sum, one) => sum + one.rows, 0)
  return [...lines, `${equal} of ${tables.length} tables are equal, row by row: ${rows} rows.`].join('\n')
}
