import { type Amount, fromNumber, multiply, ONE } from '../../../venue/amount.ts'
import { type Account, positionIn } from '../exchange/account.ts'
import { deposit } from '../exchange/cash.ts'
import { openAccount, type PositionStart } from '../exchange/exchange.ts'
import type { VenueEvent } from '../exchange/venue-events.ts'
import type { Market } from '../exchange/market.ts'
import type { Exchange } from '../exchange/state.ts'
import { setProtectiveOrder, submit } from '../exchange/submit.ts'
import { margins } from '../maths/liquidation.ts'
import { keeperWorkAt, rewardOf } from '../maths/margin.ts'
import type { VenueTerms } from '../maths/terms.ts'
import type { Act } from '../scenarios/scenario.ts'
import { OPEN_UPPER, usualAcceptable } from '../wire/range.ts'
import { accountOf, type HoldingSpec } from './catalogue.ts'
import type { Lane } from './lane.ts'
import { hashed } from './random.ts'

/** A position of one of the venue's own wallets, open or liquidated. */
export interface OwnPosition {
  readonly key: number
  readonly spec: HoldingSpec
  readonly lane: Lane
  readonly account: Account
  liquidations: number
  /** Market seconds; Infinity while it is open, and if it stays closed. */
  reopensAt: number
}

/** Real seconds. */
const OPENED_BEFORE_START_SECONDS = 40_000
const DAY_SECONDS = 86_400
const REOPENS_AFTER_HOURS = 10
const REOPENS_WITHIN_HOURS = 20
/** A position opens again once its liquidation price is at least this far away. */
const REOPEN_DISTANCE = 0.08
/** A share of the order's value, for its fees and for price moves until the settlement. */
const ORDER_MARGIN_SHARE: Amount = ONE / 500n

/** Opens one account for each group of holdings. The positions of one group share their margin. */
export function openWallets(
  exchange: Exchange,
  groups: readonly (readonly HoldingSpec[])[],
  lanes: readonly Lane[],
  pace = 1,
): OwnPosition[] {
  let key = 0
  return groups.flatMap((specs, number) => {
    const placed = specs.map((spec) => {
      const lane = lanes.find(({ spec: market }) => market.symbol === spec.symbol)
      if (!lane) throw new Error(`There is no market ${spec.symbol} for a wallet.`)
      const entryPrice = multiply(exact(lane.spec.basePrice), exact(spec.enteredAt))
      const openSeconds = OPENED_BEFORE_START_SECONDS * (1 + key)
      const size = exact(spec.size)
      // Its funding so far is that of today's rate, so that rate, age and sum agree.
      const perDay = multiply(multiply(size, lane.market.indexPrice), lane.market.fundingRate)
      const start = {
        ...{ marketId: lane.market.terms.id, size, entryPrice },
        enteredAtSeconds: exchange.nowSeconds - Math.round(openSeconds * pace),
        fundingUsd: -multiply(perDay, exact(openSeconds / DAY_SECONDS)),
      }
      return { spec, lane, key: key++, start }
    })
    const account = opened(exchange, number, placed)
    for (const { spec, lane } of placed) protect(exchange, account, spec, lane)
    return placed.map((one) => ({ ...one, account, liquidations: 0, reopensAt: Infinity }))
  })
}

function opened(
  exchange: Exchange,
  number: number,
  placed: readonly { spec: HoldingSpec; lane: Lane; start: PositionStart }[],
): Account {
  const collateralUsd = placed.reduce((sum, { spec, lane, start }) => {
    const held = { ...start, line: lineAt(spec, lane) }
    return sum + collateralFor(exchange.terms, lane.market, held)
  }, 0n)
  const wallet = placed[0]?.spec.wallet
  const positions = placed.map(({ start }) => start)
  const account = wallet && openAccount(exchange, { id: accountOf(number), wallet, collateralUsd, positions })
  if (!account) throw new Error(`Account ${number} of the venue's own wallets cannot be opened.`)
  return account
}

function protect(exchange: Exchange, account: Account, spec: HoldingSpec, lane: Lane): void {
  const takeProfit = takeProfitOf(spec, lane)
  if (!takeProfit) return
  setProtectiveOrder(exchange, {
    accountId: account.id,
    marketId: lane.market.terms.id,
    takeProfit,
    stopLoss: null,
  })
}

function takeProfitOf({ takeProfitAt, size }: HoldingSpec, { spec }: Lane) {
  if (takeProfitAt === null) return null
  const price = exact(spec.basePrice * takeProfitAt)
  return { price, acceptablePrice: usualAcceptable(price, size < 0) }
}

