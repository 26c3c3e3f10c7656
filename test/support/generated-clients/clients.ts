/** A client that a generator makes of the description, and a program that asks all five endpoints through it. */
interface GeneratedClient {
  name: string
  /** With their versions, so that what was proved can be proved again. */
  packages: readonly string[]
  /** What makes it, in the folder that the packages are in. */
  generate(url: string): readonly string[]
  /** Leaves `answers`, as its own types have them. */
  program: string
}

export const CLIENTS: readonly GeneratedClient[] = [
  {
    name: 'openapi-typescript',
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0'],
    generate: (url) => ['openapi-typescript', `${url}/openapi.json`, '-o', 'venue.ts'],
    program: `
import createClient from 'openapi-fetch'
import type { paths } from './venue.js'
const { GET, POST } = createClient<paths>({ baseUrl: url })
const markets = good((await GET('/markets')).data)[0]?.markets ?? []
const place = { path: { market_id: good(markets[0]).marketId }, query: chain }
const market = good((await GET('/markets/{market_id}', { params: place })).data)
const positions = good((await GET('/positions/v2', { params: { query: wallet } })).data)
const query = { ...wallet, statuses: [...statuses] }
const orders = good((await GET('/orders/v2', { params: { query } })).data)
const body = draft(good(positions.positions[0]))
const preview = good((await POST('/post-trade-details', { params: { query: chain }, body })).data)
const wrong = { path: { market_id: '7' }, query: chain }
const refused = good((await GET('/markets/{market_id}', { params: wrong })).error)
`,
  },
  {
    name: '@hey-api/openapi-ts',
    packages: ['@hey-api/openapi-ts@0.99.0'],
    generate: (url) => ['openapi-ts', '-i', `${url}/openapi.json`, '-o', 'venue'],
    program: `
import * as api from './venue/index.js'
const markets: api.Market[] = good((await api.listMarkets()).data)[0]?.markets ?? []
const place = { market_id: good(markets[0]).marketId }
const market: api.Market = good((await api.getMarket({ path: place, query: chain })).data)
const positions: api.PositionList = good((await api.listPositions({ query: wallet })).data)
const query = { ...wallet, statuses: [...statuses] }
const orders: api.OrderList = good((await api.listOrders({ query })).data)
const body: api.OrderDraft = draft(good(positions.positions[0]))
const preview: api.OrderPreview = good((await api.previewOrder({ query: chain, body })).data)
const wrong = await api.getMarket({ path: { market_id: '7' }, query: chain })
const refused: api.Refusal = good(wrong.error)
`,
  },
  {
    name: 'orval',
    packages: ['orval@8.38.0'],
    generate: (url) => [
      'orval',
      '--input',
      `${url}/openapi.json`,
      '--output',
      'venue.ts',
      '--client',
      'fetch',
    ],
    program: `
import * as api from './venue.js'
// It writes paths without the venue before them.
const fetchThere = globalThis.fetch
globalThis.fetch = (path, options) => fetchThere(new URL(String(path), url), options)
const [listed, of] = [await api.listMarkets(), await api.listPositions(wallet)]
if (listed.status !== 200 || of.status !== 200) throw new Error('refused')
const markets: api.Market[] = listed.data[0]?.markets ?? []
const positions: api.PositionList = of.data
const one = await api.getMarket(good(markets[0]).marketId, chain)
const given = await api.listOrders({ ...wallet, statuses: [...statuses] })
const drafted = await api.previewOrder(draft(good(positions.positions[0])), chain)
const wrong = await api.getMarket('7', chain)
if (one.status !== 200 || given.status !== 200 || drafted.status !== 200 || wrong.status !== 404)
  throw new Error('refused, or not refused')
const market: api.Market = one.data
const orders: api.OrderList = given.data
const preview: api.OrderPreview = drafted.data
const refused: api.Refusal = wrong.data
`,
  },
]

/** Before each program: what all of them ask for. */
export const BEFORE = `
const [url = '', owner = ''] = process.argv.slice(2)
const chain = { chainId: 8008 } as const
const wallet = { owner, ownershipType: 'SuperOwner' } as const
const statuses = ['Committed', 'LimitExecuted'] as const
function good<T>(answer: T | undefined): T {
  if (answer === undefined) throw new Error('nothing was answered')
  return answer
}
function draft({ accountId, marketId }: { accountId: string; marketId: string }) {
  return { accountId, marketId, sizeDelta: '-500000000000000000' }
}
`

/** After each program: its types are as the description has them, none of them `any`, and this is what came. */
export const AFTER = `
const position = good(positions.positions.find(({ tpsl }) => tpsl !== null))
const order = good(orders.orders.find(({ submissionTxDetails }) => submissionTxDetails !== null))
const facts = {
  ...{ symbol: market.symbol, price: market.price, rate: market.currentFundingRate, chain: position.chainId },
  ...{ size: position.size, entered: position.entryTimestamp, guard: position.tpsl?.tpPriceRange.acceptablePriceNum ?? null },
  ...{ status: order.status, hash: order.submissionTxDetails?.txHash ?? null, count: orders.totalCount },
  ...{ fill: preview.fillPrice, health: preview.newHealthFactor, why: preview.errorMsg, message: refused.message },
}
interface Wanted {
  symbol: string; price: number; rate: string; chain: 8008; size: string; entered: number; guard: number | null
  status: 'Created' | 'Committed' | 'Expired' | 'LimitSubmitted' | 'LimitExecuted'; hash: string | null; count: number
  fill: string; health: number; why: string | null; message: string
}
type Known<T> = { [K in keyof T]: 0 extends 1 & T[K] ? never : T[K] }
const known: Known<typeof facts> = facts
const wanted: Wanted = known
console.log(JSON.stringify({ markets: markets.length, ...wanted, entered: new Date(wanted.entered * 1000) }))
`
