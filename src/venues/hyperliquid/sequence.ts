import type { Amount } from '../../amount.ts'
import type { Fill } from './wire/fills.ts'

/**
 * Fills in the order in which they happened, each once. Those of one block have the same time: each begins with the
 * position that the one before has left.
 */
export function inOrder(fills: readonly Fill[]): Fill[] {
  const unique = [...new Map(fills.map((fill) => [nameOf(fill), fill])).values()]
  const blocks = Map.groupBy(
    unique.toSorted((a, b) => a.time - b.time),
    ({ coin, time }) => `${coin} ${time}`,
  )
  const last = new Map<string, Amount>()
  return [...blocks.values()].flatMap((block) => {
    const chained: Fill[] = []
    for (let rest = block; rest.length > 0;) {
      const next = firstOf(rest, last.get(rest[0]?.coin ?? ''))
      rest = rest.filter((fill) => fill !== next)
      last.set(next.coin, afterOf(next))
      chained.push(next)
    }
    return chained
  })
}

/** The one that goes on from there, else one that follows on no other. */
function firstOf(rest: readonly Fill[], from: Amount | undefined): Fill {
  const after = new Set(rest.map(afterOf))
  const [first] = [
    ...rest.filter(({ startPosition }) => startPosition === from),
    ...rest.filter(({ startPosition }) => !after.has(startPosition)),
    ...rest,
  ]
  if (!first) throw new Error('there is no fill to begin with')
  return first
}

function nameOf({ tid, coin, time, side, startPosition, px, sz }: Fill): string {
  return [tid, coin, time, side, startPosition, px, sz].join(' ')
}

export function afterOf({ startPosition, side, sz }: Fill): Amount {
  return startPosition + (side === 'B' ? sz : -sz)
}
