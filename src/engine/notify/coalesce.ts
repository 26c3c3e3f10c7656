import type { Severity } from '../../alert/alert.ts'
import { monitorOf } from '../../alert/monitor.ts'
import { alertNamed, alertOf } from '../../message/annotation.ts'
import type { Priority } from '../../message/delivery.ts'
import { age } from '../../message/figure.ts'
import { codePoints } from '../../message/fit.ts'
import {
  type Item,
  item,
  ITEM_CODE_POINTS,
  type Message,
  message,
  type Text,
  text,
  words,
  type Tone,
} from '../../message/message.ts'
import type { QueuedMessage } from '../../store/change.ts'
import { together } from '../evaluate/buttons.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { monitorNamed } from '../monitors/monitors.ts'
import { forAnother, onBehalfOf } from '../monitors/recipients.ts'
import { type Restated, restate } from './restate.ts'
import { quietUntil, restIn } from './suppression.ts'

/** Several messages that waited, as one. */
interface Merged {
  message: Message
  urgency: Priority
  silent: boolean
}

/** A notice that waited in the outbox while nothing could be sent. */
interface Past {
  at: number
  alertId: number | null
  title: Text
  tone: Tone
  /** Said before already. */
  again: boolean
}

const PRIORITY: Record<Severity, Priority> = { critical: 0, warning: 1, info: 2 }
const BY_TONE: readonly Tone[] = ['critical', 'warning', 'blind', 'info', 'plain', 'good']
/**
 * The other firing alerts are only named. With the pages of past notices and the remaining names that is one
 * message.
 */
const MOST_PRESENT = 5
const MOST_PAGES = 3

/** Firing alerts come first, with their figures; then the notices that waited, the worst first. */
export function coalesce(
  look: EvaluationContext,
  rows: readonly [QueuedMessage, ...QueuedMessage[]],
): Merged {
  const { now } = look
  const alertIds = [...new Set(rows.flatMap((row) => row.alertIds))]
  const stands = alertIds.flatMap((id) => standing(look, id, rows[0].chatId) ?? []).sort(worstFirst)
  const told = new Set(stands.map(({ alertId }) => alertId))
  const past = pastOf(rows, told)
  const news = new Set(newsIn(past))
  const { items: front, buttons } = together(
    stands
      .slice(0, MOST_PRESENT)
      .map(({ item: one, alertId }) => ({ ...one, ...(news.has(alertId) ? {} : { again: true as const }) })),
  )
  const none = item('info', words('late.none.title'))
  const shown = front.length > 0 ? [...front, ...othersStand(stands.slice(MOST_PRESENT))] : [none]
  const since = Math.min(...rows.map(({ queuedAt }) => queuedAt))
  const meanwhile = pages(past, alertIds, told, [since, now])
  const footnote = words('late.footnote', { at: clock(now), late: [age(now - since)] })
  const resting = quietUntil(look.memory, rows[0].chatId, now) !== null
  const loud = [
    ...stands.filter((one) => one.rings && !isHeld(look, one)).map(({ severity }) => severity),
    ...happened(look, rows).filter((severity) => severity === 'critical' || !resting),
  ]
  const worst = Math.min(1, ...loud.map((one) => PRIORITY[one])) as Priority
  return {
    message: message([...shown, ...meanwhile], { footnote, buttons }),
    urgency: worst,
    silent: loud.length === 0,
  }
}

function standing(look: EvaluationContext, alertId: number, chatId: number): Restated | null {
  const key = look.memory.monitors.firing.get(alertId)
  const monitor = key === undefined ? null : monitorNamed(look, monitorOf(key))
  const known = monitor && restate(look, monitor)
  const whose = onBehalfOf(look.memory, alertId, chatId)
  if (known && whose !== null) return { ...known, item: forAnother(known.item, whose) }
  // A former delegate must not read the alert as their own.
  return monitor && isOfThem(look, monitor.id.chatId, chatId) ? known : null
}

function isOfThem(
  {
    memory: {
      people: { chats },
    },
  }: EvaluationContext,
  alertsChat: number,
  chatId: number,
): boolean {
  return chats.get(alertsChat)?.personId === chats.get(chatId)?.personId
}

