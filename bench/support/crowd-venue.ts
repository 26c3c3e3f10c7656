import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

import type { Position } from '../../src/venue/position.ts'
import { type Crowd, MARKETS, marketsBody, positionsOf, PRICE } from './crowd.ts'

// The venue of a crowd: raw sockets in a process of its own, so that what it costs is not ours. Arguments: the crowd as
// JSON, how long an answer takes. Prints its port.

const [, , json = '{}', delay = '0'] = process.argv
const crowd = JSON.parse(json) as Crowd
const delayMs = Number(delay)
const markets = marketsBody(Array.from({ length: MARKETS }, () => PRICE))

const server = createServer((socket) => {
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  // Requests are small and never pipelined: one chunk is one request.
  socket.on('data', (chunk) => void answer(socket, chunk.toString('latin1')))
})

async function answer(socket: { write(text: string): unknown }, request: string): Promise<void> {
  if (delayMs > 0) await wait(delayMs)
  const wallet = /owner=(0x[0-9a-fA-F]+)/.exec(request)?.[1]
  const body = wallet === undefined ? markets : positionsBody(wallet)
  socket.write(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

function positionsBody(wallet: string): string {
  const positions = positionsOf(Number(BigInt(wallet)), crowd).map(wire)
  return JSON.stringify({ owner: wallet, positions, totalCount: positions.length })
}

function wire({ accountId, marketId, size, entryPrice, liquidationPrice }: Position) {
  return {
    ...{ accountId, chainId: 8008, marketId, size: String(size), avgEntryPrice: String(entryPrice) },
    ...{ liquidationPrice: String(liquidationPrice ?? 0n), entryTimestamp: 1_760_000_000 },
    ...{ totalRealisedFundingUsd: '0', unrealisedFundingUsd: '0', totalRealisedPnlUsd: '0' },
  }
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`)
})
