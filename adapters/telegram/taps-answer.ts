import { waited } from '../../src/clock.ts'
import type { Clock } from '../../src/clock.ts'
import { waitMs } from './api.ts'
import type { Api } from './api.ts'

const LIMIT_MS = 10_000
const TRIES = 3

/** Ends the waiting circle on a button, with a small window when there is something to say. Too late is no harm. */
export async function answerTap(
  { api, clock, random, signal }: { api: Api; clock: Clock; random: () => number; signal: AbortSignal },
  id: string,
  text?: string,
): Promise<void> {
  const parameters = { callback_query_id: id, ...(text === undefined ? {} : { text, show_alert: true }) }
  for (let tries = 1; tries <= TRIES; tries++) {
    const answer = await api.call('answerCallbackQuery', parameters, LIMIT_MS)
    const again = answer.is !== 'answered' || answer.status === 429 || answer.status >= 500
    if (!again || !(await waited(clock, waitMs(answer, tries, random()), signal))) return
  }
}
