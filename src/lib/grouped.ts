/** Values under two keys, found by the first: all rules of a person, all chats of a platform's group. */
export interface Grouped<Group, Key, Value> {
  put(group: Group, key: Key, value: Value): void
  drop(group: Group, key: Key): void
  dropGroup(group: Group): void
  /** In the order in which they came; empty where there are none. */
  of(group: Group): ReadonlyMap<Key, Value>
  groups(): IterableIterator<Group>
  /** How many groups there are. */
  readonly size: number
}

export function createGrouped<Group, Key, Value>(): Grouped<Group, Key, Value> {
  const all = new Map<Group, Map<Key, Value>>()
  const none: ReadonlyMap<Key, Value> = new Map<Key, Value>()
  return {
    put(group, key, value) {
      const own = all.get(group)
      if (own) own.set(key, value)
      else all.set(group, new Map([[key, value]]))
    },
    drop(group, key) {
      const own = all.get(group)
      own?.delete(key)
      if (own?.size === 0) all.delete(group)
    },
    dropGroup: (group) => void all.delete(group),
    of: (group) => all.get(group) ?? none,
    groups: () => all.keys(),
    get size() {
      return all.size
    },
  }
}
