import { findKind } from '../../alert/alert.ts'
import { monitorOf } from '../../alert/monitor.ts'
import { bounded } from '../../message/fit.ts'
import { type Item, item, joined, type Text, words } from '../../message/message.ts'
import { type Suppressed, mutedKey } from '../../people/mute.ts'
import type { Effect } from '../memory/effect.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { type Decision, silent } from '../monitors/decision.ts'
import { monitorNamed } from '../monitors/monitors.ts'
import { type Restated, restate } from './restate.ts'
import { restIn } from './suppression.ts'

/** With their head they are one message; the rest is in /history. */
const SUMMED = 9

/** A notice that was held back, and its present state where it still fires. */
type Summarized = { held: Suppressed; now: Restated | null }

/**
 * Returns the held back notices that may be sent now, as one message: the firing ones, the ended ones, the
 * occurrences.
 */
export function summarize(look: EvaluationContext, chatId: number): Decision {
  const { memory, now } = look
  const over = [...memory.silences.mutesIn.of(chatId).values()].filter(({ until }) => until <= now)
  const heldUntil = restIn(memory, chatId, now)
  const free = [...memory.silences.suppressedIn.of(chatId).values()].filter(
    ({ about }) => heldUntil(monitorOf(about)) === null,
  )
  const decision = silent(chatId, [
    ...over.map(({ of }): Effect => ({ is: 'mute-gone', chatId, of: mutedKey(of) })),
    ...free.map(({ alertId }): Effect => ({ is: 'suppressed-gone', chatId, alertId })),
  ])
  if (free.length === 0) return decision
  const all = free.map((held) => ({ held, now: standing(look, held) }))
  const stands = all.flatMap((one) => one.now ?? [])
  const severity = stands.some((one) => one.rings && one.severity !== 'info') ? 'warning' : 'info'
  const shared = { reason: 'summary', severity, quiet: !stands.some(({ rings }) => rings) } as const
  summary(look, all).forEach(({ item: one, alertIds }, order) => {
    decision.notices.push({ ...shared, item: bounded(one), order, alertIds, about: `rest/${chatId}` })
  })
  return decision
}

function standing(look: EvaluationContext, { alertId }: Suppressed): Restated | null {
  const key = look.memory.monitors.firing.get(alertId)
  const monitor = key === undefined ? null : monitorNamed(look, monitorOf(key))
  return monitor && restate(look, monitor)
}

/**
 * Alerts that still fire come first, the worst before all; the head refers to /history for the alerts beyond
 * the limit.
 */
function summary(look: EvaluationContext, all: readonly Summarized[]): { item: Item; alertIds: number[] }[] {
  const sorted = [...all].sort((a, b) => rank(a) - rank(b) || a.held.at - b.held.at)
  const stands = all.flatMap((one) => one.now ?? [])
  const still = stands.length === 0 ? words('quieted.over') : standingText(stands)
  const tone = stands.some(({ severity }) => severity !== 'info') ? 'warning' : 'info'
  const title = words('quieted.title', { n: all.length, still })
  const more = all.length - SUMMED
  const history = { label: words('alert.button.history'), line: '/history', replace: false }
  const head: Item = more > 0 ? { ...item(tone, title, [], [history]), more } : item(tone, title)
  return [
    { item: head, alertIds: sorted.slice(SUMMED).map(({ held }) => held.alertId) },
    ...sorted.slice(0, SUMMED).map((one) => ({
      item: one.now ? stillSo(one.now) : past(look, one.held),
      alertIds: [one.held.alertId],
    })),
  ]
}

function rank({ now }: Summarized): number {
  if (now === null) return 2
  return now.severity === 'info' ? 1 : 0
}

/** `2 still on, 1 I can’t see now`. */
function standingText(stands: readonly Restated[]): Text {
  const seen = stands.filter(({ isSeen }) => isSeen).length
  const unseen = stands.length - seen
  const parts = [
    ...(seen > 0 ? [words('quieted.on', { n: String(seen) })] : []),
    ...(unseen > 0 ? [words('quieted.unseen', { n: String(unseen) })] : []),
  ]
  return joined(parts, ', ')
}

function stillSo({ item: told, isSeen }: Restated): Item {
  const [since = '', ...lines] = told.lines
  const head = words(isSeen ? 'quieted.still' : 'quieted.unknown', { since })
  return { ...told, lines: [head, ...lines] }
}

/** The title says what was so at that time: it stands behind the time, and no word of it is changed. */
function past({ kinds }: EvaluationContext, { about, title, at, alertId }: Suppressed): Item {
  const then = words('quieted.past', { at: { time: at, as: 'clock' }, title })
  const isEvent = findKind(kinds, monitorOf(about).kind)?.is === 'event'
  return { ...(isEvent ? item('info', then) : item('good', then, [words('quieted.over-now')])), alertId }
}
