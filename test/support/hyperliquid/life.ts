import type { HandClock } from '../clock.ts'
import { createDice, type Dice } from '../seed.ts'
import type { AccountHandle } from './account.ts'
import { liquidationPrice, profitOf } from './figures.ts'
import type { Event } from './news.ts'
import type { Hyperliquid } from './server.ts'
import type { Fill, Market, Payment } from './state.ts'

/**
 * A random month of an account: trades, closings in part, reversals, TWAPs, funding, liquidations in part, and money
 * that comes and goes. Beside it an oracle keeps the books by itself: of the venue it hears prices, sizes and sides.
 */

/** What the oracle has booked, in USD. Fees are positive when paid, funding when received. */
export interface Booked {
  at: number
  market: string | null
  realised: number
  fee: number
  funding: number
  /** From and to outside of the wallet. */
  moved: number
  rewards: number
  vaults: number
  /** Between spot and perpetuals. */
  within: number
  fills: number
}

/** The account between two actions: nothing else has this time. */
interface Snapshot {
  at: number
  /** Of the perpetuals of all dexes, with USDC in spot. */
  equity: number
  perps: number
  openPnl: number
}

export interface Life {
  booked: readonly Booked[]
  snapshots: readonly Snapshot[]
  /** How often each thing happened. */
  counts: ReadonlyMap<string, number>
}

const HOUR_MS = 3_600_000
const MARKETS = ['BTC', 'ETH', 'HYPE', 'xyz:GOLD'] as const
const [VAULT, FRIEND, SUB] = ['c', 'd', 'e'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
]
const NOTHING = { realised: 0, fee: 0, funding: 0, moved: 0, rewards: 0, vaults: 0, within: 0, fills: 0 }

interface Player {
  venue: Hyperliquid
  clock: HandClock
  dice: Dice
  user: AccountHandle
  book(booked: Partial<Booked>): void
  count(what: string): void
}

/** `hourly` is called after each hour, at a time at which nothing else happens. */
export async function liveMonth(
  venue: Hyperliquid,
  clock: HandClock,
  address: string,
  { seed, days = 30, hourly }: { seed: number; days?: number; hourly?: (life: Life) => Promise<void> },
): Promise<Life> {
  const dice = createDice(seed)
  const user = venue.account(address)
  const booked: Booked[] = []
  const counts = new Map<string, number>()
  const snapshots: Snapshot[] = []
  const life: Life = { booked, snapshots, counts }
  const player: Player = {
    ...{ venue, clock, dice, user },
    book: (one) => void booked.push({ at: clock.now(), market: null, ...NOTHING, ...one }),
    count: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
  }
  const ends = venue.listen(keepBooks(player))
  const look = async () => {
    await clock.advance(1)
    snapshots.push(snapshotOf(user, clock.now()))
    await clock.advance(1)
  }
  await look()
  gets(player, 60_000)
  user.sends(user, 10_000, '', 'xyz')
  await look()
  for (let hour = 0; hour < 24 * days; hour++) {
    await clock.advance(HOUR_MS / 3 - 4)
    for (let n = dice.below(6); n > 0; n--) act(player)
    await look()
    moveAll(player)
    for (let n = dice.below(3); n > 0; n--) act(player)
    await clock.advance(HOUR_MS - (clock.now() % HOUR_MS) + 60_000)
    if (dice.often(0.02)) squeeze(player)
    await look()
    await hourly?.(life)
  }
  ends()
  return life
}

/** What a window of the record sums up to, both ends included. */
export function bookedIn(life: Life, since: number, until: number, market?: string): Booked {
  const sum: Booked = { at: since, market: market ?? null, ...NOTHING }
  for (const one of life.booked) {
    if (one.at < since || one.at > until || (market !== undefined && one.market !== market)) continue
    for (const field of Object.keys(NOTHING) as (keyof typeof NOTHING)[]) sum[field] += one[field]
  }
  return sum
}

