import { decimal } from './decimals.ts'
import { feesOf } from './fees.ts'
import { crossIn, marginUsed, poolOf } from './figures.ts'
import { dexOf, capsOf, contextsOf, metaOf, perpDexsOf } from './market-wire.ts'
import {
  delegations,
  delegatorSummary,
  spotMetaAndAssetCtxs,
  userVaultEquities,
  vaultDetails,
} from './outside.ts'
import { basicOrderJson, entryJson, fillJson, ledgerJson, orderJson, paymentJson } from './record-wire.ts'
import { allClearinghouseStates, clearinghouseState, spotClearinghouseState } from './state-wire.ts'
import type { Account, ListedDex, Market } from './state.ts'
import { sliceJson, twapEntryJson } from './twap-wire.ts'
import { accountOf, addressIn, dexNameOf, findMarket, type World } from './world.ts'

/** Counted with the answer: one more for each so many items. */
const ITEMS_A_WEIGHT = 20
const MOST_FILLS = 2_000
const AVAILABLE_FILLS = 10_000
const MOST_ENTRIES = 2_000
/** Of any answer to a range of time (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint). */
const MOST_ELEMENTS = 500

/** The 422 that was recorded. */
export class Malformed extends Error {}
/** The 500 with `null`: well formed, about something that is not there. */
export class Broken extends Error {}

interface Asked {
  world: World
  body: Record<string, unknown>
}

interface Kind {
  weight: number
  /** The answer is a list, and each so many items weigh one more. */
  listed?: true
  answer(asked: Asked): unknown
}

const kind = (weight: number, answer: Kind['answer']): Kind => ({ weight, answer })
const list = (answer: Kind['answer']): Kind => ({ weight: 20, listed: true, answer })

