import type * as Prometheus from 'prom-client'

import { type About, type Heard, instruments } from './heard.ts'
import { among } from './labels.ts'

/**
 * Counts the platforms within reach, and those that take messages. Shards are shown once a platform has several, so that
 * a rule about them is silent everywhere else.
 */
export function hearPlatforms(registry: Prometheus.Registry, { adapters: platforms }: About): Heard {
  const { gauge } = instruments(registry)
  const platformOf = among(platforms)
  const up = gauge('perch_platform_up', '1 while the platform is within reach.', ['platform'])
  const held = gauge('perch_platform_held', '1 while the platform asks us to send nothing.', ['platform'])
  const shards = gauge(
    'perch_platform_shards',
    'Connections among which the platform divides people; absent where there is one.',
    ['platform'],
  )
  const shardsUp = gauge('perch_platform_shards_up', 'Those of them that are up.', ['platform'])
  // A platform that has never asked for a pause shows 0, so that the first pause is a change.
  for (const platform of platforms) held.set({ platform }, 0)
  return {
    platform: ({ platform, why }) => up.set({ platform: platformOf(platform) }, why === null ? 1 : 0),
    held: ({ platform, why }) => held.set({ platform: platformOf(platform) }, why === null ? 0 : 1),
    shards({ platform: name, up: many, count }) {
      const platform = platformOf(name)
      shards.set({ platform }, count)
      shardsUp.set({ platform }, many)
    },
  }
}
