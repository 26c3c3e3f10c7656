import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { liquidationPrice } from '../test/support/hyperliquid/figures.ts'
import { startHyperliquid } from '../test/support/hyperliquid/server.ts'
import { runProgram } from '../test/support/program.ts'
import { startTelegram } from '../test/support/telegram/telegram.ts'
import { at } from './support/figures.ts'
import { row } from './support/rows.ts'

// How long it takes from a mark price on Hyperliquid that crosses a line to the request that reaches Telegram, with the
// real program between two stand-ins: once told by push, once by polling alone.

const COINS = ['BTC', 'ETH', 'SOL', 'HYPE']
const WALLETS = 3
/** Where `/watch` calls it critical. */
const LINE = 0.05
/** Of the notional, between what two wallets have added: each crosses at a price of its own. */
const APART = 0.001
const GOAL_MS = 300

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function measure(pushes: boolean): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'perch-push-'))
  await using telegram = await startTelegram()
  await using venue = await startHyperliquid({ universe: 'recorded' })
  venue.push.refuse(!pushes)
  const names = Array.from({ length: WALLETS }, (_, n) => `0x${(n + 1).toString(16).padStart(40, '0')}`)
  const crossings = names.flatMap((address, n) => {
    const wallet = venue.account(address, { usd: 100_000 })
    return COINS.map((coin) => {
      const { mark } = venue.market(coin)
      const size = Number((20_000 / mark).toFixed(2))
      wallet.trades(coin, size, { leverage: 10, margin: 'isolated' })
      wallet.adds(coin, size * mark * APART * n)
      const held = wallet.state.holdings.find(({ market }) => market.name === coin)
      const liquidation = (held && liquidationPrice(venue.world, wallet.state, held)) ?? 0
      return { coin, label: `w${n}`, price: (liquidation / (1 - LINE)) * (1 - APART / 4) }
    })
  })
  crossings.sort((a, b) => Number(a.label.slice(1)) - Number(b.label.slice(1)))
  await using program = runProgram('src/main.ts', {
    VENUE: 'hyperliquid',
    VENUE_URL: venue.url,
    ACCESS: 'open',
    DATABASE_URL: join(folder, 'perch.sqlite'),
    TELEGRAM_API_ROOT: telegram.root,
    TELEGRAM_BOT_TOKEN: telegram.token,
  })
  const person = telegram.user('Ada')
  for (const [n, address] of names.entries()) {
    person.says(`/watch ${address} w${n}`)
    await telegram.until(() => telegram.ledger.texts(person.id).length > n)
  }
  const sent = () => telegram.asked.filter(({ method }) => method === 'sendMessage')
  const isAbout = (text: string, { coin, label }: { coin: string; label: string }) =>
    text.includes(`${coin} long`) &&
    text.includes('to liquidation') &&
    new RegExp(`\\b${label}\\b`).test(text)
  // Until everything that a start has to say is said, and every list of markets was read.
  for (let before = -1; before !== sent().length;) {
    before = sent().length
    await wait(5_000)
  }
  const latencies: number[] = []
  for (const crossing of crossings) {
    const since = sent().length
    const mono = telegram.clock.monotonic()
    venue.moves({ [crossing.coin]: crossing.price })
    const found = () =>
      sent()
        .slice(since)
        .find(({ args }) => isAbout(args['text'] ?? '', crossing))
    await telegram.until(() => found() !== undefined, 30_000)
    latencies.push((found()?.mono ?? Number.NaN) - mono)
    // More than a chat may be sent in a second, and anywhere between two polls.
    await wait(1_200 + Math.random() * 1_200)
  }
  program.process.kill('SIGTERM')
  await program.ends()
  await rm(folder, { recursive: true })
  return latencies
}

for (const pushes of [true, false]) {
  const found = await measure(pushes)
  row(
    `from a price on Hyperliquid to the request at Telegram, ${pushes ? 'by push' : 'by polling alone'}, p50`,
    at(found, 0.5),
    'ms',
    pushes ? { atMost: GOAL_MS } : null,
    `p99 ${at(found, 0.99).toFixed(0)} ms, ${found.length} crossings`,
  )
}
