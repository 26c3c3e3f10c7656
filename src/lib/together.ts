/** Work under one key that is under way is shared by whoever wants the same meanwhile. */
export interface Together<T> {
  underWay(key: string): boolean
  of(key: string, work: () => Promise<T>): Promise<T>
}

export function together<T>(): Together<T> {
  const flights = new Map<string, Promise<T>>()
  return {
    underWay: (key) => flights.has(key),
    of(key, work) {
      const known = flights.get(key)
      if (known) return known
      const flight = work().finally(() => flights.delete(key))
      flights.set(key, flight)
      return flight
    },
  }
}
