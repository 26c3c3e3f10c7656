/** Does what stops here and there, and lets others have their turn in between. */
export async function slowly<T>(work: Generator<void, T>, breathe: () => Promise<void>): Promise<T> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    await breathe()
  }
}
