import { join } from 'node:path'

import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'

import type { Standing } from '../../../src/runtime/standing.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Lead } from '../../../src/store/lead.ts'
import type { Store, Write } from '../../../src/store/store.ts'
import takeLead from '../../../src/stores/journal/lead.ts'
import { openLink } from '../../../src/stores/journal/postgres/link.ts'
import { eventually } from '../../support/patience.ts'
import { type Break, openProxy, type PostgresProxy } from '../../support/postgres/proxy.ts'
import { openPostgres, type Postgres } from '../../support/postgres/server.ts'
import { cellUrl, sharedPostgres } from '../../support/postgres/shared.ts'
import { differences } from '../../support/postgres/tables.ts'
import { aRow, chatsOfAlice, sends, temporaryFolder } from '../../support/store.ts'

const VENUES = ['sim']
let cells = 0

/** A cell of its own, and the way to it through a proxy. */
async function world(server?: Postgres) {
  const { url } = server ?? (await sharedPostgres())
  const cell = `f${process.pid}-${++cells}`
  const straight = new Client({ connectionString: url })
  straight.on('error', () => {})
  await straight.connect()
  const folder = temporaryFolder()
  onTestFinished(() => straight.end())

  return {
    ...{ straight, cell, url, folder },
    /** Another process of this cell, as good as on another machine. */
    async process(name: string): Promise<Process> {
      const proxy = await openProxy(url)
      onTestFinished(() => proxy[Symbol.asyncDispose]())
      const file = join(folder, `${name}.sqlite`)
      return startProcess(cellUrl(proxy.url, cell, file, '&lease=1'), proxy, file)
    },
    /** The operations in the journal that hold this word. */
    async entries(word: string): Promise<number> {
      const { rows } = await straight.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM perch.journal WHERE cell = $1 AND position($2 in op) > 0',
        [cell, word],
      )
      return rows[0]?.n ?? NaN
    },
  }
}

interface Process {
  proxy: PostgresProxy
  file: string
  /** The last thing that it has said of itself. */
  stands(): Omit<Standing, 'standbys'> | null
  leads: Promise<Lead>
  /** Once it leads. */
  store: Promise<Store>
}

function startProcess(url: string, proxy: PostgresProxy, file: string): Process {
  const stopping = new AbortController()
  let last: Omit<Standing, 'standbys'> | null = null
  const leads = takeLead({
    ...{ url, clock: systemClock(), signal: stopping.signal },
    emit: (event) => void (event.is === 'standing' && (last = event)),
  })
  const store = leads.then((lead) => lead.open(VENUES))
  store.catch(() => {})
  onTestFinished(async () => {
    stopping.abort(new Error('stopping'))
    await leads.then((lead) => lead.close()).catch(() => {})
  })
  return { proxy, file, leads, store, stands: () => last }
}

/** A write with this word in it; `seen` finds it again. */
const input = (word: string): Write => ({ is: 'input', input: { platform: 'telegram', id: word }, at: 1 })
const isKept = (store: Store, word: string) => store.memory.seen({ platform: 'telegram', id: word })
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'kept',
    (error: Error) => error.message,
  )

describe('a commit whose answer', () => {
  test.each<[Break, string]>([
    ['unsent', 'could not come, because the question never arrived'],
    ['sent', 'is lost with the connection, while the server works'],
    ['unanswered', 'is lost after the server has kept it'],
    ['silent', 'never comes, while the connection looks well'],
    ['late', 'does not come, because the question hangs on its way'],
  ])('%s: %s – is in the journal once, and is kept', async (how) => {
    const { process, entries } = await world()
    const { proxy, store: opening } = await process('a')
    const store = await opening
    const broken = proxy.breakNext('zebra', how)
    expect(await outcome(store.memory.commit([input('zebra')]))).toBe('kept')
    await broken
    // The first question may arrive after the second one was answered.
    await proxy.bringLate()
    await store.memory.commit([input('after')])
    expect([await entries('zebra'), await entries('after')]).toEqual([1, 1])
    expect(await isKept(store, 'zebra')).toBe(true)
  })
})

