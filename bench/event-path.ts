import { subscribe } from 'node:diagnostics_channel'
import { Session } from 'node:inspector'

import type { Event } from '../src/runtime/event.ts'
import type { Write } from '../src/store/store.ts'
import { say } from './support/figures.ts'

// Counts the files in src and adapters that run while one event passes through the bot: a price that crosses the line of
// one position, and one command. `npm run walk`; `npm run walk -- --files` lists them.

const ROOT = new URL('../', import.meta.url).href
const coverage = new Session()
coverage.connect()
coverage.post('Profiler.enable')
// Before the bot is loaded, so that V8 counts every function of it.
coverage.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
const { handClock } = await import('../test/support/clock.ts')
const { ALICE } = await import('../test/support/bot.ts')
const { openStage } = await import('../test/support/stage.ts')
const { CLAIM, startTelegramBot } = await import('../test/support/telegram/bot.ts')

/** Returns the files with a function that has run since the last call. The body of a module does not count. */
function filesRun(): string[] {
  const files: string[] = []
  coverage.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    for (const { url, functions } of result) {
      const called = functions.some(
        ({ ranges: [whole] }) => whole && whole.count > 0 && whole.startOffset > 0,
      )
      if (called && url.startsWith(ROOT)) files.push(url.slice(ROOT.length))
    }
  })
  return files.filter((path) => /^(src|adapters)\//.test(path)).toSorted()
}

type Point = Event['is'] | `${Write['is']} ${'decided' | 'kept'}` | 'request'
type Leg = [name: string, endsAt: Point]
let legs: Leg[] = []
let reached = () => {}
const found = new Map<string, string[]>()

/** Ends the leg that waits for this point. */
function pass(point: Point): void {
  const [leg] = legs
  if (leg?.[1] !== point) return
  found.set(leg[0], filesRun())
  legs.shift()
  if (legs.length === 0) reached()
}

async function walk(what: string, path: Leg[], begin: () => void): Promise<void> {
  // Work that the last event has caused is over by then.
  await new Promise((resolve) => setTimeout(resolve, 100))
  found.clear()
  legs = [...path]
  const end = new Promise<void>((resolve) => (reached = resolve))
  filesRun()
  begin()
  await end
  const all = new Set([...found.values()].flat())
  say(`${what}: ${all.size} files`)
  for (const [name, files] of path.length > 1 ? found : []) say(`  ${name}: ${files.length}`)
  if (process.argv.includes('--files')) for (const file of [...all].toSorted()) say(`    ${file}`)
}

setTimeout(() => {
  throw new Error(`nothing ended the leg “${legs[0]?.[0] ?? 'of the start'}”`)
}, 60_000).unref()

let walking = false
const hand = handClock()
await using stage = await openStage()
await using bot = await startTelegramBot({
  stage,
  // A position is fresh when the price comes, and no wallet is read at the same time.
  periods: { walletPollMinMs: 4_500, walletPollMaxMs: 4_500 },
  // Asking whether the bot is idle would run files as well.
  clock: { ...hand, restsWhen: (idle) => hand.restsWhen(async () => (walking ? undefined : idle())) },
  hears: ({ is }) => pass(is),
  keeps: (store) => ({
    ...store,
    memory: {
      ...store.memory,
      async commit(writes, sending) {
        for (const { is } of writes) pass(`${is} decided`)
        const departed = await store.memory.commit(writes, sending)
        for (const { is } of writes) pass(`${is} kept`)
        return departed
      },
    },
  }),
})
subscribe('undici:request:create', (message) => {
  const { path } = (message as { request: { path: string } }).request
  if (path.endsWith('/sendMessage')) pass('request')
})
const ann = bot.telegram.user('Ann')
stage.market('BTC', { price: 100 })
stage.market('ETH', { price: 100 })
stage.positions(ALICE, [{ symbol: 'ETH', size: 1, entry: 100, liquidation: 60 }])
await bot.pass(10_000)
await bot.says(ann, `/start ${CLAIM}`)
await bot.says(ann, `/watch ${ALICE} demo`)
await bot.pass(60_000)
let last: Event['is'][] = []
while (!last.includes('wallet-read') || last.includes('markets-read')) {
  const before = bot.events.length
  await bot.pass(100)
  last = bot.events.slice(before).map(({ is }) => is)
}
walking = true
await walk(
  'a price crosses',
  [
    ['poll → engine’s queue', 'markets-read'],
    ['turn → rows decided', 'send decided'],
    ['rows kept → request', 'request'],
  ],
  () => {
    stage.market('ETH', { price: 61 })
    void bot.clock.advance(2_000)
  },
)
// What follows from the price, as the cost of closing, is over by then.
walking = false
await bot.pass(1_000)
walking = true
await walk('/alert price BTC above 150', [['line → rule kept', 'rule kept']], () =>
  ann.says('/alert price BTC above 150'),
)
walking = false
