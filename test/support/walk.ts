import type { AlertState } from '../../src/alert/alert-state.ts'
import { USUAL_HOLD_MS } from '../../src/alert/alert.ts'
import type { PositionSubject } from '../../src/alert/subject.ts'
import liquidationDistance from '../../src/alerts/position/liquidation-distance.ts'
import { step, type StepRules, tierOf, wakeAt } from '../../src/engine/evaluate/step.ts'
import type { Dice } from './seed.ts'

const POLL_MS = 10_000
const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const LIQUIDATION = 1_000
const params = liquidationDistance.armedByWatch ?? { tiers: [] }

/** What one day of a position near its lines leads to. */
interface Day {
  messages: number
  /** Whether it was within 10% at all. */
  near: boolean
  /** Longest time for which a worse tier was so and not told, beyond its hold. */
  lateMs: number
}

/**
 * A day of a geometric random walk, read every 10 s, from this distance on: the kind judges, the engine steps. Somebody
 * acknowledges whatever fires, so that nothing is repeated.
 */
export function walk(dice: Dice, volatility: number, distance: number): Day {
  const stride = volatility * Math.sqrt(POLL_MS / YEAR_MS)
  let price = LIQUIDATION / (1 - distance)
  let state: AlertState = { is: 'ok' }
  let worseSince: number | null = null
  let alerts = 0
  const day: Day = { messages: 0, near: false, lateMs: 0 }

  function look(now: number): void {
    const verdict = liquidationDistance.judge(params, long(price))
    if (verdict === 'unknown') throw new Error('a position with a price is judged')
    const critical = (tier: number) => tier > 0 && liquidationDistance.severity(params, tier) === 'critical'
    const rules: StepRules = {
      ...{ now, critical, holdMs: USUAL_HOLD_MS, again: false, takenAt: () => now },
      counts: true,
      seenMs: (since) => now - since,
      newAlertId: () => ++alerts,
    }
    const waits = state.is !== 'firing' && !critical(verdict.enter)
    const { state: after, change } = step(state, verdict, rules)
    state = after.is === 'firing' ? acknowledged(after, now) : after
    if (change) day.messages++
    day.near ||= verdict.value <= 0.1
    worseSince = verdict.enter > tierOf(state) ? (worseSince ?? now) : null
    const late = worseSince === null ? 0 : now - worseSince + (waits ? -USUAL_HOLD_MS : POLL_MS)
    day.lateMs = Math.max(day.lateMs, late)
  }

  for (let now = 0; now < DAY_MS; now += POLL_MS) {
    look(now)
    const wake = wakeAt(state)
    if (wake !== null && wake > now && wake < now + POLL_MS) look(wake)
    price *= Math.exp(stride * normal(dice) - stride ** 2 / 2)
  }
  return day
}

function acknowledged(state: Extract<AlertState, { is: 'firing' }>, at: number): AlertState {
  return { ...state, acknowledgement: { is: 'acknowledged', by: 'somebody', at, until: Infinity } }
}

/** By Box and Muller. */
function normal({ next }: Dice): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}

function long(price: number): PositionSubject {
  const position = { size: 10n ** 18n, liquidationPrice: BigInt(LIQUIDATION) * 10n ** 18n }
  return { is: 'position', price, position, market: { delisted: false } } as unknown as PositionSubject
}
