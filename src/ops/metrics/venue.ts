import type { Registry } from 'prom-client'

import type { Clock } from '../../clock.ts'
import { callOf, outcomeOf } from './labels.ts'
import { instruments, LONG_S, SECOND_MS } from './heard.ts'
import type { About, Heard } from './heard.ts'

/** Present from the start, so that the first refusal is an increase. */
const READ = ['markets', 'positions']
const COUNTED = ['ok', 'limited', 'network', 'timeout']

/** How the venue is read: requests, weight, and how old the last answers are. */
export function hearVenue(registry: Registry, { venue }: About, clock: Clock): Heard {
  const { counter, gauge, histogram } = instruments(registry)
  const requests = counter('perch_venue_requests_total', 'Requests to the venue, by how they ended.', [
    'venue',
    'call',
    'outcome',
  ])
  const took = histogram('perch_venue_request_seconds', 'From a request to its answer or failure.', LONG_S, [
    'venue',
    'call',
  ])
  const weight = counter('perch_venue_weight_total', "What requests weighed of the venue's limit.", [
    'venue',
    'call',
  ])
  const unusable = counter('perch_venue_unusable_total', 'Elements of answers that were skipped.', [
    'venue',
    'call',
  ])
  for (const call of READ) for (const outcome of COUNTED) requests.inc({ venue, call, outcome }, 0)

  const begun = clock.tick()
  const answered = new Map<string, number>()
  let pricesTick: number | null = null
  const ageS = (tick: number) => (clock.tick() - tick) / SECOND_MS
  gauge(
    'perch_venue_answer_age_seconds',
    'Since the venue last answered a call as it should.',
    ['venue', 'call'],
    (one) => {
      for (const [call, tick] of answered) one.set({ venue, call }, ageS(tick))
    },
  )
  gauge(
    'perch_prices_age_seconds',
    'How old the last prices are; before the first, since the start.',
    ['venue'],
    (one) => one.set({ venue }, ageS(pricesTick ?? begun)),
  )
  const push = gauge(
    'perch_venue_push_up',
    'Whether the venue tells its markets by itself now; absent where it never does.',
    ['venue'],
  )
  return {
    'venue-request': ({ call: asked, ms, weight: weighed, outcome: ended }) => {
      const call = callOf(asked)
      requests.inc({ venue, call, outcome: outcomeOf(ended) })
      took.observe({ venue, call }, ms / SECOND_MS)
      weight.inc({ venue, call }, weighed)
      if (ended === 'ok') answered.set(call, clock.tick())
    },
    'venue-unusable': ({ call }) => unusable.inc({ venue, call: callOf(call) }),
    'markets-read': ({ tick }) => void (pricesTick = Math.max(pricesTick ?? -Infinity, tick)),
    push: ({ why }) => push.set({ venue }, why === null ? 1 : 0),
  }
}
