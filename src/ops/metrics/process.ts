import { readFileSync, readdirSync } from 'node:fs'

import type { Registry } from 'prom-client'

import type { Clock } from '../../clock.ts'
import { instruments, SECOND_MS } from './heard.ts'
import type { About } from './heard.ts'

const US_PER_S = 1_000_000

/** What this process is and needs, by the names that are usual for any. */
export function watchProcess(registry: Registry, { version, venue }: About, clock: Clock): void {
  const { counter, gauge } = instruments(registry)
  const shown = (name: string, help: string, value: () => number) =>
    gauge(name, help, [], (one) => one.set(value()))
  const about = { version, node: process.versions.node, venue }
  gauge('perch_build_info', 'Which Perch this is, on which Node.js, at which venue.', [
    'version',
    'node',
    'venue',
  ]).set(about, 1)
  const begunS = (clock.now() - clock.tick()) / SECOND_MS
  shown('process_start_time_seconds', 'When the process began, in Unix time.', () => begunS)
  shown('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  shown('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed)
  counter('process_cpu_seconds_total', 'Processor time.', [], () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / US_PER_S
  })
  const most = mostDescriptors()
  if (most === null) return
  shown('process_open_fds', 'Open file descriptors.', () => readdirSync('/proc/self/fd').length)
  shown('process_max_fds', 'File descriptors that may be open.', () => most)
}

/** Null where the system does not tell: on anything but Linux. */
function mostDescriptors(): number | null {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return most === undefined ? null : Number(most)
  } catch {
    return null
  }
}
