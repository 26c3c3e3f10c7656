import { createServer } from 'node:net'

import { type Crowd, MARKETS, marketsBody, walletOf, positionsOf, PRICE } from './crowd.ts'
import { positionsWire } from './wire.ts'

// A venue that costs next to nothing, with a crowd's wallets: prebuilt bytes on raw sockets, in a process of its own. Argument:
// the crowd as JSON. Prints its port.

const [, , given = ''] = process.argv
const crowd = JSON.parse(given) as Crowd
const answer = (body: string) =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
const markets = answer(marketsBody(Array.from({ length: MARKETS }, () => PRICE)))
const wallets = new Map<string, Buffer>(
  Array.from({ length: crowd.people }, (_, index) => {
    const wallet = walletOf(index + 1)
    return [wallet, answer(positionsWire(wallet, positionsOf(index + 1, crowd)))]
  }),
)

const server = createServer((socket) => {
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    // Requests are small and never pipelined: one end of headers in a chunk is one request.
    const text = chunk.toString('latin1')
    const wallet = /owner=(0x[0-9a-f]{40})/.exec(text)?.[1]
    if (text.includes('\r\n\r\n')) socket.write((wallet && wallets.get(wallet)) ?? markets)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`)
})
