import type { Registry } from 'prom-client'

import { among, commandOf, deliveryOf, DELIVERY_NAMES, urgencyOf } from './labels.ts'
import { instruments, LONG_S, SECOND_MS } from './heard.ts'
import type { About, Heard } from './heard.ts'

/** What becomes of messages on their way to people, and how long it takes. */
export function hearOutbox(registry: Registry, { adapters: platforms }: About): Heard {
  const { counter, gauge, histogram } = instruments(registry)
  const platformOf = among(platforms)
  const sends = counter('perch_sends_total', 'Attempts to send what the outbox holds, by how they ended.', [
    'platform',
    'outcome',
  ])
  const retries = counter('perch_send_retries_total', 'Attempts after the first.', ['platform'])
  const repeats = counter(
    'perch_possible_repeats_total',
    'Messages that went out marked as a possible repeat.',
    ['platform'],
  )
  const requested = histogram(
    'perch_detected_to_request_seconds',
    'From when something was found until it was first asked of the platform to say it.',
    LONG_S,
    ['platform', 'urgency'],
  )
  const answered = histogram(
    'perch_request_to_sent_seconds',
    'From a request to the platform until it had taken the message.',
    LONG_S,
    ['platform'],
  )
  const arrived = histogram(
    'perch_detected_to_sent_seconds',
    'From when something was found until a platform had taken the message, waits and retries included.',
    LONG_S,
    ['platform', 'urgency'],
  )
  const parked = counter('perch_parked_total', 'Messages that were given up.')
  const commands = histogram('perch_command_seconds', 'What people ask, until its answer is ready.', LONG_S, [
    'platform',
    'outcome',
  ])
  const up = gauge('perch_platform_up', '1 while the platform is within reach.', ['platform'])
  const held = gauge('perch_platform_held', '1 while the platform asks us to send nothing.', ['platform'])
  for (const platform of platforms) {
    for (const outcome of DELIVERY_NAMES) sends.inc({ platform, outcome }, 0)
    retries.inc({ platform }, 0)
    repeats.inc({ platform }, 0)
    held.set({ platform }, 0)
  }
  return {
    delivery({ platform: name, outcome, attempts, possibleRepeat, detectedMs, ms, urgency: many }) {
      const platform = platformOf(name)
      const urgency = urgencyOf(many)
      sends.inc({ platform, outcome: deliveryOf(outcome) })
      if (attempts > 0) retries.inc({ platform })
      else requested.observe({ platform, urgency }, detectedMs / SECOND_MS)
      if (outcome !== 'sent') return
      if (possibleRepeat) repeats.inc({ platform })
      answered.observe({ platform }, ms / SECOND_MS)
      arrived.observe({ platform, urgency }, (detectedMs + ms) / SECOND_MS)
    },
    parked: () => parked.inc(),
    command: ({ platform, outcome, ms }) =>
      commands.observe({ platform: platformOf(platform), outcome: commandOf(outcome) }, ms / SECOND_MS),
    platform: ({ platform, why }) => up.set({ platform: platformOf(platform) }, why === null ? 1 : 0),
    held: ({ platform, why }) => held.set({ platform: platformOf(platform) }, why === null ? 0 : 1),
  }
}
