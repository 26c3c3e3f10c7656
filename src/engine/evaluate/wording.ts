import type { Alert, Severity } from '../../alert/alert.ts'
import { marketIn } from '../../alert/subject-id.ts'
import type { Subject } from '../../alert/subject.ts'
import { bounded } from '../../message/fit.ts'
import {
  type Button,
  type Item,
  ITEM_CODE_POINTS,
  plainText,
  type Text,
  written,
} from '../../message/message.ts'
import { GUEST, languageOfPerson } from '../../people/person.ts'
import type { Effect } from '../memory/effect.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import type { Monitor } from '../monitors/monitors.ts'

/** Null where no market's figures bear on it. */
export function marketOf({ id: { subject } }: Monitor): string | null {
  return marketIn(subject)
}

/** The item of an alert. Where it can be acknowledged, a place for that is kept. */
export function named(told: Item, alertId: number, buttons: Button[] = []): Item {
  const asks = buttons.some(({ line }) => line === `/ack A${alertId}`)
  return bounded({ ...told, alertId, ...(asks ? { note: '' } : {}), buttons }, ITEM_CODE_POINTS)
}

export function alertRef({ id, rules }: Monitor, alertId: number) {
  return { alertId, chatId: id.chatId, personId: rules[0].personId }
}

/** The words as the history keeps them: in the recipient's present language and style of numbers. */
export function plainForHistory({ memory, now }: EvaluationContext, { rules }: Monitor, words: Text): string {
  const person = memory.people.persons.get(rules[0].personId) ?? GUEST
  const language = languageOfPerson(person)
  return plainText(written(words, person.numbers, language), { now, zone: 'UTC', language })
}

export function alertWrite(
  look: EvaluationContext,
  monitor: Monitor,
  alertId: number,
  item: Item,
  severity: Severity,
  over: Pick<Alert, 'closedAt' | 'closing'> = { closedAt: null, closing: null },
): Effect {
  const alert: Alert = {
    ...monitor.id,
    id: alertId,
    ruleIds: monitor.rules.map((rule) => rule.id),
    personId: monitor.rules[0].personId,
    // Lists of alerts show it beside the titles that earlier versions have stored.
    title: `${plainForHistory(look, monitor, item.title)} (A${alertId})`,
    severity,
    openedAt: look.now,
    ...over,
  }
  return { is: 'alert', alert }
}

/** Wall time of the oldest reading that the judgement rests on. */
export function oldest(subject: Subject): number {
  if (subject.is === 'market') return subject.marketAt
  if (subject.is === 'venue') return subject.marketsAt
  if (subject.is === 'account') return subject.accountAt
  const positionAt = Math.min(subject.positionAt, subject.ordersAt ?? Infinity)
  if (subject.is === 'wallet') return Math.min(positionAt, subject.twaps?.at ?? Infinity)
  return Math.min(subject.marketAt, positionAt)
}
