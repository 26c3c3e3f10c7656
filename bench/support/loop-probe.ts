import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

// Read before the program (`--import`), in whose process it looks at the loop and at memory. SIGUSR2 makes it write what
// it has seen since the one before, to the file that LOOP_FILE names.

/** Of the loop, in milliseconds, and of memory, in bytes, when everything unused was cleared away. */
export interface Seen {
  p50: number
  p99: number
  worst: number
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
  const late = (percentile: number) => Math.max(loop.percentile(percentile) / NS_PER_MS - EVERY_MS, 0)
  loop.enable()
  process.on('SIGUSR2', () => {
    const [p50, p99, worst] = [late(50), late(99), late(100)]
    clear()
    const { heapUsed, external, rss } = process.memoryUsage()
    const seen = { p50, p99, worst, heap: heapUsed + external, resident: rss }
    writeFileSync(process.env['LOOP_FILE'] ?? '', JSON.stringify(seen))
    loop.reset()
  })
}
