import type { Registry } from 'prom-client'

import { instruments } from './heard.ts'
import type { Heard } from './heard.ts'

/** What the log has sentences for: they may name anything, so that here they are only counted. */
export function hearTroubles(registry: Registry): Heard {
  const { counter } = instruments(registry)
  const troubles = counter('perch_troubles_total', 'What the log calls trouble.')
  const cautions = counter('perch_cautions_total', 'What the log calls a caution.')
  return { trouble: () => troubles.inc(), caution: () => cautions.inc() }
}
