import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

import type { MoveStore } from '../../store/move.ts'
import { fileOf } from '../sqlite/backup/place.ts'
import { schemes } from './config.ts'
import { type Cell, MOVER } from './moves/cell.ts'
import { intoCell } from './moves/into.ts'
import { outOfCell } from './moves/out.ts'
import { placeOf } from './place.ts'
import { createCheckpoints } from './postgres/checkpoints.ts'
import { createEntries } from './postgres/entries.ts'
import { createLease } from './postgres/lease.ts'
import { LinkDown, openLink } from './postgres/link.ts'

const ANSWER_MS = 3_000

/** Makes a cell of a file, or a file of a cell. */
export default (async ({ from, to, clock, say }) => {
  const isCell = (url: string) => schemes.some((scheme) => url.toLowerCase().startsWith(`${scheme}:`))
  const place = placeOf(isCell(from) ? from : to)
  const link = openLink({ server: place.server, name: 'perch move', answerMs: ANSWER_MS })
  const { leaseMs } = place
  let said = ''
  const name = `${MOVER}${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`
  const cell: Cell = {
    ...{ place, link, clock },
    say(line) {
      if (line !== said) say(line)
      said = line
    },
    lease: createLease(link, { cell: place.cell, name, leaseMs, evenMoved: true }),
    entries: createEntries(link, place.cell),
    checkpoints: createCheckpoints(link, place.cell),
  }
  try {
    return isCell(from) ? await outOfCell(cell, fileOf(to)) : await intoCell(cell, fileOf(from))
  } catch (error) {
    if (!(error instanceof LinkDown)) throw error
    throw new Error(`${error.message}. Say it again once it does.`, { cause: error })
  } finally {
    await link.close()
  }
}) satisfies MoveStore
