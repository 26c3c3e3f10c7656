import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'

import { say } from '../../../src/message/message.ts'
import type { Session } from '../../../src/people/session.ts'
import type { Restored } from '../../../src/store/backup.ts'
import type { Store } from '../../../src/store/store.ts'
import { roomTrouble } from '../../../src/stores/sqlite/backup/copy.ts'
import openBackups from '../../../src/stores/sqlite/backups.ts'
import { openDatabase } from '../../../src/stores/sqlite/file/database.ts'
import { openSqlite } from '../../../src/stores/sqlite/index.ts'
import { aChat, aRule } from '../../support/fixtures.ts'
import { newDatabase } from '../../support/new-database.ts'
import { program } from '../../support/store-child.ts'
import { anAlert } from '../../support/store-everything.ts'
import { aRow, aTurn, chatsOfAlice, sends, sentAt, temporaryFolder } from '../../support/store.ts'

const MIGRATIONS = new URL('../../../src/stores/sqlite/migrations/', import.meta.url)
const NIGHT = Date.UTC(2026, 10, 23, 4, 15)
const MORNING = Date.UTC(2026, 10, 23, 9, 0)

const newFile = () => newDatabase(join(temporaryFolder(), 'perch.sqlite'))
const alive = (at: number) => ({ is: 'alive', at, pricesAt: null, holes: [] }) as const

/** Alice with a chat, as it was at night. */
async function atNight(file: string): Promise<Store> {
  const store = openSqlite(file, 'sim')
  await store.memory.commit([...chatsOfAlice(1), alive(NIGHT)])
  return store
}

const make = (file: string, now = NIGHT) => openBackups({ url: file }).make({ now, to: null })
const restore = (file: string, from: string | null = null, identity = 'sim'): Promise<Restored> =>
  openBackups({ url: file }).restore({
    ...{ now: MORNING, from, venues: [identity] },
    words: (until) => say(`as of ${new Date(until).toISOString()}`),
  })

/** A page in the middle is overwritten, as a bad disk does it. */
function spoil(file: string): void {
  const bytes = readFileSync(file)
  bytes.fill(0x2a, 4_096 * 3, 4_096 * 12)
  writeFileSync(file, bytes)
}

