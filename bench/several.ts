import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { liquidationPrice } from '../test/support/hyperliquid/figures.ts'
import { startHyperliquid } from '../test/support/hyperliquid/server.ts'
import { startLighter } from '../test/support/lighter/server.ts'
import { runProgram } from '../test/support/program.ts'
import { startTelegram } from '../test/support/telegram/telegram.ts'
import { at } from './support/figures.ts'
import { row } from './support/rows.ts'

// Whether a second venue makes the warnings of the first one late. Two real programs run beside each other: one watches
// Hyperliquid alone, the other one Lighter too. The same price moves on both stand-ins of Hyperliquid at once, so each
// crossing is a pair. In the second half Lighter answers nothing any more.

const COINS = ['BTC', 'ETH', 'SOL', 'HYPE']
const WALLETS = 5
/** Where `/watch` calls it critical. */
const LINE = 0.05
/** Of the notional, between what two wallets have added: each crosses at a price of its own. */
const APART = 0.001
/** The second venue may cost a warning of the first one so much. */
const GOAL_MS = 5

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const addressOf = (n: number) => `0x${(n + 1).toString(16).padStart(40, '0')}`

function isAbout(text: string, coin: string, label: string): boolean {
  const isWarning = text.includes(`${coin} long`) && text.includes('to liquidation')
  return isWarning && new RegExp(`\\b${label}\\b`).test(text)
}

/** One program with the stand-ins of its own. */
async function startSide(name: string, lighterUrl: string | null) {
  const folder = await mkdtemp(join(tmpdir(), `perch-several-${name}-`))
  const telegram = await startTelegram()
  const venue = await startHyperliquid({ universe: 'recorded' })
  const crossings = Array.from({ length: WALLETS }, (_, n) => {
    const wallet = venue.account(addressOf(n), { usd: 100_000 })
    return COINS.map((coin) => {
      const { mark } = venue.market(coin)
      const size = Number((20_000 / mark).toFixed(2))
      wallet.trades(coin, size, { leverage: 10, margin: 'isolated' })
      wallet.adds(coin, size * mark * APART * n)
      const held = wallet.state.holdings.find(({ market }) => market.name === coin)
      const liquidation = (held && liquidationPrice(venue.world, wallet.state, held)) ?? 0
      return { coin, label: `w${n}`, price: (liquidation / (1 - LINE)) * (1 - APART / 4) }
    })
  }).flat()
  const program = runProgram('src/main.ts', {
    VENUE: lighterUrl === null ? 'hyperliquid' : 'hyperliquid,lighter',
    HYPERLIQUID_URL: venue.url,
    ...(lighterUrl !== null && { LIGHTER_URL: lighterUrl }),
    ACCESS: 'open',
    DATABASE_URL: join(folder, 'perch.sqlite'),
    TELEGRAM_API_ROOT: telegram.root,
    TELEGRAM_BOT_TOKEN: telegram.token,
  })
  const person = telegram.user('Ada')
  for (let n = 0; n < WALLETS; n++) {
    const before = telegram.ledger.texts(person.id).length
    person.says(`/watch ${addressOf(n)} w${n}`)
    await telegram.until(() => telegram.ledger.texts(person.id).length > before, 60_000)
  }
  const sent = () => telegram.asked.filter(({ method }) => method === 'sendMessage')
  return {
    crossings,
    sent,
    /** Moves a price, and finds how long the warning takes to reach Telegram. */
    cross({ coin, label, price }: { coin: string; label: string; price: number }): () => Promise<number> {
      const since = sent().length
      const mono = telegram.clock.monotonic()
      venue.moves({ [coin]: price })
      const found = () =>
        sent()
          .slice(since)
          .find(({ args: { text = '' } }) => isAbout(text, coin, label))
      return async () => {
        await telegram.until(() => found() !== undefined, 30_000)
        return (found()?.mono ?? Number.NaN) - mono
      }
    },
    async stop() {
      program.process.kill('SIGTERM')
      await program.ends()
      await Promise.all([venue.stop(), telegram[Symbol.asyncDispose]()])
      await rm(folder, { recursive: true })
    },
  }
}

const lighter = await startLighter()
for (let n = 0; n < WALLETS; n++) lighter.account(addressOf(n), 10_000).trades('ETH', 1)
const alone = await startSide('alone', null)
const both = await startSide('both', lighter.url)
const sides = [alone, both]
// Until everything that a start has to say is said, and every list of markets was read.
for (let before = -1, now = 0; before !== now;) {
  before = now
  await wait(10_000)
  now = sides.reduce((sum, { sent }) => sum + sent().length, 0)
}
const later: { out: boolean; ms: number }[] = []
const own: number[] = []
for (const [place, crossing] of alone.crossings.entries()) {
  const out = place >= alone.crossings.length / 2
  if (out && later.every((one) => !one.out)) {
    await lighter.down()
    // Its outage is told before the next price moves.
    await wait(15_000)
  }
  // Which side moves first decides over a millisecond: they take turns.
  const order = place % 2 === 0 ? [alone, both] : [both, alone]
  const waits = new Map(order.map((side) => [side, side.cross(crossing)]))
  const [first, second] = await Promise.all([waits.get(alone)?.(), waits.get(both)?.()])
  own.push(first ?? Number.NaN)
  later.push({ out, ms: (second ?? Number.NaN) - (first ?? Number.NaN) })
  // More than a chat may be sent in a second, and anywhere between two pushes.
  await wait(1_200 + Math.random() * 1_200)
}
for (const out of [false, true]) {
  const found = later.filter((one) => one.out === out).map(({ ms }) => ms)
  row(
    `a warning of Hyperliquid with Lighter ${out ? 'out' : 'beside it'}, later than alone, p95`,
    at(found, 0.95),
    'ms',
    { atMost: GOAL_MS },
    `median ${at(found, 0.5).toFixed(1)} ms, ${found.length} pairs; alone ${at(own, 0.5).toFixed(0)} ms at p50`,
  )
}
for (const side of sides) await side.stop()
await lighter.stop()
