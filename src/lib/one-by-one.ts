/** One after the other, and the sum of them. One that fails does not swallow the others; the last failure is thrown. */
export async function oneByOne(works: Iterable<() => Promise<number>>): Promise<number> {
  let sum = 0
  let thrown: unknown = null
  for (const work of works) {
    try {
      sum += await work()
    } catch (error) {
      thrown = error
    }
  }
  if (thrown !== null) throw thrown
  return sum
}
