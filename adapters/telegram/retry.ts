import { pause } from '../../src/clock.ts'
import type { Clock } from '../../src/clock.ts'
import type { Answer } from './api.ts'

/** Doubles from half a second up to half a minute, spread by half, so that two instances do not keep in step. */
const FIRST_MS = 500
const LONGEST_MS = 30_000

export function backoffMs(failures: number, random: number): number {
  const full = Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 10), LONGEST_MS)
  return Math.round(full * (0.5 + random / 2))
}

/** How long to wait after an answer that was none; what Telegram asks for comes first. */
export function waitMs(answer: Answer, failures: number, random: number): number {
  const asked = answer.is === 'answered' ? answer.body.retryAfterMs : null
  return asked ?? backoffMs(failures, random)
}

/** False when the signal came first. */
export async function waited(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(clock, ms, signal)
    return true
  } catch {
    return false
  }
}

export function whyOf(answer: Answer): string {
  return answer.is === 'answered' ? `${answer.status} ${answer.body.description}` : answer.why
}
