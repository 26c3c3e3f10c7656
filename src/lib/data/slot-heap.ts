import { type Column, growing, growingInts } from './paged.ts'

/**
 * A binary min-heap of slots (small whole numbers that the caller assigns), 16 bytes per entry. Several heaps may share
 * one list of places if no slot is in two of them.
 */
export interface SlotHeap {
  /** Adds the slot, or moves it when it is there. */
  set(slot: number, priority: number): void
  delete(slot: number): void
  /**
   * The slots with this priority or a lower one, unordered, without removing them. The cost depends on the result
   * alone.
   */
  upTo(priority: number): readonly number[]
  /** The lowest of them, at most `most`, the lowest first. The cost grows with the square of `most`. */
  lowest(priority: number, most: number): readonly number[]
  /** The priority of a slot that is in this heap. */
  priorityOf(slot: number): number
}

const NONE: readonly number[] = []

/** `places` has, by slot, one more than where it is; 0 is nowhere. */
export function createSlotHeap(places: Column<number>): SlotHeap {
  const slots = growingInts()
  const priorities = growing((length) => new Float64Array(length))
  let size = 0

  const put = (place: number, slot: number, priority: number) => {
    slots.set(place, slot)
    priorities.set(place, priority)
    places.set(slot, place + 1)
  }
  const rise = (from: number, slot: number, priority: number) => {
    let place = from
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (priorities.get(parent) <= priority) break
      put(place, slots.get(parent), priorities.get(parent))
      place = parent
    }
    put(place, slot, priority)
  }
  const sink = (from: number, slot: number, priority: number) => {
    let place = from
    for (;;) {
      let child = 2 * place + 1
      if (child >= size) break
      if (child + 1 < size && priorities.get(child + 1) < priorities.get(child)) child++
      if (priorities.get(child) >= priority) break
      put(place, slots.get(child), priorities.get(child))
      place = child
    }
    put(place, slot, priority)
  }
  const settle = (place: number, slot: number, priority: number) => {
    const above = (place - 1) >> 1
    if (place > 0 && priorities.get(above) > priority) rise(place, slot, priority)
    else sink(place, slot, priority)
  }
  return {
    set(slot, priority) {
      const place = places.get(slot) - 1
      if (place >= 0) return settle(place, slot, priority)
      size++
      return rise(size - 1, slot, priority)
    },
    delete(slot) {
      const place = places.get(slot) - 1
      if (place < 0) return
      places.set(slot, 0)
      size--
      if (place < size) settle(place, slots.get(size), priorities.get(size))
    },
    upTo(priority) {
      // As nearly always.
      if (size === 0 || priorities.get(0) > priority) return NONE
      const found: number[] = []
      const open = [0]
      for (let place = open.pop(); place !== undefined; place = open.pop()) {
        if (place >= size || priorities.get(place) > priority) continue
        found.push(slots.get(place))
        open.push(2 * place + 1, 2 * place + 2)
      }
      return found
    },
    lowest(priority, most) {
      if (size === 0 || priorities.get(0) > priority) return NONE
      const found: number[] = []
      // Below the places that were taken: the lowest of these is the next.
      const open = [0]
      while (found.length < most && open.length > 0) {
        let next = 0
        for (const [at, place] of open.entries())
          if (priorities.get(place) < priorities.get(open[next] ?? 0)) next = at
        const [place = 0] = open.splice(next, 1)
        found.push(slots.get(place))
        for (const child of [2 * place + 1, 2 * place + 2])
          if (child < size && priorities.get(child) <= priority) open.push(child)
      }
      return found
    },
    priorityOf: (slot) => priorities.get(places.get(slot) - 1),
  }
}
