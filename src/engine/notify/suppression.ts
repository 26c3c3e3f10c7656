import { type GuardId, guardKey, guardOf } from '../../alert/monitor.ts'
import { between, minuteOfDay, nextTime } from '../../lib/time/daytime.ts'
import { type Held, mutes } from '../../people/mute.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { Look } from '../monitors/context.ts'
import type { Decision, Said } from '../monitors/decision.ts'

/** What tells that something told before is better or over is owed to whoever was told, and does not ring. */
const OWED: ReadonlySet<string> = new Set(['better', 'cleared', 'ended'])
const OVER: ReadonlySet<string> = new Set(['cleared', 'ended'])

/** Until when what is not critical is held back in a chat; null while it is not. */
export function quietUntil({ chats, persons }: Memory, chatId: number, now: number): number | null {
  const chat = chats.get(chatId)
  const zone = persons.get(chat?.personId ?? 0)?.zone ?? 'UTC'
  if (!chat?.quiet || !between(minuteOfDay(now, zone), chat.quiet)) return null
  return nextTime(chat.quiet.to, now, zone)
}

function mutedUntil({ mutesIn }: Memory, guard: GuardId, now: number): number | null {
  const over = [...mutesIn.of(guard.chatId).values()].filter(
    ({ of, until }) => until > now && mutes(of, guard),
  )
  return over.length > 0 ? Math.max(...over.map(({ until }) => until)) : null
}

/** Until when nothing of a chat's guards rings that is not critical, for any of them; null while it does. */
export function restIn(memory: Memory, chatId: number, now: number): (guard: GuardId) => number | null {
  const quiet = quietUntil(memory, chatId, now)
  return (guard) => {
    const muted = mutedUntil(memory, guard, now)
    return quiet === null || muted === null ? (quiet ?? muted) : Math.max(quiet, muted)
  }
}

/** Takes out of what was decided whatever is not critical and not wanted now. What was judged stays. */
export function heldBack(look: Look, decisions: readonly Decision[]): Decision[] {
  const { chats, mutesIn, heldIn } = look.memory
  return decisions.map((decision) => {
    const { chatId } = decision
    const restful = chats.get(chatId)?.quiet || mutesIn.of(chatId).size > 0 || heldIn.of(chatId).size > 0
    return restful ? rested(look, decision) : decision
  })
}

function rested({ memory, now }: Look, decision: Decision): Decision {
  const effects: Effect[] = [...decision.effects]
  const said: Said[] = []
  const backs = new Set<number>()
  const resting = quietUntil(memory, decision.chatId, now) !== null
  const heldUntil = restIn(memory, decision.chatId, now)
  for (const one of decision.said) {
    const [alertId] = one.alertIds
    // What is summed up was held back already.
    if (alertId === undefined || one.reason === 'summed') {
      said.push({ ...one, quiet: one.quiet || (resting && one.severity !== 'critical') })
      continue
    }
    const before = memory.heldIn.of(decision.chatId).get(alertId)
    const until = one.severity === 'critical' ? null : heldUntil(one.of ?? guardOf(one.about))
    const over = one.ends ?? (OVER.has(one.reason) ? alertId : null)
    const owed = over === null ? !before && OWED.has(one.reason) : wasTold(memory, decision.chatId, over)
    if (until === null || owed) {
      if (before) effects.push({ is: 'held-gone', chatId: decision.chatId, alertId })
      said.push({ ...one, quiet: one.quiet || until !== null })
      continue
    }
    backs.add(alertId)
    effects.push({ is: 'held', held: before ? heldStill(before, one) : heldNew(decision.chatId, one, now) })
  }
  const steps = decision.steps.map((step) =>
    backs.has(step.alertId) ? { ...step, what: `${step.what}, held back` } : step,
  )
  return { ...decision, effects, said, steps }
}

/** Whether people know of an alert that fires: if anything of it is held back, then only what came after. */
function wasTold({ heldIn, firing, states }: Memory, chatId: number, alertId: number): boolean {
  const held = heldIn.of(chatId).get(alertId)
  const state = states.get(firing.get(alertId) ?? '')?.state
  return !held || (state?.is === 'firing' && state.since !== held.at)
}

/** What got better or is over was first held back as it was then; anything else is the latest of it. */
function heldStill(before: Held, said: Said): Held {
  if (OWED.has(said.reason)) return { ...before, over: said.reason !== 'better' }
  return heldNew(before.chatId, said, before.at)
}

function heldNew(chatId: number, { about, of, alertIds, severity, item: one }: Said, at: number): Held {
  const [alertId = 0] = alertIds
  const subject = of ? guardKey(of) : about
  return { chatId, alertId, about: subject, at, severity, title: one.title, over: false }
}

/** When something of a chat's rest is over: a function of the present. Null when nothing is held back or muted there. */
export function restOver(memory: Memory, chatId: number, now: number): number | null {
  const until = restIn(memory, chatId, now)
  const ends = [
    ...[...memory.mutesIn.of(chatId).values()].map((mute) => mute.until),
    ...[...memory.heldIn.of(chatId).values()].map(({ about }) => until(guardOf(about)) ?? now),
  ]
  return ends.length > 0 ? Math.min(...ends) : null
}

/** The chat whose rest an effect changes; null for none. */
export function restOf(effect: Effect): number | null {
  if (effect.is === 'mute') return effect.mute.chatId
  if (effect.is === 'held') return effect.held.chatId
  if (effect.is === 'chat') return effect.chat.id
  const ends = effect.is === 'mute-gone' || effect.is === 'held-gone' || effect.is === 'chat-gone'
  return ends ? effect.chatId : null
}
