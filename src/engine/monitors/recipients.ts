import { monitorOf } from '../../alert/monitor.ts'
import { bounded } from '../../message/fit.ts'
import { type Item, item, type Text, text, words } from '../../message/message.ts'
import type { Memory } from '../memory/memory.ts'
import { fallbackOf } from '../memory/people.ts'
import { nameOfSubject } from './subjects.ts'

/** A chat that is told of an alert beside the alert's own. */
export interface Recipient {
  chatId: number
  /** By which name they know whose alert it is; null where it is their own. */
  whose: string | null
}

/**
 * The chats that a firing alert was escalated to, and that may hear more of it: not those whose delegation
 * has ended.
 */
export function recipientsOf(drawers: Pick<Memory, 'people' | 'monitors'>, alertId: number): Recipient[] {
  const personId = personOfAlert(drawers, alertId)
  return [...(drawers.monitors.escalatedTo.get(alertId) ?? [])].flatMap((chatId): Recipient[] => {
    const told = drawers.people.chats.get(chatId)?.personId
    if (told === undefined || personId === null) return []
    if (told === personId) return [{ chatId, whose: null }]
    const delegation = drawers.people.delegatesOf.of(personId).get(told)
    return delegation ? [{ chatId, whose: delegation.name }] : []
  })
}

/**
 * The chats that were told of a firing alert, its own chat or the fallback first. Chats where it is held back
 * are left out.
 */
export function chatsToldOf(
  drawers: Pick<Memory, 'people' | 'monitors' | 'silences' | 'run'>,
  alertId: number,
): number[] {
  const {
    people: { chats },
    monitors: { firing },
    silences: { suppressedIn },
  } = drawers
  const key = firing.get(alertId)
  if (key === undefined) return []
  const { chatId } = monitorOf(key)
  const own = suppressedIn.of(chatId).has(alertId) ? [] : [fallbackOf(drawers, chatId)]
  const others = recipientsOf(drawers, alertId).map((hearer) => hearer.chatId)
  return [...new Set([...own, ...others])].filter((to) => chats.has(to) && !suppressedIn.of(to).has(alertId))
}

/**
 * The name by which the recipient knows the alert's person; null where the alert is their own, or the chat's.
 */
export function onBehalfOf(
  drawers: Pick<Memory, 'people' | 'monitors'>,
  alertId: number,
  chatId: number,
): string | null {
  return recipientsOf(drawers, alertId).find((one) => one.chatId === chatId)?.whose ?? null
}

function personOfAlert(
  { monitors: { firing }, people: { chats } }: Pick<Memory, 'people' | 'monitors'>,
  alertId: number,
): number | null {
  const key = firing.get(alertId)
  return key === undefined ? null : (chats.get(monitorOf(key).chatId)?.personId ?? null)
}

/** Tells that an alert is over, where no other notice tells its end. */
export function overItem(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'wallets' | 'markets'>,
  alertId: number,
  line: Text,
): Item {
  const key = drawers.monitors.firing.get(alertId)
  const name = key && nameOfSubject(drawers, monitorOf(key).subject, personOfAlert(drawers, alertId) ?? 0)
  if (!name) return item('good', words('change.over-alone.title', { alert: alertId }), [line])
  return { ...item('good', words('change.over.title', { name }), [line]), alertId }
}

/** The commands that people may use on another person's alert. */
const OF_OTHERS = /^\/(?:ack|snooze|why) /

/**
 * An alert in the words in which its person is told of it, for somebody else. Nobody takes another's
 * position for their own, and nobody sees more of them than the alert.
 */
export function forAnother(item: Item, whose: string): Item {
  const buttons = item.buttons.filter(({ line }) => OF_OTHERS.test(line))
  return bounded({ ...item, title: text`${`for ${whose}: `}${item.title}`, buttons })
}
