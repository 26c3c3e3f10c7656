import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { kinds } from '../src/alerts/index.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { createEvents } from '../src/runtime/event.ts'
import { createApp } from '../src/start/app.ts'
import type { Write } from '../src/store/store.ts'
import { openSqlite } from '../src/stores/sqlite/index.ts'
import type { Push, Venue } from '../src/venue/venue.ts'
import type { Wallet } from '../src/venue/wallet.ts'
import { createClient } from '../src/venues/hyperliquid/client.ts'
import { titleOf } from '../test/support/engine.ts'
import { startHyperliquid } from '../test/support/hyperliquid/server.ts'
import { INSTANT } from './support/crowd.ts'
import { at, say } from './support/figures.ts'
import { instant } from './support/instant.ts'
import { row } from './support/rows.ts'
import { type Deed, DEEDS, traderAt } from './support/trading-wallets.ts'

// Many wallets at Hyperliquid, of which a few trade each minute: how soon each trade is told, what that weighs, and what
// is missed. The real app, the stand-in over HTTP and WebSocket, a platform that takes everything at once. With
// `unheard` the public trades are not listened to. `node bench/trades.ts [heard|unheard] [wallets] [minutes]`

const [, , how = 'heard', wallets = '2000', minutes = '3'] = process.argv
const COUNT = Number(wallets)
const MINUTES = Number(minutes)
const A_MINUTE = Math.round(COUNT * 0.02)
/** An answer of the venue, as measured by others from Frankfurt (190 to 350 ms). */
const VENUE_MS = 250
const LIMIT = 1_200
const GOAL_MS = 2_000
const GOAL_SHARE = 0.6
/** How long a trade may take before it counts as missed. */
const GRACE_MS = 120_000

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const clock = systemClock()
const standIn = await startHyperliquid({ universe: 'recorded' })
standIn.liquidations(false)
standIn.allow(Infinity)
const listed = standIn.world.dexes.map(({ markets }) => markets.filter(({ delisted }) => !delisted))
const coins = listed[0]?.map(({ name: coin }) => coin) ?? []
const traders = Array.from({ length: COUNT }, (_, place) => traderAt(standIn, place, coins.slice(0, 40)))
standIn.liquidations(true)

const folder = mkdtempSync(join(tmpdir(), 'perch-bench-'))
const store = openSqlite(join(folder, 'perch.sqlite'), 'bench')
await store.memory.commit(traders.flatMap(({ wallet }, place) => settled(place + 1, wallet)))

const events = createEvents()
const read = new Set<string>()
const reads: number[] = []
let refused = 0
events.listen((event) => {
  if (event.is === 'wallet-read') {
    read.add(event.wallet)
    reads.push(clock.monotonic())
  }
  if (event.is === 'turn-failed' || event.is === 'trouble') process.stderr.write(`${event.why}\n`)
  if (event.is === 'ceiling') refused++
})
const client = createClient({ url: standIn.url, clock, emit: events.emit, random: Math.random })
/** The first look at everybody takes an hour and is not measured here. */
let isPaid = false
const { push } = client.venue
const venue: Venue = {
  ...client.venue,
  positions: (wallet, asking) =>
    client.venue.positions(wallet, isPaid ? asking : { ...asking, spend: (request) => request(() => {}) }),
  push: push && how === 'unheard' ? deaf(push) : push,
}
const told: { chat: string; titles: string[]; mono: number }[] = []
const app = await createApp({
  ...{ store, clock, events, random: Math.random },
  venue: { ...client, venue, simulated: false, identity: 'bench', introduction: [], endsBot: false },
  adapters: [
    instant(({ to, message }) => {
      told.push({ chat: to.chat, titles: message.items.map(titleOf), mono: clock.monotonic() })
    }),
  ],
  settings: {
    ...{ marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs: 60_000, requestsPerSecond: 20 },
    ...{
      access: 'claim',
      maxWallets: 20,
      maxFollowed: 50,
      maxRules: 100,
      maxPeople: COUNT + 1,
      maxCommandsPerMinute: 30,
    },
    version: 'bench',
  },
  ...{ newCode: () => 'CODE', newToken: () => 'perch_TOKEN', claimCode: null, quit() {} },
})
await app.start()
const isHeard = () =>
  standIn.push.subscriptions().filter(({ type }) => type === 'trades').length >= listed.flat().length
while (read.size < COUNT || !isHeard()) await wait(500)
say(`${read.size} wallets are read, ${standIn.push.subscriptions().length} subscriptions`)
isPaid = true
standIn.fault({ kind: 'slow', ms: VENUE_MS, times: Infinity })
// What the first look weighed is forgotten after a minute.
await wait(62_000)
standIn.allow(LIMIT)

