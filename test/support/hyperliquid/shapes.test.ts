import { readdirSync, readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { connect, info, type Json, post } from './client.ts'
import { type Hyperliquid, startHyperliquid } from './server.ts'
import { shapeOf } from './shape.ts'

const FOLDER = new URL('../../venues/hyperliquid/recorded/', import.meta.url)
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
const USER = '0x31ca8395cf837de08b24da3f660e77761dfb974b'
const HOUR_MS = 3_600_000

interface Recorded {
  request: { body: Record<string, unknown> }
  status: number
  body: Json
  text?: string
}
const recorded = (file: string): Recorded => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))

/** A venue at which all that was recorded has happened to one user. */
async function lived(): Promise<Hyperliquid & { clock: ReturnType<typeof handClock> }> {
  const clock = handClock()
  const venue = await startHyperliquid({ clock })
  venue.moves({ HYPE: 37.829 })
  const user = venue.account(USER, { usd: 100_000 })
  user.owns('HYPE', 1105, 0.24965)
  user.trades('HYPE', 2, { margin: 'isolated', leverage: 10 })
  user.trades('BTC', 0.1)
  user.trades('DYDX', -1_000)
  await clock.advance(HOUR_MS + 1_000)
  return { ...venue, clock }
}

/** How the stand-in is asked for what a file holds, and what of both is compared. */
interface Case {
  ask?: (venue: Hyperliquid) => Promise<unknown>
  prepare?: (venue: Hyperliquid) => void
  of?: (body: Json) => unknown
  /** Paths that differ, each with its reason. */
  but?: Record<string, string>
}

const order = { coin: 'INJ', side: 'buy', size: 12.5, limit: 2 } as const
const CASES: Record<string, Case> = {
  'activeAssetData-testnet.json': {
    ask: (venue) =>
      info(venue, { type: 'activeAssetData', user: USER.toUpperCase().replace('X', 'x'), coin: 'BTC' }),
  },
  'frontendOpenOrders-empty.json': { prepare: (venue) => venue.account(USER, {}) },
  'frontendOpenOrders-tpsl-2023.json': {
    prepare: (venue) =>
      venue.account(USER).places({
        ...order,
        children: [
          { side: 'sell', size: 12.5, trigger: { price: 10.004, is: 'takeProfit' } },
          { side: 'sell', size: 12.5, trigger: { price: 1.995, is: 'stopLoss' } },
        ],
      }),
    but: {
      '[].cloid': 'came after 2023',
      '[].children[].cloid': 'came after 2023',
    },
  },
  'historicalOrders-2025.json': {
    prepare(venue) {
      const user = venue.account(USER)
      user.cancels(user.places(order))
    },
  },
  'orderStatus-testnet.json': {
    async ask(venue) {
      const placed = venue.account(USER).places(order)
      return info(venue, { type: 'orderStatus', user: USER, oid: placed.oid })
    },
  },
  'userFills-liquidated-2026-02.json': {
    prepare: (venue) => venue.moves({ HYPE: 35 }),
    of: (fills) => fills.filter((fill: Json) => fill.liquidation),
  },
  'userFunding-2023.json': { but: { '[].delta.nSamples': 'a count then, null in the documentation since' } },
  'clearinghouseState-stranger.json': {
    ask: (venue) => info(venue, { type: 'clearinghouseState', user: `0x${'0'.repeat(39)}1` }),
  },
  'clearinghouseState-isolated-HYPE-2025-08.json': {
    prepare(venue) {
      venue.account(USER).closes('BTC')
      venue.account(USER).closes('DYDX')
    },
  },
  'hlp-child-m3-2026-07-19.json': {
    ask: async (venue) => {
      venue.account(USER).closes('HYPE')
      const state = await info(venue, { type: 'clearinghouseState', user: USER })
      return { ...state, positions: state.assetPositions.map((one: Json) => one.position) }
    },
    of: ({ marginSummary, crossMarginSummary, crossMaintenanceMarginUsed, positions }) => ({
      marginSummary,
      crossMarginSummary,
      crossMaintenanceMarginUsed,
      positions,
    }),
  },
  'hlp-child-m4-2026-07-19.json': {
    ask: async (venue) => {
      const { oid } = venue.account(USER).places(order)
      const [fills, orderStatus, openOrders] = await Promise.all([
        info(venue, { type: 'userFillsByTime', user: USER, startTime: 0, aggregateByTime: false }),
        info(venue, { type: 'orderStatus', user: USER, oid }),
        info(venue, { type: 'openOrders', user: USER }),
      ])
      return { fills, orderStatus, openOrders }
    },
  },
  'meta-with-delisted-in-the-middle-2026-09-25.json': {
    of: ({ universe, ...rest }) => ({ universe: universe.slice(0, 6), ...rest }),
    but: { '.collateralToken': 'left out by the source' },
  },
  'ws-activeAssetCtx-BTC-2026-09-25.json': {
    async ask(venue) {
      await using socket = await connect(venue)
      socket.subscribe({ type: 'activeAssetCtx', coin: 'BTC' })
      return await socket.takes('activeAssetCtx')
    },
  },
  'subAccounts2-portfolioMargin-2026-07.json': {
    prepare(venue) {
      const role = { role: 'subAccount', data: { master: USER } } as const
      const sub = venue.account(`0x${'5'.repeat(40)}`, { role, mode: 'portfolioMargin', usd: 900 })
      sub.owns('HYPE', 150, 0)
      sub.trades('BTC', 0.01948, { leverage: 10 })
    },
  },
}