/** It waited for a time in which it would not have been said. */
function isHeld({ memory, now }: EvaluationContext, { alertId, severity }: Restated): boolean {
  const key = memory.monitors.firing.get(alertId)
  if (severity === 'critical' || key === undefined) return false
  const monitor = monitorOf(key)
  return restIn(memory, monitor.chatId, now)(monitor) !== null
}

function othersStand(others: readonly Restated[]): Item[] {
  const [worst] = others
  if (!worst) return []
  const names = others.map(({ alertId }) => `A${alertId}`).join(', ')
  return [item(worst.severity, words('late.others.title', { n: others.length }), [names])]
}

function worstFirst(a: Restated, b: Restated): number {
  return PRIORITY[a.severity] - PRIORITY[b.severity] || a.room - b.room
}

/**
 * The notices in the rows. A mere repeat is left out where the alert stands above or another notice tells its
 * news.
 */
function pastOf(rows: readonly QueuedMessage[], told: ReadonlySet<number>): Past[] {
  const all = rows.flatMap(({ reason, queuedAt: at, message: { items } }) =>
    reason === 'coalesced'
      ? []
      : items.map((one): Past => {
          const { title, tone, again = false } = one
          return { at, alertId: alertOf(one), title, tone, again }
        }),
  )
  const said = new Set([...told, ...newsIn(all)])
  return all
    .filter(({ alertId, again }) => !again || alertId === null || !said.has(alertId))
    .sort((a, b) => BY_TONE.indexOf(a.tone) - BY_TONE.indexOf(b.tone) || a.at - b.at)
}

/** The alerts with a notice that is no repeat. */
function newsIn(past: readonly Pick<Past, 'again' | 'alertId'>[]): number[] {
  return past.flatMap(({ again, alertId }) => (again || alertId === null ? [] : [alertId]))
}

/** The severities of occurrences, which neither fire nor end: each rings as it would have rung. */
function happened({ memory }: EvaluationContext, rows: readonly QueuedMessage[]): Severity[] {
  const last = new Map<number, { tone: Tone; silent: boolean }>()
  const told = rows.filter(({ reason }) => reason !== 'coalesced').sort((a, b) => a.rowId - b.rowId)
  for (const {
    message: { items },
    silent,
  } of told)
    for (const one of items) {
      const alertId = alertOf(one)
      if (alertId !== null) last.set(alertId, { tone: one.tone, silent })
    }
  return [...last].flatMap(([alertId, { tone, silent }]) => {
    if (silent || memory.monitors.firing.has(alertId)) return []
    return tone === 'critical' || tone === 'warning' || tone === 'info' ? [tone] : []
  })
}

/** Lines, as many as there is room for; an alert that has none is named. */
function pages(
  past: readonly Past[],
  alertIds: readonly number[],
  told: ReadonlySet<number>,
  [since, now]: [number, number],
): Item[] {
  const left = past.map((one) => ({ line: lineOf(one), alertId: one.alertId }))
  const named = new Set(told)
  const all: Item[] = []
  while (left.length > 0 && all.length < MOST_PAGES) {
    const first = all.length === 0
    const title = first
      ? words('late.past.title', { from: clock(since), to: clock(now) })
      : words('late.then.title')
    let points = ITEM_CODE_POINTS - codePoints(title)
    const lines: Text[] = []
    for (let next = left[0]; next && codePoints(next.line) < points; next = left[0]) {
      points -= codePoints(next.line) + 1
      lines.push(next.line)
      if (next.alertId !== null) named.add(next.alertId)
      left.shift()
    }
    all.push(item('plain', title, lines))
  }
  const others = alertIds.filter((id) => !named.has(id)).map((id) => `A${id}`)
  if (left.length === 0 && others.length === 0) return all
  return [...all, item('plain', words('late.more.title'), [others.join(', ')])]
}

/** Ends with the alert's name: people ask about it, and it goes when the alert is withdrawn. */
function lineOf({ at, title, alertId }: Past): Text {
  const name = alertId === null || alertNamed(title) === alertId ? '' : ` (A${alertId})`
  return text`${clock(at)} ${title}${name}`
}

function clock(time: number): Text {
  return [{ time, as: 'clock' }]
}
