import { findKind } from '../../alert.ts'
import type { Kind, LevelKind } from '../../alert.ts'
import type { Clock } from '../../clock.ts'
import { inOrder } from '../../lib/in-order.ts'
import type { Asked, Past, WouldHave } from '../../past.ts'
import type { Store } from '../../store.ts'
import { createBreather } from '../breather.ts'
import { MARKETS_DARK_MS } from '../look.ts'
import type { Look } from '../look.ts'
import type { Memory } from '../memory.ts'
import { createArchive } from './archive.ts'
import { unseenIn } from './course.ts'
import { presentOf } from './present.ts'
import { replay } from './replay.ts'
import { marketThen, positionThen } from './subjects-past.ts'
import { targetsOf, walletsOf } from './targets.ts'

const DAY_MS = 86_400_000
/** A day before the week that is asked for: what fires when that begins has fired before. */
const BACK_MS = 8 * DAY_MS
/** Whoever asks waits for the answer. */
const LONGEST_MS = 2_000

/** Looks up what rules would have done, one after the other, and lets others have the loop. */
export function createPast(world: {
  memory: Memory
  store: Pick<Store, 'past'>
  kinds: readonly Kind[]
  clock: Clock
  marketPollMs: number
}): Past {
  const { memory, store, kinds, clock, marketPollMs } = world
  // As the engine takes prices to be too old, and a time without any to be one that nobody has seen.
  const [staleMs, holeMs] = [marketPollMs + MARKETS_DARK_MS, 2 * marketPollMs]
  const archive = createArchive(store, memory.past, { staleMs, holeMs })
  const next = inOrder()

  async function lookUp(kind: LevelKind<unknown>, rule: Asked): Promise<WouldHave> {
    const [now, startedTick, breathe] = [clock.now(), clock.tick(), createBreather(clock)]
    const from = now - BACK_MS
    const wallets = walletsOf(memory, kind, rule)
    const rows = await Promise.all(wallets.map((owner) => archive.rows(owner, from)))
    const look: Look = {
      ...{ memory, kinds, now, tick: startedTick, marketStaleMs: staleMs },
      ...{ views: new Map(), seen: new Set() },
    }
    const found: WouldHave = {
      ...{ kind, now: presentOf(look, kind, rule, wallets), since: null },
      ...{ fired: [], gaps: [], byMinute: false, cut: false },
    }
    const sinceOf = (since: number | undefined) => {
      if (since !== undefined) found.since = Math.min(found.since ?? Infinity, Math.max(since, from))
    }
    let judged = false
    const targets = targetsOf(memory, kind, rule, rows)
    if (kind.on === 'position') for (const one of rows) sinceOf(one[0]?.at)
    for (const [marketId, own] of Map.groupBy(targets, (target) => target.marketId)) {
      found.cut = clock.tick() - startedTick > LONGEST_MS
      const market = memory.markets.get(marketId)?.value
      if (found.cut || !market) continue
      const course = await archive.course(marketId, from, now)
      if (kind.on === 'market') sinceOf(course.times[0])
      if (found.gaps.length === 0) found.gaps = unseenIn(course)
      const began = firstFrom(course.times, found.since ?? from)
      found.byMinute ||= course.coarse.includes(1, began)
      for (const target of own) {
        const run = replay(course, target.held, {
          ...{ kind, params: rule.params, holdMs: rule.holdMs, staleMs, until: now },
          subject: (place, at, held) =>
            kind.on === 'market'
              ? marketThen(market, course, place, at)
              : held && positionThen(market, course, place, at, held),
        })
        let step = run.next()
        for (; !step.done; step = run.next()) await breathe()
        judged ||= step.value !== null
        found.fired.push(...(step.value ?? []).map((one) => ({ ...one, about: target.about })))
        await breathe()
      }
    }
    found.fired.sort((a, b) => a.at - b.at)
    // What it is judged by is not what is recorded.
    return judged || targets.length === 0 ? found : { ...found, since: null }
  }

  return {
    async wouldHave(rule) {
      const kind = findKind(kinds, rule.kind)
      return kind?.is === 'level' ? next('past', () => lookUp(kind, rule)) : null
    },
  }
}

/** The place of the first time that is not before then. */
function firstFrom(times: Float64Array, since: number): number {
  const place = times.findIndex((time) => time >= since)
  return place < 0 ? times.length : place
}