/** Cut down by its source: what is left of it must be there. */
const CUT = 'subAccounts2-portfolioMargin-2026-07.json'

function without(shape: Record<string, string>, but: Record<string, string> = {}) {
  return Object.fromEntries(Object.entries(shape).filter(([path]) => !(path in but)))
}

describe('what the stand-in answers has the shape of what was recorded', () => {
  test.each(FILES.filter((file) => !file.startsWith('error-')))('%s', async (file) => {
    await using venue = await lived()
    const { request, body } = recorded(file)
    const { ask, prepare, of = (whole: unknown) => whole, but } = CASES[file] ?? {}
    prepare?.(venue)
    const said: Record<string, unknown> = { ...request.body }
    if ('user' in said) said['user'] = USER
    if ('startTime' in said) Object.assign(said, { startTime: 0, endTime: venue.clock.now() })
    if (said['type'] === 'userFillsByTime') said['startTime'] = 0
    const answered = ask ? await ask(venue) : await info(venue, said)
    const [wanted, found] = [shapeOf(of(body)), shapeOf(of(answered))].map((shape) => without(shape, but))
    if (file === CUT) expect(found).toMatchObject(wanted ?? {})
    else expect(found).toEqual(wanted)
  })

  test('what is malformed is refused with the recorded words', async () => {
    await using venue = await startHyperliquid()
    const { status, text } = recorded('error-422-unknown-type.json')
    for (const said of [
      { type: 'webData9' },
      {},
      [],
      { type: 'clearinghouseState' },
      { type: 'clearinghouseState', user: '0x31ca' },
      { type: 'clearinghouseState', user: USER.replace('0x', '0X') },
      { type: 'orderStatus', user: USER, oid: 'x' },
      { type: 'userFillsByTime', user: USER },
      { type: 'metaAndAssetCtxs', dex: 5 },
    ]) {
      expect(await post(venue, said)).toMatchObject({ status, text, type: 'text/plain' })
    }
  })
})

test('the notice names every recorded file, its source and a licence that allows it', () => {
  const notice = readFileSync(new URL('NOTICE.md', FOLDER), 'utf8')
  for (const file of FILES) {
    const row = notice.split('\n').find((line) => line.startsWith(`| \`${file}\` |`)) ?? ''
    const { source, licence } = recorded(file) as unknown as { source: string; licence: string }
    expect(row, file).toContain(source.split(/[@ ]/)[0])
    expect(row, file).toContain(`| ${licence} |`)
    expect(['MIT', 'Apache-2.0'], file).toContain(licence)
  }
})
