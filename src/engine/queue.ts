import { supersedes } from './inputs.ts'
import type { Input } from './inputs.ts'

type Change = Extract<Input, { is: 'change' }>

/** What waits for the engine, in the order in which it came. However much waits, each costs the same. */
export interface Queue {
  /** Waiting readings of the same subject make way for it, if it is newer. */
  put(input: Input): void
  next(): Input | undefined
  /** The first of what people ask for, before all readings that came sooner. */
  nextChange(): Change | undefined
}

export function createQueue(): Queue {
  const waiting = new Map<number, Input>()
  const changes = new Map<number, Change>()
  /** By what it is about: the newest of its readings that wait. */
  const newest = new Map<string, number>()
  let last = 0

  function take(number: number | undefined): Input | undefined {
    const input = waiting.get(number ?? 0)
    if (number === undefined || !input) return undefined
    waiting.delete(number)
    changes.delete(number)
    if (input.is !== 'change' && newest.get(about(input)) === number) newest.delete(about(input))
    return input
  }

  return {
    put(input) {
      const number = ++last
      if (input.is === 'change') changes.set(number, input)
      else {
        const known = newest.get(about(input))
        const before = waiting.get(known ?? 0)
        if (before && supersedes(input, before)) take(known)
        newest.set(about(input), number)
      }
      waiting.set(number, input)
    },
    next: () => take(waiting.keys().next().value),
    nextChange: () => take(changes.keys().next().value) as Change | undefined,
  }
}

function about(input: Exclude<Input, { is: 'change' }>): string {
  if (input.is === 'owner') return input.reading.owner
  if (input.is === 'orders') return `orders ${input.reading.owner}`
  if (input.is !== 'markets') return input.is
  // Lists come for a book at a time.
  const books = new Set(input.reading.value.markets.map(({ book }) => book))
  return ['markets', ...books].join(' ')
}