describe('a backup', () => {
  test('is made while the bot keeps on writing, is whole, and is for nobody else to read', async () => {
    const file = newFile()
    const store = await atNight(file)
    const backup = await make(file)
    expect(backup.file).toBe(join(dirname(file), 'backups', 'perch-20261123T041500Z.sqlite'))
    await store.memory.commit([alive(MORNING)])
    expect((await store.memory.load()).aliveAt).toBe(MORNING)
    await store.admin.close()
    expect(statSync(backup.file).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(backup.file)).mode & 0o777).toBe(0o700)
    expect(readdirSync(dirname(backup.file))).toEqual(['perch-20261123T041500Z.sqlite'])
    const copy = openSqlite(backup.file, 'sim')
    expect((await copy.memory.load()).aliveAt).toBe(NIGHT)
    await copy.admin.close()
  })

  test('has what a bot that was killed had not put in order any more', async () => {
    const file = newFile()
    await (await atNight(file)).admin.close()
    const killed = program(
      `globalThis.store = openSqlite(file, 'sim')
      await store.memory.commit([{ is: 'alive', at: 77, pricesAt: null, holes: [] }])
      console.log('kept'); setInterval(() => {}, 1_000)`,
      file,
    )
    expect(await killed.firstLine).toBe('kept')
    killed.child.kill('SIGKILL')
    await killed.ended
    const { file: copied } = await make(file)
    const copy = openSqlite(copied, 'sim')
    expect((await copy.memory.load()).aliveAt).toBe(77)
    await copy.admin.close()
  })

  test('lies where it is wanted, if that is said, and is none of those that are thrown away then', async () => {
    const file = newFile()
    const to = join(temporaryFolder(), 'usb', 'mine.sqlite')
    const backups = openBackups({ url: `file:${file}` })
    await backups.make({ now: NIGHT, to })
    expect(existsSync(to)).toBe(true)
    expect(await backups.list()).toEqual([])
    await expect(backups.make({ now: NIGHT, to })).rejects.toThrow(/mine\.sqlite is there already\./)
  })

  test('is listed with its time, the newest first; other files there are left alone', async () => {
    const file = newFile()
    const [first, second] = [await make(file), await make(file, MORNING)]
    for (const name of [
      'perch-notes.txt',
      'sim-20261123T041500Z.sqlite',
      'perch-20261123T041500Z.sqlite.part',
    ])
      writeFileSync(join(dirname(first.file), name), 'x')
    const backups = openBackups({ url: file })
    expect(await backups.list()).toEqual([second, first])
    await backups.remove(second)
    expect(await backups.list()).toEqual([first])
  })

  test('is made where one was broken off, of which nothing is left; one that is being made is left alone', async () => {
    const file = newFile()
    const folder = join(dirname(file), 'backups')
    mkdirSync(folder)
    const [old, young] = ['perch-20261122T041500Z.sqlite.part', 'perch-20261123T041400Z.sqlite.part']
    for (const name of [old, young]) writeFileSync(join(folder, name), 'x')
    utimesSync(join(folder, old), NIGHT / 1_000 - 86_400, NIGHT / 1_000 - 86_400)
    utimesSync(join(folder, young), NIGHT / 1_000 - 60, NIGHT / 1_000 - 60)
    await make(file)
    expect(readdirSync(folder)).toEqual([young, 'perch-20261123T041500Z.sqlite'])
  })

  test.each([
    ['there is no database', (file: string) => rmSync(file), /There is no database at .*perch\.sqlite yet/],
    ['nothing is in it yet', (file: string) => writeFileSync(file, ''), /There is nothing in .* yet/],
    ['the database is damaged', spoil, /is damaged: .*There is no backup of it in .*backups/],
  ])('is not made, and nothing is left of it, when %s', async (_when, happens, sentence) => {
    const file = newFile()
    happens(file)
    await expect(make(file)).rejects.toThrow(sentence)
    expect(await openBackups({ url: file }).list()).toEqual([])
    const folder = join(dirname(file), 'backups')
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  })

  test('leaves room for what goes on beside it', () => {
    const [mb, gb] = [1e6, 1e9]
    expect(roomTrouble(gb, 2 * gb)).toBeNull()
    expect(roomTrouble(gb, 2 * gb - 1)).toMatch(/^there is no room for a copy: 2000 MB are free/)
    expect(roomTrouble(mb, 60 * mb)).toMatch(/no room/)
  })
})

