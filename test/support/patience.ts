/** How long real processes and sockets are waited for: it decides no test, it only ends one that hangs. */
export const PATIENCE_MS = 60_000

/** Resolves when this is so; the time limit of the test ends what never is. */
export async function eventually(so: () => unknown): Promise<void> {
  while (!(await so())) await new Promise((resolve) => setTimeout(resolve, 5))
}
