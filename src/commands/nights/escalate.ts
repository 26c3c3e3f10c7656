import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { type Command, command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type Button, item, type Message, message, say, type Text, text } from '../../message/message.ts'
import { called } from '../../people/delegation.ts'
import {
  afterText,
  type EscalationStep,
  escalationTroubles,
  REPEATED_AFTER_MIN,
  typedAfter,
} from '../../people/escalation.ts'
import type { Step } from '../../people/person.ts'
import { type Named, unansweredFor } from '../shared/places.ts'
import { delegateCalled } from './people.ts'

/** In addition to the first chat and the fallback. A longer list wakes nobody sooner. */
const MAX_STEPS = 5
const MINUTE_MS = 60_000

/** Sets who else gets unacknowledged critical alerts: destinations and people, each after some minutes. */
export function escalateCommand(named: readonly Named[]): Command {
  const place = named[0]?.name ?? 'terminal'
  return command({
    name: 'escalate',
    summary: "Who else if you don't answer",
    examples: ['/escalate', `/escalate ${place} 3m`, '/escalate @bob 15m', '/escalate @bob none'],
    args: z.object({
      to: argument.text('a platform, or @somebody who has agreed').optional(),
      after: argument.duration().optional(),
      when: argument.choice(['now', 'none'], 'now or none').optional(),
    }),
    async run(context, { to, after, when }) {
      if (to === undefined) return list(context)
      const left = when === 'none' ? goneFrom(context, to) : []
      if (left.length > 0) return without(context, { to: left, name: to, reference: to })
      const target = targetOf(context, to, named, typed(after, when))
      if ('refused' in target) return target.refused
      if (when === 'none') return without(context, target)
      if (when === undefined && after === undefined) return howSoon(target)
      const from = when === 'now' ? 0 : REPEATED_AFTER_MIN.findIndex((many) => many * MINUTE_MS === after)
      return from < 0 ? nearestTo(after ?? 0, target) : put(context, target, from)
    },
  })
}

/** The target of a line, and its name there. */
interface Target {
  to: readonly Step['to'][] | 'fallback'
  name: string
  reference: string
}

/** Listed people of this name whose delegation has ended. */
function goneFrom({ person, view }: Context, typedTo: string): Step['to'][] {
  const delegates = view.delegates(person.id)
  const named = person.steps.flatMap(({ to }) => (to.is === 'person' ? [{ ...to, id: to.personId }] : []))
  const gone = named.filter(({ id }) => delegates.every(({ delegateId }) => delegateId !== id))
  return called(gone, typedTo).map(({ personId, name }) => ({ is: 'person', personId, name }))
}

function typed(after: number | undefined, when: string | undefined): string {
  if (when !== undefined) return ` ${when}`
  return after === undefined ? '' : ` ${Math.round(after / MINUTE_MS)}m`
}

function targetOf(
  context: Context,
  typedTo: string,
  named: readonly Named[],
  end: string,
): Target | { refused: Message } {
  const { person, view } = context
  const own = view.chats(person.id).filter((chat) => chat.private)
  const platform = typedTo.trim().toLowerCase()
  const chat = own.find(({ address }) => address.platform === platform)
  if (!chat) {
    if (named.some(({ name }) => name === platform))
      return { refused: say(`You have named nothing on ${platform} yet: /settings ${platform}`) }
    const found = delegateCalled(context, typedTo, '/escalate', end)
    if ('refused' in found) return found
    const { delegateId, delegateName } = found.delegation
    const to = { is: 'person', personId: delegateId, name: delegateName } as const
    return { to: [to], name: `@${delegateName}`, reference: `P${delegateId}` }
  }
  if (chat.id === view.escalation(person.id).first?.id)
    return { refused: say(`You are told on ${platform} first, at once, and each time it is said again`) }
  const to = chat.id === person.fallbackChat ? 'fallback' : [{ is: 'chat', chatId: chat.id } as const]
  return { to, name: platform, reference: platform }
}

