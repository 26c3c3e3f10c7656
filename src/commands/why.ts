import { z } from 'zod'

import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { findKind } from '../alert.ts'
import type { Kind } from '../alert.ts'
import { age, plain } from '../figure.ts'
import { item, joined, message, say, text } from '../message.ts'
import type { Text } from '../message.ts'
import type { TrailStep } from '../trail.ts'
import { walletName } from './words/wallets.ts'

const SHOWN = 9

/** Shows an alert's trail: what was seen, how old it was, when it was queued and sent. */
export default command({
  name: 'why',
  summary: 'shows why an alert fired and what became of its messages',
  examples: ['/why A1'],
  audience: 'bound',
  args: z.object({ alert: argument.alert() }),
  async run({ person, chat, recall, view, kinds }, { alert: id }) {
    const alert = await recall.alert(id)
    // What was told in a bound chat may be asked about there.
    const mine = alert !== null && (alert.personId === person.id || alert.chatId === chat?.id)
    if (!mine || (chat?.private === false && alert.chatId !== chat.id))
      return say(`You have no alert A${id}. /history lists the last ones.`)
    const trail = await recall.trail(id)
    const { subject } = alert
    const wallet = subject.is === 'market' ? '' : ` · ${walletName(subject.owner, view.watches(person.id))}`
    const head = item('plain', `${alert.title}${wallet}`, [
      [
        `${alert.ruleIds.map((id) => `R${id}`).join(', ')} ${alert.kind}, since `,
        { time: alert.openedAt, as: 'clock' },
      ],
      alert.closedAt === null ? 'still open' : ['ended ', { time: alert.closedAt, as: 'clock' }],
    ])
    const dropped = trail.length > SHOWN ? [`${trail.length - SHOWN} earlier steps are left out`] : []
    return message(
      [head, ...trail.slice(-SHOWN).map((step) => stepItem(step, findKind(kinds, alert.kind)))],
      { footnote: dropped[0] ?? null },
    )
  },
})

function stepItem(step: TrailStep, kind: Kind | undefined) {
  // A kind may have gone with the version that knew it.
  const figure = (value: number) => kind?.figure(value) ?? [plain(value)]
  const value = step.value === null ? '' : text`value ${figure(step.value)}`
  const lines: Text[] = [
    joined(
      [value, step.threshold].filter((part) => part !== ''),
      ', threshold ',
    ),
    // A copy rests on no reading of its own.
    step.reason === 'notice' ? '' : text`data ${age(step.at - step.dataAt)} old when judged`,
    became(step),
  ].filter((line) => line !== '')
  return item('plain', [{ time: step.at, as: 'clock' }, ` ${happened(step)}`], lines)
}

/** `worse: 10 % line → 5 % line`; what an event is says it all. */
function happened({ reason, what }: TrailStep): string {
  return reason === null || reason === 'happened' || reason === 'notice' ? what : `${reason}: ${what}`
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
