import { findKind } from '../alert.ts'
import type { Kind } from '../alert.ts'
import { guardOf } from '../guard.ts'
import type { GuardId } from '../guard.ts'
import { between, minuteOfDay, nextTime } from '../lib/daytime.ts'
import { bounded, item } from '../message.ts'
import type { Button, Item } from '../message.ts'
import { mutedKey, mutes } from '../quiet.ts'
import type { Held } from '../quiet.ts'
import { silent } from './decision.ts'
import type { Decision, Said } from './decision.ts'
import type { Effect } from './effect.ts'
import { guardNamed } from './guards.ts'
import type { Look } from './look.ts'
import type { Memory } from './memory.ts'
import { present } from './present.ts'

/** With their head they are one message; the rest is in /history. */
const SUMMED = 9
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

/** Until when nothing of a guard rings that is not critical; null while it does. */
export function heldUntil(memory: Memory, guard: GuardId, now: number): number | null {
  const ends = [quietUntil(memory, guard.chatId, now), mutedUntil(memory, guard, now)]
  return ends.reduce((latest, end) => (end === null ? latest : Math.max(end, latest ?? 0)), null)
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
  for (const one of decision.said) {
    const [alertId] = one.alertIds
    if (alertId === undefined) {
      const resting = quietUntil(memory, decision.chatId, now) !== null
      said.push({ ...one, quiet: one.quiet || (resting && one.severity !== 'critical') })
      continue
    }
    const before = memory.heldIn.of(decision.chatId).get(alertId)
    const until = one.severity === 'critical' ? null : heldUntil(memory, guardOf(one.about), now)
    const over = one.ends ?? (OVER.has(one.reason) ? alertId : null)
    const owed = over === null ? !before && OWED.has(one.reason) : wasTold(memory, decision.chatId, over)
    if (until === null || owed) {
      if (before) effects.push({ is: 'held-gone', chatId: decision.chatId, alertId })
      said.push({ ...one, quiet: one.quiet || until !== null })
      continue
    }
    backs.add(alertId)
    effects.push({ is: 'held', held: heldOf(decision.chatId, alertId, one, before, now) })
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

function heldOf(chatId: number, alertId: number, said: Said, before: Held | undefined, now: number): Held {
  const { about, severity, item: one, reason } = said
  if (before && OWED.has(reason)) return { ...before, over: reason !== 'better' }
  return { chatId, alertId, about, at: before?.at ?? now, severity, title: one.title, over: false }
}

/** When something of a chat's rest is over: a function of the present. Null when nothing is held back or muted there. */
export function restOver(memory: Memory, chatId: number, now: number): number | null {
  const ends = [
    ...[...memory.mutesIn.of(chatId).values()].map(({ until }) => until),
    ...[...memory.heldIn.of(chatId).values()].map(
      ({ about }) => heldUntil(memory, guardOf(about), now) ?? now,
    ),
  ]
  return ends.length > 0 ? Math.min(...ends) : null
}

/** What was held back and may be said now, as one message: what still stands, what is over, what has happened. */
export function sumUp(look: Look, chatId: number): Decision {
  const { memory, now, kinds } = look
  const over = [...memory.mutesIn.of(chatId).values()].filter(({ until }) => until <= now)
  const free = [...memory.heldIn.of(chatId).values()].filter(
    ({ about }) => heldUntil(memory, guardOf(about), now) === null,
  )
  const decision = silent(chatId, [
    ...over.map(({ of }): Effect => ({ is: 'mute-gone', chatId, of: mutedKey(of) })),
    ...free.map(({ alertId }): Effect => ({ is: 'held-gone', chatId, alertId })),
  ])
  const stands = free.filter(({ alertId }) => memory.firing.has(alertId))
  if (free.length === 0) return decision
  const severity = stands.some((one) => one.severity !== 'info') ? 'warning' : 'info'
  const shared = { reason: 'summed', severity, quiet: stands.length === 0 } as const
  const items = summary(free, new Set(stands), kinds)
  items.forEach(({ item: one, alertIds }, order) => {
    const [alertId = 0] = alertIds
    // The head names the alerts that there is no room for.
    const buttons = order === 0 ? [] : buttonsNow(look, alertId)
    const told = { ...bounded(one), buttons }
    decision.said.push({ ...shared, item: told, order, alertIds, about: `rest/${chatId}` })
  })
  return decision
}

/** What can be done about an alert that still fires. */
function buttonsNow(look: Look, alertId: number): Button[] {
  const key = look.memory.firing.get(alertId)
  const guard = key === undefined ? null : guardNamed(look, guardOf(key))
  return (guard && present(look, guard)?.item.buttons) ?? []
}

function summary(
  free: readonly Held[],
  stands: ReadonlySet<Held>,
  kinds: readonly Kind[],
): { item: Item; alertIds: number[] }[] {
  const sorted = [...free].sort((a, b) => Number(stands.has(b)) - Number(stands.has(a)) || a.at - b.at)
  const many = free.length === 1 ? '1 alert' : `${free.length} alerts`
  const standing = stands.size === 0 ? 'nothing of it stands now' : `${stands.size} still so`
  const more = free.length > SUMMED ? [`and ${free.length - SUMMED} more: /history`] : []
  const head = item(stands.size > 0 ? 'warning' : 'info', `While it was quiet: ${many}, ${standing}`, more)
  const told = sorted.slice(0, SUMMED).map((one) => {
    const happened = findKind(kinds, guardOf(one.about).kind)?.is === 'event'
    const how = stands.has(one) ? 'still so' : happened ? 'it has happened' : 'over'
    const tone = stands.has(one) ? one.severity : happened ? 'info' : 'good'
    return {
      item: item(tone, one.title, [[{ time: one.at, as: 'clock' }, `, ${how}`]]),
      alertIds: [one.alertId],
    }
  })
  return [{ item: head, alertIds: sorted.slice(SUMMED).map(({ alertId }) => alertId) }, ...told]
}

/** The chat whose rest an effect changes; null for none. */
export function restOf(effect: Effect): number | null {
  if (effect.is === 'mute') return effect.mute.chatId
  if (effect.is === 'held') return effect.held.chatId
  if (effect.is === 'chat') return effect.chat.id
  const ends = effect.is === 'mute-gone' || effect.is === 'held-gone' || effect.is === 'chat-gone'
  return ends ? effect.chatId : null
}
