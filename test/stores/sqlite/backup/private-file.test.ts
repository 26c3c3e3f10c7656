import { chownSync, lstatSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { say } from '../../../../src/message/message.ts'
import openBackups from '../../../../src/stores/sqlite/backups.ts'
import { openDatabase } from '../../../../src/stores/sqlite/file/database.ts'
import { openSqlite } from '../../../../src/stores/sqlite/index.ts'
import { newDatabase } from '../../../support/new-database.ts'
import { chatsOfAlice, temporaryFolder } from '../../../support/store.ts'

const BOT = { uid: 45_678, gid: 45_679 }
const NIGHT = Date.UTC(2026, 10, 23, 4, 15)
const isRoot = process.getuid?.() === 0

/** Whom everything there belongs to, but for the folder itself. */
function walletsIn(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const wallets = paths.map((path) => {
    const { uid, gid } = lstatSync(join(folder, path))
    return `${uid}:${gid}`
  })
  return [...new Set(wallets)]
}

describe.skipIf(!isRoot)('in a folder that is the bot’s, what root makes is the bot’s (as root)', () => {
  test('the backups and what is restored, so that the bot can go on', async () => {
    const folder = temporaryFolder()
    const file = newDatabase(join(folder, 'perch.sqlite'))
    const store = openSqlite(file, 'sim')
    await store.memory.commit(chatsOfAlice(1))
    await store.admin.close()
    for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))])
      chownSync(path, BOT.uid, BOT.gid)

    const backups = openBackups({ url: file })
    await backups.make({ now: NIGHT, to: null })
    expect(walletsIn(folder)).toEqual([`${BOT.uid}:${BOT.gid}`])
    await backups.restore({ now: NIGHT, from: null, venues: ['sim'], words: () => say('restored') })
    expect(walletsIn(folder)).toEqual([`${BOT.uid}:${BOT.gid}`])
  })

  test('a database that nobody has begun yet, with its lock and in its own folders', () => {
    const folder = temporaryFolder()
    chownSync(folder, BOT.uid, BOT.gid)
    openDatabase(join(folder, 'bots', 'data', 'perch.sqlite')).close()
    expect(walletsIn(folder)).toEqual([`${BOT.uid}:${BOT.gid}`])
  })
})

test('a database may be a link to where it has yet to be made', () => {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
  symlinkSync(join(elsewhere, 'perch.sqlite'), join(folder, 'perch.sqlite'))
  openDatabase(join(folder, 'perch.sqlite')).close()
  expect(statSync(join(elsewhere, 'perch.sqlite')).mode & 0o777).toBe(0o600)
})
