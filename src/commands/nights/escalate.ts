import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { type Command, command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import {
  type Button,
  item,
  joined,
  type Message,
  message,
  say,
  type Text,
  text,
  words,
} from '../../message/message.ts'
import { asking } from '../../message/question.ts'
import { called } from '../../people/delegation.ts'
import {
  afterLabel,
  afterText,
  type EscalationStep,
  escalationTroubles,
  REPEATED_AFTER_MIN,
  typedAfter,
  unansweredFor,
} from '../../people/escalation.ts'
import type { Step } from '../../people/person.ts'
import type { Named } from '../shared/places.ts'
import { askSomebody, delegateCalled } from './people.ts'

/** In addition to the first chat and the fallback. A longer list wakes nobody sooner. */
const MAX_STEPS = 5
const MINUTE_MS = 60_000

/** Sets who else gets unacknowledged critical alerts: destinations and people, each after some minutes. */
export function escalateCommand(named: readonly Named[]): Command {
  const place = named[0]?.name ?? 'terminal'
  return command({
    name: 'escalate',
    summary: words('menu.escalate'),
    examples: ['/escalate', `/escalate ${place} 3m`, '/escalate @bob 15m', '/escalate @bob none'],
    args: z.object({
      to: argument.text(words('escalate.to.asks')).optional(),
      after: argument.duration(words('arg.escalate.after')).optional(),
      when: argument.choice(['now', 'none'], words('escalate.when.asks')).optional(),
    }),
    async run(context, { to, after, when }) {
      if (to === undefined) return list(context, named)
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
      return {
        refused: answer(words('escalate.unnamed', { platform }), [button('name', `/settings ${platform}`)]),
      }
    const found = delegateCalled(context, typedTo, '/escalate', end)
    if ('refused' in found) return found
    const { delegateId, delegateName } = found.delegation
    const to = { is: 'person', personId: delegateId, name: delegateName } as const
    return { to: [to], name: `@${delegateName}`, reference: `P${delegateId}` }
  }
  if (chat.id === view.escalation(person.id).first?.id)
    return { refused: say(words('escalate.first', { platform })) }
  const to = chat.id === person.fallbackChat ? 'fallback' : [{ is: 'chat', chatId: chat.id } as const]
  return { to, name: platform, reference: platform }
}

async function put(context: Context, { to, name }: Target, from: number): Promise<Message> {
  const { person, change } = context
  if (to !== 'fallback' && others(person.steps, to).length >= MAX_STEPS)
    return answer(words('escalate.full', { most: String(MAX_STEPS) }), [button('list', '/escalate')])
  const chosen =
    to === 'fallback'
      ? { escalateFrom: from }
      : { steps: [...others(person.steps, to), ...to.map((one) => ({ to: one, from }))] }
  const { refused } = await change({ is: 'settings', personId: person.id, to: chosen })
  if (refused !== null) return say(refused)
  return from === 0
    ? reached(context, words('escalate.set.at-once', { name }))
    : reached(context, words('escalate.set', { name, when: unansweredFor(from) }))
}

/** Says what was done, with the worst trouble. The others are counted. */
function reached({ person, view }: Context, done: Text): Message {
  const [first, ...more] = escalationTroubles(view.escalation(person.id))
  const lines = [
    ...(first === undefined ? [] : [text`⚠ ${first}`]),
    ...(more.length === 0 ? [] : [words('escalate.more', { n: String(more.length) })]),
  ]
  return answer(done, [button('test', '/drill'), button('list', '/escalate')], lines)
}

function answer(title: Text, buttons: Button[], lines: Text[] = []): Message {
  return message([item('plain', title, lines)], { buttons })
}

function button(what: 'list' | 'test' | 'name' | 'none', line: string): Button {
  return { label: words(`escalate.button.${what}`), line, replace: false }
}

async function without(context: Context, { to, name, reference }: Target): Promise<Message> {
  const { person, change } = context
  if (to === 'fallback') {
    const last = timeButton(reference, REPEATED_AFTER_MIN.length - 1)
    return answer(words('escalate.stays', { name }), [button('none', '/settings fallback none'), last])
  }
  const steps = others(person.steps, to)
  if (steps.length === person.steps.length)
    return answer(words('escalate.missing', { name }), [button('list', '/escalate')])
  const { refused } = await change({ is: 'settings', personId: person.id, to: { steps } })
  return refused === null ? reached(context, words('escalate.removed', { name })) : say(refused)
}

function others(steps: readonly Step[], to: readonly Step['to'][]): Step[] {
  const key = (of: Step['to']) => (of.is === 'chat' ? `chat ${of.chatId}` : `person ${of.personId}`)
  const named = new Set(to.map(key))
  return steps.filter((step) => !named.has(key(step.to)))
}

/** Critical alerts are repeated at these times only: offers the two that are nearest. */
function nearestTo(ms: number, { name, reference }: Target): Message {
  const far = (minutes: number) => Math.abs(minutes * MINUTE_MS - ms)
  const all = REPEATED_AFTER_MIN.map((minutes, from) => ({ minutes, from }))
  const [first, second] = all.toSorted((a, b) => far(a.minutes) - far(b.minutes))
  const near = [first, second].flatMap((one) => one ?? []).toSorted((a, b) => a.from - b.from)
  return answer(
    words('escalate.times', { name }),
    near.map(({ from }) => timeButton(reference, from)),
  )
}

function howSoon({ name, reference }: Target): Message {
  const start = `/escalate ${reference}`
  return asking(
    words('escalate.ask', { name }),
    { start, prompt: words('ask.word.time'), placeholder: '3m' },
    REPEATED_AFTER_MIN.map((_, from) => timeButton(reference, from)),
    { lines: [words('escalate.counted')], only: true },
  )
}

function timeButton(reference: string, from: number): Button {
  return { label: afterLabel(from), line: `/escalate ${reference} ${typedAfter(from)}`, replace: true }
}

/** The person's other places that alerts do not go to yet, and platforms on which they have named none. */
function placesToAdd({ person, view }: Context, named: readonly Named[]): Button[] {
  const { first, steps } = view.escalation(person.id)
  const own = view.chats(person.id).filter((chat) => chat.private)
  const listed = new Set(steps.flatMap(({ chats }) => chats.map(({ id }) => id)))
  const add = (name: string, line: string) => ({
    label: words('escalate.button.add', { name }),
    line,
    replace: true,
  })
  return [
    ...own.flatMap(({ id, address: { platform } }) =>
      id === first?.id || listed.has(id) ? [] : [add(platform, `/escalate ${platform}`)],
    ),
    ...named.flatMap(({ name }) =>
      own.some(({ address }) => address.platform === name) ? [] : [add(name, `/settings ${name}`)],
    ),
  ]
}

function list(context: Context, named: readonly Named[]): Message {
  const { person, view } = context
  const escalation = view.escalation(person.id)
  const { first, steps } = escalation
  const delegates = view.delegates(person.id)
  const waiting = delegates.filter(({ delegateId }) => steps.every((step) => step.delegateId !== delegateId))
  const lines: Text[] = [
    ...(first ? [words('escalate.step', { name: first.address.platform, when: afterText(0) })] : []),
    ...delegates.flatMap(({ delegateName, handoverUntil: time }) =>
      time === null
        ? []
        : [words('escalate.step.handover', { name: `@${delegateName}`, until: { time, as: 'clock' } })],
    ),
    ...steps.map(stepLine),
    ...waiting.map(({ delegateName }) => words('escalate.step.missing', { name: `@${delegateName}` })),
    ...escalationTroubles(escalation).map((one) => text`⚠ ${one}`),
  ]
  return answer(
    words('escalate.who'),
    [
      ...waiting.map(({ delegateId, delegateName: name }) => ({
        ...{ label: words('escalate.button.add', { name }), line: `/escalate P${delegateId}` },
        replace: true,
      })),
      ...placesToAdd(context, named),
      ...(delegates.length === 0 ? [askSomebody] : []),
      button('test', '/drill'),
    ],
    lines,
  )
}

function stepLine({ name, from, isFallback, chats, delegateId }: EscalationStep): Text {
  const when = afterText(from)
  if (chats.length === 0) return words('escalate.step.lost', { name, when })
  if (isFallback) return words('escalate.step.backup', { name, when })
  if (delegateId === null) return words('escalate.step', { name, when })
  const platforms = joined(
    chats.map(({ address }) => address.platform),
    ', ',
  )
  return words('escalate.step.on', { name, platforms, when })
}
