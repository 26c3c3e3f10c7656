import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'

// Other processes, and what they cost as Linux counts it.

/** Of /proc/PID/stat: hundredths of a second, whatever the kernel's own. */
const TICK_MS = 10

/** Processor time since it was started, its threads included. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name may hold spaces; what follows its bracket begins with the third field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

export function residentMbOf(pid: number): number {
  return kilobytes(pid, 'VmRSS') / 1e3
}

function kilobytes(pid: number, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return (Number(found?.[1]) * 1_024) / 1_000
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Asks again and again until it is so. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  { everyMs, limitMs, what }: { everyMs: number; limitMs: number; what: string },
): Promise<void> {
  const end = performance.now() + limitMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${limitMs / 1_000} s`)
    await wait(everyMs)
  }
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

const children = new Set<ChildProcess>()

/** One that does not outlive us, also when we are told to end. */
export function withUs<T extends ChildProcess>(child: T): T {
  if (children.size === 0) {
    process.once('exit', () => children.forEach((one) => one.kill('SIGKILL')))
    process.once('SIGTERM', () => process.exit(1))
  }
  children.add(child)
  return child
}

export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill(signal)
  await closed
}
