import { Buffer } from 'node:buffer'
import { createSocket, type Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'

import { afterEach, expect, test } from 'vitest'

import { byServers } from '../../src/net/egress.ts'

const NEVER = new AbortController().signal
const TYPES = { 1: 'A', 28: 'AAAA' } as const
const open: Socket[] = []

afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})

/** A name server that knows these addresses of every name (RFC 1035, 4.1); null: one that never answers. */
async function nameServer(known: { A?: number[][]; AAAA?: number[][] } | null): Promise<string> {
  const socket = createSocket('udp4')
  open.push(socket)
  socket.on('message', (query, { port, address }) => {
    if (known === null) return
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const type = question.readUInt16BE(question.length - 4)
    const all = known[TYPES[type as keyof typeof TYPES]] ?? []
    const counts = Buffer.from([0x81, 0x80, 0, 1, 0, all.length, 0, 0, 0, 0])
    const answers = all.map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
    )
    socket.send(Buffer.concat([query.subarray(0, 2), counts, question, ...answers]), port, address)
  })
  await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve))
  return `127.0.0.1:${socket.address().port}`
}

const V6 = [0x26, 6, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11]

test('a name has all addresses of both kinds: each of them is judged', async () => {
  const server = await nameServer({
    A: [
      [1, 1, 1, 1],
      [10, 0, 0, 7],
    ],
    AAAA: [V6],
  })
  expect(await byServers([server])('hooks.example', NEVER)).toEqual([
    { address: '1.1.1.1', family: 4 },
    { address: '10.0.0.7', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ])
})

test('a name that has addresses of one kind has those', async () => {
  const server = await nameServer({ AAAA: [V6] })
  expect(await byServers([server])('hooks.example', NEVER)).toEqual([
    { address: '2606:4700::1111', family: 6 },
  ])
})

test('a name without an address is none', async () => {
  const server = await nameServer({})
  await expect(byServers([server])('hooks.example', NEVER)).rejects.toMatchObject({ code: 'ENODATA' })
})

test('name servers that never answer keep no other lookup waiting', async () => {
  const resolve = byServers([await nameServer(null)])
  const limit = new AbortController()
  const hanging = Array.from({ length: 16 }, (_, at) =>
    resolve(`${at}.example`, limit.signal).catch((error: unknown) => error),
  )
  const machine = lookup('localhost').then(() => 'the machine answered')
  expect(await Promise.race([machine, ...hanging])).toBe('the machine answered')
  limit.abort()
  for (const error of await Promise.all(hanging)) expect(error).toMatchObject({ code: 'ECANCELLED' })
})
