import { type Amount, multiply, ONE } from '../src/venue/amount.ts'
import { type AccountStart, advance, createExchange } from '../src/venues/sim/exchange/exchange.ts'
import { submit } from '../src/venues/sim/exchange/submit.ts'
import { lineOf } from '../src/venues/sim/maths/line.ts'
import { ANY_PRICE, marketStart, marketTerms, units, VENUE } from '../test/support/exchange.ts'
import { createDice } from '../test/support/seed.ts'
import { at, costOf, heapMb, say } from './support/figures.ts'

// The simulated venue's state with very many accounts: how long it takes to build, how much memory, and what a second of market
// time costs while twenty markets move and people trade. `npm run bench -- exchange 100000`.

const ACCOUNTS = Number(process.argv[2] ?? 100_000)
const MARKETS = 20
const SECONDS = 300
/** Of one second: ten basis points are a lively market, and more than five per cent in five minutes. */
const SPREAD = 0.001
const TRADES_PER_SECOND = 20

const dice = createDice(7)
const prices = Array.from({ length: MARKETS }, () => units((10 ** (5 * dice.next() - 1)).toFixed(6)))
const scale = (price: Amount) => (units(20_000_000_000) * ONE) / price
const markets = prices.map((price, index) => {
  const skewScale = scale(price)
  const terms = { skewScale, maxMarketSize: skewScale, liquidationWindowMultiplier: units('0.1') }
  return marketStart(marketTerms(String(100 * (index + 1)), `M${index}`, terms), '1')
})
for (const [index, start] of markets.entries()) start.indexPrice = prices[index] ?? ONE

const before = heapMb()
let round = built()
say(`${ACCOUNTS.toLocaleString('en')} accounts with ${round.positions} positions in ${MARKETS} markets`)
const building = await costOf(() => void (round = built()))
say(
  `built in ${(building.cpuMs / 1_000).toFixed(1)} s of processor time, ${(heapMb() - before).toFixed(0)} MB`,
)

const { venue } = round
const costs: number[] = []
let [liquidated, settled, second] = [0, 0, venue.nowSeconds]
for (let count = 0; count < SECONDS; count++) {
  const moved = [...venue.markets.values()].map(
    ({ terms, indexPrice }) =>
      [terms.id, multiply(indexPrice, units((1 + (dice.next() - 0.5) * 2 * SPREAD).toFixed(9)))] as const,
  )
  for (let trade = 0; trade < TRADES_PER_SECOND; trade++) order()
  const cost = await costOf(() => {
    for (const one of advance(venue, ++second, moved)) {
      if (one.is === 'liquidated') liquidated++
      if (one.is === 'settled') settled++
    }
  })
  costs.push(cost.cpuMs)
}
say(
  `a second of market time: ${at(costs, 0.5).toFixed(2)} ms of processor time (p99 ${at(costs, 0.99).toFixed(2)}), ` +
    `with ${(settled / SECONDS).toFixed(1)} trades and ${(liquidated / SECONDS).toFixed(1)} liquidations`,
)

const crash = [...venue.markets.values()].map(
  ({ terms, indexPrice }) => [terms.id, multiply(indexPrice, units('0.9'))] as const,
)
let fallen = 0
const crashing = await costOf(() => void (fallen = advance(venue, ++second, crash).length))
say(`all prices 10 % down in one second: ${crashing.cpuMs.toFixed(0)} ms, ${fallen} things happened`)
const calming = await costOf(() => void advance(venue, ++second, []))
say(`the second after it, ${venue.flagged.size} accounts being liquidated: ${calming.cpuMs.toFixed(1)} ms`)

let lines = 0
const reading = await costOf(() => {
  for (const account of [...venue.accounts.values()].slice(0, 5_000)) {
    for (const held of account.positions) {
      lineOf(venue.terms, account, held, venue.nowSeconds)
      lines++
    }
  }
})
say(`a liquidation price to the last digit: ${((reading.cpuMs * 1_000) / lines).toFixed(1)} µs`)

function built() {
  let positions = 0
  function* accounts(): Generator<AccountStart> {
    for (let index = 0; index < ACCOUNTS; index++) {
      const count = dice.often(0.6) ? 1 : 1 + dice.below(4)
      // From some hundred dollars to some hundred thousand, at a leverage of 1 to 20, which is shared by the positions.
      const usd = 100 * 10 ** (3 * dice.next())
      const leverage = 1 + 19 * dice.next() ** 2
      const chosen = new Set(Array.from({ length: count }, () => dice.below(MARKETS)))
      const id = `1701411834604692317316873037${String(100_000_000_000 + index)}`
      positions += chosen.size
      yield {
        ...{ id, wallet: `0x${index.toString(16).padStart(40, '0')}`, collateralUsd: units(usd.toFixed(6)) },
        positions: [...chosen].map((number) => {
          const price = prices[number] ?? ONE
          const notional = units(((usd * leverage) / chosen.size).toFixed(6))
          const size = ((dice.often(0.5) ? 1n : -1n) * notional * ONE) / price
          return { marketId: String(100 * (number + 1)), size, entryPrice: price, enteredAtSeconds: 999_000 }
        }),
      }
    }
  }
  const venue = createExchange({ terms: VENUE, markets, accounts: accounts(), nowSeconds: 1_000_000 })
  return { venue, positions }
}

/** Of somebody, anywhere, for a tenth of what he has. */
function order(): void {
  const account = dice.one(venue.round.accounts)
  const market = dice.one([...venue.markets.values()])
  const sizeDelta = ((dice.often(0.5) ? 1n : -1n) * account.collateralUsd * ONE) / (10n * market.indexPrice)
  submit(venue, {
    ...{ is: 'market', accountId: account.id, marketId: market.terms.id, sizeDelta },
    acceptablePrice: sizeDelta > 0n ? ANY_PRICE.buy : ANY_PRICE.sell,
    ...{ takeProfit: null, stopLoss: null },
  })
}
