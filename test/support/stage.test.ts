import { expect, test } from 'vitest'

import { VenueError } from '../../src/venue/venue.ts'
import { createClient } from '../../src/venues/perps-data/client.ts'
import { eventually } from './patience.ts'
import { ALICE } from './bot.ts'
import { handClock } from './clock.ts'
import { exact } from './fixtures.ts'
import { type Fault, openStage } from './stage.ts'

const FAULTS: (Fault | null)[] = [null, 429, 503, 'hang', 'html', 'empty', 'garbage', 'nonsense']

/** A client that is connected to the stage, and one that is answered in memory. */
async function bothWays() {
  const stage = await openStage()
  stage.market('BTC', { price: 100, funding: 0.0001 })
  stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  const clock = handClock()
  const open = (url: string, transport = {}) =>
    createClient({ url, chainId: 8008, apiKey: null, clock, emit() {}, random: () => 0.5, ...transport })
  const clients = [open(stage.url), open('http://stage', { transport: stage.transport(clock) })]
  return {
    ...{ stage, clock, clients },
    async [Symbol.asyncDispose]() {
      for (const client of clients) await client.close()
      await stage[Symbol.asyncDispose]()
    },
  }
}

const outcome = (work: Promise<unknown>) =>
  work.catch((error: unknown) =>
    error instanceof VenueError ? { failure: error.failure, message: error.message } : error,
  )

test.each(FAULTS)('the stage answers in memory as it does on a port: %s', async (fault) => {
  await using both = await bothWays()
  const { stage, clock, clients } = both
  stage.fails('/', fault)
  const asking = () => ({
    ...{ patience: 'poll' as const, limitMs: 5_000, signal: new AbortController().signal },
    spend: <T>(request: (more: (weight: number) => void) => Promise<T>) => request(() => {}),
  })
  const answers = clients.map(({ venue }) =>
    Promise.all([
      outcome(venue.markets(asking(), [])),
      outcome(venue.positions(ALICE, asking())),
      outcome(venue.orders(ALICE, [], asking())),
      outcome(
        venue.preview({ wallet: ALICE, accountId: '1', marketId: '100', sizeDelta: exact('1') }, asking()),
      ),
    ]),
  )
  await eventually(() => stage.asked.length === 8)
  if (fault === 'hang') await clock.advance(5_000)
  const [connected, inMemory] = await Promise.all(answers)
  expect(inMemory).toEqual(connected)
  expect(clock.waiting()).toBe(0)
})

test('a request that is called off in memory ends as one on a connection', async () => {
  await using both = await bothWays()
  const { stage, clients } = both
  stage.fails('/', 'hang')
  const given = new AbortController()
  const { signal } = given
  const ends = clients.map(({ venue }) =>
    outcome(
      venue.markets({ patience: 'poll', limitMs: 5_000, signal, spend: (request) => request(() => {}) }, []),
    ),
  )
  await eventually(() => stage.asked.length === 2)
  given.abort(new Error('stopping'))
  const [connected, inMemory] = await Promise.all(ends)
  expect(connected).toMatchObject({ failure: { is: 'aborted' } })
  expect(inMemory).toEqual(connected)
})
