import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

import type { Registry } from 'prom-client'

import type { Clock } from '../../clock.ts'
import { instruments, SECOND_MS } from './heard.ts'

/** How often the loop is looked at; what is shorter than this is hardly seen. */
const LOOKED_AT_EVERY_MS = 20
/** A delay is shown for at least so long: whoever asks must not take it from the one who asks next. */
const SHOWN_MS = 60_000
/** The last is the worst of all. */
const PERCENTILES = [50, 99, 100]
const NS_PER_MS = 1_000_000

/** Whether the event loop is held up: everything else waits for it, warnings too. Returns how to end it. */
export function watchLoop(registry: Registry, clock: Clock): () => void {
  const { counter, gauge } = instruments(registry)
  counter('perch_event_loop_busy_seconds_total', 'Time in which the event loop was at work.', [], () => {
    return performance.eventLoopUtilization().active / SECOND_MS
  })
  const loop = monitorEventLoopDelay({ resolution: LOOKED_AT_EVERY_MS })
  loop.enable()
  const delayMs = (percentile: number) =>
    Math.max(loop.percentile(percentile) / NS_PER_MS - LOOKED_AT_EVERY_MS, 0)
  let since = clock.tick()
  let before = PERCENTILES.map(() => 0)
  const help = 'How late the event loop was in the last minute or two; percentile 100 is the worst.'
  gauge('perch_event_loop_delay_seconds', help, ['percentile'], (one) => {
    const found = PERCENTILES.map(delayMs)
    for (const [index, percentile] of PERCENTILES.entries()) {
      const worst = Math.max(found[index] ?? 0, before[index] ?? 0)
      one.set({ percentile: String(percentile) }, worst / SECOND_MS)
    }
    if (clock.tick() - since < SHOWN_MS) return
    before = found
    since = clock.tick()
    loop.reset()
  })
  return () => void loop.disable()
}
