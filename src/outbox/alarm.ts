import type { Clock } from '../runtime/clock.ts'

/** Rings once for whatever it was set to last. */
interface Alarm {
  /** In so many milliseconds, and no more when it was set to before. */
  set(ms: number): void
  /** The same, unless it is set. */
  setUnlessSet(ms: number): void
  off(): void
}

export function createAlarm(clock: Clock, ring: () => void): Alarm {
  let callOff: (() => void) | null = null
  const alarm: Alarm = {
    set(ms) {
      callOff?.()
      callOff = clock.wakeAt(clock.monotonic() + ms, () => {
        callOff = null
        ring()
      })
    },
    setUnlessSet(ms) {
      if (!callOff) alarm.set(ms)
    },
    off() {
      callOff?.()
      callOff = null
    },
  }
  return alarm
}
