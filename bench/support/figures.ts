/** Milliseconds of processor time and of wall time. The first says more where others work on the machine as well. */
export interface Cost {
  cpuMs: number
  wallMs: number
}

export async function costOf(work: () => unknown): Promise<Cost> {
  const [at, cpu] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { cpuMs: (user + system) / 1_000, wallMs: performance.now() - at }
}

/** The value that this share of them does not exceed. */
export function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(Math.floor(share * values.length), values.length - 1)] ?? 0
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Of all objects that are still used, in MB. */
export function heapMb(): number {
  for (let round = 0; round < 3; round++) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

export function residentMb(): number {
  return process.memoryUsage().rss / 1e6
}
