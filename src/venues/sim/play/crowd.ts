import { type Amount, fromNumber, multiply, toNumber } from '../../../venue/amount.ts'
import { parseWallet } from '../../../venue/wallet.ts'
import type { Account } from '../exchange/account.ts'
import { openAccount } from '../exchange/exchange.ts'
import { fundingAt, type Market, skewOf } from '../exchange/market.ts'
import type { Exchange } from '../exchange/state.ts'
import { submit } from '../exchange/submit.ts'
import { OPEN_UPPER } from '../wire/range.ts'
import { accountOf } from './catalogue.ts'
import type { Drive, Lane } from './lane.ts'
import { busy, noiseAfter, usedToAfter, wantedSkew } from './path.ts'
import { hashed } from './random.ts'

/** All anonymous traders of one market as one account. Their orders bring the skew to the wanted one. */
export interface Crowd {
  readonly lane: Lane
  readonly account: Account
}

/** USD: too much for the crowd to be liquidated. */
const CROWD_USD = fromNumber(1e10) ?? 0n
/** Account numbers far from all others. */
const FIRST_ACCOUNT_NUMBER = 900_000
const DAY_SECONDS = 86_400

/** Both sides share the usual open interest. The traders that make the skew come on top. */
export function openCrowds(exchange: Exchange, lanes: readonly Lane[], drive: Drive): Crowd[] {
  for (const [number, sign] of [
    [0, 1],
    [1, -1],
  ] as const) {
    const positions = lanes.flatMap(({ spec, market }) => {
      const size = fromNumber((sign * spec.openInterest) / 2) ?? 0n
      return size === 0n ? [] : [start(exchange, market.terms.id, size, market.indexPrice)]
    })
    open(exchange, number, positions)
  }
  return lanes
    .filter(({ spec }) => spec.trades24h > 0)
    .map((lane) => {
      const { market } = lane
      const size = missing(exchange, lane, drive, 0)
      const positions = size === 0n ? [] : [start(exchange, market.terms.id, size, market.indexPrice)]
      return { lane, account: open(exchange, 2 + lane.key, positions) }
    })
}

function start(exchange: Exchange, marketId: string, size: Amount, entryPrice: Amount) {
  return { marketId, size, entryPrice, enteredAtSeconds: exchange.nowSeconds }
}

function open(exchange: Exchange, number: number, positions: ReturnType<typeof start>[]): Account {
  const parse = parseWallet(`0xc09d${String(number).padStart(36, '0')}`)
  const id = accountOf(FIRST_ACCOUNT_NUMBER + number)
  const account =
    parse.ok && openAccount(exchange, { id, wallet: parse.wallet, collateralUsd: CROWD_USD, positions })
  if (!account) throw new Error(`Account ${id} of those who trade cannot be opened.`)
  return account
}

/** The crowd starts out used to the first price. */
export function usedToAtFirst({ indexPrice }: Market): number {
  return Math.log(toNumber(indexPrice))
}

/**
 * Each crowd trades about as often as its market's daily count says, and far more often when the price runs
 * away.
 */
export function crowdsTrade(
  exchange: Exchange,
  crowds: readonly Crowd[],
  drive: Drive,
  now: { step: number; stepSeconds: number; draw: () => number },
): void {
  for (const { lane, account } of crowds) {
    const { spec, key, market } = lane
    lane.moodNoise = noiseAfter(lane.moodNoise, now.stepSeconds, now.draw())
    lane.usedTo = usedToAfter(lane.usedTo, Math.log(toNumber(market.indexPrice)), now.stepSeconds)
    const usually = (spec.trades24h * now.stepSeconds) / DAY_SECONDS
    if (hashed(drive.seed, key, now.step, 5) >= usually * busy(runOf(lane))) continue
    const sizeDelta = missing(exchange, lane, drive, now.step * now.stepSeconds)
    if (sizeDelta === 0n) continue
    const acceptablePrice = sizeDelta > 0n ? OPEN_UPPER : 1n
    const order = { accountId: account.id, marketId: market.terms.id, sizeDelta, acceptablePrice }
    submit(exchange, { is: 'market', ...order, takeProfit: null, stopLoss: null })
  }
}

/** The distance of the price from the one that the crowd is used to, as a logarithm. */
function runOf({ market, usedTo }: Lane): number {
  return Math.log(toNumber(market.indexPrice)) - usedTo
}

/** Base units between the skew and the wanted one, to nine digits. */
function missing({ nowSeconds }: Exchange, lane: Lane, { scenario }: Drive, seconds: number): Amount {
  const { spec, market, moodNoise: noise } = lane
  const ratePerDay = toNumber(fundingAt(market, nowSeconds).rate)
  const push = scenario?.pushes(spec.symbol, seconds / 3600) ?? 0
  const wanted = wantedSkew(spec.mood, { seconds, ratePerDay, noise, push, run: runOf(lane) })
  const skew = multiply(fromNumber(Number(wanted.toPrecision(9))) ?? 0n, market.terms.skewScale)
  return skew - skewOf(market)
}
