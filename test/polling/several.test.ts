import { describe, expect, onTestFinished, test } from 'vitest'

import type { View } from '../../src/command/context.ts'
import { createPolling } from '../../src/polling/polling.ts'
import type { Event } from '../../src/runtime/event.ts'
import type {
  MarketsReading,
  OrdersReading,
  TwapsReading,
  Readings,
  WalletDemand,
  WalletReading,
} from '../../src/venue/reading.ts'
import type { Source } from '../../src/venue/source.ts'
import { idAt } from '../../src/venue/venue-name.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { handClock } from '../support/clock.ts'
import { aMarket, aPosition } from '../support/fixtures.ts'
import { aWallet, DOWN, holdings, LIMITED, NEVER, type Script, scriptedSeveral } from '../support/polling.ts'

const SECOND = 'lighter'
const ELSEWHERE = { accountId: idAt(SECOND, '7'), marketId: idAt(SECOND, '1') }
const CALM: Script = {
  markets: () => ({ markets: [aMarket({ id: '1', symbol: 'ETH' })], unusable: [], failedParts: [] }),
  positions: (wallet) => holdings(aPosition({ wallet, accountId: '7', marketId: '1' })),
}

type Scripted = Parameters<typeof scriptedSeveral>[1][string]

/** All that asks two venues; or one of them, as if it stood alone. */
function startPolling(
  { first = {}, second = {}, alone }: { first?: Scripted; second?: Scripted; alone?: 'first' | 'second' },
  wallets = 3,
  readers: readonly Wallet[] = [],
) {
  const clock = handClock()
  const events: Event[] = []
  const scripts = {
    hyperliquid: { latencyMs: 100, ...first },
    [SECOND]: { latencyMs: 100, ...CALM, ...second },
  }
  const { venue, parts, calls } = scriptedSeveral(clock, scripts)
  const markets: MarketsReading[] = []
  const read: WalletReading[] = []
  const listed: (OrdersReading | TwapsReading)[] = []
  const failures: Source[] = []
  const demands = new Map<string, Partial<WalletDemand>>()
  let changed = Array.from({ length: wallets }, (_, index) => aWallet(index))
  const known = new Set(changed)
  const readings: Readings = {
    markets: (reading) => void markets.push(reading),
    wallet: (reading) => void read.push(reading),
    orders: (reading) => void listed.push(reading),
    readers: () => readers,
    awaited: () => [],
    failed: (source) => void failures.push(source),
    demandOf: (wallet, at) =>
      known.has(wallet)
        ? {
            ...{ wallet, nearDanger: false, confirm: false, endedSince: null, againMono: null },
            rememberedDistance: Infinity,
            ...demands.get(`${wallet} ${at}`),
          }
        : null,
    changed: () => changed.splice(0),
    nearest: () => [],
    needed: () => ['100', ELSEWHERE.marketId],
  }
  const [one, other] = parts
  const part = alone === 'first' ? one : alone === 'second' ? other : undefined
  const polling = createPolling({
    ...{ venue: part?.venue ?? venue, readings, clock },
    view: { status: () => ({ wallets }) } as View,
    emit: (event) => void events.push(event),
    signal: new AbortController().signal,
    settings: { marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs: 60_000, requestsPerSecond: 20 },
  })
  onTestFinished(() => polling.stop())
  polling.start()
  const began = clock.monotonic()
  return {
    ...{ clock, events, polling, markets, read, listed, failures },
    demand(wallet: Wallet, at: string | undefined, over: Partial<WalletDemand>) {
      demands.set(`${wallet} ${at}`, over)
      changed.push(wallet)
      polling.nudge()
    },
    watch(wallet: Wallet) {
      known.add(wallet)
      changed.push(wallet)
      polling.nudge()
    },
    asked: (name: string) =>
      calls(name).map(({ what, wallet, mono }) => `${what} ${wallet ?? ''} ${mono - began}`),
  }
}

describe('readings of several venues', () => {
  test('name their venue, the first one’s name none', async () => {
    const { clock, markets, read, polling } = startPolling({}, 1)
    await clock.advance(1_000)
    expect(markets.map(({ venue }) => venue)).toEqual([undefined, SECOND])
    expect(read.map(({ venue, value }) => [venue, value.positions[0]?.accountId])).toEqual([
      [undefined, aPosition().accountId],
      [SECOND, ELSEWHERE.accountId],
    ])
    expect(markets[0]).not.toHaveProperty('venue')
    expect(read[0]).not.toHaveProperty('venue')
    expect(polling.venueLoads().map(({ venue }) => venue)).toEqual(['hyperliquid', SECOND])
  })

  test('that fail are failures of that venue, and events name it', async () => {
    const fails = () => Promise.reject(DOWN)
    const { clock, failures, events } = startPolling({ second: { markets: fails, positions: fails } }, 1)
    await clock.advance(1_000)
    expect(failures).toEqual([
      { is: 'markets', venue: SECOND },
      { is: 'wallet', wallet: aWallet(0), venue: SECOND },
    ])
    const named = events.flatMap((event) =>
      event.is === 'markets-read' || event.is === 'markets-failed' ? [`${event.is} ${event.venue}`] : [],
    )
    expect(named).toEqual(['markets-read hyperliquid', `markets-failed ${SECOND}`])
  })

  test('without any market are an empty list of that venue alone', async () => {
    const markets = () => ({ markets: [], unusable: [], failedParts: [] })
    const { clock, failures } = startPolling({ second: { markets } })
    await clock.advance(1_000)
    expect(failures).toEqual([{ is: 'markets', venue: SECOND }])
  })
})

