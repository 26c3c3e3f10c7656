import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { rangAt } from '../../../src/alert/alert-state.ts'
import { subjectOfPosition } from '../../../src/alert/subject-id.ts'
import type { Change } from '../../../src/store/change.ts'
import type { StateRow } from '../../../src/store/snapshot.ts'
import { NOON } from '../../support/clock.ts'
import { made } from '../../support/engine.ts'
import { aFiring, aMonitor, aPosition, aRule } from '../../support/fixtures.ts'

const HOUR_MS = 3_600_000

/** Alerts of a few markets: since when each fires, and when it rang last. */
const alerts = fc.array(
  fc.record({
    agoMs: fc.integer({ min: 0, max: HOUR_MS }),
    rang: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 6 },
)

test('what somebody says goes for what they could have seen: any alerts, any time of looking', () => {
  fc.assert(
    fc.property(
      alerts,
      fc.integer({ min: 0, max: HOUR_MS }),
      fc.constantFrom('acknowledged' as const, 'snoozed' as const),
      (plan, lookedAgoMs, as) => {
        const states = plan.map(({ agoMs, rang }, at): StateRow => {
          const since = NOON - agoMs
          const last = Math.round(since + agoMs * rang)
          const firing = aFiring({ tier: 2, alertId: 40 + at, since })
          return {
            monitor: aMonitor({ subject: subjectOfPosition(aPosition({ marketId: String(100 + at) })) }),
            value: 0.05,
            state: {
              ...firing,
              acknowledgement: { is: 'waiting', since, rangAt: last, reminders: 1, remindAt: null },
            },
            params: aRule().params,
          }
        })
        const seenUntil = NOON - lookedAgoMs
        const alertIds = plan.map((_, at) => 40 + at)
        const change: Change = {
          ...{ is: 'acknowledgement', as, alertIds, by: 'alice', until: NOON + HOUR_MS, seenUntil },
          readIn: null,
        }
        const { memory } = made(change, { rules: [aRule()], states })
        for (const { state } of states) {
          if (state.is !== 'firing') continue
          const now = [...memory.monitors.states.values()].find(
            (one) => one.state.is === 'firing' && one.state.alertId === state.alertId,
          )?.state
          const is = now?.is === 'firing' ? now.acknowledgement.is : null
          expect(is).toBe(rangAt(state) <= seenUntil ? as : 'waiting')
        }
      },
    ),
  )
})
