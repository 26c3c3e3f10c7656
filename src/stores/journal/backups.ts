import type { OpenBackups } from '../../store/backup.ts'
import openFileBackups from '../sqlite/backups.ts'
import { placeOf } from './place.ts'

/** Keeps backups of the local file in a folder beside it. */
export default (({ url }) => {
  const { cell, file } = placeOf(url)
  return {
    ...openFileBackups({ url: file }),
    async restore() {
      throw new Error(
        `The file of the cell ${cell} holds what its journal says. Restore into another file, and make a new cell of it: npm run move.`,
      )
    },
  }
}) satisfies OpenBackups