test('a commit that was refused, and is found in the journal all the same, ends the process: people were told that it failed', async () => {
  const { process, entries, folder } = await world()
  const { proxy, store: opening, leads } = await process('a')
  const store = await opening
  const broken = proxy.breakNext('zebra', 'late')
  const refused = outcome(store.memory.commit([input('zebra')]))
  await broken
  await proxy.away()
  expect(await refused).toMatch(/^PostgreSQL does not answer/)
  expect(await isKept(store, 'zebra')).toBe(false)
  await proxy.bringLate()
  await proxy.back()
  const { over } = await leads
  void store.memory.commit([input('next')])
  expect(await over).toBe('the journal has an entry that this Perch has counted as not written')
  expect([await entries('zebra'), await entries('next')]).toEqual([1, 0])
  // Who leads then has it.
  const next = await process('b')
  expect(await isKept(await next.store, 'zebra')).toBe(true)
  expect(folder).not.toBe('')
})

test('while PostgreSQL is away nothing is kept and nothing may be sent; then the same process goes on', async () => {
  const { process, entries } = await world()
  const { proxy, store: opening, leads, stands } = await process('a')
  const [store, lead] = [await opening, await leads]
  await proxy.away()
  await eventually(() => !lead.holds())
  expect(await outcome(store.memory.commit([input('zebra')]))).toMatch(/the lease of this Perch ran out/)
  await eventually(() => stands()?.role === 'suspended')
  expect(lead.mayAlarm()).toBe(true)
  await proxy.back()
  await eventually(() => lead.holds())
  expect(await outcome(store.memory.commit([input('again')]))).toBe('kept')
  expect([await entries('zebra'), await entries('again')]).toEqual([0, 1])
  expect([await isKept(store, 'zebra'), await isKept(store, 'again')]).toEqual([false, true])
})

test('a process that another one has followed says so and ends; what it was asked for never ends, and is nowhere', async () => {
  const { process, entries } = await world()
  const first = await process('a')
  const [store, lead] = [await first.store, await first.leads]
  await store.memory.commit([input('before')])
  const second = await process('b')
  await eventually(() => second.stands()?.role === 'standby')
  first.proxy.hold()
  const next = await second.store
  expect(lead.holds()).toBe(false)
  await next.memory.commit([input('theirs')])
  let isSettled = false
  void outcome(store.memory.commit([input('zebra')])).then(() => (isSettled = true))
  first.proxy.goOn()
  expect(await lead.over).toBe('another Perch leads this cell now')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect({ isSettled, holds: lead.holds(), mayAlarm: lead.mayAlarm() }).toEqual({
    ...{ isSettled: false, holds: false, mayAlarm: false },
  })
  expect([await entries('before'), await entries('theirs'), await entries('zebra')]).toEqual([1, 1, 0])
  expect((await second.leads).epoch).toBe(lead.epoch + 1)
})

test('of commits that come together, one that the file refuses fails alone', async () => {
  const { process, entries } = await world()
  const { store: opening } = await process('a')
  const store = await opening
  await store.memory.commit(chatsOfAlice(1))
  const [first, bad, last] = ['first', 'bad', 'last'].map((word) =>
    outcome(
      store.memory.commit([input(word), ...(word === 'bad' ? sends(aRow({ id: 1, chatId: 99 })) : [])]),
    ),
  )
  expect([await first, await bad, await last]).toEqual(['kept', 'FOREIGN KEY constraint failed', 'kept'])
  expect([await entries('first'), await entries('bad'), await entries('last')]).toEqual([1, 0, 1])
})

test('a slow server is asked again: a commit that it gave up is kept when it has time', async () => {
  const { process, straight, cell, entries } = await world()
  const { store: opening, leads } = await process('a')
  const store = await opening
  await straight.query('BEGIN')
  await straight.query('SELECT 1 FROM perch.cells WHERE cell = $1 FOR UPDATE', [cell])
  const kept = outcome(store.memory.commit([input('zebra')]))
  // Longer than a statement may take, shorter than the lease.
  await new Promise((resolve) => setTimeout(resolve, 400))
  await straight.query('ROLLBACK')
  expect(await kept).toBe('kept')
  expect(await entries('zebra')).toBe(1)
  expect((await leads).holds()).toBe(true)
})