describe('a venue is asked as if it stood alone', () => {
  const fails = (why: Error) => () => Promise.reject(why)
  const everything = (answer: () => Promise<never>): Script => ({ markets: answer, positions: answer })
  const faults: [string, Scripted][] = [
    ['hangs', everything(() => NEVER)],
    ['answers 503', everything(fails(DOWN))],
    ['refuses for a minute', everything(fails(LIMITED(60_000)))],
    ['is slow', { latencyMs: 4_000 }],
    ['may be asked twice a minute', { limits: { allowed: { weight: 2, perMs: 60_000 } } }],
  ]
  const sides = [
    ['first', 'second', 'hyperliquid'],
    ['second', 'first', SECOND],
  ] as const
  describe.each(sides)('the %s one', (side, other, name) => {
    test.each(faults)(`while the ${other} one %s`, async (_fault, script) => {
      const alone = startPolling({ alone: side }, 40)
      const beside = startPolling({ [other]: script }, 40)
      for (const { clock } of [alone, beside]) await clock.advance(120_000)
      expect(alone.asked(name).length).toBeGreaterThan(150)
      expect(beside.asked(name)).toEqual(alone.asked(name))
      const load = beside.polling.venueLoads().find(({ venue }) => venue === name)
      expect({ ...load, venue: null }).toEqual(alone.polling.venueLoads()[0])
    })
  })
})

describe('a wallet', () => {
  test('is read at every venue when somebody begins to watch it', async () => {
    const { clock, watch, asked } = startPolling({}, 0)
    await clock.advance(1_000)
    watch(aWallet(5))
    await clock.advance(1_000)
    for (const name of ['hyperliquid', SECOND])
      expect(asked(name).filter((one) => one.startsWith('positions'))).toEqual([
        `positions ${aWallet(5)} 1000`,
      ])
  })

  test('is confirmed at the venue where something is missing', async () => {
    const { clock, demand, asked } = startPolling({}, 1)
    await clock.advance(10_000)
    demand(aWallet(0), SECOND, { confirm: true, endedSince: 0 })
    await clock.advance(200)
    expect(asked(SECOND).filter((one) => !one.startsWith('markets'))).toHaveLength(3)
    expect(asked('hyperliquid').filter((one) => !one.startsWith('markets'))).toHaveLength(1)
  })

  test('is read at once at the venue where it is in danger', async () => {
    const { clock, polling, asked } = startPolling({}, 1)
    await clock.advance(10_500)
    expect(polling.readNow(aWallet(0), null, SECOND)).toBe(true)
    expect(asked(SECOND)).toContain(`positions ${aWallet(0)} 10500`)
    expect(asked('hyperliquid')).not.toContain(`positions ${aWallet(0)} 10500`)
  })

  test('near danger at one venue is read more often there alone', async () => {
    const { clock, demand, asked } = startPolling({}, 1)
    demand(aWallet(0), SECOND, { nearDanger: true })
    await clock.advance(20_000)
    const reads = (name: string) => asked(name).filter((one) => one.startsWith('positions')).length
    expect(reads('hyperliquid')).toBe(1)
    expect(reads(SECOND)).toBeGreaterThan(8)
  })
})

test('a venue that shows nobody’s orders is not asked for any, and another is', async () => {
  const second = { showsOrders: false } as const
  const { clock, demand, asked, read, listed } = startPolling({ second }, 1, [aWallet(0)])
  await clock.advance(31_000)
  demand(aWallet(0), SECOND, { confirm: true, endedSince: 0 })
  await clock.advance(200)
  const orders = (name: string) => asked(name).filter((one) => one.startsWith('orders')).length
  expect([orders('hyperliquid'), orders(SECOND)]).toEqual([3, 0])
  expect(listed.map(({ venue }) => venue)).toEqual([undefined, undefined, undefined])
  expect(read.at(-1)).toMatchObject({ venue: SECOND, orders: null, unsolicited: false })
})
