import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openDatabase } from '../../src/stores/sqlite/file/database.ts'

let migrated: Buffer | null = null

/** A new, empty database of its own, as the migrations leave it: to run them takes longer than most tests. */
export function newDatabase(file: string): string {
  migrated ??= migrate()
  writeFileSync(file, migrated, { mode: 0o600, flag: 'wx' })
  return file
}

function migrate(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'perch-migrated-'))
  try {
    const file = join(folder, 'perch.sqlite')
    openDatabase(file).close()
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
