/** Numbers that lie side by side, as many as come: a few bytes each, where an array of objects takes tens. */
export interface Growing {
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
