import type { Owner } from '../owner.ts'
import type { Position } from '../position.ts'

/** How many times as often as is usual among those who are watched each of them opens or adds. */
export interface Opens {
  /** By the ages of what it holds now. */
  asOftenAs(owner: Owner, positions: readonly Position[], at: number): number
  forget(owner: Owner): void
}

/** Ages of positions together. */
interface Ages {
  count: number
  sumMs: number
}

export function createOpens(): Opens {
  const known = new Map<Owner, Ages>()
  const all: Ages = { count: 0, sumMs: 0 }

  function replace(owner: Owner, ages: Ages): void {
    const before = known.get(owner)
    known.set(owner, ages)
    all.count += ages.count - (before?.count ?? 0)
    all.sumMs += ages.sumMs - (before?.sumMs ?? 0)
  }

  return {
    asOftenAs(owner, positions, at) {
      const agesMs = positions.flatMap(({ openedAt }) =>
        openedAt === null ? [] : Math.max(at - openedAt, 0),
      )
      const { count, sumMs } = { count: agesMs.length, sumMs: agesMs.reduce((sum, one) => sum + one, 0) }
      replace(owner, { count, sumMs })
      if (all.sumMs <= 0) return 1
      // As if it had opened once more, as long ago as is usual: a wallet of which little is known is like most.
      return (count + 1) / ((sumMs * all.count) / all.sumMs + 1)
    },
    forget(owner) {
      replace(owner, { count: 0, sumMs: 0 })
      known.delete(owner)
    },
  }
}