const began = { mono: clock.monotonic(), asked: standIn.asked.length }
const deeds: { deed: Deed; chat: string; mono: number }[] = []
const free = shuffled(traders.map((trader, place) => ({ trader, chat: `c${place + 1}` })))
for (let n = 0; n < A_MINUTE * MINUTES; n++) {
  const due = began.mono + ((n + Math.random()) * 60_000) / A_MINUTE
  await wait(Math.max(due - clock.monotonic(), 0))
  const next = free.pop()
  const deed = DEEDS[n % DEEDS.length]
  if (!next || !deed) break
  deeds.push({ deed, chat: next.chat, mono: clock.monotonic() })
  next.trader.does(deed)
}
await wait(Math.max(began.mono + MINUTES * 60_000 - clock.monotonic(), 0))
const asked = standIn.asked.slice(began.asked)
const weights = Array.from({ length: MINUTES }, (_, minute) =>
  asked
    .filter(({ at: mono }) => Math.floor((mono - began.mono) / 60_000) === minute)
    .reduce((sum, { weight }) => sum + weight, 0),
)
const byType = Map.groupBy(asked, ({ type }) => type)
const answerTo = ({ chat, mono, deed }: (typeof deeds)[number]) =>
  told.find(
    (one) => one.chat === chat && one.mono >= mono && one.titles.some((title) => WORDS[deed].test(title)),
  )
const WORDS: Record<Deed, RegExp> = {
  open: /opened/i,
  'open elsewhere': /opened/i,
  add: /grew/i,
  close: /closed/i,
  liquidation: /liquidated/i,
}
const end = clock.monotonic() + GRACE_MS
while (deeds.some((deed) => !answerTo(deed)) && clock.monotonic() < end) await wait(500)

const name = `${COUNT.toLocaleString('en')} wallets at Hyperliquid, ${A_MINUTE} trades a minute, ${how === 'heard' ? 'public trades heard' : 'without the public trades'}`
const found = deeds.flatMap((one) => {
  const answer = answerTo(one)
  return answer ? [{ deed: one.deed, ms: answer.mono - one.mono }] : []
})
for (const deed of new Set(DEEDS)) {
  const ms = found.filter((one) => one.deed === deed).map((one) => one.ms)
  row(
    `${name}: ${deed} told, p95`,
    at(ms, 0.95),
    'ms',
    how === 'heard' ? { atMost: GOAL_MS } : null,
    `p50 ${at(ms, 0.5).toFixed(0)} ms, at most ${at(ms, 1).toFixed(0)} ms, ${ms.length} of ${deeds.filter((one) => one.deed === deed).length}`,
  )
}
row(
  `${name}: all told, p95`,
  at(
    found.map(({ ms }) => ms),
    0.95,
  ),
  'ms',
  how === 'heard' ? { atMost: GOAL_MS } : null,
)
row(`${name}: trades missed within ${GRACE_MS / 1_000} s`, deeds.length - found.length, '', { atMost: 0 })
row(
  `${name}: weight of the busiest minute`,
  Math.max(...weights),
  '',
  how === 'heard' ? { atMost: LIMIT * GOAL_SHARE } : null,
  `each: ${weights.join(', ')} of ${LIMIT}; ${[...byType].map(([type, all]) => `${type} ${all.length}`).join(', ')}`,
)
const turns = reads.filter((mono) => mono >= began.mono && mono < began.mono + MINUTES * 60_000)
say(
  `${(turns.length / MINUTES).toFixed(0)} reads and pushes of wallets a minute, ${refused} refusals by the venue`,
)
await app.stop()
await client.close()
await standIn.stop()
await store.admin.close()
rmSync(folder, { recursive: true })

/** The same push without the public trades. */
function deaf(push: Push): Push {
  return {
    ...push,
    start: (hear) => push.start({ ...hear, changed() {} }),
    heardSince: () => null,
  }
}

/** Somebody who watches a wallet with the usual alerts. */
function settled(id: number, wallet: Wallet): Write[] {
  const armed = kinds.filter(({ armedByWatch }) => armedByWatch !== null)
  return [
    {
      is: 'person',
      person: {
        ...{ id, operator: id === 1, zone: 'UTC', numbers: '1,234.5', language: null, spoken: null },
        ...{ detail: 'short', pictures: 'off', theme: 'dark', preset: null, identities: [] },
        ...{ defaultChat: id, fallbackChat: null, escalateFrom: 3, steps: [] },
      },
    },
    {
      is: 'chat',
      chat: {
        ...{ id, address: { platform: INSTANT, chat: `c${id}`, thread: null }, title: null, personId: id },
        ...{
          private: true,
          mention: null,
          brokenBecause: null,
          quiet: null,
          digest: null,
          weekly: null,
          pin: null,
        },
        acksBy: 'known',
      },
    },
    { is: 'watch', watch: { wallet, personId: id, label: 'main', since: 0, as: 'own' } },
    ...armed.map((kind, place): Write => ({
      is: 'rule',
      rule: {
        ...{ id: (id - 1) * armed.length + place + 1, personId: id, chatId: id, wallet, kind: kind.name },
        ...{ params: kind.armedByWatch, identity: '', armedByWatch: true, market: null, holdMs: 0 },
      },
    })),
  ]
}

function shuffled<T>(all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
