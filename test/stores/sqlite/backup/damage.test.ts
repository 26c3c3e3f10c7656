import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'

import openBackups from '../../../../src/stores/sqlite/backups.ts'
import { openSqlite } from '../../../../src/stores/sqlite/index.ts'
import { newDatabase } from '../../../support/new-database.ts'
import { temporaryFolder } from '../../../support/store.ts'

const NIGHT = Date.UTC(2026, 10, 23, 4, 15)
const PAGE = 4_096

/** A database with a backup, and what became of it. */
async function damaged(how: (bytes: Buffer) => Buffer, withBackup = true): Promise<string> {
  const file = newDatabase(join(temporaryFolder(), 'perch.sqlite'))
  await openSqlite(file, 'sim').admin.close()
  if (withBackup) await openBackups({ url: file }).make({ now: NIGHT, to: null })
  writeFileSync(file, how(readFileSync(file)))
  return file
}

const from = (page: number) => (bytes: Buffer) => bytes.fill(0x2a, page * PAGE, (page + 4) * PAGE)

describe('a damaged database ends the start with what to do now', () => {
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['pages in its middle are overwritten', from(6)],
    ['its first page is', (bytes) => bytes.fill(0x2a, 100, PAGE)],
    ['its header is', (bytes) => bytes.fill(0x2a, 0, 100)],
    ['its end is missing', (bytes) => bytes.subarray(0, 5 * PAGE)],
  ])('when %s', async (_how, how) => {
    const file = await damaged(how)
    expect(() => openSqlite(file, 'sim')).toThrow(
      /^The database .*perch\.sqlite is damaged: .*\. Put the newest backup back with “npm run restore”: .*backups\/perch-20261123T041500Z\.sqlite, of 2026-11-23 04:15 UTC\. What is there now is kept beside it\.$/,
    )
    expect(() => openSqlite(file, 'sim')).not.toThrow(/Another Perch/)
  })

  test('also when there is no backup', async () => {
    const file = await damaged(from(6), false)
    expect(() => openSqlite(file, 'sim')).toThrow(
      /is damaged: .* There is no backup of it in .*backups: put one there and say “npm run restore”, or move the file away to begin anew\.$/,
    )
  })
})

test('of a database that is too large to be looked through, each page that a start reads is looked at before', async () => {
  const sound = newDatabase(join(temporaryFolder(), 'perch.sqlite'))
  await openSqlite(sound, 'sim').admin.close()
  const sqlite = new Database(sound, { readonly: true })
  const roots = sqlite.prepare('SELECT name, rootpage AS page FROM sqlite_schema WHERE rootpage > 0').all()
  sqlite.close()
  const unnoticed: string[] = []
  for (const { name, page } of roots as { name: string; page: number }[]) {
    const file = newDatabase(join(temporaryFolder(), 'perch.sqlite'))
    writeFileSync(file, readFileSync(sound).fill(0x2a, (page - 1) * PAGE, page * PAGE))
    // SQLite passes over what is behind its pages, and it takes no room.
    truncateSync(file, 600 * 1024 * 1024)
    try {
      const store = openSqlite(file, 'sim')
      unnoticed.push(name)
      await Promise.all([store.memory.load(), store.recording.pieces()])
      await store.admin.close()
    } catch (error) {
      expect(String(error), name).toMatch(/is damaged: .* say “npm run restore”/)
    }
    rmSync(file)
  }
  // By history nothing is judged.
  const history = /^(?:alerts|steps|gaps|past|past_left)(?:_by_\w+)?$|^sqlite_autoindex_past_1$/
  expect(unnoticed.filter((name) => !history.test(name))).toEqual([])
})

test.each<[string, (file: string) => void]>([
  ['gone', (file) => rmSync(file)],
  ['empty', (file) => writeFileSync(file, '')],
])(
  'a database that is %s where there are backups of it is not begun anew unawares',
  async (_how, happens) => {
    const file = await damaged((bytes) => bytes)
    happens(file)
    expect(() => openSqlite(file, 'sim')).toThrow(
      /^The database .* is not there, and there are backups of it\. Put the newest back with “npm run restore”: .*perch-20261123T041500Z\.sqlite, of 2026-11-23 04:15 UTC\. To begin anew, move .*backups away\.$/,
    )
    rmSync(join(file, '../backups'), { recursive: true })
    await openSqlite(file, 'sim').admin.close()
  },
)
