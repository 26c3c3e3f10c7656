import { type Clock, createAlarm } from '../../../src/runtime/clock.ts'

/** Knows which shards are out of reach, and since when. */
export interface Standing {
  /** A shard came within reach (null) or went out of it. */
  moved(shard: number, why: string | null): void
  /** Why not all of them are up, in one line; null if they are. */
  why(): string | null
  up(): number
  /** A long outage was reported, and its end was not. */
  isReported(): boolean
  stop(): void
}

/** Shards that have been out of reach for long. */
export interface LongOutage {
  /** Such as `1/3`: the second of three, as Discord counts them. */
  shards: readonly string[]
  /** Wall time. */
  since: number
  why: string
}

const NOT_YET = 'it has not been reached yet'
/** Discord moves connections every few hours, and a new start takes minutes where many shards come up in turn. */
const LONG_MS = 10 * 60_000
/** Shards that went down together are one notice. */
const TOGETHER_MS = 60_000
/** The line names so many shards, and counts the others. */
const NAMED = 3

interface Outage {
  why: string
  since: number
  sinceMono: number
  isReported: boolean
}

/** Reports nothing of a lone shard: its outage is that of the platform. */
export function createStanding({
  count,
  clock,
  isReported = false,
  long,
  back,
}: {
  count: number
  clock: Clock
  /** A long outage of the shards before these was reported, and its end was not. */
  isReported?: boolean
  long(outage: LongOutage): void
  /** All shards are up after a long outage. */
  back(): void
}): Standing {
  const begun = { why: NOT_YET, since: clock.now(), sinceMono: clock.monotonic(), isReported: false }
  const down = new Map<number, Outage>(Array.from({ length: count }, (_, id) => [id, { ...begun }]))
  let reported = isReported
  let stopped = false
  const alarm = createAlarm(clock, look)
  const nameOf = (id: number) => `${id}/${count}`
  const inOrder = () => [...down].toSorted(([, a], [, b]) => a.sinceMono - b.sinceMono)

  function look(): void {
    const now = clock.monotonic()
    const unreported = inOrder().filter(([, { isReported }]) => !isReported)
    const isDue = unreported.some(([, { sinceMono }]) => now - sinceMono >= LONG_MS)
    const due = unreported.filter(([, { sinceMono }]) => now - sinceMono >= LONG_MS - TOGETHER_MS)
    const [first] = due
    if (isDue && first) {
      for (const [, outage] of due) outage.isReported = true
      reported = true
      const [, { since, why }] = first
      long({ shards: due.map(([id]) => nameOf(id)), since, why })
    }
    setAlarm()
  }

  function setAlarm(): void {
    const waits = inOrder().find(([, { isReported }]) => !isReported)
    if (stopped || count === 1 || !waits) alarm.off()
    else alarm.set(Math.max(waits[1].sinceMono + LONG_MS - clock.monotonic(), 0))
  }
  setAlarm()

  return {
    moved(shard, why) {
      const before = down.get(shard)
      if (why === null) down.delete(shard)
      else if (before) before.why = why
      else down.set(shard, { why, since: clock.now(), sinceMono: clock.monotonic(), isReported: false })
      setAlarm()
      if (down.size > 0 || !reported || stopped) return
      reported = false
      back()
    },
    why() {
      const [first, ...more] = inOrder()
      if (!first) return null
      const [id, { why, since }] = first
      if (count === 1) return why
      const time = new Date(since).toISOString().slice(11, 16)
      if (more.length === 0) return `shard ${nameOf(id)} has been down since ${time} UTC: ${why}`
      const names = [first, ...more].slice(0, NAMED).map(([one]) => nameOf(one))
      const others = down.size > NAMED ? ` and ${down.size - NAMED} more` : ''
      return `shards ${names.join(', ')}${others} are down, the first since ${time} UTC: ${why}`
    },
    up: () => count - down.size,
    isReported: () => reported,
    stop() {
      stopped = true
      alarm.off()
    },
  }
}
