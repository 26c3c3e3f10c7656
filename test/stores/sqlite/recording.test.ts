import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'

import { expect, test } from 'vitest'

import type { RecordingBlock } from '../../../src/alert/backtest.ts'
import { openDatabase } from '../../../src/stores/sqlite/file/database.ts'
import { openSqlite } from '../../../src/stores/sqlite/index.ts'
import { ALICE, BOB } from '../../support/fixtures.ts'
import { temporaryFolder } from '../../support/store.ts'

const data = new TextEncoder().encode('0123'.repeat(50))

test('what lies there damaged, wherever a byte is another, is known to be, and the rest is read', async () => {
  const opened = openDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const store = openSqlite('', 'sim', () => opened)
  const block = (since: number) => ({ of: 'bars', id: '100', since, data }) as const
  const pieces = [{ at: 60, id: ALICE, data }]
  await store.memory.commit([{ is: 'past', blocks: [block(1), block(2)], pieces, inBlocks: null }])
  const kept = opened.sqlite.prepare('SELECT data FROM past WHERE since = 1').pluck().get() as Buffer
  for (const place of kept.keys()) {
    const other = Buffer.from(kept)
    other[place] = (other[place] ?? 0) ^ 0xff
    opened.sqlite.prepare('UPDATE past SET data = ? WHERE since = 1').run(other)
    opened.sqlite.prepare('UPDATE past_pieces SET data = ?').run(other)
    const [damaged, whole] = await store.recording.blocks('bars', '100', 0)
    expect(damaged?.data, `byte ${place}`).toBeNull()
    expect(Buffer.from(whole?.data ?? [])).toEqual(Buffer.from(data))
    expect(await store.recording.pieces()).toEqual([{ at: 60, id: ALICE, data: null }])
  }
  await store.admin.close()
})

test('what is read takes the room of what it is, however many blocks it comes in', async () => {
  const store = openSqlite(join(temporaryFolder(), 'perch.sqlite'), 'sim')
  const blocks = Array.from(
    { length: 200 },
    (_, since) => ({ of: 'wallet', id: ALICE, since, data }) as const,
  )
  await store.memory.commit([{ is: 'past', blocks, pieces: [], inBlocks: null }])
  const read = (await store.recording.blocks('wallet', ALICE, 0)).flatMap((one) => one.data ?? [])
  expect(read).toHaveLength(200)
  // Node gives small ones out of larger pieces: those are what stays in memory.
  const held = [...new Set(read.map(({ buffer }) => buffer))].reduce((sum, one) => sum + one.byteLength, 0)
  expect(held / read.length).toBeLessThanOrEqual(4_096)
  await store.admin.close()
})

test('what was recorded of a wallet that is left is not read from then on, and goes a part at a time, also after a start', async () => {
  const file = join(temporaryFolder(), 'perch.sqlite')
  const month = Array.from({ length: 720 }, (_, since) => ({ of: 'wallet', id: ALICE, since, data }) as const)
  const other = { of: 'wallet', id: BOB, since: 3, data } as const
  const alive = { is: 'alive', at: 1, pricesAt: null, holes: [] } as const
  let opened = openDatabase(file)
  let store = openSqlite('', 'sim', () => opened)
  const rows = () => opened.sqlite.prepare('SELECT count(*) FROM past').pluck().get()
  const kept = async (blocks: RecordingBlock[]) =>
    store.memory.commit([{ is: 'past', blocks, pieces: [], inBlocks: null }])
  const hours = async () => (await store.recording.blocks('wallet', ALICE, 0)).map(({ since }) => since)
  await kept([...month, other])
  await store.memory.commit([{ is: 'wallet-gone', wallet: ALICE }])
  expect(rows()).toBe(721)
  expect(await hours()).toEqual([])
  await store.memory.commit([alive])
  expect(rows()).toBe(521)
  // Whoever watches it again meanwhile begins anew.
  await kept([{ of: 'wallet', id: ALICE, since: 900, data }])
  await store.admin.close()
  opened = openDatabase(file)
  store = openSqlite('', 'sim', () => opened)
  const counts = []
  for (let time = 0; time < 4; time++) {
    await store.memory.commit([alive])
    counts.push(rows())
  }
  expect(counts).toEqual([322, 122, 2, 2])
  expect(await hours()).toEqual([900])
  expect(await store.recording.blocks('wallet', BOB, 0)).toHaveLength(1)
  await store.admin.close()
})

test('what the first version kept is read as well', async () => {
  const opened = openDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const store = openSqlite('', 'sim', () => opened)
  opened.sqlite
    .prepare('INSERT INTO past VALUES (?, ?, ?, ?)')
    .run('bars', '100', 1, Buffer.from(deflateRawSync(data)))
  expect((await store.recording.blocks('bars', '100', 0)).map((one) => Buffer.from(one.data ?? []))).toEqual([
    Buffer.from(data),
  ])
  await store.admin.close()
})

test('a wallet that is left takes its records of other venues along, and no other wallet’s', async () => {
  const opened = openDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const store = openSqlite('', 'sim', () => opened)
  const ids = [ALICE, `${ALICE}/lighter`, BOB, `${BOB}/lighter`]
  const blocks = ids.map((id) => ({ of: 'wallet', id, since: 1, data }) as const)
  const pieces = ids.map((id) => ({ at: 60, id, data }))
  await store.memory.commit([{ is: 'past', blocks, pieces, inBlocks: null }])
  await store.memory.commit([{ is: 'wallet-gone', wallet: ALICE }])
  const read = await Promise.all(ids.map((id) => store.recording.blocks('wallet', id, 0)))
  expect(read.map(({ length }) => length)).toEqual([0, 0, 1, 1])
  expect((await store.recording.pieces()).map(({ id }) => id)).toEqual([BOB, `${BOB}/lighter`])
  await store.admin.close()
})
