import { findKind } from '../../alert.ts'
import type { Kind, LevelKind } from '../../alert.ts'
import type { Clock } from '../../clock.ts'
import { inOrder } from '../../lib/in-order.ts'
import type { Asked, Past, WouldHave } from '../../past.ts'
import type { Store } from '../../store.ts'
import { marketIn } from '../../subject.ts'
import { createBreather } from '../breather.ts'
import { MARKETS_DARK_MS } from '../look.ts'
import type { Look } from '../look.ts'
import { walletLabel } from '../memory.ts'
import type { Memory } from '../memory.ts'
import { createArchive } from './archive.ts'
import { besideOf } from './beside.ts'
import { oneByOne } from './course.ts'
import type { Course } from './course.ts'
import { unreadIn } from './held.ts'
import { presentOf } from './present.ts'
import { replay } from './replay.ts'
import { slowly } from './slowly.ts'
import { accountThen, marketThen, positionThen } from './subjects-past.ts'
import { targetsOf, walletsOf } from './targets.ts'
import type { Target } from './targets.ts'

const DAY_MS = 86_400_000
/** A day before the week that is asked for: what fires when that begins has fired before. */
const BACK_MS = 8 * DAY_MS
/** Whoever asks waits for the answer. */
const LONGEST_MS = 2_000
/** People who wait for longer than a minute have given up. */
const MOST_WAITING = 30
/** Records that begin no further from each other than this begin together. */
const TOGETHER_MS = 600_000

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
  let waiting = 0

  async function lookUp(kind: LevelKind<unknown>, rule: Asked): Promise<WouldHave> {
    const [now, startedTick, breathe] = [clock.now(), clock.tick(), createBreather(clock)]
    const from = now - BACK_MS
    const wallets = []
    for (const owner of walletsOf(memory, kind, rule))
      wallets.push({ owner, rows: await archive.rows(owner, from, breathe) })
    const look: Look = {
      ...{ memory, kinds, now, tick: startedTick, marketStaleMs: staleMs },
      ...{ views: new Map(), seen: new Set() },
    }
    const beside = besideOf(look, kind, rule)
    const present = presentOf(
      look,
      kind,
      rule,
      wallets.map(({ owner }) => owner),
    )
    const recorded = wallets.map(({ owner, rows }) => {
      // Accounts are in the record for a shorter time than positions are.
      const first = kind.on === 'account' ? rows.find(({ accounts }) => accounts) : rows[0]
      return {
        wallet: walletLabel(memory, rule.personId, owner),
        since: first ? Math.max(first.at, from) : null,
      }
    })
    const begun = recorded.flatMap(({ since }) => since ?? [])
    const began = begun.length > 0 ? Math.min(...begun) : null
    const found: WouldHave = {
      ...{ kind, ...present, since: began, fired: [], gaps: [], byMinute: false, cut: false },
      later: recorded.filter(({ since }) => since === null || since - (began ?? since) > TOGETHER_MS),
      beside: [],
    }
    const gaps = wallets.flatMap(({ rows }) => unreadIn(rows, now))
    const ids = new Set<number>()
    let judged = false
    const targets = await slowly(targetsOf(memory, kind, rule, wallets), breathe)
    for (const [marketId, own] of Map.groupBy(targets, ({ subject }) => marketIn(subject))) {
      found.cut ||= clock.tick() - startedTick > LONGEST_MS
      if (found.cut) break
      const course = await archive.course(marketId, { since: from, until: now }, breathe)
      if (kind.on === 'market' && rule.owner === null && course.times[0] !== undefined)
        found.since = Math.min(found.since ?? Infinity, Math.max(course.times[0], from))
      gaps.push(...course.dark)
      found.byMinute ||= course.coarse.includes(1, firstFrom(course.times, found.since ?? from))
      for (const target of own) {
        const guard = beside(target.subject)
        for (const id of guard.ids) ids.add(id)
        const run = past(target, course, { kind, ...guard, staleMs, until: now })
        const times = run && (await slowly(run, breathe))
        judged ||= times !== null
        found.fired.push(...(times ?? []).map((one) => ({ ...one, about: target.about })))
      }
    }
    found.fired.sort((a, b) => a.at - b.at)
    found.gaps = oneByOne(gaps)
    found.beside = [...ids].sort((a, b) => a - b)
    // What it is judged by is not what is recorded.
    return judged || targets.length === 0 ? found : { ...found, since: null }
  }

  /** What would have fired of one of them; null where it could never be judged. */
  function past(target: Target, course: Course, judging: Omit<Parameters<typeof replay>[2], 'subject'>) {
    if (target.is === 'account')
      return replay(course, target.held, {
        ...judging,
        subject: (_place, at, held) => held && accountThen(target.subject, at, held),
      })
    const market = memory.markets.get(target.subject.marketId)?.value
    // Of one that is not listed any more nothing is known but its prices.
    if (!market) return null
    if (target.is === 'market')
      return replay(course, target.held, {
        ...judging,
        subject: (place, at) => marketThen(market, course, place, at),
      })
    return replay(course, target.held, {
      ...judging,
      subject: (place, at, held) => held && positionThen(market, course, place, at, held),
    })
  }

  return {
    async wouldHave(rule) {
      const kind = findKind(kinds, rule.kind)
      if (kind?.is !== 'level') return null
      if (waiting >= MOST_WAITING) return 'busy'
      waiting++
      return next('past', () => lookUp(kind, rule)).finally(() => waiting--)
    },
  }
}

/** The place of the first time that is not before then. */
function firstFrom(times: Float64Array, since: number): number {
  const place = times.findIndex((time) => time >= since)
  return place < 0 ? times.length : place
}