describe('with a server of its own', () => {
  async function ownServer() {
    const opened = await openPostgres()
    if ('lacks' in opened) throw new Error(opened.lacks)
    onTestFinished(() => opened.server[Symbol.asyncDispose]())
    return opened.server
  }

  test('commits go on after a restart of it, and both files are equal', async () => {
    const server = await ownServer()
    const { process } = await world(server)
    const [first, second] = [await process('a'), await process('b')]
    const store = await Promise.race([first.store, second.store])
    await store.memory.commit([input('before')])
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      await server.signal(signal)
      const waiting = outcome(store.memory.commit([input(signal)]))
      await server.start()
      await waiting
      await eventually(
        async () => (await outcome(store.memory.commit([input(`${signal} after`)]))) === 'kept',
      )
    }
    await eventually(() => differences(first.file, second.file).length === 0)
    expect(await isKept(store, 'SIGQUIT after')).toBe(true)
  })

  test('a server that only reads makes nobody lead, and ends no process: it may be asked to write again', async () => {
    const server = await ownServer()
    const { process, straight } = await world(server)
    const first = await process('a')
    const [store, lead] = [await first.store, await first.leads]
    const second = await process('b')
    await eventually(() => second.stands()?.role === 'standby')
    await straight.query('SET default_transaction_read_only = off')
    const reads = async (only: 'on' | 'off') => {
      await straight.query(`ALTER SYSTEM SET default_transaction_read_only = ${only}`)
      await straight.query('SELECT pg_reload_conf()')
    }
    await reads('on')
    await eventually(() => !lead.holds())
    // The other one would lead, and can't.
    await eventually(() => second.stands()?.role === 'waiting')
    await reads('off')
    const leader = await Promise.race([second.store, eventually(() => lead.holds()).then(() => store)])
    await eventually(async () => (await outcome(leader.memory.commit([input('after')]))) === 'kept')
  })
})

test('two programs that make the tables at once both get them', async () => {
  const { url } = await sharedPostgres()
  const { straight } = await world()
  const database = `d${process.pid}x${++cells}`
  await straight.query(`CREATE DATABASE ${database}`)
  const other = Object.assign(new URL(url), { pathname: `/${database}` }).href
  const proxy = await openProxy(other)
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  const folder = temporaryFolder()
  const all = ['a', 'b', 'c'].map((name) => {
    const file = join(folder, `${name}.sqlite`)
    return startProcess(cellUrl(proxy.url, name, file, '&lease=1'), proxy, file)
  })
  for (const { store } of all) await (await store).memory.commit([input('there')])
  for (const { leads } of all) expect((await leads).epoch).toBe(1)
})

test('somebody whom the server does not know waits and says why, without the password', async () => {
  const { url } = await sharedPostgres()
  const stranger = Object.assign(new URL(url), { username: 'stranger', password: 's3cret%2Fpass' }).href
  const proxy = await openProxy(stranger)
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  const file = join(temporaryFolder(), 'a.sqlite')
  const { stands, leads } = startProcess(cellUrl(proxy.url, 'main', file, '&lease=1'), proxy, file)
  leads.catch(() => {})
  await eventually(() => stands()?.role === 'waiting')
  expect(stands()?.why).toMatch(/role "stranger" does not exist/)
  expect(JSON.stringify(stands())).not.toMatch(/s3cret/)
})

test('a server that refuses a connection is not said to be silent', async () => {
  const { url } = await sharedPostgres()
  const server = url.replace('/postgres', '/nowhere')
  const link = openLink({ server, name: 'perch', answerMs: 2_000 })
  const refusal = 'PostgreSQL refuses the connection: database "nowhere" does not exist'
  await expect(link.ask('SELECT 1')).rejects.toThrow(refusal)
  await link.close()
})
