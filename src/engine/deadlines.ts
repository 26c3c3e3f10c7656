import { createHeap } from '../lib/heap.ts'

/** Everything that is due at some monotonic time, by name; setting a name again moves it. */
export interface Deadlines {
  set(name: string, atTick: number): void
  clear(name: string): void
  /** Takes out the names that are due, the earliest first. */
  due(tick: number): string[]
  next(): number | null
}

export function createDeadlines(): Deadlines {
  const heap = createHeap<string>()
  return {
    set: (name, atTick) => heap.set(name, atTick),
    clear: (name) => heap.delete(name),
    due(tick) {
      const names: string[] = []
      for (let first = heap.peek(); first && first.priority <= tick; first = heap.peek()) {
        heap.pop()
        names.push(first.key)
      }
      return names
    },
    next: () => heap.peek()?.priority ?? null,
  }
}
