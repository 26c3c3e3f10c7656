import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

import type { Event } from '../../../src/runtime/event.ts'
import type { Asking, Venue } from '../../../src/venue/venue.ts'
import { createClient } from '../../../src/venues/hyperliquid/client.ts'
import { breathe, type HandClock, handClock } from '../../support/clock.ts'
import { aDex, aLeg, anEmptyState, aState, OWNER } from './records.ts'

export interface Asked {
  type: string
  dex?: string
  user?: string
  coin?: string
  oid?: number
}

/** What is answered to one type of question: a body, or whatever is done with the response. */
type Answer = (asked: Asked) => unknown
type Raw = (response: ServerResponse) => void
const raw = Symbol('raw')

/** An answer that is no JSON with status 200. */
export function reply(say: Raw): unknown {
  return { [raw]: say }
}

export function refuse(status: number, text: string): unknown {
  return reply((response) => {
    response.writeHead(status)
    response.end(text)
  })
}

export interface InfoUnderTest extends AsyncDisposable {
  url: string
  clock: HandClock
  venue: Venue
  events: Event[]
  asked: Asked[]
  /** What was asked since the last time, as `type dex`, in the order of the alphabet. */
  news(): string[]
  /** What the caller was told it would cost, since the last time. */
  spent(): number
  answers(type: string, answer: Answer): void
  asking(over?: Partial<Asking>): Asking
  close(): Promise<void>
}

const USUAL: Record<string, Answer> = {
  perpDexs: () => [null, { name: 'xyz', deployerFeeScale: '1.0' }, { name: 'flx' }],
  metaAndAssetCtxs: ({ dex }) =>
    aDex(dex === undefined ? [{ name: 'BTC' }, { name: 'ETH' }] : [{ name: `${dex}:NVDA` }]),
  clearinghouseState: () => anEmptyState(),
  userAbstraction: () => 'default',
  spotClearinghouseState: () => ({ balances: [] }),
  frontendOpenOrders: () => [],
  historicalOrders: () => [],
  userFillsByTime: () => [],
  userTwapSliceFillsByTime: () => [],
  userFunding: () => [],
  userNonFundingLedgerUpdates: () => [],
  twapHistory: () => [],
  subAccounts2: () => null,
  userVaultEquities: () => [],
  delegatorSummary: () => ({
    ...{ delegated: '0.0', undelegated: '0.0', totalPendingWithdrawal: '0.0', nPendingWithdrawals: 0 },
  }),
}

/** The real client against a small server that answers by type, on a clock that the test turns. */
export async function startInfo(): Promise<InfoUnderTest> {
  const clock = handClock()
  const events: Event[] = []
  const asked: Asked[] = []
  const answers = new Map(Object.entries(USUAL))
  let told = 0
  let weight = 0

  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const question = JSON.parse(body) as Asked
    asked.push(question)
    const known =
      request.method === 'POST' && request.url === '/info' ? answers.get(question.type) : undefined
    const answer = known
      ? known(question)
      : refuse(422, 'Failed to deserialize the JSON body into the target type')
    const special =
      typeof answer === 'object' && answer !== null ? (answer as { [raw]?: Raw })[raw] : undefined
    if (special) return special(response)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  }
  const server = createServer((request, response) => {
    hear(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}`
  const client = createClient({ url, clock, emit: (event) => events.push(event), random: () => 0.5 })
  const close = async () => {
    await client.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await breathe(1)
  }
  return {
    url,
    clock,
    venue: client.venue,
    events,
    asked,
    news() {
      const since = asked.slice(told)
      told = asked.length
      return since.map(({ type, dex }) => [type, dex].filter(Boolean).join(' ')).toSorted()
    },
    spent() {
      const before = weight
      weight = 0
      return before
    },
    answers: (type, answer) => void answers.set(type, answer),
    asking: (over = {}) => ({
      patience: 'poll',
      limitMs: 5_000,
      signal: new AbortController().signal,
      spend: (request, known = 1) => {
        weight += known
        return request((more) => void (weight += more))
      },
      ...over,
    }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** OWNER holds ETH in the main book, and with `xyz` a long there too; anybody else holds nothing. */
export function holds(venue: InfoUnderTest, inXyz = false, main = aState([aLeg()])): void {
  venue.answers('clearinghouseState', ({ user, dex }) => {
    if (user !== OWNER.toLowerCase()) return anEmptyState()
    if (dex === undefined) return main
    return inXyz && dex === 'xyz' ? aState([aLeg({ coin: 'xyz:NVDA' })]) : anEmptyState()
  })
}
