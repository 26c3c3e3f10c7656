/**
 * A growing column of numbers in pages: growth copies nothing, and at most one page is partly empty. Unset numbers are
 * zero.
 */
export interface Column<N> {
  get(index: number): N
  set(index: number, value: N): void
}

const BITS = 12
const LENGTH = 1 << BITS
const WITHIN = LENGTH - 1

export function ints(): Column<number> {
  return numbers((length) => new Int32Array(length))
}

export function doubles(): Column<number> {
  return numbers((length) => new Float64Array(length))
}

function numbers(make: (length: number) => Int32Array | Float64Array): Column<number> {
  const pages: (Int32Array | Float64Array)[] = []
  return {
    get: (index) => pages[index >> BITS]?.[index & WITHIN] ?? 0,
    set: (index, value) => void ((pages[index >> BITS] ??= make(LENGTH))[index & WITHIN] = value),
  }
}

/** Exact integers of any size: 16 bytes each, and more for the few that do not fit into them. */
export function bigints(): Column<bigint> {
  const low: BigUint64Array[] = []
  const high: BigInt64Array[] = []
  const large = new Map<number, bigint>()
  return {
    get(index) {
      const wide = large.size > 0 ? large.get(index) : undefined
      if (wide !== undefined) return wide
      const [page, place] = [index >> BITS, index & WITHIN]
      const above = high[page]?.[place] ?? 0n
      const below = low[page]?.[place] ?? 0n
      return above === 0n ? below : (above << 64n) | below
    },
    set(index, value) {
      const [page, place] = [index >> BITS, index & WITHIN]
      const above = value >> 64n
      const there = (high[page] ??= new BigInt64Array(LENGTH))
      there[place] = above
      ;(low[page] ??= new BigUint64Array(LENGTH))[place] = value
      if (there[place] !== above) large.set(index, value)
      else if (large.size > 0) large.delete(index)
    },
  }
}

/** Numbers that lie side by side, as many as come: a few bytes each, where an array of objects takes tens. */
interface Growing {
  get(index: number): number
  set(index: number, value: number): void
}

const FIRST = 16

export function growing(make: (length: number) => Float64Array | Int32Array): Growing {
  let numbers = make(FIRST)
  return {
    get: (index) => numbers[index] ?? 0,
    set(index, value) {
      if (index >= numbers.length) {
        const more = make(Math.max(index + 1, numbers.length * 2))
        more.set(numbers)
        numbers = more
      }
      numbers[index] = value
    },
  }
}

export const growingInts = () => growing((length) => new Int32Array(length))

/**
 * Groups of slots (small whole numbers that the caller assigns), as linked lists in arrays of eight bytes per slot. A
 * slot is in one group.
 */
export interface Chains<Group> {
  /** Adds the slot at the end. */
  add(group: Group, slot: number): void
  drop(group: Group, slot: number): void
  /** In the order in which they came. */
  of(group: Group): number[]
  groups(): IterableIterator<Group>
  has(group: Group): boolean
  /** How many groups there are. */
  readonly size: number
}

export function createChains<Group>(): Chains<Group> {
  const firsts = new Map<Group, number>()
  // In a ring: before the first is the last.
  const [after, before] = [ints(), ints()]
  const join = (slot: number, next: number) => {
    after.set(slot, next)
    before.set(next, slot)
  }
  return {
    add(group, slot) {
      const first = firsts.get(group)
      if (first === undefined) {
        firsts.set(group, slot)
        join(slot, slot)
      } else {
        join(before.get(first), slot)
        join(slot, first)
      }
    },
    drop(group, slot) {
      const next = after.get(slot)
      if (next === slot) return void firsts.delete(group)
      join(before.get(slot), next)
      if (firsts.get(group) === slot) firsts.set(group, next)
    },
    of(group) {
      const first = firsts.get(group)
      if (first === undefined) return []
      const all = [first]
      for (let slot = after.get(first); slot !== first; slot = after.get(slot)) all.push(slot)
      return all
    },
    groups: () => firsts.keys(),
    has: (group) => firsts.has(group),
    get size() {
      return firsts.size
    },
  }
}