async function put(context: Context, { to, name }: Target, from: number): Promise<Message> {
  const { person, change, view } = context
  if (to !== 'fallback' && others(person.steps, to).length >= MAX_STEPS)
    return say(`Your list has ${MAX_STEPS} steps, which is the most. /escalate shows them.`)
  const chosen =
    to === 'fallback'
      ? { escalateFrom: from }
      : { steps: [...others(person.steps, to), ...to.map((one) => ({ to: one, from }))] }
  const { refused } = await change({ is: 'settings', personId: person.id, to: chosen })
  if (refused !== null) return say(refused)
  return message([
    item('plain', `What is critical goes to ${name} as well, ${unansweredFor(from)}`, [
      ...escalationTroubles(view.escalation(person.id)),
      'To hear it ring: /drill',
    ]),
  ])
}

async function without({ person, change, view }: Context, { to, name }: Target): Promise<Message> {
  if (to === 'fallback') {
    return say(
      `${name} is your fallback, which is always told in the end: /settings fallback none ends that`,
      `Later than now: /escalate ${name} ${typedAfter(REPEATED_AFTER_MIN.length - 1)}`,
    )
  }
  const steps = others(person.steps, to)
  if (steps.length === person.steps.length) return say(`${name} is not in your list. /escalate shows it.`)
  const { refused } = await change({ is: 'settings', personId: person.id, to: { steps } })
  return say(
    refused ?? `What is critical does not go to ${name} any more`,
    ...escalationTroubles(view.escalation(person.id)),
  )
}

function others(steps: readonly Step[], to: readonly Step['to'][]): Step[] {
  const key = (of: Step['to']) => (of.is === 'chat' ? `chat ${of.chatId}` : `person ${of.personId}`)
  const named = new Set(to.map(key))
  return steps.filter((step) => !named.has(key(step.to)))
}

/** Critical alerts are repeated at these times only. */
function nearestTo(ms: number, { name, reference }: Target): Message {
  const far = (minutes: number) => Math.abs(minutes * MINUTE_MS - ms)
  const all = REPEATED_AFTER_MIN.map((minutes, from) => ({ minutes, from }))
  const [first, second] = all.toSorted((a, b) => far(a.minutes) - far(b.minutes))
  const near = [first, second].flatMap((one) => one ?? []).toSorted((a, b) => a.from - b.from)
  const known = all.map(({ from }) => typedAfter(from)).join(', ')
  return message(
    [item('plain', `Reminders come after 1, 3, 7, 15 and 31 minutes. ${name} can join at ${known}`)],
    { buttons: near.map(({ from }) => timeButton(reference, from)) },
  )
}

function howSoon({ name, reference }: Target): Message {
  return message(
    [
      item('plain', `When does what is critical go to ${name} as well?`, [
        'Counted until somebody acknowledges.',
      ]),
    ],
    { buttons: REPEATED_AFTER_MIN.map((_, from) => timeButton(reference, from)) },
  )
}

function timeButton(reference: string, from: number): Button {
  return { label: typedAfter(from), line: `/escalate ${reference} ${typedAfter(from)}`, replace: true }
}

function list({ person, view }: Context): Message {
  const escalation = view.escalation(person.id)
  const first = escalation.first ? [`${escalation.first.address.platform}: at once`] : []
  const lines = escalation.steps.map(stepLine)
  const handovers = view.delegates(person.id).flatMap(({ delegateName, handoverUntil }): Text[] => {
    if (handoverUntil === null) return []
    return [text`@${delegateName}: at once, until ${{ time: handoverUntil, as: 'clock' }} (/handover)`]
  })
  const waiting = view
    .delegates(person.id)
    .filter(({ delegateId }) => escalation.steps.every((step) => step.delegateId !== delegateId))
    .map(
      ({ delegateName }) =>
        `@${delegateName} has agreed, and is not in your list: /escalate @${delegateName} 15m`,
    )
  return message([
    item('plain', 'Who is told of what is critical, until somebody acknowledges it', [
      ...first,
      ...handovers,
      ...lines,
      ...waiting,
      ...escalationTroubles(escalation),
      ...(view.delegates(person.id).length === 0 ? ['To add somebody who agrees: /agree ask'] : []),
    ]),
  ])
}

function stepLine({ name, from, isFallback, chats, delegateId }: EscalationStep): string {
  const where = delegateId === null ? '' : ` on ${chats.map(({ address }) => address.platform).join(', ')}`
  const what = isFallback ? ' (fallback)' : chats.length > 0 ? where : ''
  return `${name}${what}: ${afterText(from)}${chats.length === 0 ? ', REACHES NOBODY' : ''}`
}
