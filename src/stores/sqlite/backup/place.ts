import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'

import type { Backup } from '../../../store/backup.ts'

/** The file that DATABASE_URL names: `data/perch.sqlite`, `file:data/perch.sqlite`, `file:///var/perch.sqlite`. */
export function fileOf(url: string): string {
  return url.replace(/^file:(\/\/)?/i, '')
}

/** Backups lie beside the database, so that both are found together. */
export function backupFolder(file: string): string {
  return join(dirname(file), 'backups')
}

/** `perch-20261123T041500Z.sqlite`: the order of names is the order of time. */
export function backupName(file: string, at: number): string {
  return join(backupFolder(file), `${stem(file)}-${stamp(at)}.sqlite`)
}

export function stamp(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
}

/** Returns the backups, newest first. Files with other names are not ours. */
export function backupsOf(file: string): Backup[] {
  return namesIn(backupFolder(file))
    .flatMap((name) => {
      const at = madeAt(file, name)
      const path = join(backupFolder(file), name)
      const bytes = statSync(path, { throwIfNoEntry: false })?.size
      return at === null || bytes === undefined ? [] : [{ file: path, at, bytes }]
    })
    .sort((a, b) => b.at - a.at)
}

/** Returns copies that were never finished, because a process was killed or the power failed. */
export function unfinishedOf(file: string, before: number): string[] {
  return namesIn(backupFolder(file))
    .filter((name) => name.startsWith(`${stem(file)}-`) && /\.part(-journal)?$/.test(name))
    .map((name) => join(backupFolder(file), name))
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before) < before)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function madeAt(file: string, name: string): number | null {
  if (!name.startsWith(`${stem(file)}-`)) return null
  const [, ...parts] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.sqlite$/.exec(name.slice(stem(file).length + 1)) ?? []
  const [year, month, day, hour, minute, second] = parts
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at) ? null : at
}

function stem(file: string): string {
  return basename(file, extname(file))
}
