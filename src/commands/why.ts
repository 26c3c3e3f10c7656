import { z } from 'zod'

import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { percent } from '../lib/format.ts'
import { age, item, message, say } from '../message.ts'
import type { Text } from '../message.ts'
import type { TrailStep } from '../store.ts'

const SHOWN = 9

/** Shows an alert's trail: what was seen, how old it was, when it was queued and sent. */
export default command({
  name: 'why',
  summary: 'shows why an alert fired and what became of its messages',
  examples: ['/why A1'],
  args: z.object({ alert: argument.alert() }),
  async run({ person, recall }, { alert: id }) {
    const alert = await recall.alert(id)
    if (alert?.personId !== person.id) return say(`You have no alert A${id}. /history lists the last ones.`)
    const trail = await recall.trail(id)
    const head = item('plain', alert.title, [
      [`R${alert.ruleId} ${alert.kind}, since `, { time: alert.openedAt, as: 'clock' }],
      alert.closedAt === null ? 'still open' : ['ended ', { time: alert.closedAt, as: 'clock' }],
    ])
    const dropped = trail.length > SHOWN ? [`${trail.length - SHOWN} earlier steps are left out`] : []
    return message([head, ...trail.slice(-SHOWN).map(stepItem)], { footnote: dropped[0] ?? null })
  },
})

function stepItem(step: TrailStep) {
  const value =
    step.value === null ? '' : `value ${Math.abs(step.value) < 10 ? percent(step.value) : step.value}`
  const lines: Text[] = [
    [value, step.threshold].filter((part) => part !== '').join(', threshold '),
    `data ${age(step.at - step.dataAt)} old when judged`,
    became(step),
  ].filter((line) => line !== '')
  return item('plain', [{ time: step.at, as: 'clock' }, ` ${step.what}`], lines)
}

function became({ outcome, queuedAt, sentAt, attempts, possibleRepeat, at }: TrailStep): string {
  const repeat = possibleRepeat ? ', marked as a possible repeat' : ''
  const tries = attempts > 1 ? ` after ${attempts} attempts` : ''
  switch (outcome) {
    case null:
      return 'nothing was said'
    case 'sent':
      return `queued ${ms(at, queuedAt)}, sent ${ms(at, sentAt)} after detection${tries}${repeat}`
    case 'waiting':
      return `waiting to be sent${attempts > 0 ? `, ${attempts} attempts so far` : ''}`
    case 'parked':
      return `could not be sent${tries}`
    case 'expired':
      return 'too old by the time it could be sent'
    default:
      throw new Error(`no such outcome: ${String(outcome)}`)
  }
}

function ms(from: number, to: number | null): string {
  return to === null ? '?' : `${Math.max(to - from, 0)} ms`
}
