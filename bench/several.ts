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
// Hyperliquid alone, the other one Lighter too. The same price moves on the stand-in of each, one right after the other, so
// that each crossing is a pair and neither program disturbs the other. In the second half Lighter answers nothing any more.

const COINS = ['BTC', 'ETH', 'SOL', 'HYPE', 'BNB', 'LTC', 'AAVE', 'BCH', 'AVAX']
/** As many as the venue pushes. */
const WALLETS = 10
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
    /** Moves a price, and finds how long the warning takes to reach Telegram, in ms. */
    async cross({ coin, label, price }: { coin: string; label: string; price: number }): Promise<number> {
      const since = sent().length
      const mono = telegram.clock.monotonic()
      venue.moves({ [coin]: price })
      const found = () =>
        sent()
          .slice(since)
          .find(({ args: { text = '' } }) => isAbout(text, coin, label))
      await telegram.until(() => found() !== undefined, 30_000)
      return (found()?.mono ?? Number.NaN) - mono
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
const pairs: { out: boolean; alone: number; both: number }[] = []
for (const [place, crossing] of alone.crossings.entries()) {
  const out = place >= alone.crossings.length / 2
  if (out && pairs.every((one) => !one.out)) {
    await lighter.down()
    // Its outage is told before the next price moves.
    await wait(15_000)
  }
  // They take turns at being the first.
  const order = place % 2 === 0 ? [alone, both] : [both, alone]
  const found = new Map<typeof alone, number>()
  for (const side of order) found.set(side, await side.cross(crossing))
  pairs.push({ out, alone: found.get(alone) ?? Number.NaN, both: found.get(both) ?? Number.NaN })
  // More than a chat may be sent in a second, and anywhere between two pushes.
  await wait(1_100 + Math.random() * 700)
}
for (const out of [false, true]) {
  const found = pairs.filter((one) => one.out === out)
  const [alones, boths] = [found.map((one) => one.alone), found.map((one) => one.both)]
  row(
    `a warning of Hyperliquid with Lighter ${out ? 'out' : 'beside it'}: later at p95 than alone`,
    at(boths, 0.95) - at(alones, 0.95),
    'ms',
    { atMost: GOAL_MS },
    [
      `${found.length} pairs, alone ${at(alones, 0.5).toFixed(1)} ms at p50 and ${at(alones, 0.95).toFixed(1)} ms at p95`,
      `with both ${at(boths, 0.5).toFixed(1)} and ${at(boths, 0.95).toFixed(1)} ms`,
    ].join(', '),
  )
}
for (const side of sides) await side.stop()
await lighter.stop()
