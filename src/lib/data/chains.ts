import { ints } from './paged.ts'

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
