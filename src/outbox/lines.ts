/** Those that wait, in the order in which they came, and under each key one behind the other. */
export interface Lines<T> {
  size(): number
  /** Who is first under a key, in the order in which they came. */
  heads(): Iterable<T>
  add(one: T): void
  /** Before all others. */
  addFirst(one: T): void
  /** Who is first under a key waits no longer. */
  take(one: T): void
}

export function createLines<T>(keyOf: (one: T) => string): Lines<T> {
  let all = new Set<T>()
  const lines = new Map<string, T[]>()

  function* heads(): Generator<T> {
    for (const one of all) if (lines.get(keyOf(one))?.[0] === one) yield one
  }

  return {
    size: () => all.size,
    heads,
    add(one) {
      all.add(one)
      const line = lines.get(keyOf(one))
      if (line) line.push(one)
      else lines.set(keyOf(one), [one])
    },
    addFirst(one) {
      all = new Set([one, ...all])
      lines.set(keyOf(one), [one, ...(lines.get(keyOf(one)) ?? [])])
    },
    take(one) {
      all.delete(one)
      const line = lines.get(keyOf(one))
      line?.shift()
      if (line?.length === 0) lines.delete(keyOf(one))
    },
  }
}
