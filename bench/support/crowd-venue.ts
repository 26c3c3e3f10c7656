import { createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

import type { Position } from '../../src/venue/position.ts'
import { type Crowd, MARKETS, marketsBody, positionsOf, PRICE } from './crowd.ts'

// The venue of a crowd, on raw sockets in a process of its own, so that its cost is not ours. It fails when it is told to.
// Arguments: the crowd as JSON, how long an answer takes. It sends its port, and takes what fails from then on.

/** What fails: everything is refused, or requests for wallets alone are, or get no answer. */
export type Failing = 'nothing' | 'all' | 'wallets' | 'wallets-hang'

const [, , json = '{}', delay = '0'] = process.argv
const crowd = JSON.parse(json) as Crowd
const delayMs = Number(delay)
let failing: Failing = 'nothing'
process.on('message', (told) => void (failing = told as Failing))
process.on('disconnect', () => process.exit())

/** Prices move a little, so that each answer is another one. */
function prices(): number[] {
  return Array.from({ length: MARKETS }, () => PRICE * (1 + (Math.random() - 0.5) / 1_000))
}

async function answer(socket: Socket, request: string): Promise<void> {
  if (delayMs > 0) await wait(delayMs)
  const wallet = /owner=(0x[0-9a-fA-F]+)/.exec(request)?.[1]
  if (wallet !== undefined && failing === 'wallets-hang') return
  const isRefused = failing === 'all' || (failing === 'wallets' && wallet !== undefined)
  const body = isRefused
    ? '{"error":"down"}'
    : wallet === undefined
      ? marketsBody(prices())
      : walletBody(wallet)
  const status = isRefused ? '503 Service Unavailable' : '200 OK'
  socket.write(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

function walletBody(owner: string): string {
  const positions = positionsOf(Number(BigInt(owner)), crowd).map(wire)
  return JSON.stringify({ owner, positions, totalCount: positions.length })
}

function wire({ accountId, marketId, size, entryPrice, liquidationPrice }: Position) {
  return {
    ...{ accountId, chainId: 8008, marketId, size: String(size), avgEntryPrice: String(entryPrice) },
    ...{ liquidationPrice: String(liquidationPrice ?? 0n), entryTimestamp: 1_760_000_000 },
    ...{ totalRealisedFundingUsd: '0', unrealisedFundingUsd: '0', totalRealisedPnlUsd: '0' },
  }
}

const server = createServer((socket) => {
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  // Requests are small and never pipelined: one chunk is one request.
  socket.on('data', (chunk) => void answer(socket, chunk.toString('latin1')))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.send?.(address.port)
})
