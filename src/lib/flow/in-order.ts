/** Work under one key runs one after the other, in the order it came; different keys run side by side. */
export function inOrder(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, mine)
    const forget = () => {
      if (last.get(key) === mine) last.delete(key)
    }
    mine.then(forget, forget)
    return mine
  }
}

/**
 * Runs the works one after the other and returns their sum. A failure does not stop the later ones; the last failure is
 * thrown at the end.
 */
export async function oneByOne(works: Iterable<() => Promise<number>>): Promise<number> {
  let sum = 0
  let thrown: unknown = null
  for (const work of works) {
    try {
      sum += await work()
    } catch (error) {
      thrown = error
    }
  }
  if (thrown !== null) throw thrown
  return sum
}

/** Shares the result of work that is under way for the same key. */
interface Together<T> {
  underWay(key: string): boolean
  of(key: string, work: () => Promise<T>): Promise<T>
}

export function together<T>(): Together<T> {
  const flights = new Map<string, Promise<T>>()
  return {
    underWay: (key) => flights.has(key),
    of(key, work) {
      const known = flights.get(key)
      if (known) return known
      const flight = work().finally(() => flights.delete(key))
      flights.set(key, flight)
      return flight
    },
  }
}
