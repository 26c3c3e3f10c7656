import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { StoreSize } from '../store/store.ts'

const LOOK_EVERY_MS = 60_000
/** Four times what the log is cut back to (`journal_size_limit`), as in docs/grafana/rules.yml: no burst of ours brings it there. */
const LARGE_BYTES = 64 * 1024 * 1024

/** The size of the write-ahead log among the files of a store; 0 for a store without one. */
export function walBytes(files: StoreSize['files']): number {
  return files.find(({ name }) => name === 'wal')?.bytes ?? 0
}

/** Says when the write-ahead log goes on growing, once until it has become small again. */
export function watchWal(world: {
  clock: Clock
  emit: Emit
  /** How large it is. */
  bytes(): Promise<number>
  largeBytes?: number
}): { stop(): void } {
  const { clock, emit, bytes, largeBytes = LARGE_BYTES } = world
  let isTold = false
  let stopped = false
  let callOff = () => {}

  async function look(): Promise<void> {
    const size = await bytes()
    if (size > largeBytes && !isTold) emit({ is: 'wal-grows', bytes: size })
    isTold = size > (isTold ? largeBytes / 2 : largeBytes)
  }
  function again(): void {
    callOff = clock.wakeAt(clock.monotonic() + LOOK_EVERY_MS, () => {
      // A database that cannot be read is reported elsewhere.
      look()
        .catch(() => {})
        .finally(() => {
          if (!stopped) again()
        })
    })
  }
  again()
  return {
    stop() {
      stopped = true
      callOff()
    },
  }
}