describe('restoring', () => {
  test('puts the newest back, and what was there aside with all that had not been put in order', async () => {
    const file = newFile()
    const store = await atNight(file)
    const { file: from } = await make(file)
    await store.memory.commit([{ is: 'person-gone', personId: 1 }, alive(MORNING)])
    await store.admin.close()
    const aside = `${file}.before-20261123T090000Z`
    expect(await restore(file)).toEqual({ from, until: NIGHT, aside, unsound: [] })
    const [restored, before] = [openSqlite(file, 'sim'), openSqlite(aside, 'sim')]
    expect((await restored.memory.load()).persons).toHaveLength(1)
    expect((await before.memory.load()).persons).toHaveLength(0)
    await restored.admin.close()
    await before.admin.close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(file)).filter((name) => name.includes('restoring'))).toEqual([])
  })

  test('goes well after one that was cut short, whatever that has left', async () => {
    const file = newFile()
    await (await atNight(file)).admin.close()
    await make(file)
    copyFileSync(file, `${file}.restoring`)
    const cut = openDatabase(`${file}.restoring`)
    cut.sqlite.exec("INSERT INTO meta VALUES ('half', '1')")
    copyFileSync(`${file}.restoring-wal`, `${file}.kept`)
    cut.close()
    copyFileSync(`${file}.kept`, `${file}.restoring-wal`)
    await restore(file)
    const { sqlite, close } = openDatabase(file)
    expect(sqlite.prepare("SELECT count(*) FROM meta WHERE name = 'half'").pluck().get()).toBe(0)
    close()
    expect(readdirSync(dirname(file)).filter((name) => name.includes('restoring'))).toEqual([])
  })

  test('is refused while a bot runs on it, and changes nothing', async () => {
    const file = newFile()
    const store = await atNight(file)
    await make(file)
    await expect(restore(file)).rejects.toThrow(/^Another Perch works on this database .* Stop it/)
    await store.memory.commit([alive(MORNING)])
    expect((await store.memory.load()).aliveAt).toBe(MORNING)
    await store.admin.close()
  })

  test.each<[string, (file: string) => void]>([
    ['damaged', spoil],
    ['overwritten', (file) => writeFileSync(file, 'Dear diary')],
    ['gone', (file) => rmSync(file)],
  ])(
    'puts one back when the database is %s, and takes no number for another thing',
    async (_how, happens) => {
      const file = newFile()
      const store = await atNight(file)
      await store.memory.commit([{ is: 'alert', alert: anAlert({ id: 41 }) }])
      await store.admin.close()
      await make(file)
      happens(file)
      await restore(file)
      const restored = openSqlite(file, 'sim')
      expect((await restored.memory.load()).last.alert).toBe(10_041)
      await restored.admin.close()
    },
  )

  test('gives no number again that was given out since: a button below an old message means what it meant', async () => {
    const file = newFile()
    const store = await atNight(file)
    await make(file)
    await store.memory.commit([
      { is: 'rule', rule: aRule({ id: 9 }) },
      { is: 'alert', alert: anAlert({ id: 55 }) },
      ...sends(aRow({ id: 120 })),
    ])
    await store.admin.close()
    await restore(file)
    const restored = openSqlite(file, 'sim')
    // The note that it was restored has taken one.
    expect((await restored.memory.load()).last).toMatchObject({ rule: 9, alert: 55, row: 121 })
    await restored.admin.close()
  })

  test('tells everybody once who is told anything, quietly, and marks what waited then as a possible repeat', async () => {
    const file = newFile()
    const store = await atNight(file)
    const bound = aChat({ id: 2, private: false, address: { platform: 'telegram', chat: 'c', thread: null } })
    await store.memory.commit([
      { is: 'chat', chat: bound },
      { is: 'rule', rule: aRule({ chatId: 2 }) },
    ])
    await store.memory.commit([{ is: 'rule', rule: aRule({ id: 8, chatId: 1 }) }, ...sends(aRow({ id: 1 }))])
    await make(file)
    await store.admin.close()
    await restore(file)
    const restored = openSqlite(file, 'sim')
    const rows = [
      ...(await restored.outbox.round(aTurn({ now: MORNING }))),
      ...(await restored.outbox.round(aTurn({ now: MORNING, settled: [sentAt(2), sentAt(3)] }))),
    ]
    const notes = rows.filter(({ id }) => id !== 1)
    expect(rows.find(({ id }) => id === 1)?.possibleRepeat).toBe(true)
    expect(notes.map(({ chatId, silent, possibleRepeat }) => [chatId, silent, possibleRepeat])).toEqual([
      [1, true, false],
      [2, true, false],
    ])
    expect(notes[0]?.message.items[0]?.title).toBe('as of 2026-11-23T04:15:00.000Z')
    await restored.admin.close()
  })

  test('lets nobody in with a code that may have been used since', async () => {
    const file = newFile()
    const store = await atNight(file)
    const code = {
      hash: 'h',
      is: 'invite',
      personId: 1,
      expiresAt: MORNING * 2,
      claimant: null,
      name: null,
    } as const
    await store.memory.commit([{ is: 'code', code }])
    await make(file)
    await store.admin.close()
    await restore(file)
    const restored = openSqlite(file, 'sim')
    expect((await restored.memory.load()).codes).toEqual([])
    await restored.admin.close()
  })

  test('signs every page and assistant out: one may have been ended since', async () => {
    const file = newFile()
    const store = await atNight(file)
    const session: Session = {
      ...{ id: 1, personId: 1, is: 'page', user: 'digest', name: 'Firefox', via: 'code', since: NIGHT },
      until: MORNING * 2,
    }
    await store.memory.commit([{ is: 'session', session }])
    await make(file)
    await store.memory.commit([
      { is: 'session', session: { ...session, id: 2, user: 'other' } },
      { is: 'session-gone', user: 'digest' },
    ])
    await store.admin.close()
    await restore(file)
    const restored = openSqlite(file, 'sim')
    const { sessions, last } = await restored.memory.load()
    expect([sessions, last.session]).toEqual([[], 2])
    await restored.admin.close()
  })

  test('passes over what is damaged, empty, another venue’s or of a newer Perch, and says so', async () => {
    const file = newFile()
    await (await atNight(file)).admin.close()
    const good = await make(file, NIGHT)
    const folder = dirname(good.file)
    const name = (hour: number) => join(folder, `perch-20261123T0${hour}0000Z.sqlite`)
    for (const hour of [5, 6, 7, 8]) copyFileSync(good.file, name(hour))
    spoil(name(5))
    writeFileSync(name(6), '')
    const amend = (path: string, sql: string) => new Database(path).exec(sql).close()
    amend(name(7), "UPDATE meta SET value = 'elsewhere' WHERE name = 'venue'")
    amend(name(8), 'PRAGMA user_version = 999')
    const { from, unsound } = await restore(file)
    expect(from).toBe(good.file)
    expect(unsound.map(({ why }) => why)).toEqual([
      expect.stringMatching(/newer Perch \(schema 999/),
      expect.stringMatching(/belongs to another venue \(elsewhere\), and this is sim/),
      expect.stringMatching(/is empty/),
      expect.stringMatching(/is damaged/),
    ])
    await expect(restore(file, name(7))).rejects.toThrow(/another venue/)
    await expect(restore(file, name(9))).rejects.toThrow(/^There is no file /)
  })

  test('without any backup says where it looked', async () => {
    await expect(restore(newFile())).rejects.toThrow(
      /^There is no backup in .*backups\. Name one: npm run restore -- <file>\.$/,
    )
  })

  test('does not replace another venue’s database', async () => {
    const file = newFile()
    await (await atNight(file)).admin.close()
    const { file: from } = await make(file)
    await expect(restore(file, from, 'elsewhere')).rejects.toThrow(/belongs to another venue \(sim\)/)
  })
})