function keepBooks({ user, book, count }: Player): (event: Event) => void {
  const positions = new Map<Market, { size: number; entry: number }>()
  const heldIn = (market: Market) => positions.get(market) ?? { size: 0, entry: 0 }
  return (event) => {
    if (event.is === 'liquidated' && event.account === user.state) count('liquidation')
    if (event.is === 'paid' && event.account === user.state) {
      count('funding')
      book({ market: event.payment.market.name, funding: fundingOf(event.payment, heldIn) })
    }
    if (event.is !== 'fill' || event.account !== user.state || event.fill.market.name.startsWith('@')) return
    const { market } = event.fill
    const { next, realised } = traded(heldIn(market), event.fill)
    positions.set(market, next)
    count(event.fill.liquidation ? 'liquidated fill' : event.fill.twapId === null ? 'fill' : 'slice')
    if (Math.sign(next.size) * Math.sign(event.fill.startPosition) < 0) count('reversal')
    else if (realised !== 0 && next.size !== 0) count('partial close')
    const rate = event.fill.crossed ? 0.00045 : 0.00015
    book({ market: market.name, realised, fee: event.fill.sz * event.fill.price * rate, fills: 1 })
  }
}

function fundingOf({ market, rate }: Payment, heldIn: (market: Market) => { size: number }): number {
  return -heldIn(market).size * market.oracle * rate
}

/** Average entry: a close realises its part of the difference, and the rest of a reversal opens anew. */
function traded(
  { size, entry }: { size: number; entry: number },
  { sz, side, price, market }: Pick<Fill, 'sz' | 'side' | 'price' | 'market'>,
) {
  const change = side === 'B' ? sz : -sz
  const after = Number((size + change).toFixed(market.szDecimals))
  if (size === 0 || Math.sign(size) === Math.sign(change)) {
    const average = (Math.abs(size) * entry + sz * price) / Math.abs(after)
    return { next: { size: after, entry: average }, realised: 0 }
  }
  const closed = Math.min(Math.abs(size), sz)
  const realised = closed * (price - entry) * Math.sign(size)
  const isOver = Math.sign(after) !== Math.sign(size)
  return { next: { size: after, entry: isOver ? price : entry }, realised }
}

function snapshotOf({ state }: AccountHandle, at: number): Snapshot {
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0)
  const perps =
    sum([...state.crossUsd.values()]) +
    sum(state.holdings.map(({ szi, market, isolatedUsd }) => szi * market.mark + (isolatedUsd ?? 0)))
  const spot = state.spot.get(0)?.free ?? 0
  return { at, perps, equity: perps + spot, openPnl: sum(state.holdings.map(profitOf)) }
}

function moveAll({ venue, dice }: Player): void {
  const to = (coin: string) => venue.market(coin).mark * (1 + (dice.next() - 0.5) * 0.02)
  venue.moves(Object.fromEntries(MARKETS.map((coin) => [coin, to(coin)])))
  venue.funds(dice.one(MARKETS), (dice.next() - 0.4) * 0.0001)
}

function act(player: Player): void {
  const { dice } = player
  if (dice.often(0.7)) return trades(player)
  if (dice.often(0.08)) return runsTwap(player)
  return dice.one(MOVES)(player)
}

/** Towards a random position, often by a part of the way only. */
function trades({ venue, dice, user }: Player): void {
  const coin = dice.one(MARKETS)
  const market = venue.market(coin)
  const held = user.state.holdings.find((one) => one.market === market)?.szi ?? 0
  const wanted = ((dice.next() - 0.5) * 30_000) / market.mark
  const change = Number(((wanted - held) * dice.one([0.3, 0.6, 1])).toFixed(market.szDecimals))
  // Some trades of one millisecond, as a large order has them.
  for (let part = dice.one([1, 1, 1, 2, 3]); part > 0; part--) {
    const size = Number((change / part).toFixed(market.szDecimals))
    if (size !== 0) user.trades(coin, size, { leverage: 10 })
  }
}

/** Few slices: near 2,000 of them the record says that the venue may have forgotten some. */
function runsTwap({ dice, user, count, venue }: Player): void {
  const coin = dice.one(['BTC', 'ETH'] as const)
  const { mark, szDecimals } = venue.market(coin)
  const side = dice.one(['buy', 'sell'] as const)
  user.twaps({ coin, side, size: Number((5_000 / mark).toFixed(szDecimals)), minutes: dice.one([5, 10]) })
  count('TWAP')
}

