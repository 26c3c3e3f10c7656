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

export function createLines<T extends object | string>(keyOf: (one: T) => string): Lines<T> {
  let all = new Set<T>()
  const lines = new Map<string, T[]>()
  /** All but the heads: to look through very many, no key is looked up. */
  const behind = new Set<T>()

  function* heads(): Generator<T> {
    for (const one of all) if (!behind.has(one)) yield one
  }

  return {
    size: () => all.size,
    heads,
    add(one) {
      all.add(one)
      const line = lines.get(keyOf(one))
      if (line) {
        line.push(one)
        behind.add(one)
      } else lines.set(keyOf(one), [one])
    },
    addFirst(one) {
      all = new Set([one, ...all])
      const line = lines.get(keyOf(one)) ?? []
      const [head] = line
      if (head) behind.add(head)
      lines.set(keyOf(one), [one, ...line])
    },
    take(one) {
      all.delete(one)
      const line = lines.get(keyOf(one)) ?? []
      line.shift()
      const [next] = line
      if (next) behind.delete(next)
      else lines.delete(keyOf(one))
    },
  }
}
