import { Client } from 'pg'
import { expect, it } from 'vitest'

import { eventually } from '../patience.ts'
import { type Break, openProxy } from './proxy.ts'
import { sharedPostgres } from './shared.ts'

/** A table of one number, read without the proxy. */
async function counted(table: string) {
  const { url } = await sharedPostgres()
  const straight = new Client({ connectionString: url })
  await straight.connect()
  await straight.query(`CREATE TABLE ${table} (n integer); INSERT INTO ${table} VALUES (0)`)
  const proxy = await openProxy(url)
  const open = async () => {
    const client = new Client({ connectionString: proxy.url })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  return {
    ...{ proxy, open },
    number: async () => (await straight.query<{ n: number }>(`SELECT n FROM ${table}`)).rows[0]?.n,
    add: (client: Client, more: number) => client.query(`UPDATE ${table} SET n = n + $1`, [more]),
    async [Symbol.asyncDispose]() {
      await straight.end()
      await proxy[Symbol.asyncDispose]()
    },
  }
}

it.each<[Break, number]>([
  ['unsent', 0],
  ['sent', 7],
  ['unanswered', 7],
])('a request that is cut %s gets no answer, and leaves %i in the table', async (how, left) => {
  await using world = await counted(`cut_${how}`)
  const client = await world.open()
  const broken = world.proxy.breakNext(`cut_${how}`, how)
  await expect(world.add(client, 7)).rejects.toThrow(/terminated/i)
  await broken
  await eventually(async () => (await world.number()) === left)
  const next = await world.open()
  await world.add(next, 1)
  expect(await world.number()).toBe(left + 1)
  await next.end()
})

it('a silent request is done, and its connection stays open', async () => {
  await using world = await counted('silent')
  const client = await world.open()
  const broken = world.proxy.breakNext('silent', 'silent')
  let isAnswered = false
  world.add(client, 3).then(
    () => (isAnswered = true),
    () => {},
  )
  await broken
  expect(await world.number()).toBe(3)
  expect({ isAnswered, open: world.proxy.count() }).toEqual({ isAnswered: false, open: 1 })
})

it('a late request reaches the server after its sender has gone', async () => {
  await using world = await counted('late')
  const client = await world.open()
  const broken = world.proxy.breakNext('late', 'late')
  world.add(client, 5).catch(() => {})
  await broken
  expect(await world.number()).toBe(0)
  world.proxy.cut('half')
  await world.proxy.bringLate()
  expect(await world.number()).toBe(5)
})

it('keeps what it holds, in one direction or both, and passes it on later', async () => {
  await using world = await counted('held')
  const client = await world.open()
  world.proxy.hold('answers')
  const adding = world.add(client, 2)
  await eventually(async () => (await world.number()) === 2)
  world.proxy.hold('requests')
  world.proxy.goOn()
  await adding
  world.proxy.hold()
  const second = world.add(client, 2)
  const opening = world.open()
  world.proxy.goOn()
  await second
  await (await opening).end()
  expect(await world.number()).toBe(4)
  await client.end()
})

it('goes away and comes back under the same address', async () => {
  await using world = await counted('away')
  const client = await world.open()
  await world.proxy.away()
  await expect(world.add(client, 1)).rejects.toBeInstanceOf(Error)
  await expect(world.open()).rejects.toThrow('ECONNREFUSED')
  await world.proxy.back()
  const next = await world.open()
  await world.add(next, 1)
  expect(await world.number()).toBe(1)
  await next.end()
})
