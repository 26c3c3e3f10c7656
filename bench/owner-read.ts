import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { kinds } from '../src/alerts/index.ts'
import { createView } from '../src/engine/view.ts'
import { createPolling } from '../src/polling/polling.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { createClient } from '../src/venues/perps-data/client.ts'
import type { Crowd } from './support/crowd.ts'
import { row } from './support/rows.ts'
import { start } from './support/running.ts'

// One wallet read, the whole way: request, parse, judge, commit, and its next turn; with more and more wallets, as fast as it
// goes and at twenty a second. Argument: how many wallets, instead of all sizes.

const [, , only] = process.argv
const SIZES = only === undefined ? [100, 1_000, 5_000] : [Number(only)]
const GOAL_MS = 0.15
const IDLE_GOAL = 10
const MEASURED_MS = 4_000
const SERVER = fileURLToPath(new URL('support/crowd-server.ts', import.meta.url))

for (const people of SIZES) {
  const fast = await measure(people, 50_000)
  const idle = await measure(people, 20)
  const each = fast.cpuMs / fast.reads
  const share = (100 * idle.cpuMs) / idle.wallMs
  const name = `${people.toLocaleString('en')} wallets`
  const perSecond = ((1_000 * fast.reads) / fast.wallMs).toFixed(0)
  row(`${name}: one owner read, whole way, CPU`, each, 'ms', { atMost: GOAL_MS }, `${perSecond} a second`)
  row(`${name}: CPU at 20 reads a second`, share, '%', { atMost: IDLE_GOAL })
}

/** Everybody is read once, and then again and again. */
async function measure(people: number, perSecond: number) {
  const away = [{ share: 1, from: 0.3, to: 0.9 }]
  const crowd: Crowd = { people, positions: 3, rules: 'one', away, sides: 'both' }
  const server = spawn(process.execPath, [SERVER, JSON.stringify(crowd)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(server.stdout, 'data')
  const clock = systemClock()
  let reads = 0
  let polling: ReturnType<typeof createPolling> | null = null
  const running = await start(crowd, (event) => {
    if (event.is === 'turn') polling?.nudge()
  })
  const { engine } = running
  const emit = (event: { is: string }) => {
    if (event.is === 'wallet-read') reads++
  }
  const client = createClient({
    ...{ url: `http://127.0.0.1:${String(port).trim()}`, chainId: 8008, apiKey: null },
    ...{ clock, emit, random: Math.random },
  })
  await running.readWallets()
  const stopping = new AbortController()
  const about = { venue: 'bench', version: 'bench', marketStaleMs: 12_000 }
  polling = createPolling({
    ...{ venue: client.venue, readings: engine, clock, emit, signal: stopping.signal },
    view: createView(engine.memory, kinds, clock, about, () => null),
    settings: { marketPollMs: 2_000, walletPollMinMs: 1, walletPollMaxMs: 2, requestsPerSecond: perSecond },
  })
  polling.start()
  // Until everybody was read, and what is hot is compiled.
  for (let waited = 0; waited < 20 && reads < Math.min(2 * people, 10_000) && perSecond > 20; waited++)
    await pause(500)
  await pause(2_000)
  const [from, before, cpu] = [performance.now(), reads, process.cpuUsage()]
  await pause(MEASURED_MS)
  const { user, system } = process.cpuUsage(cpu)
  const found = { cpuMs: (user + system) / 1_000, wallMs: performance.now() - from, reads: reads - before }
  stopping.abort()
  await polling.stop()
  await running.stop()
  await client.close()
  server.kill()
  return found
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}
