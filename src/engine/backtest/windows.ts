import { monitorOf } from '../../alert/monitor.ts'
import { createYield } from '../../runtime/clock.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { RecordingStore } from '../../store/store.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { monitorNamed } from '../monitors/monitors.ts'
import { createArchive } from './archive.ts'

/**
 * Returns what earlier runs have recorded of the markets whose monitors look back: a window goes on over a restart. The
 * time away is a gap like any other.
 */
export async function recalledSamples(
  look: EvaluationContext & { memory: Pick<Memory, 'recording'> },
  recording: Pick<RecordingStore, 'blocks'>,
  clock: Clock,
): Promise<Effect[]> {
  const { memory, now, mono, marketStaleMs: staleMs } = look
  const archive = createArchive(recording, memory.recording, { staleMs, holeMs: staleMs })
  const monoAt = (at: number) => mono - (now - at)
  const found: Effect[] = []
  for (const [marketId, ms] of lookedBack(look)) {
    const course = await archive.course(marketId, { since: now - ms, until: now }, createYield(clock))
    const samples = [...course.times].flatMap((at, place) => {
      const [price, rate] = [course.prices[place], course.rates[place]]
      return at < now - ms || price === undefined || rate === undefined
        ? []
        : [{ mono: monoAt(at), price, rate }]
    })
    const last = course.times.at(-1)
    if (last === undefined) continue
    const gaps = [...course.dark, { since: last, until: now }].filter(
      ({ since, until }) => until - since > staleMs,
    )
    found.push({
      is: 'samples-found',
      ...{ marketId, samples },
      gaps: gaps.map(({ since, until }) => ({ sinceMono: monoAt(since), untilMono: monoAt(until) })),
    })
  }
  return found
}

/** By market, the longest time for which one of its monitors looks back. */
function lookedBack(look: EvaluationContext): Map<string, number> {
  const markets = new Map<string, number>()
  for (const key of look.memory.monitors.memos.keys()) {
    const { subject } = monitorOf(key)
    const monitor = subject.is === 'market' ? monitorNamed(look, monitorOf(key)) : null
    const ms = monitor?.kind.lookBackMs(monitor.params) ?? 0
    if (subject.is === 'market' && ms > 0)
      markets.set(subject.marketId, Math.max(markets.get(subject.marketId) ?? 0, ms))
  }
  return markets
}
