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

/** Values that have their key in them. */
export interface Keyed<Group, Key, Value> extends Grouped<Group, Key, Value> {
  /** Like `put`, for a key that the group does not have: then nothing is looked through. */
  add(group: Group, value: Value): void
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

/** So many values of a group are looked through one by one. A map of ten takes five times as much as a list. */
const FEW = 16

/**
 * The same for values that have their key in them: a single one needs no object beside it, and a few no map. A list is
 * replaced when a value is dropped from it, so that callers may drop while they walk.
 */
export function createKeyed<Group, Key, Value extends object>(
  keyOf: (value: Value) => Key,
): Keyed<Group, Key, Value> {
  const all = new Map<Group, Map<Key, Value> | Value[] | Value>()
  const placeOf = (some: readonly Value[], key: Key) => some.findIndex((one) => keyOf(one) === key)
  const listOf = (group: Group): Map<Key, Value> | Value[] => {
    const own = all.get(group)
    if (own === undefined) return []
    return own instanceof Map || Array.isArray(own) ? own : [own]
  }
  function put(group: Group, key: Key, value: Value): void {
    const own = all.get(group)
    if (own === undefined || own instanceof Map) return add(group, value)
    if (!Array.isArray(own)) return keyOf(own) === key ? void all.set(group, value) : add(group, value)
    const place = placeOf(own, key)
    if (place < 0) add(group, value)
    else own[place] = value
  }
  function add(group: Group, value: Value): void {
    const own = all.get(group)
    if (own === undefined) all.set(group, value)
    else if (own instanceof Map) own.set(keyOf(value), value)
    else if (!Array.isArray(own)) all.set(group, [own, value])
    else if (own.length < FEW) own.push(value)
    else all.set(group, new Map([...own, value].map((one) => [keyOf(one), one])))
  }
  return {
    put,
    add,
    drop(group, key) {
      const own = listOf(group)
      if (own instanceof Map) own.delete(key)
      const left = own instanceof Map ? own : own.filter((one) => keyOf(one) !== key)
      if ((left instanceof Map ? left.size : left.length) === 0) all.delete(group)
      else if (Array.isArray(left)) all.set(group, left.length === 1 && left[0] ? left[0] : left)
    },
    dropGroup: (group) => void all.delete(group),
    of(group) {
      const own = listOf(group)
      return own instanceof Map ? own : new Map(own.map((one) => [keyOf(one), one]))
    },
    has: (group) => all.has(group),
    get(group, key) {
      const own = all.get(group)
      if (own === undefined) return undefined
      if (own instanceof Map) return own.get(key)
      if (Array.isArray(own)) return own[placeOf(own, key)]
      return keyOf(own) === key ? own : undefined
    },
    keysOf(group) {
      const own = listOf(group)
      return own instanceof Map ? own.keys() : own.map(keyOf)
    },
    valuesOf: (group) => listOf(group).values(),
    groups: () => all.keys(),
    get size() {
      return all.size
    },
  }
}
