import { type MonitorId, monitorKey, monitorOf } from '../../alert/monitor.ts'
import { between, minuteOfDay, nextTime } from '../../lib/time/daytime.ts'
import { type QuietHours, type Suppressed, mutes } from '../../people/mute.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import type { Decision, Notice } from '../monitors/decision.ts'
import type { DecidedTurn } from '../monitors/turn.ts'
import type { Reason } from '../../message/reason.ts'

/** The chats that heard of an alert are owed its easing and its end; neither makes a sound. */
const OWED: ReadonlySet<Reason> = new Set(['better', 'resolved', 'ended'])
const OVER: ReadonlySet<Reason> = new Set(['resolved', 'ended'])

/** Until when what is not critical is held back in a chat; null while it is not. */
export function quietUntil(
  { people: { chats, persons } }: Pick<Memory, 'people'>,
  chatId: number,
  now: number,
): number | null {
  const chat = chats.get(chatId)
  const zone = persons.get(chat?.personId ?? 0)?.zone ?? 'UTC'
  return chat?.quiet && isQuiet(chat.quiet, now, zone) ? nextTime(chat.quiet.to, now, zone) : null
}

const HOUR_MS = 3_600_000

/** In autumn an hour comes twice: what has ended or begun in the first of them does not do so again in the second. */
function isQuiet({ from, to }: QuietHours, now: number, zone: string): boolean {
  const minute = minuteOfDay(now, zone)
  const isAgain = minuteOfDay(now - HOUR_MS, zone) === minute
  const [begun, ended] = [from, to].map((one) => isAgain && nextTime(one, now - HOUR_MS, zone) <= now)
  return begun === ended ? between(minute, { from, to }) : begun === true
}

function mutedUntil(
  { silences: { mutesIn } }: Pick<Memory, 'silences'>,
  monitor: MonitorId,
  now: number,
): number | null {
  const over = [...mutesIn.of(monitor.chatId).values()].filter(
    ({ of, until }) => until > now && mutes(of, monitor),
  )
  return over.length > 0 ? Math.max(...over.map(({ until }) => until)) : null
}

/**
 * Returns a function of a monitor in this chat: until when its notices are held back unless critical. Null while
 * they are not held back.
 */
export function restIn(
  drawers: Pick<Memory, 'people' | 'silences'>,
  chatId: number,
  now: number,
): (monitor: MonitorId) => number | null {
  const quiet = quietUntil(drawers, chatId, now)
  return (monitor) => {
    const muted = mutedUntil(drawers, monitor, now)
    return quiet === null || muted === null ? (quiet ?? muted) : Math.max(quiet, muted)
  }
}

/** Suppresses notices that are not critical during quiet hours and mutes. The states that were judged stay. */
export function suppress(look: EvaluationContext, turn: DecidedTurn): DecidedTurn {
  const {
    people: { chats },
    silences: { mutesIn, suppressedIn },
  } = look.memory
  const decisions = turn.decisions.map((decision) => {
    const { chatId } = decision
    const restful =
      chats.get(chatId)?.quiet || mutesIn.of(chatId).size > 0 || suppressedIn.of(chatId).size > 0
    return restful ? rested(look, decision) : decision
  })
  return { ...turn, decisions }
}

function rested({ memory, now }: EvaluationContext, decision: Decision): Decision {
  const effects: Effect[] = [...decision.effects]
  const said: Notice[] = []
  const backs = new Set<number>()
  const resting = quietUntil(memory, decision.chatId, now) !== null
  const heldUntil = restIn(memory, decision.chatId, now)
  for (const one of decision.notices) {
    const [alertId] = one.alertIds
    // Notices in a summary were held back already.
    if (alertId === undefined || one.reason === 'summary') {
      said.push({ ...one, quiet: one.quiet || (resting && one.severity !== 'critical') })
      continue
    }
    const before = memory.silences.suppressedIn.of(decision.chatId).get(alertId)
    const until = one.severity === 'critical' ? null : heldUntil(one.of ?? monitorOf(one.about))
    const over = one.ends ?? (OVER.has(one.reason) ? alertId : null)
    const owed = over === null ? !before && OWED.has(one.reason) : wasTold(memory, decision.chatId, over)
    if (until === null || owed) {
      if (before) effects.push({ is: 'suppressed-gone', chatId: decision.chatId, alertId })
      said.push({ ...one, quiet: one.quiet || until !== null })
      continue
    }
    backs.add(alertId)
    effects.push({
      is: 'suppressed',
      held: before ? heldStill(before, one) : heldNew(decision.chatId, one, now),
    })
  }
  const steps = decision.steps.map((step) =>
    backs.has(step.alertId) ? { ...step, what: `${step.what}, held back` } : step,
  )
  return { ...decision, effects, notices: said, steps }
}

/** Whether people know of an alert that fires: if anything of it is held back, then only what came after. */
function wasTold(
  { silences: { suppressedIn }, monitors: { firing, states } }: Pick<Memory, 'monitors' | 'silences'>,
  chatId: number,
  alertId: number,
): boolean {
  const held = suppressedIn.of(chatId).get(alertId)
  const state = states.get(firing.get(alertId) ?? '')?.state
  return !held || (state?.is === 'firing' && state.since !== held.at)
}

/** An easing or an end leaves the first held back notice as it was; any other notice replaces it. */
function heldStill(before: Suppressed, said: Notice): Suppressed {
  if (OWED.has(said.reason)) return { ...before, over: said.reason !== 'better' }
  return heldNew(before.chatId, said, before.at)
}

function heldNew(
  chatId: number,
  { about, of, alertIds, severity, item: one }: Notice,
  at: number,
): Suppressed {
  const [alertId = 0] = alertIds
  const subject = of ? monitorKey(of) : about
  return { chatId, alertId, about: subject, at, severity, title: one.title, over: false }
}

/** When something of a chat's rest is over: a function of the present. Null when nothing is held back or muted there. */
export function quietPeriodEnd(
  drawers: Pick<Memory, 'people' | 'silences'>,
  chatId: number,
  now: number,
): number | null {
  const until = restIn(drawers, chatId, now)
  const ends = [
    ...[...drawers.silences.mutesIn.of(chatId).values()].map((mute) => mute.until),
    ...[...drawers.silences.suppressedIn.of(chatId).values()].map(
      ({ about }) => until(monitorOf(about)) ?? now,
    ),
  ]
  return ends.length > 0 ? Math.min(...ends) : null
}

/** The chat whose rest an effect changes; null for none. */
export function chatOfQuietEffect(effect: Effect): number | null {
  if (effect.is === 'mute') return effect.mute.chatId
  if (effect.is === 'suppressed') return effect.held.chatId
  if (effect.is === 'chat') return effect.chat.id
  const ends = effect.is === 'mute-gone' || effect.is === 'suppressed-gone' || effect.is === 'chat-gone'
  return ends ? effect.chatId : null
}