const KINDS: Readonly<Record<string, Kind>> = {
  meta: kind(20, (asked) => metaOf(dexIn(asked))),
  metaAndAssetCtxs: kind(20, (asked) => [metaOf(dexIn(asked)), contextsOf(asked.world, dexIn(asked))]),
  perpDexs: kind(20, ({ world }) => perpDexsOf(world)),
  clearinghouseState: kind(2, (asked) => {
    const dex = dexIn(asked)
    return clearinghouseState(asked.world, userIn(asked), dex)
  }),
  spotClearinghouseState: kind(2, (asked) => spotClearinghouseState(asked.world, userIn(asked))),
  userAbstraction: kind(20, (asked) => userIn(asked).mode),
  frontendOpenOrders: kind(20, (asked) => ordersIn(asked).map(orderJson)),
  openOrders: kind(20, (asked) => ordersIn(asked).map(basicOrderJson)),
  orderStatus: kind(2, (asked) => {
    const { oid } = asked.body
    if (!Number.isSafeInteger(oid) && !(typeof oid === 'string' && /^0x[0-9a-f]{32}$/i.test(oid))) {
      throw new Malformed()
    }
    const entry = userIn(asked).history.findLast(
      ({ order }) => order['oid'] === oid || order['cloid'] === oid,
    )
    return entry ? { status: 'order', order: entryJson(entry) } : { status: 'unknownOid' }
  }),
  l2Book: kind(2, (asked) => dexOf(marketIn(asked), asked.world.clock.now())),
  activeAssetData: kind(20, (asked) => activeAssetData(asked.world, userIn(asked), marketIn(asked))),
  userFees: kind(20, (asked) => feesOf(userIn(asked), asked.world.clock.now())),
  userFillsByTime: list((asked) => {
    const during = times(asked, 'required')
    const all = userIn(asked).fills.filter(({ twapId }) => twapId === null)
    const fills = all.slice(-AVAILABLE_FILLS).filter(({ at }) => during(at))
    const listed = fills.slice(0, MOST_FILLS).map(fillJson)
    return asked.body['reversed'] === true ? listed.toReversed() : listed
  }),
  userFunding: list((asked) => {
    const during = times(asked, 'may be left out')
    const payments = userIn(asked).payments.filter(({ at }) => during(at))
    return payments.slice(0, MOST_ELEMENTS).map(paymentJson)
  }),
  userNonFundingLedgerUpdates: list((asked) => {
    const during = times(asked, 'may be left out')
    const rows = userIn(asked).ledger.filter(({ at }) => during(at))
    return rows.slice(0, MOST_ELEMENTS).map(ledgerJson)
  }),
  twapHistory: list((asked) =>
    userIn(asked).twapEntries.slice(-MOST_ENTRIES).toReversed().map(twapEntryJson),
  ),
  userTwapSliceFills: list((asked) => slicesOf(userIn(asked)).slice(-MOST_FILLS).toReversed().map(sliceJson)),
  userTwapSliceFillsByTime: list((asked) => {
    const during = times(asked, 'required')
    return slicesOf(userIn(asked))
      .filter(({ at }) => during(at))
      .slice(0, MOST_FILLS)
      .map(sliceJson)
  }),
  historicalOrders: list((asked) => userIn(asked).history.slice(-MOST_ENTRIES).toReversed().map(entryJson)),
  fundingHistory: list((asked) => {
    const during = times(asked, 'required')
    const { name, payments } = marketIn(asked)
    return payments
      .filter(({ at }) => during(at))
      .slice(0, MOST_ELEMENTS)
      .map(({ rate, premium, at }) => ({
        coin: name,
        fundingRate: decimal(rate),
        premium: decimal(premium),
        time: at,
      }))
  }),
  userRole: kind(60, (asked) => userIn(asked).role),
  userRateLimit: kind(20, (asked) => {
    const volume = userIn(asked).fills.reduce((sum, { sz, price }) => sum + sz * price, 0)
    return { cumVlm: decimal(volume), nRequestsUsed: 0, nRequestsCap: 10_000 + Math.floor(volume) }
  }),
  perpDexLimits: kind(20, (asked) => ({
    totalOiCap: decimal(400_000_000),
    oiSzCapPerPerp: decimal(1_000_000_000),
    maxTransferNtl: decimal(150_000_000),
    coinToOiCap: capsOf(dexIn(asked).markets),
  })),
  perpDexStatus: kind(20, (asked) => {
    const deposits = [...asked.world.accounts.values()].map(
      (account) => account.crossUsd.get(dexIn(asked)) ?? 0,
    )
    return { totalNetDeposit: decimal(deposits.reduce((sum, usd) => sum + usd, 0)) }
  }),
  spotMeta: kind(20, ({ world }) => (spotMetaAndAssetCtxs(world) as [unknown])[0]),
  spotMetaAndAssetCtxs: kind(20, ({ world }) => spotMetaAndAssetCtxs(world)),
  userVaultEquities: kind(20, (asked) => userVaultEquities(userIn(asked))),
  vaultDetails: kind(20, ({ world, body }) => {
    const vault = addressIn(body['vaultAddress'])
    if (vault === null) throw new Malformed()
    return vaultDetails(world, vault)
  }),
  delegatorSummary: kind(20, (asked) => delegatorSummary(userIn(asked))),
  delegations: kind(20, (asked) => delegations(userIn(asked), asked.world.clock.now())),
  subAccounts: kind(20, (asked) => subAccountsOf(asked.world, userIn(asked))),
  subAccounts2: kind(20, (asked) => subAccounts(asked.world, userIn(asked))),
}

const slicesOf = ({ fills }: Account) => fills.filter(({ twapId }) => twapId !== null)

/** What a list weighs beside the request. */
export function weightOfItems({ listed }: Kind, answer: unknown): number {
  return listed && Array.isArray(answer) ? Math.floor(answer.length / ITEMS_A_WEIGHT) : 0
}

/** Null where there is none: a body that names no known type is malformed. */
export function kindOf(body: unknown): Kind | null {
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined
  return typeof type === 'string' && Object.hasOwn(KINDS, type) ? (KINDS[type] ?? null) : null
}

