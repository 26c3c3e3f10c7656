import { existsSync, rmSync, statSync } from 'node:fs'

import type { OpenBackups } from '../../store/backup.ts'
import { copyDatabase } from './backup/copy.ts'
import { damagedWords, isDamage } from './backup/damage.ts'
import { backupName, backupsOf, fileOf, unfinishedOf } from './backup/place.ts'
import { restore } from './backup/restore.ts'

/** No backup takes so long to write: an older unfinished one was abandoned. */
const UNFINISHED_MS = 3_600_000

/** Keeps backups of a SQLite file in a folder beside it. */
export default (({ url }) => {
  const file = fileOf(url)
  return {
    list: async () => backupsOf(file),
    async make({ now, to }) {
      if (!existsSync(file)) throw new Error(`There is no database at ${file} yet. Check DATABASE_URL.`)
      for (const part of unfinishedOf(file, now - UNFINISHED_MS)) rmSync(part, { force: true })
      const copy = to ?? backupName(file, now)
      if (existsSync(copy)) throw new Error(`${copy} is there already. Name another file, or remove it.`)
      try {
        copyDatabase(file, copy)
      } catch (error) {
        throw isDamage(error) ? new Error(damagedWords(file, String(error)), { cause: error }) : error
      }
      return { file: copy, at: now, bytes: statSync(copy).size }
    },
    remove: async (backup) => rmSync(backup.file, { force: true }),
    restore: async (asked) => restore(file, asked),
  }
}) satisfies OpenBackups