function gets({ user, book }: Player, usd: number): void {
  user.deposits(usd)
  book({ moved: usd })
}

/** Each kind of transfer. Amounts have cents, and what goes out mostly comes back. */
const MOVES: readonly ((player: Player) => void)[] = [
  (player) => gets(player, amount(player, 900)),
  ({ user, book, ...player }) => {
    const usd = 2 + amount(player, 700)
    user.deposits(-usd)
    book({ moved: -usd })
  },
  ({ user, book, venue, ...player }) => {
    const usd = amount(player, 200)
    user.gives(venue.account(FRIEND), usd, 1)
    book({ moved: -usd - 1 })
  },
  ({ user, book, venue, ...player }) => {
    const usd = amount(player, 200)
    venue.account(FRIEND).gives(user, usd, 1)
    book({ moved: usd })
  },
  ({ user, book, ...player }) => {
    const usd = amount(player, 500)
    user.shifts(-usd)
    book({ within: -usd })
  },
  ({ user, book, ...player }) => {
    const usd = Math.min(amount(player, 500), user.state.spot.get(0)?.free ?? 0)
    if (usd <= 0) return
    user.shifts(usd)
    book({ within: usd })
  },
  ({ user, book, venue, ...player }) => {
    const usd = amount(player, 300) * player.dice.one([1, -1])
    user.funds(venue.account(SUB), usd)
    book({ moved: -usd })
  },
  ({ user, ...player }) => {
    const usd = amount(player, 100)
    const [from, into] = player.dice.one([
      ['', 'xyz'],
      ['xyz', ''],
    ] as const)
    user.sends(user, usd, from, into)
  },
  ({ user, book, venue, ...player }) => {
    const usd = amount(player, 100)
    user.sends(venue.account(FRIEND), usd, '', 'spot', 1)
    book({ moved: -usd - 1 })
  },
  ({ user, book, ...player }) => {
    const usd = amount(player, 200)
    if (player.dice.often(0.5)) {
      user.invests(VAULT, usd)
      book({ vaults: -usd })
    } else {
      user.divests(VAULT, usd, 1)
      book({ vaults: usd - 1 })
    }
  },
  ({ user, book, ...player }) => {
    const usd = amount(player, 20)
    user.claims(usd)
    book({ rewards: usd })
  },
  // Not in USD, so not in any sum.
  ({ user, venue }) => {
    user.owns('PURR', 1, 1_000)
    user.hands(venue.account(FRIEND), 1, 10, 0)
    user.swaps('@107', 1, 40)
  },
]

function amount({ dice }: Pick<Player, 'dice'>, most: number): number {
  return Number((1 + dice.next() * most).toFixed(2))
}

/** A position that is too large for the account, and a price that liquidates a part of it. */
function squeeze(player: Player): void {
  const { venue, user, count } = player
  // A poor account would lose all to the backstop, which keeps margin that no record shows.
  if (snapshotOf(user, 0).perps < 50_000) gets(player, 30_000)
  const market = venue.market('BTC')
  const held = user.state.holdings.find((one) => one.market === market)?.szi ?? 0
  const wanted = (Math.sign(held || 1) * 400_000) / market.mark
  user.trades('BTC', Number((wanted - held).toFixed(market.szDecimals)), { leverage: market.maxLeverage })
  const holding = user.state.holdings.find((one) => one.market === market)
  const at = holding ? liquidationPrice(venue.world, user.state, holding) : null
  if (holding && at !== null && Math.abs(at / market.mark - 1) < 0.3) {
    const before = market.mark
    // A little beyond, so that the account still has most of its maintenance: no backstop takes all of it.
    venue.moves({ BTC: at * (1 - Math.sign(holding.szi) * 0.0003) })
    venue.moves({ BTC: before })
    count('squeeze')
  }
  if (user.state.holdings.includes(holding as never)) user.closes('BTC')
}