function userIn({ world, body }: Asked): Account {
  const address = addressIn(body['user'])
  if (address === null) throw new Malformed()
  return accountOf(world, address)
}

function dexIn({ world, body }: Asked): ListedDex {
  const { dex = '' } = body
  if (typeof dex !== 'string') throw new Malformed()
  const found = world.dexes.find(({ name }) => name === dex)
  if (!found) throw new Broken()
  return found
}

function marketIn({ world, body }: Asked): Market {
  if (typeof body['coin'] !== 'string') throw new Malformed()
  const found = findMarket(world, body['coin'])
  if (!found) throw new Broken()
  return found
}

function times({ world, body }: Asked, start: 'required' | 'may be left out'): (at: number) => boolean {
  const read = (said: unknown, otherwise: number) => {
    if (said === undefined || said === null) return otherwise
    if (!Number.isSafeInteger(said) || (said as number) < 0) throw new Malformed()
    return said as number
  }
  if (start === 'required' && !Number.isSafeInteger(body['startTime'])) throw new Malformed()
  const [from, to] = [read(body['startTime'], 0), read(body['endTime'], world.clock.now())]
  return (at) => at >= from && at <= to
}

/** Of one dex. Children are listed in their parent and beside it, as recorded. */
function ordersIn(asked: Asked) {
  const dex = dexIn(asked)
  return userIn(asked).orders.filter(({ market }) => market.dex === dex)
}

function activeAssetData(world: World, account: Account, market: Market) {
  const { dex, mark, szDecimals } = market
  const held = account.holdings.find((one) => one.market === market)
  const chosen = account.leverages.get(market)
  const value = held?.leverage ?? chosen?.value ?? Math.min(20, market.maxLeverage)
  const isolated = held ? held.isolatedUsd !== null : (chosen?.isolated ?? market.strictIsolated)
  const used = crossIn(account, dex).reduce((sum, one) => sum + marginUsed(one), 0)
  const available = Math.max(0, poolOf(world, account, dex).equity - used)
  const size = (available * value) / mark
  const most = decimal(Math.floor(size * 10 ** szDecimals) / 10 ** szDecimals)
  const rawUsd = decimal(held?.isolatedUsd ?? 0)
  return {
    user: account.address,
    coin: market.name,
    leverage: isolated ? { type: 'isolated', value, rawUsd } : { type: 'cross', value },
    maxTradeSzs: [most, most],
    availableToTrade: [decimal(available, 6), decimal(available, 6)],
    markPx: decimal(mark),
  }
}

/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint#retrieve-a-users-subaccounts */
function subAccountsOf(world: World, master: Account) {
  const [main] = world.dexes
  const all = subAccountsIn(world, master).map((account, place) => ({
    ...namesOf(account, place, master),
    clearinghouseState: main && clearinghouseState(world, account, main),
    spotState: spotClearinghouseState(world, account),
  }))
  return all.length === 0 ? null : all
}

const subAccountsIn = ({ accounts }: World, master: Account) =>
  [...accounts.values()].filter(
    ({ role }) => role.role === 'subAccount' && role.data.master === master.address,
  )

const namesOf = ({ address, outside: { name } }: Account, place: number, master: Account) => ({
  ...{ name: name ?? `sub ${place + 1}`, subAccountUser: address, master: master.address },
})

/** In no documentation; its mode is left out where it is the usual one. */
function subAccounts(world: World, master: Account) {
  const all = subAccountsIn(world, master)
  if (all.length === 0) return null
  return all.map((account, place) => ({
    ...namesOf(account, place, master),
    dexToClearinghouseState: allClearinghouseStates(world, account),
    spotState: spotClearinghouseState(world, account),
    ...(account.mode === 'default' ? {} : { abstraction: account.mode }),
  }))
}

/** The dex that a request is about, for faults that break one of them. */
export function dexNameIn(body: Record<string, unknown>): string {
  if (typeof body['dex'] === 'string') return body['dex']
  return typeof body['coin'] === 'string' ? dexNameOf(body['coin']) : ''
}
