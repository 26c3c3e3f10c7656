import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

import { at } from './figures.ts'

// Read before the program (`--import`), in whose process it looks at the loop and at memory. SIGUSR2 makes it write what
// it has seen since the one before, to the file that LOOP_FILE names.

/** Of the loop, in milliseconds, and of memory, in bytes, when everything unused was cleared away. */
export interface Seen {
  p99: number
  /** What its thread worked between two looks, without the waits for processors that others use as well. */
  worked: number
  heap: number
  resident: number
}

const EVERY_MS = 1
const NS_PER_MS = 1e6

// The watchdog's thread reads this as well.
if (isMainThread) {
  setFlagsFromString('--expose-gc')
  const clear = runInNewContext('gc') as () => void
  const loop = monitorEventLoopDelay({ resolution: EVERY_MS })
  loop.enable()
  let worked: number[] = []
  let before = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(before)
    worked.push((user + system) / 1_000)
    before = process.threadCpuUsage()
  }
  setInterval(look, EVERY_MS).unref()
  process.on('SIGUSR2', () => {
    const p99 = Math.max(loop.percentile(99) / NS_PER_MS - EVERY_MS, 0)
    const ofWork = at(worked, 0.99)
    clear()
    const { heapUsed, external, rss } = process.memoryUsage()
    const seen: Seen = { p99, worked: ofWork, heap: heapUsed + external, resident: rss }
    writeFileSync(process.env['LOOP_FILE'] ?? '', JSON.stringify(seen))
    loop.reset()
    worked = []
    before = process.threadCpuUsage()
  })
}
