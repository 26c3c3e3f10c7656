import { createWalletPoller } from '../src/polling/wallets.ts'
import type { Clock } from '../src/runtime/clock.ts'
import type { Venue } from '../src/venue/venue.ts'
import type { Wallet } from '../src/venue/wallet.ts'
import { openBudget } from '../test/support/polling.ts'
import { type Crowd, walletOf, positionsOf } from './support/crowd.ts'
import { exponentOf } from './support/growing.ts'
import { row } from './support/rows.ts'
import { start } from './support/running.ts'

// What it costs to know who is to be read next, however many wait: the real poller over the real engine's memory, and a
// venue that answers at once. `node bench/due.ts [owners …]`

const LOOKS = 5_000
const READS = 5_000
const WARM_UP = 5_000
/** Far from in proportion, which is 1: the depth of a heap, and that more of it is far from the processor. */
const MOST_EXPONENT = 0.3

const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 30_000, 100_000]
const found: { wallets: number; lookUs: number; readUs: number }[] = []
for (const wallets of sizes) found.push({ wallets, ...(await measure(wallets)) })
for (const { wallets, lookUs, readUs } of found) {
  const many = `${wallets.toLocaleString('en')} owners`
  row(`who is due, ${many}: a look when one of them has changed, CPU`, lookUs, 'µs')
  row(`who is due, ${many}: taken, read at once, placed again, CPU`, readUs, 'µs')
}
if (found.length > 1) {
  for (const [what, figure] of [
    ['look', 'lookUs'],
    ['read', 'readUs'],
  ] as const) {
    const exponent = exponentOf(found.map((one) => [one.wallets, one[figure]]))
    row(`exponent of growth: who is due, a ${what}`, exponent, '', { atMost: MOST_EXPONENT })
  }
}

async function measure(people: number): Promise<{ lookUs: number; readUs: number }> {
  const crowd: Crowd = {
    ...{ people, positions: 1, rules: 'one', sides: 'both' },
    away: [{ share: 1, from: 0.25, to: 0.8 }],
  }
  const { engine, stop } = await start(crowd)
  let mono = 0
  let reads = 0
  const clock: Clock = { now: () => mono, monotonic: () => mono, asleepMs: () => 0, wakeAt }
  // Time stands still: only what goes on at once comes.
  function wakeAt(at: number, run: () => void) {
    const soon = at <= mono + 1 ? setImmediate(run) : undefined
    return () => clearImmediate(soon)
  }
  const never = () => Promise.reject(new Error('nobody asks for this here'))
  const venue: Venue = {
    ...{
      limits: { allowed: null },
      push: null,
      orderOutcomes: null,
      showsAccounts: false,
      closeRecords: null,
      identify: null,
    },
    ...{ markets: never, orders: never, market: never, preview: never },
    positions: (wallet, asking) =>
      asking.spend(async () => ({
        positions: positionsOf(Number(wallet), crowd),
        ...{ accounts: [], unusable: [], failedParts: [], totalCount: 1 },
      })),
  }
  const changed: Wallet[] = engine.changed()
  const poller = createWalletPoller({
    ...{ venue, budget: openBudget(), clock, emit: () => {}, ages: { minMs: 2_000, maxMs: 60_000 } },
    demandOf: engine.demandOf,
    changed: () => changed.splice(0),
    pushedMono: () => null,
    heardSince: () => null,
    read({ wallet }) {
      reads++
      changed.push(wallet)
    },
    failed: (_wallet, why) => {
      throw new Error(why)
    },
  })
  const turns = async (until: number) => {
    while (reads < until) await new Promise((resolve) => setImmediate(resolve))
  }
  poller.start()
  await turns(people)
  // Everybody has been read a moment ago: nobody is due.
  let cpu = process.cpuUsage()
  for (let look = -WARM_UP; look < LOOKS; look++) {
    if (look === 0) cpu = process.cpuUsage()
    changed.push(walletOf(1 + (((look + WARM_UP) * 7_919) % people)))
    poller.nudge()
  }
  const lookUs = microseconds(cpu) / LOOKS
  mono += 120_000
  cpu = process.cpuUsage()
  const before = reads
  poller.nudge()
  await turns(before + Math.min(people, READS))
  const readUs = microseconds(cpu) / (reads - before)
  await poller.stop()
  await stop()
  return { lookUs, readUs }
}

function microseconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return user + system
}
