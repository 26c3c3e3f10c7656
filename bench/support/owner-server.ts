import { createServer } from 'node:net'

import { OWNER, positionsBody } from './owner-body.ts'

/** A venue that costs next to nothing: prebuilt bytes on raw sockets, in a process of its own. Prints its port. */
const body = positionsBody(OWNER)
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
)

const server = createServer((socket) => {
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    // Requests are small and never pipelined: one end of headers in a chunk is one request.
    if (chunk.includes('\r\n\r\n')) socket.write(answer)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`)
})