/** Its liquidation price: at a fixed place on the price's path, so that the next swing reaches it. */
function lineAt({ liquidationAt }: HoldingSpec, { spec, factor }: Lane): Amount {
  return exact(spec.basePrice * factor * liquidationAt)
}

/** Schedules liquidated positions to open again, if their plan says so. */
export function note(
  wallets: readonly OwnPosition[],
  events: readonly VenueEvent[],
  seed: number,
  seconds: number,
) {
  for (const event of events) {
    if (event.is !== 'liquidated' || event.left !== 0n) continue
    const wallet = wallets.find(
      ({ account, lane }) => account.id === event.accountId && lane.market.terms.id === event.marketId,
    )
    if (!wallet) continue
    wallet.liquidations += 1
    const wait = hashed(seed, wallet.key, wallet.liquidations)
    const hours = REOPENS_AFTER_HOURS + REOPENS_WITHIN_HOURS * wait
    wallet.reopensAt = wallet.spec.reopens ? seconds + hours * 3600 : Infinity
  }
}

/** Opens the due positions again, at the current price. */
export function reopen(exchange: Exchange, wallets: readonly OwnPosition[], seconds: number): void {
  for (const wallet of wallets) {
    if (seconds < wallet.reopensAt) continue
    const line = lineAt(wallet.spec, wallet.lane)
    const price = wallet.lane.market.indexPrice
    const away = wallet.spec.size > 0 ? price - line : line - price
    if (away >= multiply(price, exact(REOPEN_DISTANCE))) openAgain(exchange, wallet)
  }
}

/** Plays an act for the first wallet with a position in its market. */
export function act(exchange: Exchange, wallets: readonly OwnPosition[], { does, symbol }: Act): void {
  const wallet = wallets.find(({ spec }) => spec.symbol === symbol)
  if (!wallet) return
  if (does === 'open') return openAgain(exchange, wallet)
  const size = positionIn(wallet.account, wallet.lane.market)?.size ?? 0n
  submit(exchange, {
    ...{ is: 'market', accountId: wallet.account.id, marketId: wallet.lane.market.terms.id },
    ...{ sizeDelta: -size, acceptablePrice: size < 0n ? OPEN_UPPER : 1n, takeProfit: null, stopLoss: null },
  })
}

/** Opens at the current price, with enough collateral for the old liquidation price. */
function openAgain(exchange: Exchange, wallet: OwnPosition): void {
  const { spec, lane, account } = wallet
  const { market } = lane
  const size = exact(spec.size)
  if (account.isFlagged || positionIn(account, market)) return
  const entryPrice = market.indexPrice
  const needed = collateralFor(exchange.terms, market, { size, entryPrice, line: lineAt(spec, lane) })
  const value = multiply(size > 0n ? size : -size, entryPrice)
  const missing = needed + multiply(value, ORDER_MARGIN_SHARE) - account.collateralUsd
  if (missing > 0n) deposit(exchange, account, missing)
  const order = submit(exchange, {
    ...{ is: 'market', accountId: account.id, marketId: market.terms.id, sizeDelta: size },
    acceptablePrice: size > 0n ? OPEN_UPPER : 1n,
    ...{ takeProfit: takeProfitOf(spec, lane), stopLoss: null },
  })
  if (typeof order !== 'string') wallet.reopensAt = Infinity
}

function exact(value: number): Amount {
  return fromNumber(Number(value.toPrecision(12))) ?? 0n
}

/**
 * The reward depends on the collateral being searched, by at most a tenth: the search settles within these
 * rounds.
 */
const MAX_SEARCH_ROUNDS = 64

/**
 * USD of collateral with which this position alone is liquidated at exactly this price, without funding; at
 * least 0.
 */
export function collateralFor(
  venue: VenueTerms,
  market: Market,
  held: { size: Amount; entryPrice: Amount; line: Amount },
): Amount {
  const { size, entryPrice, line } = held
  const { maintenanceMargin } = margins({ ...market.terms, size, price: line })
  const needed = maintenanceMargin - multiply(size, line - entryPrice)
  const work = [keeperWorkAt(market, size, line)]
  let collateral = needed
  for (let round = 0; round < MAX_SEARCH_ROUNDS; round++) {
    const next = needed + rewardOf(venue, collateral > 0n ? collateral : 0n, work)
    if (next === collateral) break
    collateral = next
  }
  // The last decimal place less than enough.
  return collateral > 1n ? collateral - 1n : 0n
}
