/** A binary min-heap whose entries can be moved and removed by key. All but `size` cost O(log n). */
export interface Heap<K> {
  /** Adds the key, or moves it when it is there. */
  set(key: K, priority: number): void
  delete(key: K): void
  /** The entry with the lowest priority. */
  peek(): { key: K; priority: number } | undefined
  pop(): { key: K; priority: number } | undefined
  readonly size: number
}

export function createHeap<K>(): Heap<K> {
  const keys: K[] = []
  const priorities: number[] = []
  const places = new Map<K, number>()

  const put = (place: number, key: K, priority: number) => {
    keys[place] = key
    priorities[place] = priority
    places.set(key, place)
  }
  const at = (place: number) => ({ key: keys[place] as K, priority: priorities[place] as number })

  const rise = (from: number, key: K, priority: number) => {
    let place = from
    while (place > 0) {
      const parent = (place - 1) >> 1
      const above = at(parent)
      if (above.priority <= priority) break
      put(place, above.key, above.priority)
      place = parent
    }
    put(place, key, priority)
  }
  const sink = (from: number, key: K, priority: number) => {
    let place = from
    for (;;) {
      let child = 2 * place + 1
      if (child >= keys.length) break
      if (child + 1 < keys.length && at(child + 1).priority < at(child).priority) child++
      const below = at(child)
      if (below.priority >= priority) break
      put(place, below.key, below.priority)
      place = child
    }
    put(place, key, priority)
  }
  const settle = (place: number, key: K, priority: number) => {
    const parent = (place - 1) >> 1
    if (place > 0 && at(parent).priority > priority) rise(place, key, priority)
    else sink(place, key, priority)
  }
  const remove = (place: number) => {
    const removed = at(place)
    places.delete(removed.key)
    const last = at(keys.length - 1)
    keys.pop()
    priorities.pop()
    if (place < keys.length) settle(place, last.key, last.priority)
    return removed
  }
  return {
    set(key, priority) {
      const place = places.get(key)
      if (place !== undefined) return settle(place, key, priority)
      keys.push(key)
      priorities.push(priority)
      return rise(keys.length - 1, key, priority)
    },
    delete(key) {
      const place = places.get(key)
      if (place !== undefined) remove(place)
    },
    peek: () => (keys.length === 0 ? undefined : at(0)),
    pop: () => (keys.length === 0 ? undefined : remove(0)),
    get size() {
      return keys.length
    },
  }
}