describe('one that an earlier Perch has made is of today when it is restored', () => {
  const names = readdirSync(MIGRATIONS).toSorted()
  test.each(names.map((name, index) => [name, index + 1] as const))(
    'schema up to %s',
    async (_name, schema) => {
      const folder = temporaryFolder()
      const old = join(folder, 'migrations')
      mkdirSync(old)
      for (const name of names.slice(0, schema)) copyFileSync(new URL(name, MIGRATIONS), join(old, name))
      const file = join(folder, 'perch.sqlite')
      const { sqlite, close } = openDatabase(file, pathToFileURL(`${old}/`))
      sqlite.exec(`
      INSERT INTO meta VALUES ('venue', 'sim'), ('alive', '${NIGHT}');
      INSERT INTO persons (id, operator, zone) VALUES (1, 1, 'UTC');
      INSERT INTO chats (id, platform, chat, person_id, private) VALUES (1, 'telegram', 'a', 1, 1);
    `)
      await make(file)
      close()
      rmSync(file)
      expect(await restore(file)).toMatchObject({ until: NIGHT })
      const store = openSqlite(file, 'sim')
      expect((await store.memory.load()).persons).toMatchObject([{ id: 1, operator: true }])
      const [note] = await store.outbox.round(aTurn({ now: MORNING }))
      expect(note?.message.items[0]?.title).toBe('as of 2026-11-23T04:15:00.000Z')
      await store.admin.close()
    },
  )
})
