/** Values under two keys, found by the first: all rules of a person, all chats of a platform's group. */
export interface Grouped<Group, Key, Value> {
  put(group: Group, key: Key, value: Value): void
  drop(group: Group, key: Key): void
  dropGroup(group: Group): void
  /** In the order in which they came, as they are now; empty where there are none. */
  of(group: Group): ReadonlyMap<Key, Value>
  /** Like `of`, without allocating a map: for callers that ask very often. */
  has(group: Group): boolean
  get(group: Group, key: Key): Value | undefined
  keysOf(group: Group): Iterable<Key>
  valuesOf(group: Group): Iterable<Value>
  groups(): IterableIterator<Group>
  /** How many groups there are. */
  readonly size: number
}

/** Most groups have one member, and a map of their own would take four times as much. */
interface Only<Key, Value> {
  key: Key
  value: Value
}

export function createGrouped<Group, Key, Value>(): Grouped<Group, Key, Value> {
  const all = new Map<Group, Map<Key, Value> | Only<Key, Value>>()
  const none: ReadonlyMap<Key, Value> = new Map<Key, Value>()
  return {
    put(group, key, value) {
      const own = all.get(group)
      if (own instanceof Map) own.set(key, value)
      else if (!own || own.key === key) all.set(group, { key, value })
      else all.set(group, new Map([[own.key, own.value] as const, [key, value] as const]))
    },
    drop(group, key) {
      const own = all.get(group)
      if (own instanceof Map) own.delete(key)
      if (own instanceof Map ? own.size === 0 : own?.key === key) all.delete(group)
    },
    dropGroup: (group) => void all.delete(group),
    of(group) {
      const own = all.get(group)
      if (!own) return none
      return own instanceof Map ? own : new Map([[own.key, own.value]])
    },
    has: (group) => all.has(group),
    get(group, key) {
      const own = all.get(group)
      if (own instanceof Map) return own.get(key)
      return own?.key === key ? own.value : undefined
    },
    keysOf(group) {
      const own = all.get(group)
      if (!own) return []
      return own instanceof Map ? own.keys() : [own.key]
    },
    valuesOf(group) {
      const own = all.get(group)
      if (!own) return []
      return own instanceof Map ? own.values() : [own.value]
    },
    groups: () => all.keys(),
    get size() {
      return all.size
    },
  }
}
