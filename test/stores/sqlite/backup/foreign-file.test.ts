import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openSqlite } from '../../../../src/stores/sqlite/index.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perch-ours-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a file that is somebody else’s is left as it is, and nothing is made beside it', () => {
  test('a text', async () => {
    const file = join(folder, 'notes.txt')
    await writeFile(file, 'my notes, of more than sixteen letters')
    expect(() => openSqlite(file, 'stage')).toThrow(/notes\.txt is no SQLite database\. Set DATABASE_URL/)
    expect((await readdir(folder)).filter((name) => name.startsWith('notes'))).toEqual(['notes.txt'])
  })

  test('another program’s database', async () => {
    const file = join(folder, 'other.sqlite')
    const other = new Database(file)
    other.exec('CREATE TABLE cats (name TEXT)')
    other.close()
    expect(() => openSqlite(file, 'stage')).toThrow(/belongs to another program/)
    expect((await readdir(folder)).filter((name) => name.startsWith('other'))).toEqual(['other.sqlite'])
    const after = new Database(file)
    expect(after.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['cats'])
    after.close()
  })

  test('another venue’s database', async () => {
    const file = join(folder, 'venue.sqlite')
    await openSqlite(file, 'stage').admin.close()
    expect(() => openSqlite(file, 'elsewhere')).toThrow(/belongs to another venue \(stage\)/)
    await openSqlite(file, 'stage').admin.close()
  })
})
