import { liquidationPrice } from '../test/support/lighter/figures.ts'
import { walletOf } from './support/crowd.ts'
import { at, costOf } from './support/figures.ts'
import { startLighterApp } from './support/lighter-app.ts'
import { row } from './support/rows.ts'

// 2,000 wallets with 2,600 accounts on Lighter, the whole program with the stand-in and a platform that takes everything
// at once: how long until all are followed, what calm minutes cost, and how soon a change is told.
// `node bench/lighter.ts [wallets]`

const [, , wallets = '2000'] = process.argv
const WALLETS = Number(wallets)
const SUB_ACCOUNTS = Math.round(WALLETS * 0.3)
/** Each crosses the line of its liquidation at a price of its own. */
const CROSSINGS = 40
const OPENINGS = 40
const LINE = 0.05
/** Of the notional, between what two of them have added. */
const APART = 0.001
const CALM_MINUTES = 10
const APART_MS = 250

const told = new Map<string, number>()
const app = await startLighterApp(WALLETS, ({ to }) => void told.set(to.chat, performance.now()))
const { venue, push, clock } = app
const all = Array.from({ length: WALLETS }, (_, n) => venue.account(walletOf(n + 1), 100_000))
for (const [n, one] of all.entries()) {
  one.trades('ETH', 1)
  if (n < SUB_ACCOUNTS) one.sub(10_000).trades('BTC', 0.01)
}
const crossings = all.slice(0, CROSSINGS).map((one, n) => {
  one.trades('SOL', 100, { leverage: 10, margin: 'isolated' })
  const { mark } = venue.market('SOL')
  one.adds('SOL', 100 * mark * APART * n)
  const held = [...one.state.positions.values()].find(({ market }) => market.symbol === 'SOL')
  const liquidation = (held && liquidationPrice(one.state, held)) ?? Number.NaN
  return { chat: `c${n + 1}`, price: (liquidation / (1 - LINE)) * (1 - APART / 4) }
})

const began = clock.monotonic()
const minutes = () => (clock.monotonic() - began) / 60_000
while (push.status().wallets.followed < WALLETS && minutes() < 120) await clock.advance(5_000)
row(
  `until ${WALLETS.toLocaleString('en')} wallets on Lighter are followed after a start`,
  minutes(),
  'min',
  null,
  'each of them is read once before, and the venue allows 60 reads a minute',
)
// The figures beside the last positions are subscribed to afterwards.
await clock.advance(60_000)

const asked = venue.asked.length
const { cpuMs } = await costOf(() => clock.advance(CALM_MINUTES * 60_000))
row('requests a minute after the start', (venue.asked.length - asked) / CALM_MINUTES, '', { atMost: 10 })
row('the processor in that time, the stand-in included', cpuMs / (CALM_MINUTES * 600), '%')
row('limits of the venue that were touched', venue.broken.length, '', { atMost: 0 })

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const ends = app.live()

/** How long it takes from this change to the next message in this chat, ms. */
async function latency(chat: string, change: () => void): Promise<number> {
  const from = performance.now()
  change()
  const isTold = () => (told.get(chat) ?? -Infinity) >= from
  while (!isTold() && performance.now() - from < 10_000) await wait(1)
  const ms = isTold() ? (told.get(chat) ?? Number.NaN) - from : Infinity
  await wait(APART_MS)
  return ms
}

const byPrice: number[] = []
for (const { chat, price } of crossings.toSorted((a, b) => b.price - a.price))
  byPrice.push(await latency(chat, () => venue.moves({ SOL: price })))
const byOpening: number[] = []
for (const [n, one] of all.slice(-OPENINGS).entries())
  byOpening.push(await latency(`c${WALLETS - OPENINGS + n + 1}`, () => void one.trades('BTC', 0.01)))
for (const [what, found] of [
  ['a price that crosses a line', byPrice],
  ['a position that is opened', byOpening],
] as const)
  row(
    `from ${what} on Lighter to the platform, p95`,
    at(found, 0.95),
    'ms',
    { atMost: 150 },
    `p50 ${at(found, 0.5).toFixed(0)} ms, the longest ${at(found, 1).toFixed(0)} ms`,
  )
await ends()
await app.stop()
