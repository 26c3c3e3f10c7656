import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'

import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'

import { systemClock } from '../../../src/runtime/clock.ts'
import type { Standing } from '../../../src/runtime/standing.ts'
import type { Write } from '../../../src/store/store.ts'
import { openCopy } from '../../../src/stores/journal/copy.ts'
import takeLead from '../../../src/stores/journal/lead.ts'
import { placeOf } from '../../../src/stores/journal/place.ts'
import { createCheckpoints } from '../../../src/stores/journal/postgres/checkpoints.ts'
import { createEntries } from '../../../src/stores/journal/postgres/entries.ts'
import { createLease } from '../../../src/stores/journal/postgres/lease.ts'
import { LinkDown, openLink } from '../../../src/stores/journal/postgres/link.ts'
import { makeTables } from '../../../src/stores/journal/postgres/tables.ts'
import { eventually } from '../../support/patience.ts'
import { cellUrl, sharedPostgres } from '../../support/postgres/shared.ts'
import { temporaryFolder } from '../../support/store.ts'

let count = 0

/** A database of its own: what is done to it harms no other test. */
async function database(like = "ENCODING 'UTF8'"): Promise<{ url: string; straight: Client }> {
  const { url } = await sharedPostgres()
  const name = `h${process.pid}x${++count}`
  const maker = await connected(url)
  await maker.query(`CREATE DATABASE ${name} TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C' ${like}`)
  const own = Object.assign(new URL(url), { pathname: `/${name}` }).href
  return { url: own, straight: await connected(own) }
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

function opened(server: string, answerMs = 1_000) {
  const link = openLink({ server, name: 'test', answerMs })
  onTestFinished(() => link.close())
  return link
}

function start(server: string, lease = 1) {
  const stopping = new AbortController()
  let last: Omit<Standing, 'standbys'> | null = null
  const url = cellUrl(server, 'main', join(temporaryFolder(), 'a.sqlite'), `&lease=${lease}`)
  const leads = takeLead({
    ...{ url, clock: systemClock(), signal: stopping.signal },
    emit: (event) => void (event.is === 'standing' && (last = event)),
  })
  leads.catch(() => {})
  onTestFinished(async () => {
    stopping.abort(new Error('stopping'))
    await leads.then((lead) => lead.close()).catch(() => {})
  })
  return { leads, stands: () => last }
}

/** Does this to each new entry that holds the word. */
async function trap(straight: Client, word: string, body: string): Promise<void> {
  await straight.query(`CREATE FUNCTION perch.trap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF position('${word}' in NEW.op) > 0 THEN ${body}; END IF; RETURN NEW; END $$;
    CREATE TRIGGER trap BEFORE INSERT ON perch.journal FOR EACH ROW EXECUTE FUNCTION perch.trap()`)
}

const input = (word: string): Write => ({ is: 'input', input: { platform: 'telegram', id: word }, at: 1 })

/** The entries of a cell that this process leads. */
async function entriesOf(server: string, answerMs: number) {
  const link = opened(server, answerMs)
  await makeTables(link, 'main', 1)
  const lease = createLease(link, { cell: 'main', name: 'me', leaseMs: 60_000 })
  const epoch = (await lease.take()) ?? 0
  return { lease, epoch, entries: createEntries(link, 'main') }
}

/** Repeats it while the link says that it may work later. */
async function insisting<T>(work: () => Promise<T>): Promise<{ value: T; tries: number }> {
  for (let tries = 1; ; tries++) {
    try {
      return { value: await work(), tries }
    } catch (error) {
      if (!(error instanceof LinkDown) || tries > 8) throw error
    }
  }
}

describe('a change that PostgreSQL cannot take', () => {
  test('is refused in the end, though the lease is renewed; others are kept', async () => {
    const { url, straight } = await database()
    const { leads } = start(url)
    const lead = await leads
    const store = await lead.open(['sim'])
    await trap(straight, 'zebra', "RAISE 'the disk is full' USING ERRCODE = '53100'")
    await expect(store.memory.commit([input('zebra')])).rejects.toThrow(/the disk is full/)
    expect(lead.holds()).toBe(true)
    await store.memory.commit([input('after')])
    expect(await store.memory.seen({ platform: 'telegram', id: 'zebra' })).toBe(false)
    expect(await store.memory.seen({ platform: 'telegram', id: 'after' })).toBe(true)
  })
})

describe('a change so large that it takes longer than an answer may', () => {
  test('is written with more patience', async () => {
    const { url, straight } = await database()
    const { entries, epoch } = await entriesOf(url, 150)
    await trap(straight, 'zebra', 'PERFORM pg_sleep(0.5)')
    const append = () => entries.append({ epoch, seq: 1, epochBefore: 0 }, ['zebra'])
    const { value, tries } = await insisting(append)
    expect(value).toBe('kept')
    expect(tries).toBeGreaterThan(1)
    expect(await entries.append({ epoch, seq: 2, epochBefore: epoch }, ['a'])).toBe('kept')
  })

  test('is read with more patience', async () => {
    const { url, straight } = await database()
    const { entries, epoch } = await entriesOf(url, 150)
    await entries.append({ epoch, seq: 1, epochBefore: 0 }, ['zebra'])
    await straight.query(`ALTER TABLE perch.journal RENAME TO slow; CREATE VIEW perch.journal AS
      SELECT slow.* FROM perch.slow, LATERAL (SELECT pg_sleep(0.5) WHERE slow.seq > 0) AS sleeps`)
    const { value } = await insisting(() => entries.after(0))
    expect(value.map(({ text }) => text)).toEqual(['zebra'])
  })
})

test('a server that says its errors in another language is understood', async () => {
  const { url } = await database()
  const { hostname, port } = new URL(url)
  const translator = createServer((client) => {
    const server = connect(Number(port), hostname)
    client.pipe(server)
    server.on('data', (bytes) => {
      const text = bytes.toString('latin1').replaceAll('SERROR\0', 'SHATA!\0')
      client.write(Buffer.from(text, 'latin1'))
    })
    for (const socket of [client, server])
      socket.on('error', () => {}).on('close', () => (client.destroy(), server.destroy()))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void translator.close())
  await once(translator, 'listening')
  const { port: own } = translator.address() as AddressInfo
  const { entries, epoch } = await entriesOf(Object.assign(new URL(url), { port: String(own) }).href, 2_000)
  const at = { epoch, seq: 1, epochBefore: 0 }
  expect(await entries.append(at, ['a'])).toBe('kept')
  expect(await entries.append(at, ['b'])).toBe('taken')
})

test('a database that cannot hold all letters is refused with a sentence', async () => {
  const { url } = await database("ENCODING 'LATIN1'")
  await expect(start(url).leads).rejects.toThrow(
    'The database of the journal keeps text as LATIN1. Make one with ENCODING UTF8.',
  )
})

test('of two leaders of one epoch, as a database has that lost its last second, the first one ends', async () => {
  const { url, straight } = await database()
  const { lease, epoch } = await entriesOf(url, 2_000)
  await straight.query("UPDATE perch.cells SET holder = 'another'")
  expect(await lease.renew(epoch)).toBe(false)
  await lease.release(epoch)
  expect(await lease.leave(epoch, 'to a file')).toBe(false)
  expect(await lease.look(0)).toMatchObject({ holder: 'another', isFree: false })
})

test('a clock of the database that was set back keeps nobody from leading', async () => {
  const { url, straight } = await database()
  const { lease, epoch } = await entriesOf(url, 2_000)
  await straight.query("UPDATE perch.cells SET until = clock_timestamp() + interval '300 seconds'")
  expect(await lease.take()).toBe(null)
  await straight.query("UPDATE perch.cells SET until = clock_timestamp() + interval '1 hour'")
  expect(await lease.look(0)).toMatchObject({ isFree: true })
  expect(await lease.take()).toBe(epoch + 1)
})

test('a journal without its beginning is not asked for without a pause', async () => {
  const { url, straight } = await database()
  const { lease, epoch, entries } = await entriesOf(url, 2_000)
  await entries.append({ epoch, seq: 1, epochBefore: 0 }, ['a', 'b'])
  await straight.query('DELETE FROM perch.journal WHERE seq = 1')
  const link = opened(url)
  const place = placeOf(cellUrl(url, 'main', join(temporaryFolder(), 'a.sqlite')))
  const giveUp = new AbortController()
  const said: string[] = []
  const opening = openCopy(place, {
    ...{ lease, entries, checkpoints: createCheckpoints(link, 'main'), signal: giveUp.signal },
    // Nothing that waits for this clock goes on.
    clock: { ...systemClock(), wakeAt: () => () => {} },
    waits: (why) => void said.push(why),
  })
  opening.catch(() => {})
  await eventually(() => said.length > 1)
  setTimeout(() => giveUp.abort(new Error('enough')), 100)
  await expect(opening).rejects.toThrow('enough')
  expect(said).toHaveLength(2)
})

test('a pooler that gives each statement another connection is borne', async () => {
  const { url } = await database()
  const link = opened(url)
  const ask = () => link.ask('SELECT 1 AS one', [], { name: 'one' })
  await ask()
  await link.ask('DEALLOCATE ALL')
  expect((await insisting(ask)).value).toEqual([{ one: 1 }])
})

test('a leader that is cut off in the middle of a statement keeps nobody from leading', async () => {
  const { url, straight } = await database()
  const { lease } = await entriesOf(url, 2_000)
  const dying = opened(url, 300)
  await dying.ask('BEGIN')
  await dying.ask("SELECT 1 FROM perch.cells WHERE cell = 'main' FOR SHARE")
  await eventually(async () => {
    const { rows } = await straight.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM pg_locks JOIN pg_class ON relation = pg_class.oid WHERE relname = 'cells'",
    )
    return rows[0]?.n === 0
  })
  expect(await lease.take()).toBe(null)
})
