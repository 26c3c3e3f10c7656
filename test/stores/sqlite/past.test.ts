import { deflateRawSync } from 'node:zlib'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { openDatabase } from '../../../src/stores/sqlite/database.ts'
import { openSqlite } from '../../../src/stores/sqlite/index.ts'
import { ALICE } from '../../support/fixtures.ts'
import { temporaryFolder } from '../../support/store.ts'

const data = new TextEncoder().encode('0123'.repeat(50))

test('what lies there damaged, wherever a byte is another, is known to be, and the rest is read', async () => {
  const opened = openDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const store = openSqlite('', 'sim', () => opened)
  const block = (since: number) => ({ of: 'bars', id: '100', since, data }) as const
  const pieces = [{ at: 60, id: ALICE, data }]
  await store.commit([{ is: 'past', blocks: [block(1), block(2)], pieces, inBlocks: null }])
  const kept = opened.sqlite.prepare('SELECT data FROM past WHERE since = 1').pluck().get() as Buffer
  for (const place of kept.keys()) {
    const other = Buffer.from(kept)
    other[place] = (other[place] ?? 0) ^ 0xff
    opened.sqlite.prepare('UPDATE past SET data = ? WHERE since = 1').run(other)
    opened.sqlite.prepare('UPDATE past_pieces SET data = ?').run(other)
    const [damaged, whole] = await store.past('bars', '100', 0)
    expect(damaged?.data, `byte ${place}`).toBeNull()
    expect(Buffer.from(whole?.data ?? [])).toEqual(Buffer.from(data))
    expect(await store.pastPieces()).toEqual([{ at: 60, id: ALICE, data: null }])
  }
  await store.close()
})

test('what is read takes the room of what it is, however many blocks it comes in', async () => {
  const store = openSqlite(join(temporaryFolder(), 'perch.sqlite'), 'sim')
  const blocks = Array.from(
    { length: 200 },
    (_, since) => ({ of: 'wallet', id: ALICE, since, data }) as const,
  )
  await store.commit([{ is: 'past', blocks, pieces: [], inBlocks: null }])
  const read = (await store.past('wallet', ALICE, 0)).flatMap((one) => one.data ?? [])
  expect(read).toHaveLength(200)
  // Node gives small ones out of larger pieces: those are what stays in memory.
  const held = [...new Set(read.map(({ buffer }) => buffer))].reduce((sum, one) => sum + one.byteLength, 0)
  expect(held / read.length).toBeLessThanOrEqual(4_096)
  await store.close()
})

test('what the first version kept is read as well', async () => {
  const opened = openDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const store = openSqlite('', 'sim', () => opened)
  opened.sqlite
    .prepare('INSERT INTO past VALUES (?, ?, ?, ?)')
    .run('bars', '100', 1, Buffer.from(deflateRawSync(data)))
  expect((await store.past('bars', '100', 0)).map((one) => Buffer.from(one.data ?? []))).toEqual([
    Buffer.from(data),
  ])
  await store.close()
})
