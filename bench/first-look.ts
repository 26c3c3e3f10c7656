import type { Wallet } from '../src/venue/wallet.ts'
import { readMarkets } from '../src/venues/perps-data/wire/markets.ts'
import { type Crowd, MARKETS, marketsBody, positionsOf, PRICE } from './support/crowd.ts'
import { at } from './support/figures.ts'
import { row } from './support/rows.ts'
import { turned } from './support/turned.ts'

// After a start nothing has been read yet: when are those near danger told by what an earlier run knew, when are they read, and
// when is everybody? The real engine and pollers under a clock that is turned. `node bench/first-look.ts [wallets]`

const [, , wallets = '5000'] = process.argv
const PER_SECOND = 20

/** The first of them are beyond a critical line as soon as prices have fallen by two per cent meanwhile. */
const NEAR = { share: 0.03, from: 0.03, to: 0.06 }
const crowd: Crowd = {
  ...{ people: Number(wallets), positions: 1, rules: 'one', sides: 'long' },
  away: [NEAR, { share: 0.97, from: 0.3, to: 0.8 }],
}
const FALLEN = 0.98
const near = new Set(
  Array.from({ length: crowd.people }, (_, index) => index + 1).flatMap((person) =>
    positionsOf(person, crowd).flatMap(({ wallet, liquidationPrice }) =>
      Number(liquidationPrice) / 1e18 > PRICE * (1 - NEAR.to) ? wallet : [],
    ),
  ),
)

const told = new Map<Wallet, number>()
const body = JSON.parse(marketsBody(Array.from({ length: MARKETS }, () => PRICE * FALLEN))) as unknown
const { clock, calls, start, end } = await turned({
  crowd,
  perSecond: PER_SECOND,
  markets: () => readMarkets(body, 8008),
  heard(event) {
    if (event.is !== 'transition' || event.reason !== 'fired') return
    const wallet = [...near].find((one) => event.subject.includes(one))
    if (wallet !== undefined && !told.has(wallet)) told.set(wallet, clock.monotonic())
  },
})
const began = clock.monotonic()
start()
await clock.advance(6 * 60_000)
const read = new Map<Wallet, number>()
for (const { wallet, mono } of calls) if (wallet !== null && !read.has(wallet)) read.set(wallet, mono)
const seconds = (map: Map<Wallet, number>, wallets: Iterable<Wallet>) =>
  [...wallets].map((wallet) => ((map.get(wallet) ?? Infinity) - began) / 1_000)
const summary = (all: number[]) =>
  `p50 ${at(all, 0.5).toFixed(1)} s, p95 ${at(all, 0.95).toFixed(1)} s of ${all.length}`
const name = `after a start with ${Number(wallets).toLocaleString('en')} wallets`
const [toldS, readS, allS] = [seconds(told, near), seconds(read, near), seconds(read, read.keys())]
row(`${name}: those near danger told, the last`, at(toldS, 1), 's', null, summary(toldS))
row(`${name}: those near danger read, the last`, at(readS, 1), 's', null, summary(readS))
row(`${name}: everybody read, the last`, at(allS, 1), 's', null, summary(allS))
await end()
